//! What judges of carriers have in common: how what they carry is put into a report. Pure.

use super::options::Parsed;
use crate::classify::effect::{At, Command, Effect, Report, Run, Stdin, What};
use crate::classify::word::Word;

/// The program's name without its folder.
#[must_use]
pub fn name(command: &Command) -> &str {
    base(command.program().unwrap_or_default())
}

/// What stands behind the last slash.
#[must_use]
pub fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Runs a program with its words; without any word, nothing.
#[must_use]
pub fn words(words: &[Word], at: At, stdin: Stdin) -> Option<Effect> {
    (!words.is_empty()).then(|| Effect::Runs(Run { what: What::Words(words.to_vec()), at, stdin }))
}

/// Runs a text as a shell does.
#[must_use]
pub fn shell(text: Word, at: At, stdin: Stdin) -> Effect {
    Effect::Runs(Run { what: What::Shell { text, arguments: vec![] }, at, stdin })
}

/// Runs a shell that reads its commands from stdin.
#[must_use]
pub fn shell_on_stdin(at: At, stdin: Stdin) -> Effect {
    Effect::Runs(Run { what: What::ShellStdin, at, stdin })
}

/// Runs a file that a shell reads; stdin by its other names is no file.
#[must_use]
pub fn shell_file(path: &Word, arguments: &[Word], at: At, stdin: Stdin) -> Effect {
    match path.known() {
        Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => shell_on_stdin(at, stdin),
        _ => {
            Effect::Runs(Run { what: What::ShellFile { path: path.clone(), arguments: arguments.to_vec() }, at, stdin })
        }
    }
}

/// A report of several effects.
#[must_use]
pub fn report(effects: impl IntoIterator<Item = Effect>) -> Report {
    Report { effects: effects.into_iter().collect(), by: None }
}

/// It writes this file, unless that is no file at all.
#[must_use]
pub fn writes(path: &Word) -> Option<Effect> {
    let nowhere = matches!(path.known(), Some("/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty"));
    (!nowhere).then(|| Effect::Writes(path.clone()))
}

/// Whether it was only asked for its help or version.
#[must_use]
pub fn only_tells(parsed: &Parsed) -> bool {
    parsed.has(&["help", "version"])
}

/// The variable and its value, if the word is `name=value`.
///
/// # Errors
/// Why it can't be told whether it is.
pub fn assignment(word: &Word) -> Result<Option<(String, Word)>, String> {
    if let Some((name, value)) = word.split_once('=') {
        return Ok(name.known().filter(|name| !name.is_empty()).map(|name| (name.to_owned(), value)));
    }
    if word.known().is_none() {
        return Err(format!("what `{}` is can't be told before it runs", word.shown()));
    }
    Ok(None)
}

/// The first word and those behind it.
#[must_use]
pub fn first(words: &[Word]) -> (Option<&Word>, &[Word]) {
    match words.split_first() {
        Some((first, rest)) => (Some(first), rest),
        None => (None, &[]),
    }
}
