ssh -T root@app03 <<'END' | tee restart.log
set -e
cd /srv/app
git fetch --quiet origin "$BRANCH"
systemctl restart app.service
journalctl -u app.service --since "-1 min" | grep -ci error || true
END
