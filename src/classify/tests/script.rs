//! Shell texts as calls: what the whole of one is, and which guests it names.

use super::*;
use crate::catalog::parse::parse;
use crate::classify::Found;
use std::collections::BTreeMap;

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
        ("./python.py", "unknown"),
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

#[test]
fn what_a_person_has_said_of_machines() {
    let places = Places {
        unguarded: vec!["lab*".into()],
        this_vm: Some("dev01".into()),
        mounts: BTreeMap::from([("/mnt/db01".into(), "db01".into())]),
        ..Places::default()
    };
    for (text, expected) in [
        ("ssh lab1 changes", "read_only"),
        ("ssh lab1 nobody-knows", "read_only"),
        ("ssh lab1 ssh web01 changes", "mutating web01"),
        ("changes x", "mutating dev01"),
        ("works x", "unknown dev01"),
        ("reads > x", "mutating dev01"),
        ("reads", "read_only"),
    ] {
        assert_eq!(shown(&seen_in(text, &places, &[])), expected, "{text}");
    }
    let places = Places { this_vm: None, ..places };
    for (text, expected) in [
        ("changes /mnt/db01/etc/x", "mutating db01"),
        ("changes --output=/mnt/db01/x", "mutating db01"),
        ("cd /mnt/db01; changes x", "mutating db01"),
        ("cd /mnt; works", "mutating db01"),
        ("reads > /mnt/db01/x", "mutating db01"),
        ("reads > ../mnt/db01/x", "mutating db01"),
        ("changes /tmp/x", "read_only"),
        ("changes \"$x\"", "unknown"),
        ("reads /mnt/db01/x", "read_only"),
    ] {
        assert_eq!(shown(&seen_in(text, &places, &[])), expected, "{text}");
    }
}

#[test]
fn what_is_not_followed_is_asked_about_wherever_it_stops() {
    let places = Places { unguarded: vec!["lab*".into()], ..Places::default() };
    let many = "reads;".repeat(3_990);
    for text in [
        format!("ssh lab1 '{many}'; ssh lab1 '{many}'; ssh web01 changes"),
        "ssh lab1 'select x in a; do ssh web01 changes; done'".to_owned(),
        "ssh lab1 'reads \"'".to_owned(),
    ] {
        let seen = seen_in(&text, &places, &[]);
        assert_eq!(seen.verdict, Verdict::Unknown, "{}", text.chars().take(60).collect::<String>());
        assert!(seen.open);
    }
    assert_eq!(shown(&seen_in("ssh lab1 \"reads $x\"", &places, &[])), "read_only");
}

#[test]
fn whether_all_guests_of_what_is_unknown_are_named() {
    for (text, open) in [
        ("ssh web01 nobody-knows", false),
        ("ssh web01 nobody-knows; ssh web02 works", false),
        ("ssh web01 changes", false),
        ("reads", false),
        ("nobody-knows", true),
        ("ssh web01 nobody-knows; nobody-knows", true),
        ("ssh web01 changes; nobody-knows", true),
        ("ssh \"$h\" nobody-knows; ssh web01 nobody-knows", true),
        ("ssh web01 'ssh \"$h\" changes'", true),
    ] {
        assert_eq!(seen_in(text, &Places::default(), &[]).open, open, "{text}");
    }
    let here = Places { this_vm: Some("dev01".into()), ..Places::default() };
    let seen = seen_in("nobody-knows", &here, &[]);
    assert!(seen.open && seen.targets == ["dev01"], "it may reach others from there");
}

#[test]
fn what_the_agent_may_change_is_known() {
    let seen = seen_in("cd /etc; changes a/b ~/c; rm -rf /x; reads > d; ssh web01 changes e", &Places::default(), &[]);
    let touched: Vec<_> = seen.touched.iter().map(|touched| touched.path.as_str()).collect();
    for path in ["/etc/a/b", "/home/jo/c", "/etc/d"] {
        assert!(touched.contains(&path), "{path}: {touched:?}");
    }
    assert!(!touched.contains(&"/etc/e"), "that is a file of another machine");
}

