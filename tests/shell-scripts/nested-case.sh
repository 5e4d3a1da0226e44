out=$(case $1 in a) echo 'A)';; b) case $2 in (x) echo bx;; (*) echo b;; esac;; esac)
echo "$(case x in x) echo "in (quotes)";; esac)"
