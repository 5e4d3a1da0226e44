//! A failover test of a VPG as it was at a tag, and its end.

use super::whole::{of_a_checkpoint, of_a_vpg};
use super::{Hints, Spec, filled, given, input, list_of, some};
use crate::answer::{Answer, Refused};
use crate::call::Call;
use crate::consent::Without;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use zerto_guard::errands::{stop_test, test_failover};
use zerto_guard::rewind::find::Narrow;

pub const START: Spec = Spec {
    name: "zerto_start_failover_test",
    title: "Start a failover test",
    description: "Use it when the human wants to look into running VMs as they were: it starts every VM of a VPG, as it was at a tag, in the test \
        network of the recovery site, beside the VMs themselves. The test runs until zerto_stop_failover_test, so a human has to say \
        yes. It is no failover: the protected VMs run on.",
    hints: Hints { read_only: false, destructive: false, idempotent: false, open_world: true },
    input: input::<Start>,
    output: || of_a_checkpoint(json!({"stop": {"type": "string", "description": "the command line that stops it"}})),
    run: start,
};

pub const STOP: Spec = Spec {
    name: "zerto_stop_failover_test",
    title: "Stop a failover test",
    description: "Use it to end a failover test of a VPG, whoever began it. What its VMs have written is lost, so a human has to say yes; the \
        protected VMs are not touched.",
    hints: Hints { read_only: false, destructive: true, idempotent: false, open_world: true },
    input: input::<Stop>,
    output: || {
        of_a_vpg(json!({
            "removed": list_of(json!({"name": {"type": "string"}, "identifier": {"type": "string"}})),
            "reported_success": {"type": "boolean"},
        }))
    },
    run: stop,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Start {
    /// The whole tag, a change id, latest, latest~N, or a checkpoint's number
    tag: String,
    /// The VM, where the tag is of several
    vm: Option<String>,
    /// The VPG, where the tag stands in several: a name or an identifier
    vpg: Option<String>,
    /// Not believed: the human is asked by the client, or runs the command line that is answered
    #[serde(default)]
    #[expect(dead_code, reason = "the human is asked all the same")]
    confirmed: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Stop {
    /// The VPG: its name or identifier
    vpg: String,
    /// Have Zerto's report say that the test failed; else it says that it was a success
    #[serde(default)]
    failed: bool,
    /// Not believed: the human is asked by the client, or runs the command line that is answered
    #[serde(default)]
    #[expect(dead_code, reason = "the human is asked all the same")]
    confirmed: bool,
}

fn start(call: &Arc<Call>, arguments: JsonObject) -> Result<Answer, Refused> {
    let arguments: Start = given(arguments)?;
    let tag = filled("tag", &arguments.tag)?;
    let narrow = Narrow { vm: some(arguments.vm.as_ref()), vpg: some(arguments.vpg.as_ref()) };
    let options = [("--vm", narrow.vm.as_deref()), ("--vpg", narrow.vpg.as_deref())];
    let front = call.front(Without::Command(call.command(&["rewind", "test-failover", tag], &options)));
    let done = test_failover::run(front.as_ref(), &call.desk()?, tag, &narrow)?;
    Ok(Answer::new(done, "Tell the human that the test runs until it is stopped: zerto_stop_failover_test."))
}

fn stop(call: &Arc<Call>, arguments: JsonObject) -> Result<Answer, Refused> {
    let arguments: Stop = given(arguments)?;
    let vpg = filled("vpg", &arguments.vpg)?;
    let mut words = vec!["rewind", "stop-test", vpg];
    words.extend(arguments.failed.then_some("--failed"));
    let front = call.front(Without::Command(call.command(&words, &[])));
    let done = stop_test::run(front.as_ref(), &call.desk()?, vpg, arguments.failed)?;
    Ok(Answer::new(done, "Nothing is left to do."))
}
