[[ a < b && c > d ]] && [[ ! ( -e x || -e y ) ]]
[[ $v == *.@(gz|xz) ]] || [[ $v = "a b"* && $v != \* ]]
[[ $line =~ ^([a-z]+)=\"(.*)\"$ ]] && echo "${BASH_REMATCH[1]}"
[[ -n $x && -t 1 ]]
test -d "$d" -a ! -L "$d" && [ "$a" \< "$b" ]
