//! Cursor's hooks: cursor.com/docs/agent/hooks (files, `version`, `failClosed`, time limit in seconds; a copy of an earlier
//! state in pcomans/caruso, `reference/cursor_hooks.md`, 0d41427).
//!
//! One event only: `preToolUse` fires for every tool, and a call that is judged at `beforeShellExecution` as well would be
//! tagged twice, and would use up an answer the first time.

use super::{COMMON, Event, Fields, Fixed, Kind, Recipe, Scope, Unit, Waits};
use crate::hosts::Host;
use serde_json::json;

/// What is known of its settings.
pub(super) static RECIPE: Recipe = Recipe {
    host: Host::Cursor,
    title: "Cursor",
    place: |places, scope| match scope {
        Scope::User => places.folder("", ".cursor/hooks.json"),
        Scope::Project => Ok(places.project.join(".cursor/hooks.json")),
        Scope::Managed => Ok(places.root.join("etc/cursor/hooks.json")),
    },
    kind: |_| Kind::Flat,
    events: &[
        Event::before("preToolUse", None),
        Event::after("postToolUse", None),
        Event::after("postToolUseFailure", None),
    ],
    fields: Fields {
        typed: false,
        command: "command",
        timeout: &["timeout"],
        unit: Unit::Seconds,
        more: &[("failClosed", Fixed::Yes)],
    },
    version: Some(1),
    waits: Waits::AsSet(60),
    holes: "A missing, crashed or killed hook stops the call, and so does one that is held up past its time limit \
            (`failClosed`, by its documents).",
    by_hand: |_| {
        vec![
            "Restart Cursor, and see under Settings, Hooks that preToolUse is listed: a version that doesn't know that event \
             ignores it, and no call is guarded.",
            "If Cursor is set to take over Claude Code's hooks (third-party configs), an entry of Claude Code's is not for it.",
        ]
    },
    sample: |cwd| {
        json!({
            "conversation_id": "zerto-guard-doctor", "generation_id": "1", "model": "none",
            "hook_event_name": "preToolUse", "cursor_version": "0", "workspace_roots": [cwd], "user_email": null,
            "tool_name": "Shell", "tool_input": {"command": "pwd", "working_directory": cwd}, "cwd": cwd,
        })
    },
    ..COMMON
};
