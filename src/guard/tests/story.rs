//! Whole guards against scripted ZVMs.

use super::fake::{Fake, Goes};
use super::*;
use crate::zvm::error::ZvmErrorKind;
use crate::zvm::model::VpgSubStatus;
use std::sync::Arc;

struct Story {
    fakes: Vec<Arc<Fake>>,
    state: StateDir,
    _outer: tempfile::TempDir,
    reuse: Option<Duration>,
    time: Duration,
}

impl Story {
    fn of(fakes: &[&Arc<Fake>]) -> Self {
        let outer = tempfile::tempdir().unwrap();
        Self {
            fakes: fakes.iter().map(|fake| Arc::clone(fake)).collect(),
            state: StateDir::at(outer.path().join("state")),
            _outer: outer,
            reuse: None,
            time: Duration::from_secs(10),
        }
    }

    fn appliances(&self) -> Vec<Box<dyn Appliance>> {
        self.fakes.iter().map(|fake| Box::new(Arc::clone(fake)) as Box<dyn Appliance>).collect()
    }

    fn guard(&self, targets: &[&str]) -> Result<Guarded, GuardError> {
        let targets: Vec<String> = targets.iter().map(|target| (*target).to_owned()).collect();
        let hosts = BTreeMap::from([("shop.example".to_owned(), "db01".to_owned())]);
        let request = Request {
            targets: &targets,
            hosts: &hosts,
            agent: "claude",
            action: "restart nginx --token=hunter2",
            change: "c1",
            reuse: self.reuse,
            deadline: Deadline::after(self.time),
            now: &|| "2026-09-21T15:04:05Z".parse().unwrap(),
        };
        guard(&request, &self.appliances(), &self.state)
    }

    fn inserts(&self) -> usize {
        self.fakes.iter().map(|fake| fake.calls("insert ").len()).sum()
    }
}

#[test]
fn every_taggable_vpg_gets_the_same_tag() {
    let fake = Fake::with_web01(&["a", "b", "c", "d", "e"]);
    fake.vpg_is("c", |vpg| vpg.sub_status = VpgSubStatus::Known(6, "DeltaSync"));
    let story = Story::of(&[&fake]);
    let guarded = story.guard(&["web01"]).unwrap();
    let tag = "ai:claude | restart nginx --token=*** | vm=web01 | change=c1 | 20260921T150405Z";
    assert_eq!(guarded.tag, tag);
    let names: Vec<&str> = guarded.vpgs.iter().map(|vpg| vpg.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "d", "e"], "more than three is nothing special");
    assert!(guarded.vpgs.iter().all(|vpg| vpg.checkpoint.is_some() && vpg.task_state == Some(TaskState::Completed)));
    assert_eq!(guarded.vpgs[0].journal, Some(Duration::from_secs(86_400)));
    assert_eq!(guarded.left_out.len(), 1);
    assert_eq!(
        guarded.left_out[0].line(),
        "VPG \"c\" at ZVM nyc (MeetingSLA, DeltaSync): it is syncing: no checkpoint is added meanwhile, and a resync deletes checkpoints (DeltaSync)."
    );
    assert!(!guarded.reused);
    for vpg in ["a", "b", "d", "e"] {
        assert_eq!(fake.calls(&format!("insert id-{vpg} ")), [format!("insert id-{vpg} {tag}")]);
    }
}

#[test]
fn several_targets_make_one_tag_once_a_vpg() {
    let nyc = Fake::with_web01(&["shared"]);
    nyc.protect("db01", 2, "shared");
    let bos = Fake::new("bos");
    bos.protect("app01", 3, "app");
    let story = Story::of(&[&nyc, &bos]);
    let guarded = story.guard(&["web01", "shop.example", "WEB01.corp", "app01", "web01"]).unwrap();
    assert!(guarded.tag.contains(" | vm=web01,db01,app01 | "), "{}", guarded.tag);
    assert_eq!(guarded.vms.len(), 3);
    let places: Vec<String> = guarded.vpgs.iter().map(|vpg| format!("{}@{}", vpg.name, vpg.zvm)).collect();
    assert_eq!(places, ["shared@nyc", "app@bos"]);
    assert_eq!(story.inserts(), 2);
}

