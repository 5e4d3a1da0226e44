case "$1" in
start) systemctl start app ;;
(stop|halt)
  systemctl stop app
  ;;
-h | --help | '') echo "usage: ${0##*/} start|stop" ; exit 0;;
*[!a-z]*) echo bad;;
?*) exec "$@" ;;
esac >&2
case $x in esac
case $(uname -m) in x86_64) a=amd64;; aarch64|arm64) a=arm64; esac
