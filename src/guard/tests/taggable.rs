use super::*;
use crate::guard::fake::{site, vpg};

fn with(status: VpgStatus, number: u8, name: &'static str) -> Option<String> {
    let vpg = Vpg { status, sub_status: VpgSubStatus::Known(number, name), ..vpg("v") };
    why_not(&vpg, &site("nyc"))
}

#[test]
fn protecting_with_its_sla_met_or_not() {
    for status in [VpgStatus::MeetingSla, VpgStatus::NotMeetingSla] {
        assert_eq!(with(status.clone(), 0, "None"), None);
        assert_eq!(with(status, 28, "Backup"), None);
    }
}

#[test]
fn every_other_status_is_refused_by_name() {
    for (status, word) in [
        (VpgStatus::Initializing, "initialising"),
        (VpgStatus::FailingOver, "failing over"),
        (VpgStatus::Moving, "moving"),
        (VpgStatus::Deleting, "deleted"),
        (VpgStatus::Recovered, "recovered"),
        (VpgStatus::Other("9".to_owned()), "(9)"),
        (VpgStatus::Other(String::new()), "no status"),
    ] {
        assert!(with(status.clone(), 0, "None").unwrap().contains(word), "{status:?}");
    }
}

#[test]
fn every_sub_status_but_none_and_backup_is_refused() {
    for number in 1..=42 {
        if number == 28 {
            continue;
        }
        assert!(with(VpgStatus::MeetingSla, number, "X").unwrap().contains("(X)"), "{number}");
    }
    for (number, name, word) in [
        (4, "Sync", "a resync deletes checkpoints"),
        (6, "DeltaSync", "syncing"),
        (23, "BitmapSync", "syncing"),
        (25, "ReplicationPausedUserInitiated", "paused"),
        (24, "DisconnectedFromPeer", "disconnected"),
        (5, "RecoveryPossible", "cannot be reached"),
        (8, "Error", "in error"),
        (32, "VmNotProtectedError", "in error"),
        (33, "?", "none that this tool knows"),
    ] {
        assert!(with(VpgStatus::MeetingSla, number, name).unwrap().contains(word), "{name}");
    }
    let unknown = Vpg { sub_status: VpgSubStatus::Other("77".to_owned()), ..vpg("v") };
    assert!(why_not(&unknown, &site("nyc")).unwrap().contains("(77)"));
}

#[test]
fn a_public_cloud_is_told_by_site_platform_or_entity() {
    let cloud = |change: &dyn Fn(&mut Vpg, &mut LocalSite)| {
        let (mut vpg, mut site) = (vpg("v"), site("nyc"));
        change(&mut vpg, &mut site);
        why_not(&vpg, &site)
    };
    for (why, word) in [
        (cloud(&|_, site| site.public_cloud = true), "public cloud"),
        (cloud(&|_, site| site.site_type = "AZURE".to_owned()), "AZURE"),
        (cloud(&|_, site| site.site_type = "AWS".to_owned()), "AWS"),
        (cloud(&|vpg, _| vpg.protected_entity = Some(EntityType::PublicCloud("3".to_owned()))), "(3)"),
    ] {
        let why = why.unwrap();
        assert!(why.contains(word) && why.contains("vSphere site"), "{why}");
    }
    let unknown = cloud(&|vpg, _| vpg.protected_entity = Some(EntityType::Other("5".to_owned())));
    assert!(unknown.unwrap().contains("(5)"));
    assert_eq!(cloud(&|vpg, _| vpg.protected_entity = None), None);
}

#[test]
fn protected_elsewhere_by_link_or_by_identifier() {
    let mut elsewhere = vpg("v");
    elsewhere.protected_site = SiteRef { name: "bos".to_owned(), identifier: Some("SITE-BOS".to_owned()), local: None };
    assert!(why_not(&elsewhere, &site("nyc")).unwrap().contains("\"bos\""));
    assert_eq!(why_not(&elsewhere, &site("bos")), None);
    elsewhere.protected_site.identifier = None;
    assert_eq!(why_not(&elsewhere, &site("nyc")), None, "it can't be told");
    elsewhere.protected_site.local = Some(false);
    assert!(why_not(&elsewhere, &site("nyc")).is_some());
}

#[test]
fn self_replication_counts() {
    let mut own = vpg("v");
    own.recovery_site.local = Some(true);
    assert_eq!(why_not(&own, &site("nyc")), None);
}

#[test]
fn a_state_is_named_as_zerto_does() {
    assert_eq!(state_name(&vpg("v")), "MeetingSLA");
    let syncing = Vpg { status: VpgStatus::NotMeetingSla, sub_status: VpgSubStatus::Known(6, "DeltaSync"), ..vpg("v") };
    assert_eq!(state_name(&syncing), "NotMeetingSLA, DeltaSync");
}