#[test]
fn nothing_is_inserted_before_every_vm_is_found_and_taggable() {
    let fake = Fake::with_web01(&["a"]);
    fake.protect("sync01", 2, "s");
    fake.vpg_is("s", |vpg| vpg.sub_status = VpgSubStatus::Known(6, "DeltaSync"));
    fake.protect("twin", 3, "t");
    fake.protect("twin", 4, "u");
    let story = Story::of(&[&fake]);
    for (targets, code) in [
        (vec!["web01", "nowhere"], 3),
        (vec!["web01", "twin"], 4),
        (vec!["web01", "sync01"], 5),
        (vec![], 3),
        (vec![""], 3),
        (vec!["web01", "."], 3),
    ] {
        assert_eq!(story.guard(&targets).unwrap_err().exit_code(), code, "{targets:?}");
    }
    assert_eq!(story.inserts(), 0);
    let text = story.guard(&["sync01"]).unwrap_err().to_string();
    assert_eq!(
        text,
        "VM \"sync01\" has no VPG at which a tagged checkpoint can be inserted now:\n  VPG \"s\" at ZVM nyc (MeetingSLA, DeltaSync): it is syncing: no checkpoint is added meanwhile, and a resync deletes checkpoints (DeltaSync)."
    );
}

#[test]
fn one_failed_task_refuses_all_and_tells_of_each() {
    let fake = Fake::with_web01(&["a", "b"]);
    fake.goes("b", &[Goes::fails()]);
    let error = Story::of(&[&fake]).guard(&["web01"]).unwrap_err();
    assert_eq!(error.exit_code(), 1);
    let text = error.to_string();
    let mut lines = text.lines();
    assert_eq!(
        lines.next().unwrap(),
        "The tagged checkpoint does not stand in every VPG of \"web01\" (tag \"ai:claude | restart nginx --token=*** | vm=web01 | change=c1 | 20260921T150405Z\"):"
    );
    let a = lines.next().unwrap();
    assert!(a.contains("VPG \"a\" at ZVM nyc: task task-") && a.ends_with("stands."), "{a}");
    let b = lines.next().unwrap();
    assert!(b.contains("VPG \"b\"") && b.contains("Failed: \"VPG is busy\". No checkpoint was made."), "{b}");
    assert_eq!(lines.next(), None);
}

#[test]
fn out_of_time_tells_of_each() {
    let fake = Fake::with_web01(&["a", "b"]);
    fake.goes("b", &[Goes::never_ends()]);
    let mut story = Story::of(&[&fake]);
    story.time = Duration::from_millis(500);
    let error = story.guard(&["web01"]).unwrap_err();
    assert!(matches!(error, GuardError::Deadline { .. }));
    let text = error.to_string();
    assert!(
        text.starts_with("The deadline passed before")
            && text.contains("stands.")
            && text.contains("InProgress at the deadline"),
        "{text}"
    );
}

#[test]
fn a_refused_right_is_exit_code_6() {
    let fake = Fake::with_web01(&["a"]);
    fake.goes("a", &[Goes::Refused(ZvmErrorKind::Forbidden)]);
    assert_eq!(Story::of(&[&fake]).guard(&["web01"]).unwrap_err().exit_code(), 6);
}

#[test]
fn a_panic_is_an_error() {
    let fake = Fake::with_web01(&["a"]);
    fake.goes("a", &[Goes::Panics]);
    assert!(Story::of(&[&fake]).guard(&["web01"]).is_err());
    let fake = Fake::with_web01(&["a"]);
    fake.change(|world| world.site = None);
    let error = Story::of(&[&fake]).guard(&["web01"]).unwrap_err();
    assert!(matches!(error, GuardError::Broken { .. }), "{error:?}");
}

