//! Kiro's hooks: kiro.dev/docs/cli/v3/hooks for the files of their own (`.kiro/hooks/*.json`, `version` "v1"; they hold for every
//! agent), kiro.dev/docs/cli/hooks and aws/amazon-q-developer-cli, `docs/hooks.md` (35b5266), for those in an agent's file, which is
//! all that Kiro CLI 2.x and Amazon Q read.

use super::{COMMON, Event, Fields, Kind, Recipe, Scope, Unit, Waits, none};
use crate::hosts::Host;
use serde_json::json;

/// What is known of its settings.
pub(super) static RECIPE: Recipe = Recipe {
    host: Host::Kiro,
    title: "Kiro",
    place: |places, scope| match scope {
        Scope::User => places.folder("", ".kiro/hooks/zerto-guard.json"),
        Scope::Project => Ok(places.project.join(".kiro/hooks/zerto-guard.json")),
        Scope::Managed => none(
            "Kiro has no machine-wide file for hooks that its documents name. Install it for the user or the project.",
        ),
    },
    kind: |_| Kind::Listed,
    events: &[Event::before("PreToolUse", None), Event::after("PostToolUse", None)],
    fields: Fields { typed: true, command: "command", timeout: &["timeout"], unit: Unit::Seconds, more: &[] },
    waits: Waits::AsSet(60),
    holes: "A missing, crashed or killed hook stops the call, since the entry's shell ends with 2; what happens when one is \
            held up past its time limit, its documents don't say.",
    by_hand: |_| {
        vec![
            "This is for Kiro CLI 3 and Kiro IDE 1. Kiro CLI 2 and Amazon Q read hooks from each agent's own file alone: put \
             the command line into `hooks.preToolUse` of every agent that you use, with \"matcher\": \"*\" and the \
             \"timeout_ms\" that fits. An agent without it is not guarded.",
            "See under Agent Hooks that zerto-guard is listed and enabled.",
        ]
    },
    sample: |cwd| {
        json!({
            "hook_event_name": "preToolUse", "cwd": cwd, "tool_name": "execute_bash", "tool_input": {"command": "pwd"},
        })
    },
    ..COMMON
};
