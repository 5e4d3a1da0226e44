//! What a mount shows, and what comes of a download.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use std::io::{ErrorKind, Read as _};
use std::time::Duration;

use common::Client;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use zvm_sim::{
    Content, DownloadForm, Fault, Guest, ItemPaths, LinkForm, PastEnd, Sim, SimBuilder, Since, Step, Times, VmSpec,
    VpgSpec,
};

const ROOT: &str = "partition#1 Ext4";

/// A VM `box` in a local VPG `gold`, with these files.
fn world(guest: Guest) -> SimBuilder {
    Sim::builder().vm(VmSpec::new("box").vpg(VpgSpec::local("gold")).guest(guest))
}

/// Mounted at the newest checkpoint.
fn mounted(sim: &Sim) -> (Client, String) {
    let client = Client::new(sim);
    let checkpoint = sim.journal("gold").pop().unwrap().id;
    let session = client.mount_whole(sim, "box", "gold", &checkpoint);
    (client, session)
}

fn many(count: usize) -> Guest {
    (0..count).fold(Guest::new(), |g, n| g.file(&format!("partition#0 XFS/d/f{n:04}"), "x"))
}

fn names(answer: &Value) -> Vec<String> {
    answer["PathItems"].as_array().unwrap().iter().map(|i| i["Path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn partitions_folders_files_and_links() {
    let sim = world(Guest::linux("box").locked("partition#1 Ext4/swap", "abc", "In use.")).start();
    let (client, session) = mounted(&sim);
    let (_, top) = client.browse(&session, &json!({ "path": "" }));
    assert_eq!((&top["MainPathItem"]["Path"], &top["MainPathItem"]["Type"]), (&json!(""), &json!("Partition")));
    assert_eq!(names(&top), ["partition#0 Ext4", ROOT]);
    assert_eq!(
        (&top["PathItems"][1]["Type"], &top["PathItems"][1]["IsBrowsable"]),
        (&json!("Partition"), &json!(true))
    );
    let item = |path: &str| {
        let (status, answer) = client.browse(&session, &json!({ "Path": path }));
        assert_eq!((status, &answer["PathItems"]), (200, &json!([])), "{path}");
        answer["MainPathItem"].clone()
    };
    let host = item("partition#1 Ext4/etc/hostname");
    assert_eq!((&host["Type"], &host["SizeInBytes"], &host["IsBrowsable"]), (&json!("File"), &json!(4), &json!(false)));
    assert_eq!(host["DownloadInformation"], json!({ "IsDownloadable": true, "AdditionalInformation": null }));
    let link = item("partition#1 Ext4/etc/mtab");
    let said = &link["DownloadInformation"]["AdditionalInformation"];
    assert_eq!((said, &link["SizeInBytes"]), (&json!("Cannot restore. Links are not supported."), &json!(null)));
    assert_eq!(item("partition#1 Ext4/swap")["DownloadInformation"]["AdditionalInformation"], "In use.");
    assert_eq!(item("partition#1 Ext4/tmp")["Type"], "Folder");
    for path in
        ["partition#2 Ext4", "partition#1 Ext4/", "/partition#1 Ext4", "partition#1 Ext4\\etc", "partition#1 Ext4/ETC"]
    {
        assert_eq!(client.browse(&session, &json!({ "path": path })).0, 404, "{path}");
    }
    for (path, status) in [("etc/mtab", 400), ("swap", 400), ("none", 404)] {
        assert_eq!(client.link(&session, &[&format!("{ROOT}/{path}")]).0, status, "{path}");
    }
    assert_eq!(client.link(&session, &[]).0, 400);
    let windows = world(Guest::windows("box")).start();
    let (client, session) = mounted(&windows);
    assert_eq!(client.paths(&session, ""), ["partition#0 NTFS", "partition#1 NTFS"]);
    assert_eq!(client.bytes(&session, &["partition#1 NTFS/Users/j/app.conf"]), b"listen=8080\r\nworkers=4\r\n");
}

#[test]
fn names_of_every_kind() {
    let odd = ["a b", " lead", "trail.", "trail ", "*", "[x]", "?", "ümläut", "日本", "a:b", "'\"", "%2F", "#", "..."];
    let guest = odd.iter().fold(Guest::new(), |g, n| g.file(&format!("partition#0 XFS/{n}"), *n));
    let sim = world(guest.file("partition#0 XFS/back\\slash", "x")).start();
    let (client, session) = mounted(&sim);
    let listed = client.paths(&session, "partition#0 XFS");
    for name in odd {
        let path = format!("partition#0 XFS/{name}");
        assert!(listed.contains(&path), "{name}");
        assert_eq!(client.bytes(&session, &[&path]), name.as_bytes(), "{name}");
    }
    assert_eq!(client.link(&session, &["partition#0 XFS/back\\slash"]).0, 400, "a refused character");
    sim.with_state(|s| s.settings.flr.refused_characters = ":?".to_owned());
    assert_eq!(client.link(&session, &["partition#0 XFS/a:b"]).0, 400);
    assert_eq!(client.link(&session, &["partition#0 XFS/back\\slash"]).0, 200);
}

#[test]
fn disks_may_stand_before_partitions() {
    let guest = Guest::new().file("Disk#0/partition#0 XFS/a", "1").file("Disk#1/partition#0 NTFS/b", "2");
    let sim = world(guest).start();
    let (client, session) = mounted(&sim);
    let (_, top) = client.browse(&session, &json!({}));
    assert_eq!((names(&top), &top["PathItems"][0]["Type"]), (vec!["Disk#0".into(), "Disk#1".into()], &json!("Disk")));
    assert_eq!(client.paths(&session, "Disk#1"), ["Disk#1/partition#0 NTFS"]);
    assert_eq!(client.bytes(&session, &["Disk#1/partition#0 NTFS/b"]), b"2");
}

#[test]
fn files_differ_by_checkpoint() {
    let file = "partition#0 XFS/etc/app.yaml";
    let guest = Guest::new()
        .file(file, "one")
        .file_since(Since::Checkpoint(1203), file, "two")
        .gone_since(Since::Checkpoint(1205), "partition#0 XFS/etc");
    let sim = world(guest).start();
    let client = Client::new(&sim);
    for (checkpoint, content) in
        [("1201", Some("one")), ("1202", Some("one")), ("1203", Some("two")), ("1204", Some("two")), ("1205", None)]
    {
        let session = client.mount_whole(&sim, "box", "gold", checkpoint);
        match content {
            Some(content) => assert_eq!(client.bytes(&session, &[file]), content.as_bytes(), "{checkpoint}"),
            None => assert_eq!(client.link(&session, &[file]).0, 404, "{checkpoint}"),
        }
        let (_, task) = client.delete(&format!("/v1/flrs/{session}"));
        client.wait(task.as_str().unwrap());
    }
}

#[test]
fn a_change_now_shows_from_the_next_checkpoint_on() {
    let sim = world(Guest::linux("box")).start();
    let client = Client::new(&sim);
    let file = "partition#1 Ext4/etc/app.yaml";
    client.insert_whole(&sim, "gold", "t1");
    sim.put_file("box", file, "broken");
    client.insert_whole(&sim, "gold", "t2");
    sim.remove_file("box", file);
    client.insert_whole(&sim, "gold", "t3");
    let old = sim.tag_of_the_past("gold", "t0", Duration::from_secs(3600)).unwrap();
    std::thread::sleep(Duration::from_millis(30));
    for (tag, content) in [
        ("t0", Some("listen: 8080\nworkers: 4\n")),
        ("t1", Some("listen: 8080\nworkers: 4\n")),
        ("t2", Some("broken")),
        ("t3", None),
    ] {
        let session = client.mount_whole(&sim, "box", "gold", &sim.checkpoint("gold", tag).unwrap());
        match content {
            Some(content) => assert_eq!(client.bytes(&session, &[file]), content.as_bytes(), "{tag}"),
            None => assert_eq!(client.link(&session, &[file]).0, 404, "{tag}"),
        }
        let (_, task) = client.delete(&format!("/v1/flrs/{session}"));
        client.wait(task.as_str().unwrap());
    }
    assert_eq!(sim.checkpoint("gold", "t0"), Some(old));
}

#[test]
fn pages() {
    let sim = world(many(25)).settings(|s| s.flr.page_size = 10).start();
    let (client, session) = mounted(&sim);
    let page = |body: Value| {
        let mut body = body;
        body["path"] = json!("partition#0 XFS/d");
        let (status, answer) = client.browse(&session, &body);
        match status {
            200 => names(&answer).iter().map(|p| p[p.len() - 4..].parse().unwrap()).collect::<Vec<u32>>(),
            status => vec![u32::from(status)],
        }
    };
    let from_to = |from: u32, to: u32| (from..to).collect::<Vec<u32>>();
    assert_eq!(page(json!({})), from_to(0, 10));
    assert_eq!(page(json!({ "pageNumber": 2 })), from_to(20, 25));
    assert_eq!(page(json!({ "PageNumber": 1, "pageSize": 7 })), from_to(7, 14));
    assert_eq!(page(json!({ "pageNumber": 0, "pageSize": 100 })), from_to(0, 10), "a cap");
    assert_eq!(page(json!({ "pageNumber": 3 })), from_to(0, 0));
    sim.with_state(|s| s.settings.flr.past_end = PastEnd::LastAgain);
    assert_eq!(page(json!({ "pageNumber": 9 })), from_to(20, 25));
    sim.with_state(|s| s.settings.flr.past_end = PastEnd::Status(400));
    assert_eq!(page(json!({ "pageNumber": 3 })), [400]);
    sim.with_state(|s| s.settings.flr.page_base = 1);
    assert_eq!(page(json!({})), from_to(0, 10));
    assert_eq!(page(json!({ "pageNumber": 1 })), from_to(0, 10));
    assert_eq!(page(json!({ "pageNumber": 3 })), from_to(20, 25));
    assert_eq!(page(json!({ "pageNumber": 0 })), [400]);
    sim.with_state(|s| s.settings.flr.pages = false);
    assert_eq!(page(json!({ "pageNumber": 7 })), from_to(0, 25));
}

#[test]
fn other_forms_of_a_listing() {
    let sim = world(many(2)).settings(|s| (s.flr.item_paths, s.flr.lists_itself) = (ItemPaths::Name, true)).start();
    let (client, session) = mounted(&sim);
    assert_eq!(client.paths(&session, "partition#0 XFS/d"), ["d", "f0000", "f0001"]);
    assert_eq!(client.paths(&session, ""), ["", "partition#0 XFS"]);
}

#[test]
fn links_of_every_form() {
    let sim = world(Guest::linux("box")).start();
    let (client, session) = mounted(&sim);
    let link = |form: LinkForm| {
        sim.with_state(|s| s.settings.flr.link = form);
        client.link(&session, &["partition#1 Ext4/etc/hostname"]).1.as_str().unwrap().to_owned()
    };
    assert!(link(LinkForm::Relative).starts_with("v1/downloads/"));
    assert!(link(LinkForm::Rooted).starts_with("/v1/downloads/"));
    let url = format!("{}/v1/downloads/", sim.url());
    let absolute = link(LinkForm::Absolute);
    assert!(absolute.starts_with(&url));
    assert!(link(LinkForm::OwnAddress).starts_with("https://192.0.2.2/v1/downloads/"));
    assert!(link(LinkForm::At("https://evil.example".to_owned())).starts_with("https://evil.example/v1/downloads/"));
    let bare = || client.agent.get(&absolute).call().unwrap().status().as_u16();
    assert_eq!(bare(), 401);
    sim.with_state(|s| s.settings.flr.link_needs_token = false);
    assert_eq!(bare(), 200);
    let (_, task) = client.delete(&format!("/v1/flrs/{session}"));
    client.wait(task.as_str().unwrap());
    assert_eq!(bare(), 404, "with its session");
    let (client, session) = mounted(&sim);
    sim.with_state(|s| s.settings.flr.link_life = Duration::ZERO);
    let (_, short) = client.link(&session, &["partition#1 Ext4/etc/hostname"]);
    assert_eq!(
        client.agent.get(short.as_str().unwrap().replace("https://evil.example", sim.url())).call().unwrap().status(),
        404
    );
}

/// Unpacks with the system's own tool, if there is one.
fn unzipped(zip: &[u8]) -> Option<Vec<(String, Vec<u8>)>> {
    let script = "import sys,io,zipfile,base64\nz=zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))\n\
                  assert z.testzip() is None\n\
                  for i in z.infolist(): print(base64.b64encode(i.filename.encode()).decode(), base64.b64encode(z.read(i)).decode())";
    let mut child = std::process::Command::new("python3")
        .args(["-c", script])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take().unwrap();
    let zip = zip.to_vec();
    std::thread::spawn(move || std::io::Write::write_all(&mut stdin, &zip));
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success());
    let decode = |text: &str| {
        let table = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let bits = text.bytes().filter_map(|b| table.bytes().position(|t| t == b));
        let (mut out, mut held, mut count) = (Vec::new(), 0_usize, 0);
        for six in bits {
            (held, count) = (held << 6 | six, count + 6);
            if count >= 8 {
                count -= 8;
                out.push((held >> count & 0xff) as u8);
            }
        }
        out
    };
    let text = String::from_utf8(out.stdout).unwrap();
    let entry = |line: &str| {
        let (name, content) = line.split_once(' ').unwrap();
        (String::from_utf8(decode(name)).unwrap(), decode(content))
    };
    Some(text.lines().map(entry).collect())
}

#[test]
fn zips() {
    let big = Content::generated(300_000, 5);
    let guest = Guest::new()
        .file("partition#0 XFS/d/a b", "one".repeat(1000))
        .file("partition#0 XFS/d/sub/ü", "")
        .file("partition#0 XFS/d/big", big.clone())
        .link("partition#0 XFS/d/link");
    let sim = world(guest).start();
    let (client, session) = mounted(&sim);
    let folder = || unzipped(&client.bytes(&session, &["partition#0 XFS/d"]));
    let Some(entries) = folder() else {
        assert!(std::env::var_os("ZERTO_GUARD_TESTS_MUST_RUN").is_none(), "python3 is missing");
        return;
    };
    let expected = [
        ("d/a b".to_owned(), "one".repeat(1000).into_bytes()),
        ("d/big".to_owned(), big.chunks().flatten().collect()),
        ("d/sub/ü".to_owned(), Vec::new()),
    ];
    assert_eq!(entries, expected);
    sim.with_state(|s| s.settings.flr.form = DownloadForm::StoredZip);
    assert_eq!(folder().unwrap(), expected);
    let raw = client.bytes(&session, &["partition#0 XFS/d/a b"]);
    assert!(raw.starts_with(b"PK\x03\x04") && raw.len() > 3000, "stored");
    sim.with_state(|s| s.settings.flr.form = DownloadForm::Zip);
    let small = client.bytes(&session, &["partition#0 XFS/d/a b"]);
    assert!(small.starts_with(b"PK\x03\x04") && small.len() < 500, "deflated");
    assert_eq!(unzipped(&small).unwrap(), [("a b".to_owned(), "one".repeat(1000).into_bytes())]);
    let two = client.bytes(&session, &["partition#0 XFS/d/a b", "partition#0 XFS/d/sub"]);
    assert_eq!(unzipped(&two).unwrap().len(), 2);
}

#[test]
fn a_long_file_takes_no_memory() {
    let len = 256 * 1024 * 1024 + 17;
    let content = Content::generated(len, 3);
    let sim = world(Guest::new().file("partition#0 XFS/big", content.clone())).http().start();
    let (client, session) = mounted(&sim);
    let (_, main) = client.browse(&session, &json!({ "path": "partition#0 XFS/big" }));
    assert_eq!(main["MainPathItem"]["SizeInBytes"], len);
    for declares in [true, false] {
        sim.with_state(|s| s.settings.flr.declares_length = declares);
        let (_, link) = client.link(&session, &["partition#0 XFS/big"]);
        let request = client.agent.get(format!("{}/{}", sim.url(), link.as_str().unwrap()));
        let request = request.config().timeout_global(None).build();
        let answer = request.header("Authorization", format!("Bearer {}", client.token)).call().unwrap();
        assert_eq!(answer.headers().get("content-length").is_some(), declares);
        let mut reader = answer.into_body().into_reader();
        let (mut buffer, mut digest, mut read) = (vec![0; 1 << 16], Sha256::new(), 0);
        loop {
            let n = reader.read(&mut buffer).unwrap();
            if n == 0 {
                break;
            }
            digest.update(&buffer[..n]);
            read += n as u64;
        }
        let hex: String = digest.finalize().iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!((read, hex), (len, content.sha256()));
    }
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap();
        let kib: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(kib < 200 * 1024, "{kib} KiB, and less than the file's 256 MiB whatever other tests run beside");
    }
}

