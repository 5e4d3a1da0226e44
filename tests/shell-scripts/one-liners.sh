cd /srv/app&&git pull -q&&npm ci>/dev/null;pm2 restart all||exit 1
a=1;b=2;echo $a$b|cat&wait
if ls;then echo y;else echo n;fi;for i in 1 2;do echo $i;done;{ :;}
