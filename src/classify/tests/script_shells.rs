//! Shell texts: how what is known comes together again, traps, stdin, variables and words that run something.

use super::*;

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

#[test]
fn programs_that_run_one_another_without_end() {
    let places = Places::default();
    let seen = |text: &str| shown(&seen_in(text, &places, &[]));
    for wrapper in ["sudo ", "nice ", "chroot / ", "docker exec c ", "env A=b "] {
        let most = 60_000 / wrapper.len();
        assert_eq!(seen(&format!("{}ssh web01 reboot", wrapper.repeat(most))), "unknown", "{wrapper}");
        assert_eq!(seen(&format!("{}ssh web01 reboot", wrapper.repeat(20))), "mutating web01", "{wrapper}");
    }
}
