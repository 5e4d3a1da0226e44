//! Many guards at once: each ends in a pass with its one tag or in a deny with a reason, in time, and they log in seldom.

use crate::audit::numbered;
use crate::env::{Env, Ran};
use crate::guard_story::{change, demo, home, home_with, told};
use crate::rewind_cat::world;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::Barrier;
use std::time::{Duration, Instant};
use zvm_sim::{Fault, Guest, Route, Sim, Step, Times, VmSpec, VpgSpec};

/// What a hook was told, and how long it took.
struct Ended {
    vm: String,
    ran: Ran,
    took: Duration,
}

/// As many hooks at the same moment, each for one of these VMs in turn. No call has the number of another.
fn at_once(env: &Env, vms: &[&str], numbers: std::ops::Range<usize>) -> Vec<Ended> {
    let count = numbers.len();
    let barrier = Barrier::new(count);
    std::thread::scope(|scope| {
        let threads: Vec<_> = numbers
            .map(|nr| {
                let (barrier, vm) = (&barrier, vms[nr % vms.len()]);
                scope.spawn(move || {
                    let call = numbered(&change(env, vm), &nr.to_string());
                    barrier.wait();
                    let begun = Instant::now();
                    let ran = env.hook(call);
                    Ended { vm: vm.to_owned(), ran, took: begun.elapsed() }
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// The VPGs of a VM.
fn vpgs_of(sim: &Sim, vm: &str) -> Vec<String> {
    sim.with_state(|state| {
        let vm = state.vms.iter().find(|known| known.name == vm).unwrap();
        vm.vpgs.iter().map(|id| state.vpg(id).unwrap().name.clone()).collect()
    })
}

/// Each passed with a tag of its own, once in each of its VM's VPGs, or was stopped with a reason. How many passed.
fn each_with_its_tag_or_a_reason(sim: &Sim, ended: &[Ended]) -> usize {
    let mut tags = BTreeSet::new();
    for (vpg, tag) in sim.all_tags() {
        assert!(tags.insert((vpg.clone(), tag.clone())), "twice in {vpg}: {tag}");
    }
    let mut passed = 0;
    for Ended { vm, ran, .. } in ended {
        match ran.code {
            Some(0) => {
                let (model, _) = told(ran);
                for vpg in vpgs_of(sim, vm) {
                    // Taken out, so that no two passes have the same one.
                    let its = tags.iter().find(|(at, tag)| *at == vpg && model.contains(tag.as_str())).cloned();
                    assert!(its.is_some_and(|its| tags.remove(&its)), "no tag of its own in {vpg}: {model}");
                }
                passed += 1;
            }
            _ => drop(ran.denied("could not be guarded")),
        }
    }
    passed
}

#[test]
fn sixty_four_guards_at_eight_vpgs_with_faults_all_end_well_or_with_a_reason() {
    let deadline = Duration::from_secs(40);
    let life = Duration::from_secs(5);
    let vpg = |nr: usize| VpgSpec::local(&format!("vpg{nr}"));
    let mut sim = Sim::builder().insert_time(Duration::from_secs(2)).token_life(life);
    let singles: Vec<String> = (0..8).map(|nr| format!("vm{nr}")).collect();
    for (nr, vm) in singles.iter().enumerate() {
        sim = sim.vm(VmSpec::new(vm).vpg(vpg(nr)));
    }
    // The order in which a VM's VPGs are listed is not the one in which turns are taken.
    let sim = sim
        .vm(VmSpec::new("two").vpg(vpg(1)).vpg(vpg(0)))
        .vm(VmSpec::new("three").vpg(vpg(4)).vpg(vpg(2)).vpg(vpg(3)))
        .start();
    // One in a hundred: half of them before, half of them after the request was processed. And of the inserts one of each.
    sim.fault(Route::Any, Fault::ResetBefore, Times::Share { per_mille: 5, seed: 8 });
    sim.fault(Route::Any, Fault::ResetAfterProcessing, Times::Share { per_mille: 5, seed: 64 });
    sim.fault(Step::Insert, Fault::ResetAfterProcessing, Times::Nth(9));
    sim.fault(Step::Insert, Fault::ResetBefore, Times::Nth(20));
    let env = home_with(&sim, &format!("[guard]\ndeadline = '{}s'\n", deadline.as_secs()));
    // Of each sixteen fourteen change a VM with one VPG.
    let vms: Vec<&str> = singles.iter().map(String::as_str).cycle().take(14).chain(["two", "three"]).collect();
    let ended = at_once(&env, &vms, 0..64);

    let passed = each_with_its_tag_or_a_reason(&sim, &ended);
    let slowest = ended.iter().map(|one| one.took).max().unwrap();
    // What waits longer than its deadline is the program's fault; starting on a busy machine is not.
    assert!(slowest < deadline + Duration::from_secs(5), "{slowest:?}");
    let (requests, inserts) = (sim.requests(), sim.requests_of(Step::Insert));
    let reset = requests.iter().filter(|request| request.finished.is_none()).count();
    assert!(reset * 1000 >= requests.len() * 2, "{reset} of {} requests were reset", requests.len());
    // A deny is the doing of an insert that never arrived, or of others at its VPGs that waited for it meanwhile; or this
    // machine is slow.
    for one in ended.iter().filter(|one| one.ran.code != Some(0)) {
        let why = &one.ran.stderr;
        assert!(
            ["is not known", "for its turn at VPG", "The deadline passed"].iter().any(|words| why.contains(words)),
            "{why}"
        );
        eprintln!("after {:?}: {why}", one.took);
    }
    let tokens: Vec<_> = sim.requests_of(Step::Token);
    let span = requests.last().unwrap().at - requests.first().unwrap().at;
    // A token is used until a third of its life is left; those that were reset are asked for again.
    let lives = span.as_secs_f64() / (life.as_secs_f64() * 2.0 / 3.0);
    let again = tokens.iter().filter(|request| request.finished.is_none()).count();
    let figures = format!(
        "{passed} of 64 passed, the slowest after {slowest:?}; {} requests, {reset} of them reset; {} inserts; {} token requests ({again} of them reset) in {lives:.1} lives of a token",
        requests.len(),
        inserts.len(),
        tokens.len(),
    );
    eprintln!("{figures}");
    assert!(passed >= 48, "{figures}");
    #[expect(clippy::cast_precision_loss, reason = "they are few")]
    let fetched = (tokens.len() - again) as f64;
    assert!(fetched <= lives * 1.3 + 3.0 && fetched >= 2.0, "{figures}");
    assert!(
        sim.wait_until(Duration::from_secs(5), |sim| sim.connections().iter().all(|one| one.closed)),
        "open sockets"
    );
}

#[test]
fn a_guard_whose_turn_does_not_come_in_time_says_so_and_inserts_nothing() {
    let sim = demo().insert_time(Duration::from_millis(1500)).start();
    let env = home_with(&sim, "[guard]\ndeadline = '8s'\n");
    let ended = at_once(&env, &["db01"], 0..10);
    let passed = each_with_its_tag_or_a_reason(&sim, &ended);
    assert!((1..10).contains(&passed), "{passed}");
    for one in ended.iter().filter(|one| one.ran.code != Some(0)) {
        one.ran.denied("s for its turn at VPG \"db01-dr\"").denied("Nothing was inserted.").denied("guard.deadline");
    }
    // No turn was used up for an insert that could not be waited for.
    assert_eq!(sim.requests_of(Step::Insert).len(), passed);
}

#[test]
fn a_turn_is_freed_by_the_dead_and_by_whoever_looks_for_a_lost_tag() {
    std::thread::scope(|scope| {
        scope.spawn(a_holder_that_is_killed_in_the_middle_of_an_insert_frees_its_turn);
        scope.spawn(one_that_looks_for_a_lost_tag_lets_the_others_go_on);
    });
}

fn one_that_looks_for_a_lost_tag_lets_the_others_go_on() {
    let sim = demo().start();
    let env = home_with(&sim, "[guard]\ndeadline = '12s'\n");
    sim.fault(Step::Insert, Fault::ResetBefore, Times::Next(1));
    let ended = at_once(&env, &["db01"], 0..3);
    let passed = each_with_its_tag_or_a_reason(&sim, &ended);
    // The turn of the first that inserted is kept for a while only; its tag is looked for until the deadline.
    let texts: Vec<&str> = ended.iter().map(|one| one.ran.stderr.as_str()).collect();
    assert_eq!(passed, 2, "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("may still appear")), "{texts:?}");
}

fn a_holder_that_is_killed_in_the_middle_of_an_insert_frees_its_turn() {
    let sim = demo().insert_time(Duration::from_secs(6)).start();
    let env = home(&sim);
    let mut killed = env.spawn(&["hook"]);
    killed.stdin.take().unwrap().write_all(numbered(&change(&env, "db01"), "1").as_bytes()).unwrap();
    assert!(sim.wait_until(Duration::from_secs(30), |sim| !sim.tasks().is_empty()));
    sim.with_state(|state| state.settings.insert_time = Duration::from_millis(100));
    killed.kill().unwrap();
    killed.wait().unwrap();
    let (model, _) = told(&env.hook(numbered(&change(&env, "db01"), "2")));
    let tasks = sim.tasks();
    // It did not wait for the other's insert before its own turn: so it ran into it, and was made after it.
    assert!(tasks.len() >= 3 && tasks[1].started_ms < tasks[0].completed_ms.unwrap(), "{tasks:?}");
    let tags = sim.tags("db01-dr");
    assert_eq!(tags.len(), 2, "{tags:?}");
    assert!(model.contains(&tags[1]) && !model.contains(&tags[0]), "{model}");
}

#[test]
fn recoveries_of_one_vm_at_the_same_moment_take_turns() {
    let sim = world(Guest::linux("web01"));
    let mounts_take = |time| {
        sim.with_state(|state| {
            let flr = &mut state.settings.flr;
            (flr.mount_time, flr.unmount_time) = (Duration::from_millis(time), Duration::from_millis(100));
        });
    };
    mounts_take(3000);
    let env = home(&sim);
    let cat = || {
        let ran = env.run(&["rewind", "cat", "--yes", "latest:/etc/app.yaml"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    };
    std::thread::scope(|scope| {
        scope.spawn(cat);
        // The others ask whether it can be mounted while the first one's mount stands, and are told that it can't.
        assert!(sim.wait_until(Duration::from_secs(30), |sim| !sim.live_sessions().is_empty()));
        mounts_take(100);
        for _ in 0..2 {
            scope.spawn(cat);
        }
    });
    assert_eq!((sim.sessions().len(), sim.live_sessions().len()), (3, 0));
    // A colleague's mount is no turn of ours.
    assert!(sim.mount_elsewhere("web01", "gold", None).is_some());
    let ran = env.run(&["rewind", "cat", "--yes", "latest:/etc/app.yaml"]);
    assert!(ran.code == Some(5) || ran.code == Some(1), "{:?}: {}", ran.code, ran.stderr);
    assert!(ran.stderr.contains("it is mounted by FLR session"), "{}", ran.stderr);
}

#[test]
fn two_machines_with_several_guards_each_at_one_vpg_all_end_well() {
    let sim = demo().insert_time(Duration::from_millis(700)).start();
    let machines = [home(&sim), home(&sim)];
    // Logged in one after another: what is looked at here are the inserts.
    for env in &machines {
        assert_eq!(env.run(&["find", "db01"]).code, Some(0));
    }
    let ended: Vec<Ended> = std::thread::scope(|scope| {
        let threads: Vec<_> = [0..4, 4..8]
            .into_iter()
            .zip(&machines)
            .map(|(numbers, env)| scope.spawn(|| at_once(env, &["db01"], numbers)))
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(each_with_its_tag_or_a_reason(&sim, &ended), 8);
    assert_eq!(sim.tags("db01-dr").len(), 8);
}
