i=0
while ((i < 10)); do
  ((i += 2, j = i << 1))
  total=$((total + (i * j) % 7))
done
for ((n = 0; n < ${#list[@]}; n++)); do echo "$n: ${list[n]}"; done
echo $(( $(nproc) * 2 )) $((16#ff)) "$((i > 3 ? 1 : 0))"
