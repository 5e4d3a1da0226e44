//! Gemini CLI's hooks: the documents of 0.61.0 (`docs/hooks/reference.md`, `docs/hooks/index.md`, in its package) for the
//! files, the fields and the time limit in milliseconds; how a failing hook counts was measured on 0.61.0.

use super::{COMMON, Event, Fields, Recipe, Scope, Unit, Waits};
use crate::hosts::Host;
use serde_json::json;

/// What is known of its settings.
pub(super) static RECIPE: Recipe = Recipe {
    host: Host::GeminiCli,
    title: "Gemini CLI",
    place: |places, scope| match scope {
        Scope::User => places.folder("", ".gemini/settings.json"),
        Scope::Project => Ok(places.project.join(".gemini/settings.json")),
        Scope::Managed => Ok(places.root.join("etc/gemini-cli/settings.json")),
    },
    events: &[Event::before("BeforeTool", Some("*")), Event::after("AfterTool", Some("*"))],
    fields: Fields { unit: Unit::Milliseconds, more: &[], ..super::CLAUDE_LIKE },
    waits: Waits::AsSet(60),
    holes: "A missing, crashed or killed hook stops the call, since the entry's shell ends with 2 (Gemini itself takes death \
            by a signal for success); one that is held up past its time limit lets it run (measured on 0.61.0).",
    by_hand: |scope| match scope {
        Scope::Project => vec!["Gemini CLI warns of a project's hooks that are new or were changed."],
        _ => vec!["hooksConfig.enabled = false in any of Gemini's settings switches hooks off."],
    },
    sample: |cwd| {
        json!({
            "session_id": "zerto-guard-doctor", "transcript_path": "/dev/null", "cwd": cwd,
            "hook_event_name": "BeforeTool", "timestamp": "2026-01-01T00:00:00.000Z",
            "tool_name": "run_shell_command", "tool_input": {"command": "pwd"},
        })
    },
    ..COMMON
};
