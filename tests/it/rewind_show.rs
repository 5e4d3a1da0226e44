//! `rewind show`: each VPG of a tag, whether files can be recovered from it, where, and why not.

use crate::env::Env;
use crate::guard_story::{demo, home, home_with};
use crate::rewind_sessions::{home_of_two, lost};
use serde_json::{Value, json};
use std::time::Duration;
use zvm_sim::{Fault, Sim, Step, Times, VmSpec, VpgSpec};

const EDIT: &str = "ai:claude | edit /etc/nginx/nginx.conf | vm=web01 | change=chg-412 | 20260921T150405Z";
const FOREIGN: &str = "nightly: db";

fn world() -> Sim {
    let sim = demo().start();
    for (vpg, ago, tag) in
        [("web01-local", 7_200, EDIT), ("web01-dr", 7_201, EDIT), ("db01-dr", 60, FOREIGN), ("sync01-dr", 60, FOREIGN)]
    {
        sim.put_tag(vpg, Duration::from_secs(ago), tag).unwrap();
    }
    sim
}

fn show(env: &Env, arguments: &[&str]) -> Value {
    let ran = env.run(&[&["rewind", "show", "--json"], arguments].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.json()
}

fn vpg<'v>(shown: &'v Value, name: &str) -> &'v Value {
    shown["vpgs"].as_array().unwrap().iter().find(|vpg| vpg["name"] == name).unwrap()
}

/// All reasons of a VPG, its own and its VMs'.
fn why(vpg: &Value) -> String {
    let of_vms = vpg["vms"].as_array().unwrap().iter().map(|vm| vm["why"].to_string());
    vpg["why"].to_string() + &of_vms.collect::<String>()
}

#[test]
fn the_parts_of_the_tag_and_each_vpg_at_the_zvm_of_its_recovery_site() {
    let nyc = world();
    let bos = nyc.peer_zvm("bos").unwrap().start();
    let env = home_of_two(&nyc, &bos);
    let shown = show(&env, &["chg-412"]);
    for (field, value) in [
        ("tag", json!(EDIT)),
        ("agent", json!("claude")),
        ("action", json!("edit /etc/nginx/nginx.conf")),
        ("vm", json!("web01")),
        ("change", json!("chg-412")),
        ("warnings", json!([])),
    ] {
        assert_eq!(shown[field], value, "{field}");
    }
    for (name, site, zvm) in [("web01-local", "nyc", "sim"), ("web01-dr", "bos", "bos")] {
        let vpg = vpg(&shown, name);
        assert_eq!((&vpg["protected_site"], &vpg["recovery_site"]), (&json!("nyc"), &json!(site)), "{vpg}");
        assert_eq!((&vpg["zvm"], &vpg["files"], &vpg["status"]), (&json!(zvm), &json!(true), &json!("MeetingSLA")));
        assert_eq!(vpg["checkpoint"].as_str(), nyc.checkpoint(name, EDIT).as_deref());
        assert_eq!((&vpg["vms"][0]["name"], &vpg["vms"][0]["files"]), (&json!("web01"), &json!(true)));
        assert!(vpg["kept_until"].as_str().unwrap() > vpg["time"].as_str().unwrap(), "{vpg}");
    }
    let text = env.run(&["rewind", "show", EDIT]).stdout;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..5],
        [EDIT, "  agent   claude", "  action  edit /etc/nginx/nginx.conf", "  VM      web01", "  change  chg-412"]
    );
    assert!(lines[5].starts_with("  time    20") && lines[5].ends_with(" UTC, 2 hours ago"), "{text}");
    assert!(lines[7].starts_with("VPG") && lines[7].ends_with("ZVM") && lines.len() == 10, "{text}");
    for name in ["web01-local", "web01-dr"] {
        let line = lines[8..].iter().find(|line| line.starts_with(name)).unwrap();
        assert!(line.contains("MeetingSLA") && line.contains("21 hours") && line.contains("  yes  "), "{text}");
    }
    assert!(bos.requests_of(Step::FlrMount).is_empty() && nyc.requests_of(Step::FlrMount).is_empty());
}

