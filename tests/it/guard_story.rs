//! A mutating call, the real binary and a ZVM over real TLS: what passes, what is refused, and what is left behind.

use crate::env::{Env, Ran};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use zvm_sim::{Fault, InsertOutcome, Sim, SimBuilder, Step, Times};

/// A home whose config names the simulator.
pub fn home(sim: &Sim) -> Env {
    home_with(sim, "")
}

pub fn home_with(sim: &Sim, more: &str) -> Env {
    Env::new().config(&format!("{}\n{more}", sim.config_toml()))
}

pub fn demo() -> SimBuilder {
    Sim::builder().demo_world()
}

/// A file copied to the guest: mutating by the built-in catalog.
pub fn change(env: &Env, vm: &str) -> String {
    env.mcp("winrm", "copy_file", json!({"host": vm, "source": "a.conf", "destination": "C:/a.conf"}))
}

/// The two texts of a guard that succeeded.
#[track_caller]
pub fn told(ran: &Ran) -> (String, String) {
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    let json = ran.json();
    assert_eq!(json["hookSpecificOutput"]["hookEventName"], "PreToolUse");
    assert!(json.get("decision").is_none() && json["hookSpecificOutput"].get("permissionDecision").is_none(), "{json}");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (text(&json["hookSpecificOutput"]["additionalContext"]), text(&json["systemMessage"]))
}

#[test]
fn a_change_runs_once_the_tag_stands_in_both_journals() {
    let sim = demo().listing_delay(Duration::from_millis(200)).start();
    let env = home(&sim);
    let ran = env.hook(change(&env, "web01"));
    let (model, user) = told(&ran);
    let tags = sim.tags("web01-local");
    let [tag] = tags.as_slice() else { panic!("{tags:?}") };
    assert_eq!(sim.tags("web01-dr"), tags, "the same tag on every VPG");
    let fields: Vec<&str> = tag.split(" | ").collect();
    let [agent, action, vm, id, stamp] = fields.as_slice() else { panic!("{tag}") };
    assert_eq!((*agent, *action, *vm), ("ai:claude", "copy a.conf to C:/a.conf", "vm=web01"));
    assert!(id.starts_with("change=") && stamp.len() == 16 && stamp.ends_with('Z'), "{tag}");
    for text in [&model, &user] {
        assert!(text.contains(tag.as_str()) && text.contains("web01-local") && text.contains("web01-dr"), "{text}");
        assert!(text.contains("kept about"), "how long the journal keeps it: {text}");
    }
    assert!(model.contains("a human can get files back as they were"), "{model}");
    let inserts = sim.requests_of(Step::Insert);
    assert_eq!(inserts.len(), 2);
}

/// The longest chain of requests of which each began after the one before had ended. Polls are what is asked again.
fn round_trips(sim: &Sim) -> usize {
    let mut seen = std::collections::HashSet::new();
    let mut requests: Vec<_> = sim
        .requests()
        .into_iter()
        .filter(|request| seen.insert(request.line()))
        .map(|request| (request.at, request.finished.unwrap()))
        .collect();
    requests.sort_by_key(|(_, end)| *end);
    let (mut count, mut free) = (0, None);
    for (start, end) in requests {
        if free.is_none_or(|free| start >= free) {
            count += 1;
            free = Some(end);
        }
    }
    count
}

#[test]
fn with_a_cached_token_it_takes_five_round_trips_and_the_vpgs_go_side_by_side() {
    // On a busy machine what goes side by side may begin late, which makes the chain longer and never shorter: so the
    // best of some tries is what the program does.
    let best = (0..3).map(|_| trips_of_a_guard()).min_by_key(|(trips, _)| *trips).unwrap();
    assert!((4..=5).contains(&best.0), "{} round trips:\n{:#?}", best.0, best.1);
}

