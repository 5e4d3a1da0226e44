//! Cline: its hook JSON by its documents (cline/cline, docs/features/hooks/hook-reference.mdx) and its ways to be answered.
//!
//! It alone takes a deny as JSON on stdout with exit 0. Its documents say that another exit code blocks too, its sources
//! (src/core/hooks/hook-factory.ts) that only the JSON does; without one, or with two, exit 0 lets the call run. So whatever
//! ends a hook that was started for it has to print
//! that JSON, a signal's handler included (`fail_closed`), and only where that can't be written it ends with 2.

use super::answers::{for_a_human, pass};
use super::fields::{Fields, When, arguments, arguments_or_text, call, canonical_at, event, when};
use super::{Answer, Dialect, Event, Fit, Output};
use crate::call::{Tool, ToolCall};
use crate::json::Json;

/// What this host says and understands. It waits 30 s (src/core/hooks/hook-factory.ts).
pub(super) static DIALECT: Dialect = Dialect {
    name: "cline",
    agent: "cline",
    timeout: 30,
    settings: &[],
    folders: &["/.clinerules/hooks", "/cline/hooks", "/cline/rules/hooks"],
    fits: |json| Fit::sure(json.get("hookName").is_some()),
    read,
    answer,
    canonical_input: |bytes, call| canonical_at(bytes, call, &[&["preToolUse", "parameters"]]),
    prompt: |_, _| None,
};

const EVENTS: &[(&str, When)] = &[
    ("PreToolUse", When::Before),
    ("PostToolUse", When::After),
    ("TaskStart", When::Never),
    ("TaskResume", When::Never),
    ("TaskCancel", When::Never),
    ("TaskComplete", When::Never),
];

fn read(json: Json) -> Result<Event, String> {
    let mut fields = Fields::of(json)?;
    let when = when(fields.take("hookName"), "hookName", EVENTS)?;
    let mut use_of_tool = match when {
        When::Never | When::Started | When::Failed => return Ok(Event::Other),
        When::Before => fields.object("preToolUse")?,
        When::After => fields.object("postToolUse")?,
    };
    let response = use_of_tool.take("result");
    event(when, response, || {
        let name = use_of_tool.tool_name("toolName")?;
        let input = arguments(use_of_tool.take("parameters"), "parameters")?;
        let (cwd, session) = (fields.only_folder("workspaceRoots"), fields.text("taskId"));
        Ok(ToolCall { cwd, session, ..tool_call(name, input)? })
    })
}

/// The call of a tool; a server's tool is called through one of Cline's own.
fn tool_call(name: String, input: Json) -> Result<ToolCall, String> {
    match name.as_str() {
        "use_mcp_tool" => {
            let mut fields = Fields::of(input)?;
            let tool = fields.tool_name("tool_name")?;
            let input = arguments_or_text(fields.take("arguments"), "arguments")?;
            let shown = match fields.filled("server_name") {
                Some(server) => (format!("{server}/{tool}"), Tool::OfServer { server, tool }),
                None => (tool.clone(), Tool::OfSomeServer(tool)),
            };
            Ok(call(shown.1, shown.0, input))
        }
        // What it says in the end may come with a command that shows the result.
        "attempt_completion" if !matches!(input.get("command"), None | Some(Json::Null)) => {
            Ok(call(Tool::Own("execute_command".into()), name, input))
        }
        _ => Ok(call(Tool::Own(name.clone()), name, input)),
    }
}

fn answer(answer: &Answer) -> Output {
    match answer {
        Answer::Pass => pass(),
        // The documents' way to tell the model something: it decides nothing.
        Answer::Told { model, .. } if !model.is_empty() => {
            json(&serde_json::json!({"cancel": false, "contextModification": model}))
        }
        Answer::Told { .. } => pass(),
        Answer::Deny(text) => cancel(text),
        Answer::Ask(reason) => cancel(&for_a_human(reason)),
    }
}

fn cancel(text: &str) -> Output {
    json(&serde_json::json!({"cancel": true, "errorMessage": format!("zerto-guard: {}", text.trim_end())}))
}

fn json(value: &serde_json::Value) -> Output {
    Output { stdout: format!("{value}\n"), ..pass() }
}
