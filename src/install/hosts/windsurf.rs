//! The hooks of Windsurf's Cascade: docs.windsurf.com/windsurf/cascade/hooks (files, events, exit 2). It has no field for a
//! time limit, and doesn't say how long it waits.

use super::{COMMON, Event, Fields, Fixed, Kind, Recipe, Scope, Unit, Waits};
use crate::hosts::Host;
use serde_json::json;

/// What is known of its settings.
pub(super) static RECIPE: Recipe = Recipe {
    host: Host::Windsurf,
    title: "Windsurf",
    place: |places, scope| match scope {
        Scope::User => places.folder("", ".codeium/windsurf/hooks.json"),
        Scope::Project => Ok(places.project.join(".windsurf/hooks.json")),
        Scope::Managed => Ok(places.root.join("etc/windsurf/hooks.json")),
    },
    kind: |_| Kind::Flat,
    // A file that is only read changes nothing, so that reading isn't held up.
    events: &[
        Event::before("pre_run_command", None),
        Event::before("pre_mcp_tool_use", None),
        Event::before("pre_write_code", None),
        Event::after("post_run_command", None),
        Event::after("post_mcp_tool_use", None),
        Event::after("post_write_code", None),
    ],
    fields: Fields {
        typed: false,
        command: "command",
        timeout: &[],
        unit: Unit::Seconds,
        more: &[("show_output", Fixed::Yes)],
    },
    waits: Waits::Unknown(30),
    holes: "A missing, crashed or killed hook stops the call, since the entry's shell ends with 2; how long Windsurf waits, \
            and what it does then, its documents don't say.",
    by_hand: |_| {
        vec![
            "The time limit is not known, so the guard ends a call itself after half a minute at most, whatever \
             guard.deadline says.",
        ]
    },
    sample: |cwd| {
        json!({
            "agent_action_name": "pre_run_command", "trajectory_id": "zerto-guard-doctor", "execution_id": "1",
            "timestamp": "2026-01-01T00:00:00Z", "tool_info": {"command_line": "pwd", "cwd": cwd},
        })
    },
    ..COMMON
};
