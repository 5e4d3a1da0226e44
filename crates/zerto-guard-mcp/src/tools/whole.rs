//! What the tools answer that act on a whole VPG, as schemas.
//!
//! Must not: know what one of them does.

use super::{list_of, maybe};
use serde_json::{Value, json};
use zerto_guard::errands::with;

/// The properties of what was done to a VPG, with those of the tool.
pub fn of_a_vpg(own: Value) -> Value {
    let all = json!({
        "act": {"type": "string"}, "vpg": {"type": "string"}, "vpg_identifier": {"type": "string"},
        "vms": list_of(json!({"name": {"type": "string"}, "identifier": {"type": "string"}})),
        "site": {"type": "string"}, "zvm": {"type": "string"}, "task_id": {"type": "string"},
        "task_state": {"type": "string"}, "warnings": {"type": "array", "items": {"type": "string"}},
    });
    with(all, own)
}

/// The same of what was made of a VPG's checkpoint.
pub fn of_a_checkpoint(own: Value) -> Value {
    let all = json!({
        "tag": {"type": "string"}, "checkpoint": {"type": "string"}, "time": maybe("string"), "created": maybe("array"),
    });
    of_a_vpg(with(all, own))
}
