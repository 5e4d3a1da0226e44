//! A tagged checkpoint: before a change, or for its own sake.

use super::{Hints, Spec, filled, given, input, list_of, maybe, some};
use crate::answer::{Answer, Refused};
use crate::call::Call;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use zerto_guard::errands::guard::{self, Wish};
use zerto_guard::guard::report::HOW_TO_REWIND;

const HINTS: Hints = Hints { read_only: false, destructive: false, idempotent: false, open_world: true };

pub const BEFORE_MUTATE: Spec = Spec {
    name: "zerto_guard_before_mutate",
    title: "Tag a checkpoint before a change",
    description: "Call it before each change of a server, and make the change only once it has answered ok: true. It inserts a Zerto \
        tagged checkpoint into every VPG that protects the VM and waits until it stands, so that the change can be rewound. If it \
        answers an error, do not make the change: tell the human what it says.",
    hints: HINTS,
    input: input::<Before>,
    output: outcome,
    run: before,
};

pub const CHECKPOINT: Spec = Spec {
    name: "zerto_create_tagged_checkpoint",
    title: "Create a tagged checkpoint",
    description: "Use it to mark a state of a VM that may be wanted back although no single change is about to be made, such as before a \
        longer piece of work or once something works. It always inserts a new tagged checkpoint. Before a change use \
        zerto_guard_before_mutate.",
    hints: HINTS,
    input: input::<Checkpoint>,
    output: outcome,
    run: checkpoint,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Before {
    /// The VM: its name, its vmIdentifier, or a host name or address of it
    vm: String,
    /// The change that this belongs to, such as a ticket's number; several guards may share it
    change_id: Option<String>,
    /// What is about to be done, in a few words, for the tag: "edit /etc/nginx/nginx.conf"
    action: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Checkpoint {
    /// The VM: its name, its vmIdentifier, or a host name or address of it
    vm: String,
    /// What state this is, in a few words, for the tag: "nginx works"
    label: String,
    /// The change that this belongs to, such as a ticket's number
    change_id: Option<String>,
}

fn outcome() -> Value {
    json!({
        "tag": {"type": ["string", "null"], "description": "the tag; keep it, a change is rewound from it"},
        "vm": {"type": "string"},
        "vpgs": list_of(json!({
            "name": {"type": "string"}, "identifier": {"type": "string"}, "task_id": maybe("string"),
            "task_state": maybe("string"), "checkpoint": maybe("string"), "error": maybe("string"),
        })),
        "left_out": list_of(json!({"name": {"type": "string"}, "why": {"type": "string"}})),
        "reused": {"type": "boolean", "description": "whether an earlier tag served"},
    })
}

fn before(call: &Arc<Call>, arguments: JsonObject) -> Result<Answer, Refused> {
    let Before { vm, change_id, action } = given(arguments)?;
    let (vms, action) = ([filled("vm", &vm)?.to_owned()], filled("action", &action)?);
    inserted(call, &vms, action, change_id.as_ref(), true, &format!("Make the change now. {HOW_TO_REWIND}"))
}

fn checkpoint(call: &Arc<Call>, arguments: JsonObject) -> Result<Answer, Refused> {
    let Checkpoint { vm, label, change_id } = given(arguments)?;
    let (vms, label) = ([filled("vm", &vm)?.to_owned()], filled("label", &label)?);
    inserted(call, &vms, label, change_id.as_ref(), false, &format!("Tell the human the tag. {HOW_TO_REWIND}"))
}

fn inserted(
    call: &Arc<Call>,
    vms: &[String],
    action: &str,
    change: Option<&String>,
    may_reuse: bool,
    next: &str,
) -> Result<Answer, Refused> {
    let change = some(change);
    let tool = format!("zerto-guard-mcp {}", if may_reuse { BEFORE_MUTATE.name } else { CHECKPOINT.name });
    let wish = Wish { vms, action, change: change.as_deref(), agent: &call.agent, may_reuse, host: "mcp", tool: &tool };
    let done = guard::run(call.plain().as_ref(), &call.files, &wish).map_err(Refused::guard)?;
    Ok(Answer::new(done, format!("{next} Or zerto_recover_file with this tag.")))
}
