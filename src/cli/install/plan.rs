//! What goes into the hook's entry on this machine: the program, the time limit, and every path that is not the usual one.

use crate::agent_host::only_roots;
use crate::config::files::{Files, Place};
use crate::config::write::replace;
use crate::hosts::Host;
use crate::install::{AFTER_TIMEOUT, Entry, Form, Recipe, Scope, Version, Waits, When, hook_arguments, host_timeout};
use crate::ui::Failure;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The entries, and what has to be said about them.
pub(super) struct Planned {
    /// One for each event, those before a call first.
    pub entries: Vec<Entry>,
    pub notes: Vec<String>,
}

/// The entries for this machine: the time limit from the config, and every place that is not the usual one. A config or
/// catalog that is broken would stop every call, so it has to be mended first.
pub(super) fn planned_entries(
    files: &Files,
    recipe: &'static Recipe,
    scope: Scope,
    own: &Path,
    version: Option<Version>,
    dry_run: bool,
) -> Result<Planned, Failure> {
    const MEND: &str = "Mend it first: until then every call would be stopped.";
    let managed = scope == Scope::Managed;
    let mut notes = Vec::new();
    let mut read = files.clone();
    if managed {
        (read.config, read.catalog) = (Place::Nowhere, Place::Nowhere);
        notes.push(format!("Config and catalog come from {} alone.", files.admin.display()));
    }
    let of_root =
        std::env::var_os("XDG_STATE_HOME").is_some_and(|xdg| Path::new(&xdg).join("zerto-guard") == files.state);
    let mut named: Vec<(&str, PathBuf)> = Vec::new();
    for Moved { option, path, may_be_absent } in moved(files)? {
        match option {
            STATE_DIR if managed && of_root => continue,
            STATE_DIR if managed => notes.push(format!("The state folder {} serves one user alone.", path.display())),
            STATE_DIR => {}
            _ if managed => continue,
            _ if may_be_absent && !path.exists() => {
                // `hook` does not see XDG_*, so the entry names the file; and one that is named has to be there.
                let made = if dry_run { "Would make" } else { "Made" };
                notes.push(format!("{made} {}, empty, since the entry names it.", path.display()));
                if !dry_run {
                    replace(&path, "").map_err(|error| Failure::new(1, format!("{}: {error}", path.display()), ""))?;
                }
            }
            _ => {}
        }
        named.push((option, path));
    }
    let config = read.config().map_err(|fault| Failure::new(1, fault.0, MEND))?;
    read.catalog(None).map_err(|fault| Failure::new(1, fault.0, MEND))?;
    if managed && !only_roots(own) {
        notes.push(format!(
            "WARNING: {} can be replaced by somebody who is not root, so this is no stronger than the user's own \
             installation. Put the program where only root writes, such as /usr/local/bin, and install again.",
            own.display()
        ));
    }
    let named: Vec<(&str, &Path)> = named.iter().map(|(option, path)| (*option, path.as_path())).collect();
    let no_text = || Failure::new(1, "a path that settings have to hold is not UTF-8 text", "Choose other paths.");
    let command = own.to_str().ok_or_else(no_text)?;
    let form = if recipe.host == Host::ClaudeCode { Form::for_version(version) } else { Form::Shell };
    let mut entries = Vec::new();
    for event in recipe.events {
        let timeout = timeout(recipe, event.when, config.guard.deadline);
        entries.push(Entry {
            recipe,
            event,
            command: command.to_owned(),
            arguments: hook_arguments(recipe, timeout, managed, &named).ok_or_else(no_text)?,
            timeout,
            form,
        });
    }
    Ok(Planned { entries, notes })
}

/// How long the host waits or has to wait, in seconds.
fn timeout(recipe: &Recipe, when: When, deadline: Duration) -> u64 {
    match recipe.waits {
        Waits::AsSet(_) if when == When::Before => host_timeout(deadline),
        Waits::AsSet(_) => AFTER_TIMEOUT,
        Waits::Always(seconds) | Waits::Unknown(seconds) => seconds,
    }
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(|error| Failure::new(1, format!("{}: {error}", path.display()), ""))
}

/// A file or folder of the guard that is not in its usual place.
pub(super) struct Moved {
    /// The option that names it.
    pub option: &'static str,
    pub path: PathBuf,
    /// Nobody has named it, so that there may be nothing.
    pub may_be_absent: bool,
}

pub(super) const STATE_DIR: &str = "--state-dir";

/// All of them, whatever the environment of who starts us says.
pub(super) fn moved(files: &Files) -> Result<Vec<Moved>, Failure> {
    let usual = |below: &str| files.home.as_ref().map(|home| home.join(below));
    let is_usual = |place: &Place| matches!(place, Place::Usual(_));
    let mut moved = Vec::new();
    for (option, path, below, may_be_absent) in [
        ("--config", files.config.path(), ".config/zerto-guard/config.toml", is_usual(&files.config)),
        ("--catalog", files.catalog.path(), ".config/zerto-guard/catalog.toml", is_usual(&files.catalog)),
        (STATE_DIR, Some(files.state.as_path()), ".local/state/zerto-guard", true),
    ] {
        if let Some(path) = path.filter(|path| Some(*path) != usual(below).as_deref()) {
            moved.push(Moved { option, path: absolute(path)?, may_be_absent });
        }
    }
    Ok(moved)
}
