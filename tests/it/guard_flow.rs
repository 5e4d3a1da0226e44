//! Whole guards against the simulator: real HTTPS, the real client, one `Zvm` for each guard as each process has one.

use crate::guard_machine::{Call, Machine, demo};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use zerto_guard::guard::{FindOutcome, GuardError, Outcome, tag};
use zerto_guard::zvm::model::TaskState;
use zvm_sim::{Fault, InsertOutcome, Sim, Step, Times, VmSpec, VpgSpec};

#[test]
fn both_vpgs_get_the_tag_and_the_tag_says_all() {
    let sim = demo().start();
    let guarded = Machine::new().web01(&sim).unwrap();
    assert!(guarded.tag.starts_with("ai:claude | restart nginx | vm=web01 | change=chg-412 | 20"));
    assert_eq!(sim.tags("web01-local"), [guarded.tag.as_str()]);
    assert_eq!(sim.tags("web01-dr"), [guarded.tag.as_str()]);
    for vpg in &guarded.vpgs {
        assert_eq!(vpg.task_state, Some(TaskState::Completed));
        let stands = sim.journal(&vpg.name).into_iter().find(|c| c.tag.is_some()).unwrap();
        assert_eq!(vpg.checkpoint, Some(stands.id.to_string()));
        assert_eq!(vpg.journal, Some(Duration::from_secs(1440 * 60)));
        assert!(sim.tasks().iter().any(|task| Some(&task.id) == vpg.task_id.as_ref()));
    }
    let read = tag::parse(&guarded.tag).unwrap();
    assert_eq!((read.agent.as_str(), read.vms.as_slice()), ("claude", &["web01".to_owned()][..]));
}

#[test]
fn each_name_of_the_demo_world() {
    let sim = demo().start();
    let machine = Machine::new();
    let identifier = sim.with_state(|s| s.vms.iter().find(|vm| vm.name == "db01").unwrap().identifier.clone());
    for target in ["db01", "DB01", "db01.corp.example.", "10.20.0.12", "shop.example", &identifier] {
        let guarded = machine.guard(&Call { targets: &[target], ..Call::at(&[&sim]) }).unwrap();
        assert_eq!(guarded.vms[0].name, "db01", "{target}");
        assert_eq!(guarded.vpgs.len(), 1);
    }
    let before = sim.requests_of(Step::Insert).len();
    for (target, code, words) in [
        ("scratch01", 3, "No VM for \"scratch01\""),
        ("10.20.0.13", 3, "guest address 10.20.0.13"),
        ("sync01", 5, "resync deletes checkpoints"),
        ("app01", 4, "vmIdentifier"),
        ("azvm01", 3, "\"azure-east\", a public cloud (Azure), and Zerto inserts no tagged checkpoint from there"),
        ("remote01", 3, "\"bos\""),
    ] {
        for targets in [&[target][..], &["web01", target][..]] {
            let error = machine.guard(&Call { targets, ..Call::at(&[&sim]) }).unwrap_err();
            assert_eq!(error.exit_code(), code, "{target}: {error}");
            assert!(error.to_string().contains(words), "{target}: {error}");
            assert!(!error.hint().is_empty());
        }
    }
    assert_eq!(sim.requests_of(Step::Insert).len(), before, "nothing was inserted for any of them");
}

#[test]
fn a_public_cloud_is_not_taggable() {
    let sim = Sim::builder().azure_world().start();
    let error = Machine::new().guard(&Call { targets: &["azvm02"], ..Call::at(&[&sim]) }).unwrap_err();
    assert_eq!(error.exit_code(), 5);
    assert!(error.to_string().contains("vSphere site"), "{error}");
    assert_eq!(sim.requests_of(Step::Insert).len(), 0);
}

#[test]
fn one_tag_for_several_vms_on_two_zvms() {
    let nyc = demo().start();
    let lon = Sim::builder().vm(VmSpec::new("lon01").vpg(VpgSpec::local("lon01-local"))).start();
    let call = Call { targets: &["web01", "lon01", "db01"], ..Call::at(&[&nyc, &lon]) };
    let result = Machine::new().guard(&call);
    let guarded = result.unwrap();
    assert!(guarded.tag.contains("| vm=web01,lon01,db01 |"), "{}", guarded.tag);
    let mut tags = nyc.all_tags();
    tags.extend(lon.all_tags());
    assert_eq!(tags.len(), 4);
    assert!(tags.iter().all(|(_, tag)| *tag == guarded.tag));
}

#[test]
fn each_zvm_has_to_answer() {
    let (nyc, lon) = (demo().start(), Sim::builder().start());
    lon.go_down();
    let name = format!("zvm{}", lon.addr().port());
    let call = Call { time: Duration::from_secs(20), ..Call::at(&[&nyc, &lon]) };
    let error = Machine::new().guard(&call).unwrap_err();
    assert_eq!(error.exit_code(), 6, "{error}");
    assert!(error.to_string().contains(&name), "{error}");
    assert_eq!(nyc.requests_of(Step::Insert).len(), 0);
}

