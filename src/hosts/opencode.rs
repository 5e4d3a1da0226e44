//! OpenCode: what the shim in `hooks/opencode` sends for each `tool.execute.before` (`{"plugin", "event", "tool", "sessionID", "callID",
//! "directory", "args"}`; names as in anomalyco/opencode, packages/plugin/src/index.ts), and its ways to be answered: the shim
//! throws, which stops the call, unless this program ended with 0.

use super::answers::by_exit_code;
use super::fields::{Fields, When, arguments, call, canonical_at, event, when};
use super::{Dialect, Event, Fit};
use crate::call::{Tool, ToolCall};
use crate::json::Json;

/// What this host says and understands. The time limit is the shim's.
pub(super) static DIALECT: Dialect = Dialect {
    name: "opencode",
    agent: "opencode",
    timeout: 180,
    settings: &["/opencode.json", "/opencode.jsonc"],
    folders: &["/.opencode/plugin", "/.opencode/plugins", "/opencode/plugin", "/opencode/plugins"],
    fits: |json| Fit::sure(json.text("plugin") == Some("zerto-guard")),
    read,
    answer: by_exit_code,
    canonical_input: |bytes, call| canonical_at(bytes, call, &[&["args"]]),
    prompt: |_, _| None,
};

const EVENTS: &[(&str, When)] = &[("tool.execute.before", When::Before)];

fn read(json: Json) -> Result<Event, String> {
    let mut fields = Fields::of(json)?;
    let when = when(fields.take("event"), "event", EVENTS)?;
    event(when, None, || {
        let name = fields.tool_name("tool")?;
        let input = arguments(fields.take("args"), "args")?;
        let (cwd, session, id) = (fields.filled("directory"), fields.text("sessionID"), fields.text("callID"));
        Ok(ToolCall { cwd, session, id, ..call(tool(&name), name, input) })
    })
}

/// Its own tools with a `_` in their names (packages/opencode/src/tool).
const OWN: &[&str] = &["apply_patch", "plan_enter", "plan_exit"];

/// Which tool is meant: a server's is `<server>_<tool>`, and `_` may be part of either.
fn tool(name: &str) -> Tool {
    if name.contains('_') && !OWN.contains(&name) {
        Tool::Underscored(name.to_owned())
    } else {
        Tool::Own(name.to_owned())
    }
}
