export DEBIAN_FRONTEND=noninteractive
apt-get update -qq && apt-get -y -o Dpkg::Options::=--force-confold dist-upgrade
[ -e /var/run/reboot-required ] && shutdown -r +5 'security updates' || echo "no reboot needed"
