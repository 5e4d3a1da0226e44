//! Points in time, journals' ends, peers, and what is sent for a clone or a test.

use super::*;
use crate::zvm::wire::tests::recased;

#[test]
fn points_of_the_journal() {
    let text = r#"[
        {"checkpoint":{"checkpointIdentifier":"7","timeStamp":"2026-09-21T15:04:05Z","tag":"x"},"retentionSet":null,
         "canMount":{"isAllowed":true,"reason":""}},
        {"checkpoint":{"checkpointIdentifier":8},"canMount":{"isAllowed":false,"reason":"A clone is running."}},
        {"checkpoint":null,"retentionSet":{"repositoryIdentifier":"r"},"canMount":{"isAllowed":true}},
        {"checkpoint":{"checkpointIdentifier":"9"}}]"#;
    for text in [text.to_owned(), recased(text)] {
        let points = points_in_time(text.as_bytes()).unwrap();
        let said: Vec<_> =
            points.iter().map(|p| (p.checkpoint.identifier.as_str(), p.can_mount, p.reason.as_str())).collect();
        assert_eq!(said, [("7", Some(true), ""), ("8", Some(false), "A clone is running."), ("9", None, "")]);
        assert_eq!(points[0].checkpoint.tag.as_deref(), Some("x"));
    }
    assert_eq!(points_in_time(b"[]").unwrap(), []);
    for bad in ["", "{}", "null", r#"[{"checkpoint":{}}]"#] {
        assert!(points_in_time(bad.as_bytes()).is_err(), "{bad}");
    }
}

#[test]
fn ends_of_a_journal() {
    let text = r#"{"earliest":{"checkpointIdentifier":"1"},"latest":{"checkpointIdentifier":"9"}}"#;
    for text in [text.to_owned(), recased(text)] {
        let (earliest, latest) = journal_span(text.as_bytes()).unwrap().unwrap();
        assert_eq!((earliest.identifier.as_str(), latest.identifier.as_str()), ("1", "9"));
    }
    assert_eq!(journal_span(br#"{"Earliest":null,"Latest":null}"#), Ok(None));
    for bad in
        [r#"{"Earliest":{"CheckpointIdentifier":"1"},"Latest":null}"#, r#"{"Earliest":{},"Latest":{}}"#, "<html>"]
    {
        assert!(journal_span(bad.as_bytes()).is_err(), "{bad}");
    }
}

#[test]
fn peers() {
    let text = r#"[{"peerSiteName":"bos","link":{"identifier":"s-2"},"siteType":"VCenter","hostName":"10.0.0.2"},
        {"siteIdentifier":"s-3"}]"#;
    for text in [text.to_owned(), recased(text)] {
        let peers = peer_sites(text.as_bytes()).unwrap();
        assert_eq!((peers[0].name.as_str(), peers[0].identifier.as_deref()), ("bos", Some("s-2")));
        assert_eq!((peers[0].host.as_str(), peers[1].identifier.as_deref()), ("10.0.0.2", Some("s-3")));
    }
    assert!(peer_sites(b"[{}]").is_err());
}

#[test]
fn a_vpgs_test_and_a_vms_right_to_be_restored() {
    let vpg = |test: &str| {
        let body = format!(r#"[{{"VpgIdentifier":"v","ActiveProcessesApi":{{"RunningFailOverTestApi":{test}}}}}]"#);
        vpgs(body.as_bytes()).unwrap().remove(0).test_stage
    };
    assert_eq!((vpg("null"), vpg("{}")), (None, None));
    assert_eq!(vpg(r#"{"Stage":"Testing"}"#).as_deref(), Some("Testing"));
    let vm = |actions: &str| {
        let body = format!(
            r#"[{{"VmIdentifier":"g.vm-1","VpgIdentifier":"v","GuestOs":"Windows","EnabledActions":{actions}}}]"#
        );
        let row = crate::zvm::wire::vms(body.as_bytes()).unwrap().remove(0);
        (row.flr_enabled, row.guest_os)
    };
    for (actions, enabled) in [
        (r#"{"IsFlrEnabled":true}"#, Some(true)),
        (r#"{"isFlrEnabled":"False"}"#, Some(false)),
        (r#"{"IsFlrEnabled":"maybe"}"#, None),
        ("null", None),
        ("{}", None),
    ] {
        assert_eq!(vm(actions), (enabled, "Windows".to_owned()), "{actions}");
    }
}

#[test]
fn bodies() {
    let parsed = |text: String| serde_json::from_str::<Value>(&text).unwrap();
    assert_eq!(parsed(clone_body("7", None)), json!({ "checkpointId": "7" }));
    assert_eq!(parsed(clone_body("7", Some("d"))), json!({ "checkpointId": "7", "datastoreIdentifier": "d" }));
    assert_eq!(parsed(test_body("7")), json!({ "checkpointIdentifier": "7" }));
    assert_eq!(parsed(stop_body(true, "done")), json!({ "failoverTestSuccess": true, "failoverTestSummary": "done" }));
}

#[test]
fn what_a_site_has() {
    let text = r#"[{"vmIdentifier":"s.vm-7","vmName":"web01 - copy","guestOs":null},{"vmIdentifier":"s.vm-8"}]"#;
    let store = r#"[{"datastoreIdentifier":"s.datastore-1","datastoreName":"fast\u001b[31m"}]"#;
    for (text, store) in [(text.to_owned(), store.to_owned()), (recased(text), recased(store))] {
        let said: Vec<_> =
            unprotected_vms(text.as_bytes()).unwrap().into_iter().map(|vm| (vm.identifier, vm.name)).collect();
        assert_eq!(said, [("s.vm-7".to_owned(), "web01 - copy".to_owned()), ("s.vm-8".to_owned(), String::new())]);
        let stores = datastores(store.as_bytes()).unwrap();
        assert_eq!((stores[0].identifier.as_str(), stores[0].name.as_str()), ("s.datastore-1", "fast"));
    }
    for bad in ["", "{}", r#"[{"vmName":"x","datastoreName":"y"}]"#] {
        assert!(unprotected_vms(bad.as_bytes()).is_err() && datastores(bad.as_bytes()).is_err(), "{bad}");
    }
}
