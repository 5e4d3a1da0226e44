//! Faults of a ZVM and of this machine that take more than one answer gone wrong, which `faults` has: each is a deny within the
//! deadline, or survived, and never a change without a tag.

use crate::guard_story::{change, demo, home, home_with, told};
use std::time::{Duration, Instant};
use zvm_sim::{Fault, InsertOutcome, Step, Times};

#[test]
fn a_task_that_never_ends_and_a_tag_that_never_comes_are_denies_at_the_deadline() {
    for outcome in [
        InsertOutcome::stuck(1),
        InsertOutcome::stuck(3),
        InsertOutcome::stuck(99),
        InsertOutcome::completed_without_tag(),
    ] {
        let sim = demo().start();
        sim.next_inserts_at("web01-dr", 1, &outcome);
        let env = home_with(&sim, "[guard]\ndeadline = '2s'\n");
        let began = Instant::now();
        let ran = env.hook(change(&env, "web01"));
        ran.denied("web01-dr");
        // The wait is the tool's own; starting a process on a busy machine is not.
        assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    }
}

#[test]
fn an_expired_token_is_renewed_once() {
    let sim = demo().start();
    let env = home(&sim);
    told(&env.hook(change(&env, "db01")));
    sim.end_tokens(false);
    sim.clear_log();
    told(&env.hook(change(&env, "web01")));
    assert_eq!(sim.requests_of(Step::Token).len(), 1);
}

#[test]
fn a_state_folder_that_cannot_be_used_is_a_deny() {
    let sim = demo().start();
    let env = home(&sim);
    env.write(&env.home().join(".local/state"), "a file in its place");
    env.hook(change(&env, "web01")).denied("state");
    let env = home(&sim);
    std::fs::create_dir_all(env.state_dir()).unwrap();
    std::fs::set_permissions(env.state_dir(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    env.hook(change(&env, "web01")).denied("chmod");
    assert!(sim.requests_of(Step::Insert).is_empty());
}

#[test]
fn a_zvm_that_accepts_and_says_nothing_cannot_be_reached() {
    let sim = demo().start();
    let env = home_with(&sim, "[guard]\ndeadline = '2s'\n");
    // Both without a token and with one in the cache.
    for cached in [false, true] {
        if cached {
            sim.clear_faults();
            assert_eq!(env.run(&["find", "web01"]).code, Some(0));
        }
        sim.fault(zvm_sim::Route::Any, Fault::Hang, Times::Always);
        for arguments in [&["find", "web01"][..], &["guard", "--vm", "web01", "--action", "x"]] {
            let ran = env.run(arguments);
            assert_eq!(ran.code, Some(6), "{}", ran.stderr);
            assert!(ran.stderr.contains(sim.url()) && ran.stderr.contains("no answer within"), "{}", ran.stderr);
            assert!(!ran.stderr.contains("(global)") && !ran.stderr.contains("could be inserted"), "{}", ran.stderr);
        }
    }
    env.hook(change(&env, "web01")).denied("no answer within");
    assert!(sim.all_tags().is_empty());
}

#[test]
fn a_silent_zvm_is_told_from_one_that_answers() {
    // The one that hangs is named, whichever is asked first.
    let (good, silent) = (demo().name("good").start(), zvm_sim::Sim::builder().name("silent").start());
    for sims in [[&good, &silent], [&silent, &good]] {
        let [first, second] = sims.map(zvm_sim::Sim::config_toml);
        silent.fault(zvm_sim::Route::Any, Fault::Hang, Times::Always);
        let env = crate::env::Env::new().config(&format!("{first}\n{second}\n[guard]\ndeadline = '2s'\n"));
        let ran = env.run(&["find", "web01"]);
        assert_eq!(ran.code, Some(6), "{}", ran.stderr);
        assert!(ran.stderr.contains(silent.url()), "{}", ran.stderr);
    }
}

#[test]
fn a_poisoned_token_file_is_as_good_as_none() {
    let sim = demo().start();
    let env = home(&sim);
    told(&env.hook(change(&env, "db01")));
    let folder = env.state_dir().join("tokens");
    let file = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|kind| kind == "json"))
        .unwrap();
    let mut stored: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    stored["token"] = "bad\r\nX: y".into();
    env.write(&file, &stored.to_string());
    told(&env.hook(change(&env, "web01")));
    assert_eq!(sim.requests_of(Step::Token).len(), 2);
}