#[test]
fn nesting_is_bounded() {
    // Texts, functions and groups, each within its own bound, that together would take more stack than there is.
    let groups = |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(70), close.repeat(70));
    let text: String = (0..15)
        .map(|nr| {
            let calls = groups("if a; then ", &format!("g{}; ", nr + 1), "fi; ");
            format!("g{nr}() {{ {}; }}; v{nr}='{calls}'; ", groups("( ", &format!("eval \"$v{nr}\""), " )"))
        })
        .collect();
    let seen = seen_in(&format!("{text}g15() {{ ssh web01 changes; }}; g0"), &Places::default(), &[]);
    assert_eq!(seen.verdict, Verdict::Unknown);
    assert!(seen.open);
}

#[test]
fn bounds() {
    for text in [
        "changes;".repeat(5_000),
        format!("for i in {}; do {} done", "a ".repeat(1_000), "ssh web01 changes; ".repeat(50)),
        format!("{}ssh web01 changes", "eval ".repeat(3)),
        "f() { g; g; }; g() { h; h; }; h() { i; i; }; i() { j; j; }; j() { k; k; }; k() { l; l; }; l() { m; m; }; m() { n; n; }; \
         n() { o; o; }; o() { p; p; }; p() { reads; reads; }; f"
            .to_owned(),
        "bash -c ".to_owned() + &"\"bash -c ".repeat(20),
        "x=aaaaaaaaaa; ".to_owned() + &"x=$x$x; ".repeat(100),
    ] {
        let start = std::time::Instant::now();
        let _ = seen_in(&text, &Places::default(), &[]);
        // A bound that is missing takes minutes; what it takes exactly is the benchmarks' matter.
        assert!(start.elapsed().as_secs() < 20, "{}", &text[..50]);
    }
    let many = format!("{}ssh web01 changes", "reads;".repeat(4_500));
    assert_eq!(seen_in(&many, &Places::default(), &[]).verdict, Verdict::Unknown);
}

#[test]
fn what_is_known_where_commands_meet_again() {
    check(&[
        // Behind `||` even `&&` may be reached without what stands before it.
        ("x=changes; reads || x=reads && ssh web01 $x", "unknown web01"),
        ("x=changes; reads && x=reads && ssh web01 $x", "read_only"),
        // What is a function's own is gone behind it.
        ("x=changes; f() { local x=reads; }; f; ssh web01 $x", "unknown web01"),
        ("x=changes; f() { typeset x=reads; }; f; ssh web01 $x", "unknown web01"),
        ("x=reads; f() { local x=reads; }; f; ssh web01 $x", "read_only"),
        ("f() { local h=$1; ssh $h changes; }; f web01; f web02", "mutating web01,web02"),
        // What holds something else than what it is set to.
        ("readonly x=changes\nx=reads\nssh web01 $x", "unknown web01"),
        ("readonly x=reads; ssh web01 $x", "read_only"),
        ("x=changes; local x=reads; ssh web01 $x", "unknown web01"),
        ("x=changes; declare x=reads; ssh web01 $x", "unknown web01"),
        ("declare x=reads; ssh web01 $x", "read_only"),
        // What a name may mean begins with what is known before each.
        ("f() { ssh web01 $x; }; x=changes; alias f='x=reads'; f", "mutating web01"),
        ("if reads; then f() { x=reads; }; else f() { ssh web01 $x; }; fi; x=changes; f", "mutating web01"),
        ("y=reads; source /dev/stdin <<< y=changes; ssh web01 $y", "mutating web01"),
        ("declare -i x; x=1+1; ssh web0$x changes", "unknown"),
        ("declare -l x=CHANGES; ssh web01 $x", "unknown web01"),
        // A loop's later rounds meet what the first one has defined.
        ("reads() { :; }; for i in $L; do reads; reads() { ssh web01 changes; }; done", "mutating web01"),
        ("reads() { :; }; while :; do reads; reads() { ssh web01 changes; }; done", "mutating web01"),
        ("f() { reads() { ssh web01 changes; }; }; while :; do reads; f; done", "mutating web01 +"),
        ("reads() { g() { ssh web01 changes; }; }; while g; do reads; done", "mutating web01 +"),
        ("for i in $L; do ssh web01 $y; declare -n r=y; r=changes; done", "unknown web01"),
    ]);
}

