file=${1##*/}
dir=${1%/*}
ext=${file##*.}
echo "${file%.$ext}" "${dir:-.}" "${file/ /_}" "${file//[^a-z]/-}" "${#file}"
echo "${file:0:3}" "${file: -3}" ${2:+"--two=$2"} "${!name}" "${names[@]:1}" "${x[$((i + 1))]}"
: "${HOME:=/root}" "${LOGNAME:?not set}"
