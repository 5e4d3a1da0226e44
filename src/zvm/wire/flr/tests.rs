//! Sessions, entries and links: every form that was seen or may come, and what is no answer.

use super::*;
use crate::zvm::wire::tests::recased;

const SESSION: &str = r#"{"flrSessionStatus":"MountCompletedSuccessfully","flrSessionIdentifier":"s.1","flrSessionType":"jflr",
    "vmIdentifier":"g.vm-1","vmVolumeIdentifier":null,"vpgIdentifier":"v-1","checkpointIdentifier":"38",
    "mountTime":"2018-03-04T12:24:41.551Z","selectedPath":null,"numberOfRelatedRunningTasks":0}"#;

#[test]
fn a_session_in_either_case_alone_or_in_an_array() {
    for text in [SESSION.to_owned(), recased(SESSION)] {
        for body in [text.clone(), format!("\u{feff} [{text}]"), format!("[{text}, {}]", text.replace("s.1", "s.2"))] {
            let session = flr_session(body.as_bytes(), "S.1").unwrap().unwrap();
            assert_eq!((session.identifier.as_str(), session.vm_identifier.as_str()), ("s.1", "g.vm-1"));
            assert_eq!((session.vpg_identifier.as_str(), session.checkpoint.as_str()), ("v-1", "38"));
            assert_eq!(session.started.unwrap().to_string(), "2018-03-04T12:24:41.551Z");
            assert!(session.is_live() && session.is_ready());
        }
        assert!(flr_session(text.as_bytes(), "s.9").is_err(), "another one");
    }
    assert_eq!(flr_session(b"[]", "s.1"), Ok(None));
    for bad in ["", "{}", "null", "42", "[{}]", "[null]", r#"{"flrSessionIdentifier":"a\nb"}"#] {
        assert!(flr_session(bad.as_bytes(), "s.1").is_err(), "{bad}");
    }
}

#[test]
fn which_sessions_may_hold_a_mount() {
    let of = |status: &str| {
        let text = SESSION.replace("MountCompletedSuccessfully", status);
        let session = flr_session(text.as_bytes(), "s.1").unwrap().unwrap();
        (session.is_live(), session.is_ready())
    };
    for (status, live, ready) in [
        ("MountInProgress", true, false),
        ("MountCompletedSuccessfully", true, true),
        ("mountcompletedsuccessfully", true, true),
        ("MountReady", true, true),
        ("UnmountInProgress", true, false),
        ("UnmountFailed", true, false),
        ("SomethingNew", true, false),
        ("", true, false),
        ("MountFailed", false, false),
        ("UnmountCompletedSuccessfully", false, false),
        ("Unmounted", false, false),
        ("Ended", false, false),
    ] {
        assert_eq!(of(status), (live, ready), "{status}");
    }
}

/// As in the help, with a file and a link more.
const PAGE: &str = r#"{
    "mainPathItem": {"path": "", "type": "Partition", "isBrowsable": true, "sizeInBytes": null,
        "downloadInformation": {"isDownloadable": true, "additionalInformation": null}},
    "pathItems": [
        {"path": "partition#0 Ext3", "type": "Partition", "isBrowsable": true,
            "downloadInformation": {"isDownloadable": true, "additionalInformation": null}, "sizeInBytes": null},
        {"path": "boot", "type": "File", "isBrowsable": false, "lastWriteTime": "2018-03-05T12:13:22.365Z",
            "downloadInformation": {"isDownloadable": false, "additionalInformation": "Cannot restore. Links are not supported."}},
        {"path": "x.bin", "type": "File", "isBrowsable": false, "sizeInBytes": 5000000000,
            "downloadInformation": {"isDownloadable": true}}]}"#;

