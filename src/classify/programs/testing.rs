//! For the tests of judges: a line becomes a command, a report a short text.

use crate::classify::Nowhere;
use crate::classify::effect::{At, Code, Command, Effect, Facts, Host, Report, Run, Stdin, Unset, Variables, What};
use crate::classify::word::Word;

/// Splits a line as a shell would: both kinds of quotes, backslashes, `…` for a stretch that is not known, `$*` for any
/// number of words.
pub fn split(line: &str) -> Vec<Word> {
    let mut words = vec![];
    let mut word: Option<Word> = None;
    let mut quote = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, '$') if chars.peek() == Some(&'*') => {
                chars.next();
                words.push(Word::unknown_many());
            }
            (_, '…') => word.get_or_insert_default().push_hole(),
            (None | Some('"'), '\\') => {
                let next = chars.next().unwrap();
                word.get_or_insert_default().push_text(&next.to_string());
            }
            (_, c) => word.get_or_insert_default().push_text(&c.to_string()),
        }
    }
    words.extend(word);
    words
}

/// Variables that the text has set; `…` is a value that is not known.
pub struct Set<'v>(pub &'v [(&'v str, &'v str)]);

impl Variables for Set<'_> {
    fn variable(&self, name: &str) -> Option<Word> {
        let (_, value) = self.0.iter().find(|(set, _)| *set == name)?;
        Some(if *value == "…" { Word::unknown() } else { Word::from(*value) })
    }
}

/// Checks lines with a variable set before each: `NAME=value line`.
pub fn check_with(judge: super::Judge, cases: &[(&str, &str, &str)]) {
    for (set, line, expected) in cases {
        let (name, value) = set.split_once('=').unwrap();
        let variables = Set(&[(name, value)]);
        let facts =
            Facts { around: &Nowhere, home: Some("/home/u"), cwd: Some("/project"), own: true, variables: &variables };
        let got = shown(&judge(&Command { words: split(line), stdin: Stdin::Inherited }, &facts));
        assert_eq!(got, *expected, "{set} {line}");
    }
}

/// What the judge says of a line; what stands behind ` <<< ` is its stdin.
pub fn judged(judge: super::Judge, line: &str) -> String {
    let (line, stdin) = match line.split_once(" <<< ") {
        Some((line, text)) => (line, Stdin::Text(Word::from(text))),
        None => (line, Stdin::Inherited),
    };
    let facts = Facts { around: &Nowhere, home: Some("/home/u"), cwd: Some("/project"), own: true, variables: &Unset };
    shown(&judge(&Command { words: split(line), stdin }, &facts))
}

/// Checks lines against what they should be judged as.
pub fn check(judge: super::Judge, cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(line, expected)| {
            let got = judged(judge, line);
            (got != *expected).then(|| format!("{line}\n  expected {expected}\n  got      {got}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Checks that lines are taken as ones that can't be told.
pub fn check_unknown(judge: super::Judge, lines: &[&str]) {
    for line in lines {
        let got = judged(judge, line);
        assert!(got.split("; ").any(|part| part == "unknown"), "{line}\n  got {got}");
    }
}

/// A report in short: `reads`, or its effects in their order.
pub fn shown(report: &Report) -> String {
    if report.effects.is_empty() {
        return "reads".into();
    }
    report.effects.iter().map(effect).collect::<Vec<_>>().join("; ")
}

fn effect(effect: &Effect) -> String {
    match effect {
        Effect::Table => "table".into(),
        Effect::Changes(_) => "changes".into(),
        Effect::Works(_) => "works".into(),
        Effect::ChangesAt { hosts, .. } => format!("changes at {}", all_hosts(hosts)),
        Effect::ChangesVm { vms, .. } => format!("changes vm {}", all_hosts(vms)),
        Effect::Unknown(_) => "unknown".into(),
        Effect::UnknownOnGuest(_) => "unknown on a guest".into(),
        Effect::UnknownAt { hosts, .. } => format!("unknown at {}", all_hosts(hosts)),
        Effect::Writes(path) => format!("writes {}", word(path)),
        Effect::Sets { name, value } => format!("sets {name}={}", word(value)),
        Effect::Mounts { folder, host } => {
            format!("mounts {} of {}", word(folder), all_hosts(std::slice::from_ref(host)))
        }
        Effect::Forwards { hosts, .. } => format!("forwards to {}", all_hosts(hosts)),
        Effect::Runs(run) => shown_run(run),
    }
}

fn shown_run(run: &Run) -> String {
    let what = match &run.what {
        What::Words(words) => list(words),
        What::Shell { text, arguments } if arguments.is_empty() => format!("sh {{{}}}", word(text)),
        What::Shell { text, arguments } => format!("sh {{{}}} {}", word(text), list(arguments)),
        What::ShellFile { path, arguments } => {
            format!("file {}", list(&[std::slice::from_ref(path), arguments].concat()))
        }
        What::ShellStdin => "stdin".into(),
        What::Other { language, code } => {
            let code = match code {
                Code::Text(text) => format!("{{{}}}", word(text)),
                Code::File(path) => format!("file {}", word(path)),
                Code::Stdin => "stdin".into(),
            };
            format!("{} {code}", crate::classify::code::shown(*language).to_lowercase())
        }
    };
    let at = match &run.at {
        At::Here => " here".into(),
        At::Child => String::new(),
        At::Folder(folder) => format!(" in {}", word(folder)),
        At::Inside => " inside".into(),
        At::Hosts(hosts) => format!(" at {}", all_hosts(hosts)),
    };
    let stdin = match &run.stdin {
        Stdin::Inherited => String::new(),
        Stdin::Nothing => " <nothing".into(),
        Stdin::Text(text) => format!(" <<< {}", word(text)),
        Stdin::File(path) => format!(" <{}", word(path)),
        Stdin::Unknown => " <unknown".into(),
    };
    format!("{what}{at}{stdin}")
}

fn list(words: &[Word]) -> String {
    format!("[{}]", words.iter().map(word).collect::<Vec<_>>().join("|"))
}

fn word(word: &Word) -> String {
    format!("{}{}", word.shown(), if word.is_many() { "*" } else { "" })
}

fn all_hosts(hosts: &[Host]) -> String {
    let shown = hosts.iter().map(|host| match host {
        Host::Named { typed, .. } => typed.clone(),
        Host::Same => "same".into(),
        Host::Unknown(_) => "?".into(),
    });
    shown.collect::<Vec<_>>().join(",")
}
