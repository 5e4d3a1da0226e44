//! Windsurf's Cascade: its hook JSON by its documents (docs.windsurf.com/windsurf/cascade/hooks; types as in
//! CorridorSecurity/hookshot, docs/reference-cascade.md) and its ways to be answered.
//!
//! The event says the tool: a command, a file written or read, or a server's tool.

use super::answers::by_exit_code;
use super::fields::{Fields, When, arguments_or_text, call, canonical_at, event, when};
use super::{Dialect, Event, Fit};
use crate::call::Tool;
use crate::json::Json;

/// What this host says and understands. How long it waits is not documented.
pub(super) static DIALECT: Dialect = Dialect {
    name: "windsurf",
    agent: "windsurf",
    timeout: 60,
    settings: &["/.windsurf/hooks.json", "/.codeium/windsurf/hooks.json", "/.codeium/hooks.json"],
    folders: &["/etc/windsurf", "/application support/windsurf"],
    fits: |json| Fit::sure(json.get("agent_action_name").is_some()),
    read,
    answer: by_exit_code,
    canonical_input: |bytes, call| canonical_at(bytes, call, &[&["tool_info", "mcp_tool_arguments"], &["tool_info"]]),
    prompt: |_, _| None,
};

const EVENTS: &[(&str, When)] = &[
    ("pre_run_command", When::Before),
    ("pre_write_code", When::Before),
    ("pre_read_code", When::Before),
    ("pre_mcp_tool_use", When::Before),
    ("post_mcp_tool_use", When::After),
    ("post_run_command", When::Never),
    ("post_write_code", When::Never),
    ("post_read_code", When::Never),
    ("post_cascade_response", When::Never),
    ("post_setup_worktree", When::Never),
];

fn read(json: Json) -> Result<Event, String> {
    let mut fields = Fields::of(json)?;
    let name = fields.take("agent_action_name");
    let kind = name.as_ref().and_then(Json::as_text).unwrap_or_default().to_owned();
    let when = when(name, "agent_action_name", EVENTS)?;
    if when == When::Never {
        return Ok(Event::Other);
    }
    let mut info = fields.object("tool_info")?;
    let response = info.take("mcp_result");
    event(when, response, || {
        let cwd = info.has("cwd").then(|| info.filled("cwd")).flatten();
        let mut pending = if kind.ends_with("_mcp_tool_use") {
            let tool = info.tool_name("mcp_tool_name")?;
            let input = arguments_or_text(info.take("mcp_tool_arguments"), "mcp_tool_arguments")?;
            let name = tool.clone();
            call(
                match info.filled("mcp_server_name") {
                    Some(server) => Tool::OfServer { server, tool },
                    None => Tool::OfSomeServer(tool),
                },
                name,
                input,
            )
        } else {
            call(Tool::Own(kind.clone()), kind, info.into_json())
        };
        pending.cwd = cwd;
        pending.session = fields.text("trajectory_id");
        Ok(pending)
    })
}
