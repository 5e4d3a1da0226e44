//! For table tests of judges: a command line as text, and effects as text.

use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Stdin, Unset, What};
use crate::classify::programs::Judge;
use crate::classify::word::Word;
use crate::classify::{Found, Surroundings};
use std::collections::BTreeMap;

/// A disk as a table of files.
#[derive(Default)]
pub struct Files(pub BTreeMap<&'static str, &'static str>);

impl Surroundings for Files {
    fn real_path(&self, path: &str) -> String {
        path.to_owned()
    }

    fn file(&self, path: &str) -> Found {
        match self.0.get(path) {
            Some(text) => Found::File(text.as_bytes().to_vec()),
            None => Found::Nothing,
        }
    }

    fn folder(&self, path: &str) -> Option<Vec<String>> {
        let inside = |name: &&str| name.strip_prefix(path)?.strip_prefix('/')?.split('/').next().map(str::to_owned);
        let mut names: Vec<String> = self.0.keys().filter_map(inside).collect();
        names.dedup();
        Some(names)
    }
}

/// The words of a line: blanks part them and quotes hold them together; `…` is not known, `…*` any number of words;
/// `<<<` sets stdin to a text, `<` to a file, `<-` to something unknown.
pub fn command(line: &str) -> Command {
    let mut words: Vec<Word> = Vec::new();
    let mut word: Option<Word> = None;
    let mut quote = None;
    for c in line.chars() {
        match (c, quote) {
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(open)) if c == open => quote = None,
            (' ', None) => words.extend(word.take()),
            ('…', _) => word.get_or_insert_default().push_hole(),
            ('*', None) if word.as_ref().is_some_and(|word| word.known().is_none()) => {
                word.get_or_insert_default().set_many();
            }
            (c, _) => word.get_or_insert_default().push_text(c.encode_utf8(&mut [0; 4])),
        }
    }
    assert_eq!(quote, None, "{line}");
    words.extend(word);
    let mut stdin = Stdin::Inherited;
    if let Some(at) = words.iter().position(|word| word.known().is_some_and(|text| text.starts_with('<'))) {
        let behind = words.split_off(at);
        stdin = match (behind[0].known(), behind.get(1)) {
            (Some("<<<"), Some(text)) => Stdin::Text(text.clone()),
            (Some("<"), Some(path)) => Stdin::File(path.clone()),
            _ => Stdin::Unknown,
        };
    }
    Command { words, stdin }
}

/// Facts of the agent's own machine.
pub fn own(files: &Files) -> Facts<'_> {
    Facts { around: files, home: Some("/home/me"), cwd: Some("/home/me/src"), own: true, variables: &Unset }
}

/// What a judge says of a line on the agent's own machine.
pub fn judged(judge: Judge, line: &str) -> String {
    shown(&judge(&command(line), &own(&Files::default())))
}

/// Checks a table of lines.
pub fn check(judge: Judge, table: &[(&str, &str)]) {
    for (line, expected) in table {
        assert_eq!(judged(judge, line), *expected, "{line}");
    }
}

/// Effects as text; nothing but reading is `reads`.
pub fn shown(report: &Report) -> String {
    if report.effects.is_empty() {
        return "reads".to_owned();
    }
    report.effects.iter().map(effect).collect::<Vec<_>>().join("; ")
}

fn effect(effect: &Effect) -> String {
    match effect {
        Effect::Table => "table".to_owned(),
        Effect::Changes(_) => "changes".to_owned(),
        Effect::Works(_) => "works".to_owned(),
        Effect::ChangesAt { hosts: at, .. } => format!("changes@{}", hosts(at)),
        Effect::ChangesVm { vms, .. } => format!("changes vm@{}", hosts(vms)),
        Effect::Unknown(_) => "unknown".to_owned(),
        Effect::UnknownOnGuest(_) => "unknown on a guest".to_owned(),
        Effect::UnknownAt { hosts: at, .. } => format!("unknown@{}", hosts(at)),
        Effect::Sets { name, value } => format!("sets {name}={}", value.shown()),
        Effect::Writes(path) => format!("writes {}", path.shown()),
        Effect::Mounts { folder, host: at } => format!("mounts {}@{}", folder.shown(), host(at)),
        Effect::Forwards { hosts: at, .. } => format!("forwards@{}", hosts(at)),
        Effect::Runs(run) => {
            let at = match &run.at {
                At::Here => "here".to_owned(),
                At::Child => "local".to_owned(),
                At::Folder(folder) => format!("in {}", folder.shown()),
                At::Inside => "inside".to_owned(),
                At::Hosts(at) => hosts(at),
            };
            let what = match &run.what {
                What::Words(words) => format!("words:{}", list(words)),
                What::Shell { text, .. } => text.shown(),
                What::ShellFile { path, .. } => format!("file:{}", path.shown()),
                What::ShellStdin => "stdin".to_owned(),
                What::Other { .. } => "other".to_owned(),
            };
            let stdin = match &run.stdin {
                Stdin::Inherited => String::new(),
                Stdin::Nothing => " <nothing".to_owned(),
                Stdin::Text(text) => format!(" <<<{}", text.shown()),
                Stdin::File(path) => format!(" <{}", path.shown()),
                Stdin::Unknown => " <?".to_owned(),
            };
            format!("{at}[{what}]{stdin}")
        }
    }
}

fn list(words: &[Word]) -> String {
    words.iter().map(Word::shown).collect::<Vec<_>>().join("|")
}

/// Machines as text; one that can't be told is `?`.
pub fn hosts(hosts: &[Host]) -> String {
    hosts.iter().map(host).collect::<Vec<_>>().join(",")
}

/// A machine as text.
pub fn host(host: &Host) -> String {
    match host {
        Host::Named { typed, real: Some(real) } => format!("{typed}={real}"),
        Host::Named { typed, real: None } => typed.clone(),
        Host::Same => "same".to_owned(),
        Host::Unknown(_) => "?".to_owned(),
    }
}