#[test]
fn a_recovery_site_without_a_configured_zvm_is_named_with_what_to_do() {
    let nyc = world();
    let shown = show(&home(&nyc), &["chg-412"]);
    let dr = vpg(&shown, "web01-dr");
    assert_eq!((&dr["files"], &dr["zvm"], &dr["recovery_site"]), (&json!(false), &json!(null), &json!("bos")));
    assert!(why(dr).contains("no configured ZVM is local to that site"), "{dr}");
    assert!(dr["hints"][0].as_str().unwrap().contains("`guards = false`"), "{dr}");
    assert_eq!(vpg(&shown, "web01-local")["files"], true);
    // One that did not answer may be the one.
    let env = home_with(&nyc, &lost(&nyc));
    let ran = env.run(&["rewind", "show", "chg-412", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let dr = vpg(&ran.json(), "web01-dr").clone();
    assert_eq!(dr["files"], json!(null), "{dr}");
    assert!(why(&dr).contains("no ZVM that answered"), "{dr}");
    assert!(ran.stderr.contains("not all could be read: ZVM lost"), "{}", ran.stderr);
    assert!(ran.json()["warnings"][0].as_str().unwrap().contains("ZVM lost"), "{}", ran.stdout);
    let text = home(&nyc).run(&["rewind", "show", "chg-412"]).stdout;
    assert!(text.contains("NO") && text.contains("web01-dr: It recovers to site \"bos\""), "{text}");
}

#[test]
fn every_reason_why_files_cannot_be_recovered_is_told() {
    let sim = world();
    let env = home(&sim);
    let local = |arguments: &[&str]| vpg(&show(&env, arguments), "web01-local").clone();
    assert_eq!(local(&["chg-412"])["files"], true);

    let checkpoint = sim.checkpoint("web01-local", EDIT).unwrap();
    sim.refuse_mount_of("web01-local", &checkpoint, "The journal is being\u{1b}[31m compacted.");
    let shown = local(&["chg-412"]);
    assert_eq!((&shown["files"], &shown["vms"][0]["files"]), (&json!(false), &json!(false)));
    let said = "The ZVM: \"The journal is being compacted.\"";
    assert_eq!(shown["vms"][0]["why"][0], said, "{shown}");

    let sim = world();
    let env = home(&sim);
    let local = || vpg(&show(&env, &["chg-412"]), "web01-local").clone();
    let session = sim.mount_elsewhere("web01", "web01-local", None).unwrap();
    let shown = local();
    assert_eq!(shown["files"], false);
    assert_eq!(shown["vms"][0]["sessions"][0]["id"], session.as_str());
    assert!(why(&shown).contains(&format!("Session {session} is live")), "{shown}");
    assert!(shown["hints"][0].as_str().unwrap().contains("rewind end-session"), "{shown}");
    assert_eq!(env.run(&["rewind", "end-session", &session, "--yes"]).code, Some(0));
    assert_eq!(local()["files"], true);

    sim.with_state(|s| s.vpg_mut("web01-local").unwrap().failover_test_stage = Some("Testing".to_owned()));
    let shown = local();
    assert_eq!(shown["files"], false);
    assert!(why(&shown).contains("A failover test of the VPG runs (Testing)."), "{shown}");
    assert!(shown["hints"].to_string().contains("rewind stop-test web01-local"), "{shown}");
    sim.with_state(|s| s.vpg_mut("web01-local").unwrap().failover_test_stage = None);

    sim.set_vpg_status("web01-local", 8, 0);
    assert!(why(&local()).contains("is recovered and protects nothing"), "{}", local());
    sim.set_vpg_status("web01-local", 1, 0);

    sim.with_state(|s| s.vms.iter_mut().filter(|vm| vm.name == "web01").for_each(|vm| vm.flr_enabled = false));
    assert!(why(&local()).contains("file level restore is not enabled for this VM"), "{}", local());
    sim.with_state(|s| s.vms.iter_mut().filter(|vm| vm.name == "web01").for_each(|vm| vm.flr_enabled = true));

    // What can't be asked is not known, and the rest is shown.
    sim.fault(Step::PointsInTime, Fault::Html, Times::Always);
    let shown = local();
    assert_eq!((&shown["files"], &shown["status"]), (&json!(null), &json!("MeetingSLA")), "{shown}");
    assert!(why(&shown).contains("asking what can be restored"), "{shown}");
}

#[test]
fn a_vpg_of_several_vms_says_of_which_files_can_be_had() {
    let both = "ai:claude | rm x | vm=a,b | change=c1 | 20260921T150405Z";
    let sim = Sim::builder()
        .vm(VmSpec::new("a").vpg(VpgSpec::local("pair").tag(30, both)))
        .vm(VmSpec::new("b").vpg(VpgSpec::local("pair")))
        .vm(VmSpec::new("c").vpg(VpgSpec::local("pair")))
        .start();
    sim.with_state(|s| s.vms.iter_mut().filter(|vm| vm.name == "b").for_each(|vm| vm.flr_enabled = false));
    let env = home(&sim);
    let shown = show(&env, &["latest"]);
    let vms: Vec<_> = shown["vpgs"][0]["vms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|vm| (vm["name"].clone(), vm["files"].clone()))
        .collect();
    assert_eq!(vms, [(json!("a"), json!(true)), (json!("b"), json!(false))], "those that the tag names");
    let text = env.run(&["rewind", "show", "latest"]).stdout;
    assert!(text.contains("not of all") && text.contains("pair, VM b: "), "{text}");
    let only = show(&env, &["latest", "--vm", "a"]);
    assert_eq!(only["vpgs"][0]["vms"].as_array().unwrap().len(), 1);
    assert_eq!(only["vpgs"][0]["files"], true);
}

#[test]
fn tags_that_are_none_or_several_or_somebody_elses() {
    let sim = world();
    let env = home(&sim);
    for (arguments, code, words) in [
        (&["nosuch"][..], 3, "No tag is \"nosuch\""),
        (&["latest", "--vm", "nosuch"], 3, "No VM for \"nosuch\""),
        (&["latest", "--vpg", "nosuch"], 3, "No VPG"),
        (&["latest", "--vpg", "db01-dr"], 3, "No tag is \"latest\""),
        (&["latest", "--vm", "app01"], 4, "is more than one VM"),
    ] {
        let ran = env.run(&[&["rewind", "show"], arguments].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
    let shown = show(&env, &[FOREIGN, "--vpg", "db01-dr"]);
    assert_eq!((&shown["agent"], &shown["vm"]), (&json!(null), &json!(null)));
    assert_eq!(shown["vpgs"].as_array().unwrap().len(), 1);
    assert_eq!(shown["vpgs"][0]["vms"][0]["name"], "db01");
    assert!(env.run(&["rewind", "show", FOREIGN]).stdout.contains("another tool's"));
    assert_eq!(Env::new().config("").run(&["rewind", "show", "latest"]).code, Some(6));
}
