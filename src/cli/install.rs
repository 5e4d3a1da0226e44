//! `zerto-guard install` and `uninstall`: the hook's entry in an agent host's settings, shown as it changes.
//!
//! Owns: which files, and what a person has to be told. What goes into an entry is `plan`'s, reading and writing `job`'s, the
//! change of the text itself `crate::install`'s.

mod job;
mod plan;
mod report;
mod server;

use super::Context;
use crate::agent_host::{self, Known};
use crate::config::trusted_file::{Whose, read};
use crate::hosts::Host;
use crate::install::change::{Change, add, remove};
use crate::install::inspect::inspect;
use crate::install::server::RECIPES;
use crate::install::{Entry, Form, Kind, NoPlace, Places, Recipe, Scope, Version, When, recipe, recipes};
use crate::state::StateDir;
use crate::state::installed::{self, What};
use crate::ui::Failure;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use job::{Done, Job};
use plan::planned_entries;
use report::report;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScopeName {
    /// Your settings, for all projects: ~/.claude/settings.json and its like
    User,
    /// The settings of the folder you are in, for all who work on it
    Project,
    /// The machine's, below /etc, which no user or agent can switch off; as root
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
  zerto-guard install codex --dry-run
  zerto-guard install copilot-cli --scope project
  sudo zerto-guard install claude-code --scope managed
  zerto-guard install claude-desktop --mcp

It writes an entry that judges each tool call, and, where the host has such a thing, one that notes how the call ended and \
learns from the answers of MCP tools which session is open on which guest. For cline and opencode it writes a file of its \
own. Comments, order and everything else in a file stay as they are. A second time changes nothing; after an update of \
Claude Code or a move of your config it brings the entries up to date. What is left to do by hand is printed: Codex skips a \
hook until you have trusted it, Cline until you have switched hooks on.

With --mcp it writes the server zerto-guard-mcp, which lies beside this program, into the host's list of MCP servers instead. \
Its tools are advice, which the agent has to ask for: where there is a hook, install that.

copilot-cli and vscode read the same files, so that one entry serves both. Not every host has managed settings: the others \
say what to do instead, and end with 5.

Exit codes: 0 done, or nothing to do; 1 a file can't be read or written, and was left alone; 5 refused: there is no such \
place.")]
pub struct Install {
    #[command(flatten)]
    to: To,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard uninstall claude-code
  zerto-guard uninstall gemini-cli --scope project --dry-run
  zerto-guard uninstall claude-desktop --mcp

Takes out what `install` put in, and nothing else: the file is byte for byte what it was, and what `install` made is gone.

Exit codes: 0 done, or nothing to do; 1 a file can't be read or written, and was left alone; 5 refused: there is no such place.")]
pub struct Uninstall {
    #[command(flatten)]
    from: To,
}

#[derive(Debug, Args)]
struct To {
    /// The agent host
    #[arg(value_parser = hosts())]
    host: String,
    /// Whose settings
    #[arg(long, value_enum, default_value = "user")]
    scope: ScopeName,
    /// The MCP server (zerto-guard-mcp) instead of the hook: advice where there is no hook
    #[arg(long)]
    mcp: bool,
    /// Show the change and make none
    #[arg(long)]
    dry_run: bool,
}

/// Those that have a hook or MCP servers.
fn hosts() -> PossibleValuesParser {
    let servers = RECIPES.iter().map(|recipe| recipe.host);
    let more = servers.filter(|name| Host::named(name).is_none());
    PossibleValuesParser::new(Host::ALL.map(Host::name).into_iter().chain(more).collect::<Vec<_>>())
}

impl Install {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        if self.to.mcp {
            return server::install(context, &self.to);
        }
        let at = self.to.place(context)?;
        if let Some((rival, what)) = (at.recipe.rival)(&at.places, at.scope).filter(|(rival, _)| rival.exists()) {
            return Err(Failure::new(
                5,
                format!("{} is there: an entry beside it may guard nothing", rival.display()),
                what,
            ));
        }
        let known = match at.recipe.host {
            Host::ClaudeCode => agent_host::claude_code(),
            _ => Known::NotFound,
        };
        let own = own_path()?;
        let planned = planned_entries(&context.files, at.recipe, at.scope, &own, known.version(), at.dry_run)?;
        let entries = planned.entries;
        let mut notes = planned.notes;
        notes.extend((at.recipe.by_hand)(at.scope).into_iter().map(str::to_owned));
        notes.extend(entries.first().map(|entry| holes(entry, &known)));
        notes.extend(entries.first().and_then(|entry| for_other_readers(entry, at.scope)));
        notes.extend(surrounding_notes(&at, &own));
        let mut ready = Vec::new();
        for (file, entries) in parts(&at, &entries) {
            let guards = entries.iter().any(|entry| entry.event.when == When::Before);
            let prepared = at.job(file).prepare(|text| put_in(text, at.kind, &entries));
            match prepared {
                Ok(prepared) => ready.push(prepared),
                Err(failure) if guards => return Err(failure),
                // Nothing is let run for want of the one after a call.
                Err(failure) => notes.push(format!("How calls end is not noted: {}", failure.message)),
            }
        }
        let mut done = Vec::new();
        for ready in ready {
            done.push(ready.finish()?);
        }
        if at.scope != Scope::Managed && !at.dry_run {
            let state = StateDir::at(context.files.state.clone());
            for done in &done {
                if let Err(error) = installed::remember(&state, What::Hook, &done.file, &done.made) {
                    notes.push(format!("WARNING: {error} {}", error.hint()));
                }
            }
        }
        report(context, &at, &done, Some(&entries), notes)
    }
}

/// The entries in a text; in one that the host drops, they would guard nobody.
fn put_in(text: Option<&str>, kind: Kind, entries: &[Entry]) -> Result<Change, String> {
    let Some(entry) = entries.first() else { return Ok(Change::None) };
    let seen = text.map(|text| inspect(text, entry.recipe, kind, "")).transpose()?;
    match seen.and_then(|seen| seen.faults.into_iter().next()) {
        Some(fault) => {
            Err(format!("{fault}; {} drops a whole file for such a thing, and says nothing", entry.recipe.title))
        }
        None => add(text, kind, entries),
    }
}

impl Uninstall {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        if self.from.mcp {
            return server::uninstall(context, &self.from);
        }
        let at = self.from.place(context)?;
        let own = agent_host::own_path().unwrap_or_default();
        let own = own.to_str().unwrap_or_default();
        let mut done = Vec::new();
        for (file, _) in parts(&at, &[]) {
            let job = at.job(file);
            let take_out =
                |text: Option<&str>| text.map_or(Ok(Change::None), |text| remove(text, at.recipe, at.kind, own));
            done.push(job.prepare(take_out)?.finish()?);
        }
        let changed = done.iter().any(|done| done.changed);
        let mut notes = Vec::new();
        if !at.dry_run {
            for done in &done {
                let made = installed::forget(&StateDir::at(context.files.state.clone()), What::Hook, &done.file);
                at.clear(done, made);
            }
            if changed {
                notes.push(match at.recipe.host {
                    Host::ClaudeCode => {
                        "A running session notices within some seconds, and is not guarded from then on.".to_owned()
                    }
                    _ => format!("{} is not guarded from now on.", at.recipe.title),
                });
                notes.extend(at.sharers().map(|other| format!("Nor is {}, which reads the same file.", other.title)));
            }
        }
        notes.extend(
            others_with_entry(&at, own).into_iter().map(|file| format!("It still stands in {}.", file.display())),
        );
        report(context, &at, &done, None, notes)
    }
}

