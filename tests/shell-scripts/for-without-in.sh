show() { for arg; do echo "<$arg>"; done; }
show "$@"
for arg do echo "$arg"; done
for x in; do echo never; done
