//! `rewind diff`: what has changed in a guest's file, against this machine's disk, another tag or now.

use crate::env::{Env, Ran, skip};
use crate::guard_story::home;
use crate::rewind_cat::{TAG, tag_now, world};
use crate::trust_command::on_a_terminal;
use proptest::prelude::*;
use serde_json::json;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;
use zerto_guard::rewind::diff::{Content as Held, Side, compare};
use zvm_sim::{Content, Guest, MountOutcome, Sim, Step, UnmountOutcome};

const SECOND: &str = "ai:codex | restart app | vm=web01 | change=chg-413 | 20260921T160000Z";
const FILE: &str = "partition#1 Ext4/etc/app.yaml";

/// The file was changed after the first tag, and once more after the second one.
fn story() -> Sim {
    let sim = world(Guest::linux("web01"));
    sim.put_file("web01", FILE, "listen: 8081\nworkers: 4\n");
    tag_now(&sim, SECOND);
    sim.put_file("web01", FILE, "listen: 8082\nworkers: 4\n");
    // One that nobody tagged with a tag of this tool's.
    tag_now(&sim, "nightly");
    sim.with_state(|s| s.settings.auto_checkpoint_every = Duration::ZERO);
    sim
}

fn diff(env: &Env, arguments: &[&str]) -> Ran {
    env.run(&[&["rewind", "diff", "--yes"], arguments].concat())
}

/// How many sessions were live at the same time at most can't be seen afterwards; that the simulator refused none can.
#[track_caller]
fn mounted(sim: &Sim, times: usize) {
    assert_eq!(sim.requests_of(Step::FlrMount).len(), times);
    assert_eq!(sim.sessions().len(), times, "none was refused");
    assert!(sim.live_sessions().is_empty());
}

