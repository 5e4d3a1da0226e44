while getopts 'f:vn' option; do
  case $option in
    f) file=$OPTARG ;;
    v) verbose=1 ;;
    n) run=echo ;;
    \?) exit 64 ;;
  esac
done
shift $((OPTIND - 1))
${run-} cp ${verbose:+-v} -- "$file" "${1?where to}"
