//! The hook's entry after a call: without it no answer of an MCP server is seen, and a call that carries the id of a session
//! is asked about. Nothing is let run for a fault in it, so that all of it is a warning at most.

use super::Check;
use super::hook::{Settings, again, hook_args, words};
use crate::config::files::Given;
use crate::install::When;
use crate::install::settings::Found;
use crate::text::clean;

const NAME: &str = "answers";

/// Looks at the entries beside those that guard.
pub(super) fn all(read: &[Settings]) -> Vec<Check> {
    let mut checks = Vec::new();
    let guards: Vec<Given> = read.iter().flat_map(|settings| &settings.seen.ours).filter_map(given).collect();
    for settings in read {
        for found in &settings.seen.after {
            if let Some(fault) = fault(found, &guards) {
                let place = format!("{}, line {}", settings.file.display(), found.line);
                let text = format!("{place}: {fault}, so that calls in MCP sessions are asked about");
                checks.push(Check::warning(NAME, text, again(settings.scope)));
            }
        }
    }
    if read.iter().any(|settings| !settings.seen.after.is_empty()) {
        if checks.is_empty() {
            checks.push(Check::ok(NAME, "the answers of MCP tools reach it: sessions that they open are known"));
        }
        return checks;
    }
    let guarded = read.iter().find(|settings| !settings.seen.ours.is_empty()).map(|settings| settings.scope);
    checks.extend(guarded.map(|scope| {
        let text = "no entry after a call (PostToolUse): the answers of MCP tools don't reach it, so that calls in sessions \
                    that they open are asked about";
        Check::warning(NAME, text, again(scope))
    }));
    checks
}

/// What keeps one from learning anything, or the other entries from knowing it.
fn fault(found: &Found, guards: &[Given]) -> Option<String> {
    if !found.is_met(When::After) {
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
    hook_args(&words(found)?).ok().map(|args| args.given)
}
