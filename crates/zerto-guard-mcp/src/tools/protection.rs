//! Which VPGs protect a VM.

use super::{Hints, Spec, filled, given, input, list_of};
use crate::answer::{Answer, Refused};
use crate::call::Call;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use zerto_guard::errands::find;

pub const FIND: Spec = Spec {
    name: "zerto_find_protection",
    title: "Is this VM protected by Zerto?",
    description: "Use it to see whether a VM's changes could be rewound: which Zerto VPGs protect it, and which of them take a tagged \
        checkpoint now. outcome is ok, none (no VM of that name is protected), ambiguous (it is more than one VM) or not_taggable. It \
        changes nothing; zerto_guard_before_mutate does this by itself, so you need not call it first.",
    hints: Hints { read_only: true, destructive: false, idempotent: true, open_world: true },
    input: input::<Arguments>,
    output: || {
        json!({
            "outcome": {"type": "string", "enum": ["ok", "none", "ambiguous", "not_taggable"]},
            "vms": list_of(json!({"name": {"type": "string"}, "identifier": {"type": "string"}})),
            "vpgs": list_of(json!({
                "name": {"type": "string"}, "identifier": {"type": "string"}, "status": {"type": "string"},
                "taggable": {"type": "boolean"}, "why": {"type": ["string", "null"]}, "protected_site": {"type": "string"},
                "recovery_site": {"type": "string"}, "zvm": {"type": "string"},
            })),
        })
    },
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The VM: its name, its vmIdentifier, or a host name or address of it
    vm: String,
}

fn run(call: &Arc<Call>, arguments: JsonObject) -> Result<Answer, Refused> {
    let arguments: Arguments = given(arguments)?;
    let (done, refusal) = find::run(call.plain().as_ref(), &call.files, filled("vm", &arguments.vm)?)?;
    match refusal {
        Some(refusal) => Err(Refused::with(refusal, done.object)),
        None => Ok(Answer::new(done, "Before a change of this VM: zerto_guard_before_mutate.")),
    }
}
