//! Gemini CLI: its hook JSON (measured on 0.61.0; google-gemini/gemini-cli, docs/hooks/reference.md) and its ways to be
//! answered.
//!
//! JSON on stdout wins over the exit code here, so a deny prints none; `systemMessage` beside exit 0 decides nothing.

use super::answers::by_system_message;
use super::fields::{When, canonical_tool_input, like_claudes};
use super::{Dialect, Event, Fit};
use crate::call::Tool;
use crate::json::Json;

/// What this host says and understands. It waits 60 s by its documents.
pub(super) static DIALECT: Dialect = Dialect {
    name: "gemini-cli",
    agent: "gemini",
    timeout: 60,
    settings: &["/.gemini/settings.json", "/hooks/hooks.json"],
    folders: &["/etc/gemini-cli"],
    fits,
    read,
    answer: by_system_message,
    canonical_input: canonical_tool_input,
    prompt: |_, _| None,
};

/// The names of its tool events are its alone, and every event has a time stamp.
fn fits(json: &Json) -> Fit {
    if json.get("session_id").is_none() || json.get("timestamp").is_none() {
        return Fit::No;
    }
    match json.text("hook_event_name") {
        Some("BeforeTool" | "AfterTool") => Fit::Sure,
        Some("SessionStart" | "SessionEnd") => Fit::May,
        _ => Fit::No,
    }
}

const EVENTS: &[(&str, When)] = &[
    ("BeforeTool", When::Before),
    ("AfterTool", When::After),
    ("SessionStart", When::Never),
    ("SessionEnd", When::Never),
];

fn read(json: Json) -> Result<Event, String> {
    like_claudes(json, EVENTS, |name, fields| tool(name, fields.take("mcp_context")))
}

/// Which tool is meant: `mcp_context` names a server's (packages/core/src/hooks/types.ts), else the name is
/// `mcp_<server>_<tool>`, older `mcp__<server>__<tool>`.
fn tool(name: &str, context: Option<Json>) -> Result<Tool, String> {
    let Some(context) = context.filter(|context| *context != Json::Null) else {
        let joined = name.strip_prefix("mcp__").map(|joined| Tool::Joined(joined.to_owned()));
        let joined = joined.or_else(|| name.strip_prefix("mcp_").map(|joined| Tool::Underscored(joined.to_owned())));
        return Ok(joined.unwrap_or_else(|| Tool::Own(name.to_owned())));
    };
    let named = |key: &str| context.text(key).filter(|name| !name.is_empty()).map(str::to_owned);
    match (named("server_name"), named("tool_name")) {
        (Some(server), Some(tool)) => Ok(Tool::OfServer { server, tool }),
        _ => Err("the mcp_context does not name its server and tool".into()),
    }
}
