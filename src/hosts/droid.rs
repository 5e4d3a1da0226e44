//! Factory Droid: its hook JSON by its documents (Factory-AI/factory, docs/cli/configuration/hooks-reference.mdx) and its ways
//! to be answered.
//!
//! The documents write the fields in snake_case, as Claude Code does; others have seen `hookEventName`, `sessionId` and
//! `permissionMode`. Both are read. In snake_case it can't be told from Claude Code without `--host`: it is then read and
//! answered as that, but never with a prompt, since its calls have no `tool_use_id`.

use super::answers::by_system_message;
use super::fields::{
    Fields, When, apart, arguments, call, canonical_tool_input, event, named_like_claudes, text, when,
};
use super::{Dialect, Event, Fit};
use crate::call::ToolCall;
use crate::json::Json;

/// What this host says and understands. How long it waits is not in its reference; 60 s is what its guide says.
pub(super) static DIALECT: Dialect = Dialect {
    name: "droid",
    agent: "droid",
    timeout: 60,
    settings: &[
        "/.factory/settings.json",
        "/.factory/settings.local.json",
        "/.factory/hooks.json",
        "/hooks/hooks.json",
    ],
    folders: &["/etc/factory"],
    fits,
    read,
    answer: by_system_message,
    canonical_input: canonical_tool_input,
    prompt: |_, _| None,
};

fn fits(json: &Json) -> Fit {
    let has = |key: &str| json.get(key).is_some();
    if ["timestamp", "turn_id", "conversation_id", "toolName"].iter().any(|key| has(key)) {
        return Fit::No;
    }
    match has("hookEventName") && has("sessionId") {
        true if has("permissionMode") => Fit::Sure,
        camel => Fit::may(camel || (has("hook_event_name") && has("session_id"))),
    }
}

const EVENTS: &[(&str, When)] = &[
    ("PreToolUse", When::Before),
    ("PostToolUse", When::After),
    ("SessionStart", When::Never),
    ("SessionEnd", When::Never),
];

fn read(json: Json) -> Result<Event, String> {
    let mut fields = Fields::of(json)?;
    let when = when(fields.one_of(&["hookEventName", "hook_event_name"])?, "hookEventName", EVENTS)?;
    let response = fields.take("tool_response");
    event(when, response, || {
        let name = fields.tool_name("tool_name")?;
        let input = arguments(fields.take("tool_input"), "tool_input")?;
        let session = fields.one_of(&["sessionId", "session_id"])?.and_then(text);
        let cwd = fields.text("cwd");
        // Whether its sub-agents' calls are hooked is not documented.
        let tool = apart(named_like_claudes(&name), "droid", &["Agent", "Task"]);
        Ok(ToolCall { cwd, session, ..call(tool, name, input) })
    })
}
