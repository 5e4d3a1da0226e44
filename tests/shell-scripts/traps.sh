lock=/run/lock/nightly
trap "rm -f '$lock'; exit" HUP INT TERM
trap - PIPE
trap '' USR1
trap 'code=$?; [ $code = 0 ] || mail -s "nightly: $code" ops@example < /var/log/nightly.log' EXIT
