ssh jump "ssh db01 'sudo -u postgres psql -c \"select pg_reload_conf()\"'"
ssh -J jump web01 -- sudo sh -c "'echo 1 > /proc/sys/vm/drop_caches'"
ssh web01 "for s in nginx php-fpm; do sudo systemctl restart \$s; done"
