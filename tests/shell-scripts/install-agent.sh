#!/bin/sh
# Fetches an agent, checks it, and starts it as a service.
set -eu
version=${1:-"2.4.1"}
base="https://packages.example/agent/$version"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

for part in agent.tar.gz agent.tar.gz.sha256; do
    curl -fsSL --retry 3 -o "$work/$part" "$base/$part" || {
        echo "could not fetch $part" >&2
        exit 1
    }
done
(cd "$work" && sha256sum -c agent.tar.gz.sha256) >/dev/null
tar -xzf "$work/agent.tar.gz" -C /opt
install -m 0644 /opt/agent/agent.service /etc/systemd/system/
systemctl daemon-reload && systemctl enable --now agent
