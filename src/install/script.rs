//! Files that are all ours: a program that Cline starts, a plugin that OpenCode loads. Text in, text out.
//!
//! Both have to turn whatever becomes of the guard into what their host takes for a stop. Must not: touch a file that somebody
//! else wrote.

use super::change::{Change, Content, Started};
use super::entry::Entry;
use super::inspect::{Inspection, of_content};
use super::recipe::{Recipe, When};
use crate::hosts::Host;

/// The line that tells such a file from others.
fn mark(recipe: &Recipe) -> String {
    let name = recipe.host.name();
    format!("Written by `zerto-guard install {name}`; `zerto-guard uninstall {name}` takes it away.")
}

/// What is told from others by.
const MARK: &str = "Written by `zerto-guard install ";

fn is_ours(text: &str) -> bool {
    text.lines().take(3).any(|line| line.contains(MARK))
}

pub(super) fn add(text: Option<&str>, entries: &[Entry]) -> Result<Change, String> {
    let Some(entry) = entries.first() else { return Ok(Change::None) };
    let new = match entry.recipe.host {
        Host::OpenCode => plugin(entry)?,
        _ => program(entry),
    };
    match text {
        Some(old) if old == new => Ok(Change::None),
        Some(old) if !is_ours(old) => Err(format!(
            "somebody else's hook stands there, and there is room for one only; have it start `{}` with its own input, and \
             give back what that prints",
            entry.words()
        )),
        _ => Ok(Change::Write(new)),
    }
}

pub(super) fn remove(text: &str) -> Change {
    if is_ours(text) { Change::Remove } else { Change::None }
}

/// The program of Cline's: it goes by the answer alone, so that one has to come whatever becomes of the guard.
fn program(entry: &Entry) -> String {
    let (mark, words) = (mark(entry.recipe), entry.words());
    if entry.event.when != When::Before {
        return format!("#!/bin/sh\n# {mark}\n{words}{AFTER}\nprintf '%s\\n' '{{\"cancel\": false}}'\n");
    }
    let stop = serde_json::json!({
        "cancel": true,
        "errorMessage": "zerto-guard: stopped this call, since the guard itself failed or is missing. \
                         Ask the human to run `zerto-guard doctor` in a terminal.",
    });
    format!(
        "#!/bin/sh\n# {mark}\n# Cline goes by the answer alone: one has to come whatever becomes of the guard.\n\
         {OPEN}{words}{CLOSE}\n  \
         if [ -n \"$answer\" ]; then printf '%s\\n' \"$answer\"; else printf '%s\\n' '{{\"cancel\": false}}'; fi\n\
         else\n  printf '%s\\n' '{}'\nfi\nexit 0\n",
        stop.to_string().replace('\'', r"'\''")
    )
}

const OPEN: &str = "if answer=$(";
const CLOSE: &str = "); then";
const AFTER: &str = " >/dev/null 2>&1 || :";

/// The plugin, with the command line of this machine.
fn plugin(entry: &Entry) -> Result<String, String> {
    let words: Vec<&String> = std::iter::once(&entry.command).chain(&entry.arguments).collect();
    let words: Vec<String> = words.iter().map(|word| serde_json::Value::from(word.as_str()).to_string()).collect();
    let command = format!("[{}]", words.join(", "));
    let (before, rest) = SHIM.split_once(COMMAND).ok_or("the plugin that this program holds has no command line")?;
    let rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    Ok(format!("{before}{COMMAND}{command};\n{rest}"))
}

/// The plugin as it is in the repository.
const SHIM: &str = include_str!("../../hooks/opencode/zerto-guard.js");

/// How the line begins that holds its command line.
const COMMAND: &str = "const COMMAND = ";

pub(super) fn inspect(text: &str, recipe: &'static Recipe) -> Inspection {
    if !is_ours(text) {
        return Inspection::default();
    }
    let started = text.lines().enumerate().find_map(|(at, line)| {
        let line_number = at.saturating_add(1);
        let found = |when: When, command: String| {
            let event = recipe.at(when).next()?.name.to_owned();
            Some(Started { event, command, timeout: None, line: line_number })
        };
        if let Some(command) = line.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(CLOSE)) {
            return found(When::Before, command.to_owned());
        }
        if let Some(command) = line.strip_suffix(AFTER) {
            return found(When::After, command.to_owned());
        }
        let words = line.strip_prefix(COMMAND)?.trim_end().strip_suffix(';')?;
        let words: Vec<String> = serde_json::from_str(words).ok()?;
        found(When::Before, super::entry::shell_line(&words))
    });
    of_content(started.map(|started| Content(vec![started])), recipe)
}
