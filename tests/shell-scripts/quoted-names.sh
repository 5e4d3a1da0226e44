"/opt/my app/bin/run" --now
'ls' -l; l\s; "l"s; $prog x; ${prog:-ls} x; $(which ls) x; ./script.sh; ~/bin/tool