#[test]
fn turns_are_taken_on_one_machine() {
    let fake = Fake::with_web01(&["a"]);
    let story = Story::of(&[&fake]);
    let held = story.state.lock("vpg-id-a", Deadline::after(Duration::ZERO)).unwrap();
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| story.guard(&["web01"]));
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(story.inserts(), 0);
        drop(held);
        assert!(waits.join().unwrap().is_ok());
    });
    // Held for ever: the deadline, and the text says what was waited for.
    let _held = story.state.lock("vpg-id-a", Deadline::after(Duration::ZERO)).unwrap();
    let story = Story { time: Duration::from_millis(200), ..story };
    let error = story.guard(&["web01"]).unwrap_err();
    assert!(matches!(error, GuardError::NoTurn { .. }));
    assert!(error.to_string().contains("waited 0 s for its turn at VPG \"a\""), "{error}");
    assert_eq!(error.exit_code(), 1);
}

#[test]
fn a_turn_that_comes_too_late_is_not_used() {
    let fake = Fake::with_web01(&["a"]);
    let story = Story { time: Duration::from_millis(2900), ..Story::of(&[&fake]) };
    let held = story.state.lock("vpg-id-a", Deadline::after(Duration::ZERO)).unwrap();
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| story.guard(&["web01"]));
        std::thread::sleep(Duration::from_millis(1200));
        drop(held);
        let error = waits.join().unwrap().unwrap_err();
        assert!(matches!(error, GuardError::NoTurn { .. }), "{error:?}");
    });
    assert_eq!(story.inserts(), 0);
    // As little time is enough where nobody was waited for.
    assert!(Story { time: Duration::from_millis(1500), ..story }.guard(&["web01"]).is_ok());
}

#[test]
fn turns_at_many_vpgs_make_no_circle() {
    let (one, two) = (Fake::with_web01(&["a", "b", "c"]), Fake::with_web01(&["c", "b", "a"]));
    let story = Story::of(&[&one]);
    let other = Story::of(&[&two]);
    std::thread::scope(|scope| {
        for n in 0..6 {
            let (story, other) = (&story, &other);
            scope.spawn(move || {
                // The same state folder, the VPGs in another order.
                let fakes = if n % 2 == 0 { story } else { other };
                let targets = ["web01".to_owned()];
                let request = Request {
                    targets: &targets,
                    hosts: &BTreeMap::new(),
                    agent: "claude",
                    action: "x",
                    change: &n.to_string(),
                    reuse: None,
                    deadline: Deadline::after(Duration::from_secs(20)),
                    now: &Timestamp::now,
                };
                guard(&request, &fakes.appliances(), &story.state).unwrap();
            });
        }
    });
}

#[test]
fn the_same_tag_is_never_made_twice() {
    let fake = Fake::with_web01(&["a"]);
    let story = Story::of(&[&fake]);
    let (first, second) = (story.guard(&["web01"]).unwrap(), story.guard(&["web01"]).unwrap());
    assert!(first.tag.ends_with("150405Z") && second.tag.ends_with("150406Z"));
}

#[test]
fn a_younger_tag_is_reused_only_if_asked() {
    let fake = Fake::with_web01(&["a", "b"]);
    let mut story = Story::of(&[&fake]);
    let first = story.guard(&["web01"]).unwrap();
    story.reuse = Some(Duration::from_secs(120));
    let again = story.guard(&["web01"]).unwrap();
    assert!(again.reused && again.tag == first.tag);
    assert_eq!(again.vpgs[0].checkpoint, first.vpgs[0].checkpoint);
    assert_eq!((&again.vpgs[0].task_id, again.vpgs.len()), (&None, 2));
    assert_eq!(story.inserts(), 2);
    // A VPG more, and it has to be tagged: all of them get a new one.
    fake.protect("web01", 1, "c");
    assert!(!story.guard(&["web01"]).unwrap().reused);
    assert_eq!(story.inserts(), 5);
}

