//! Qwen Code: its hook JSON by its documents (QwenLM/qwen-code, docs/users/features/hooks.md) and its ways to be answered.
//!
//! It is Claude Code's with a `timestamp`, and Gemini CLI's tools. Exit 2 blocks and stdout is ignored then; without a prompt
//! (headless, subagents in the background) an `ask` is a deny, so it is never left to it.

use super::answers::by_system_message;
use super::fields::{When, canonical_tool_input, like_claudes, named_like_claudes};
use super::{Dialect, Event, Fit};
use crate::json::Json;

/// What this host says and understands. It waits 60 s by its documents.
pub(super) static DIALECT: Dialect = Dialect {
    name: "qwen",
    agent: "qwen",
    timeout: 60,
    settings: &["/.qwen/settings.json", "/hooks/hooks.json"],
    folders: &["/etc/qwen-code"],
    fits,
    read,
    answer: by_system_message,
    canonical_input: canonical_tool_input,
    prompt: |_, _| None,
};

/// VS Code and Copilot CLI send a time stamp too, but no mode.
fn fits(json: &Json) -> Fit {
    let has = |key: &str| json.get(key).is_some();
    let event = json.text("hook_event_name").unwrap_or_default();
    let alike =
        event.starts_with(char::is_uppercase) && has("session_id") && !has("turn_id") && !has("conversation_id");
    match alike && has("timestamp") {
        true if has("permission_mode") && event.contains("ToolUse") => Fit::Sure,
        _ => Fit::may(alike && !event.ends_with("Tool")),
    }
}

const EVENTS: &[(&str, When)] = &[
    ("PreToolUse", When::Before),
    ("PostToolUse", When::After),
    ("PostToolUseFailure", When::Failed),
    ("SessionStart", When::Never),
    ("SessionEnd", When::Never),
];

fn read(json: Json) -> Result<Event, String> {
    like_claudes(json, EVENTS, |name, _| Ok(named_like_claudes(name)))
}
