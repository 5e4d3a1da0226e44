//! Codex CLI: its hook JSON (measured on 0.171.0) and its ways to be answered.
//!
//! It is Claude Code's with `turn_id` and `model` beside it. An `ask`, and whatever else it does not expect on stdout, makes
//! it let the call run, so nothing is ever printed there.
//!
//! Of a shell call the hook is told the command alone: not the folder that the model chose for it (`cwd` is the turn's), and
//! nothing of what is typed into it later (openai/codex, codex-rs/core/src/tools/handlers, core/src/hook_runtime.rs). So its
//! shell is one that lives on.

use super::answers::by_exit_code;
use super::fields::{When, canonical_tool_input, in_lasting_shell, like_claudes, named_like_claudes};
use super::{Dialect, Event, Fit};
use crate::json::Json;

/// What this host says and understands. It waits 600 s (openai/codex,
/// codex-rs/hooks/src/engine/discovery.rs).
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
    let mut event = like_claudes(json, EVENTS, |name, _| Ok(named_like_claudes(name)))?;
    if let Some(call) = event.call_mut() {
        in_lasting_shell(call, &["Bash"]);
    }
    Ok(event)
}
