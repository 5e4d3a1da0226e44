log() { printf '%s %s\n' "$(date +%T)" "$*" >&2; }
function retry {
  local n=$1; shift
  until "$@"; do
    (( --n > 0 )) || return 1
    log "again: $*"
    sleep 2
  done
}
function cleanup() (
  cd /tmp && rm -f -- "$lock"
)
retry 3 curl -sf http://127.0.0.1:8080/health && log up || log down
