(crontab -l 2>/dev/null; echo "*/5 * * * * /usr/local/bin/check >/dev/null 2>&1") | crontab -
echo '0 3 * * * root find /tmp -mtime +7 -delete' > /etc/cron.d/tmp
