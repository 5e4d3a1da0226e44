//! Whether a call of a tool changes a guest.

use super::{Hints, Spec, filled, given, input, list_of, maybe, some};
use crate::answer::{Answer, Refused};
use crate::call::Call;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use zerto_guard::config::{Mode, UnknownPolicy};
use zerto_guard::decide::{Decision, Policy, decide};
use zerto_guard::errands::check::{Judge, call, explain, verdict_object};
use zerto_guard::errands::{self, Done, with};
use zerto_guard::guard::redact;
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
    let named = known.guests();
    let guests: Vec<String> = if named.is_empty() { vm.into_iter().collect() } else { named };
    let on = if guests.is_empty() { "the guest".to_owned() } else { clean(&guests.join(", "), 200) };
    // Whatever the hook only observes: what is asked here is what would be right.
    let policy = Policy { unknown: errands::config(&asks.files)?.guard.unknown, mode: Mode::Enforce };
    let wanted = decide(&known, policy);
    // The agent says which guest it is where the call does not.
    let said = known.targets.is_empty() && !known.open && !guests.is_empty() && policy.unknown == UnknownPolicy::Guard;
    let (question, next) = match (wanted, &known.doubt) {
        (Decision::Pass, _) => (None, "Call it: no checkpoint is needed.".to_owned()),
        (Decision::Ask, None) if said => (None, guard_first(&guests)),
        (Decision::Ask, Some(doubt)) => (
            Some(question(&format!("a part of {}", clean(tool, 100)), server.trim(), &on, &doubt.reason)),
            format!(
                "Put the question to the human, word for word, and wait for the answer. After a yes: {} After a no: the same for {} alone, \
                 since that is known to be changed.",
                guard_first(&guests),
                clean(&known.targets.join(", "), 200)
            ),
        ),
        (Decision::Ask, None) => (
            Some(question(&clean(tool, 100), server.trim(), &on, &known.reason)),
            "Put the question to the human, word for word, and wait for the answer. After a yes: zerto_guard_before_mutate, then the \
             tool. After a no: the tool alone. To have the answer remembered: zerto_add_mutating_tool, or zerto_add_read_only_tool if \
             it only reads."
                .to_owned(),
        ),
        (Decision::Guard | Decision::Observe(_), _) => (None, guard_first(&guests)),
    };
    let object = with(verdict_object(&known), json!({"ok": true, "question": question}));
    let asked = question.map(|question| format!("\nQuestion for the human: {question}")).unwrap_or_default();
    let text = format!("{}{asked}", explain(&known, Paint::NONE));
    Ok(Answer::new(Done { text, object }, next))
}

/// What comes before a call that changes these guests. A tool of ours takes one at a time.
fn guard_first(guests: &[String]) -> String {
    match guests {
        [] => "First find out which guest it changes, from the human if need be, and zerto_guard_before_mutate with that; call the tool \
               only once that has answered ok."
            .to_owned(),
        [vm] => format!(
            "First zerto_guard_before_mutate with vm = {}; call the tool only once that has answered ok.",
            clean(vm, 200)
        ),
        more => format!(
            "First zerto_guard_before_mutate once for each of {}; call the tool only once each has answered ok.",
            clean(&more.join(", "), 400)
        ),
    }
}

/// What the human is asked of a tool that nobody has classified, or of a part of one.
fn question(what: &str, server: &str, on: &str, reason: &str) -> String {
    let of = if server.is_empty() { String::new() } else { format!(" of {}", clean(server, 80)) };
    format!(
        "Whether {what}{of} changes a server is not known ({}). Shall a Zerto tagged checkpoint of {on} be inserted first, so that \
         this is reversible? Yes: it can be rewound from that tag. No: it runs, and Zerto cannot rewind it.",
        clean(&redact(reason), 300),
    )
}
