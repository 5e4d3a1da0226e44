sed -i.bak -e 's/^#\(PermitRootLogin\).*/\1 no/' -e '/^$/d' /etc/ssh/sshd_config
awk -F: 'BEGIN { n = 0 } $3 >= 1000 && $1 != "nobody" { print $1; n++ } END { print n " users" }' /etc/passwd
sed -n "/$start/,/$end/p" file | tr -d '\r' | cut -d' ' -f2-
