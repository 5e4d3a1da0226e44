//! `zerto-guard rewind sessions`: file level restore sessions, by default those that still hold a mount.

use super::super::Context;
use crate::errands::sessions;
use crate::ui::Failure;
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind sessions
  zerto-guard rewind sessions --all --json

A session that is live blocks the next recovery of its VM, and clones and failover tests of its VPG; `rewind end-session ID`
ends one. Sessions that are over stay in the ZVM's list for a while and hold nothing. Times are UTC.
Exit codes: 0 listed, or there is none; 6 no ZVM can be reached.")]
pub struct List {
    /// Those that are over too
    #[arg(long)]
    all: bool,
}

impl List {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let done = sessions::run(context.front(false).as_ref(), context.desk()?.as_ref(), self.all)?;
        context.show(&done)
    }
}
