//! `zerto-guard rewind test-failover`: a VPG's VMs as they were at a tag, running in the test network, beside the VMs
//! themselves.

use super::super::Context;
use super::super::guard::while_waiting;
use super::mounting::{Which, confirm};
use super::whole::{
    checkpoint_lines, count, created_lines, created_object, object, ordered, stop_command, warning_lines, with,
};
use crate::rewind::find;
use crate::rewind::whole::error::WholeError;
use crate::rewind::whole::plan::{Plan, plan};
use crate::text::foreign;
use crate::ui::Failure;
use clap::Args;
use jiff::Timestamp;
use serde_json::json;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind test-failover latest --vpg web01-dr
  zerto-guard rewind stop-test web01-dr

It is done to a whole VPG, so a tag that stands, or may stand, in several needs --vpg.
Test VMs come up at the VPG's recovery site, in the test
network of its settings, and run until `rewind stop-test`; the VMs themselves run on, untouched and protected. What will happen
is shown first, and asked for unless --yes is given; the task is followed until the test runs. Ctrl-C ends the following only.
Exit codes: 0 the test runs; 1 the ZVM's task failed, or what became of it is not known; 3 no such tag, VM or VPG; 4 more than
one tag or VPG; 5 not confirmed, a test runs already, or no ZVM is local to the recovery site; 6 the ZVM can't be reached, is
not trusted, or refused the login or the right; 130, 143 interrupted.")]
pub struct TestFailover {
    /// The tag
    tag: String,
    #[command(flatten)]
    which: Which,
    /// Don't ask
    #[arg(short, long)]
    yes: bool,
}

impl TestFailover {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let config = context.config()?;
        let desk = super::desk(&config, context)?;
        let quiet = context.printer.is_json();
        let plan = while_waiting(quiet, "looking up what would be tested", None, || {
            let found = find::tag(&desk, &self.tag, &self.which.narrow())?;
            plan(&desk, &found, None, true)
        })?;
        confirm(context, &text(&plan, Timestamp::now()), "Start the test?", self.yes)?;
        let target = &plan.target;
        let task = ordered(context, &desk, target, plan.act(true))?;
        let client = desk.zvm(target.zvm).map_err(WholeError::from)?;
        let created = while_waiting(quiet, "looking for the test's VMs", None, || target.created(client));
        let stop = stop_command(target);
        let otherwise = "The ZVM does not tell their names; Zerto names a test's VM after its VM, with \"testing recovery\" behind.";
        let text = format!(
            "The failover test of VPG {} runs, as it was at checkpoint {}. At site {}, in the test network:\n{}\
             It runs until: {stop}",
            foreign(&target.vpg.name, 80),
            foreign(&plan.place.checkpoint, 40),
            foreign(&target.site, 80),
            created_lines(created.as_deref(), otherwise),
        );
        let more = json!({
            "tag": plan.tagged.tag,
            "checkpoint": plan.place.checkpoint,
            "time": plan.place.time,
            "created": created_object(created.as_deref()),
            "stop": stop,
            "warnings": plan.warnings,
        });
        context.printer.result(&text, &with(object("test-failover", target, client.name(), &task), more))?;
        Ok(0)
    }
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
