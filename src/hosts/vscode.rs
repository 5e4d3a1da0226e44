//! The agent of VS Code: its hook JSON by its documents (microsoft/vscode-docs, docs/agent-customization/hooks.md; sources:
//! microsoft/vscode-copilot-chat, chatHookService) and its ways to be answered.
//!
//! It also runs the hooks that are set for Claude Code, for every tool, whatever their matcher, with its own tools' names.
//! The documents write `hookEventName` and `sessionId`, the sources `hook_event_name` and `session_id`; both are read.

use super::answers::by_exit_code;
use super::fields::{
    Fields, When, apart, arguments_or_text, call, canonical_tool_input, event, in_lasting_shell, when,
};
use super::{Answer, Dialect, Event, Fit, Output, claude_code};
use crate::call::{Tool, ToolCall};
use crate::json::Json;

/// What this host says and understands. It waits 30 s by its documents.
pub(super) static DIALECT: Dialect = Dialect {
    name: "vscode",
    agent: "vscode",
    timeout: 30,
    settings: &["/.claude/settings.json", "/.claude/settings.local.json", "/hooks/hooks.json"],
    folders: &["/.github/hooks", "/.copilot/hooks"],
    fits,
    read,
    answer,
    canonical_input: canonical_tool_input,
    prompt: |_, _| None,
};

fn fits(json: &Json) -> Fit {
    let has = |key: &str| json.get(key).is_some();
    let others = ["permission_mode", "permissionMode", "turn_id", "conversation_id", "toolName"];
    if !has("timestamp") || others.iter().any(|key| has(key)) {
        return Fit::No;
    }
    if has("hookEventName") {
        return Fit::Sure;
    }
    let event = json.text("hook_event_name").unwrap_or_default();
    match event.ends_with("ToolUse") && (has("tool_use_id") || has("transcript_path")) {
        true => Fit::Sure,
        false => Fit::may(event.starts_with(char::is_uppercase)),
    }
}

const EVENTS: &[(&str, When)] =
    &[("PreToolUse", When::Before), ("PostToolUse", When::After), ("SessionStart", When::Never)];

fn read(json: Json) -> Result<Event, String> {
    let mut fields = Fields::of(json)?;
    let when = when(fields.one_of(&["hookEventName", "hook_event_name"])?, "hookEventName", EVENTS)?;
    let response = fields.take("tool_response");
    event(when, response, || {
        let name = fields.tool_name("tool_name")?;
        let input = arguments_or_text(fields.take("tool_input"), "tool_input")?;
        let session = fields.one_of(&["sessionId", "session_id"])?.and_then(super::fields::text);
        let (cwd, id) = (fields.text("cwd"), fields.text("tool_use_id"));
        // How it joins the names of a server and its tool is not documented, so such a name is nobody's.
        let tool = apart(Tool::Own(name.clone()), "vscode", &["Agent", "Task"]);
        let mut pending = ToolCall { cwd, session, id, ..call(tool, name, input) };
        in_lasting_shell(&mut pending, &["run_in_terminal", "runTerminalCommand"]);
        Ok(pending)
    })
}

/// What is said after a guard has the form of Claude Code's.
fn answer(answer: &Answer) -> Output {
    match answer {
        Answer::Told { .. } => claude_code::answer(answer),
        other => by_exit_code(other),
    }
}
