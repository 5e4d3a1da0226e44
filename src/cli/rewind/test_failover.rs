//! `zerto-guard rewind test-failover`: a VPG's VMs as they were at a tag, running in the test network, beside the VMs
//! themselves.

use super::super::Context;
use super::at_tag::Which;
use crate::errands::test_failover;
use crate::ui::Failure;
use clap::Args;

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
        let (front, desk) = (context.front(self.yes), context.desk()?);
        let done = test_failover::run(front.as_ref(), &desk, &self.tag, &self.which.narrow())?;
        context.show(&done)
    }
}
