//! Both spellings, missing fields, odd types: what becomes of them.

use super::*;
use crate::zvm::model::{EntityType, TaskState, VpgStatus, VpgSubStatus};

/// The same JSON with the first letter of every name the other way round.
pub(super) fn recased(json: &str) -> String {
    fn walk(value: serde_json::Value) -> serde_json::Value {
        use serde_json::Value;
        match value {
            Value::Object(map) => map
                .into_iter()
                .map(|(name, value)| {
                    let mut letters = name.chars();
                    let first = letters.next().unwrap().to_uppercase().to_string();
                    (first + letters.as_str(), walk(value))
                })
                .collect::<serde_json::Map<_, _>>()
                .into(),
            Value::Array(rows) => rows.into_iter().map(walk).collect::<Vec<_>>().into(),
            other => other,
        }
    }
    walk(serde_json::from_str(json).unwrap()).to_string()
}

const VM: &str = r#"[{
    "link": {"rel": null, "href": "https://zvm/v1/vms/guid.vm-7", "type": "ProtectedVmApi",
             "identifier": "guid.vm-7?VpgIdentifier=link-vpg"},
    "link_{0}": {"href": "other", "identifier": "wrong?VpgIdentifier=wrong"},
    "vmName": "web01", "vpgName": "Gold", "status": 1, "actualRPO": "5",
    "vmIdentifier": "guid.vm-7", "vpgIdentifier": "vpg-1",
    "protectedSite": {"href": "https://zvm/v1/localsite"},
    "vmNetworkInformation": {"networkAdapters": [{"ipAddresses": ["10.0.0.7", null, "fe80::1"]}, {"ipAddresses": null}, null]}
}]"#;

#[test]
fn a_vm_in_either_case() {
    for json in [VM.to_owned(), recased(VM)] {
        let rows = vms(json.as_bytes()).unwrap();
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].name, "web01");
        assert_eq!(rows[0].identifier, "guid.vm-7");
        assert_eq!(rows[0].vpg_identifier, "vpg-1");
        assert_eq!(rows[0].vpg_name, "Gold");
        assert_eq!(rows[0].protected_here, Some(true));
        assert_eq!(rows[0].addresses, ["10.0.0.7", "fe80::1"]);
    }
}

