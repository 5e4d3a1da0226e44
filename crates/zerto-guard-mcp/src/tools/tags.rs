//! The tags of a VM.

use super::{Hints, Spec, given, input, list_of, maybe, some};
use crate::answer::{Answer, Refused};
use crate::call::Call;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use zerto_guard::errands::{Done, log};
use zerto_guard::rewind::log::Filter;

/// How many are listed if nobody says.
const SHOWN: usize = 50;

pub const LIST: Spec = Spec {
    name: "zerto_list_tags",
    title: "List a VM's tagged checkpoints",
    description: "Use it to find the tag from which a change can be rewound: the tagged checkpoints of the VPGs that protect the VM, newest \
        first, with what was about to be done at each, and how long it will be kept. It changes nothing.",
    hints: Hints { read_only: true, destructive: false, idempotent: true, open_world: true },
    input: input::<Arguments>,
    output: || {
        json!({
            "tags": list_of(json!({
                "tag": {"type": "string"}, "agent": maybe("string"), "action": maybe("string"), "vm": maybe("string"),
                "change": maybe("string"), "time": maybe("string"), "outcome": maybe("string"),
                "vpgs": list_of(json!({
                    "name": {"type": "string"}, "identifier": {"type": "string"}, "checkpoint": {"type": "string"},
                    "time": maybe("string"), "kept_until": maybe("string"),
                })),
            })),
            "more": {"type": "integer", "description": "how many older ones were left out"},
        })
    },
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The VM: its name, its vmIdentifier, or a host name or address of it; without it, all
    vm: Option<String>,
    /// Only this change
    change_id: Option<String>,
    /// Other tools' tags too, and those of other VMs in the same VPGs
    #[serde(default)]
    all_tags: bool,
    /// How many at most [default: 50]
    limit: Option<usize>,
}

fn run(call: &Arc<Call>, arguments: JsonObject) -> Result<Answer, Refused> {
    let Arguments { vm, change_id, all_tags, limit } = given(arguments)?;
    let filter = Filter { change: some(change_id.as_ref()), all_tags, ..Filter::default() };
    let desk = call.desk()?;
    let done = log::run(call.plain().as_ref(), &desk, some(vm.as_ref()).as_deref(), &filter, jiff::Timestamp::now())?;
    let limit = limit.unwrap_or(SHOWN);
    let Done { text, object } = done;
    let mut tags = match object {
        Value::Array(tags) => tags,
        _ => vec![],
    };
    let (none, more) = (tags.is_empty(), tags.len().saturating_sub(limit));
    tags.truncate(limit);
    // The heading, and a line a tag.
    let mut text = text.lines().take(limit.saturating_add(1)).collect::<Vec<_>>().join("\n");
    if more > 0 {
        text.push_str(&format!("\nand {more} older"));
    }
    let next = if none {
        text.push_str("No tag.");
        if !all_tags {
            text.push_str(" With all_tags: true, what other tools have tagged is listed too.");
        }
        match (call.has_notes(), filter.change.is_some()) {
            (true, _) => {
                "None was found, and the notes say what could not be read, which may hold one; tell the human."
            }
            (false, true) => "No tag belongs to that change. Without change_id those of other changes are listed too.",
            (false, false) => "Nothing that was tagged can be rewound; tell the human.",
        }
    } else {
        "To get a file back as it was: zerto_recover_file with one of these tags, once the human wants that."
    };
    Ok(Answer::new(Done { text, object: json!({"ok": true, "tags": tags, "more": more}) }, next))
}
