//! `rewind cat`: a guest's bytes on stdout, all of them or none, and nothing left mounted.

use crate::env::{Env, Ran, skip};
use crate::guard_story::{home, home_with};
use crate::trust_command::on_a_terminal;
use serde_json::json;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::Duration;
use zvm_sim::{Content, DownloadForm, Fault, Guest, Sim, Step, Times, UnmountOutcome, VmSpec, VpgSpec};

pub const TAG: &str = "ai:claude | edit /etc/app.yaml | vm=web01 | change=chg-412 | 20260921T150405Z";
const GOOD: &str = "listen: 8080\nworkers: 4\n";

/// A tag of now: what was changed before is in it, what is changed after is not.
pub fn tag_now(sim: &Sim, tag: &str) {
    let apart = Duration::from_millis(5);
    std::thread::sleep(apart);
    sim.put_tag("gold", Duration::ZERO, tag).unwrap();
    std::thread::sleep(apart);
}

/// A VM with a tag of two minutes ago.
pub fn world(guest: Guest) -> Sim {
    let sim = Sim::builder().vm(VmSpec::new("web01").vpg(VpgSpec::local("gold")).guest(guest)).start();
    sim.put_tag("gold", Duration::from_secs(120), TAG).unwrap();
    sim
}

fn cat(env: &Env, what: &str) -> Ran {
    env.run(&["rewind", "cat", "--yes", what])
}

/// With bytes that need not be text.
fn bytes(env: &Env, what: &str) -> (Option<i32>, Vec<u8>, String) {
    let output = env.command(&["rewind", "cat", "--yes", what]).output().unwrap();
    (output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

/// Nothing is mounted, and nothing was left in the folder for files that are looked at.
#[track_caller]
fn left_nothing(sim: &Sim) {
    assert!(sim.live_sessions().is_empty());
}

#[test]
fn the_bytes_as_they_were_and_nothing_else() {
    let sim = world(Guest::linux("web01"));
    sim.put_file("web01", "partition#1 Ext4/etc/app.yaml", "broken");
    let env = home(&sim);
    for what in ["latest:/etc/app.yaml", "chg-412:/etc/app.yaml", &format!("{TAG}://etc/./app.yaml")] {
        let ran = cat(&env, what);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), GOOD), "{what}: {}", ran.stderr);
        left_nothing(&sim);
    }
    let checkpoint = sim.checkpoint("gold", TAG).unwrap();
    let stderr = cat(&env, "latest:/etc/app.yaml").stderr;
    for words in
        [&format!("VM web01 as they were at checkpoint {checkpoint} of "), TAG, "/etc/app.yaml is written to stdout."]
    {
        assert!(stderr.contains(words), "no `{words}` in {stderr}");
    }
    assert!(stderr.ends_with("zerto-guard: /etc/app.yaml on web01 is \"partition#1 Ext4/etc/app.yaml\"\n"), "{stderr}");
}

#[test]
fn any_bytes_of_any_name_on_any_guest() {
    let binary: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let guest = Guest::windows("web01")
        .file("partition#1 NTFS/d/bin", Content::from(binary.clone()))
        .file("partition#1 NTFS/d/empty", "")
        .file("partition#1 NTFS/d/own.zip", Content::from(b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec()))
        .file("partition#1 NTFS/d/big", Content::generated(5_000_000, 7))
        .file("partition#1 NTFS/d/a [x] 100%.", "x");
    let sim = world(guest);
    let env = home(&sim);
    let mut big = Vec::new();
    Content::generated(5_000_000, 7).chunks().for_each(|chunk| big.extend_from_slice(&chunk));
    let zip = b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".as_slice();
    for form in [DownloadForm::Raw, DownloadForm::Zip, DownloadForm::StoredZip] {
        sim.with_state(|s| s.settings.flr.form = form);
        for (path, whole) in [
            ("C:\\d\\bin", binary.as_slice()),
            ("c:/D/EMPTY", b""),
            ("C:\\d\\own.zip", zip),
            ("C:\\d\\big", &big),
            ("C:\\d\\a [x] 100%.", b"x"),
            ("C:\\users\\J\\documents\\GRÖßE – Übersicht.txt", b"42\r\n"),
        ] {
            let (code, stdout, stderr) = bytes(&env, &format!("latest:{path}"));
            assert_eq!(code, Some(0), "{form:?} {path}: {stderr}");
            assert!(stdout == whole, "{form:?} {path}: {} bytes", stdout.len());
            left_nothing(&sim);
        }
    }
}

