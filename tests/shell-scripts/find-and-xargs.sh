find /var/log -name '*.gz' -mtime +30 -exec rm -f {} +
find . -type f \( -name '*.tmp' -o -name '*~' \) -print0 | xargs -0 -r -n 20 rm --
find /etc -newer /etc/hostname -exec sh -c 'for f; do stat -c "%n %y" "$f"; done' _ {} \;
