//! Whether a tagged checkpoint can be inserted at a VPG now, or why not. Pure.
//!
//! What is not known to be fit is not: a status that this tool has no name for included.

use crate::text::{foreign, inside};
use crate::zvm::model::{EntityType, LocalSite, SiteRef, Vpg, VpgStatus, VpgSubStatus};

/// "Tagged checkpoints cannot be inserted when the protected site is Azure or AWS; the vSphere protected ZVM must be
/// used": measured on a live ZVM 10.x.
pub(super) const NO_TAGS: &str =
    "and Zerto inserts no tagged checkpoint from there; use the ZVM of the vSphere site that protects it";

/// Why no tag can be inserted at this VPG from the ZVM of `site`; none if one can.
pub(super) fn why_not(vpg: &Vpg, site: &LocalSite) -> Option<String> {
    public_cloud(vpg, site)
        .or_else(|| protected_elsewhere(vpg, site))
        .or_else(|| status(&vpg.status))
        .or_else(|| sub_status(&vpg.sub_status))
}

/// Whether the VPG's protected site is the one of the ZVM that answered; none where it can't be told.
pub(crate) fn is_local(protected: &SiteRef, site: &LocalSite) -> Option<bool> {
    protected.local.or_else(|| {
        let (theirs, ours) = (protected.identifier.as_ref()?, site.identifier.as_ref()?);
        Some(theirs.eq_ignore_ascii_case(ours))
    })
}

/// A status as Zerto names it, with the sub status where there is one.
pub(crate) fn state_name(vpg: &Vpg) -> String {
    let status = match &vpg.status {
        VpgStatus::Initializing => "Initializing",
        VpgStatus::MeetingSla => "MeetingSLA",
        VpgStatus::NotMeetingSla => "NotMeetingSLA",
        VpgStatus::FailingOver => "FailingOver",
        VpgStatus::Moving => "Moving",
        VpgStatus::Deleting => "Deleting",
        VpgStatus::Recovered => "Recovered",
        VpgStatus::Other(value) => value,
    };
    match &vpg.sub_status {
        VpgSubStatus::Known(0, _) => status.to_owned(),
        VpgSubStatus::Known(_, name) => format!("{status}, {name}"),
        VpgSubStatus::Other(value) if value.is_empty() => format!("{status}, no sub status"),
        VpgSubStatus::Other(value) => format!("{status}, sub status {}", foreign(value, 60)),
    }
}

fn public_cloud(vpg: &Vpg, site: &LocalSite) -> Option<String> {
    let site_type = site.site_type.to_ascii_lowercase();
    if site.public_cloud || ["azure", "aws", "amazon"].iter().any(|cloud| site_type.contains(cloud)) {
        return Some(format!(
            "its protected site \"{}\" is a public cloud ({}), {NO_TAGS}",
            inside(&site.name, 100),
            if site.site_type.is_empty() { "told by its platform".to_owned() } else { foreign(&site.site_type, 60) },
        ));
    }
    match &vpg.protected_entity {
        Some(EntityType::PublicCloud(name)) => {
            Some(format!("what it protects is in a public cloud ({name}), {NO_TAGS}"))
        }
        // OpenAPI 10.0 U6 knows 0 to 5, and 5 has no published name: probably another cloud.
        Some(EntityType::Other(value)) => Some(format!(
            "what it protects is of a kind that this tool does not know ({}); if that is Azure or AWS, use the ZVM of the vSphere site",
            foreign(value, 60)
        )),
        Some(EntityType::OnPremises(_)) | None => None,
    }
}

fn protected_elsewhere(vpg: &Vpg, site: &LocalSite) -> Option<String> {
    (is_local(&vpg.protected_site, site) == Some(false)).then(|| {
        format!(
            "it is protected at site \"{}\", and that site's ZVM has to be configured as a [[zvm]]",
            inside(&vpg.protected_site.name, 100)
        )
    })
}

fn status(status: &VpgStatus) -> Option<String> {
    Some(match status {
        VpgStatus::MeetingSla | VpgStatus::NotMeetingSla => return None,
        VpgStatus::Initializing => {
            "it is initialising (initial sync), and no checkpoint can be added before that is over".to_owned()
        }
        VpgStatus::FailingOver => "it is failing over".to_owned(),
        VpgStatus::Moving => "it is moving".to_owned(),
        VpgStatus::Deleting => "it is being deleted".to_owned(),
        VpgStatus::Recovered => "it is recovered and protects nothing any more".to_owned(),
        VpgStatus::Other(value) if value.is_empty() => "the ZVM gave no status for it".to_owned(),
        VpgStatus::Other(value) => format!("its status ({}) is none that this tool knows", foreign(value, 60)),
    })
}

/// Fine are 0 (None) and 28 (Backup: "Retention process is running", help of 10.0 U3; replication goes on). Not 5
/// (RecoveryPossible): "communication with the Zerto Virtual Manager at the protected site is down so continuing
/// protection is halted" (same page).
fn sub_status(sub_status: &VpgSubStatus) -> Option<String> {
    let (number, name) = match sub_status {
        VpgSubStatus::Known(number, name) => (*number, *name),
        VpgSubStatus::Other(value) if value.is_empty() => {
            return Some("the ZVM gave no sub status for it".to_owned());
        }
        VpgSubStatus::Other(value) => {
            return Some(format!("its sub status ({}) is none that this tool knows", foreign(value, 60)));
        }
    };
    let why = match number {
        0 | 28 => return None,
        1 | 3 | 4 | 6 | 11 | 12 | 13 | 23 => {
            "it is syncing: no checkpoint is added meanwhile, and a resync deletes checkpoints"
        }
        2 => "it is being created",
        5 => "its protected site cannot be reached, so protection has stopped",
        7 => "it needs configuration",
        9 => "it has no VMs",
        10 | 24 => "its sites are disconnected, so no checkpoint reaches the journal",
        14..=17 => "it is failing over",
        18..=20 => "it is moving",
        21 | 22 => "it is being deleted",
        25 | 26 => "its protection is paused",
        29 => "it is rolling back",
        8 | 27 | 30..=32 => "it is in error",
        _ => "its sub status is none that this tool knows",
    };
    Some(format!("{why} ({name})"))
}

#[cfg(test)]
#[path = "tests/taggable.rs"]
mod tests;
