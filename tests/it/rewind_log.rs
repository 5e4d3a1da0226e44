//! `rewind log`: the tags of the journals, joined over VPGs and ZVMs, newest first.

use crate::env::{Env, Ran};
use crate::guard_story::{demo, home, home_with};
use serde_json::{Value, json};
use std::time::Duration;
use zvm_sim::{Fault, Sim, Step, Times};

const EDIT: &str = "ai:claude | edit /etc/nginx/nginx.conf | vm=web01 | change=chg-412 | 20260921T150405Z";
const RESTART: &str = "ai:codex | restart nginx | vm=web01,db01 | change=c7 | 20260921T160000Z";
const FOREIGN: &str = "nightly backup: db";

fn world() -> Sim {
    let sim = demo().start();
    for (vpg, ago, tag) in [
        ("web01-local", 7_200, EDIT),
        ("web01-dr", 7_201, EDIT),
        ("web01-dr", 600, RESTART),
        ("db01-dr", 601, RESTART),
        ("db01-dr", 60, FOREIGN),
    ] {
        sim.put_tag(vpg, Duration::from_secs(ago), tag).unwrap();
    }
    sim
}

fn log(env: &Env, arguments: &[&str]) -> Vec<Value> {
    let ran = env.run(&[&["rewind", "log", "--json"], arguments].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.json().as_array().unwrap().clone()
}

fn names(tags: &[Value]) -> Vec<&str> {
    tags.iter().map(|tag| tag["tag"].as_str().unwrap()).collect()
}

#[test]
fn the_tags_are_joined_over_vpgs_newest_first() {
    let sim = world();
    let env = home(&sim);
    let tags = log(&env, &[]);
    assert_eq!(names(&tags), [RESTART, EDIT]);
    let edit = &tags[1];
    assert_eq!((&edit["agent"], &edit["action"]), (&json!("claude"), &json!("edit /etc/nginx/nginx.conf")));
    assert_eq!((&edit["vm"], &edit["change"]), (&json!("web01"), &json!("chg-412")));
    let vpgs = edit["vpgs"].as_array().unwrap();
    let mut named: Vec<&str> = vpgs.iter().map(|vpg| vpg["name"].as_str().unwrap()).collect();
    named.sort_unstable();
    assert_eq!(named, ["web01-dr", "web01-local"]);
    for vpg in vpgs {
        let name = vpg["name"].as_str().unwrap();
        assert_eq!(vpg["identifier"].as_str(), sim.vpg_id(name).as_deref());
        let stands = sim.journal(name).into_iter().find(|made| made.tag.as_deref() == Some(EDIT)).unwrap();
        assert_eq!(vpg["checkpoint"], stands.id);
    }
    assert_eq!(tags[0]["vm"], "web01,db01");
}

#[test]
fn each_filter_leaves_out_what_it_says() {
    let sim = world();
    let env = home(&sim);
    for (arguments, tags) in [
        (&["web01"][..], &[RESTART, EDIT][..]),
        (&["WEB01.corp.example"], &[RESTART, EDIT]),
        (&["10.20.0.12"], &[RESTART]),
        (&["db01", "--all-tags"], &[FOREIGN, RESTART]),
        (&["--all-tags"], &[FOREIGN, RESTART, EDIT]),
        (&["--agent", "claude"], &[EDIT]),
        (&["--agent", "claude", "--all-tags"], &[EDIT]),
        (&["--change", "c7"], &[RESTART]),
        (&["--change", "change=c7"], &[RESTART]),
        (&["--since", "90m"], &[RESTART]),
        (&["--until", "90m"], &[EDIT]),
        (&["--since", "3h", "--until", "90m"], &[EDIT]),
        (&["--since", "2020-01-01T00:00:00Z", "--until", "2020-01-02"], &[]),
        (&["sync01"], &[]),
    ] {
        assert_eq!(names(&log(&env, arguments)), tags, "{arguments:?}");
    }
}

#[test]
fn names_that_mean_no_vm_or_several() {
    let sim = world();
    let env = home(&sim);
    for (arguments, code, words) in [
        (&["nosuch"][..], 3, "No VM for \"nosuch\" is in a VPG"),
        (&["scratch01"], 3, "No VM for \"scratch01\""),
        (&["app01"], 4, "is more than one VM"),
        (&["--since", "yesterday"], 64, "--since yesterday: write it as 90m, 2d or 2026"),
    ] {
        let ran = env.run(&[&["rewind", "log"], arguments].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
        let ran = env.run(&[&["rewind", "log", "--json"], arguments].concat());
        assert_eq!((ran.json()["ok"].clone(), ran.json()["exit_code"].clone()), (json!(false), json!(code)));
    }
    // Seen from its recovery side, which is where its files come from.
    assert_eq!(env.run(&["rewind", "log", "remote01"]).code, Some(0));
}

#[test]
fn for_people_it_is_a_table_and_says_how_long_each_is_kept() {
    let sim = world();
    let ran = home(&sim).run(&["rewind", "log"]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].starts_with("TIME (UTC)") && lines[0].ends_with("WHAT WAS ABOUT TO BE DONE"), "{}", ran.stdout);
    assert!(lines[1].contains("codex   web01,db01  c7") && lines[1].ends_with("restart nginx"), "{}", ran.stdout);
    assert!(lines[2].contains("21 hours") && lines[2].ends_with("edit /etc/nginx/nginx.conf"), "{}", ran.stdout);
    let none = home(&demo().start()).run(&["rewind", "log"]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(0), ""));
    assert!(none.stderr.contains("`--all-tags` shows what other tools have tagged"), "{}", none.stderr);
}

