stamp=$(date -u +%Y%m%dT%H%M%SZ)
pg_dump -Fc -h "${DB_HOST}" "$DB" | gpg --encrypt -r backup@example > "/backup/$DB-$stamp.gpg" \
  && find /backup -name "$DB-*.gpg" -mtime +14 -delete
