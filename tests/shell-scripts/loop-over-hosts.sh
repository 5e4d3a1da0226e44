#!/bin/bash
hosts=(web01 web02 "db 01")
for h in "${hosts[@]}"; do
  echo "== $h"
  ssh -o ConnectTimeout=5 "$h" 'uptime; df -h / | tail -1' </dev/null || failed+=("$h")
done
[ ${#failed[@]} -eq 0 ] || printf 'no answer: %s\n' "${failed[@]}"
