ps aux | awk '$3 > 50 { print $2, $11 }' | sort -k2 | while read -r pid name; do
  echo "$name ($pid)"
done
make 2>&1 |& tee build.log | grep --line-buffered -E 'error|warning' || :
! systemctl is-active --quiet nginx
time -p sha256sum *.iso | sort
