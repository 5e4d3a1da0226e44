//! The entries after a call, and at the start of a session: without them no answer of an MCP server is seen, so that a call that
//! carries the id of a session is asked about, and nobody notes how a guarded call ended. Nothing is let run for a fault in
//! them, so that all of it is a warning at most.

use super::Check;
use super::entry::hook_args;
use super::hook::Settings;
use crate::config::files::Given;
use crate::hosts::Host;
use crate::install::inspect::Found;
use crate::install::{Recipe, When};
use crate::text::clean;

const NAME: &str = "answers";

/// Looks at the entries of a host beside those that guard.
pub(super) fn all(recipe: &'static Recipe, read: &[&Settings]) -> Vec<Check> {
    let name = match recipe.host {
        Host::ClaudeCode => NAME.to_owned(),
        host => format!("{NAME} {}", host.name()),
    };
    let mut checks = Vec::new();
    let guards: Vec<Given> =
        read.iter().flat_map(|settings| settings.seen.at(When::Before)).filter_map(given).collect();
    let mut there: Vec<&str> = Vec::new();
    for settings in read {
        for found in settings.seen.ours.iter().filter(|found| found.event.when != When::Before) {
            there.push(found.event.name);
            if let Some(fault) = fault(found, &guards) {
                let place = format!("{}, line {}", settings.file.display(), found.line);
                let text = format!(
                    "{place}: {fault}, so that how calls end is not noted, and calls in MCP sessions are asked about"
                );
                checks.push(Check::warning(name.clone(), text, recipe.again(settings.scope)));
            }
        }
    }
    let wanted = recipe.events.iter().filter(|event| event.when != When::Before);
    let missing: Vec<&str> = wanted.map(|event| event.name).filter(|name| !there.contains(name)).collect();
    let guarded = read.iter().find(|settings| settings.seen.guards()).map(|settings| settings.scope);
    if let (false, Some(scope)) = (missing.is_empty(), guarded) {
        let text = format!(
            "no entry after a call ({}), or it is an older one: how calls end is not noted, the answers of MCP tools don't reach \
             it, so that calls in sessions that they open are asked about",
            missing.join(", ")
        );
        checks.push(Check::warning(name.clone(), text, recipe.again(scope)));
    }
    if checks.is_empty() && !there.is_empty() {
        checks.push(Check::ok(
            name,
            "how calls end reaches it, and the answers of MCP tools: sessions that they open are known",
        ));
    }
    checks
}

/// What keeps one from learning anything, or the other entries from knowing it.
fn fault(found: &Found, guards: &[Given]) -> Option<String> {
    if !found.is_met() {
        let matcher = clean(found.matcher.as_deref().unwrap_or_default(), 80);
        return Some(format!("it is called for `{matcher}` only"));
    }
    if let Some(strange) = found.strange.first() {
        return Some(format!("{strange}, which `install` never writes"));
    }
    match given(found) {
        None => Some("it was not written by `install`".into()),
        Some(given) if !guards.contains(&given) => Some("it is told of other files than the one before a call".into()),
        Some(_) => None,
    }
}

/// The files of which an entry is told.
fn given(found: &Found) -> Option<Given> {
    hook_args(&found.words()?).ok().map(|args| args.given)
}
