echo 'it'\''s' "a \"b\" c" $'tab\there' d\ e"f"'g'
echo "$(echo "inner $(echo "deeper 'x'")")" \$HOME '$HOME' "\$HOME"
echo "a
b" 'c
d' e\
f
printf "%s\n" "`echo \"one two\"`" `echo \`hostname\``
