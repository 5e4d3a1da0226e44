//! `zerto-guard rewind stop-test`: ends the failover test of a VPG, whoever began it, after a yes.

use super::super::Context;
use super::super::guard::while_waiting;
use super::mounting::confirm;
use super::whole::{object, ordered, vms, vpg_lines, warning_lines, with};
use crate::rewind::whole::Act;
use crate::rewind::whole::error::WholeError;
use crate::rewind::whole::plan::{Target, running_test};
use crate::text::foreign;
use crate::ui::Failure;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use serde_json::json;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind stop-test web01-dr
  zerto-guard rewind stop-test web01-dr --failed --yes

What the test's VMs have written is lost; the VMs themselves are not touched. What will happen is shown first, and asked for
unless --yes is given: the test may be another operator's. The task is followed to its end. Ctrl-C ends the following only.
Exit codes: 0 stopped; 1 the ZVM's task failed, or what became of it is not known; 3 no such VPG, or no test of it runs; 4 more
than one VPG; 5 not confirmed; 6 the ZVM can't be reached, is not trusted, or refused the login or the right; 130, 143
interrupted.")]
pub struct StopTest {
    /// The VPG: its name or identifier
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    vpg: String,
    /// Have Zerto's report say that the test failed [default: that it was a success]
    #[arg(long)]
    failed: bool,
    /// Don't ask
    #[arg(short, long)]
    yes: bool,
}

impl StopTest {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let config = context.config()?;
        let desk = super::desk(&config, context)?;
        let quiet = context.printer.is_json();
        let (target, mut warnings) =
            while_waiting(quiet, "looking for the test", None, || running_test(&desk, self.vpg.trim()))?;
        let plan = format!("{}{}", text(&target, self.failed), warning_lines(&warnings));
        confirm(context, &plan, "Stop it?", self.yes)?;
        let task = ordered(context, &desk, &target, Act::StopTest { success: !self.failed })?;
        let client = desk.zvm(target.zvm).map_err(WholeError::from)?;
        let (vpg, site) = (foreign(&target.vpg.name, 80), foreign(&target.site, 80));
        let still = while_waiting(quiet, "looking at the VPG", None, || target.still_tested(client));
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
        let more = json!({"removed": gone, "reported_success": !self.failed, "warnings": warnings});
        context.printer.result(&text, &with(object("stop-test", &target, client.name(), &task), more))?;
        Ok(0)
    }
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
