//! Windsurf's Cascade: its hook JSON by its documents (docs.windsurf.com/windsurf/cascade/hooks; types as in
//! CorridorSecurity/hookshot, docs/reference-cascade.md) and its ways to be answered.
//!
//! The event says the tool: a command, a file written or read, or a server's tool.

use super::answers::by_exit_code;
use super::fields::{Fields, When, arguments_or_text, call, canonical_at, event, when};
use super::{Dialect, Event, Fit};
use crate::call::Tool;
use crate::json::Json;

/// What this host says and understands. How long it waits is not documented: the shortest of all that is known
/// of other hosts.
pub(super) static DIALECT: Dialect = Dialect {
    name: "windsurf",
    agent: "windsurf",
    timeout: 30,
    settings: &["/.windsurf/hooks.json", "/.codeium/windsurf/hooks.json", "/.codeium/hooks.json"],
    folders: &["/etc/windsurf", "/application support/windsurf"],
    fits: |json| Fit::sure(json.get("agent_action_name").is_some()),
    read,
    answer: by_exit_code,
    canonical_input: |bytes, call| match call.tool {
        Tool::Own(_) => canonical_at(bytes, call, &[&["tool_info"]]),
        _ => canonical_at(bytes, call, &[&["tool_info", "mcp_tool_arguments"]]),
    },
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
            match info.filled("mcp_server_name") {
                // An answer to a call is bound to its name.
                Some(server) => call(
                    Tool::OfServer { server: server.clone(), tool: tool.clone() },
                    format!("{server}/{tool}"),
                    input,
                ),
                None => call(Tool::OfSomeServer(tool.clone()), tool, input),
            }
        } else {
            call(Tool::Own(kind.clone()), kind, info.into_json())
        };
        pending.cwd = cwd;
        pending.session = fields.text("trajectory_id");
        Ok(pending)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_bound_to_the_command_whatever_stands_beside_it() {
        let canonical = |command: &str| {
            let json = format!(
                r#"{{"agent_action_name":"pre_run_command","tool_info":{{"command_line":"{command}","mcp_tool_arguments":null}}}}"#
            );
            let (host, event) = super::super::read(None, Json::parse(json.as_bytes()).unwrap()).unwrap();
            let Event::Pending(call) = event else { panic!("{event:?}") };
            super::super::canonical_input(host, json.as_bytes(), &call).unwrap()
        };
        assert_ne!(canonical("a"), canonical("b"));
    }
}
