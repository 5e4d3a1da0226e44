//! Codex CLI: its hook JSON (measured on 0.171.0) and its ways to be answered.
//!
//! It is Claude Code's with `turn_id` and `model` beside it. An `ask`, and whatever else it does not expect on stdout, makes
//! it let the call run, so nothing is ever printed there.

use super::answers::by_exit_code;
use super::fields::{Fields, When, arguments, call, canonical_tool_input, event, named_like_claudes, when};
use super::{Dialect, Event, Fit};
use crate::call::ToolCall;
use crate::json::Json;

/// What this host says and understands. It waits 600 s by its documents (developers.openai.com/codex/hooks).
pub(super) static DIALECT: Dialect = Dialect {
    name: "codex",
    agent: "codex",
    timeout: 600,
    settings: &["/.codex/hooks.json", "/.codex/config.toml"],
    folders: &["/etc/codex"],
    fits,
    read,
    answer: by_exit_code,
    canonical_input: canonical_tool_input,
    prompt: |_, _| None,
};

/// Events outside a turn have no `turn_id`, and look like Claude Code's.
fn fits(json: &Json) -> Fit {
    let has = |key: &str| json.get(key).is_some();
    let like_claudes = json.text("hook_event_name").is_some_and(|name| name.starts_with(char::is_uppercase));
    match like_claudes && has("session_id") && !has("timestamp") && !has("conversation_id") {
        true if has("turn_id") => Fit::Sure,
        other => Fit::may(other),
    }
}

const EVENTS: &[(&str, When)] =
    &[("PreToolUse", When::Before), ("PostToolUse", When::After), ("SessionStart", When::Never)];

fn read(json: Json) -> Result<Event, String> {
    let mut fields = Fields::of(json)?;
    let when = when(fields.take("hook_event_name"), "hook_event_name", EVENTS)?;
    let response = fields.take("tool_response");
    event(when, response, || {
        let name = fields.tool_name("tool_name")?;
        let input = arguments(fields.take("tool_input"), "tool_input")?;
        let (cwd, session, id) = (fields.text("cwd"), fields.text("session_id"), fields.text("tool_use_id"));
        Ok(ToolCall { cwd, session, id, ..call(named_like_claudes(&name), name, input) })
    })
}
