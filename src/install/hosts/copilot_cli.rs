//! Copilot CLI's hooks: GitHub's hooks reference (github/docs, `content/copilot/reference/hooks-reference.md`, 05da5bc).
//!
//! VS Code reads the same files in a project and below the home folder, so that the entry there doesn't name its host.

use super::{COMMON, Event, Fields, Kind, Recipe, Scope, Unit, Waits};
use crate::hosts::Host;
use serde_json::json;

/// What is known of its settings.
pub(super) static RECIPE: Recipe = Recipe {
    host: Host::CopilotCli,
    title: "Copilot CLI",
    variables: &["COPILOT_HOME"],
    place: |places, scope| match scope {
        Scope::User => places.folder("COPILOT_HOME", ".copilot").map(|folder| folder.join("hooks/zerto-guard.json")),
        Scope::Project => Ok(places.project.join(".github/hooks/zerto-guard.json")),
        Scope::Managed => Ok(places.root.join("etc/github-copilot/policy.d/zerto-guard.json")),
    },
    kind: |_| Kind::Flat,
    events: EVENTS,
    fields: FIELDS,
    version: Some(1),
    says_host: false,
    waits: Waits::AsSet(30),
    holes: "A missing, crashed or killed hook stops the call; one that is held up past its time limit lets it run (by its \
            documents).",
    by_hand: |scope| match scope {
        Scope::User => vec!["VS Code's agent reads this file too, and is guarded by the same entry."],
        Scope::Project => vec![
            "VS Code's agent reads this file too, and is guarded by the same entry.",
            "Copilot's cloud agent reads it as well. There the program is missing, so that every call of it is stopped.",
        ],
        Scope::Managed => vec!["`disableAllHooks` does not reach policy hooks (by its documents)."],
    },
    sample: |cwd| {
        json!({
            "sessionId": "zerto-guard-doctor", "timestamp": 1_767_225_600_000_u64, "cwd": cwd, "toolName": "bash",
            "toolArgs": {"command": "pwd"},
        })
    },
    ..COMMON
};

/// In the spelling that Copilot answers in its own words; VS Code takes it as `PreToolUse`.
pub(super) const EVENTS: &[Event] =
    &[Event::before("preToolUse", None), Event::after("postToolUse", None), Event::after("postToolUseFailure", None)];

/// `timeoutSec` is Copilot's (`timeout` only in newer versions), `timeout` VS Code's.
pub(super) const FIELDS: Fields =
    Fields { typed: true, command: "bash", timeout: &["timeoutSec", "timeout"], unit: Unit::Seconds, more: &[] };
