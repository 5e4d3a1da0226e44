//! `rewind recover`: a guest's file on this machine's disk, whole or not at all, and nothing left mounted or half written.

use crate::env::{Env, Ran, skip};
use crate::guard_story::home;
use crate::trust_command::on_a_terminal;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;
use zvm_sim::{Content, DownloadForm, Fault, Guest, LinkForm, Role, Sim, Step, Times, UnmountOutcome, VmSpec, VpgSpec};

pub const TAG: &str = "ai:claude | edit /etc/app.yaml | vm=web01 | change=chg-412 | 20260921T150405Z";
pub const GOOD: &str = "listen: 8080\nworkers: 4\n";
pub const ROOT: &str = "partition#1 Ext4";

/// A guest whose files were changed after the tag.
pub fn world(guest: Guest) -> Sim {
    let sim = Sim::builder().vm(VmSpec::new("web01").vpg(VpgSpec::local("gold")).guest(guest)).start();
    sim.put_tag("gold", Duration::from_secs(120), TAG).unwrap();
    sim.put_file("web01", &format!("{ROOT}/etc/app.yaml"), "broken");
    sim
}

pub fn linux() -> Sim {
    world(Guest::linux("web01"))
}

/// The names in the folder in which the command was started, in order.
pub fn names(env: &Env) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(env.project()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

pub fn recover(env: &Env, arguments: &[&str]) -> Ran {
    env.run(&[&["rewind", "recover", "--yes"], arguments].concat())
}

pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// It did not work, nothing stands in the folder, and nothing is mounted.
#[track_caller]
pub fn left_nothing(sim: &Sim, env: &Env, ran: &Ran, code: i32, words: &str) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains(words), "no `{words}` in: {}", ran.stderr);
    assert_eq!(names(env), [""; 0]);
    assert!(sim.live_sessions().is_empty());
}

