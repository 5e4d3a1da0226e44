if [[ -f /etc/debian_version && ! -L /etc/debian_version ]]; then
  family=debian
elif [[ $(uname -s) == Darwin* || $OSTYPE =~ ^darwin([0-9]+)\. ]]; then
  family=mac
elif [ -r /etc/os-release ] && grep -q '^ID_LIKE=.*rhel' /etc/os-release; then
  family=redhat
else
  family=
fi
[[ -n $family ]] || { echo 'unknown system' >&2; exit 3; }
