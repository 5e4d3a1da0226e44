n=0
until [ -S /run/app.sock ]
do
    n=$((n+1))
    if [ $n -gt 20 ]; then break 2>/dev/null; fi
    sleep .5
done
for ((;;)); do date; sleep 1; done & sleep 3; kill $!