#[test]
fn a_page_in_either_case() {
    for text in [PAGE.to_owned(), recased(PAGE)] {
        let page = flr_page(text.as_bytes(), "").unwrap();
        assert_eq!(page.main.unwrap().kind, FlrItemKind::Partition);
        let [partition, link, file] = page.items.as_slice() else { panic!("{:?}", page.items) };
        assert_eq!((partition.path.as_str(), partition.browsable, partition.size), ("partition#0 Ext3", true, None));
        assert_eq!((link.downloadable, link.remark.as_str()), (false, "Cannot restore. Links are not supported."));
        assert_eq!(link.modified.unwrap().to_string(), "2018-03-05T12:13:22.365Z");
        assert_eq!((file.downloadable, file.size), (true, Some(5_000_000_000)));
    }
}

fn paths(asked: &str, items: &[(&str, &str)]) -> Parsed<Vec<String>> {
    let rows: Vec<_> = items.iter().map(|(path, kind)| json!({ "Path": path, "Type": kind })).collect();
    let body = json!({ "MainPathItem": { "Path": asked, "Type": "Folder" }, "PathItems": rows }).to_string();
    Ok(flr_page(body.as_bytes(), asked)?.items.into_iter().map(|i| i.path).collect())
}

#[test]
fn paths_are_whole_whichever_form_they_come_in() {
    let d = "partition#0 XFS/d";
    for (asked, came, expected) in [
        ("", "partition#0 XFS", "partition#0 XFS"),
        ("", "Disk#0", "Disk#0"),
        ("Disk#0", "partition#0 XFS", "Disk#0/partition#0 XFS"),
        ("Disk#0", "Disk#0/partition#0 XFS", "Disk#0/partition#0 XFS"),
        (d, "partition#0 XFS/d/f", "partition#0 XFS/d/f"),
        (d, "f", "partition#0 XFS/d/f"),
        (d, " ", "partition#0 XFS/d/ "),
        (d, "d", "partition#0 XFS/d/d"),
        (d, "..", "partition#0 XFS/d/.."),
        (d, "a\nb\u{202e}", "partition#0 XFS/d/a\nb\u{202e}"),
        (d, "back\\slash", "partition#0 XFS/d/back\\slash"),
    ] {
        assert_eq!(paths(asked, &[(came, "File")]), Ok(vec![expected.to_owned()]), "{asked} {came}");
    }
    // A folder among what it holds, as recorded in 2016.
    assert_eq!(paths(d, &[(d, "Folder"), ("partition#0 XFS/d/f", "File")]).unwrap(), ["partition#0 XFS/d/f"]);
    assert_eq!(paths("", &[("", "Folder"), ("partition#0 XFS", "Partition")]).unwrap(), ["partition#0 XFS"]);
    assert!(paths(d, &[("", "File")]).is_err(), "an entry without a path would be lost");
    assert!(paths(d, &[(&"x".repeat(20_000), "File")]).is_err());
}

