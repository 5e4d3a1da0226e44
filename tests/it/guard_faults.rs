//! Faults of a ZVM and of this machine: each is a deny within the deadline, or survived, and never a change without a tag.

use crate::guard_story::{change, demo, home, home_with, told};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
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
fn whatever_the_zvm_does_instead_of_answering_is_a_deny_within_the_deadline() {
    let deadline = Duration::from_secs(3);
    let faults: Vec<(&str, Fault)> = vec![
        ("hang", Fault::Hang),
        ("reset", Fault::ResetBefore),
        ("reset in the middle", Fault::ResetMidBody),
        ("truncated", Fault::Truncated),
        ("empty", Fault::Empty),
        ("HTML", Fault::Html),
        ("another type", Fault::WrongType),
        ("deep JSON", Fault::DeepJson(100_000)),
        ("huge JSON", Fault::HugeJson(100 << 20)),
        ("a slow drip", Fault::SlowDrip { bytes: 1, every: Duration::from_millis(200) }),
        ("a redirect", Fault::Redirect("https://elsewhere.example/".into())),
        ("401 for ever", Fault::Unauthorized),
        ("403", Fault::Status(403, r#"{"Message":"no right"}"#.into())),
        ("404", Fault::Status(404, String::new())),
        ("500", Fault::Status(500, r#"{"Message":"broken"}"#.into())),
        ("503 for long", Fault::StatusWithRetryAfter(503, 3600)),
    ];
    let steps = [Step::Token, Step::VmList, Step::LocalSite, Step::Vpg, Step::Insert, Step::Task, Step::CheckpointList];
    let cases: Vec<_> = steps.iter().flat_map(|step| faults.iter().map(move |fault| (*step, fault))).collect();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..24 {
            scope.spawn(|| {
                while let Some((step, (name, fault))) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let sim = demo().start();
                    let env = home_with(&sim, &format!("[guard]\ndeadline = '{}s'\n", deadline.as_secs()));
                    sim.fault(*step, fault.clone(), Times::Always);
                    let began = Instant::now();
                    let ran = env.hook(change(&env, "web01"));
                    let took = began.elapsed();
                    let denied =
                        ran.code == Some(2) && ran.stdout.is_empty() && ran.stderr.starts_with("zerto-guard: stopped ");
                    // An insert whose answer alone was lost may pass, but only with the tag in both journals.
                    let stands = ran.code == Some(0)
                        && *step == Step::Insert
                        && ["web01-local", "web01-dr"].iter().all(|vpg| sim.tags(vpg).len() == 1);
                    // The wait is the tool's own; starting a process on a busy machine is not.
                    let late = took > deadline + Duration::from_secs(2);
                    if !(denied || stands) || late || ran.stderr.contains("correct horse") {
                        let told =
                            format!("{step:?} {name}: {:?} after {took:?}\n{}{}", ran.code, ran.stdout, ran.stderr);
                        wrong.lock().unwrap().push(told);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_zvm_that_is_not_there_is_a_deny_that_says_so() {
    let sim = demo().start();
    let env = home(&sim);
    sim.stop_listening();
    sim.cut_connections();
    env.hook(change(&env, "web01")).denied(sim.url());
}

#[test]
fn one_passing_fault_on_a_read_is_survived() {
    let steps =
        [Step::Token, Step::VmList, Step::LocalSite, Step::ServerTime, Step::Vpg, Step::Task, Step::CheckpointList];
    let faults = [
        Fault::ResetBefore,
        Fault::Truncated,
        Fault::Empty,
        Fault::Status(503, String::new()),
        Fault::StatusWithRetryAfter(429, 1),
    ];
    std::thread::scope(|scope| {
        for step in steps {
            let faults = &faults;
            scope.spawn(move || {
                for fault in faults {
                    let sim = demo().start();
                    sim.fault(step, fault.clone(), Times::Next(1));
                    let env = home(&sim);
                    let ran = env.hook(change(&env, "db01"));
                    assert_eq!(ran.code, Some(0), "{step:?} {fault:?}: {}", ran.stderr);
                    assert_eq!(sim.tags("db01-dr").len(), 1, "{step:?} {fault:?}");
                }
            });
        }
    });
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
fn a_lost_answer_is_never_sent_again() {
    // Processed: the tag comes, and the call passes with it. Not processed: it never comes, and the call is denied.
    for (fault, passes) in [(Fault::ResetAfterProcessing, true), (Fault::Truncated, true), (Fault::ResetBefore, false)]
    {
        let sim = demo().start();
        sim.fault(Step::Insert, fault.clone(), Times::Next(1));
        let env = home_with(&sim, "[guard]\ndeadline = '4s'\n");
        let ran = env.hook(change(&env, "db01"));
        assert_eq!(ran.code, Some(if passes { 0 } else { 2 }), "{fault:?}: {}{}", ran.stdout, ran.stderr);
        assert_eq!(sim.requests_of(Step::Insert).len(), 1, "{fault:?}");
        assert_eq!(sim.tags("db01-dr").len(), usize::from(passes), "{fault:?}");
    }
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