#[test]
fn the_file_is_back_as_it_was_and_nothing_stays_mounted() {
    let sim = linux();
    let env = home(&sim);
    let ran = recover(&env, &["latest:/etc/app.yaml"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(env.project().join("app.yaml")).unwrap(), GOOD);
    assert_eq!(names(&env), ["app.yaml"]);
    let digest = sha256(GOOD.as_bytes());
    assert_eq!(
        ran.stdout,
        format!(
            "app.yaml: 24 bytes, SHA-256 {digest}\nThe disks are unmounted again.\nTo put it back:\n  \
             scp ./app.yaml web01:/etc/app.yaml\n"
        )
    );
    let checkpoint = sim.checkpoint("gold", TAG).unwrap();
    for words in [
        "This mounts the disks of VM web01 as they were at checkpoint ",
        &format!("checkpoint {checkpoint} of "),
        "of VPG gold",
        TAG,
        "through ZVM ",
        "/etc/app.yaml goes to app.yaml, which is a new file.",
    ] {
        assert!(ran.stderr.contains(words), "no `{words}` in {}", ran.stderr);
    }
    assert!(sim.live_sessions().is_empty());
    assert_eq!(sim.sessions().len(), 1);
    assert_eq!(sim.requests_of(Step::FlrMount).len(), 1);
}

#[test]
fn as_json_it_has_the_fields_of_the_contract() {
    let sim = linux();
    let env = home(&sim);
    let ran = recover(&env, &["chg-412:/etc/app.yaml", "--output", "out", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let session = sim.sessions()[0].identifier.clone();
    assert_eq!(
        ran.json(),
        json!({
            "ok": true,
            "path": "/etc/app.yaml",
            "file": "out",
            "size": 24,
            "sha256": sha256(GOOD.as_bytes()),
            "kept": null,
            "put_back": "scp ./out web01:/etc/app.yaml",
            "unmount": {"ok": true, "session_id": session, "error": null},
            "warnings": [],
        })
    );
    let ran = recover(&env, &["chg-412:/etc/nosuch", "--json"]);
    let error = ran.json();
    assert_eq!((ran.code, &error["ok"], &error["exit_code"]), (Some(3), &json!(false), &json!(3)));
    assert!(sim.live_sessions().is_empty());
}

#[test]
fn raw_or_in_a_zip_and_whatever_the_link_it_is_the_same_file() {
    for (name, content) in [
        ("app.bin", Content::generated(300_000, 9)),
        ("empty", Content::from("")),
        ("nothing.zip", Content::from([b"PK\x05\x06".as_slice(), &[0; 18]].concat())),
        ("app.zip", Content::from(zip_of("app.yaml", b"in an archive"))),
        ("same.zip", Content::from(zip_of("same.zip", b"an archive with a file of its own name"))),
    ] {
        let sim = world(Guest::linux("web01").file(&format!("{ROOT}/srv/{name}"), content.clone()));
        let env = home(&sim);
        for (form, declares, link) in [
            (DownloadForm::Raw, true, LinkForm::Relative),
            (DownloadForm::Raw, false, LinkForm::OwnAddress),
            (DownloadForm::Zip, false, LinkForm::Rooted),
            (DownloadForm::StoredZip, false, LinkForm::Absolute),
            (DownloadForm::Zip, false, LinkForm::At("https://evil.example".to_owned())),
        ] {
            sim.with_state(|s| {
                (s.settings.flr.form, s.settings.flr.declares_length) = (form, declares);
                s.settings.flr.link = link.clone();
            });
            let ran = recover(&env, &[&format!("latest:/srv/{name}"), "--json"]);
            assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{name} {form:?} {link:?}");
            let (told, file) = (ran.json(), env.project().join(name));
            assert_eq!(told["sha256"], content.sha256(), "{name} {form:?} {link:?}");
            let bytes = fs::read(&file).unwrap();
            assert_eq!((sha256(&bytes), told["size"].as_u64()), (content.sha256(), Some(content.len())));
            assert_eq!(names(&env), [name]);
            fs::remove_file(file).unwrap();
        }
        assert!(sim.live_sessions().is_empty());
    }
}

#[test]
fn a_download_that_is_not_whole_leaves_nothing() {
    let path = format!("{ROOT}/srv/blob");
    for form in [DownloadForm::Raw, DownloadForm::Zip] {
        for (fault, code, words) in [
            (Fault::Truncated, 1, "did not come whole"),
            (Fault::ResetMidBody, 1, "did not come whole"),
            (Fault::ResetAfter(0), 1, "did not come whole"),
            (Fault::ResetAfter(70_000), 1, "did not come whole"),
            (Fault::Shortened(0), 1, "lists it with 300000 bytes, and 0 bytes have come"),
            (Fault::Shortened(100_000), 1, "lists it with 300000 bytes, and 100000 bytes have come"),
            (Fault::Html, 1, "lists it with 300000 bytes"),
            (Fault::Empty, 1, "and 0 bytes have come"),
            (Fault::Status(500, "{\"Message\":\"disk error\"}".into()), 1, "disk error"),
            (Fault::Status(404, String::new()), 1, "/srv/blob\" failed: "),
            (Fault::Status(403, String::new()), 6, "/srv/blob\" failed: "),
            (Fault::ResetBefore, 6, "/srv/blob\" failed: "),
            (Fault::Redirect("https://evil.example/".into()), 1, "/srv/blob\" failed: "),
        ] {
            let sim = world(Guest::linux("web01").file(&path, Content::generated(300_000, 5)));
            sim.with_state(|s| s.settings.flr.form = form);
            sim.fault(Step::Download, fault.clone(), Times::Always);
            let env = home(&sim);
            let ran = recover(&env, &["latest:/srv/blob"]);
            left_nothing(&sim, &env, &ran, code, words);
            assert!(!ran.stderr.contains("zerto-guard: zerto-guard"), "{}", ran.stderr);
        }
    }
}

#[test]
fn a_slow_download_and_a_token_that_ends_meanwhile_do_no_harm() {
    let sim = world(Guest::linux("web01").file(&format!("{ROOT}/srv/blob"), Content::generated(40_000, 5)));
    sim.fault(Step::Download, Fault::Unauthorized, Times::Next(1));
    let drip = Fault::SlowDrip { bytes: 4_000, every: Duration::from_millis(20) };
    sim.fault(Step::Download, drip, Times::Next(1));
    let env = home(&sim);
    let ran = recover(&env, &["latest:/srv/blob"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(sha256(&fs::read(env.project().join("blob")).unwrap()), Content::generated(40_000, 5).sha256());
}

#[test]
fn what_can_not_be_had_is_said_and_nothing_stays() {
    let sim =
        world(Guest::linux("web01").file(&format!("{ROOT}/srv/a\\b"), "x").file(&format!("{ROOT}/srv/a\nb"), "x"));
    let env = home(&sim);
    for (what, code, words) in [
        ("latest:/etc/mtab", 1, "/etc/mtab on web01 can't be downloaded: \"Cannot restore. Links are not supported\"."),
        ("latest:/etc/nosuch", 3, "/etc/nosuch is not there on web01"),
        ("latest:/srv/a\\b", 1, "`zerto-guard rewind clone` makes a VM of the same checkpoint"),
        ("latest:/srv/a\nb", 5, "its name holds control characters.\nSay with --output"),
        ("latest:/", 5, "/: a root has no name.\nSay with --output"),
        ("latest:/etc/../app.yaml", 64, "without .."),
        ("nosuch:/etc/app.yaml", 3, "No tag is \"nosuch\""),
    ] {
        let ran = recover(&env, &[what]);
        left_nothing(&sim, &env, &ran, code, words);
    }
    let ran = recover(&env, &["latest:/srv/a\\b"]);
    assert!(
        ran.stderr.contains("\nWarning: The name /srv/a\\b holds a character that file level restore may refuse."),
        "{}",
        ran.stderr
    );
    // Under a name that can be one here it comes, and no line is shown that would hide something.
    let ran = recover(&env, &["latest:/srv/a\nb", "--output", "ab", "--json"]);
    assert_eq!((ran.code, &ran.json()["put_back"]), (Some(0), &Value::Null), "{}", ran.stderr);
}

#[test]
fn without_a_yes_nothing_happens() {
    let sim = linux();
    let env = home(&sim);
    for json in [false, true] {
        let mut command = Command::new("setsid");
        command.arg("--wait").arg(Env::binary()).args(["rewind", "recover", "latest:/etc/app.yaml"]);
        command.args(json.then_some("--json"));
        command.env_clear().env("HOME", env.home()).current_dir(env.project()).stdin(Stdio::null());
        let Ok(output) = command.output() else {
            return skip("there is no `setsid` here to be without a terminal");
        };
        let ran = Ran::from(output);
        assert_eq!(ran.code, Some(5), "{}{}", ran.stdout, ran.stderr);
        assert!(
            ran.stderr.contains("This mounts the disks of VM web01") && ran.stderr.contains("--yes"),
            "{}",
            ran.stderr
        );
        assert_eq!(json, ran.stdout.contains("\"exit_code\":5"), "{}", ran.stdout);
    }
    let Some(ran) = on_a_terminal(&env, "rewind recover latest:/etc/app.yaml", "n\n") else {
        return skip("there is no `script` here to make a terminal with");
    };
    assert_eq!(ran.code, Some(5), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("/etc/app.yaml goes to app.yaml, which is a new file.\r\nGo on? [y/N] "),
        "{}",
        ran.stdout
    );
    assert_eq!(names(&env), [""; 0]);
    assert!(sim.sessions().is_empty() && sim.requests_of(Step::FlrMount).is_empty());
    let ran = on_a_terminal(&env, "rewind recover latest:/etc/app.yaml", "y\n").unwrap();
    assert_eq!((ran.code, names(&env)), (Some(0), vec!["app.yaml".to_owned()]), "{}", ran.stdout);
    assert!(sim.live_sessions().is_empty());
}

#[test]
fn an_unmount_that_fails_is_a_warning_beside_the_file() {
    let sim = linux();
    sim.next_unmounts(20, &UnmountOutcome::Failed("the datastore is gone".into()));
    let env = home(&sim);
    let ran = recover(&env, &["latest:/etc/app.yaml", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let (told, session) = (ran.json(), sim.live_sessions()[0].identifier.clone());
    assert_eq!((&told["ok"], &told["unmount"]["ok"]), (&json!(true), &json!(false)));
    assert_eq!(told["unmount"]["session_id"], session);
    assert!(told["unmount"]["error"].as_str().unwrap().contains("the datastore is gone"), "{told}");
    let clear = format!("zerto-guard rewind end-session {session}");
    assert!(told["warnings"][0].as_str().unwrap().contains(&clear) && ran.stderr.contains(&clear), "{told}");
    assert_eq!(fs::read_to_string(env.project().join("app.yaml")).unwrap(), GOOD);
}

#[test]
fn a_long_file_of_a_linux_guest_is_warned_of_before_it_comes() {
    let sim = world(Guest::linux("web01").file(&format!("{ROOT}/srv/dump"), Content::generated(1_600_000_000, 5)));
    sim.fault(Step::Download, Fault::Status(500, String::new()), Times::Always);
    let env = home(&sim);
    let ran = recover(&env, &["latest:/srv/dump"]);
    left_nothing(
        &sim,
        &env,
        &ran,
        1,
        "/srv/dump has 1.4 GiB, and with a Linux guest file level restore is unreliable over 1.5 GB.",
    );
}

#[test]
fn the_operators_role_of_a_10_9_is_refused_with_the_way_round() {
    let sim = Sim::builder()
        .vm(VmSpec::new("web01").vpg(VpgSpec::local("gold")))
        .user("guard", "correct horse", Role::FlrOperator)
        .settings(|s| s.flr.refuses_operator = true)
        .start();
    sim.put_tag("gold", Duration::from_secs(120), TAG).unwrap();
    let env = home(&sim);
    let ran = recover(&env, &["latest:/etc/app.yaml"]);
    left_nothing(
        &sim,
        &env,
        &ran,
        6,
        "a ZVM 10.9 refuses the second one by a fault of its own, and an Administrator is the way round",
    );
}

#[test]
fn a_running_test_or_copy_of_the_journal_is_the_reason_not_to_begin() {
    let sim = linux();
    sim.set_journal_copy("gold", true);
    let env = home(&sim);
    let ran = recover(&env, &["latest:/etc/app.yaml"]);
    left_nothing(&sim, &env, &ran, 1, "An extended journal copy is running.");
    assert!(sim.requests_of(Step::FlrMount).is_empty());
}

#[test]
fn a_vpg_that_is_busy_is_warned_of_before_it_begins() {
    let sim = linux();
    sim.set_vpg_status("gold", 1, 28);
    let env = home(&sim);
    let ran = recover(&env, &["latest:/etc/app.yaml"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("\nWarning: The VPG gold is busy with a copy of its journal"), "{}", ran.stderr);
    let told = recover(&env, &["latest:/etc/app.yaml", "--force", "--json"]).json();
    assert!(told["warnings"][0].as_str().unwrap().contains("busy with a copy of its journal"), "{told}");
}

#[test]
fn progress_is_a_line_on_a_terminal_and_gone_at_the_end() {
    let sim = world(Guest::linux("web01").file(&format!("{ROOT}/srv/blob"), Content::generated(40_000, 5)));
    sim.fault(Step::Download, Fault::SlowDrip { bytes: 8_000, every: Duration::from_millis(250) }, Times::Always);
    let env = home(&sim);
    let Some(ran) = on_a_terminal(&env, "rewind recover latest:/srv/blob --yes", "") else {
        return skip("there is no `script` here to make a terminal with");
    };
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    assert!(ran.stdout.contains("\rblob: ") && ran.stdout.contains(" of 39.0 KiB ("), "{:?}", ran.stdout);
    assert!(ran.stdout.contains("/s, ") && ran.stdout.contains(" left\u{1b}[K"), "{:?}", ran.stdout);
    let end = ran.stdout.rfind("\r\u{1b}[K").unwrap();
    assert!(ran.stdout[end..].contains("blob: 39.0 KiB (40000 bytes), SHA-256 "), "{:?}", ran.stdout);
    // Where there is none, nothing is drawn.
    let ran = recover(&env, &["latest:/srv/blob", "--force"]);
    assert!(!ran.stderr.contains('\r') && !ran.stderr.contains('\u{1b}'), "{:?}", ran.stderr);
}

#[test]
fn however_long_the_file_the_memory_stays_the_same() {
    const LONG: u64 = 120_000_000;
    let sim = world(Guest::linux("web01").file(&format!("{ROOT}/srv/blob"), Content::generated(LONG, 5)));
    for form in [DownloadForm::Raw, DownloadForm::StoredZip] {
        sim.with_state(|s| s.settings.flr.form = form);
        let env = home(&sim);
        let (ran, peak) = env.run_measured(&["rewind", "recover", "latest:/srv/blob", "--yes", "--json"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(ran.json()["sha256"], Content::generated(LONG, 5).sha256());
        assert!(peak < 50 * 1024, "{form:?}: {peak} KiB");
    }
}

/// A stored zip of one file.
fn zip_of(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut crc = !0_u32;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    let (length, size) = ((name.len() as u16).to_le_bytes(), (bytes.len() as u32).to_le_bytes());
    let common = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &(!crc).to_le_bytes(), &size, &size, &length, &[0, 0]].concat();
    let head = [b"PK\x03\x04", common.as_slice(), name.as_bytes(), bytes].concat();
    let entry = [b"PK\x01\x02\x14\0", common.as_slice(), &[0; 14], name.as_bytes()].concat();
    let places = [(entry.len() as u32).to_le_bytes(), (head.len() as u32).to_le_bytes()].concat();
    [head.as_slice(), &entry, b"PK\x05\x06\0\0\0\0\x01\0\x01\0", &places, &[0, 0]].concat()
}
