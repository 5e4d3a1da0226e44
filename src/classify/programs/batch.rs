//! Commands of a client's own language, told apart by their first word: for `smbclient`, `lftp`, `ftp`, `tftp` and their like.
//! Pure.

use super::carry::shell;
use super::copied;
use crate::classify::effect::{At, Effect, Facts, Host, Stdin};
use crate::classify::word::Word;

/// What a client's commands do.
pub struct Verbs {
    /// They read, or change what the client itself remembers.
    pub reads: &'static [&'static str],
    /// They bring something to the machine on which the client runs.
    pub saves: &'static [&'static str],
    /// They change the machine at the other end.
    pub changes: &'static [&'static str],
}

/// No text of more commands is followed.
const MOST: usize = 1_000;

/// Commands with their words, one behind another.
///
/// # Errors
/// Why they can't be read.
pub fn commands(text: &Word, marks: &[char]) -> Result<Vec<Vec<String>>, String> {
    let known = text.known().ok_or_else(|| format!("what `{}` says is only known when it runs", text.shown()))?;
    let mut all = Vec::new();
    if known.split(marks).count() > MOST {
        return Err("it is told more commands than are followed".to_owned());
    }
    for line in known.split(marks) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        // A shell's text stays as it is.
        if let Some(text) = line.strip_prefix('!') {
            all.push(vec!["!".to_owned(), text.trim_start().to_owned()]);
            continue;
        }
        all.push(line.split_whitespace().map(|word| word.trim_matches(['"', '\'']).to_owned()).collect());
    }
    Ok(all)
}

/// What a client reads on stdin, if that can be told; none: nothing.
///
/// # Errors
/// Why it can't.
pub fn stdin(stdin: &Stdin, facts: &Facts) -> Result<Option<Word>, String> {
    match stdin {
        Stdin::Inherited | Stdin::Nothing => Ok(None),
        Stdin::Text(text) => Ok(Some(text.clone())),
        Stdin::File(path) => copied::text_of(path, facts).map(|text| Some(Word::known_as(text))),
        Stdin::Unknown => Err("what it is told on stdin is not known".to_owned()),
    }
}

impl Verbs {
    /// What a command does to these machines.
    pub fn one(&self, words: &[String], hosts: &[Host], effects: &mut Vec<Effect>) {
        let Some((verb, rest)) = words.split_first() else {
            return;
        };
        let verb = verb.to_ascii_lowercase();
        let effect = if verb == "!" {
            let text = rest.first().map(String::as_str).unwrap_or_default();
            if text.is_empty() {
                return;
            }
            shell(text.into(), At::Child, Stdin::Nothing)
        } else if self.reads.contains(&verb.as_str()) {
            return;
        } else if self.saves.contains(&verb.as_str()) {
            Effect::Changes(format!("fetches files with `{verb}`"))
        } else if self.changes.contains(&verb.as_str()) {
            Effect::ChangesAt { hosts: hosts.to_vec(), how: format!("changes files with `{verb}`") }
        } else {
            Effect::UnknownAt { hosts: hosts.to_vec(), why: format!("what its command `{verb}` does is not known") }
        };
        copied::add(effects, [effect]);
    }

    /// What a text of commands does to these machines.
    pub fn all(&self, text: &Word, marks: &[char], hosts: &[Host], effects: &mut Vec<Effect>) {
        match commands(text, marks) {
            Ok(commands) => commands.iter().for_each(|words| self.one(words, hosts, effects)),
            Err(why) => copied::add(effects, [Effect::UnknownAt { hosts: hosts.to_vec(), why }]),
        }
    }
}
