declare -A port=([web]=80 [db]=5432 ["odd key"]=$((80 + 1)))
port[cache]=6379
list=(
  one   # the first
  "two three"
  $(seq 3)
)
list+=(four) list[9]='ten'
declare -a copy=("${list[@]}") other
readonly -a fixed=(a b)
local_names=(${!port[@]})
unset 'list[0]'
