//! `zerto-guard rewind clone`: copies of a VPG's VMs as they were at a tag, beside the VMs themselves.

use super::super::Context;
use super::at_tag::Which;
use crate::errands::clone;
use crate::ui::Failure;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind clone latest --vpg web01-dr
  zerto-guard rewind clone chg-412 --vm web01 --vpg web01-local --datastore fast-1

It is done to a whole VPG, so a tag that stands, or may stand, in several needs --vpg.
The clones come up at the VPG's recovery site, powered
off and unprotected, and stay until somebody deletes them in the hypervisor; the VMs themselves run on untouched. What will
happen is shown first, and asked for unless --yes is given; the task is followed to its end. Ctrl-C ends the following only.
Exit codes: 0 cloned; 1 the ZVM's task failed, or what became of it is not known; 3 no such tag, VM, VPG or datastore; 4 more
than one tag or VPG; 5 not confirmed, or no ZVM is local to the recovery site; 6 the ZVM can't be reached, is not trusted, or
refused the login or the right; 130, 143 interrupted.")]
pub struct Clones {
    /// The tag
    tag: String,
    #[command(flatten)]
    which: Which,
    /// The datastore for the clones: its identifier, or its name [default: as the VPG's settings have it]
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    datastore: Option<String>,
    /// Don't ask
    #[arg(short, long)]
    yes: bool,
}

impl Clones {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let (front, desk) = (context.front(self.yes), context.desk()?);
        let datastore = self.datastore.as_deref();
        let done = clone::run(front.as_ref(), &desk, &self.tag, &self.which.narrow(), datastore)?;
        context.show(&done)
    }
}
