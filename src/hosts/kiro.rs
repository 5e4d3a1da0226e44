//! Kiro CLI and Amazon Q Developer CLI, from which it came: its hook JSON by the documents (aws/amazon-q-developer-cli,
//! docs/hooks.md) and its ways to be answered.
//!
//! Exit 2 blocks before a tool is called; what stands on stdout is shown to nobody then.

use super::answers::by_exit_code;
use super::fields::{When, canonical_tool_input, like_claudes};
use super::{Dialect, Event, Fit};
use crate::call::Tool;
use crate::json::Json;

/// What this host says and understands. It waits 30 s by its documents.
pub(super) static DIALECT: Dialect = Dialect {
    name: "kiro",
    agent: "kiro",
    timeout: 30,
    settings: &[],
    // The hooks stand in the files of agents.
    folders: &["/.kiro/agents", "/.kiro/hooks", "/.aws/amazonq/cli-agents", "/.amazonq/cli-agents"],
    fits,
    read,
    answer: by_exit_code,
    canonical_input: canonical_tool_input,
    prompt: |_, _| None,
};

/// Cursor's events of the same names have a conversation.
fn fits(json: &Json) -> Fit {
    let others = ["conversation_id", "generation_id", "cursor_version", "timestamp", "turn_id"];
    let event = json.text("hook_event_name").unwrap_or_default();
    Fit::sure(EVENTS.iter().any(|(name, _)| *name == event) && others.iter().all(|key| json.get(key).is_none()))
}

const EVENTS: &[(&str, When)] =
    &[("preToolUse", When::Before), ("postToolUse", When::After), ("agentSpawn", When::Never)];

fn read(json: Json) -> Result<Event, String> {
    like_claudes(json, EVENTS, |name, _| Ok(tool(name)))
}

/// Which tool is meant: `@server/tool` is a server's. With more slashes it can't be told where the server's name ends, and
/// the name is nobody's.
fn tool(name: &str) -> Tool {
    match name.strip_prefix('@').and_then(|rest| rest.split_once('/')) {
        Some((server, tool)) if !server.is_empty() && !tool.is_empty() && !tool.contains('/') => {
            Tool::OfServer { server: server.to_owned(), tool: tool.to_owned() }
        }
        _ => Tool::Own(name.to_owned()),
    }
}