#[test]
fn a_site_that_is_lost_does_not_hide_the_other_ones_journals() {
    let sim = world();
    let lost = format!(
        "[[zvm]]\nname = \"lost\"\nurl = \"{}\"\nusername = \"x\"\npassword_file = \"{}\"\ninsecure_skip_verify = true\n",
        Sim::refused_url(),
        sim.password_file().display()
    );
    let env = home_with(&sim, &lost);
    let ran = env.run(&["rewind", "log", "--json", "web01"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(names(ran.json().as_array().unwrap()), [RESTART, EDIT]);
    assert!(ran.stderr.contains("not all could be read: ") && ran.stderr.contains("lost"), "{}", ran.stderr);
    let only = Env::new().config(&lost);
    assert_eq!(only.run(&["rewind", "log"]).code, Some(6));
    let empty = Env::new().config("");
    assert_eq!(empty.run(&["rewind", "log"]).code, Some(6));
}

#[test]
fn a_journal_is_read_in_windows_and_each_checkpoint_once() {
    let sim = Sim::builder()
        .vm(zvm_sim::VmSpec::new("big01").vpg(zvm_sim::VpgSpec::local("big01").history_minutes(4_320, 4_320)))
        .start();
    for hours in 0..72_u64 {
        let tag = format!("ai:claude | step {hours} | vm=big01 | change=c{hours} | 20260921T150405Z");
        sim.put_tag("big01", Duration::from_secs(hours * 3600 + 7), &tag).unwrap();
    }
    let tags = log(&home(&sim), &["big01"]);
    assert_eq!(tags.len(), 72);
    assert!(names(&tags)[0].contains("step 0 ") && names(&tags)[71].contains("step 71 "));
    let asked = sim.requests_of(Step::CheckpointList).len();
    assert!((6..=9).contains(&asked), "{asked} windows of 12 hours");
}

#[test]
fn a_journal_that_cannot_be_read_is_said() {
    let sim = demo().fault(Step::CheckpointList, Fault::Html, Times::Always).start();
    let ran: Ran = home(&sim).run(&["rewind", "log"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{}", ran.stderr);
}

/// The log on a terminal of that size, with that pager.
fn on_a_terminal(env: &Env, columns: u16, rows: u16, pager: &str) -> Option<String> {
    let line = format!("stty cols {columns} rows {rows}; {} rewind log", Env::binary().display());
    let mut command = std::process::Command::new("/usr/bin/script");
    command.args(["-qec", &line, "/dev/null"]).env_clear().env("HOME", env.home()).env("PATH", "/usr/bin:/bin");
    command.env("PAGER", pager).env("TERM", "xterm").stdin(std::process::Stdio::null());
    match command.output() {
        Ok(output) => Some(String::from_utf8(output.stdout).unwrap().replace('\r', "")),
        Err(error) => {
            crate::env::skip(&format!("/usr/bin/script can't be run: {error}"));
            None
        }
    }
}

#[test]
fn on_a_terminal_it_fits_the_width_and_a_long_one_goes_through_the_pager() {
    let sim = world();
    let env = home(&sim);
    let Some(narrow) = on_a_terminal(&env, 70, 40, "tr a-z A-Z") else { return };
    let lines: Vec<&str> = narrow.lines().collect();
    assert!(lines[0].starts_with("\u{1b}[1mTIME (UTC)"), "a heading in bold: {narrow:?}");
    assert_eq!(lines[2].chars().count(), 70, "{narrow}");
    assert!(lines[2].contains("claude") && lines[2].ends_with('…'), "{narrow}");
    let paged = on_a_terminal(&env, 200, 3, "tr a-z A-Z").unwrap();
    assert!(paged.contains("CLAUDE") && !paged.contains("claude"), "{paged}");
    let without = on_a_terminal(&env, 200, 3, "no-such-pager").unwrap();
    assert!(without.contains("claude"), "{without}");
}

#[test]
fn a_journal_of_50_000_checkpoints_is_read_with_little_memory() {
    let vpg = zvm_sim::VpgSpec::local("gold").history_minutes(10_080, 60).checkpoints(50_000);
    let tag = |number: u32| format!("ai:claude | step {number} | vm=big01 | change=c{number} | 20260921T150405Z");
    let sim = Sim::builder().vm(zvm_sim::VmSpec::new("big01").vpg(vpg.tag(45, &tag(2)).tag(4_000, &tag(1)))).start();
    assert!(sim.journal("gold").len() >= 50_000);
    let env = home(&sim);
    let (ran, peak) = env.run_measured(&["rewind", "log", "big01", "--json"]);
    assert_eq!(names(ran.json().as_array().unwrap()), [tag(2), tag(1)], "{}", ran.stderr);
    let small = home(&world()).run_measured(&["rewind", "log", "web01", "--json"]).1;
    assert!(small > 1024, "{small} KiB were seen");
    assert!(peak < small + 24 * 1024, "{peak} KiB, and {small} KiB for a journal of a few");
    for request in sim.requests_of(Step::CheckpointList) {
        assert!(request.query.contains("startDate="), "{}", request.query);
    }
}
