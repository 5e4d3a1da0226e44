tries=30
until nc -z "$1" "${2:-22}" 2>/dev/null || [ "$((tries -= 1))" -le 0 ]; do
  sleep 1
done
[ "$tries" -gt 0 ]