#[test]
fn what_is_not_whole_is_nothing() {
    let sim = world(Guest::new().file("partition#0 XFS/f", Content::generated(3_000_000, 4)));
    let env = home(&sim);
    for declares in [true, false] {
        sim.with_state(|s| s.settings.flr.declares_length = declares);
        for fault in [Fault::Truncated, Fault::ResetAfter(1_000_000), Fault::Shortened(1_000_000)] {
            sim.fault(Step::Download, fault.clone(), Times::Next(1));
            let (code, stdout, stderr) = bytes(&env, "latest:/f");
            assert_eq!((code, stdout.len()), (Some(1), 0), "{fault:?} {declares}: {stderr}");
            assert!(stderr.contains("did not come whole"), "{stderr}");
            left_nothing(&sim);
        }
    }
    assert_eq!(bytes(&env, "latest:/f").1.len(), 3_000_000);
}

#[test]
fn paths_that_are_no_file_or_several() {
    let guest = Guest::linux("web01").file("partition#2 XFS/log/syslog", "other").locked(
        "partition#1 Ext4/srv/locked",
        "x",
        "The file is in use by the system.",
    );
    let sim = world(guest);
    let env = home(&sim);
    for (path, code, words) in [
        ("/etc/nosuch", 3, "/etc/nosuch is not there on web01; /etc is."),
        ("/nosuch/x", 3, "Looked through: \"partition#0 Ext4\", \"partition#1 Ext4\", \"partition#2 XFS\"."),
        (
            "/bin/sh",
            3,
            "\"partition#1 Ext4/bin\" can't be looked into (\"Cannot restore. Links are not supported\"); if it is a link, give the path that it leads to.",
        ),
        ("/etc", 5, "/etc on web01 is a folder."),
        ("/etc/mtab", 1, "Links are not supported"),
        ("/srv/locked", 1, "in use by the system"),
        ("/var/log/syslog", 4, "\n  partition#1 Ext4/var/log/syslog\n  partition#2 XFS/log/syslog\n"),
        ("/var/log/syslog", 4, "\n  \"web01:/var/log\" = \"partition#2 XFS/log\"\n"),
    ] {
        let ran = cat(&env, &format!("latest:{path}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{path}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "no `{words}` in {}", ran.stderr);
        left_nothing(&sim);
    }
    for (setting, path, content) in [
        ("\"web01:/var/log\" = \"partition#2 XFS/log\"", "/var/log/syslog", Some("other")),
        ("\"web01:/var/log\" = \"partition#1 Ext4/var/log\"", "/var/log/syslog", Some("started\n")),
        ("\"web01:/data\" = \"partition#2 XFS\"", "/data/log/syslog", Some("other")),
        ("\"web01:/data\" = \"partition#7 XFS\"", "/data/log/syslog", None),
    ] {
        let env = home_with(&sim, &format!("[paths]\n{setting}\n"));
        let ran = cat(&env, &format!("latest:{path}"));
        match content {
            Some(content) => {
                assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), content), "{setting}: {}", ran.stderr)
            }
            None => {
                assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{setting}: {}", ran.stderr);
                let words = "lies in \"partition#7 XFS\", which is not there.\nThere are: \"partition#0 Ext4\", \"partition#1 Ext4\", \"partition#2 XFS\".";
                assert!(ran.stderr.contains(words), "{}", ran.stderr);
            }
        }
        left_nothing(&sim);
    }
}

#[test]
fn a_reader_that_has_seen_enough_leaves_nothing_mounted() {
    let sim = world(Guest::new().file("partition#0 XFS/f", Content::generated(3_000_000, 4)));
    let env = home(&sim);
    let mut child = env.spawn(&["rewind", "cat", "--yes", "latest:/f"]);
    let mut first = [0; 10];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    // The reader is as slow as it likes: the disks are unmounted by then.
    assert!(sim.live_sessions().is_empty());
    drop(stdout);
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let mut child = env.spawn(&["rewind", "cat", "--yes", "latest:/f"]);
    drop(child.stdout.take());
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    left_nothing(&sim);
}

