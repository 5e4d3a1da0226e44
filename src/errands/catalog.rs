//! The user's catalog, changed.

use super::Done;
use super::front::Front;
use crate::catalog::edit;
use crate::catalog::glob::is_glob;
use crate::catalog::model::{Owner, Rule};
use crate::config::files::{Files, Place};
use crate::config::trusted_file::{Whose, read};
use crate::config::write::replace;
use crate::text::{clean, foreign, path_text};
use crate::ui::Failure;
use serde_json::json;
use std::path::{Path, PathBuf};

/// An entry that is to be written.
#[derive(Debug, Clone, Copy)]
pub struct Addition<'a> {
    /// Of which server or program.
    pub owner: Owner<'a>,
    /// Which of its tools or sub-commands.
    pub patterns: &'a [&'a str],
    /// The verdict.
    pub rule: Rule<'a>,
}

/// Writes the entries; what stood for them under another verdict moves.
///
/// # Errors
/// There is no user's catalog, it is broken, can't be trusted or written, or a name can't be one.
pub fn add(files: &Files, addition: &Addition) -> Result<Done, Failure> {
    let (path, mut text) = users(files)?;
    let Addition { owner, patterns, rule } = *addition;
    for pattern in patterns {
        text = edit::add(&text, owner, pattern, rule).map_err(|why| broken(&path, &why))?;
    }
    save(&path, &text)?;
    let text = format!("{}: {} {} {}", path_text(&path), shown(owner), rule.key(), listed(patterns));
    let object =
        json!({"ok": true, "file": path, "table": owner.to_string(), "verdict": rule.key(), "entries": patterns});
    Ok(Done { text, object })
}

/// As [`add`], once it is confirmed.
///
/// # Errors
/// As [`add`], and if it was not confirmed.
pub fn add_confirmed(front: &dyn Front, files: &Files, addition: &Addition) -> Result<Done, Failure> {
    let (path, text) = users(files)?;
    let Addition { owner, patterns, rule } = *addition;
    // What can't be written is said before anybody is asked.
    let mut moved = Vec::new();
    for pattern in patterns {
        edit::add(&text, owner, pattern, rule).map_err(|why| broken(&path, &why))?;
        let (_, stood) = edit::remove(&text, owner, pattern).map_err(|why| broken(&path, &why))?;
        moved.extend(stood.then_some(*pattern));
    }
    let follows = match rule {
        Rule::ReadOnly => "is taken to change no guest: it runs without a checkpoint and without a question.",
        _ => "is taken to change a guest: a tagged checkpoint is inserted first.",
    };
    let (Owner::Server(name) | Owner::Program(name)) = owner;
    let many = is_glob(name) || patterns.iter().any(|pattern| is_glob(pattern));
    let mut plan = format!(
        "This writes into the catalog {}: {} {} {}\nFrom then on, wherever zerto-guard judges, {} {follows}",
        path_text(&path),
        shown(owner),
        rule.key(),
        listed(patterns),
        match (many, patterns.len()) {
            (true, _) => "each call that fits these wildcards",
            (false, 1) => "it",
            (false, _) => "each",
        },
    );
    if let Rule::Mutating { vm, .. } = rule
        && !vm.is_empty()
    {
        plan.push_str(&format!("\nThe guest is the one that its argument {} names.", foreign(vm, 100)));
    }
    if !moved.is_empty() {
        plan.push_str(&format!("\nWhat the catalog says now of {} goes.", listed(&moved)));
    }
    for pattern in patterns {
        plan.push_str(&known_as_change(files, owner, pattern, rule)?);
    }
    front.confirm(&plan, "Write it?")?;
    add(files, addition)
}

/// What should be known before something is taken to only read: that it is known to change a guest.
fn known_as_change(files: &Files, owner: Owner, pattern: &str, rule: Rule) -> Result<String, Failure> {
    let (Owner::Server(server), Rule::ReadOnly) = (owner, rule) else { return Ok(String::new()) };
    let catalog = files.catalog(None).map_err(|fault| Failure::new(1, fault.0, ""))?;
    let found = catalog.find(server, pattern).base;
    let changes = found.filter(|hit| !matches!(hit.entry.rule, Rule::ReadOnly | Rule::Local | Rule::Unknown));
    Ok(changes.map_or_else(String::new, |hit| {
        let (layer, key) = (hit.layer.name(), hit.entry.rule.key());
        format!("\nWARNING: the {layer} catalog knows {} as {key} now.", foreign(pattern, 100))
    }))
}

/// The user's catalog and its text; empty where there is none yet.
///
/// # Errors
/// There is no place for one, or it can't be trusted.
pub fn users(files: &Files) -> Result<(PathBuf, String), Failure> {
    let (Place::Usual(path) | Place::Named(path)) = &files.catalog else {
        return Err(Failure::new(1, "there is no user's catalog here", "Name one with --catalog."));
    };
    let text = read(path, Whose::Ours).map_err(|fault| Failure::new(1, fault.to_string(), ""))?;
    Ok((path.clone(), text.unwrap_or_default()))
}

/// A text that is no catalog, or would be none afterwards.
#[must_use]
pub fn broken(path: &Path, why: &str) -> Failure {
    Failure::new(1, format!("{}: {why}", path_text(path)), "Nothing was changed.")
}

/// Writes the catalog.
///
/// # Errors
/// It can't be written.
pub fn save(path: &Path, text: &str) -> Result<(), Failure> {
    replace(path, text).map_err(|error| {
        Failure::new(1, format!("{}: can't be written: {error}", path_text(path)), "Nothing was changed.")
    })
}

/// A table's heading on one line.
#[must_use]
pub fn shown(owner: Owner) -> String {
    clean(&owner.to_string(), 200)
}

/// Patterns on one line.
#[must_use]
pub fn listed(patterns: &[&str]) -> String {
    patterns.iter().map(|pattern| foreign(pattern, 100)).collect::<Vec<_>>().join(", ")
}
