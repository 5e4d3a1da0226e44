//! Zerto's enumerations: bare numbers on the wire (the OpenAPI file names none of them), by name where a version
//! writes names. What is not known stays what it was and never becomes a default.

use crate::zvm::model::{EntityType, TaskState, VpgStatus, VpgSubStatus};

/// Names as in Zerto's own SDK (`zvml/common.py`); 33 to 42 exist and are unnamed.
const SUB_STATUS: [&str; 33] = [
    "None",
    "InitialSync",
    "Creating",
    "VolumeInitialSync",
    "Sync",
    "RecoveryPossible",
    "DeltaSync",
    "NeedsConfiguration",
    "Error",
    "EmptyProtectionGroup",
    "DisconnectedFromPeerNoRecoveryPoints",
    "FullSync",
    "VolumeDeltaSync",
    "VolumeFullSync",
    "FailingOverCommitting",
    "FailingOverBeforeCommit",
    "FailingOverRollingBack",
    "Promoting",
    "MovingCommitting",
    "MovingBeforeCommit",
    "MovingRollingBack",
    "Deleting",
    "PendingRemove",
    "BitmapSync",
    "DisconnectedFromPeer",
    "ReplicationPausedUserInitiated",
    "ReplicationPausedSystemInitiated",
    "RecoveryStorageProfileError",
    "Backup",
    "RollingBack",
    "RecoveryStorageError",
    "JournalStorageError",
    "VmNotProtectedError",
];

/// What stands for an enumeration that the answer does not hold.
const NONE_GIVEN: &str = "none given";

fn unknown(text: &str) -> String {
    if text.is_empty() {
        NONE_GIVEN.to_owned()
    } else {
        text.to_owned()
    }
}

pub fn vpg_status(text: &str) -> VpgStatus {
    match text.trim().to_ascii_lowercase().as_str() {
        "0" | "initializing" => VpgStatus::Initializing,
        "1" | "meetingsla" => VpgStatus::MeetingSla,
        // Sources disagree about which is 3 and which is 4: RPO or history.
        "2" | "3" | "4" | "notmeetingsla" | "rponotmeetingsla" | "historynotmeetingsla" => {
            VpgStatus::NotMeetingSla
        }
        "5" | "failingover" => VpgStatus::FailingOver,
        "6" | "moving" => VpgStatus::Moving,
        "7" | "deleting" => VpgStatus::Deleting,
        "8" | "recovered" => VpgStatus::Recovered,
        _ => VpgStatus::Other(unknown(text)),
    }
}

pub fn vpg_sub_status(text: &str) -> VpgSubStatus {
    let wanted = text.trim();
    let found = SUB_STATUS
        .iter()
        .zip(0_u8..)
        .find(|(name, number)| name.eq_ignore_ascii_case(wanted) || number.to_string() == wanted);
    match found {
        Some((name, number)) => VpgSubStatus::Known(number, name),
        None => VpgSubStatus::Other(unknown(text)),
    }
}

pub fn entity(text: &str) -> EntityType {
    let lower = text.trim().to_ascii_lowercase();
    match lower.as_str() {
        "0" | "vcvpg" => EntityType::OnPremises("vCenter"),
        "1" | "vcvapp" => EntityType::OnPremises("vCenter vApp"),
        "2" | "vcdvapp" => EntityType::OnPremises("vCD vApp"),
        "3" => EntityType::PublicCloud("public cloud".to_owned()),
        "4" | "hyperv" => EntityType::OnPremises("Hyper-V"),
        _ if is_public_cloud(&lower) => EntityType::PublicCloud(text.to_owned()),
        _ => EntityType::Other(unknown(text)),
    }
}

/// Whether a site's or an entity's type names Azure or AWS.
pub fn is_public_cloud(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["azure", "aws", "amazon", "publiccloud", "public cloud"]
        .iter()
        .any(|name| lower.contains(name))
}

pub fn task_state(text: &str) -> TaskState {
    match text.trim().to_ascii_lowercase().as_str() {
        "1" | "inprogress" => TaskState::InProgress,
        "2" | "waitingforuserinput" => TaskState::WaitingForUserInput,
        "3" | "paused" => TaskState::Paused,
        "4" | "failed" => TaskState::Failed,
        "5" | "stopped" => TaskState::Stopped,
        "6" | "completed" => TaskState::Completed,
        "7" | "cancelling" => TaskState::Cancelling,
        other => TaskState::Other(other.parse().unwrap_or(-1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_names_and_what_nobody_knows() {
        for (text, status) in [
            ("0", VpgStatus::Initializing),
            ("1", VpgStatus::MeetingSla),
            ("MeetingSLA", VpgStatus::MeetingSla),
            ("2", VpgStatus::NotMeetingSla),
            ("3", VpgStatus::NotMeetingSla),
            ("4", VpgStatus::NotMeetingSla),
            ("8", VpgStatus::Recovered),
            ("9", VpgStatus::Other("9".to_owned())),
            ("-1", VpgStatus::Other("-1".to_owned())),
            ("", VpgStatus::Other("none given".to_owned())),
        ] {
            assert_eq!(vpg_status(text), status, "{text:?}");
        }
        for (text, status) in [
            ("0", VpgSubStatus::Known(0, "None")),
            ("none", VpgSubStatus::Known(0, "None")),
            ("8", VpgSubStatus::Known(8, "Error")),
            ("28", VpgSubStatus::Known(28, "Backup")),
            ("32", VpgSubStatus::Known(32, "VmNotProtectedError")),
            ("33", VpgSubStatus::Other("33".to_owned())),
            ("00", VpgSubStatus::Other("00".to_owned())),
            ("", VpgSubStatus::Other("none given".to_owned())),
        ] {
            assert_eq!(vpg_sub_status(text), status, "{text:?}");
        }
        for (text, kind) in [
            ("0", EntityType::OnPremises("vCenter")),
            ("HyperV", EntityType::OnPremises("Hyper-V")),
            ("3", EntityType::PublicCloud("public cloud".to_owned())),
            ("Azure", EntityType::PublicCloud("Azure".to_owned())),
            ("5", EntityType::Other("5".to_owned())),
        ] {
            assert_eq!(entity(text), kind, "{text:?}");
        }
        for (text, state) in [
            ("1", TaskState::InProgress),
            ("6", TaskState::Completed),
            ("Completed", TaskState::Completed),
            ("0", TaskState::Other(0)),
            ("60", TaskState::Other(60)),
            ("done", TaskState::Other(-1)),
            ("", TaskState::Other(-1)),
        ] {
            assert_eq!(task_state(text), state, "{text:?}");
        }
    }
}
