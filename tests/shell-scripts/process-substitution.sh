comm -13 <(sort before.txt) <(dpkg -l | awk '/^ii/ {print $2}' | sort)
tar czf >(ssh store 'cat > backup.tgz') /etc 2> >(grep -v 'Removing leading' >&2)
while read -r line; do echo "$line"; done < <(journalctl -n 5 --no-pager)
