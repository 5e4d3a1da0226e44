a() { b() { if c; then for d in e; do while f; do (g; { h; }); done; done; fi; }; }
echo "$(i "$(j "$(k "$(l)")")")" `m \`n \\\`o\\\`\``
