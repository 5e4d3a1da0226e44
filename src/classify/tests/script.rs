//! Shell texts as calls: what the whole of one is, and which guests it names.

use super::*;
use crate::catalog::parse::parse;
use crate::classify::Found;
use std::collections::BTreeMap;

/// Hypervisors, clouds, clusters, containers and web requests, with the machines that they name.
#[path = "script_clouds.rs"]
mod clouds;
/// Machines that a person has spoken of, and what is not followed.
#[path = "script_machines.rs"]
mod machines;
/// What differs between shells, and how what they know comes together again.
#[path = "script_shells.rs"]
mod shells;

/// Programs whose tables are as simple as can be: the rules of shells are what is tested here.
const TABLES: &str = "[program.reads]\nread_only=['*']\n[program.changes]\nmutating=['*']\n[program.works]\nlocal=['*']\n\
    [program.asks]\nunknown=['*']\n";

struct Files(BTreeMap<&'static str, &'static str>);

impl Surroundings for Files {
    fn real_path(&self, path: &str) -> String {
        path.to_owned()
    }

    fn file(&self, path: &str) -> Found {
        self.0.get(path).map_or(Found::Nothing, |text| Found::File(text.as_bytes().to_vec()))
    }

    fn home(&self) -> Option<String> {
        Some("/home/jo".into())
    }

    fn folder(&self, path: &str) -> Option<Vec<String>> {
        let inside = self.0.keys().filter_map(|file| file.strip_prefix(path)?.strip_prefix('/'));
        Some(inside.map(str::to_owned).collect())
    }
}

fn seen_in(text: &str, places: &Places, files: &[(&'static str, &'static str)]) -> Seen {
    let catalog = Catalog { user: Some(parse(TABLES).unwrap()), ..Catalog::default() };
    let files = Files(files.iter().copied().collect());
    judge(&[text], &[Place::default()], Some("/project"), &catalog, places, &files)
}

/// `read_only`, `mutating web01,web02`, `unknown web01`, and with a doubt `mutating web01 + web02`.
fn shown(seen: &Seen) -> String {
    let mut text = format!("{} {}", seen.verdict.name(), seen.targets.join(","));
    if let Some(doubt) = &seen.doubt {
        text.push_str(&format!(" + {}", doubt.targets.join(",")));
    }
    text.trim().to_owned()
}

fn check(cases: &[(&str, &str)]) {
    let files = [
        ("/project/reads.sh", "#!/bin/sh\nreads\n"),
        ("/project/reaches.sh", "#!/usr/bin/env bash\nssh \"$1\" changes\n"),
        ("/project/python.py", "#!/usr/bin/python3\nprint()\n"),
        ("/project/plain", "reads\n"),
        ("/proc/self/fd/7", "reads\n"),
        ("/dev/script", "reads\n"),
    ];
    for (text, expected) in cases {
        let seen = seen_in(text, &Places::default(), &files);
        assert_eq!(shown(&seen), *expected, "{text}\n{:#?}", seen.parts);
    }
}

#[test]
fn what_runs_where() {
    check(&[
        ("reads", "read_only"),
        ("changes", "read_only"),
        ("works", "read_only"),
        ("asks", "unknown"),
        ("nobody-knows", "unknown"),
        ("ssh web01 reads", "read_only"),
        ("ssh web01 changes", "mutating web01"),
        ("ssh web01 works", "unknown web01"),
        ("ssh web01 nobody-knows", "unknown web01"),
        ("ssh web01 'reads; changes'; ssh web02 works", "mutating web01 + web02"),
        ("ssh web01 'reads > /etc/x'", "mutating web01"),
        ("ssh web01 'reads 2>&1 > /dev/null'", "read_only"),
        ("ssh web01 reads > /tmp/x", "read_only"),
        ("ssh web01 ssh web02 changes", "mutating web01,web02"),
        ("ssh localhost changes", "read_only"),
        ("ssh web01 ssh localhost changes", "mutating web01"),
        ("reads < /dev/tcp/web01/22", "unknown"),
        ("/usr/bin/reads; /bin/reads", "read_only"),
        ("ssh web01 /usr/bin/changes", "mutating web01"),
        ("ssh web01 /opt/changes", "mutating web01"),
    ]);
}