#[test]
fn against_the_newest_checkpoint() {
    let sim = story();
    let env = home(&sim);
    let ran = diff(&env, &["chg-412:/etc/app.yaml"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[0], format!("--- web01:/etc/app.yaml\t{TAG}"));
    assert!(lines[1].starts_with("+++ web01:/etc/app.yaml\tnightly 20"), "{}", lines[1]);
    assert_eq!(lines[2..], ["@@ -1,2 +1,2 @@", "-listen: 8080", "+listen: 8082", " workers: 4"]);
    let newest = sim.checkpoint("gold", "nightly").unwrap();
    let words = format!("the newest checkpoint of that VPG, {newest} of ");
    assert!(ran.stderr.contains(&words), "{}", ran.stderr);
    assert!(ran.stderr.contains("/etc/app.yaml is compared with the same path there."), "{}", ran.stderr);
    mounted(&sim, 2);
    let sessions = sim.sessions();
    assert_eq!(sessions[1].checkpoint, newest);
    // The newest one itself has nothing to be compared with.
    let ran = diff(&env, &["nightly:/etc/app.yaml"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("The tag is the newest checkpoint of VPG gold"), "{}", ran.stderr);
    mounted(&sim, 2);
}

#[test]
fn against_another_tag() {
    let sim = story();
    let env = home(&sim);
    let ran = diff(&env, &["chg-412:/etc/app.yaml", "chg-413:/etc/app.yaml"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("\n-listen: 8080\n+listen: 8081\n"), "{}", ran.stdout);
    assert!(ran.stdout.starts_with(&format!("--- web01:/etc/app.yaml\t{TAG}\n+++ web01:/etc/app.yaml\t{SECOND}\n")));
    assert_eq!(ran.stderr.matches("This mounts the disks of VM web01").count(), 2, "{}", ran.stderr);
    mounted(&sim, 2);
    let back = diff(&env, &["chg-413:/etc/app.yaml", "chg-412:/etc/app.yaml"]);
    assert!(back.stdout.contains("\n-listen: 8081\n+listen: 8080\n"), "{}", back.stdout);
    let other = diff(&env, &["chg-412:/etc/app.yaml", "chg-413:/etc/hostname"]);
    assert!(
        other.stdout.contains("+++ web01:/etc/hostname\t") && other.stdout.contains("\n+web01\n"),
        "{}",
        other.stdout
    );
    assert!(sim.live_sessions().is_empty());
}

#[test]
fn against_a_local_file() {
    let sim = story();
    let env = home(&sim);
    let file = env.project().join("app.yaml");
    fs::write(&file, "listen: 8080\r\nworkers: 4").unwrap();
    let ran = diff(&env, &["latest~1:/etc/app.yaml", "app.yaml"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let hunk =
        "@@ -1,2 +1,2 @@\n-listen: 8080\n-workers: 4\n+listen: 8080\r\n+workers: 4\n\\ No newline at end of file\n";
    assert_eq!(ran.stdout.splitn(3, '\n').nth(2), Some(hunk));
    assert!(
        ran.stdout.contains("\n+++ app.yaml\t20") && ran.stderr.contains("is compared with the local file app.yaml.")
    );
    mounted(&sim, 1);
    fs::write(&file, "listen: 8080\nworkers: 4\n").unwrap();
    let same = diff(&env, &["latest~1:/etc/app.yaml", "app.yaml"]);
    assert_eq!((same.code, same.stdout.as_str()), (Some(0), ""), "{}", same.stderr);
    assert!(same.stderr.contains("are the same (24 bytes, SHA-256 "), "{}", same.stderr);
    // A name like a tag's.
    fs::write(env.project().join("a:b"), "x\n").unwrap();
    fs::create_dir(env.project().join("x:")).unwrap();
    fs::write(env.project().join("x:/y"), "x\n").unwrap();
    for name in ["a:b", "./x:/y"] {
        let ran = diff(&env, &["latest~1:/etc/app.yaml", name]);
        assert!(ran.stdout.contains(&format!("\n+++ {name}\t")), "{name}: {}", ran.stderr);
    }
    let mounts = sim.requests_of(Step::FlrMount).len();
    for (name, code, words) in [
        ("nosuch", 3, "There is no file nosuch here."),
        (".", 5, ". is a folder."),
        ("x:/y", 3, "No tag is \"x\""),
        ("no:such", 64, "begins with /"),
    ] {
        let ran = diff(&env, &["latest~1:/etc/app.yaml", name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{name}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{name}: {}", ran.stderr);
    }
    assert_eq!(sim.requests_of(Step::FlrMount).len(), mounts, "a wrong name mounts nothing");
}

#[test]
fn a_file_that_is_not_there_at_one_of_them() {
    let sim = world(Guest::linux("web01"));
    sim.remove_file("web01", FILE);
    sim.put_file("web01", "partition#1 Ext4/etc/new", "a\n");
    tag_now(&sim, SECOND);
    let env = home(&sim);
    let ran = diff(&env, &["chg-412:/etc/new"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.starts_with("--- /dev/null\n+++ web01:/etc/new\t") && ran.stdout.ends_with("@@ -0,0 +1 @@\n+a\n")
    );
    let words = format!("zerto-guard: {TAG}: /etc/new is not there on web01; /etc is. It is compared with no file.");
    assert!(ran.stderr.contains(&words), "{}", ran.stderr);
    let ran = diff(&env, &["chg-412:/etc/app.yaml", "chg-413:/etc/app.yaml"]);
    assert!(ran.stdout.contains("\n+++ /dev/null\n@@ -1,2 +0,0 @@\n"), "{}", ran.stdout);
    assert!(ran.stderr.contains(&format!("zerto-guard: {SECOND}: /etc/app.yaml is not there")), "{}", ran.stderr);
    mounted(&sim, 4);
    let ran = diff(&env, &["chg-412:/etc/nosuch", "chg-413:/etc/nosuch"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{}", ran.stderr);
    for (path, code) in [("/etc", 5), ("/etc/mtab", 1)] {
        let ran = diff(&env, &[&format!("chg-412:{path}")]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{}", ran.stderr);
        assert!(sim.live_sessions().is_empty());
    }
}

#[test]
fn what_is_no_text_is_told_by_size_and_digest() {
    let sim = world(Guest::windows("web01"));
    let env = home(&sim);
    fs::write(env.project().join("x"), b"a\0").unwrap();
    let ran = diff(&env, &["latest:C:\\Users\\j\\app.conf", "x"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let digest = Content::from("listen=8080\r\nworkers=4\r\n").sha256();
    assert!(ran.stdout.starts_with("Binary files differ:\n--- web01:C:\\Users\\j\\app.conf\t"), "{}", ran.stdout);
    assert!(ran.stdout.contains(&format!("  24 bytes, SHA-256 {digest}\n")), "{}", ran.stdout);
    let ran = diff(&env, &["latest:/bootmgr", "x", "--json"]);
    let object = ran.json();
    assert_eq!(
        (&object["result"], &object["removed"], &object["old"]["size"]),
        (&json!("binary"), &json!(null), &json!(400_000))
    );
    assert!(sim.live_sessions().is_empty());
}

#[test]
fn as_json_it_is_an_object() {
    let sim = story();
    let env = home(&sim);
    let ran = diff(&env, &["chg-412:/etc/app.yaml", "chg-413:/etc/app.yaml", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let object = ran.json();
    let side = |tag: &str, text: &str| {
        json!({
            "name": "web01:/etc/app.yaml",
            "when": tag,
            "exists": true,
            "size": text.len(),
            "sha256": Content::from(text).sha256(),
        })
    };
    assert_eq!(object["old"], side(TAG, "listen: 8080\nworkers: 4\n"));
    assert_eq!(object["new"], side(SECOND, "listen: 8081\nworkers: 4\n"));
    assert_eq!(
        (&object["ok"], &object["result"], &object["removed"], &object["added"]),
        (&json!(true), &json!("text"), &json!(1), &json!(1))
    );
    assert!(object["diff"].as_str().unwrap().ends_with("@@ -1,2 +1,2 @@\n-listen: 8080\n+listen: 8081\n workers: 4\n"));
    assert_eq!(object["unmounts"].as_array().unwrap().iter().filter(|ended| ended["ok"] == true).count(), 2);
    let same = diff(&env, &["chg-412:/etc/hostname", "chg-413:/etc/hostname", "--json"]).json();
    assert_eq!((&same["result"], &same["diff"], &same["added"]), (&json!("same"), &json!(""), &json!(0)));
    let newest = diff(&env, &["nightly:/etc/hostname", "--json"]).json();
    assert_eq!((&newest["result"], &newest["unmounts"]), (&json!("same"), &json!([])));
}

#[test]
fn a_first_mount_that_stays_up_bars_the_second() {
    let sim = story();
    let env = home(&sim);
    sim.next_unmounts(3, &UnmountOutcome::Failed("A file is open.".to_owned()));
    let ran = diff(&env, &["chg-412:/etc/app.yaml"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("The first mount could not be ended, so the second one was not begun."),
        "{}",
        ran.stderr
    );
    assert_eq!((sim.live_sessions().len(), sim.requests_of(Step::FlrMount).len()), (1, 1));
    // With a second mount that fails nothing is left either.
    let sim = story();
    let env = home(&sim);
    sim.next_mounts(1, &MountOutcome::Completed);
    sim.next_mounts(1, &MountOutcome::Failed);
    let ran = diff(&env, &["chg-412:/etc/app.yaml"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{}", ran.stderr);
    assert!(sim.live_sessions().is_empty());
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let sim = world(Guest::linux("web01"));
    let env = home(&sim);
    let long: String = (0..200_000).map(|nr| format!("line {nr}\n")).collect();
    fs::write(env.project().join("x"), long).unwrap();
    let mut child = env.spawn(&["rewind", "diff", "--yes", "latest:/etc/app.yaml", "x"]);
    drop(child.stdout.take());
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    mounted(&sim, 1);
}

#[test]
fn on_a_terminal_it_has_colours_and_no_control_characters() {
    let sim = world(Guest::linux("web01").file("partition#1 Ext4/srv/x", "a\r\n\u{1b}[2Jb\n"));
    let env = home(&sim);
    fs::write(env.project().join("x"), "a\n\u{1b}[2Jb\n").unwrap();
    let Some(ran) = on_a_terminal(&env, "rewind diff --yes latest:/srv/x x", "") else {
        return skip("script can't be run");
    };
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    for words in
        ["\u{1b}[31m-a^M\u{1b}[0m\r\n", "\u{1b}[32m+a\u{1b}[0m\r\n", " ^[[2Jb\r\n", "\u{1b}[1m--- web01:/srv/x  "]
    {
        let stdout = ran.stdout.replace('\t', "  ");
        assert!(stdout.contains(words), "no {words:?} in {stdout:?}");
    }
    assert!(!ran.stdout.contains("\u{1b}[2J"), "{:?}", ran.stdout);
    let piped = diff(&env, &["latest:/srv/x", "x"]);
    assert!(piped.stdout.contains("\n-a\r\n+a\n \u{1b}[2Jb\n"), "piped: bytes as they are: {:?}", piped.stdout);
}

/// What `patch` makes of a file with a diff; none where it can't be run.
fn patched(old: &[u8], diff: &[u8]) -> Option<Vec<u8>> {
    let dir = tempfile::tempdir().unwrap();
    let (file, change, out) = (dir.path().join("file"), dir.path().join("diff"), dir.path().join("out"));
    fs::write(&file, old).unwrap();
    fs::write(&change, diff).unwrap();
    let done = Command::new("patch")
        .arg("-s")
        .arg("-o")
        .arg(&out)
        .arg("-i")
        .arg(&change)
        .arg(&file)
        .stdin(Stdio::null())
        .output();
    let done = done.ok()?;
    assert!(
        done.status.success(),
        "{}{}",
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr)
    );
    // What becomes empty is not written.
    Some(fs::read(&out).unwrap_or_default())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn patch_takes_it_to_the_second_file(
        old in prop::collection::vec("[ab+@ -]{0,3}\r?", 0..30),
        edits in prop::collection::vec((any::<prop::sample::Index>(), "[abü\\\\]{0,3}\r?", 0..3_usize), 0..5),
        ends in any::<(bool, bool)>(),
        name in "[a-z \"\\\\\t]{1,6}",
    ) {
        let mut new = old.clone();
        for (at, text, kind) in edits {
            let at = at.index(new.len() + 1);
            match kind {
                0 => new.insert(at, text),
                _ if at == new.len() => {}
                1 => new[at] = text,
                _ => drop(new.remove(at)),
            }
        }
        let whole = |lines: &[String], ends: bool| (lines.join("\n") + if ends && !lines.is_empty() { "\n" } else { "" }).into_bytes();
        let (old, new) = (whole(&old, ends.0), whole(&new, ends.1));
        prop_assume!(old != new);
        let side = |when: &str, bytes: &[u8]| Side {
            name: format!("web01:/{name}"),
            when: when.into(),
            content: Some(Held::read(bytes).unwrap()),
        };
        let diff = compare(&side(TAG, &old), &side("", &new), Duration::from_secs(60));
        let bytes: Vec<u8> = diff.lines.into_iter().flat_map(|line| line.bytes).collect();
        match patched(&old, &bytes) {
            Some(made) => prop_assert_eq!(made, new),
            None => skip("patch can't be run"),
        }
    }
}
