//! Factory Droid's hooks: Factory-AI/factory, `docs/reference/hooks-reference.mdx` (2a4debc), for the `hooks` of
//! `settings.json`. docs.factory.ai/harness/hooks puts them into a `hooks.json` beside it, and reads those of `settings.json` only
//! where that is absent; Factory-AI/factory#3 reports for 0.186.0 that `hooks.json` is never read. So they go where both agree.

use super::{COMMON, Event, Fields, Recipe, Scope, Waits, none};
use crate::hosts::Host;
use serde_json::json;

/// What is known of its settings.
pub(super) static RECIPE: Recipe = Recipe {
    host: Host::Droid,
    title: "Factory Droid",
    place: |places, scope| match scope {
        Scope::User => places.folder("", ".factory/settings.json"),
        Scope::Project => Ok(places.project.join(".factory/settings.json")),
        Scope::Managed => none(
            "Whether Droid reads hooks from a machine-wide file is not documented. An organisation sets them under Enterprise \
             Controls, Hooks Policy: put the entry there that `zerto-guard install droid --dry-run` shows.",
        ),
    },
    rival: |places, scope| {
        let file = match scope {
            Scope::User => places.folder("", ".factory/hooks.json").ok()?,
            Scope::Project => places.project.join(".factory/hooks.json"),
            Scope::Managed => return None,
        };
        Some((
            file,
            "By its documents Droid reads no hooks from settings.json where there is a hooks.json, and by a report to its \
             makers it reads none from hooks.json. Move the hooks of hooks.json into settings.json, take hooks.json away, \
             and install again.",
        ))
    },
    events: &[Event::before("PreToolUse", Some("*")), Event::after("PostToolUse", Some("*"))],
    fields: Fields { more: &[], ..super::CLAUDE_LIKE },
    waits: Waits::AsSet(60),
    holes: "A missing, crashed or killed hook stops the call, since the entry's shell ends with 2; what happens when one is \
            held up past its time limit, its documents don't say.",
    by_hand: |_| vec!["Droid takes hooks up when a session starts: see with /hooks that the entry is listed."],
    sample: |cwd| {
        json!({
            "sessionId": "zerto-guard-doctor", "transcriptPath": "/dev/null", "cwd": cwd, "permissionMode": "off",
            "hookEventName": "PreToolUse", "tool_name": "Execute", "tool_input": {"command": "pwd"},
        })
    },
    ..COMMON
};
