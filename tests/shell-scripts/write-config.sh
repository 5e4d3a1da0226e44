cat > /etc/app/app.toml <<TOML
# written $(date -Iseconds)
[server]
listen = "${LISTEN:-0.0.0.0:8080}"
path = "\$HOME is kept, \\ too"
TOML
chmod 0640 /etc/app/app.toml
