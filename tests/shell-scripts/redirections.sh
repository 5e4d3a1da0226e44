exec 3>&1 4</etc/hosts
exec {log}>>run.log
date >&3 2>&1
read -r first <&4
cat <<<"$first" >| out.txt 2>/dev/null
ls -l &> all.txt; ls -a &>> all.txt
sort < in.txt > out.txt 2>> err.txt
echo gone >&-
exec 4<&- 3>&- {log}>&-
: <>/dev/tcp-not-a-file
