//! A VPG's VMs as they were at a tag, running in the test network, beside the VMs themselves.

use super::front::{Front, while_waiting};
use super::whole::{Made, checkpoint_lines, created_lines, made, stop_command, warning_lines};
use super::{Done, with};
use crate::rewind::desk::Desk;
use crate::rewind::find::{self, Narrow};
use crate::rewind::whole::plan::{Plan, plan};
use crate::text::{count, foreign};
use crate::ui::Failure;
use jiff::Timestamp;
use serde_json::json;
use std::sync::Arc;

/// Starts the failover test of the VPG that the tag stands in, once it is confirmed; it runs until it is stopped.
///
/// # Errors
/// The tag or VPG is not one; it was not confirmed; the task failed, or what became of it is not known.
pub fn run(front: &dyn Front, desk: &Arc<Desk>, tag: &str, narrow: &Narrow) -> Result<Done, Failure> {
    let plan = while_waiting(front, "looking up what would be tested", None, || {
        let found = find::tag(desk, tag, narrow)?;
        plan(desk, &found, None, true)
    })?;
    front.confirm(&text(&plan, Timestamp::now()), "Start the test?")?;
    let Made { created, object } = made(front, desk, &plan, true, "looking for the test's VMs")?;
    let stop = stop_command(&plan.target);
    let otherwise =
        "The ZVM does not tell their names; Zerto names a test's VM after its VM, with \"testing recovery\" behind.";
    let text = format!(
        "The failover test of VPG {} runs, as it was at checkpoint {}. At site {}, in the test network:\n{}\
         It runs until: {stop}",
        foreign(&plan.target.vpg.name, 80),
        foreign(&plan.place.checkpoint, 40),
        foreign(&plan.target.site, 80),
        created_lines(created.as_deref(), otherwise),
    );
    Ok(Done { text, object: with(object, json!({"stop": stop})) })
}

fn text(plan: &Plan, now: Timestamp) -> String {
    format!(
        "This starts a failover test of a whole VPG as it was at a checkpoint:\n{}\
         \x20 afterwards  {} there, running in the test network of the VPG's settings, named after the VM with\n\
         \x20             \"testing recovery\" behind; the protected VMs run on, untouched\n\
         \x20 left        the test, until it is stopped; what its VMs write takes room beside the journal, and meanwhile Zerto\n\
         \x20             restores no files from this VPG\n\
         \x20 to undo     {}\n\
         \x20             (its help says that Zerto then tags the checkpoint \"Tested at …\"; {} is still its number)\n{}",
        checkpoint_lines(plan, now),
        count(plan.target.vms.len(), "test VM"),
        stop_command(&plan.target),
        foreign(&plan.place.checkpoint, 40),
        warning_lines(&plan.warnings),
    )
}