#[test]
fn as_json_it_is_an_object_with_the_text() {
    let sim = world(Guest::linux("web01").file("partition#1 Ext4/srv/bin", Content::from(vec![0xff_u8, 0])));
    let env = home(&sim);
    let ran = env.run(&["rewind", "cat", "--yes", "--json", "latest:/etc/app.yaml"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let session = sim.sessions()[0].identifier.clone();
    assert_eq!(
        ran.json(),
        json!({
            "ok": true,
            "vm": "web01",
            "path": "/etc/app.yaml",
            "tag": TAG,
            "checkpoint": sim.checkpoint("gold", TAG).unwrap(),
            "size": 24,
            "sha256": Content::from(GOOD).sha256(),
            "text": GOOD,
            "unmount": {"ok": true, "session_id": session, "error": null},
            "warnings": [],
        })
    );
    let ran = env.run(&["rewind", "cat", "--yes", "--json", "latest:/srv/bin"]);
    assert_eq!((ran.code, &ran.json()["text"], &ran.json()["size"]), (Some(0), &json!(null), &json!(2)));
    let ran = env.run(&["rewind", "cat", "--yes", "--json", "latest:/nosuch"]);
    assert_eq!((ran.code, &ran.json()["ok"], &ran.json()["exit_code"]), (Some(3), &json!(false), &json!(3)));
}

#[test]
fn a_mount_that_stays_up_is_a_warning() {
    let sim = world(Guest::linux("web01"));
    let env = home(&sim);
    sim.next_unmounts(3, &UnmountOutcome::Failed("A file is open.".to_owned()));
    let ran = cat(&env, "latest:/etc/app.yaml");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), GOOD), "{}", ran.stderr);
    let session = sim.live_sessions()[0].identifier.clone();
    assert!(ran.stderr.contains(&format!("clear it with: zerto-guard rewind end-session {session}")), "{}", ran.stderr);
}

#[test]
fn nothing_is_mounted_unless_it_is_confirmed() {
    let sim = world(Guest::linux("web01"));
    let env = home(&sim);
    // In a session of its own there is no terminal to ask on.
    for command in [&["cat"][..], &["ls"], &["diff"], &["cat", "--json"], &["ls", "--json"], &["diff", "--json"]] {
        let mut setsid = Command::new("setsid");
        setsid.args(["-w"]).arg(Env::binary()).arg("rewind").args(command).arg("latest:/etc/app.yaml");
        setsid.env_clear().env("HOME", env.home()).stdin(Stdio::null());
        let Ok(output) = setsid.output() else { return skip("setsid can't be run") };
        let ran: Ran = output.into();
        assert_eq!(ran.code, Some(5), "{command:?}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("This mounts the disks of VM web01") && ran.stderr.contains("--yes"),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.stdout.is_empty(), command.len() == 1, "{}", ran.stdout);
    }
    assert!(sim.requests_of(Step::FlrMount).is_empty());
}

#[test]
fn on_a_terminal_it_asks_and_shows_no_control_characters() {
    let sim = world(
        Guest::linux("web01")
            .file("partition#1 Ext4/srv/esc", "a\u{1b}[31mb\u{202e}c\r\nTÜ\n")
            .file("partition#1 Ext4/srv/bin", Content::from(b"a\0b\n".to_vec())),
    );
    let env = home(&sim);
    let Some(no) = on_a_terminal(&env, "rewind cat latest:/srv/esc", "n\n") else { return skip("script can't be run") };
    assert_eq!(no.code, Some(5), "{}", no.stdout);
    assert!(no.stdout.contains("Go on? [y/N]") && no.stdout.contains("Nothing was done"), "{}", no.stdout);
    assert!(sim.requests_of(Step::FlrMount).is_empty());
    let yes = on_a_terminal(&env, "rewind cat latest:/srv/esc", "y\n").unwrap();
    assert_eq!(yes.code, Some(0), "{}", yes.stdout);
    assert!(yes.stdout.contains("a^[[31mb<U+202E>c^M\r\nTÜ\r\n"), "{:?}", yes.stdout);
    let bin = on_a_terminal(&env, "rewind cat --yes latest:/srv/bin", "").unwrap();
    assert_eq!(bin.code, Some(5), "{}", bin.stdout);
    assert!(bin.stdout.contains("is no text (4 bytes), and stdout is a terminal") && !bin.stdout.contains('\0'));
    left_nothing(&sim);
}
