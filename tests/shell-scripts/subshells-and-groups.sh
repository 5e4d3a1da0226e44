(cd /srv && tar cf - data) | (cd /backup && tar xf -)
{ echo begin; date; } > stamp
( ( umask 077; : > secret ) && ls -l secret )
((echo one; echo two) | wc -l)
x=$( (echo a; echo b) | tail -1 )
y=$((echo c); echo d)
