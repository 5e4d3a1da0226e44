cat << 'SCRIPT' > /usr/local/bin/rotate && chmod +x /usr/local/bin/rotate
#!/bin/sh
for f in "$@"; do mv -- "$f" "$f.$(date +%s)"; done
cat <<EOF
$#
EOF
SCRIPT
/usr/local/bin/rotate /var/log/app.log
