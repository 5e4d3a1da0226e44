//! Files that are all ours: a program that Cline starts, a plugin that OpenCode loads. Text in, text out.
//!
//! Both have to turn whatever becomes of the guard into what their host takes for a stop. Must not: touch a file that somebody
//! else wrote.

use super::change::{Change, Content, Started};
use super::entry::{Entry, Form};
use super::inspect::{Inspection, of_content};
use super::recipe::{Event, Recipe, When};
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
    let list: Vec<String> = entry.arguments.iter().map(|word| text(word)).collect();
    let values = [
        (PROGRAM, text(&entry.command)),
        (ARGUMENTS, format!("[{}]", list.join(", "))),
        (LIMIT, entry.timeout.saturating_mul(1000).to_string()),
    ];
    let mut plugin = format!("// {}\n", mark(entry.recipe));
    let mut set = 0;
    for line in SHIM.lines() {
        match values.iter().find(|(name, _)| line.starts_with(name)) {
            Some((name, value)) => {
                set += 1;
                plugin += &format!("{name}{value};\n");
            }
            None => plugin += &format!("{line}\n"),
        }
    }
    if set == values.len() { Ok(plugin) } else { Err("the plugin that this program holds can't be fitted".into()) }
}

fn text(word: &str) -> String {
    serde_json::Value::from(word).to_string()
}

/// The plugin as it is in the repository.
const SHIM: &str = include_str!("../../hooks/opencode/zerto-guard.js");

/// How the lines begin that are fitted to a machine.
const PROGRAM: &str = "const PROGRAM = ";
const ARGUMENTS: &str = "const ARGUMENTS = ";
const LIMIT: &str = "const LIMIT = ";

/// The command line that a plugin starts.
fn started_by_plugin(text: &str) -> Option<(usize, String)> {
    let value = |name: &str| {
        let mut lines = text.lines().enumerate();
        lines.find_map(|(at, line)| Some((at, line.strip_prefix(name)?.trim_end().strip_suffix(';')?)))
    };
    let (at, program) = value(PROGRAM)?;
    let program: String = serde_json::from_str(program).ok()?;
    let arguments: Vec<String> = serde_json::from_str(value(ARGUMENTS)?.1).ok()?;
    Some((at, super::entry::shell_line(std::iter::once(&program).chain(&arguments))))
}

/// Whether the file is, to the letter, the one for this command line: whatever else stands in it could let calls run.
fn is_as_written(text: &str, recipe: &'static Recipe, event: &'static Event, command: &str) -> bool {
    let Some((program, arguments)) = super::entry::shell_words(command).and_then(|words| {
        let (program, arguments) = words.split_first()?;
        Some((program.clone(), arguments.to_vec()))
    }) else {
        return false;
    };
    let limit =
        text.lines().find_map(|line| line.strip_prefix(LIMIT)?.trim_end().strip_suffix(';')?.parse::<u64>().ok());
    let timeout = limit.unwrap_or_default() / 1000;
    let entry = Entry { recipe, event, command: program, arguments, timeout, form: Form::Shell };
    add(Some(text), &[entry]) == Ok(Change::None)
}

pub(super) fn inspect(text: &str, recipe: &'static Recipe) -> Inspection {
    if !is_ours(text) {
        return Inspection::default();
    }
    let found = |at: usize, when: When, command: String| {
        let event = recipe.at(when).next()?;
        let strange = match is_as_written(text, recipe, event, &command) {
            true => Vec::new(),
            false => vec!["it was changed since `install` wrote it".to_owned()],
        };
        Some(Started { event: event.name.to_owned(), command, timeout: None, strange, line: at.saturating_add(1) })
    };
    let plugin = started_by_plugin(text).and_then(|(at, command)| found(at, When::Before, command));
    let started = plugin.or_else(|| {
        text.lines().enumerate().find_map(|(at, line)| {
            if let Some(command) = line.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(CLOSE)) {
                return found(at, When::Before, command.to_owned());
            }
            if let Some(command) = line.strip_suffix(AFTER) {
                return found(at, When::After, command.to_owned());
            }
            None
        })
    });
    of_content(started.map(|started| Content(vec![started])), recipe)
}
