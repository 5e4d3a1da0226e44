coproc bc -l
echo '2^10' >&"${COPROC[1]}"
read -r answer <&"${COPROC[0]}"
coproc WATCH { tail -f /var/log/syslog | grep --line-buffered oom; }
kill "$WATCH_PID"