fn trips_of_a_guard() -> (usize, Vec<String>) {
    let sim = demo().insert_time(Duration::from_millis(300)).start();
    // Each answer takes a while, so that what goes side by side is seen to.
    sim.fault(zvm_sim::Route::Any, Fault::Delay(Duration::from_millis(100)), Times::Always);
    let env = home(&sim);
    told(&env.hook(change(&env, "db01")));
    sim.clear_log();
    told(&env.hook(change(&env, "web01")));
    assert!(sim.requests_of(Step::Token).is_empty(), "the token was cached");
    assert_eq!(sim.requests_of(Step::Insert).len(), 2);
    (round_trips(&sim), sim.requests().iter().map(|request| request.line()).collect())
}

#[test]
fn guests_that_cannot_be_guarded_are_refused_and_nothing_is_inserted() {
    let sim = demo().start();
    let env = home(&sim);
    for (vm, parts) in [
        ("scratch01", &["scratch01", "No VM for", "[hosts]"][..]),
        ("nowhere", &["nowhere"]),
        ("app01", &["more than one VM", "vmIdentifier", "app01-a-dr", "app01-b-dr"]),
        ("sync01", &["sync01-dr", "syncing", "resync deletes checkpoints"]),
        ("azvm01", &["azvm01", "azure-east", "public cloud (Azure)", "Use the vSphere site's ZVM"]),
        ("remote01", &["remote01", "bos"]),
    ] {
        let ran = env.hook(change(&env, vm));
        for part in parts {
            ran.denied(part);
        }
    }
    assert!(!env.hook(change(&env, "azvm01")).stderr.contains("Add the ZVM"));
    // One that can be guarded does not help one that can't.
    let both =
        env.mcp("winrm", "copy_file", json!({"host": ["web01", "scratch01"], "source": "a", "destination": "b"}));
    env.hook(both).denied("scratch01");
    assert!(sim.requests_of(Step::Insert).is_empty());
    assert!(sim.all_tags().is_empty());
}

#[test]
fn names_are_found_in_the_contracts_order() {
    let sim = demo().start();
    let env = home_with(&sim, "[hosts]\n'frontend.corp.example' = 'web01'\n'10.9.9.9' = 'db01'\n");
    let identifier = sim.with_state(|state| state.vms.iter().find(|vm| vm.name == "db01").unwrap().identifier.clone());
    let address =
        sim.with_state(|state| state.vms.iter().find(|vm| vm.name == "db01").unwrap().ip_addresses[0].clone());
    for (typed, vpg) in [
        ("WEB01", "web01-dr"),
        ("web01.corp.example", "web01-dr"),
        ("web01.corp.example.", "web01-dr"),
        ("Frontend.corp.example", "web01-dr"),
        ("10.9.9.9", "db01-dr"),
        (identifier.as_str(), "db01-dr"),
        (address.as_str(), "db01-dr"),
    ] {
        let before = sim.tags(vpg).len();
        told(&env.hook(change(&env, typed)));
        assert_eq!(sim.tags(vpg).len(), before + 1, "{typed}");
    }
}

#[test]
fn several_guests_make_one_tag_once_in_each_vpg() {
    let sim = demo().start();
    let env = home(&sim);
    let call =
        env.mcp("winrm", "copy_file", json!({"host": ["web01", "db01", "WEB01"], "source": "a", "destination": "b"}));
    told(&env.hook(call));
    let tags = sim.all_tags();
    assert_eq!(tags.len(), 3, "{tags:?}");
    assert!(tags.iter().all(|(_, tag)| tag == &tags[0].1 && tag.contains("vm=web01,db01")), "{tags:?}");
}

#[test]
fn a_failed_or_stopped_task_is_a_deny_that_names_it() {
    for (outcome, state) in [
        (InsertOutcome::failed("the journal is full"), "Failed"),
        (InsertOutcome::stopped("an operator stopped it"), "Stopped"),
    ] {
        let sim = demo().start();
        sim.next_inserts_at("web01-dr", 1, &outcome);
        let env = home(&sim);
        let began = Instant::now();
        let ran = env.hook(change(&env, "web01"));
        for part in [state, &outcome.reason, "web01-dr", "web01-local", &sim.tasks()[0].id] {
            ran.denied(part);
        }
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    }
}