#[test]
fn downloads_that_go_wrong() {
    let content = Content::generated(1_000_000, 9);
    let sim = world(Guest::new().file("partition#0 XFS/f", content.clone())).start();
    let (client, session) = mounted(&sim);
    let fetch = |fault: Option<Fault>| {
        if let Some(fault) = fault {
            sim.fault(Step::Download, fault, Times::Next(1));
        }
        let (_, link) = client.link(&session, &["partition#0 XFS/f"]);
        let request = client.agent.get(format!("{}/{}", sim.url(), link.as_str().unwrap()));
        let request = request.config().timeout_per_read(Some(Duration::from_millis(400))).build();
        let mut answer = request.header("Authorization", format!("Bearer {}", client.token)).call().unwrap();
        let length = answer.headers().get("content-length").map(|v| v.to_str().unwrap().parse::<u64>().unwrap());
        (length, answer.body_mut().with_config().limit(1 << 30).read_to_vec())
    };
    let whole: Vec<u8> = content.chunks().flatten().collect();
    let (length, bytes) = fetch(None);
    assert_eq!((length, bytes.unwrap()), (Some(1_000_000), whole.clone()));
    for fault in [Fault::Truncated, Fault::ResetMidBody, Fault::ResetAfter(10), Fault::ResetAfter(0)] {
        let (length, bytes) = fetch(Some(fault.clone()));
        assert_eq!(length, Some(1_000_000), "{fault:?}");
        assert!(bytes.is_err(), "{fault:?}");
    }
    let (length, bytes) = fetch(Some(Fault::StallAfter(70_000)));
    assert_eq!(length, Some(1_000_000));
    let error = bytes.unwrap_err();
    assert!(matches!(&error, ureq::Error::Timeout(_)), "{error:?} {:?}", ErrorKind::TimedOut);
    let (length, bytes) = fetch(Some(Fault::Shortened(70_000)));
    assert_eq!((length, bytes.unwrap()), (Some(70_000), whole[..70_000].to_vec()));
    let (length, bytes) = fetch(Some(Fault::Shortened(2_000_000)));
    assert_eq!((length, bytes.unwrap().len()), (Some(1_000_000), 1_000_000));
    let (_, bytes) = fetch(Some(Fault::SlowDrip { bytes: 200_000, every: Duration::from_millis(20) }));
    assert_eq!(bytes.unwrap(), whole);
    // Without a length, a connection that is closed early is an error all the same.
    sim.with_state(|s| s.settings.flr.declares_length = false);
    let (length, bytes) = fetch(Some(Fault::ResetAfter(70_000)));
    assert!(length.is_none() && bytes.is_err(), "{length:?} {:?}", bytes.map(|b| b.len()));
}

#[test]
fn a_journal_of_fifty_thousand() {
    let vpg = VpgSpec::local("gold")
        .history_minutes(6000, 60)
        .checkpoints(50_000)
        .tag(30, "half an hour ago")
        .tag(3000, "days ago");
    let sim = Sim::builder().vm(VmSpec::new("box").vpg(vpg)).start();
    let client = Client::new(&sim);
    let journal = sim.journal("gold");
    assert!(journal.len() > 50_000 && journal.is_sorted_by_key(|c| c.time_ms));
    assert!(journal.is_sorted_by_key(|c| c.id.parse::<u64>().unwrap()), "numbers go by time");
    assert_eq!(sim.tags("gold"), ["days ago", "half an hour ago"]);
    let now = sim.with_state(|s| s.now_ms());
    let path =
        format!("{}?startDate={}&endDate={}", common::checkpoints(&sim, "gold"), now - 180_060_000, now - 179_940_000);
    let (_, window) = client.get(&path);
    assert!((20..30).contains(&window.as_array().unwrap().len()), "{}", window.as_array().unwrap().len());
}
