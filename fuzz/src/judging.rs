//! A command as an agent's shell tool runs it, and what it is judged to be.

use zerto_guard::call::{Tool, ToolCall};
use zerto_guard::catalog::Catalog;
use zerto_guard::classify::targets::Places;
use zerto_guard::classify::{Nowhere, Surroundings, Verdict, classify};
use zerto_guard::json::Json;

/// A call of a tool of the host's own.
pub fn call(tool: &str, command: String) -> ToolCall {
    ToolCall {
        tool: Tool::Own(tool.into()),
        name: tool.into(),
        input: Json::Object(vec![("command".into(), Json::Text(command))]),
        cwd: Some("/project".into()),
        session: None,
        id: None,
        prompt: None,
        asks_human: false,
    }
}

/// The verdict of a tool's command.
pub fn judge_as(tool: &str, command: String, around: &dyn Surroundings) -> Verdict {
    classify(&call(tool, command), &Catalog::default(), &Places::default(), around).verdict
}

/// The verdict of shell text.
pub fn judge(command: String) -> Verdict {
    judge_as("Bash", command, &Nowhere)
}