#[test]
fn every_place_in_a_text_where_a_command_can_stand() {
    for wrap in [
        "reads; X",
        "reads && X",
        "reads || X",
        "X &",
        "reads | X",
        "X | reads",
        "( X )",
        "{ X; }",
        "! X",
        "time X",
        "if reads; then X; fi",
        "if X; then reads; fi",
        "if reads; then reads; elif reads; then reads; else X; fi",
        "while reads; do X; done",
        "until X; do reads; done",
        "for i in 1 2; do X; done",
        "for ((i=0; i<3; i++)); do X; done",
        "case $x in a) reads;; *) X;; esac",
        "f() { X; }; f",
        "function f { X; }; f",
        "f() ( X ); f",
        "reads $(X)",
        "reads `X`",
        "reads \"$(X)\"",
        "reads \"`X`\"",
        "x=$(X)",
        "x=$(X) reads",
        "reads <(X)",
        "reads >(X)",
        "reads $(( $(X) + 1 ))",
        "(( $(X) ))",
        "reads ${x:-$(X)}",
        "reads ${x:=`X`}",
        "reads ${x:+\"$(X)\"}",
        "reads ${x#$(X)}",
        "reads ${x/a/$(X)}",
        "reads ${x[$(X)]}",
        "reads ${x:$(X):1}",
        "a=($(X))",
        "a[$(X)]=1",
        "[[ $(X) ]]",
        "[[ -n $(X) ]] && reads",
        "reads <<E\n$(X)\nE",
        "reads <<< $(X)",
        "reads > $(X)",
        "reads 2> \"$(X)\"",
        "{ reads; } > $(X)",
        "case $(X) in a) ;; esac",
        "case a in $(X)) ;; esac",
        "for i in $(X); do reads; done",
        "trap 'X' EXIT",
        "trap -- 'X' 1 2",
        "eval 'X'",
        "eval \"reads; X\"",
        "export A=$(X)",
        "local a=`X`",
        "declare -a a=($(X))",
        "readonly A=\"$(X)\"",
        "coproc X",
        "reads $(reads $(reads $(X)))",
        "bash -c 'X'",
        "sh -c \"X\"",
        "env A=b X",
        "command X",
        "exec X",
        "nohup X &",
        "timeout 5 X",
        "sudo X",
        "sh <<'E'\nX\nE",
        "echo 'X' | sh",
        "printf 'X' | bash -s",
        "bash <<< 'X'",
        "source <(echo reads); X",
        "reads\nX",
        "reads; # y\nX",
        "re\\\nads; X",
    ] {
        let text = wrap.replace('X', "ssh web01 changes");
        let seen = seen_in(&text, &Places::default(), &[]);
        assert_eq!(seen.verdict, Verdict::Mutating, "{text}\n{:#?}", seen.parts);
        assert_eq!(seen.targets, ["web01"], "{text}");
        let text = wrap.replace('X', "nobody-knows");
        let seen = seen_in(&text, &Places::default(), &[]);
        assert_eq!(seen.verdict, Verdict::Unknown, "{text}\n{:#?}", seen.parts);
    }
}

#[test]
fn words_that_only_speak_of_a_command() {
    check(&[
        ("reads 'ssh web01 changes'", "read_only"),
        ("reads \"ssh web01 changes\"; # ssh web01 changes", "read_only"),
        ("reads <<'E'\nssh web01 changes\n$(ssh web01 changes)\nE", "read_only"),
        ("reads ssh web01 changes", "read_only"),
        ("reads '$(ssh web01 changes)'", "read_only"),
        ("reads \\$\\(ssh web01 changes\\)", "read_only"),
        ("f() { ssh web01 changes; }", "read_only"),
        ("alias f='ssh web01 changes'", "read_only"),
    ]);
}

