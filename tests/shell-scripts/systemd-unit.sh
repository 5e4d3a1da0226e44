tee /etc/systemd/system/app.service >/dev/null <<-UNIT
	[Unit]
	Description=App on %H
	[Service]
	ExecStart=/usr/bin/app --port ${PORT}
	UNIT
systemctl daemon-reload
systemctl restart app; systemctl --no-pager status app | head -5
