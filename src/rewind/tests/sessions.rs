//! The same session at two ZVMs.

use super::*;

fn session(id: &str, status: &str, second: i64) -> FlrSession {
    FlrSession {
        identifier: id.to_owned(),
        vm_identifier: String::new(),
        vpg_identifier: "g".to_owned(),
        checkpoint: String::new(),
        status: status.to_owned(),
        started: Timestamp::from_second(second).ok(),
    }
}

#[test]
fn one_that_two_zvms_list_is_one_and_whoever_says_live_is_believed() {
    let told = FlrSession { vm_identifier: "vm".into(), checkpoint: "7".into(), ..session("AB", "MountReady", 10) };
    let found = joined(vec![
        (0, vec![session("ab", "Unmounted", 10), session("old", "Unmounted", 5), session("other", "Whatever", 20)]),
        (1, vec![told, session("old", "Ended", 5)]),
    ]);
    let said: Vec<_> =
        found.iter().map(|s| (s.identifier.as_str(), s.status.as_str(), s.live, s.zvms.clone())).collect();
    assert_eq!(
        said,
        [
            ("other", "Whatever", true, vec![0]),
            ("ab", "MountReady", true, vec![1, 0]),
            ("old", "Unmounted", false, vec![0, 1])
        ]
    );
    assert_eq!((found[1].vm_identifier.as_str(), found[1].checkpoint.as_str()), ("vm", "7"));
}
