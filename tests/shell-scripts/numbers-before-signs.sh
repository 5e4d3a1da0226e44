echo 2>err 2 >out 2\>x 12>>y "3">z
echo a2>b; echo a 2 > b; echo {3}>c
cmd 2>&1 1>/dev/null 3<&0- 0</dev/null