/// Where something is to be done.
struct At {
    recipe: &'static Recipe,
    scope: Scope,
    kind: Kind,
    file: PathBuf,
    places: Places,
    dry_run: bool,
}

impl To {
    fn places(&self, context: &Context) -> Result<Places, Failure> {
        let cwd = std::env::current_dir()
            .map_err(|error| Failure::new(1, format!("the folder you are in can't be found: {error}"), ""))?;
        Ok(agent_host::places(context.files.home.as_deref(), cwd, Path::new("/")))
    }

    fn place(&self, context: &Context) -> Result<At, Failure> {
        let places = self.places(context)?;
        let host = Host::named(&self.host).ok_or_else(|| {
            let hint = format!("It has MCP servers: zerto-guard install {} --mcp", self.host);
            Failure::new(5, format!("{} has no hook", self.host), hint)
        })?;
        let (recipe, scope) = (recipe(host), self.scope.into());
        let file = (recipe.place)(&places, scope).map_err(|why| no_place(why, scope, recipe.host.name()))?;
        Ok(At { recipe, scope, kind: (recipe.kind)(scope), file, places, dry_run: self.dry_run })
    }
}

fn own_path() -> Result<PathBuf, Failure> {
    agent_host::own_path()
        .map_err(|error| Failure::new(1, format!("the path of this program can't be found: {error}"), ""))
}

/// That a host has no such file; `whose` are the settings.
fn no_place(why: NoPlace, scope: Scope, whose: &str) -> Failure {
    match why {
        NoPlace::NoHome => Failure::new(1, "HOME is unset, so your settings can't be found", "Set HOME."),
        NoPlace::None(hint) => Failure::new(5, format!("there is no --scope {} for {whose}", scope.name()), hint),
    }
}

impl At {
    fn job(&self, file: PathBuf) -> Job {
        Job { file, scope: self.scope, kind: self.kind, dry_run: self.dry_run }
    }

    /// The other hosts that read this very file.
    fn sharers(&self) -> impl Iterator<Item = &'static Recipe> + '_ {
        let others = recipes().filter(|other| other.host != self.recipe.host);
        others.filter(|other| (other.place)(&self.places, self.scope).is_ok_and(|file| file == self.file))
    }

