sudo -u deploy -- sh -c 'cd /srv/app && ./bin/migrate' && sudo systemctl reload app
env -i PATH=/usr/bin LANG=C bash -c 'echo $PATH'
LC_ALL=C TZ=UTC date; FOO= BAR="a b" make -C src
echo 'net.ipv4.ip_forward=1' | sudo tee -a /etc/sysctl.d/90-forward.conf >/dev/null