#[test]
fn what_says_little_is_taken_for_the_usual() {
    let page = |item: &str| {
        let body = format!(r#"{{"PathItems":[{item}]}}"#);
        flr_page(body.as_bytes(), "").map(|p| p.items.into_iter().next().unwrap())
    };
    let folder = page(r#"{"Path":"a","Type":"DIRECTORY"}"#).unwrap();
    assert_eq!((folder.kind, folder.browsable, folder.downloadable), (FlrItemKind::Folder, true, false));
    let file = page(r#"{"Path":"a","Type":"file","SizeInBytes":"12"}"#).unwrap();
    assert_eq!((file.kind, file.browsable, file.downloadable, file.size), (FlrItemKind::File, false, true, Some(12)));
    let odd = page(r#"{"Path":"a","Type":"Socket","IsBrowsable":"false","DownloadInformation":null,"SizeInBytes":-1}"#)
        .unwrap();
    assert_eq!((odd.kind, odd.browsable, odd.size), (FlrItemKind::Other("Socket".to_owned()), false, None));
    assert!(page("null").is_err() && page("{}").is_err() && page(r#"{"Path":null}"#).is_err());
    for nothing in ["{}", "[]", "null", "42", "\"x\"", r#"{"MainPathItem":null,"PathItems":null}"#] {
        assert!(flr_page(nothing.as_bytes(), "").is_err(), "{nothing}: not an empty folder");
    }
    assert!(flr_page(br#"{"PathItems":[]}"#, "x").unwrap().items.is_empty());
    let leaf =
        flr_page(br#"{"MainPathItem":{"Path":"x","Type":"File","SizeInBytes":3},"PathItems":null}"#, "p/x").unwrap();
    assert_eq!(leaf.main.map(|m| (m.path, m.size)), Some(("p/x".to_owned(), Some(3))));
}

#[test]
fn bodies() {
    let parsed = |text: String| serde_json::from_str::<serde_json::Value>(&text).unwrap();
    assert_eq!(
        parsed(mount_body("g.vm-1", "v", "38")),
        json!({ "jflr": { "vmIdentifier": "g.vm-1", "vpgIdentifier": "v", "checkpointIdentifier": "38" } })
    );
    assert_eq!(parsed(browse_body("a \"b\"", None)), json!({ "path": "a \"b\"" }));
    assert_eq!(parsed(browse_body("", Some(2))), json!({ "path": "", "pageNumber": 2 }));
    assert_eq!(parsed(download_body(&["a", "b/ü"])), json!({ "pathList": ["a", "b/ü"] }));
}

#[test]
fn links() {
    let of = |text: &str| {
        let body = serde_json::Value::from(text).to_string();
        link(body.as_bytes(), "https://zvm.corp:443").map(|l| (l.path, l.elsewhere))
    };
    for (text, path, elsewhere) in [
        ("v1/downloads/s.g", "/v1/downloads/s.g", None),
        ("/v1/downloads/s.g", "/v1/downloads/s.g", None),
        ("\"v1/downloads/s.g\"", "/v1/downloads/s.g", None),
        (" v1/downloads/s.g\n", "/v1/downloads/s.g", None),
        ("v1/downloads/s.g?x=1:2&y=%20#top", "/v1/downloads/s.g?x=1:2&y=%20", None),
        ("v1/downloads/a b/ü", "/v1/downloads/a%20b/%C3%BC", None),
        ("https://zvm.corp/v1/downloads/s.g", "/v1/downloads/s.g", None),
        ("HTTPS://ZVM.corp:443/v1/downloads/s.g", "/v1/downloads/s.g", None),
        ("//zvm.corp/v1/downloads/s.g", "/v1/downloads/s.g", None),
        // Another port, another scheme and another name are another place: the ZVM itself is asked, and nobody else.
        ("https://zvm.corp:9669/v1/d/s", "/v1/d/s", Some("https://zvm.corp:9669")),
        ("http://zvm.corp/v1/d/s", "/v1/d/s", Some("http://zvm.corp")),
        ("https://192.0.2.2/v1/d/s", "/v1/d/s", Some("https://192.0.2.2")),
        ("https://evil.example/v1/d/s", "/v1/d/s", Some("https://evil.example")),
        ("//evil.example/v1/d/s", "/v1/d/s", Some("https://evil.example")),
        ("https://zvm.corp@evil.example/v1/d", "/v1/d", Some("https://evil.example")),
        ("https://zvm.corp.evil.example/v1/d", "/v1/d", Some("https://zvm.corp.evil.example")),
        // A host can't come back in by the path.
        ("https://zvm.corp//evil.example/x", "/evil.example/x", None),
    ] {
        assert_eq!(of(text), Ok((path.to_owned(), elsewhere.map(str::to_owned))), "{text}");
    }
    for bad in [
        "",
        " ",
        "ftp://zvm.corp/x",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "zvm.corp:443/x",
        "https://",
        "https:///x",
        "///evil.example/x",
        "https://zvm.corp",
        "https://zvm.corp/",
        "v1/x\r\nHost: evil",
    ] {
        assert!(of(bad).is_err(), "{bad}");
    }
    assert!(of(&"x".repeat(20_000)).is_err());
    for body in ["", "{}", "null", "[\"v1/x\"]", "<html>"] {
        assert!(link(body.as_bytes(), "https://zvm.corp").is_err(), "{body}");
    }
}