#[test]
fn guards_at_the_same_moment_at_one_vpg_all_end_well() {
    for number in [2, 8] {
        let sim = demo().insert_time(Duration::from_millis(150)).start();
        let env = home(&sim);
        let call = change(&env, "db01");
        std::thread::scope(|scope| {
            for _ in 0..number {
                scope.spawn(|| told(&env.hook(call.clone())));
            }
        });
        let tags = sim.tags("db01-dr");
        let different: std::collections::HashSet<_> = tags.iter().collect();
        assert_eq!((tags.len(), different.len()), (number, number), "{tags:?}");
        assert_eq!(sim.requests_of(Step::Token).len(), 1, "they share one token");
    }
}

#[test]
fn guards_of_two_machines_at_one_vpg_both_end_well() {
    let sim = demo().insert_time(Duration::from_millis(300)).start();
    let machines: Vec<Env> = (0..2).map(|_| home(&sim)).collect();
    std::thread::scope(|scope| {
        for env in &machines {
            scope.spawn(|| told(&env.hook(change(env, "db01"))));
        }
    });
    assert_eq!(sim.tags("db01-dr").len(), 2);
}

#[test]
fn a_vpg_that_cannot_be_tagged_is_left_out_and_named() {
    let sim = demo().start();
    sim.set_vpg_status("web01-local", 2, 25);
    let env = home(&sim);
    let (model, user) = told(&env.hook(change(&env, "web01")));
    for text in [model, user] {
        assert!(text.contains("not in VPG web01-local") && text.contains("paused"), "{text}");
    }
    assert_eq!((sim.tags("web01-local").len(), sim.tags("web01-dr").len()), (0, 1));
}

#[test]
fn every_configured_zvm_has_to_answer_but_one_for_recovery_only() {
    let sim = demo().start();
    let other = "[[zvm]]\nname = 'dr'\nurl = 'https://127.0.0.1:9'\nusername = 'u'\npassword_command = ['/bin/echo', 'x']\ninsecure_skip_verify = true\n";
    let env = home_with(&sim, other);
    env.hook(change(&env, "web01")).denied("dr");
    let env = home_with(&sim, &format!("{other}guards = false\n"));
    told(&env.hook(change(&env, "web01")));
    let env = Env::new();
    env.hook(change(&env, "web01")).denied("[[zvm]]");
}

#[test]
fn a_younger_tag_of_the_same_change_serves_where_that_is_wanted() {
    let sim = demo().start();
    let env = home_with(&sim, "[guard]\nreuse = '2m'\n");
    let run = |call: String, change: &str| -> Ran {
        env.command(&["hook"]).env("ZERTO_GUARD_CHANGE", change).write_stdin(call).output().unwrap().into()
    };
    told(&run(change(&env, "web01"), "chg-412"));
    let (model, _) = told(&run(change(&env, "web01"), "chg-412"));
    assert!(model.contains("an earlier tagged checkpoint"), "{model}");
    assert_eq!(sim.tags("web01-dr").len(), 1);
    assert!(sim.tags("web01-dr")[0].contains("| change=chg-412 |"), "{:?}", sim.tags("web01-dr"));
    told(&run(change(&env, "web01"), "chg-413"));
    assert_eq!(sim.tags("web01-dr").len(), 2);
}

#[test]
fn an_unknown_call_is_guarded_where_the_config_says_so_and_the_guest_is_known() {
    let sim = demo().start();
    let env = home_with(&sim, "[guard]\nunknown = 'guard'\n");
    told(&env.hook(env.mcp("winrm", "run_ps", json!({"host": "db01", "script": "& $upkeep"}))));
    assert_eq!(sim.tags("db01-dr").len(), 1);
    env.hook(env.call("Workflow", json!({}))).denied("answer zgq-");
}

#[test]
fn observing_inserts_nothing() {
    let sim = demo().start();
    let env = home_with(&sim, "[guard]\nmode = 'observe'\n");
    let ran = env.hook(change(&env, "web01"));
    assert_eq!(ran.code, Some(0));
    assert!(ran.json()["systemMessage"].as_str().unwrap().contains("guarded by a tagged checkpoint"), "{}", ran.stdout);
    assert!(sim.requests().is_empty());
}

