//! `zerto-guard rewind end-session`: ends a file level restore session, whosever it is, after a yes.

use super::super::Context;
use crate::errands::end_session;
use crate::ui::Failure;
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind sessions
  zerto-guard rewind end-session 5f0c1b2a-….9b1d3c4e-…

It shows whose disks the session mounts, from when and since when, and asks: the session may be another operator's, who may be
downloading from it. With --yes it does not ask. The end is waited for.
Exit codes: 0 ended, or it was over already; 1 it could not be ended; 3 no such session; 5 not confirmed; 6 the ZVM can't be
reached, is not trusted, or refused the login or the right; 130 and 143 interrupted: the end goes on at the ZVM.")]
pub struct End {
    /// The session, as `rewind sessions` lists it
    id: String,
    /// Don't ask
    #[arg(short, long)]
    yes: bool,
}

impl End {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let done = end_session::run(context.front(self.yes).as_ref(), &context.desk()?, &self.id)?;
        context.show(&done)
    }
}
