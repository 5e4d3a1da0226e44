//! The hooks of VS Code's agent: microsoft/vscode-docs, `docs/agent-customization/hooks.md` (00a75e3). It reads Copilot CLI's
//! files, spelling included, and those of Claude Code with their matchers ignored.

use super::copilot_cli::{EVENTS, FIELDS};
use super::{COMMON, Kind, Recipe, Scope, Waits, none};
use crate::hosts::Host;
use serde_json::json;

/// What is known of its settings.
pub(super) static RECIPE: Recipe = Recipe {
    host: Host::VsCode,
    title: "VS Code's agent",
    place: |places, scope| match scope {
        Scope::User => places.folder("", ".copilot/hooks/zerto-guard.json"),
        Scope::Project => Ok(places.project.join(".github/hooks/zerto-guard.json")),
        Scope::Managed => none(
            "VS Code has no machine-wide file for hooks that its documents name. Install it for the user or the project; \
             its enterprise policies decide whether hooks run at all.",
        ),
    },
    kind: |_| Kind::Flat,
    events: EVENTS,
    fields: FIELDS,
    version: Some(1),
    says_host: false,
    waits: Waits::AsSet(30),
    holes: "A missing, crashed or killed hook stops the call, since the entry's shell ends with 2; what happens when one is \
            held up past its time limit, its documents don't say.",
    by_hand: |scope| {
        let mut notes = vec![
            "Copilot CLI reads this file too, and is guarded by the same entry.",
            "VS Code reads Claude Code's settings as well, unless chat.hookFilesLocations says otherwise; an entry of Claude \
             Code's there is not for it. In VS Code, set ~/.claude/settings.json, .claude/settings.json and \
             .claude/settings.local.json to false in chat.hookFilesLocations.",
        ];
        if scope == Scope::Project {
            notes.push(
                "Copilot's cloud agent reads it as well. There the program is missing, so that every call of it is stopped.",
            );
        }
        notes
    },
    sample: |cwd| {
        json!({
            "timestamp": "2026-01-01T00:00:00.000Z", "cwd": cwd, "sessionId": "zerto-guard-doctor",
            "hookEventName": "PreToolUse", "transcript_path": "/dev/null", "tool_name": "runTerminalCommand",
            "tool_input": {"command": "pwd"}, "tool_use_id": "tool-doctor",
        })
    },
    ..COMMON
};
