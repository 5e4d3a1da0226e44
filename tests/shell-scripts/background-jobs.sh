for h in a b c; do
  scp -q bundle.tgz "$h:/tmp/" &
  pids="$pids $!"
done
wait $pids; sleep 1 & kill %1 2>/dev/null
nohup sh -c 'sleep 60; reboot' >/dev/null 2>&1 &