#[test]
fn a_vms_identifiers_may_stand_in_its_link() {
    for (row, ids) in [
        (r#"{"Link":{"identifier":"g.vm-1?VpgIdentifier=v-1"}}"#, Ok(("g.vm-1", "v-1"))),
        (r#"{"Link":{"identifier":"g.vm-1?a=b&vpgidentifier=v-1"}}"#, Ok(("g.vm-1", "v-1"))),
        (r#"{"Link":{"identifier":"g.vm-1","vpg_identifier":"v-1"}}"#, Ok(("g.vm-1", "v-1"))),
        (r#"{"VmIdentifier":"g.vm-1?VpgIdentifier=v-2","VpgIdentifier":"v-1"}"#, Ok(("g.vm-1", "v-1"))),
        (
            r#"{"VmIdentifier":"g.vm-1","VpgIdentifier":"","Link":{"identifier":"x?VpgIdentifier=v-1"}}"#,
            Ok(("g.vm-1", "v-1")),
        ),
        (r#"{"VmIdentifier":"g.vm-1"}"#, Err("no VPG identifier")),
        (r#"{"VpgIdentifier":"v-1","VmName":"web01"}"#, Err("no identifier")),
        (r#"{"VmIdentifier":{"a":1},"VpgIdentifier":"v-1"}"#, Err("no identifier")),
        (r#"{"VmIdentifier":"g\u001b[2J","VpgIdentifier":"v-1"}"#, Err("none can hold")),
        ("null", Err("no identifier")),
    ] {
        let rows = vms(format!("[{row}]").as_bytes());
        match ids {
            Ok((vm, vpg)) => {
                let row = &rows.unwrap()[0];
                assert_eq!((row.identifier.as_str(), row.vpg_identifier.as_str()), (vm, vpg));
            }
            Err(text) => assert!(rows.as_ref().unwrap_err().contains(text), "{row}: {rows:?}"),
        }
    }
}

#[test]
fn an_odd_shape_that_does_not_matter_spoils_nothing() {
    let rows = vms(br#"[{"VmIdentifier":"g.vm-1","VpgIdentifier":"v-1","VmName":7,"Link":"x","ProtectedSite":[1],
        "VmNetworkInformation":{"NetworkAdapters":{"a":1}}},
        {"VmIdentifier":"g.vm-1","VpgIdentifier":"v-2","VmNetworkInformation":{"NetworkAdapters":[{"IpAddresses":"10.0.0.1"},3]}}]"#)
    .unwrap();
    assert_eq!((rows[0].name.as_str(), rows[0].protected_here), ("7", None));
    assert!(rows.iter().all(|row| row.addresses.is_empty()));
    assert_eq!(task(br#"{"TaskIdentifier":"t","Status":6}"#).unwrap().state, TaskState::Other(-1));
    for not_an_object in ["7", "true", "1.5", "\"x\"", "[]", "null"] {
        assert!(vpg(not_an_object.as_bytes()).is_err() && site(not_an_object.as_bytes()).is_err());
    }
}

#[test]
fn one_bad_row_spoils_the_answer() {
    let rows = r#"[{"VmIdentifier":"a","VpgIdentifier":"b"},{"VmName":"web01"}]"#;
    assert!(vms(rows.as_bytes()).is_err());
}

#[test]
fn where_a_site_is() {
    for (href, local, id) in [
        ("https://zvm/v1/localsite", Some(true), None),
        ("https://zvm/V1/LocalSite/", Some(true), None),
        ("https://zvm/v1/localsite?x=1", Some(true), None),
        ("/v1/PeerSites/Abc-1/", Some(false), Some("Abc-1")),
        ("https://zvm/v1/peersites/localsite", Some(false), Some("localsite")),
        ("https://zvm/v1/sites/1", None, None),
    ] {
        let json = format!(r#"{{"VpgIdentifier":"v","ProtectedSite":{{"href":"{href}"}}}}"#);
        let site = vpg(json.as_bytes()).unwrap().protected_site;
        assert_eq!((site.local, site.identifier.as_deref()), (local, id), "{href}");
    }
}

#[test]
fn a_vpg_in_either_case() {
    let json = r#"{
        "link": {"identifier": "v-1", "href": "x"}, "vpgName": "Gold\u202e", "status": "1", "subStatus": 0,
        "statusDescription": "Meeting SLA", "subStatusDescription": "",
        "protectedSite": {"href": "/v1/localsite", "identifier": "s-1"}, "protectedSiteName": "nyc",
        "recoverySite": {"href": "/v1/peersites/s-2"}, "targetSite": "bos",
        "entities": {"protected": 0, "recovery": 3},
        "historyStatusApi": {"configuredHistoryInMinutes": "1440", "earliestCheckpoint": {"checkpointIdentifier": "1"}},
        "failSafeHistory": null, "vmsCount": 3.5, "unheard": [{"of": {}}]
    }"#;
    for json in [json.to_owned(), recased(json)] {
        let vpg = vpg(json.as_bytes()).unwrap();
        assert_eq!(vpg.identifier, "v-1");
        assert_eq!(vpg.name, "Gold");
        assert_eq!(vpg.status, VpgStatus::MeetingSla);
        assert_eq!(vpg.sub_status, VpgSubStatus::Known(0, "None"));
        assert_eq!(vpg.description, "Meeting SLA");
        assert_eq!(vpg.protected_site.name, "nyc");
        assert_eq!(vpg.protected_site.identifier.as_deref(), Some("s-1"));
        assert_eq!(vpg.recovery_site.name, "bos");
        assert_eq!(vpg.recovery_site.identifier.as_deref(), Some("s-2"));
        assert_eq!(vpg.protected_entity, Some(EntityType::OnPremises("vCenter")));
        assert_eq!(vpg.journal_minutes, Some(1440));
    }
    let bare = vpg(br#"{"VpgIdentifier":"v-1"}"#).unwrap();
    assert_eq!(bare.status, VpgStatus::Other("none given".to_owned()));
    assert_eq!(bare.sub_status, VpgSubStatus::Other("none given".to_owned()));
    assert_eq!((bare.protected_entity, bare.journal_minutes), (None, None));
    assert!(vpg(b"{}").is_err());
    assert!(vpg(b"null").is_err());
}

#[test]
fn which_sites_are_a_public_cloud() {
    for (json, cloud) in [
        (r#"{"SiteName":"nyc","SiteType":"VCenter"}"#, false),
        (
            r#"{"SiteName":"nyc","SiteType":"VCenter","PlatformInformation":{"Azure":{"RegionName":null},"VCenter":{"Ip":"10.0.0.1"}}}"#,
            false,
        ),
        (r#"{"SiteName":"nyc","platformInformation":{"azure":{"regionName":"eastus"}}}"#, true),
        (r#"{"SiteName":"nyc","siteType":"azure"}"#, true),
        (r#"{"SiteName":"nyc","SiteType":"AWS"}"#, true),
    ] {
        assert_eq!(site(json.as_bytes()).unwrap().public_cloud, cloud, "{json}");
    }
    let full = site(br#"{"SiteIdentifier":"s","Version":"10.0.60","DisplayVersion":"10.0_U6"}"#).unwrap();
    assert_eq!((full.version.as_str(), full.identifier.as_deref()), ("10.0_U6", Some("s")));
    assert!(site(b"{}").is_err());
}

#[test]
fn a_task_in_either_case() {
    let json = r#"{"taskIdentifier": "t.s", "type": "InsertTaggedCP", "status": {"state": 4, "progress": 0},
        "completeReason": "already\nrunning", "started": "/Date(1520423877045)/", "completed": "0001-01-01T00:00:00",
        "relatedEntities": {"vpgs": [{"identifier": "v-1"}, {"identifier": null}, null], "sites": null}}"#;
    for json in [json.to_owned(), recased(json)] {
        let task = task(json.as_bytes()).unwrap();
        assert_eq!((task.identifier.as_str(), task.kind.as_str()), ("t.s", "InsertTaggedCP"));
        assert_eq!((task.state, task.reason.as_str()), (TaskState::Failed, "already running"));
        assert!(task.started.is_some() && task.completed.is_none());
        assert_eq!(task.vpgs, ["v-1"]);
    }
    assert_eq!(task(br#"{"Link":{"identifier":"t.s"}}"#).unwrap().state, TaskState::Other(-1));
    assert!(task(br#"{"Status":{"State":6}}"#).is_err());
    assert_eq!(tasks(b"[]"), Ok(vec![]));
}

#[test]
fn checkpoints_and_their_tags() {
    let rows = checkpoints(
        br#"[{"CheckpointIdentifier":"38","TimeStamp":"2026-09-21T15:04:05Z","Tag":null,"Vss":false},
             {"checkpointIdentifier":39,"tag":"ai:claude | edit | vm=web01","type":1},
             {"checkpointIdentifier":40,"tag":""}]"#,
    )
    .unwrap();
    assert_eq!(rows[0].identifier, "38");
    assert_eq!((rows[0].tag.as_deref(), rows[0].time.is_some()), (None, true));
    assert_eq!(rows[1].identifier, "39");
    assert_eq!(rows[1].tag.as_deref(), Some("ai:claude | edit | vm=web01"));
    assert_eq!(rows[2].tag, None);
    assert!(checkpoints(br#"[{"tag":"x"}]"#).is_err());
}

#[test]
fn bare_strings() {
    assert_eq!(new_identifier(b"\"t-1.s-1\"").unwrap(), "t-1.s-1");
    assert_eq!(new_identifier(b"\xef\xbb\xbf\"t-1.s-1\"\n").unwrap(), "t-1.s-1");
    for bad in ["", "null", "42", "true", "\"\"", "\" \"", "{}", "[]", "t-1.s-1", "\"t\" x", "<html>"] {
        assert!(new_identifier(bad.as_bytes()).is_err(), "{bad}");
    }
    assert_eq!(time(b"\"2026-09-21T15:04:05\"").unwrap().as_second(), 1_790_003_045);
    assert!(time(b"\"soon\"").is_err());
}

#[test]
fn tokens() {
    assert_eq!(token(br#"{"access_token":"a.b-c","expires_in":60}"#), Ok(("a.b-c".to_owned(), Some(60.0))));
    assert_eq!(token(br#"{"access_token":"a","expires_in":"60"}"#), Ok(("a".to_owned(), Some(60.0))));
    assert_eq!(token(br#"{"access_token":"a"}"#), Ok(("a".to_owned(), None)));
    for bad in [r#"{"access_token":"a\r\nX: y"}"#, r#"{"access_token":""}"#, r#"{"access_token":null}"#, "{}", "[]"] {
        assert!(token(bad.as_bytes()).is_err(), "{bad}");
    }
}

#[test]
fn what_an_error_says() {
    for (body, text) in [
        (r#"{"Message":"VPG is syncing"}"#, "VPG is syncing"),
        (r#"{"message":"x"}"#, "x"),
        (
            r#"{"error":"invalid_grant","error_description":"Invalid user credentials"}"#,
            "invalid_grant: Invalid user credentials",
        ),
        (r#"{"error":"invalid_client"}"#, "invalid_client"),
        (r#"{"errorMessage":"x"}"#, "x"),
        (r#"{"type":"y","title":"Not Found","status":404}"#, "Not Found"),
        (r#""just text""#, "just text"),
        ("plain text\n", "plain text"),
        ("<html><body>nginx</body></html>", "an HTML or XML page"),
        ("", ""),
        ("{}", ""),
    ] {
        assert_eq!(message(body.as_bytes()), text, "{body}");
    }
}

#[test]
fn depth_and_breakage_are_errors_without_content() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(vms(deep.as_bytes()).is_err());
    let deep = format!("[{}1{}]", r#"{"x":"#.repeat(100_000), "}".repeat(100_000));
    assert!(vms(deep.as_bytes()).is_err());
    for (body, text) in [
        ("[{\"VmName\":\"hunter2\"", "breaks off"),
        ("", "breaks off"),
        ("hunter2", "not JSON"),
        ("{\"Message\":\"hunter2\"}", "not what this call answers"),
        ("\"hunter2\"", "not what this call answers"),
    ] {
        let error = vms(body.as_bytes()).unwrap_err();
        assert!(error.contains(text) && !error.contains("hunter2"), "{error}");
    }
}
