//! Claude Code's settings: measured on 2.1.332 and 2.1.197, see `hooks/README.md`.

use super::{COMMON, Event, Fields, Fixed, Recipe, STATUS, Scope, Waits};
use crate::hosts::Host;
use serde_json::json;

/// What is known of its settings.
pub(super) static RECIPE: Recipe = Recipe {
    host: Host::ClaudeCode,
    title: "Claude Code",
    variables: &["CLAUDE_CONFIG_DIR"],
    place: |places, scope| match scope {
        Scope::User => places.folder("CLAUDE_CONFIG_DIR", ".claude").map(|folder| folder.join("settings.json")),
        Scope::Project => Ok(places.project.join(".claude/settings.json")),
        Scope::Managed => Ok(places.root.join("etc/claude-code/managed-settings.json")),
    },
    events: &[
        Event::before("PreToolUse", Some("*")),
        Event::after("PostToolUse", Some("*")),
        // A tool that fails fires this one instead.
        Event::after("PostToolUseFailure", Some("*")),
        Event::start("SessionStart"),
    ],
    fields: Fields {
        // In the shell form too: what is old ignores it (measured), and what is new, or gets updated, heeds it.
        more: &[("onFailure", Fixed::Text("block")), ("statusMessage", Fixed::Text(STATUS))],
        ..super::CLAUDE_LIKE
    },
    // By its documents.
    waits: Waits::AsSet(600),
    sample: |cwd| {
        json!({
            "session_id": "zerto-guard-doctor", "transcript_path": "/dev/null", "cwd": cwd, "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {"file_path": "/etc/hostname"},
            "tool_use_id": "toolu_doctor",
        })
    },
    ..COMMON
};
