//! Copies of a VPG's VMs as they were at a tag, beside the VMs themselves.

use super::front::{Front, while_waiting};
use super::whole::{Made, checkpoint_lines, created_lines, made, warning_lines};
use super::{Done, with};
use crate::rewind::desk::Desk;
use crate::rewind::find::{self, Narrow};
use crate::rewind::whole::plan::{Plan, plan};
use crate::text::{count, foreign};
use crate::ui::Failure;
use jiff::Timestamp;
use serde_json::json;
use std::sync::Arc;

/// Clones the VPG that the tag stands in, once it is confirmed, and follows the task to its end.
///
/// # Errors
/// The tag, VPG or datastore is not one; it was not confirmed; the task failed, or what became of it is not known.
pub fn run(
    front: &dyn Front,
    desk: &Arc<Desk>,
    tag: &str,
    narrow: &Narrow,
    datastore: Option<&str>,
) -> Result<Done, Failure> {
    let plan = while_waiting(front, "looking up what would be cloned", None, || {
        let found = find::tag(desk, tag, narrow)?;
        plan(desk, &found, datastore, false)
    })?;
    front.confirm(&text(&plan, Timestamp::now()), "Clone them?")?;
    let Made { created, object } = made(front, desk, &plan, false, "looking for the clones")?;
    let otherwise =
        "The ZVM does not tell their names; Zerto names a clone after its VM and the time of the checkpoint.";
    let text = format!(
        "Cloned: VPG {} as it was at checkpoint {}. At site {}, powered off and unprotected:\n{}\
         They stay until somebody deletes them in the hypervisor.",
        foreign(&plan.target.vpg.name, 80),
        foreign(&plan.place.checkpoint, 40),
        foreign(&plan.target.site, 80),
        created_lines(created.as_deref(), otherwise),
    );
    let datastore = plan.datastore.as_ref().map(|store| &store.identifier);
    Ok(Done { text, object: with(object, json!({"datastore": datastore})) })
}

fn text(plan: &Plan, now: Timestamp) -> String {
    let datastore = match &plan.datastore {
        None => "as the VPG's own settings have it".to_owned(),
        Some(store) if store.name.is_empty() => foreign(&store.identifier, 120),
        Some(store) => format!("{} ({})", foreign(&store.name, 80), foreign(&store.identifier, 120)),
    };
    format!(
        "This clones a whole VPG as it was at a checkpoint:\n{}\
         \x20 datastore   {datastore}\n\
         \x20 afterwards  {} there, powered off and unprotected, named after the VM and the checkpoint's time;\n\
         \x20             the protected VMs run on, untouched\n\
         \x20 meanwhile   Zerto restores no files from this VPG until the clone is done\n\
         \x20 to undo     delete what is new in the hypervisor of that site: neither Zerto nor zerto-guard does\n{}",
        checkpoint_lines(plan, now),
        count(plan.target.vms.len(), "new VM"),
        warning_lines(&plan.warnings),
    )
}
