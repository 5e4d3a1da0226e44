pids=$(pgrep -f 'worker --queue=(mail|sms)') && kill -TERM $pids
kill -0 "$pid" 2>/dev/null && echo alive || rm -f "/run/$name.pid"
pkill -HUP -x nginx; sleep 1; pgrep -c nginx
