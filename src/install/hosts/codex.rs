//! Codex CLI's hooks. Measured with `hooks/list` of the app server of 0.171.0: `hooks.json` in `$CODEX_HOME` and in a trusted
//! project's `.codex` is read, each entry there is skipped until a person trusts it, and the `[hooks]` of
//! `/etc/codex/requirements.toml` are managed, and trusted. Fields and the strict JSON: openai/codex,
//! `codex-rs/config/src/hook_config.rs` (012d0aa) and `codex-rs/hooks/src/engine/discovery.rs` (0082977).

use super::{COMMON, Event, Kind, Recipe, Scope, Waits};
use crate::hosts::Host;
use serde_json::json;

/// What is known of its settings.
pub(super) static RECIPE: Recipe = Recipe {
    host: Host::Codex,
    title: "Codex CLI",
    variables: &["CODEX_HOME"],
    place: |places, scope| match scope {
        Scope::User => places.folder("CODEX_HOME", ".codex").map(|folder| folder.join("hooks.json")),
        Scope::Project => Ok(places.project.join(".codex/hooks.json")),
        Scope::Managed => Ok(places.root.join("etc/codex/requirements.toml")),
    },
    kind: |scope| if scope == Scope::Managed { Kind::Toml } else { Kind::Grouped },
    // There is none for a tool that failed.
    events: &[Event::before("PreToolUse", Some("*")), Event::after("PostToolUse", Some("*"))],
    // serde_json reads it.
    strict: true,
    waits: Waits::AsSet(600),
    holes: "A missing, crashed or killed hook stops the call, since the entry's shell ends with 2; one that is held up past \
            its time limit lets it run (measured on 0.171.0).",
    by_hand: |scope| match scope {
        Scope::User => vec![
            "TO DO: start codex, type /hooks and trust zerto-guard's entries. Until then, and after each change of them, \
             Codex skips them: no call is guarded. zerto-guard doctor tells whether they are trusted.",
        ],
        Scope::Project => vec![
            "TO DO, each person on their machine: start codex in this folder, trust the folder, type /hooks and trust \
             zerto-guard's entries. Until then, and after each change of them, Codex skips them: no call is guarded.",
        ],
        Scope::Managed => vec!["Managed hooks need no trust by hand, and no user can switch them off."],
    },
    sample: |cwd| {
        json!({
            "session_id": "zerto-guard-doctor", "turn_id": "1", "transcript_path": null, "cwd": cwd,
            "hook_event_name": "PreToolUse", "model": "none", "permission_mode": "default", "tool_name": "Bash",
            "tool_input": {"command": "pwd"}, "tool_use_id": "call_doctor",
        })
    },
    ..COMMON
};
