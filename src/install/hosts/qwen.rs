//! Qwen Code's hooks: the documents of 0.24.4, in its package (`docs/features/hooks.md`, `docs/configuration/settings.md`).
//!
//! The time limit is written in milliseconds: older versions know no other unit, and newer ones, which count in seconds, still
//! take a number from 1000 on for milliseconds.

use super::{COMMON, Event, Fields, Recipe, Scope, Unit, Waits};
use crate::hosts::Host;
use serde_json::json;

/// What is known of its settings.
pub(super) static RECIPE: Recipe = Recipe {
    host: Host::Qwen,
    title: "Qwen Code",
    place: |places, scope| match scope {
        Scope::User => places.folder("", ".qwen/settings.json"),
        Scope::Project => Ok(places.project.join(".qwen/settings.json")),
        Scope::Managed => Ok(places.root.join("etc/qwen-code/settings.json")),
    },
    events: &[
        Event::before("PreToolUse", Some("*")),
        Event::after("PostToolUse", Some("*")),
        Event::after("PostToolUseFailure", Some("*")),
    ],
    fields: Fields { unit: Unit::Milliseconds, ..super::CLAUDE_LIKE },
    waits: Waits::AsSet(60),
    holes: "A missing, crashed or killed hook stops the call, since the entry's shell ends with 2; one that is held up past \
            its time limit lets it run (by its documents: any end but 0 and 2 does not block).",
    by_hand: |scope| match scope {
        Scope::Project => vec!["Qwen Code runs a project's hooks only in a folder that it trusts."],
        _ => vec!["`disableAllHooks` in any of Qwen Code's settings switches hooks off."],
    },
    sample: |cwd| {
        json!({
            "session_id": "zerto-guard-doctor", "transcript_path": "/dev/null", "cwd": cwd,
            "hook_event_name": "PreToolUse", "timestamp": "2026-01-01T00:00:00.000Z", "permission_mode": "default",
            "tool_name": "run_shell_command", "tool_input": {"command": "pwd"}, "tool_use_id": "call_doctor",
        })
    },
    ..COMMON
};