#[test]
fn traps_run_wherever_they_are_set() {
    check(&[
        ("(trap 'ssh web01 changes' EXIT)", "mutating web01"),
        ("(trap 'ssh web01 changes' EXIT) | reads", "mutating web01"),
        ("x=$(trap 'ssh web01 changes' EXIT)", "mutating web01"),
        ("reads <(trap 'ssh web01 changes' EXIT)", "mutating web01"),
        ("{ trap 'ssh web01 changes' EXIT; } &", "mutating web01"),
        ("coproc { trap 'ssh web01 changes' EXIT; }", "mutating web01"),
        ("eval \"trap f EXIT\"; f() { ssh web01 changes; }", "mutating web01"),
        ("f() { ssh web01 changes; }; trap f EXIT; exit; f() { reads; }", "mutating web01"),
        ("trap 'ssh web01 changes' ERR; ssh() { reads; }", "mutating web01"),
        // It may set something between any two commands.
        ("x=reads; trap 'x=changes' DEBUG; ssh web01 $x", "unknown web01"),
        ("x=reads; trap 'x=changes' ERR; x=reads; ssh web01 $x", "unknown web01"),
        ("x=reads; f() { x=changes; }; trap f DEBUG; ssh web01 $x", "unknown web01"),
        ("h=web01; trap 'rm -f /tmp/x' EXIT INT; ssh $h changes", "mutating web01"),
        ("trap $X", "unknown"),
        ("trap EXIT", "read_only"),
    ]);
}

#[test]
fn stdin_is_read_on_from_where_the_last_one_stopped() {
    check(&[
        ("{ read x; ssh web01 bash; } <<'E'\n: <<X\nchanges\nX\nE", "unknown web01"),
        ("{ cd /; ssh web01 bash; } <<'E'\nchanges\nE", "mutating web01"),
        ("f() { read x; bash; }; f <<'E'\nreads\nE", "unknown"),
        ("exec <<< 'ssh web01 changes'; bash", "unknown"),
        ("exec < /project/plain; bash", "unknown"),
        ("f() { exec <<< 'ssh web01 changes'; }; f; bash", "unknown"),
        ("{ exec <<< 'ssh web01 changes'; } 2>&1; bash", "unknown"),
        ("eval \"exec <<< 'ssh web01 changes'\"; bash", "unknown"),
        ("exec <<< 'ssh web01 changes' & bash", "unknown"),
        ("exec < /dev/null; bash", "read_only"),
        ("exec 2>/dev/null; bash", "read_only"),
        ("while read h; do ssh web01 reads; done < /project/plain", "read_only"),
        // What the text calls `echo` writes something else.
        ("echo() { reads; }; echo reads | bash", "unknown"),
    ]);
}

#[test]
fn find_takes_whole_folders_away() {
    let seen = seen_in("find /project/a -delete", &Places::default(), &[]);
    assert_eq!(seen.touched, [Touched { path: "/project/a".into(), whole: true }]);
    let seen = seen_in("reads > /project/a", &Places::default(), &[]);
    assert_eq!(seen.touched, [Touched { path: "/project/a".into(), whole: false }]);
}

