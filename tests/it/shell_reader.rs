//! The reader of shell text against another reader and against bash itself, over the scripts in `tests/shell-scripts`,
//! and what holds for any text.

use proptest::prelude::*;
use rable::{Node as Theirs, NodeKind};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use zerto_guard::classify::shell;
use zerto_guard::classify::shell::tree::{Node, Script, Simple};

fn scripts() -> Vec<(PathBuf, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shell-scripts");
    let mut all: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    assert!(all.len() >= 60, "{folder} holds {} scripts", all.len());
    all.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The words of the simple commands as they were typed, in their order; those within words left out.
fn ours(script: &Script) -> Vec<Vec<String>> {
    fn script_words(script: &Script, out: &mut Vec<Vec<String>>) {
        for item in &script.0 {
            node_words(&item.first, out);
            item.then.iter().for_each(|(_, node)| node_words(node, out));
        }
    }
    fn node_words(node: &Node, out: &mut Vec<Vec<String>>) {
        match node {
            Node::Simple(Simple { words, .. }) => out.push(words.iter().map(|word| plain(&word.raw)).collect()),
            Node::Pipeline(nodes) => nodes.iter().for_each(|node| node_words(node, out)),
            Node::Group { body, .. } | Node::For { body, .. } => script_words(body, out),
            Node::Loop { condition, body, .. } => {
                script_words(condition, out);
                script_words(body, out);
            }
            Node::If { arms, .. } => arms.iter().for_each(|(condition, body)| {
                script_words(condition, out);
                script_words(body, out);
            }),
            Node::Case { arms, .. } => arms.iter().for_each(|(_, body)| script_words(body, out)),
            Node::Function { body, .. } => node_words(body, out),
            Node::Coprocess(node) => node_words(node, out),
            Node::Test { .. } | Node::Arithmetic { .. } => {}
        }
    }
    let mut out = vec![];
    script_words(script, &mut out);
    out
}

/// The same of rable's tree.
fn theirs(node: &Theirs, out: &mut Vec<Vec<String>>) {
    match &node.kind {
        NodeKind::Command { words, .. } => {
            let words = words.iter().map(|word| match &word.kind {
                NodeKind::Word { value, .. } => plain(value),
                other => panic!("{other:?}"),
            });
            out.push(words.collect());
        }
        NodeKind::Pipeline { commands, .. } => commands.iter().for_each(|node| theirs(node, out)),
        NodeKind::List { items } => items.iter().for_each(|item| theirs(&item.command, out)),
        NodeKind::If { condition, then_body, else_body, .. } => {
            theirs(condition, out);
            theirs(then_body, out);
            if let Some(body) = else_body {
                theirs(body, out);
            }
        }
        NodeKind::While { condition, body, .. } | NodeKind::Until { condition, body, .. } => {
            theirs(condition, out);
            theirs(body, out);
        }
        NodeKind::For { body, .. }
        | NodeKind::ForArith { body, .. }
        | NodeKind::Function { body, .. }
        | NodeKind::Subshell { body, .. }
        | NodeKind::BraceGroup { body, .. }
        | NodeKind::Coproc { command: body, .. }
        | NodeKind::Negation { pipeline: body }
        | NodeKind::Time { pipeline: body, .. } => theirs(body, out),
        NodeKind::Case { patterns, .. } => {
            patterns.iter().filter_map(|arm| arm.body.as_ref()).for_each(|body| theirs(body, out));
        }
        NodeKind::ArithmeticCommand { .. }
        | NodeKind::ConditionalExpr { .. }
        | NodeKind::Empty
        | NodeKind::Comment { .. } => {}
        other => panic!("{other:?}"),
    }
}

/// Without line continuations and blanks, which readers keep or not.
fn plain(raw: &str) -> String {
    raw.replace("\\\n", "").replace([' ', '\t', '\n', ';'], "")
}

#[test]
fn rable_finds_the_same_commands() {
    let mut commands = 0;
    for (path, text) in scripts() {
        let ours = ours(&shell::read(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display())));
        let nodes = rable::parse(&text, true).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut theirs_all = vec![];
        nodes.iter().for_each(|node| theirs(node, &mut theirs_all));
        commands += ours.len();
        assert_eq!(ours, theirs_all, "{}", path.display());
    }
    assert!(commands > 250, "only {commands} commands");
}

/// What bash makes of texts when it prints them as it has understood them, without running anything.
fn as_bash_prints(text: &str) -> Option<String> {
    let mut bash = Command::new("bash")
        .args(["--norc", "--pretty-print", "/dev/stdin"])
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    bash.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = bash.wait_with_output().ok()?;
    let printed = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !printed.is_empty()).then_some(printed)
}

