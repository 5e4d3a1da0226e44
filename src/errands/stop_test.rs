//! The end of the failover test of a VPG, whoever began it, once it is confirmed.

use super::front::{Front, while_waiting};
use super::whole::{object, ordered, vms, vpg_lines, warning_lines};
use super::{Done, with};
use crate::rewind::desk::Desk;
use crate::rewind::whole::Act;
use crate::rewind::whole::error::WholeError;
use crate::rewind::whole::plan::{Target, running_test};
use crate::text::foreign;
use crate::ui::Failure;
use serde_json::json;
use std::sync::Arc;

/// Stops the failover test of that VPG. Zerto's report calls the test a success, or `failed`.
///
/// # Errors
/// No test of it runs; it was not confirmed; the task failed, or what became of it is not known.
pub fn run(front: &dyn Front, desk: &Arc<Desk>, vpg: &str, failed: bool) -> Result<Done, Failure> {
    let (target, mut warnings) = while_waiting(front, "looking for the test", None, || running_test(desk, vpg.trim()))?;
    let plan = format!("{}{}", text(&target, failed), warning_lines(&warnings));
    front.confirm(&plan, "Stop it?")?;
    let task = ordered(front, desk, &target, Act::StopTest { success: !failed })?;
    let client = desk.zvm(target.zvm).map_err(WholeError::from)?;
    let (vpg, site) = (foreign(&target.vpg.name, 80), foreign(&target.site, 80));
    let still = while_waiting(front, "looking at the VPG", None, || target.still_tested(client));
    let text = match &still {
        None => format!("Stopped: the failover test of VPG {vpg}. What it made at site {site} goes with it."),
        Some(stage) => format!(
            "The ZVM's task to stop the failover test of VPG {vpg} is completed, but the ZVM still shows a test of it ({}).\n\
             Look again: zerto-guard find VM, or the ZVM's own interface.",
            foreign(stage, 60)
        ),
    };
    warnings.extend(still.map(|stage| format!("The ZVM still shows a test of it ({}).", foreign(&stage, 60))));
    let gone: Vec<_> =
        target.of_the_test().iter().map(|vm| json!({"name": vm.name, "identifier": vm.identifier})).collect();
    let more = json!({"removed": gone, "reported_success": !failed, "warnings": warnings});
    Ok(Done { text, object: with(object("stop-test", &target, client.name(), &task), more) })
}

fn text(target: &Target, failed: bool) -> String {
    let seen = target.of_the_test();
    let goes = if seen.is_empty() {
        format!("the test's VMs (named after {}, with \"testing recovery\" behind)", vms(&target.vms))
    } else {
        seen.iter().map(|vm| foreign(&vm.name, 100)).collect::<Vec<_>>().join(", ")
    };
    let stage = target.vpg.test_stage.as_deref().unwrap_or("?");
    let report = if failed { "failed" } else { "a success (--failed: that it failed)" };
    format!(
        "This stops the failover test of a VPG:\n{}\
         \x20 test        {}; it may be another operator's\n\
         \x20 goes        {goes}, with everything that was written in them: that can't be undone\n\
         \x20 stays       {}, untouched and protected\n\
         \x20 report      Zerto's report will call the test {report}\n",
        vpg_lines(target),
        foreign(stage, 60),
        vms(&target.vms),
    )
}
