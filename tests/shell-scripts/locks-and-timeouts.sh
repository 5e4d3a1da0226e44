exec 9>/run/lock/job || exit 1
flock -n 9 || { echo "already running" ; exit 0; }
timeout -k 5 60 ssh backup 'zfs snapshot tank/data@nightly' 9>&-
( flock 8; echo "$$" >> /run/ids ) 8>/run/ids.lock
