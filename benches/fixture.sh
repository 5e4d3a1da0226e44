# What the program is measured in: a home with a config and a user's catalog, and calls as a host really sent them.
# To be sourced; functions only.

# home FOLDER TABLES: makes the home. Every second table is a program's, and all are of the size that people write.
home() {
  mkdir -p "$1/.config/zerto-guard" "$1/project"
  chmod -R go-w "$1"
  cat > "$1/.config/zerto-guard/config.toml" <<TOML
[[zvm]]
name = "nyc"
url = "https://zvm.nyc.example"
username = "zerto-guard"
password_command = ["/usr/bin/pass", "show", "zvm"]
tls_pin = "sha256:$(printf 'AB%.0s' {1..32})"

[guard]
deadline = "120s"

[hosts]
"web01.corp.example" = "web01"
unguarded = ["github.com", "*.build.example"]
TOML
  local catalog=$1/.config/zerto-guard/catalog.toml number
  echo 'schema = 1' > "$catalog"
  for ((number = 1; number <= $2; number += 2)); do
    cat >> "$catalog" <<TOML

[server.acme-ops-$number]                 # a server of our own
read_only = ["get_*", "list_*", "describe_*", "search"]
mutating  = [{ tool = "restart", vm = "host", action = "restart {service}" }, "deploy_*"]
script    = [{ tool = "run", vm = "host", script = "command", language = "sh" }]
TOML
    [ "$number" -lt "$2" ] || break
    cat >> "$catalog" <<TOML

[program.acmectl-$number]
read_only = ["", "status", "show *", "list", "config get"]
mutating  = ["restart", "config set", "-f", "--force"]
unknown   = ["exec"]
values    = ["-c", "--config"]
TOML
  done
}

# capture HOME NAME: a call that Claude Code sent, as if it had been sent from the project of that home.
capture() {
  sed "s#\"/home/dev/infra\"#\"$1/project\"#" "$(dirname "${BASH_SOURCE[0]}")/../tests/hook-stdin/claude-code-2.1.332/$2.json"
}

# callgrind: where valgrind itself is. Debian's is a script that sets LD_LIBRARY_PATH, with which the hook starts itself again.
callgrind() { command -v valgrind.bin || command -v valgrind; }

# instructions HOME STDIN PROGRAM ARGUMENT…: how many of them a run takes in user space; it has to pass in silence.
instructions() {
  local home=$1 stdin=$2 said
  said=$(mktemp)
  env -i HOME="$home" "$(callgrind)" --tool=callgrind --callgrind-out-file=/dev/null "${@:3}" < "$stdin" > "$said.out" 2> "$said" ||
    { cat "$said" >&2; echo "$3 did not let $stdin through" >&2; exit 1; }
  [ ! -s "$said.out" ] || { echo "$3 printed something" >&2; exit 1; }
  sed -n 's/.*Collected : //p' "$said"
  rm -f "$said" "$said.out"
}
