//! The tools: one file each, or for two that belong together. A file says what a tool is for, what it takes and answers, and
//! hands the work to an errand of the library.

mod add_tool;
mod check_tool;
mod clone;
mod failover_test;
mod guard;
mod protection;
mod recover_file;
mod sessions;
mod tags;
mod whole;

use crate::answer::{Answer, Refused};
use crate::call::Call;
use rmcp::handler::server::tool::schema_for_input;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;
use zerto_guard::errands::with;
use zerto_guard::text::clean;
use zerto_guard::ui::Failure;

/// A tool.
pub struct Spec {
    pub name: &'static str,
    title: &'static str,
    /// When to use it.
    description: &'static str,
    hints: Hints,
    input: fn() -> Result<Arc<JsonObject>, String>,
    /// The properties of what it answers, besides those that every answer has.
    output: fn() -> Value,
    pub run: fn(&Arc<Call>, JsonObject) -> Result<Answer, Refused>,
}

/// What a client may go by when it decides whether to ask its human.
struct Hints {
    read_only: bool,
    destructive: bool,
    idempotent: bool,
    /// Whether it speaks with a ZVM.
    open_world: bool,
}

/// All of them, in the order of the loop.
pub const ALL: &[Spec] = &[
    check_tool::CHECK,
    protection::FIND,
    guard::BEFORE_MUTATE,
    guard::CHECKPOINT,
    tags::LIST,
    recover_file::RECOVER,
    sessions::LIST,
    sessions::END,
    clone::CLONE,
    failover_test::START,
    failover_test::STOP,
    add_tool::MUTATING,
    add_tool::READ_ONLY,
];

impl Spec {
    /// As a client is told of it.
    pub fn described(&self) -> Result<Tool, String> {
        let Hints { read_only, destructive, idempotent, open_world } = self.hints;
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(read_only)
            .destructive(destructive)
            .idempotent(idempotent)
            .open_world(open_world);
        Ok(Tool::new(self.name, self.description, (self.input)()?)
            .with_title(self.title)
            .with_annotations(hints)
            .with_raw_output_schema(Arc::new(output((self.output)()))))
    }
}

/// The schema of an answer. A refusal is one too, so that nothing of a success is required.
fn output(own: Value) -> JsonObject {
    let all = json!({
        "ok": {"type": "boolean", "description": "whether it was done"},
        "next": {"type": "string", "description": "what to do now"},
        "notes": {"type": "array", "items": {"type": "string"}, "description": "what should be known besides"},
        "error": {"type": "string", "description": "of a refusal: what happened"},
        "hint": {"type": "string", "description": "of a refusal: what to do about it"},
        "exit_code": {
            "type": "integer",
            "description": "of a refusal, as the command line ends: 1 failed, 3 nothing matched, 4 more than one matched, 5 not \
                confirmed or against a rule, 6 a ZVM can't be asked, 64 usage",
        },
    });
    let schema = json!({"type": "object", "properties": with(all, own), "required": ["ok", "next", "notes"]});
    schema.as_object().cloned().unwrap_or_default()
}

/// The schema of what a tool takes.
fn input<T: JsonSchema + 'static>() -> Result<Arc<JsonObject>, String> {
    schema_for_input::<T>()
}

/// What a tool is given.
fn given<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, Refused> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        let message = format!("The arguments can't be used: {}.", clean(&error.to_string(), 300));
        Failure::new(64, message, "The tool's input schema says what they are.").into()
    })
}

/// A text that has to hold something.
fn filled<'t>(name: &str, text: &'t str) -> Result<&'t str, Refused> {
    match text.trim() {
        "" => Err(Failure::new(64, format!("{name} is empty."), "").into()),
        _ => Ok(text.trim()),
    }
}

/// A text that may be left out, or empty.
fn some(text: Option<&String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The schema of a text that may be missing.
fn maybe(kind: &str) -> Value {
    json!({"type": [kind, "null"]})
}

/// The schema of a list of objects with these properties.
fn list_of(properties: Value) -> Value {
    json!({"type": "array", "items": {"type": "object", "properties": properties}})
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerto_guard::classify::own::CONFIRMING_TOOLS;

    #[test]
    fn each_tool_is_described_and_its_hints_do_not_contradict_each_other() {
        for spec in ALL {
            let tool = spec.described().unwrap();
            let schema = Value::Object(tool.input_schema.as_ref().clone());
            assert_eq!(schema["type"], "object", "{}", spec.name);
            for (name, property) in schema["properties"].as_object().unwrap() {
                assert!(property["description"].is_string(), "{}: {name} is not described", spec.name);
            }
            assert!(spec.name.starts_with("zerto_") && spec.description.len() > 80, "{}", spec.name);
            assert!(!(spec.hints.read_only && spec.hints.destructive), "{}", spec.name);
            let confirms = schema["properties"].get("confirmed").is_some();
            // What a hook puts to a human, where a host has one, is what needs one here.
            let known = CONFIRMING_TOOLS.iter().any(|tool| tool.name == spec.name);
            assert_eq!(confirms, known, "{}", spec.name);
        }
        for tool in CONFIRMING_TOOLS {
            assert!(ALL.iter().any(|spec| spec.name == tool.name), "{}", tool.name);
        }
    }
}
