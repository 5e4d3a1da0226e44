//! `zerto-guard rewind stop-test`: ends the failover test of a VPG, whoever began it, after a yes.

use super::super::Context;
use crate::errands::stop_test;
use crate::ui::Failure;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

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
        let (front, desk) = (context.front(self.yes), context.desk()?);
        let done = stop_test::run(front.as_ref(), &desk, &self.vpg, self.failed)?;
        context.show(&done)
    }
}