#[test]
fn a_failed_task_is_refused_at_once_also_just_after_another_guard() {
    let sim = demo().start();
    let machine = Machine::new();
    machine.web01(&sim).unwrap();
    sim.next_inserts_at("web01-dr", 1, &InsertOutcome::failed("The journal is full."));
    let begun = Instant::now();
    let error = machine.web01(&sim).unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    let text = error.to_string();
    assert!(
        text.contains("VPG \"web01-dr\"") && text.contains("Failed: \"The journal is full\". No checkpoint was made."),
        "{text}"
    );
    assert!(text.contains("VPG \"web01-local\"") && text.contains("Completed, checkpoint "), "{text}");
    assert_eq!(error.exit_code(), 1);
}

#[test]
fn stopped_is_refused_and_stuck_meets_the_deadline() {
    let sim = demo().start();
    sim.next_inserts_at("db01-dr", 1, &InsertOutcome::stopped("By an administrator."));
    let call = |time| Call {
        targets: &["db01"],
        time: Duration::from_millis(time),
        sims: std::slice::from_ref(&sim).iter().collect(),
        ..Call::at(&[])
    };
    let error = Machine::new().guard(&call(30_000)).unwrap_err();
    assert!(error.to_string().contains("Stopped: \"By an administrator\"."), "{error}");
    for (state, name) in
        [(1, "InProgress"), (2, "WaitingForUserInput"), (3, "Paused"), (7, "Cancelling"), (0, "an unknown state")]
    {
        sim.next_inserts_at("db01-dr", 1, &InsertOutcome::stuck(state));
        let begun = Instant::now();
        let error = Machine::new().guard(&call(1500)).unwrap_err();
        assert!(matches!(error, GuardError::Deadline { .. }), "{error:?}");
        assert!(error.to_string().contains(name), "{error}");
        assert!(begun.elapsed() < Duration::from_millis(3500));
    }
    let sim = demo().start();
    sim.next_inserts_at("web01-dr", 1, &InsertOutcome::completed_without_tag());
    let call = Call { time: Duration::from_millis(1500), ..Call::at(&[&sim]) };
    let error = Machine::new().guard(&call).unwrap_err();
    assert!(error.to_string().contains("not listed before the deadline"), "{error}");
}

#[test]
fn late_tasks_and_late_listings_are_waited_for() {
    let sim =
        demo().task_visibility_delay(Duration::from_millis(400)).listing_delay(Duration::from_millis(900)).start();
    assert!(Machine::new().web01(&sim).is_ok());
    assert_eq!(sim.requests_of(Step::Insert).len(), 2);
}

#[test]
fn a_lost_answer_is_not_sent_again_and_the_tag_stands() {
    for fault in [
        Fault::ResetAfterProcessing,
        Fault::Truncated,
        Fault::AfterProcessing(Box::new(Fault::Status(504, String::new()))),
    ] {
        let sim = demo().start();
        sim.fault(Step::Insert, fault.clone(), Times::Next(1));
        let guarded = Machine::new().guard(&Call { targets: &["db01"], ..Call::at(&[&sim]) }).unwrap();
        assert_eq!(sim.requests_of(Step::Insert).len(), 1, "{fault:?}");
        assert_eq!(sim.tags("db01-dr"), [guarded.tag.as_str()]);
        assert_eq!((&guarded.vpgs[0].task_id, guarded.vpgs[0].task_state), (&None, None));
        assert!(guarded.vpgs[0].checkpoint.is_some());
    }
}

#[test]
fn a_lost_answer_without_a_tag_is_refused() {
    let sim = demo().start();
    sim.fault(Step::Insert, Fault::ResetBefore, Times::Always);
    let call = Call { targets: &["db01"], time: Duration::from_secs(3), ..Call::at(&[&sim]) };
    let error = Machine::new().guard(&call).unwrap_err();
    assert_eq!(sim.requests_of(Step::Insert).len(), 1);
    assert_eq!(sim.tasks().len(), 0);
    let GuardError::Insert { vpgs, .. } = &error else { panic!("{error:?}") };
    assert!(matches!(vpgs[0].outcome, Outcome::Lost(_)));
    assert!(error.to_string().contains("may still appear"), "{error}");
}

#[test]
fn another_clock_at_the_zvm_changes_nothing() {
    for offset in [-3_600_000, 3_600_000, 40_000, -40_000] {
        let sim = demo().clock_offset_ms(offset).start();
        let machine = Machine::new();
        let first = machine.web01(&sim).unwrap();
        let call = Call { reuse: Some(Duration::from_secs(120)), ..Call::at(&[&sim]) };
        let again = machine.guard(&call).unwrap();
        assert!(again.reused && again.tag == first.tag, "{offset}");
    }
}