/// The tree without raw texts, which differ by blanks.
fn without_texts(script: &Script) -> String {
    let debug = format!("{script:?}");
    let mut out = String::new();
    let mut rest = debug.as_str();
    while let Some(at) = ["raw: \"", "text: \""].iter().filter_map(|mark| Some(rest.find(mark)? + mark.len())).min() {
        out += &rest[..at];
        let mut escaped = false;
        let end = rest[at..].find(|char| {
            let ends = char == '"' && !escaped;
            escaped = char == '\\' && !escaped;
            ends
        });
        rest = &rest[at + end.unwrap()..];
    }
    // bash writes descriptors that go without saying.
    let mut out = out + rest;
    for (number, what) in
        [(0, "Read"), (0, "ReadWrite"), (0, "HereDocument"), (0, "HereString"), (1, "Write"), (1, "Copy"), (0, "Copy")]
    {
        out = out.replace(&format!("Some({number}), what: {what}("), &format!("None, what: {what}("));
    }
    out
}

/// Of these bash prints something in a way of its own, in another tree for the same meaning.
const PRINTED_OTHERWISE: &[&str] = &[
    // `-n` before a lone word of `[[`, and the name of a coprocess.
    "conditionals.sh",
    "coprocesses.sh",
    // Blanks in arithmetic, and a condition where none stands.
    "arithmetic.sh",
    "until-and-break.sh",
    // Braces around a function's round brackets, and `in "$@"`.
    "functions.sh",
    "for-without-in.sh",
];

#[test]
fn bash_groups_them_alike() {
    if as_bash_prints("true").is_none() {
        eprintln!("skipped: this machine has no bash that prints what it has read");
        return;
    }
    for (path, text) in scripts() {
        if PRINTED_OTHERWISE.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        let printed = as_bash_prints(&text).unwrap_or_else(|| panic!("bash can't read {}", path.display()));
        let again = shell::read(&printed).unwrap_or_else(|why| panic!("{}: {why}\n{printed}", path.display()));
        let ours = shell::read(&text).unwrap();
        assert_eq!(without_texts(&ours), without_texts(&again), "{}\n{printed}", path.display());
    }
}

#[test]
fn bash_accepts_the_scripts() {
    for (path, text) in scripts() {
        let Ok(mut bash) = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn() else {
            eprintln!("skipped: this machine has no bash");
            return;
        };
        bash.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        assert!(bash.wait().unwrap().success(), "{}", path.display());
    }
}

/// Pieces of shell text that mean something.
const TOKENS: &[&str] = &[
    "a",
    "b ",
    "if ",
    "then ",
    "fi ",
    "else ",
    "for x in ",
    "do ",
    "done ",
    "while ",
    "case x in ",
    "esac ",
    "{ ",
    "}",
    "(",
    ")",
    "((",
    "))",
    "[[ ",
    " ]]",
    "! ",
    "time ",
    "coproc ",
    "function f ",
    "f()",
    ";",
    ";;",
    "\n",
    "&",
    "&&",
    "|",
    "|&",
    ">",
    "<",
    "<<E",
    "<<-'E'",
    "\nE\n",
    "$(",
    "`",
    "\"",
    "'",
    "$'",
    "$x",
    "${x",
    ":-",
    "${x#",
    "$((",
    "$[",
    "]",
    "[",
    "<(",
    "a=",
    "a[1]=",
    "=(",
    "#",
    "\\",
    "\\\n",
    "@(",
    "~",
    " ",
    "\t",
    "\u{e9}",
    "\0",
    "2>",
    ">&",
    "$",
    "*",
    "{a,b}",
    "=",
    ":",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(TOKENS), 0..40).prop_map(|tokens| tokens.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in soup(), other in any::<String>()) {
        let _ = shell::read(&text);
        let _ = shell::read(&other);
        let _ = shell::read(&format!("{text}{other}"));
    }

    #[test]
    fn repeated_text_takes_no_time(text in soup().prop_filter("empty", |text| !text.is_empty()), start in soup()) {
        let whole = start + &text.repeat(30_000 / text.len());
        let begun = Instant::now();
        let _ = shell::read(&whole);
        // In a debug build on a busy machine; what takes more than linear time takes minutes.
        prop_assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    }
}

#[test]
fn blanks_and_comments_at_line_ends_change_nothing() {
    let mut changed = 0;
    for (path, text) in scripts() {
        // Within here-documents and quotes, and behind a continuation, they would be part of the text.
        let quotes_span_lines =
            text.lines().any(|line| ["'", "\""].iter().any(|mark| line.matches(mark).count() % 2 == 1));
        if text.contains("<<") || text.contains("\\\n") || quotes_span_lines {
            continue;
        }
        changed += 1;
        let before = without_texts(&shell::read(&text).unwrap());
        for addition in [" ", "\t \t", " #", " # a comment; reboot", "\t# it's \"odd $( `", "\n", "\n\n# x\n \t\n"] {
            let longer = text.lines().map(|line| format!("{line}{addition}\n")).collect::<String>();
            let after = shell::read(&longer).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
            assert_eq!(before, without_texts(&after), "{} with {addition:?}", path.display());
        }
    }
    assert!(changed >= 25, "only {changed} scripts");
}
