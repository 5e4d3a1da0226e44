cmd="ls -l"
eval "$cmd \"\$HOME\""
$cmd /tmp
"$SHELL" -c "$cmd"
eval set -- "$(getopt -o ab: -- "$@")"
ref=PATH; echo "${!ref}"
