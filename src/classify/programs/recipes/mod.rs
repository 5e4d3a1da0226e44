//! Programs that run what a project has written down under a name: targets of a Makefile, scripts of package.json, recipes of
//! a justfile, tasks of a Taskfile. Pure.
//!
//! What is written down is read on the agent's own machine and given to a shell's reader line by line; what can't be read is
//! unknown, and so is all of it on a guest.

pub mod just;
pub mod make;
pub mod node_tools;
pub mod packages;
pub mod taskfile;
mod yaml;

use crate::classify::Found;
use crate::classify::effect::{At, Command, Effect, Facts, Report, Run, What};
use crate::classify::word::Word;
use crate::path::absolute;

/// No command runs more lines than are followed.
const MOST_LINES: usize = 400;

/// The folder in which a command works, if it is told others one after another (`-C a -C b`).
///
/// # Errors
/// Why it isn't known.
pub fn folder<'w>(facts: &Facts, told: impl IntoIterator<Item = &'w Word>) -> Result<String, String> {
    let mut here = facts.cwd.ok_or("in which folder it runs is not known")?.to_owned();
    for word in told {
        let path = word.known().ok_or_else(|| format!("in which folder `{}` lies is not known", word.shown()))?;
        here = absolute(path, Some(&here)).ok_or_else(|| format!("where {path} lies is not known"))?;
    }
    Ok(here)
}

/// The text of a project's file; none: it is not there.
///
/// # Errors
/// Why it can't be judged by.
pub fn read(facts: &Facts, path: &str) -> Result<Option<String>, String> {
    match facts.around.project(path)? {
        Found::Nothing => Ok(None),
        Found::Unreadable => Err(format!("{path} can't be read, or is too long to be judged")),
        Found::File(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| format!("{path} is no text")),
    }
}

/// The first of these files that is in a folder or in one above it: its folder, name and text.
///
/// # Errors
/// Why one of them can't be judged by.
pub fn found_above(facts: &Facts, from: &str, names: &[&str]) -> Result<Option<(String, String, String)>, String> {
    for folder in above(from) {
        for name in names {
            if let Some(text) = read(facts, &inside(folder, name))? {
                return Ok(Some((folder.to_owned(), (*name).to_owned(), text)));
            }
        }
    }
    Ok(None)
}

/// A folder and those above it, the root at last.
pub fn above(from: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(from), |folder| {
        let (parent, _) = folder.rsplit_once('/')?;
        match (parent.is_empty(), folder.len()) {
            (true, 1) => None,
            (true, _) => Some("/"),
            (false, _) => Some(parent),
        }
    })
}

/// The path of a name in a folder.
#[must_use]
pub fn inside(folder: &str, name: &str) -> String {
    format!("{}/{name}", folder.trim_end_matches('/'))
}

/// One line of a recipe, which a shell reads in a folder.
#[must_use]
pub fn line(text: String, folder: &str, command: &Command) -> Effect {
    shell_line(Word::known_as(text), vec![], folder, command)
}

/// The same with `$0`, `$1` and so on.
#[must_use]
pub fn shell_line(text: Word, arguments: Vec<Word>, folder: &str, command: &Command) -> Effect {
    Effect::Runs(Run {
        what: What::Shell { text, arguments },
        at: At::Folder(Word::known_as(folder)),
        stdin: command.stdin.clone(),
    })
}

/// A program with its words, in a folder.
#[must_use]
pub fn program(words: Vec<Word>, folder: &str, command: &Command) -> Effect {
    Effect::Runs(Run { what: What::Words(words), at: At::Folder(Word::known_as(folder)), stdin: command.stdin.clone() })
}

/// Adds that a variable is set for all that runs; one that is set to several values is not known.
pub fn sets(effects: &mut Vec<Effect>, name: &str, value: Word) {
    let others = effects
        .iter()
        .any(|effect| matches!(effect, Effect::Sets { name: known, value: other } if known == name && *other != value));
    effects.push(Effect::Sets { name: name.to_owned(), value });
    if others {
        effects.push(Effect::Sets { name: name.to_owned(), value: Word::unknown() });
    }
}

/// Adds what a file of variables sets, if it is there.
///
/// # Errors
/// Why it can't be read.
pub fn dotenv(facts: &Facts, path: &str, effects: &mut Vec<Effect>) -> Result<(), String> {
    let Some(text) = read(facts, path)? else { return Ok(()) };
    for entry in text.lines().map(str::trim).filter(|entry| !entry.is_empty() && !entry.starts_with('#')) {
        let entry = entry.strip_prefix("export ").unwrap_or(entry);
        let Some((name, value)) = entry.split_once('=') else { return Err(format!("{path} can't be read")) };
        let value = value.trim().trim_matches(['"', '\'']);
        let value = if value.contains(['$', '\\', '#', '`']) { Word::unknown() } else { Word::known_as(value) };
        sets(effects, name.trim(), value);
    }
    Ok(())
}

/// What the recipes do; on a guest nobody has read them.
#[must_use]
pub fn judged(effects: Vec<Effect>, command: &Command) -> Report {
    let name = command.program().unwrap_or_default();
    if effects.len() > MOST_LINES {
        return Report::unknown("its recipes have more lines than are followed");
    }
    let why = format!("what `{name}` runs there is written down in the project, which can't be read from here");
    Report { effects: std::iter::once(Effect::UnknownOnGuest(why)).chain(effects).collect(), by: None }
}

/// Where the project's files can't be read.
#[must_use]
pub fn elsewhere(command: &Command) -> Report {
    let name = command.program().unwrap_or_default();
    Report::unknown(format!("what `{name}` runs there is written down in the project, which can't be read from here"))
}
