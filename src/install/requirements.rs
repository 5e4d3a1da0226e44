//! An administrator's settings in TOML: our entries stand at the end, between two lines that say so, and come out again
//! byte for byte.
//!
//! A block of text rather than an edited document: every other byte stays without anything having to be understood but
//! whether the whole can be read. Must not: read or write a file.

use super::change::{Change, Content, Started};
use super::entry::{Entry, Kin};
use super::inspect::{Inspection, of_content};
use super::recipe::Recipe;
use crate::document::Document;

const BEGIN: &str = "# zerto-guard install: begin";
const END: &str = "# zerto-guard install: end";

/// How the file was before, as the first line of the block keeps it.
const NEW: &str = " (in a file made for this)";
const UNENDED: &str = " (the line above had no end)";

pub(super) fn add(text: Option<&str>, entries: &[Entry]) -> Result<Change, String> {
    let newline = if text.is_some_and(|text| text.contains("\r\n")) { "\r\n" } else { "\n" };
    let Some(text) = text else { return Ok(Change::Write(block(entries, NEW, newline))) };
    readable(text)?;
    let found = place(text)?;
    let outside = match found {
        Some((start, end)) => format!("{}{}", text.get(..start).unwrap_or(text), text.get(end..).unwrap_or_default()),
        None => text.to_owned(),
    };
    if let (Some(entry), Some(one)) = (entries.first(), content(&outside)?.0.first()) {
        let ours = Kin::of_text(&one.command, &entry.command) == Kin::Ours;
        if ours {
            return Err(format!(
                "line {}: an entry of zerto-guard's stands there that `install` did not write; take it out first",
                one.line
            ));
        }
    }
    let new = match found {
        Some((start, end)) => {
            let old = text.get(start..end).unwrap_or_default();
            let first = old.lines().next().unwrap_or_default();
            let before = [NEW, UNENDED].into_iter().find(|before| first.ends_with(before)).unwrap_or_default();
            let new = block(entries, before, newline);
            format!("{}{new}{}", text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default())
        }
        None if text.is_empty() || text.ends_with('\n') => format!("{text}{}", block(entries, "", newline)),
        None => format!("{text}{newline}{}", block(entries, UNENDED, newline)),
    };
    readable(&new)
        .map_err(|why| format!("{why}; with the entry the file could not be read, so nothing was changed"))?;
    Ok(if new == text { Change::None } else { Change::Write(new) })
}

pub(super) fn remove(text: &str) -> Result<Change, String> {
    let Some((start, end)) = place(text)? else { return Ok(Change::None) };
    let first = text.get(start..end).and_then(|block| block.lines().next()).unwrap_or_default();
    let before = text.get(..start).unwrap_or_default();
    let after = text.get(end..).unwrap_or_default();
    if first.ends_with(NEW) && before.is_empty() && after.is_empty() {
        return Ok(Change::Remove);
    }
    let before = match before.strip_suffix('\n').filter(|_| first.ends_with(UNENDED)) {
        // What was written behind the block since begins on a line of its own.
        Some(_) if !after.is_empty() => before,
        Some(before) => before.strip_suffix('\r').unwrap_or(before),
        None => before,
    };
    Ok(Change::Write(format!("{before}{after}")))
}

pub(super) fn inspect(text: &str, recipe: &'static Recipe, own: &str) -> Result<Inspection, String> {
    readable(text)?;
    place(text)?;
    let mut content = content(text)?;
    content.0.retain(|started| Kin::of_text(&started.command, own) == Kin::Ours);
    Ok(of_content(Some(content), recipe))
}

fn readable(text: &str) -> Result<(), String> {
    Document::parse(text).map(|_| ()).map_err(|mistake| mistake.to_string())
}

/// Where the block stands, its last line's end included.
fn place(text: &str) -> Result<Option<(usize, usize)>, String> {
    let line = |mark: &str| {
        let starts = text.match_indices(mark).map(|(at, _)| at);
        let mut starts = starts.filter(|at| *at == 0 || text.get(..*at).is_some_and(|before| before.ends_with('\n')));
        (starts.next(), starts.next())
    };
    match (line(BEGIN), line(END)) {
        ((None, _), (None, _)) => Ok(None),
        ((Some(start), None), (Some(end), None)) if start < end => {
            let rest = text.get(end..).unwrap_or_default();
            let length = rest.find('\n').map_or(rest.len(), |at| at.saturating_add(1));
            Ok(Some((start, end.saturating_add(length))))
        }
        _ => Err(format!("its lines `{BEGIN}` and `{END}` are no pair any more: take out by hand what stands between")),
    }
}

/// The text of the entries.
fn block(entries: &[Entry], before: &str, newline: &str) -> String {
    let mut lines = vec![format!("{BEGIN}{before}")];
    for entry in entries {
        if lines.len() > 1 {
            lines.push(String::new());
        }
        let event = entry.event.name;
        lines.push(format!("[[hooks.{event}]]"));
        lines.extend(entry.event.matcher.map(|matcher| format!("matcher = \"{matcher}\"")));
        lines.push(String::new());
        lines.push(format!("[[hooks.{event}.hooks]]"));
        for (name, value) in entry.members() {
            let value =
                value.as_str().map_or_else(|| value.to_string(), |text| toml_edit::Value::from(text).to_string());
            lines.push(format!("{name} = {value}"));
        }
    }
    lines.push(END.to_owned());
    lines.push(String::new());
    lines.join(newline)
}

/// All commands under `hooks`.
fn content(text: &str) -> Result<Content, String> {
    let document = Document::parse(text).map_err(|mistake| mistake.to_string())?;
    let said = |mistake: crate::document::Mistake| mistake.to_string();
    let Some(hooks) = document.root().get("hooks") else { return Ok(Content(Vec::new())) };
    let mut started = Vec::new();
    for (event, groups) in hooks.table("hooks").map_err(said)?.items() {
        // Beside the events stand settings of another kind.
        let Ok(groups) = groups.list(event.name) else { continue };
        for group in groups {
            let Some(list) = group.table(event.name).map_err(said)?.get("hooks") else { continue };
            for handler in list.list("hooks").map_err(said)? {
                let table = handler.table("hooks").map_err(said)?;
                let Some(command) = table.get("command").and_then(|command| command.string("command").ok()) else {
                    continue;
                };
                let timeout = table.get("timeout").and_then(|timeout| timeout.integer("timeout").ok());
                started.push(Started {
                    event: event.name.to_owned(),
                    command: command.to_owned(),
                    #[allow(clippy::cast_precision_loss, reason = "no time limit is that long")]
                    timeout: timeout.map(|seconds| seconds as f64),
                    strange: Vec::new(),
                    line: handler.mistake("").line,
                });
            }
        }
    }
    Ok(Content(started))
}

#[cfg(test)]
#[path = "tests/requirements.rs"]
mod tests;