#[test]
fn values_are_followed() {
    check(&[
        ("for h in web01 web02; do ssh $h changes; done", "mutating web01,web02"),
        ("h=web01; ssh $h changes", "mutating web01"),
        ("h=web01; h=web02; ssh $h changes", "mutating web02"),
        ("h=web01; ssh \"$h\" changes; h=web02; ssh ${h} changes", "mutating web01,web02"),
        ("h=web; ssh ${h}01 changes", "mutating web01"),
        ("h=web; h+=01; ssh $h changes", "mutating web01"),
        ("c='ssh web01 changes'; $c", "mutating web01"),
        ("pdsh -w web[01-02] changes", "mutating web01,web02"),
        ("pdsh -w 'web[01-02]' changes", "mutating web01,web02"),
        // A file there may fit.
        ("pdsh -w read[0-9].sh changes", "unknown"),
        ("pdsh -w reads[.]sh changes", "unknown"),
        ("c=changes; ssh web01 $c", "mutating web01"),
        ("ssh web{01,02} changes", "unknown web01"),
        ("for h in web{01..03}; do ssh $h changes; done", "mutating web01,web02,web03"),
        ("hosts='web01 web02'; for h in $hosts; do ssh $h changes; done", "mutating web01,web02"),
        ("hosts=(web01 web02); for h in \"${hosts[@]}\"; do ssh \"$h\" changes; done", "mutating web01,web02"),
        ("set -- web01; ssh $1 changes", "mutating web01"),
        ("set -- a web01; shift; ssh $1 changes", "mutating web01"),
        ("f() { ssh $1 changes; }; f web01; f web02", "mutating web01,web02"),
        ("f() { ssh \"$@\"; }; f web01 changes", "mutating web01"),
        ("export h=web01; bash -c 'ssh $h changes'", "mutating web01"),
        ("h=web01 bash -c 'ssh $h changes'", "mutating web01"),
        ("bash -c 'ssh $1 changes' _ web01", "mutating web01"),
        ("ssh web01 \"bash -c 'changes'\"", "mutating web01"),
        // Not known: never empty, and never guessed.
        ("ssh $h changes", "unknown"),
        ("h=web01; bash -c 'ssh $h changes'", "unknown"),
        ("h=web01; [ -n \"$x\" ] && h=web02; ssh $h changes", "unknown"),
        ("h=web01; reads | read h; ssh $h changes", "unknown"),
        ("h=web01; while reads; do ssh $h changes; h=web02; done", "unknown"),
        ("h=web01; for i in 1 2; do ssh $h changes; h=web02; done", "mutating web01,web02"),
        ("h=web01; for i in 1 2; do h=web02; continue; h=web01; done; ssh $h changes", "unknown"),
        ("h=web01; eval \"$x\"; ssh $h changes", "unknown"),
        ("h=web01; read h; ssh $h changes", "unknown"),
        ("h=web01; f() { h=web02; }; f; ssh $h changes", "mutating web02"),
        ("h=web01; (h=web02); ssh $h changes", "mutating web01"),
        ("h=web01; ((h=1)); ssh $h changes", "unknown"),
        ("h=web01; ssh ${x:-$h} changes", "unknown"),
        ("ssh web01 \"$CMD\"", "unknown web01"),
        ("ssh web01 \"reads $x\"", "unknown web01"),
        ("ssh web01 \"$(reads x.sh)\"", "unknown web01"),
        ("$x web01", "unknown"),
        ("\"$@\"", "read_only"),
    ]);
}

