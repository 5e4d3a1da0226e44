while [ $# -gt 0 ]; do
  case $1 in
    --name=*) name=${1#*=} ;;
    --) shift; break ;;
    --*) printf >&2 'unknown option %s\n' "$1"; exit 64 ;;
    *) break
  esac
  shift
done