#[test]
fn reuse_needs_the_tag_in_every_vpg() {
    let sim = demo().start();
    let machine = Machine::new();
    let reuse = |change| {
        let call = Call { change, reuse: Some(Duration::from_secs(120)), ..Call::at(&[&sim]) };
        machine.guard(&call).unwrap().reused
    };
    assert!(!reuse("c1"));
    assert!(reuse("c1"));
    assert!(!reuse("c2"));
    assert!(sim.resync("web01-dr"), "which deletes its checkpoints");
    assert!(sim.set_vpg_status("web01-dr", 1, 0));
    assert!(!reuse("c1"));
    assert!(reuse("c1"));
}

/// The longest chain of requests of which each began after the one before had been answered. Further looks at a task
/// or a listing are polls and not counted.
fn round_trips(sim: &Sim) -> usize {
    let mut seen = BTreeSet::new();
    let mut requests: Vec<(Duration, Duration)> = sim
        .requests()
        .into_iter()
        .filter(|r| match Step::of(&r.method, &r.path) {
            Some(Step::Task | Step::CheckpointList) => seen.insert(r.path.clone()),
            _ => true,
        })
        .map(|r| (r.at, r.finished.unwrap()))
        .collect();
    requests.sort_by_key(|(_, finished)| *finished);
    let (mut chain, mut until) = (0, Duration::ZERO);
    for (at, finished) in requests {
        if at >= until {
            chain += 1;
            until = finished;
        }
    }
    chain
}

#[test]
fn five_round_trips_whatever_the_number_of_vpgs() {
    // On a busy machine what goes side by side may begin late, which makes the chain longer and never shorter: so the
    // best of some tries is what the program does.
    for vpgs in [1, 2, 8] {
        assert!((0..3).any(|_| trips_of_a_guard(vpgs) == 5), "{vpgs} VPGs");
    }
}

fn trips_of_a_guard(vpgs: usize) -> usize {
    let vm = (0..vpgs).fold(VmSpec::new("web01"), |vm, n| vm.vpg(VpgSpec::local(&format!("v{n}"))));
    let sim = Sim::builder().vm(vm).insert_time(Duration::ZERO).listing_delay(Duration::ZERO).start();
    let machine = Machine::new();
    // The token is cached by now.
    machine.find(&sim, "web01");
    sim.clear_log();
    sim.fault("/**", Fault::Delay(Duration::from_millis(300)), Times::Always);
    let guarded = machine.web01(&sim).unwrap();
    assert_eq!(guarded.vpgs.len(), vpgs);
    let trips = round_trips(&sim);
    let log: Vec<_> = sim.requests().iter().map(|r| (r.line(), r.at, r.finished)).collect();
    println!("{trips}: {log:#?}");
    trips
}

#[test]
fn vpgs_are_tagged_side_by_side() {
    let sim = demo().insert_time(Duration::from_millis(1000)).start();
    let machine = Machine::new();
    machine.find(&sim, "web01");
    machine.web01(&sim).unwrap();
    let tasks = sim.tasks();
    assert!(tasks[1].started_ms < tasks[0].completed_ms.unwrap());
}

#[test]
fn no_secret_reaches_the_zvm() {
    let sim = demo().start();
    let secret = "hunter2hunter2hunter2";
    for action in [
        format!("curl -H 'Authorization: Bearer {secret}' https://web01/x"),
        format!("mysql -uroot -p{secret} shop"),
        format!("PGPASSWORD={secret} psql\ncurl https://joe:{secret}@web01/"),
        format!("deploy --token {secret} | tee /tmp/x"),
    ] {
        let call = Call { targets: &["db01"], action: &action, ..Call::at(&[&sim]) };
        let guarded = Machine::new().guard(&call).unwrap();
        assert!(!guarded.tag.contains("hunter2") && guarded.tag.contains("***"), "{}", guarded.tag);
    }
    assert!(sim.requests().iter().all(|r| !r.body.contains("hunter2")));
}

#[test]
fn find_changes_nothing() {
    let sim = demo().start();
    let machine = Machine::new();
    let found = machine.find(&sim, "web01");
    assert_eq!((found.outcome, found.vpgs.len()), (FindOutcome::Ok, 2));
    assert!(
        found.vpgs.iter().all(|vpg| vpg.taggable && vpg.status == "MeetingSLA" && vpg.protected_site == "nyc"),
        "{:?}",
        found.vpgs
    );
    assert_eq!(machine.find(&sim, "scratch01").outcome, FindOutcome::None);
    assert_eq!(machine.find(&sim, "app01").outcome, FindOutcome::Ambiguous);
    let sync = machine.find(&sim, "sync01");
    assert_eq!(sync.outcome, FindOutcome::NotTaggable);
    assert_eq!(sync.vpgs[0].status, "NotMeetingSLA, DeltaSync");
    assert!(sim.requests_of(Step::Insert).is_empty());
}
