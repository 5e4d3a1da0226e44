//! `install HOST --mcp` and its opposite: the MCP server's entry in an agent host's settings.
//!
//! Where it stands is `crate::install::server`'s. Must not: write a hook's entry.

use super::super::Context;
use super::job::{Done, Job};
use super::plan::{Moved, STATE_DIR, moved};
use super::report::show;
use super::{To, no_place, own_path};
use crate::agent_host;
use crate::hosts::Host;
use crate::install::change::Change;
use crate::install::server::{BY_HAND, NAME, PROGRAM, RECIPES, Recipe, add, remove};
use crate::install::{Kind, Scope};
use crate::state::StateDir;
use crate::state::installed::{self, What};
use crate::text::shell_word;
use crate::ui::Failure;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Writes the entry.
pub(super) fn install(context: &mut Context, to: &To) -> Result<u8, Failure> {
    let at = At::find(context, to)?;
    let program = own_path()?.with_file_name(PROGRAM);
    if !program.is_file() {
        return Err(Failure::new(
            1,
            format!("{} is not there: the server is a program of its own", program.display()),
            format!("Put {PROGRAM} beside zerto-guard, then run this again. From a clone: {}", made_by(&program)),
        ));
    }
    let entry = entry(context, at.recipe, &program)?;
    let ready = at.job().prepare(|text| add(text, &at.keys(text), &entry))?;
    let done = ready.finish()?;
    let mut notes = vec![at.recipe.by_hand.to_owned()];
    if let Some(hook) = Host::named(at.recipe.host) {
        notes.push(format!(
            "This is advice: the agent has to ask for it. {} has hooks, which judge every call: zerto-guard install {}",
            at.recipe.title,
            hook.name()
        ));
    } else {
        notes.push(format!(
            "This is advice: the agent has to ask for it, and {} has no hook that could enforce it.",
            at.recipe.title
        ));
    }
    if !at.dry_run
        && let Err(error) = installed::remember(&at.state, What::Server, &done.file, &done.made)
    {
        notes.push(format!("WARNING: {error} {}", error.hint()));
    }
    report(context, &at, &done, Some(&entry), notes)
}

/// Takes the entry out.
pub(super) fn uninstall(context: &mut Context, from: &To) -> Result<u8, Failure> {
    let at = At::find(context, from)?;
    let take_out = |text: Option<&str>| text.map_or(Ok(Change::None), |text| remove(text, &at.keys(Some(text))));
    let done = at.job().prepare(take_out)?.finish()?;
    if !at.dry_run {
        let made = installed::forget(&at.state, What::Server, &done.file);
        for folder in made.into_iter().filter(|_| done.removed) {
            // One that holds anything stays.
            let _ = std::fs::remove_dir(folder);
        }
    }
    report(context, &at, &done, None, vec![])
}

/// The command that makes the server where it is to lie, as far as that can be told.
fn made_by(program: &Path) -> String {
    match program.parent().filter(|folder| folder.ends_with("bin")).and_then(Path::parent) {
        Some(root) => {
            format!("cargo install --locked --path crates/{PROGRAM} --root {}", shell_word(&root.to_string_lossy()))
        }
        None => format!("cargo build --release -p {PROGRAM}"),
    }
}

/// Where something is to be done.
struct At {
    recipe: &'static Recipe,
    scope: Scope,
    file: PathBuf,
    dry_run: bool,
    state: StateDir,
}

impl At {
    fn find(context: &Context, to: &To) -> Result<Self, Failure> {
        let recipe = RECIPES.iter().find(|recipe| recipe.host == to.host).ok_or_else(|| {
            let by_hand = BY_HAND.iter().find(|(host, _)| *host == to.host).map_or("", |(_, how)| *how);
            let message = format!("the servers of {} are not written by zerto-guard", to.host);
            Failure::new(5, message, by_hand.replace("PROGRAM", &format!("/path/to/{PROGRAM}")))
        })?;
        let (places, scope) = (to.places(context)?, Scope::from(to.scope));
        let whose = format!("the servers of {}", recipe.title);
        let file = (recipe.place)(&places, scope).map_err(|why| no_place(why, scope, &whose))?;
        // OpenCode reads the one with comments too.
        let commented = file.with_extension("jsonc");
        let file = if recipe.host == "opencode" && !file.exists() && commented.exists() { commented } else { file };
        let state = StateDir::at(context.files.state.clone());
        Ok(Self { recipe, scope, file, dry_run: to.dry_run, state })
    }

    fn job(&self) -> Job {
        Job { file: self.file.clone(), scope: self.scope, kind: Kind::Flat, dry_run: self.dry_run }
    }

    /// Where the servers are. OpenCode 2 has them one object deeper than OpenCode 1.
    fn keys(&self, text: Option<&str>) -> Vec<&'static str> {
        let mut keys = self.recipe.keys.to_vec();
        if self.recipe.host == "opencode" {
            let settings: Option<Value> = text.and_then(|text| crate::install::settings_value(text).ok());
            let servers = settings.as_ref().and_then(|settings| settings.get("mcp"));
            let newer = match servers.and_then(Value::as_object) {
                Some(servers) if !servers.is_empty() => servers.contains_key("servers"),
                _ => agent_host::version_of("opencode").version().is_some_and(|version| version.0 >= 2),
            };
            keys.extend(newer.then_some("servers"));
        }
        keys
    }
}

/// The entry for this machine: the program, and every place that is not the usual one.
fn entry(context: &Context, recipe: &Recipe, program: &Path) -> Result<Value, Failure> {
    let no_text = || Failure::new(1, "a path that settings have to hold is not UTF-8 text", "Choose other paths.");
    let mut arguments = Vec::new();
    for Moved { option, path, .. } in moved(&context.files)? {
        // What was not named may be absent, and a path that is named has to be there; the state folder is made.
        if option == STATE_DIR || path.exists() {
            arguments.extend([option.to_owned(), path.to_str().ok_or_else(no_text)?.to_owned()]);
        }
    }
    Ok((recipe.entry)(program.to_str().ok_or_else(no_text)?, &arguments))
}

fn report(
    context: &mut Context,
    at: &At,
    done: &Done,
    entry: Option<&Value>,
    notes: Vec<String>,
) -> Result<u8, Failure> {
    let file = at.file.display();
    let said = match (entry.is_some(), done.changed, at.dry_run) {
        (true, false, _) => format!("The server is there already: {file} was not changed."),
        (true, true, false) => format!("The server {NAME} is in {file}."),
        (false, false, _) => format!("There is no server of zerto-guard in {file}: nothing was changed."),
        (false, true, false) => format!("The server {NAME} is gone from {file}."),
        (_, true, true) => format!("Nothing was changed: this is what would change in {file}."),
    };
    let object = json!({
        "ok": true, "host": at.recipe.host, "mcp": true, "file": at.file, "scope": at.scope.name(),
        "changed": done.changed && !at.dry_run, "entry": entry, "notes": notes,
    });
    show(context, std::slice::from_ref(done), at.dry_run, said, &notes, object)
}
