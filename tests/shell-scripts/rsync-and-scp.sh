rsync -az --delete --exclude '.git' -e 'ssh -p 2222' ./dist/ deploy@web01:/srv/www/
scp -r "web01:/var/log/nginx/*.log" . && gzip -9 *.log
tar cz . | ssh web01 'cd /srv && tar xz'
