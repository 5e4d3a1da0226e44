rm -f /tmp/build-*/*.o /tmp/[a-f]?*.log
ls -d -- */ .[!.]* 2>/dev/null
for f in *.sh; do [ -e "$f" ] || continue; shellcheck "$f"; done
