//! `zerto-guard install` and `uninstall`: the hook's entry in an agent host's settings, shown as it changes.
//!
//! Owns: which file, what goes into the entry, and what a person has to be told. The change of the text itself is
//! `crate::install`'s.

mod plan;

use super::Context;
use crate::agent_host::{self, Known};
use crate::config::trusted_file::{Whose, read};
use crate::config::write::{Fresh, replace_as};
use crate::install::settings::{Change, add, inspect, remove};
use crate::install::{Entry, Form, Places, Scope, Version, diff};
use crate::state::{StateDir, installed};
use crate::ui::{Failure, Tone};
use clap::{Args, ValueEnum};
use plan::planned_entries;
use serde_json::json;
use std::path::{Path, PathBuf};

/// An agent host that `install` knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum HostName {
    ClaudeCode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScopeName {
    /// ~/.claude/settings.json
    User,
    /// .claude/settings.json of the folder you are in
    Project,
    /// /etc/claude-code/managed-settings.json, which no user or agent can switch off; as root
    Managed,
}

impl From<ScopeName> for Scope {
    fn from(name: ScopeName) -> Self {
        match name {
            ScopeName::User => Self::User,
            ScopeName::Project => Self::Project,
            ScopeName::Managed => Self::Managed,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard install claude-code
  zerto-guard install claude-code --dry-run
  sudo zerto-guard install claude-code --scope managed

It writes an entry that judges each tool call, and one that learns from the answers of MCP tools which session is open \
on which guest. Comments, order and everything else in the file stay as they are. A second time changes nothing; after an \
update of Claude Code or a move of your config it brings the entries up to date.")]
pub struct Install {
    #[command(flatten)]
    to: To,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard uninstall claude-code
  zerto-guard uninstall claude-code --scope project --dry-run

Takes out what `install` put in, and nothing else.")]
pub struct Uninstall {
    #[command(flatten)]
    from: To,
}

#[derive(Debug, Args)]
struct To {
    /// The agent host
    #[arg(value_enum)]
    host: HostName,
    /// Whose settings
    #[arg(long, value_enum, default_value = "user")]
    scope: ScopeName,
    /// Show the change and make none
    #[arg(long)]
    dry_run: bool,
}

impl Install {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let (scope, places) = self.to.place(context)?;
        let known = agent_host::claude_code();
        let own = agent_host::own_path()
            .map_err(|error| Failure::new(1, format!("the path of this program can't be found: {error}"), ""))?;
        let planned = planned_entries(&context.files, scope, &own, known.version(), self.to.dry_run)?;
        let mut notes = planned.notes;
        notes.push(form_note(&planned.entry, &known));
        notes.extend(surrounding_notes(&places, scope, &own, self.to.dry_run));
        let job = Job { file: places.file(scope), scope, dry_run: self.to.dry_run };
        let entries = [planned.entry, planned.after];
        let done = job.change(|text| {
            // In a file that the host drops, an entry would guard nobody.
            let seen = text.map(|text| inspect(text, "")).transpose()?;
            match seen.and_then(|seen| seen.faults.into_iter().next()) {
                Some(fault) => {
                    Err(format!("{fault}; Claude Code drops a whole file for such a thing, and says nothing"))
                }
                None => add(text, &entries),
            }
        })?;
        if scope != Scope::Managed && !job.dry_run {
            let state = StateDir::at(context.files.state.clone());
            if let Err(error) = installed::remember(&state, &job.file) {
                notes.push(format!("WARNING: {error} {}", error.hint()));
            }
        }
        report(context, &job, &done, Some(&entries), notes)
    }
}

impl Uninstall {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let (scope, places) = self.from.place(context)?;
        let own = agent_host::own_path().unwrap_or_default();
        let own = own.to_str().unwrap_or_default();
        let job = Job { file: places.file(scope), scope, dry_run: self.from.dry_run };
        let done = job.change(|text| text.map_or(Ok(Change::None), |text| remove(text, own)))?;
        let mut notes = Vec::new();
        if !job.dry_run {
            installed::forget(&StateDir::at(context.files.state.clone()), &job.file);
        }
        if done.changed && !job.dry_run {
            notes.push("A running session notices within some seconds, and is not guarded from then on.".to_owned());
        }
        notes.extend(
            others_with_entry(&places, scope, own)
                .into_iter()
                .map(|file| format!("It still stands in {}.", file.display())),
        );
        report(context, &job, &done, None, notes)
    }
}

impl To {
    fn place(&self, context: &Context) -> Result<(Scope, Places), Failure> {
        let HostName::ClaudeCode = self.host;
        let cwd = std::env::current_dir()
            .map_err(|error| Failure::new(1, format!("the folder you are in can't be found: {error}"), ""))?;
        let places = agent_host::places(context.files.home.as_deref(), cwd, Path::new("/"))
            .ok_or_else(|| Failure::new(1, "HOME is unset, so your settings can't be found", "Set HOME."))?;
        Ok((self.scope.into(), places))
    }
}

/// A settings file that is to be changed.
struct Job {
    file: PathBuf,
    scope: Scope,
    dry_run: bool,
}

/// What became of it.
struct Done {
    changed: bool,
    diff: String,
}

impl Job {
    /// Reads the file, changes its text and writes it, unless it is a dry run.
    fn change(&self, work: impl FnOnce(Option<&str>) -> Result<Change, String>) -> Result<Done, Failure> {
        let shown = self.file.display();
        let read = || read(&self.file, Whose::Projects).map_err(|fault| Failure::new(1, fault.to_string(), ""));
        let old = read()?;
        let change = work(old.as_deref()).map_err(|why| {
            Failure::new(
                1,
                format!("{shown}, {why}"),
                "Nothing was changed. Mend it first: the agent host can't read it as it is.",
            )
        })?;
        let new = match &change {
            Change::None => return Ok(Done { changed: false, diff: String::new() }),
            // What a link leads to is not ours to remove.
            Change::Remove if self.file.is_symlink() => Some("{}\n"),
            Change::Remove => None,
            Change::Write(text) => Some(text.as_str()),
        };
        let diff = diff::unified(&shown.to_string(), old.as_deref(), new);
        if !self.dry_run {
            // The host writes this file too.
            if read()? != old {
                return Err(Failure::new(
                    1,
                    format!("{shown} was changed by another program just now"),
                    "Run this again.",
                ));
            }
            let written = match new {
                Some(text) => replace_as(&self.file, text, self.fresh()),
                None => std::fs::remove_file(&self.file),
            };
            written.map_err(|error| {
                let hint = match self.scope {
                    Scope::Managed => "It takes root: run it with sudo.",
                    _ => "See that the file and its folder are yours.",
                };
                Failure::new(1, format!("{shown} can't be written: {error}"), hint)
            })?;
        }
        Ok(Done { changed: true, diff })
    }

    /// A managed file that the user's own session can't read guards nobody.
    fn fresh(&self) -> Fresh {
        match self.scope {
            Scope::User => Fresh::PRIVATE,
            Scope::Project | Scope::Managed => Fresh::PUBLIC,
        }
    }
}

fn report(
    context: &mut Context,
    job: &Job,
    done: &Done,
    entries: Option<&[Entry; 2]>,
    notes: Vec<String>,
) -> Result<u8, Failure> {
    let file = job.file.display();
    let said = match (entries.is_some(), done.changed, job.dry_run) {
        (true, false, _) => format!("It is installed already: {file} was not changed."),
        (true, true, false) => format!("Installed in {file}."),
        (false, false, _) => format!("There is no entry of zerto-guard in {file}: nothing was changed."),
        (false, true, false) => format!("Uninstalled from {file}."),
        (_, true, true) => format!("Nothing was changed: this is what would change in {file}."),
    };
    let [entry, after] = entries.map_or([None, None], |entries| entries.each_ref().map(|entry| Some(entry.value())));
    let mut object = json!({"ok": true, "file": job.file, "scope": job.scope.name(), "changed": done.changed && !job.dry_run,
        "entry": entry, "entry_after": after, "notes": notes});
    if let (true, Some(object)) = (job.dry_run, object.as_object_mut()) {
        object.insert("would_change".into(), done.changed.into());
    }
    let mut lines: Vec<String> = Vec::new();
    for line in done.diff.lines() {
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
    lines.push(said);
    lines.extend(notes.iter().map(|note| format!("- {note}")));
    context.printer.result(&lines.join("\n"), &object)?;
    Ok(0)
}

/// Which holes the form leaves with the version that was found.
fn form_note(entry: &Entry, known: &Known) -> String {
    let since = Version::ON_FAILURE;
    match (known, entry.form) {
        (Known::Version(version), Form::Exec) => {
            format!("For Claude Code {version}: a missing, killed or slow hook stops the call too.")
        }
        (Known::Version(version), Form::Shell) => format!(
            "For Claude Code {version}, which is older than {since}: a missing or killed hook stops the call, but one that \
             is held up for {} s lets it run. Update Claude Code, then install again.",
            entry.timeout
        ),
        (Known::NotFound, _) => format!(
            "No `claude` was found on PATH, so the entry has the form that is safe on every version: a missing or killed \
             hook stops the call; one that is held up for {} s may let it run. Install again once \
             `claude --version` works.",
            entry.timeout
        ),
        (Known::Silent(program), _) => format!(
            "{} --version told no version, so the entry has the form that is safe on every version: a missing or killed \
             hook stops the call; one that is held up for {} s may let it run. Install again once it \
             works.",
            program.display(),
            entry.timeout
        ),
    }
}

/// What a person has to know besides.
fn surrounding_notes(places: &Places, scope: Scope, own: &Path, dry_run: bool) -> Vec<String> {
    let mut notes = Vec::new();
    let text = read(&places.file(scope), Whose::Projects).ok().flatten();
    if text.and_then(|text| inspect(&text, "").ok()).is_some_and(|seen| seen.disabled) {
        notes.push("WARNING: `disableAllHooks` is true in this file: no hook runs. Take it away.".to_owned());
    }
    for file in others_with_entry(places, scope, own.to_str().unwrap_or_default()) {
        notes.push(format!(
            "It stands in {} too: each call is judged twice, and a change is tagged twice. Uninstall one of them.",
            file.display()
        ));
    }
    let shown = own.display().to_string();
    if ["/target/debug/", "/target/release/"].iter().any(|part| shown.contains(part)) {
        notes.push(format!("{shown} lies in a build folder: once that is cleaned, every call is stopped."));
    }
    if scope == Scope::Project {
        notes.push(format!(
            "Everybody who works on this project needs the program at {shown}; without, every call is stopped."
        ));
    }
    if scope != Scope::Managed {
        notes.push(
            "Whoever can edit this file, or starts `claude --bare`, has no hook. The strong installation is the managed \
             one: sudo zerto-guard install claude-code --scope managed."
                .to_owned(),
        );
    }
    if !dry_run {
        notes.push(
            "A running session picks it up within some seconds. To see that the guard is on: zerto-guard doctor"
                .to_owned(),
        );
    }
    notes
}

/// The other settings files in which an entry of ours stands.
fn others_with_entry(places: &Places, scope: Scope, own: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        Scope::ALL.into_iter().filter(|other| *other != scope).map(|other| places.file(other)).collect();
    files.push(places.project_local());
    files.retain(|file| {
        let text = read(file, Whose::Projects).ok().flatten();
        *file != places.file(scope)
            && text.and_then(|text| inspect(&text, own).ok()).is_some_and(|seen| !seen.ours.is_empty())
    });
    files
}

#[cfg(test)]
#[path = "tests/install.rs"]
mod tests;
