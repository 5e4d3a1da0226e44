getent passwd deploy >/dev/null || useradd -m -s /bin/bash deploy
echo "deploy:$(openssl passwd -6 -stdin <<<"$PASSWORD")" | chpasswd -e
install -d -m 700 -o deploy -g deploy ~deploy/.ssh
cat keys/*.pub >> ~deploy/.ssh/authorized_keys