#[test]
fn several_words_in_one() {
    check(&[
        ("set -- ssh web01 changes; bash -c \"$*\"", "mutating web01"),
        ("a=(ssh web01 changes); bash -c \"${a[*]}\"", "mutating web01"),
        ("IFS=';'; set -- reads changes; ssh web01 \"$*\"", "unknown web01"),
        ("IFS=';'; set -- reads changes; x=$*; ssh web01 \"$x\"", "unknown web01"),
        ("set -- reads x; ssh web01 \"$@\"", "read_only"),
        ("set -- web01 changes; ssh $@", "mutating web01"),
        // zsh takes all elements of an array.
        ("x=(reads '; changes'); ssh web01 $x", "unknown web01"),
        ("x='reads; changes'; ssh web01 reads $=x", "unknown"),
        ("reads 'a$=b' a$+ \"$^\"", "read_only"),
    ]);
}

#[test]
fn words_of_the_shell_that_run_something() {
    check(&[
        ("x=$(ssh web01 changes) export y=1", "mutating web01"),
        ("export() { ssh web01 changes; }; export x=1", "mutating web01"),
        ("compgen -C 'ssh web01 changes'", "unknown"),
        ("compgen -W '$(ssh web01 changes)'", "unknown"),
        ("compgen -c ssh", "read_only"),
        ("jobs -x ssh web01 changes", "unknown"),
        ("jobs -l", "read_only"),
        ("unset 'a[$(ssh web01 changes)]'", "unknown"),
        ("let 'a[$(ssh web01 changes)]=1'", "unknown"),
        ("read 'a[$(ssh web01 changes)]' <<< x", "unknown"),
        ("printf -v 'a[`ssh web01 changes`]' x", "unknown"),
        ("declare 'a[$(ssh web01 changes)]=1'", "unknown"),
        ("[[ -v 'a[$(ssh web01 changes)]' ]]", "unknown"),
        ("[[ 'a[$(ssh web01 changes)]' -eq 0 ]]", "unknown"),
        ("test -v 'a[$(ssh web01 changes)]'", "unknown"),
        ("command_not_found_handle() { ssh web01 changes; }; reads", "mutating web01"),
        ("chpwd() { ssh web01 changes; }; cd /", "mutating web01"),
        ("TRAPEXIT() { ssh web01 changes; }", "mutating web01"),
        ("alias -g L='; ssh web01 changes'; reads L", "unknown"),
        ("alias s='reads '; alias x='ssh web01 changes'; s x", "unknown"),
        ("alias reads='ssh web01'; reads '#\nchanges'", "mutating web01"),
        ("set -k; reads PATH=/tmp/x", "unknown"),
    ]);
}

#[test]
fn variables_that_choose_are_judged_however_they_are_set() {
    for text in [
        "read -r PATH <<< /tmp/x; reads",
        "for PATH in /tmp/x; do reads; done",
        "printf -v PATH %s /tmp/x; reads",
        "declare -n p=PATH; p=/tmp/x; reads",
        "declare -n p=$1; p=/tmp/x; reads",
        "reads ${BASH_ENV:=/tmp/x}; bash -c reads",
        "PATH=(/tmp/x); reads",
        "path=(/tmp/x $path); reads",
        "mapfile PATH < /tmp/x; reads",
        "precmd_functions=(f)",
        "local PATH=/tmp/x; reads",
    ] {
        check(&[(text, "unknown")]);
    }
}

#[test]
fn an_index_runs_what_it_holds() {
    for text in [
        "test -v 'a[$(changes)]'",
        "[ -v 'a[`changes`]' ]",
        "[[ -v 'a[$(changes)]' ]]",
        "[[ 'a[$(changes)]' -eq 1 ]]",
        "printf -v 'a[$(changes)]' x",
        "read 'a[$(changes)]'",
        "unset 'a[$(changes)]'",
        "declare 'a[$(changes)]=1'",
        "let 'a[$(changes)]=1'",
        "wait -n -p 'a[$(changes)]'",
    ] {
        check(&[(&format!("ssh web01 {}", quoted(text)), "unknown web01")]);
    }
    check(&[("ssh web01 '[[ -v x[1] && $x =~ [a-z]+ ]]; read -r a; unset b'", "read_only")]);
}

