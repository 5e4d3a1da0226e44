//! What came of a call, as MCP has it: text for the model and the human, the same as structured content, and what to do next.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use zerto_guard::errands::guard::Failed;
use zerto_guard::errands::{Done, with};
use zerto_guard::text::clean;
use zerto_guard::ui::Failure;

/// More than any name, path or sentence has.
const LONGEST: usize = 20_000;

/// What came of a call.
pub struct Answer {
    /// As on the command line.
    pub text: String,
    /// As `--json` has it; an object.
    pub object: Value,
    /// What to do next.
    pub next: String,
}

impl Answer {
    /// What came of an errand, whose object is one.
    pub fn new(done: Done, next: impl Into<String>) -> Self {
        Self { text: done.text, object: done.object, next: next.into() }
    }

    /// What came of an errand whose object is a list.
    pub fn list(done: Done, name: &str, next: impl Into<String>) -> Self {
        let object = json!({"ok": true, name: done.object});
        Self { text: done.text, object, next: next.into() }
    }
}

/// A call that did not do what was asked.
pub struct Refused {
    failure: Failure,
    object: Option<Value>,
}

impl<F: Into<Failure>> From<F> for Refused {
    fn from(failure: F) -> Self {
        Self { failure: failure.into(), object: None }
    }
}

impl Refused {
    /// As programs read it, where more is known than the text says.
    pub fn with(failure: impl Into<Failure>, object: Value) -> Self {
        Self { failure: failure.into(), object: Some(object) }
    }

    /// A guard that failed.
    pub fn guard(failed: Failed) -> Self {
        Self { failure: failed.failure, object: failed.object }
    }
}

/// The result of a tool's call.
pub fn result(came: Result<Answer, Refused>, notes: Vec<String>) -> CallToolResult {
    match came {
        Ok(answer) => {
            let mut lines = vec![answer.text.trim_end().to_owned()];
            lines.extend(notes.iter().map(|note| format!("Note: {note}")));
            lines.push(format!("Next: {}", answer.next));
            let object = with(answer.object, json!({"next": answer.next, "notes": notes}));
            result_of(lines, object, false)
        }
        Err(refused) => {
            let Failure { message, mut hint, code } = refused.failure;
            if hint.trim().is_empty() {
                hint = "Tell the human what it says.".to_owned();
            }
            let mut lines = vec![message.clone(), hint.clone()];
            lines.extend(notes.iter().map(|note| format!("Note: {note}")));
            let failed = json!({
                "ok": false, "error": message, "hint": hint, "exit_code": code, "next": hint, "notes": notes,
            });
            result_of(lines, with(refused.object.unwrap_or_else(|| json!({})), failed), true)
        }
    }
}

fn result_of(lines: Vec<String>, mut object: Value, is_error: bool) -> CallToolResult {
    let lines: Vec<String> = lines.into_iter().filter(|line| !line.trim().is_empty()).collect();
    // Line by line: what a ZVM or a guest said was cleaned where it was put into the text, and its lines are ours.
    let text: Vec<String> = lines.join("\n").lines().map(|line| clean(line, LONGEST)).collect();
    cleaned(&mut object);
    let content = vec![ContentBlock::text(text.join("\n"))];
    let mut result = if is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = Some(object);
    result
}

/// Takes out of every text what a client must not show: its programs are not ours.
fn cleaned(value: &mut Value) {
    match value {
        Value::String(text) if text.chars().any(|c| c == '\n') => {
            *text = text.lines().map(|line| clean(line, LONGEST)).collect::<Vec<_>>().join("\n");
        }
        Value::String(text) => *text = clean(text, LONGEST),
        Value::Array(items) => items.iter_mut().for_each(cleaned),
        Value::Object(fields) => fields.values_mut().for_each(cleaned),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
