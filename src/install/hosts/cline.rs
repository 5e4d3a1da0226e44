//! Cline's hooks: cline/cline, `.clinerules/hooks/README.md` (38efa3b): a program named after its event, in a folder, that
//! answers in JSON within 30 s.

use super::{COMMON, Event, Kind, Recipe, Scope, Waits, none};
use crate::hosts::Host;
use serde_json::json;

/// What is known of its settings.
pub(super) static RECIPE: Recipe = Recipe {
    host: Host::Cline,
    title: "Cline",
    place: |places, scope| match scope {
        Scope::User => places.folder("", "Documents/Cline/Hooks/PreToolUse"),
        Scope::Project => Ok(places.project.join(".clinerules/hooks/PreToolUse")),
        Scope::Managed => none(
            "Cline has no machine-wide folder for hooks that its documents name. Install it for the user or the project.",
        ),
    },
    kind: |_| Kind::Script,
    events: &[Event::before("PreToolUse", None), Event::after("PostToolUse", None)],
    waits: Waits::Always(30),
    holes: "A missing, crashed or killed guard cancels the call, since the script says so in its place; what Cline does when \
            the script itself is gone or takes longer than 30 s, its documents don't say.",
    by_hand: |_| {
        vec![
            "TO DO: switch hooks on in Cline's settings (Features, Enable Hooks), and see in its Hooks tab that PreToolUse is \
             listed. Until then no call is guarded.",
            "Cline waits 30 s, so that guard.deadline is cut to less.",
        ]
    },
    sample: |cwd| {
        json!({
            "clineVersion": "0", "hookName": "PreToolUse", "timestamp": "1767225600000", "taskId": "zerto-guard-doctor",
            "workspaceRoots": [cwd], "userId": "doctor",
            "preToolUse": {"toolName": "execute_command", "parameters": {"command": "pwd"}},
        })
    },
    ..COMMON
};
