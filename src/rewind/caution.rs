//! What a person should know about a recovery before it begins. Pure.
//!
//! Measured on a live ZVM 10.x: files can't be restored during a clone, a failover test, a live failover or an extended
//! journal copy; on Linux a file over 1.5 GB is a bad idea; some characters in names are refused. Must not: refuse anything,
//! since the ZVM knows better.

use super::save::has_doubtful_name;
use crate::text::{bytes_text, foreign};
use crate::zvm::model::{Vpg, VpgStatus, VpgSubStatus};

/// From how many bytes on a file of a Linux guest is a bad idea.
pub const MUCH_ON_LINUX: u64 = 1_500_000_000;

/// What the VPG is doing that may keep files from being restored.
#[must_use]
pub fn of_vpg(vpg: &Vpg) -> Option<String> {
    let doing = if vpg.test_stage.is_some() {
        "a failover test"
    } else {
        match (&vpg.status, &vpg.sub_status) {
            (VpgStatus::FailingOver, _) => "a failover",
            (VpgStatus::Moving, _) => "a move",
            // Of the sub-states that are known this is the one for copies of the journal (Zerto's Python SDK).
            (_, VpgSubStatus::Known(28, _)) => "a copy of its journal",
            _ => return None,
        }
    };
    Some(format!(
        "The VPG {} is busy with {doing}, and meanwhile Zerto restores no files: the mount may be refused.",
        foreign(&vpg.name, 80)
    ))
}

/// What in a path may be refused.
#[must_use]
pub fn of_name(path: &str) -> Option<String> {
    has_doubtful_name(path).then(|| {
        format!(
            "The name {} holds a character that file level restore may refuse. If it does, `zerto-guard rewind clone` makes a \
             VM of the same checkpoint, from which the file can be copied.",
            foreign(path, 300)
        )
    })
}

/// Whether a file may be too long for file level restore.
#[must_use]
pub fn of_size(path: &str, guest_os: &str, size: Option<u64>) -> Option<String> {
    let size = size.filter(|size| *size > MUCH_ON_LINUX)?;
    // Where the system is not known it may be Linux.
    let is_other = guest_os.to_lowercase().contains("windows");
    (!is_other).then(|| {
        format!(
            "{} has {}, and with a Linux guest file level restore is unreliable over 1.5 GB. If it fails, `zerto-guard \
             rewind clone` makes a VM of the same checkpoint, from which the file can be copied.",
            foreign(path, 300),
            bytes_text(size)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zvm::model::SiteRef;

    #[test]
    fn a_vpg_that_is_busy() {
        let vpg = |status, sub_status, test_stage: Option<&str>| Vpg {
            identifier: "v".to_owned(),
            name: "web01-dr".to_owned(),
            status,
            sub_status,
            description: String::new(),
            protected_site: SiteRef::default(),
            recovery_site: SiteRef::default(),
            protected_entity: None,
            journal_minutes: None,
            test_stage: test_stage.map(str::to_owned),
        };
        let none = || VpgSubStatus::Known(0, "None");
        for (vpg, words) in [
            (vpg(VpgStatus::MeetingSla, none(), None), None),
            (vpg(VpgStatus::NotMeetingSla, none(), None), None),
            (vpg(VpgStatus::MeetingSla, none(), Some("Testing")), Some("busy with a failover test")),
            (vpg(VpgStatus::FailingOver, none(), None), Some("busy with a failover,")),
            (vpg(VpgStatus::MeetingSla, VpgSubStatus::Known(28, "Backup"), None), Some("a copy of its journal")),
        ] {
            let said = of_vpg(&vpg);
            assert_eq!(said.is_some(), words.is_some(), "{said:?}");
            assert!(said.unwrap_or_default().contains(words.unwrap_or_default()));
        }
    }

    #[test]
    fn a_long_file_of_a_linux_guest() {
        for (system, size, warned) in [
            ("Ubuntu Linux (64-bit)", Some(MUCH_ON_LINUX + 1), true),
            ("", Some(MUCH_ON_LINUX + 1), true),
            ("Ubuntu Linux (64-bit)", Some(MUCH_ON_LINUX), false),
            ("Ubuntu Linux (64-bit)", None, false),
            ("Microsoft Windows Server 2022 (64-bit)", Some(u64::MAX), false),
        ] {
            assert_eq!(of_size("/srv/x", system, size).is_some(), warned, "{system} {size:?}");
        }
    }
}