    /// Takes away the folders that were made for a file which is gone. In /etc nobody keeps in mind which those are: there,
    /// those that are empty go.
    fn clear(&self, done: &Done, made: Vec<PathBuf>) {
        if !done.removed {
            return;
        }
        let etc = self.places.root.join("etc");
        let above = done.file.ancestors().skip(1).filter(|folder| folder.starts_with(&etc) && *folder != etc);
        let managed = above.map(Path::to_owned).filter(|_| self.scope == Scope::Managed);
        for folder in made.into_iter().chain(managed) {
            // One that holds anything stays.
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// The files, and what belongs into each: Cline wants one for each event, named after it.
fn parts(at: &At, entries: &[Entry]) -> Vec<(PathBuf, Vec<Entry>)> {
    if at.recipe.host != Host::Cline {
        return vec![(at.file.clone(), entries.to_vec())];
    }
    let of = |name: &str| entries.iter().filter(|entry| entry.event.name == name).cloned().collect();
    at.recipe.events.iter().map(|event| (at.file.with_file_name(event.name), of(event.name))).collect()
}

/// Which holes the entry leaves; with Claude Code that depends on the version that was found.
fn holes(entry: &Entry, known: &Known) -> String {
    if entry.recipe.host != Host::ClaudeCode {
        return entry.recipe.holes.to_owned();
    }
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

/// Other hosts read Claude Code's settings too, and start the program of an entry without its arguments.
fn for_other_readers(entry: &Entry, scope: Scope) -> Option<String> {
    let exec = entry.recipe.host == Host::ClaudeCode && entry.form == Form::Exec;
    (exec && scope != Scope::Managed).then(|| {
        "VS Code's agent, and Cursor and Copilot CLI as they are set, read this file too, and can't use an entry of this form: \
         it guards nothing there. Install for them as well."
            .to_owned()
    })
}

/// What a person has to know besides.
fn surrounding_notes(at: &At, own: &Path) -> Vec<String> {
    let mut notes = Vec::new();
    let text = read(&at.file, Whose::Projects).ok().flatten();
    let seen = text.and_then(|text| inspect(&text, at.recipe, at.kind, own.to_str().unwrap_or_default()).ok());
    if let Some(off) = seen.and_then(|seen| seen.disabled) {
        notes.push(format!("WARNING: {off} in this file: the hook does not run. Take it away."));
    }
    for file in others_with_entry(at, own.to_str().unwrap_or_default()) {
        notes.push(format!(
            "It stands in {} too: each call is judged twice, and a change is tagged twice. Uninstall one of them.",
            file.display()
        ));
    }
    let shown = own.display().to_string();
    if ["/target/debug/", "/target/release/"].iter().any(|part| shown.contains(part)) {
        notes.push(format!("{shown} lies in a build folder: once that is cleaned, every call is stopped."));
    }
    if at.scope == Scope::Project {
        notes.push(format!(
            "Everybody who works on this project needs the program at {shown}; without, every call is stopped."
        ));
    }
    let has_managed = (at.recipe.place)(&at.places, Scope::Managed).is_ok();
    if at.scope != Scope::Managed {
        let without = match at.recipe.host {
            Host::ClaudeCode => "Whoever can edit this file, or starts `claude --bare`, has no hook.",
            _ => "Whoever can edit this file has no hook.",
        };
        let strong = format!(
            " The strong installation is the managed one: sudo zerto-guard install {} --scope managed.",
            at.recipe.host.name()
        );
        notes.push(format!("{without}{}", if has_managed { strong.as_str() } else { "" }));
    }
    if !at.dry_run {
        notes.push(match at.recipe.host {
            Host::ClaudeCode => {
                "A running session picks it up within some seconds. To see that the guard is on: zerto-guard doctor"
                    .to_owned()
            }
            _ => "To see that the guard is on: zerto-guard doctor".to_owned(),
        });
    }
    notes
}

/// The other settings files of the host in which an entry of ours stands.
fn others_with_entry(at: &At, own: &str) -> Vec<PathBuf> {
    let scopes = Scope::ALL.into_iter().filter(|scope| *scope != at.scope);
    let mut files: Vec<(PathBuf, Kind)> = scopes
        .filter_map(|scope| Some(((at.recipe.place)(&at.places, scope).ok()?, (at.recipe.kind)(scope))))
        .collect();
    if at.recipe.host == Host::ClaudeCode {
        files.push((at.places.project_local(), Kind::Grouped));
    }
    files.retain(|(file, kind)| {
        let text = read(file, Whose::Projects).ok().flatten();
        *file != at.file
            && text.and_then(|text| inspect(&text, at.recipe, *kind, own).ok()).is_some_and(|seen| seen.guards())
    });
    files.into_iter().map(|(file, _)| file).collect()
}

#[cfg(test)]
#[path = "tests/install.rs"]
mod tests;