#[test]
fn find_and_guard_tell_people_and_scripts() {
    let sim = demo().start();
    let env = home(&sim);
    let found = env.run(&["find", "web01"]);
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    assert!(found.stdout.contains("web01-local") && found.stdout.contains("can be guarded"), "{}", found.stdout);
    let json = env.run(&["find", "--json", "web01"]).json();
    assert_eq!(json["outcome"], "ok");
    for field in ["name", "identifier", "status", "taggable", "why", "protected_site", "recovery_site", "zvm"] {
        assert!(json["vpgs"][0].get(field).is_some(), "{field}: {json}");
    }
    for (vm, outcome, code) in [("scratch01", "none", 3), ("app01", "ambiguous", 4), ("sync01", "not_taggable", 5)] {
        let ran = env.run(&["find", "--json", vm]);
        assert_eq!((ran.code, &ran.json()["outcome"]), (Some(code), &json!(outcome)), "{vm}");
        assert_eq!((&ran.json()["ok"], &ran.json()["exit_code"]), (&json!(false), &json!(code)), "{vm}");
        assert!(ran.json()["vms"].is_array() && ran.json()["vpgs"].is_array(), "{vm}");
        assert_eq!(env.run(&["guard", "--vm", vm, "--action", "x"]).code, Some(code), "{vm}");
    }
    assert!(sim.all_tags().is_empty(), "find changes nothing");
    let ran = env.run(&["guard", "--vm", "web01", "--action", "upgrade nginx", "--change", "chg-1", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let json = ran.json();
    assert_eq!((&json["ok"], &json["vm"]), (&json!(true), &json!("web01")));
    let tag = json["tag"].as_str().unwrap();
    assert!(tag.starts_with("ai:cli | upgrade nginx | vm=web01 | change=chg-1 | "), "{tag}");
    assert_eq!(sim.tags("web01-dr"), [tag]);
    assert_eq!(json["vpgs"].as_array().unwrap().len(), 2);
    assert_eq!(json["vpgs"][0]["task_state"], "Completed");
    sim.next_inserts_at("web01-dr", 1, &InsertOutcome::failed("no"));
    let ran = env.run(&["guard", "--vm", "web01", "--action", "x", "--json"]);
    assert_eq!((ran.code, &ran.json()["ok"]), (Some(1), &json!(false)));
    assert!(ran.json()["vpgs"].as_array().unwrap().iter().any(|vpg| vpg["task_state"] == "Failed"), "{}", ran.stdout);
    sim.go_down();
    assert_eq!(env.run(&["find", "web01"]).code, Some(6));
}

#[test]
fn a_login_or_an_address_with_a_port_is_asked_about() {
    let sim = demo().start();
    let env = home(&sim);
    for (typed, form) in [("root@web01", "user@host"), ("web01:8443", "host:port"), ("https://web01/x", "a URL")] {
        let ran = env.run(&["find", typed]);
        assert_eq!(ran.code, Some(3), "{typed}");
        let asked = format!("It looks like {form}; did you mean \"web01\"?");
        assert!(ran.stderr.contains(&asked), "{typed}: {}", ran.stderr);
        assert!(!ran.stderr.contains(&format!("\"{typed}\" = ")), "{typed}: {}", ran.stderr);
    }
}

#[test]
fn a_call_with_too_many_guests_is_refused_before_anything_is_asked() {
    let sim = demo().start();
    let env = home(&sim);
    let hosts: Vec<String> = (0..65).map(|n| format!("host{n}")).collect();
    let arguments: Vec<&str> = hosts.iter().flat_map(|host| ["--vm", host]).chain(["--action", "x"]).collect();
    let ran = env.run(&[&["guard"][..], &arguments].concat());
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    assert!(ran.stderr.contains("65 different targets") && ran.stderr.contains("64 machines"), "{}", ran.stderr);
    assert!(sim.requests().is_empty());
}
