//! Which of the configured ZVMs recovers a VPG: the one that is local to its recovery site.
//!
//! Must not: change anything, or choose a ZVM of another site instead.

use super::error::RewindError;
use super::journals::Journal;
use crate::guard::taggable::is_local;
use crate::zvm::client::Zvm;
use crate::zvm::error::ZvmError;
use crate::zvm::model::Vpg;
use std::sync::Arc;

/// Where a VPG is recovered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recovers {
    /// At the site of this ZVM.
    Here {
        /// Its position.
        zvm: usize,
        /// What it says of the VPG.
        vpg: Vpg,
    },
    /// At a site that no ZVM which lists it is local to.
    Elsewhere {
        /// What one of them says of it.
        vpg: Vpg,
    },
    /// One of the ZVMs could not be asked, and none of the others is it.
    Unknown {
        /// What another one says of it.
        vpg: Option<Vpg>,
        /// Why it could not be asked.
        error: ZvmError,
    },
}

/// What stands for a site that has neither name nor identifier.
pub const UNNAMED_SITE: &str = "a site that no ZVM names";

/// The recovery site of a VPG as people call it. As the ZVM gave it: to be cleaned before it is shown.
#[must_use]
pub fn site_name(vpg: &Vpg) -> String {
    let site = &vpg.recovery_site;
    let name = if site.name.is_empty() { site.identifier.as_deref() } else { Some(site.name.as_str()) };
    name.unwrap_or(UNNAMED_SITE).to_owned()
}

/// Asks the ZVMs that list the VPG.
#[must_use]
pub fn recovers(zvms: &[Arc<Zvm>], journal: &Journal) -> Recovers {
    let (mut elsewhere, mut broken) = (journal.vpg.clone(), None);
    for (nr, zvm) in journal.zvms.iter().filter_map(|nr| Some((*nr, zvms.get(*nr)?))) {
        match of_one(zvm, &journal.identifier) {
            Ok((vpg, Some(true))) => return Recovers::Here { zvm: nr, vpg },
            Ok((vpg, _)) => elsewhere = Some(vpg),
            Err(error) => broken = Some(error),
        }
    }
    match (elsewhere, broken) {
        (vpg, Some(error)) => Recovers::Unknown { vpg, error },
        (Some(vpg), None) => Recovers::Elsewhere { vpg },
        (None, None) => Recovers::Unknown { vpg: None, error: RewindError::broken_off() },
    }
}

/// The VPG, and whether it recovers to this ZVM's site; none where it can't be told.
fn of_one(zvm: &Zvm, vpg: &str) -> Result<(Vpg, Option<bool>), ZvmError> {
    let vpg = zvm.vpg(vpg)?;
    let local = match vpg.recovery_site.local {
        Some(local) => Some(local),
        None => is_local(&vpg.recovery_site, &zvm.local_site()?),
    };
    Ok((vpg, local))
}
