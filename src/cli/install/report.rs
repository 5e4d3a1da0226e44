//! What `install` and `uninstall` print: the change, what was done, and what a person has to know.

use super::super::Context;
use super::At;
use super::job::Done;
use crate::install::{Entry, Kind, When};
use crate::ui::{Failure, Tone};
use serde_json::{Value, json};

pub(super) fn report(
    context: &mut Context,
    at: &At,
    done: &[Done],
    entries: Option<&[Entry]>,
    notes: Vec<String>,
) -> Result<u8, Failure> {
    let file = at.file.display();
    let changed = done.iter().any(|done| done.changed);
    let said = match (entries.is_some(), changed, at.dry_run) {
        (true, false, _) => format!("It is installed already: {file} was not changed."),
        (true, true, false) => format!("Installed in {file}."),
        (false, false, _) => format!("There is no entry of zerto-guard in {file}: nothing was changed."),
        (false, true, false) => format!("Uninstalled from {file}."),
        (_, true, true) => format!("Nothing was changed: this is what would change in {file}."),
    };
    let value = |entry: &Entry| match at.kind {
        Kind::Script => json!({"command": entry.command, "args": entry.arguments}),
        _ => entry.value(),
    };
    let values: Vec<Value> = entries.unwrap_or_default().iter().map(value).collect();
    let after = entries.unwrap_or_default().iter().find(|entry| entry.event.when == When::After).map(value);
    let object = json!({
        "ok": true, "host": at.recipe.host.name(), "file": at.file, "scope": at.scope.name(),
        "changed": changed && !at.dry_run, "entry": values.first(), "entry_after": after, "entries": values, "notes": notes,
    });
    show(context, done, at.dry_run, said, &notes, object)
}

/// Shows the changes, what was done and what has to be known of it.
pub(super) fn show(
    context: &mut Context,
    done: &[Done],
    dry_run: bool,
    said: String,
    notes: &[String],
    mut object: Value,
) -> Result<u8, Failure> {
    if let (true, Some(object)) = (dry_run, object.as_object_mut()) {
        object.insert("would_change".into(), done.iter().any(|done| done.changed).into());
    }
    let mut lines = diff_lines(context, done);
    lines.push(said);
    lines.extend(notes.iter().map(|note| format!("- {note}")));
    context.printer.result(&lines.join("\n"), &object)?;
    Ok(0)
}

/// The changes, for people.
fn diff_lines(context: &Context, done: &[Done]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in done.iter().flat_map(|done| done.diff.lines()) {
        lines.push(match line.chars().next() {
            Some('+') => context.printer.paint(Tone::Good, line),
            Some('-') => context.printer.paint(Tone::Bad, line),
            Some('@') => context.printer.paint(Tone::Faint, line),
            _ => line.to_owned(),
        });
    }
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines
}