#[test]
fn what_the_text_defines_shadows_the_catalog() {
    check(&[
        ("reads() { ssh web01 changes; }; reads", "mutating web01"),
        ("nobody-knows() { reads; }; nobody-knows", "read_only"),
        ("nobody-knows; nobody-knows() { reads; }", "unknown"),
        ("if reads; then nobody-knows() { reads; }; fi; nobody-knows", "unknown"),
        ("changes() { reads; }; ssh web01 changes", "mutating web01"),
        ("nobody-knows() { reads; }; command nobody-knows", "unknown"),
        ("nobody-knows() { reads; }; sudo nobody-knows", "unknown"),
        ("nobody-knows() { reads; }; unset -f nobody-knows; nobody-knows", "unknown"),
        ("alias reads='ssh web01 changes'; reads", "mutating web01"),
        ("alias nobody-knows=reads; nobody-knows", "unknown"),
        ("alias reads=\"$x\"; reads", "unknown"),
        ("f() { f; }; f", "unknown"),
        ("f() { reads; }; g() { f; f; }; g", "read_only"),
        ("cleanup() { ssh web01 changes; }; trap cleanup EXIT", "mutating web01"),
        ("trap cleanup EXIT; cleanup() { ssh web01 changes; }", "mutating web01"),
        ("h=web01; trap 'ssh $h changes' EXIT", "unknown"),
        ("trap - EXIT; trap '' INT", "read_only"),
        ("ssh web01 'reads & disown'", "mutating web01"),
    ]);
}

#[test]
fn variables_that_choose_what_runs() {
    check(&[
        ("PATH=/tmp/x:$PATH reads", "unknown"),
        ("PATH=. reads", "unknown"),
        ("PATH=$PATH: reads", "unknown"),
        ("export PATH=\"$HOME/.cargo/bin:/usr/local/bin:$PATH\"; reads", "read_only"),
        ("export PATH=$PATH:/usr/sbin", "read_only"),
        ("PATH=$x reads", "unknown"),
        ("ssh web01 'PATH=/usr/sbin:$PATH reads'", "read_only"),
        ("ssh web01 'PATH=~/bin:$PATH reads'", "unknown web01"),
        ("LD_PRELOAD=/tmp/x.so reads", "unknown"),
        ("LD_PRELOAD= reads", "read_only"),
        ("BASH_ENV=x bash -c reads", "unknown"),
        ("env BASH_ENV=x bash -c reads", "unknown"),
        ("PAGER=reads works", "read_only"),
        ("PAGER='ssh web01 changes' works", "mutating web01"),
        ("export PROMPT_COMMAND='ssh web01 changes'", "mutating web01"),
        ("GIT_SSH_COMMAND='ssh -i key -o StrictHostKeyChecking=no' works", "read_only"),
        ("GIT_SSH_COMMAND='ssh -o ProxyCommand=nobody-knows' works", "unknown"),
        ("GIT_SSH_COMMAND='nobody-knows' works", "unknown"),
        ("PYTHONPATH=src works", "read_only"),
        ("DOCKER_HOST=ssh://web01 works", "unknown"),
        ("PGHOST=db01 works", "read_only"),
        ("ANSIBLE_LIBRARY=/x works", "unknown"),
        ("export ANSIBLE_SSH_ARGS=-Jdb02; works", "unknown"),
        ("ANSIBLE_HOST_KEY_CHECKING=False works", "read_only"),
        ("declare -n r=PATH; r=/tmp; reads", "unknown"),
        ("hash -p /tmp/x reads", "unknown"),
        ("TAPE=web01:/x reads", "unknown"),
        ("enable -f x y", "unknown"),
    ]);
}