#[test]
fn what_makes_a_list_of_words_may_run() {
    check(&[
        ("ssh web01 \"compgen -C changes\"", "unknown web01"),
        ("ssh web01 \"compgen -W '\\$(changes)'\"", "unknown web01"),
        ("ssh web01 'compgen -c'", "read_only"),
    ]);
}

#[test]
fn however_a_variable_is_set_that_chooses_what_runs() {
    for text in [
        "read PATH; reads",
        "printf -v PATH %s /tmp; reads",
        "mapfile LD_PRELOAD; reads",
        "for PATH in /tmp; do reads; done",
        ": ${PATH:=/tmp}; reads",
        "RIPGREP_CONFIG_PATH=/tmp/x reads",
        "CURL_HOME=/tmp reads",
        "HOME=/tmp reads",
        "npm_config_script_shell=/tmp/x reads",
        "KUBECTL_EXTERNAL_DIFF=asks reads",
        "MTR_PACKET=/tmp/x reads",
        "LESSKEY=/tmp/x reads",
        "xargs --process-slot-var=PATH reads",
        "env PATH=\"$x\" reads",
        "BORG_PASSCOMMAND=asks reads",
        "BORG_RSH=asks reads",
        "RCLONE_SFTP_SSH=/tmp/x reads",
    ] {
        check(&[(&format!("ssh web01 {}", quoted(text)), "unknown web01")]);
    }
    check(&[
        ("ssh web01 'GIT_TRACE=/etc/x reads'", "mutating web01"),
        ("ssh web01 'SSLKEYLOGFILE=/etc/x reads'", "mutating web01"),
        ("ssh web01 'GIT_TRACE=1 HISTFILE=/dev/null HOME=/root PIP_NO_INPUT=1 reads'", "read_only"),
        ("HOME=/tmp reads; AWS_CONFIG_FILE=/tmp/x reads", "read_only"),
    ]);
}

#[test]
fn files_that_look_like_none() {
    check(&[
        ("ssh web01 'reads > /dev/fd/../../../etc/x'", "mutating web01"),
        ("ssh web01 'reads > -'", "mutating web01"),
        ("ssh web01 'reads < /etc/x > /dev/stdin'", "mutating web01"),
        ("ssh web01 'exec 3< /etc/x; reads > /dev/fd/3'", "mutating web01"),
        ("ssh web01 'reads > /dev/fd/2 2> /dev/stderr'", "read_only"),
        ("ssh web01 'reads > >(reads)'", "read_only"),
        ("ssh web01 'reads > >(changes)'", "mutating web01"),
    ]);
}

/// A text in single quotes.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// `/project/link` leads to `/srv/other`.
struct Linked;

impl Surroundings for Linked {
    fn real_path(&self, path: &str) -> String {
        path.replace("/project/link/..", "/srv")
    }

    fn file(&self, path: &str) -> Found {
        if path == "/project/plain" { Found::File(b"reads\n".to_vec()) } else { Found::Nothing }
    }
}

#[test]
fn where_a_link_leads_back_from_is_not_where_it_stands() {
    let catalog = Catalog { user: Some(parse(TABLES).unwrap()), ..Catalog::default() };
    for (text, expected) in [
        ("bash link/../plain", Verdict::Unknown),
        ("cd -P link/..; bash plain", Verdict::Unknown),
        ("bash ../project/plain", Verdict::ReadOnly),
        ("cd link/..; bash plain", Verdict::ReadOnly),
    ] {
        let seen = judge(&[text], &[Place::default()], Some("/project"), &catalog, &Places::default(), &Linked);
        assert_eq!(seen.verdict, expected, "{text}");
    }
}