#[test]
fn five_round_trips_whatever_the_number_of_vpgs() {
    let names: Vec<String> = (0..10).map(|n| format!("v{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    // A busy machine can only make the chain longer: the best of some tries is what the program does.
    let trips = || {
        let fake = Fake::with_web01(&names);
        fake.change(|world| world.takes = Duration::from_millis(200));
        Story::of(&[&fake]).guard(&["web01"]).unwrap();
        fake.round_trips()
    };
    assert!((0..3).any(|_| trips() == 5));
}

#[test]
fn a_state_folder_that_cannot_be_used_refuses() {
    let fake = Fake::with_web01(&["a"]);
    let mut story = Story::of(&[&fake]);
    let file = story._outer.path().join("file");
    std::fs::write(&file, "").unwrap();
    story.state = StateDir::at(file);
    assert!(matches!(story.guard(&["web01"]), Err(GuardError::State(_))));
    assert_eq!(story.inserts(), 0);
}

#[test]
fn find_tells_what_a_guard_would_do_and_does_nothing() {
    let fake = Fake::with_web01(&["a", "b"]);
    fake.vpg_is("b", |vpg| vpg.sub_status = VpgSubStatus::Known(6, "DeltaSync"));
    fake.protect("sync01", 2, "b");
    fake.protect("twin", 3, "t");
    fake.protect("twin", 4, "u");
    let story = Story::of(&[&fake]);
    let look = |target: &str| find(target, &BTreeMap::new(), &story.appliances()).unwrap();
    let found = look("web01");
    assert_eq!((found.outcome, &found.refusal), (FindOutcome::Ok, &None));
    assert_eq!(
        serde_json::to_value(&found.vpgs[1]).unwrap(),
        serde_json::json!({
            "name": "b", "identifier": "id-b", "status": "MeetingSLA, DeltaSync", "taggable": false,
            "why": "it is syncing: no checkpoint is added meanwhile, and a resync deletes checkpoints (DeltaSync)",
            "protected_site": "nyc-site", "recovery_site": "bos-site", "zvm": "nyc",
        })
    );
    for (target, outcome, code, vms, vpgs) in [
        ("nowhere", FindOutcome::None, 3, 0, 0),
        ("twin", FindOutcome::Ambiguous, 4, 2, 2),
        ("sync01", FindOutcome::NotTaggable, 5, 1, 1),
    ] {
        let found = look(target);
        assert_eq!((found.outcome, found.vms.len(), found.vpgs.len()), (outcome, vms, vpgs), "{target}");
        assert_eq!(found.refusal.unwrap().exit_code(), code);
    }
    assert_eq!(serde_json::to_value(FindOutcome::NotTaggable).unwrap(), "not_taggable");
    assert_eq!(story.inserts(), 0);
}

#[test]
fn too_many_targets_are_refused_and_nothing_is_asked() {
    let fake = Fake::with_web01(&["a"]);
    let story = Story::of(&[&fake]);
    let names: Vec<String> = (0..20_000).map(|n| format!("host{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let error = story.guard(&names).unwrap_err();
    assert_eq!(error.to_string(), "20000 different targets are named, and no more than 64 are guarded at once.");
    assert_eq!((error.exit_code(), error.hint().contains("no more than 64")), (5, true));
    assert_eq!(fake.change(|world| world.calls.len()), 0);
    // The same one often is one.
    assert!(story.guard(&["web01"; 500]).is_ok());
}

#[test]
fn long_lists_are_cut_and_what_failed_is_shown() {
    let names: Vec<String> = (0..30).map(|n| format!("v{n}")).collect();
    let fake = Fake::with_web01(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let story = Story::of(&[&fake]);
    let text = report::where_it_stands(&story.guard(&["web01"]).unwrap());
    assert!(text.ends_with(", and 20 more"), "{text}");
    fake.goes("v29", &[Goes::fails()]);
    let text = story.guard(&["web01"]).unwrap_err().to_string();
    assert!(text.contains("VPG \"v29\"") && text.ends_with("\n  and 20 more"), "{text}");
    for name in &names {
        fake.vpg_is(name, |vpg| vpg.sub_status = VpgSubStatus::Known(6, "DeltaSync"));
    }
    let text = story.guard(&["web01"]).unwrap_err().to_string();
    assert!(text.lines().count() == 12 && text.ends_with("\n  and 20 more"), "{text}");
}
