# nothing here; rm -rf / is only a comment
echo one # two 'three
echo a#b c\#d "# no comment" # yes ( one
x=1 # y
if true; then # comment behind then
  : # nothing
fi # done
