//! The arguments that say which tag, VM and VPG are meant, and which path of the guest.

use crate::errands::mounting::looking;
use crate::errands::{Front, while_waiting};
use crate::rewind::desk::Desk;
use crate::rewind::error::RewindError;
use crate::rewind::find::{self, Found, Narrow};
use crate::rewind::path::GuestPath;
use crate::ui::Failure;
use clap::Args;

/// What narrows a tag.
#[derive(Debug, Args)]
pub(super) struct Which {
    /// The VM, where the tag is of several: a name, a vmIdentifier, or a host name or address
    #[arg(long, value_name = "VM")]
    vm: Option<String>,
    /// The VPG, where the tag stands in several: a name or an identifier
    #[arg(long, value_name = "VPG")]
    vpg: Option<String>,
}

impl Which {
    /// What is done while the tag is looked for.
    pub(super) fn looking(&self) -> &'static str {
        looking(&self.narrow())
    }

    pub(super) fn narrow(&self) -> Narrow {
        Narrow { vm: self.vm.clone(), vpg: self.vpg.clone() }
    }
}

/// What a command is given that looks at one path of a guest at a tag.
#[derive(Debug, Args)]
pub(super) struct AtTag {
    /// The tag and the guest's own path: latest:/etc/app.yaml, 'chg-412:C:\Users\j\app.conf'
    #[arg(value_name = "TAG:PATH")]
    what: String,
    /// Don't ask
    #[arg(short, long)]
    pub(super) yes: bool,
    #[command(flatten)]
    which: Which,
}

impl AtTag {
    /// As it was typed.
    pub(super) fn what(&self) -> &str {
        &self.what
    }

    /// The checkpoint that is meant, and the path.
    pub(super) fn find(&self, desk: &Desk, front: &dyn Front) -> Result<(Found, GuestPath), Failure> {
        Ok(while_waiting(front, self.which.looking(), None, || self.another(&self.what, desk))?)
    }

    /// The same of another `TAG:PATH`, of the same VM and VPG.
    pub(super) fn another(&self, what: &str, desk: &Desk) -> Result<(Found, GuestPath), RewindError> {
        let narrow = self.which.narrow();
        let (tag, path) = find::split(desk, what, &narrow)?;
        Ok((find::place(desk, &tag, &narrow)?, path))
    }
}