#[test]
fn scripts_are_read() {
    check(&[
        ("bash reads.sh", "read_only"),
        ("./reads.sh", "read_only"),
        ("sh /project/reads.sh", "read_only"),
        ("source plain", "read_only"),
        (". ./plain", "read_only"),
        ("./plain", "unknown"),
        ("./reaches.sh web01", "mutating web01"),
        ("bash reaches.sh web02", "mutating web02"),
        ("bash < reads.sh", "read_only"),
        ("cat reads.sh | bash", "read_only"),
        ("cat reaches.sh | bash -s web01", "unknown"),
        ("cat none.sh | bash", "unknown"),
        ("cd /; bash reads.sh", "unknown"),
        ("cd /project && bash reads.sh", "read_only"),
        ("bash none.sh", "unknown"),
        // What they hold for the guard is nothing to go by.
        ("bash /proc/self/fd/7", "unknown"),
        ("cd /proc/self; bash < fd/7", "unknown"),
        ("bash /dev/script", "unknown"),
        ("./python.py", "read_only"),
        ("ssh web01 'bash -s' < reads.sh", "read_only"),
        ("ssh web01 bash < none.sh", "unknown web01"),
        ("ssh web01 bash reads.sh", "unknown web01"),
        ("ssh web01 ./reads.sh", "unknown web01"),
        // Written by the same text.
        ("reads > reads.sh; bash reads.sh", "unknown"),
        ("reads > other; bash reads.sh", "read_only"),
        ("changes x; bash reads.sh", "unknown"),
        ("works; ./reads.sh", "unknown"),
        ("while reads; do bash reads.sh; changes x; done", "unknown"),
    ]);
    let config = [("/home/jo/.ssh/config", "Host prod\n  HostName web01.example\nHost *\n  User jo\n")];
    for (text, expected) in [
        ("ssh prod changes", "mutating web01.example"),
        ("ssh web02 changes", "mutating web02"),
        ("reads >> ~/.ssh/config; ssh prod changes", "unknown"),
        ("changes s/a/b/ ~/.ssh/config; ssh prod changes", "unknown"),
        ("changes x; ssh prod changes", "mutating web01.example"),
        // On a guest, that guest's config would count, which can't be read.
        ("ssh web02 ssh prod changes", "mutating web02,prod"),
    ] {
        let seen = seen_in(text, &Places::default(), &config);
        assert_eq!(shown(&seen), expected, "{text}");
    }
    assert!(
        !seen_in("ssh prod reads", &Places::default(), &config).scripts.is_empty(),
        "an answer holds for these bytes"
    );
    let seen = seen_in("bash a.sh", &Places::default(), &[("/project/a.sh", "reads\n")]);
    assert_eq!(seen.scripts, [b"reads\n"]);
}

#[test]
fn a_variable_where_a_file_belongs_is_one_on_the_agents_machine() {
    check(&[
        ("find \"$dir\" -name x", "read_only"),
        ("sed -i \"s/a/$b/\" \"$f\"", "read_only"),
        ("tar czf \"$out\" src", "read_only"),
        ("curl -s \"$url\"", "read_only"),
        ("docker exec \"$c\" ls", "read_only"),
        ("find $dir -name x", "unknown"),
        ("tar czf web01:/x \"$f\"", "mutating web01"),
        ("curl -X POST \"$url\"", "unknown"),
        ("awk \"$program\" x", "unknown"),
        ("sed \"$script\" x", "unknown"),
        ("rsync -e \"ssh $options\" x web01:/", "unknown"),
        ("rsync -e \"$ssh\" x web01:/", "unknown"),
        ("tar -I \"$program\" -xf x", "unknown"),
        ("find . -exec \"$program\" {} \\;", "unknown"),
        ("git -c core.pager=\"$program\" log", "unknown"),
        ("docker -H \"$h\" ps", "read_only"),
        ("docker -H \"$h\" rm x", "unknown"),
        ("find \"$dir\" -exec ssh web01 changes \\;", "mutating web01"),
        ("ssh web01 'find \"$dir\" -name x'", "unknown web01"),
        ("ssh web01 'sed -n \"s/a/$b/\" x'", "unknown web01"),
        ("ssh \"$h\" reads", "unknown"),
        ("scp \"$f\" web01:/", "mutating web01"),
        ("rsync -a \"$f\" web01:/", "mutating web01"),
        ("rsync -a build/ \"$to\"", "unknown"),
        ("scp x \"$to\"", "unknown"),
        ("scp -i \"$key\" x web01:/", "mutating web01"),
        ("ssh web02 'scp \"$f\" web01:/'", "mutating web01 + web02"),
        ("sudo \"$x\"", "unknown"),
        ("bash \"$x\"", "unknown"),
    ]);
}
