mkdir -p /srv/{app,data}/{a..c} && cp config.yaml{,.bak}
ssh web0{1,2} uptime
echo {1..3} {a,b}$x "{not,these}" {single}
