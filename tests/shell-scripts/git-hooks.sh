branch=$(git rev-parse --abbrev-ref HEAD)
if git diff --cached --name-only | grep -qE '\.(rs|toml)$'; then cargo fmt --check || exit 1; fi
git log --format='%h %s' "origin/$branch..HEAD" | while read -r id text; do echo "$id: $text"; done
git commit -m "fix: don't restart 'nginx' twice (#12)" -m "second paragraph"
