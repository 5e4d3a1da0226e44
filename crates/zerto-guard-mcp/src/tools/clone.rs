//! Copies of a VPG's VMs as they were at a tag.

use super::whole::of_a_checkpoint;
use super::{Hints, Spec, filled, given, input, maybe, some};
use crate::answer::{Answer, Refused};
use crate::call::Call;
use crate::consent::Without;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use zerto_guard::errands::clone;
use zerto_guard::rewind::find::Narrow;

pub const CLONE: Spec = Spec {
    name: "zerto_offsite_clone",
    title: "Clone a VPG as it was",
    description: "Use it when single files are not enough and the human wants whole VMs as they were: it clones every VM of a VPG, as it was at a \
        tag, at the VPG's recovery site, powered off, beside the VMs themselves. The clones stay until somebody deletes them in the \
        hypervisor, so a human has to say yes.",
    hints: Hints { read_only: false, destructive: false, idempotent: false, open_world: true },
    input: input::<Arguments>,
    output: || of_a_checkpoint(json!({"datastore": maybe("string")})),
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The whole tag, a change id, latest, latest~N, or a checkpoint's number
    tag: String,
    /// The VM, where the tag is of several
    vm: Option<String>,
    /// The VPG, where the tag stands in several: a name or an identifier
    vpg: Option<String>,
    /// The datastore for the clones: its identifier or its name; without it, as the VPG's settings have it
    datastore: Option<String>,
    /// Not believed: the human is asked by the client, or runs the command line that is answered
    #[serde(default)]
    #[expect(dead_code, reason = "the human is asked all the same")]
    confirmed: bool,
}

fn run(call: &Arc<Call>, arguments: JsonObject) -> Result<Answer, Refused> {
    let arguments: Arguments = given(arguments)?;
    let (tag, datastore) = (filled("tag", &arguments.tag)?, some(arguments.datastore.as_ref()));
    let narrow = Narrow { vm: some(arguments.vm.as_ref()), vpg: some(arguments.vpg.as_ref()) };
    let (vm, vpg) = (narrow.vm.as_deref(), narrow.vpg.as_deref());
    let line =
        call.command(&["rewind", "clone", tag], &[("--vm", vm), ("--vpg", vpg), ("--datastore", datastore.as_deref())]);
    let front = call.front(Without::Command(line));
    let done = clone::run(front.as_ref(), &call.desk()?, tag, &narrow, datastore.as_deref())?;
    Ok(Answer::new(done, "Tell the human where the clones are, and that they stay until somebody deletes them."))
}
