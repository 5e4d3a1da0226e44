//! Whether a call of a tool changes a guest.

use super::{Hints, Spec, filled, given, input, list_of, maybe, some};
use crate::answer::{Answer, Refused};
use crate::call::Call;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use zerto_guard::classify::Verdict;
use zerto_guard::config::UnknownPolicy;
use zerto_guard::errands::check::{Judge, call, explain, verdict_object};
use zerto_guard::errands::{self, Done};
use zerto_guard::json::Json;
use zerto_guard::text::clean;
use zerto_guard::ui::{Failure, Paint};

pub const CHECK: Spec = Spec {
    name: "zerto_check_tool",
    title: "Does this tool change a server?",
    description: "Use it before you call a tool that may change a server (a guest VM), with what you are about to give it. It answers \
        read_only (call it), mutating (call zerto_guard_before_mutate first) or unknown (put the question of the answer to the \
        human first). It changes nothing and asks no ZVM.",
    hints: Hints { read_only: true, destructive: false, idempotent: true, open_world: false },
    input: input::<Arguments>,
    output: || {
        json!({
            "verdict": {"type": "string", "enum": ["read_only", "mutating", "unknown"]},
            "reason": {"type": "string"},
            "targets": {"type": "array", "items": {"type": "string"}, "description": "the guests, as the call names them"},
            "action": {"type": "string"},
            "decided_by": {"type": ["object", "null"]},
            "understood_if": maybe("string"),
            "commands": list_of(json!({"text": {"type": "string"}, "where": {"type": "string"}, "verdict": {"type": "string"},
                "reason": {"type": "string"}})),
            "question": {"type": ["string", "null"], "description": "to put to the human, if nobody knows what it does"},
        })
    },
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The MCP server that has the tool, as it is configured in this client; empty for a tool of the client itself
    server: String,
    /// The tool's name
    tool: String,
    /// The guest VM that it would act on, if you know it
    vm: Option<String>,
    /// What the tool is about to be given. Without it a tool that runs a script or a command can only be unknown
    input: Option<serde_json::Map<String, Value>>,
}

fn run(asks: &Arc<Call>, arguments: JsonObject) -> Result<Answer, Refused> {
    let Arguments { server, tool, vm, input } = given(arguments)?;
    let (tool, vm) = (filled("tool", &tool)?, some(vm.as_ref()));
    let cwd = std::env::current_dir().ok().and_then(|folder| folder.to_str().map(str::to_owned));
    let judge = Judge::new(&asks.files, cwd.as_deref())?;
    let input = Value::Object(input.unwrap_or_default()).to_string();
    let input =
        Json::parse(input.as_bytes()).map_err(|error| Failure::new(64, format!("input can't be read: {error}"), ""))?;
    let known = judge.judge(&call(&judge.catalog, tool.to_owned(), Some(server.trim().to_owned()), input, cwd));
    let guests: Vec<String> = if known.targets.is_empty() { vm.into_iter().collect() } else { known.targets.clone() };
    let on = if guests.is_empty() { "the guest".to_owned() } else { clean(&guests.join(", "), 200) };
    let guards = errands::config(&asks.files)?.guard.unknown == UnknownPolicy::Guard && !guests.is_empty();
    let (question, next) = match known.verdict {
        Verdict::ReadOnly => (None, "Call it: no checkpoint is needed.".to_owned()),
        Verdict::Unknown if !guards => (
            Some(question(tool, server.trim(), &on, &known.reason)),
            "Put the question to the human, word for word, and wait for the answer. After a yes: zerto_guard_before_mutate, then the \
             tool. After a no: the tool alone. To have the answer remembered: zerto_add_mutating_tool, or zerto_add_read_only_tool if \
             it only reads."
                .to_owned(),
        ),
        Verdict::Mutating | Verdict::Unknown => (
            None,
            format!("First zerto_guard_before_mutate with vm = {on}; call the tool only once that has answered ok."),
        ),
    };
    let mut object = verdict_object(&known);
    if let Some(fields) = object.as_object_mut() {
        fields.extend([("ok".to_owned(), json!(true)), ("question".to_owned(), json!(question))]);
    }
    let asked = question.map(|question| format!("\nQuestion for the human: {question}")).unwrap_or_default();
    let text = format!("{}{asked}", explain(&known, Paint::NONE));
    Ok(Answer::new(Done { text, object }, next))
}

/// What the human is asked of a tool that nobody has classified.
fn question(tool: &str, server: &str, on: &str, reason: &str) -> String {
    let of = if server.is_empty() { String::new() } else { format!(" of {}", clean(server, 80)) };
    format!(
        "Whether {}{of} changes a server is not known ({}). Shall a Zerto tagged checkpoint of {on} be inserted first, so that this \
         is reversible? Yes: it can be rewound from that tag. No: it runs, and Zerto cannot rewind it.",
        clean(tool, 100),
        clean(reason, 300),
    )
}
