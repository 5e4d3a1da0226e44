//! Cursor: its hook JSON by its documents (cursor.com/docs/hooks; types as in CorridorSecurity/hookshot, cursor/types.go) and
//! its ways to be answered.
//!
//! `preToolUse` is called for every tool, the older `beforeShellExecution`, `beforeMCPExecution` and `beforeReadFile` for one
//! kind each. It also runs the hooks that are set for Claude Code, with fields of its own beside theirs.

use super::answers::by_exit_code;
use super::fields::{Fields, When, apart, arguments_or_text, call, canonical_at, canonical_tool_input, event, when};
use super::{Dialect, Event, Fit};
use crate::call::{Tool, ToolCall};
use crate::json::Json;

/// What this host says and understands. How long it waits is not documented: the shortest of all that
/// is known of other hosts.
pub(super) static DIALECT: Dialect = Dialect {
    name: "cursor",
    agent: "cursor",
    timeout: 30,
    settings: &["/.cursor/hooks.json"],
    folders: &["/etc/cursor"],
    fits,
    read,
    answer: by_exit_code,
    canonical_input,
    prompt: |_, _| None,
};

fn fits(json: &Json) -> Fit {
    let has = |key: &str| json.get(key).is_some();
    let its_own = ["conversation_id", "generation_id", "cursor_version"].iter().any(|key| has(key));
    match has("hook_event_name") {
        true if its_own => Fit::Sure,
        other => Fit::may(other),
    }
}

const EVENTS: &[(&str, When)] = &[
    ("preToolUse", When::Before),
    ("beforeShellExecution", When::Before),
    ("beforeMCPExecution", When::Before),
    ("beforeReadFile", When::Before),
    ("postToolUse", When::After),
    ("afterMCPExecution", When::After),
    ("postToolUseFailure", When::Failed),
    ("afterShellExecution", When::Never),
    ("afterFileEdit", When::Never),
    ("sessionStart", When::Never),
    ("sessionEnd", When::Never),
    // As the hooks of Claude Code are called.
    ("PreToolUse", When::Before),
    ("PostToolUse", When::After),
    ("SessionStart", When::Never),
];

fn read(json: Json) -> Result<Event, String> {
    let mut fields = Fields::of(json)?;
    let name = fields.take("hook_event_name");
    let kind = name.as_ref().and_then(Json::as_text).unwrap_or_default().to_owned();
    let when = when(name, "hook_event_name", EVENTS)?;
    let response = fields.one_of(&["tool_response", "tool_output", "result_json"])?;
    event(when, response, || {
        let mut pending = match kind.as_str() {
            "beforeShellExecution" => one_argument("Shell", "command", &mut fields)?,
            "beforeReadFile" => one_argument("Read", "file_path", &mut fields)?,
            _ => {
                let name = fields.tool_name("tool_name")?;
                let input = arguments_or_text(fields.take("tool_input"), "tool_input")?;
                let of_a_server = matches!(kind.as_str(), "beforeMCPExecution" | "afterMCPExecution");
                call(tool(&name, of_a_server)?, name, input)
            }
        };
        let roots = fields.only_folder("workspace_roots");
        pending.cwd = fields.filled("cwd").or(roots);
        pending.session = fields.filled("session_id").or(fields.filled("conversation_id"));
        pending.id = fields.text("tool_use_id");
        Ok(pending)
    })
}

/// A call of which the event says the tool.
fn one_argument(tool: &str, key: &str, fields: &mut Fields) -> Result<ToolCall, String> {
    let value = fields.text(key).ok_or_else(|| format!("the hook's input has no {key}"))?;
    let input = Json::Object(vec![(key.into(), Json::Text(value))]);
    Ok(call(Tool::Own(tool.into()), tool.into(), input))
}

/// Which tool is meant. The server is never named by the name that its clients give it, but by its URL or its command line.
fn tool(name: &str, of_a_server: bool) -> Result<Tool, String> {
    if let Some(joined) = name.strip_prefix("mcp__") {
        return Ok(Tool::Joined(joined.to_owned()));
    }
    let short = name.strip_prefix("MCP:").map(str::trim_start);
    match short.or(of_a_server.then_some(name)) {
        Some("") => Err("the tool_name names no tool".into()),
        Some(tool) => Ok(Tool::OfSomeServer(tool.to_owned())),
        // Whether its sub-agents' calls are hooked is not documented.
        None => Ok(apart(Tool::Own(name.to_owned()), "cursor", &["Agent", "Task"])),
    }
}

fn canonical_input(bytes: &[u8], call: &ToolCall) -> Result<String, String> {
    match (&call.tool, &call.input) {
        // It was put together from texts.
        (Tool::Own(_), Json::Object(fields)) if matches!(fields.as_slice(), [(_, Json::Text(_))]) => {
            Ok(call.input.shown())
        }
        // A server is told by these alone.
        _ => {
            let server = canonical_at(bytes, call, &[&["url"], &["command"]])?;
            Ok(format!("{}{server}", canonical_tool_input(bytes, call)?))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_bound_to_the_server() {
        let canonical = |server: &str| {
            let json = format!(
                r#"{{"conversation_id":"c","hook_event_name":"beforeMCPExecution","tool_name":"run","tool_input":"{{\"text\":\"x\"}}"{server}}}"#
            );
            let (host, event) = super::super::read(None, Json::parse(json.as_bytes()).unwrap()).unwrap();
            let Event::Pending(call) = event else { panic!("{event:?}") };
            super::super::canonical_input(host, json.as_bytes(), &call).unwrap()
        };
        let servers =
            ["", r#","url":"https://a/mcp""#, r#","url":"https://b/mcp""#, r#","command":"b""#].map(canonical);
        for (at, one) in servers.iter().enumerate() {
            assert!(servers.iter().skip(at + 1).all(|other| other != one), "{servers:?}");
        }
    }
}
