use super::*;

fn justfile(text: &str, cases: &[(&str, &str)]) {
    check(&[("justfile", text), ("sub/x", ""), (".env", "H=web09\n"), ("run.sh", "#!/bin/sh\nls\n")], cases);
}

#[test]
fn recipes_and_what_they_need() {
    justfile(
        "# comment\nhost := 'web01'\nset shell := [\"bash\", \"-uc\"]\nalias u := up\n\ndefault: build\n  @echo x\n\n\
         build:\n  cargo build\n  -cargo test\nup target=host: build\n  ssh {{target}} reboot\nread:\n\tssh {{ host }} uptime\n\
         many +hosts:\n  for h in {{hosts}}; do ssh $h reboot; done\nopt *flags:\n  cargo test {{flags}}\n\
         dep: (up \"web02\") && after\n  ls\nafter:\n  ssh web03 reboot\nodd:\n  nobody-knows\n\
         bash:\n  #!/usr/bin/env bash\n  set -eu\n  ssh web04 reboot\npy:\n  #!/usr/bin/env python3\n  print()\n\
         [private]\n[script('bash')]\nscripted:\n  ssh web05 reboot\n[no-cd]\nhere:\n  ls\n\
         cond:\n  ssh {{ if os() == 'linux' { 'web06' } else { 'web06' } }} reboot\n\
         env:\n  ssh {{ env('HOST') }} reboot\nline:\n  ssh web07 \\\n    reboot\nbrace:\n  echo '{{{{x}}'\nbad:\n  echo {{ x\n\
         [linux]\nsys:\n  ls\n[macos]\nsys:\n  ssh web08 reboot\nself: self2\n  ls\nself2: self\n  ls\n",
        &[
            ("just", "read_only"),
            ("just build", "read_only"),
            ("just up", "mutating web01"),
            ("just u", "mutating web01"),
            ("just up web09", "mutating web09"),
            ("just host=web08 up", "mutating web08"),
            ("just --set host web08 up", "mutating web08"),
            ("just build up web09", "mutating web09"),
            ("just read", "read_only"),
            ("just many web01 web02", "mutating web01,web02"),
            ("just opt --all x", "read_only"),
            ("just opt '; ssh web01 reboot'", "mutating web01"),
            ("just opt $X", "unknown"),
            ("just dep", "mutating web02,web03"),
            ("just odd", "unknown"),
            ("just bash", "mutating web04"),
            ("just py", "unknown"),
            ("just scripted", "mutating web05"),
            ("just here", "read_only"),
            ("just cond", "mutating web06"),
            ("just env", "unknown"),
            ("HOST=web07 just env", "mutating web07"),
            ("HOST=$X just env", "unknown"),
            ("just line", "mutating web07"),
            ("just brace", "read_only"),
            ("just bad", "unknown"),
            ("just sys", "mutating web08"),
            ("just self", "read_only"),
            ("just none", "unknown"),
            ("just $X", "unknown"),
            ("just -l", "read_only"),
            ("just --list", "read_only"),
            ("just --show up", "read_only"),
            ("just --dump", "read_only"),
            ("just -n up", "read_only"),
            ("just --choose", "unknown"),
            ("just -e", "unknown"),
            ("just --shell python up", "unknown"),
            ("just --shell-arg x build", "unknown"),
            ("just -c ssh web01 reboot", "mutating web01"),
            ("just --command ls", "read_only"),
            ("just -f justfile build", "read_only"),
            ("just -f other build", "unknown"),
            ("just -f justfile -d sub up", "mutating web01"),
            ("cd sub && just up", "mutating web01"),
            ("just sub/build", "unknown"),
            ("JUST_JUSTFILE=x just build", "unknown"),
            ("just --odd build", "unknown"),
            ("ssh web01 just up", "unknown web01"),
        ],
    );
}

#[test]
fn what_a_justfile_sets_and_runs_by_itself() {
    for (text, expected) in [
        ("x := `ssh web01 reboot`\na:\n  ls\n", "mutating web01"),
        ("x := shell('ssh web01 reboot')\na:\n  ls\n", "mutating web01"),
        ("x := ```\n  ssh web01 reboot\n```\na:\n  ls\n", "mutating web01"),
        ("a:\n  echo {{ `ssh web01 reboot` }}\n", "mutating web01"),
        ("a x=`ssh web01 reboot`:\n  ls\n", "mutating web01"),
        ("x := if 'a' == 'b' { `ssh web01 reboot` } else { '' }\na:\n  ls\n", "mutating web01"),
        ("x := `git describe`\na:\n  cargo build --features {{x}}\n", "read_only"),
        ("set shell := ['ssh', 'web01']\na:\n  reboot\n", "mutating web01"),
        ("set shell := ['python3', '-c']\na:\n  print()\n", "read_only"),
        ("set shell := ['python3', '-c']\na:\n  import os; os.system('x')\n", "unknown"),
        ("set shell := x\na:\n  ls\n", "unknown"),
        ("set script-interpreter := ['python']\na:\n  ls\n", "unknown"),
        ("set working-directory := 'x'\na:\n  ls\n", "unknown"),
        ("set fallback\na:\n  ls\n", "unknown"),
        ("set dotenv-load\na:\n  ssh $H reboot\n", "mutating web09"),
        ("set export\nH := 'web02'\na:\n  ssh $H reboot\n", "mutating web02"),
        ("export H := 'web02'\na:\n  ssh $H reboot\n", "mutating web02"),
        ("export PATH := './x:' + env('PATH')\na:\n  ls\n", "unknown"),
        ("export LD_PRELOAD := 'x'\na:\n  ls\n", "unknown"),
        ("a $H='web02':\n  ssh $H reboot\n", "mutating web02"),
        ("set positional-arguments\na h='x':\n  ls \"$1\"\n", "read_only"),
        ("import 'x.just'\na:\n  ls\n", "unknown"),
        ("mod x\na:\n  ls\n", "unknown"),
        ("a:\n  ./run.sh\n", "read_only"),
        ("a:\n  just b\nb:\n  ssh web01 reboot\n", "mutating web01"),
        ("a:\n  just a\n", "unknown"),
        ("s := 's'\nh := s + 'sh'\na:\n  {{s}}{{h}} web01 reboot\n", "unknown"),
        ("s := 's'\na:\n  {{s + 'sh'}} web01 reboot\n", "mutating web01"),
        ("x := 'a' / 'b'\na:\n  ls {{x}} {{justfile_directory()}}\n", "read_only"),
        ("x := x\na:\n  ls\n", "unknown"),
        ("a:\n  ls {{quote('x y')}}\n", "read_only"),
        ("a: b\n", "unknown"),
        ("  ls\n", "unknown"),
        ("a := 'x\n", "unknown"),
        ("", "unknown"),
    ] {
        justfile(text, &[("just", expected)]);
    }
    check(&[("Justfile", "a:\n  ssh web01 reboot\n")], &[("just", "mutating web01")]);
    check(&[(".JustFile", "a:\n  ssh web01 reboot\n")], &[("just", "mutating web01")]);
    check(&[], &[("just", "unknown")]);
    justfile("set positional-arguments\na h:\n  ssh \"$1\" reboot\n", &[("just a web03", "mutating web03")]);
}
