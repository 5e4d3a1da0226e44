//! A session from its mount to its end: what is left mounted, and whose session is ended, whatever goes wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use zerto_guard::config::read;
use zerto_guard::rewind::desk::Desk;
use zerto_guard::rewind::ending::Unmounted;
use zerto_guard::rewind::error::RewindError;
use zerto_guard::rewind::find::{self, Found, Narrow};
use zerto_guard::rewind::session::{Held, Mount, Patience};
use zerto_guard::rewind::watch::{Listen, Stop, Watched, watched};
use zerto_guard::state::StateDir;
use zvm_sim::{Colleague, Fault, MountOutcome, Sim, Step, Times, UnmountOutcome, VmSpec, VpgSpec};

const TAG: &str = "ai:claude | edit /etc/app.yaml | vm=web01 | change=chg-412 | 20260921T150405Z";

/// A configured machine, and the checkpoint of the tag on it.
struct Story {
    sim: Arc<Sim>,
    desk: Arc<Desk>,
    found: Found,
    _outer: tempfile::TempDir,
}

fn world() -> Sim {
    let sim = Sim::builder().vm(VmSpec::new("web01").vpg(VpgSpec::local("gold"))).start();
    sim.put_tag("gold", Duration::from_secs(120), TAG).unwrap();
    sim
}

impl Story {
    fn new() -> Self {
        let sim = world();
        let outer = tempfile::tempdir().unwrap();
        let config = read::merge(read::Partial::default(), read::parse(&sim.config_toml(), None).unwrap());
        let desk = Desk::new(&config, StateDir::at(outer.path().join("state"))).unwrap();
        let tag = find::tag(&desk, "latest", &Narrow::default()).unwrap();
        let found = find::place(&desk, &tag, &Narrow::default()).unwrap();
        Self { sim: Arc::new(sim), desk, found, _outer: outer }
    }

    fn held(&self) -> Arc<Held> {
        let short = Duration::from_millis(1_500);
        let unmount = Duration::from_secs(4);
        Held::new(&self.desk, Patience { mount: short * 2, unmount, lost: short, turn: short / 5 })
    }

    /// Mounts, does the work, and ends it.
    fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Mount) -> Result<T, RewindError> + Send + 'static,
    ) -> Watched<T> {
        let held = self.held();
        let (inner, found) = (Arc::clone(&held), self.found.clone());
        watched(&held, &Listen::Signals, |_| (), move || work(&Mount::open(&inner, &found, &|_| ())?))
    }

    fn mounts_asked_for(&self) -> usize {
        self.sim.requests_of(Step::FlrMount).len()
    }

    fn colleagues_session(&self) -> String {
        self.sim.mount_elsewhere("web01", "gold", Some(&self.found.place.checkpoint)).unwrap()
    }
}

fn nothing(_: &Mount) -> Result<(), RewindError> {
    Ok(())
}

#[test]
fn it_is_mounted_at_the_tags_checkpoint_and_ended() {
    let story = Story::new();
    let sim = Arc::clone(&story.sim);
    let done = story.run(move |mount| {
        let live = sim.live_sessions();
        assert_eq!(live.len(), 1);
        assert_eq!(live[0].identifier, mount.id());
        Ok(live[0].checkpoint.clone())
    });
    assert_eq!(done.result.unwrap(), story.found.place.checkpoint);
    assert!(done.unmounted.unwrap().ok);
    assert!(story.sim.live_sessions().is_empty());
}

#[test]
fn an_error_or_a_panic_in_the_work_ends_it_too() {
    for panics in [false, true] {
        let story = Story::new();
        let done = story.run(move |_| -> Result<(), RewindError> {
            assert!(!panics, "on purpose");
            Err(RewindError::NoZvm)
        });
        let error = done.result.unwrap_err();
        match panics {
            true => assert!(error.to_string().contains("broke off the work: on purpose"), "{error}"),
            false => assert_eq!(error, RewindError::NoZvm),
        }
        assert!(done.unmounted.unwrap().ok, "{panics}");
        assert!(story.sim.live_sessions().is_empty(), "{panics}");
        // The panic has not kept the lock either.
        story.run(nothing).result.unwrap();
    }
}

#[test]
fn an_unmount_that_fails_in_passing_is_asked_for_again() {
    for outcome in [UnmountOutcome::Failed("busy".into()), UnmountOutcome::Refused(500), UnmountOutcome::Refused(409)] {
        let story = Story::new();
        story.sim.next_unmounts(1, &outcome);
        let done = story.run(nothing);
        done.result.unwrap();
        assert!(done.unmounted.unwrap().ok, "{outcome:?}");
        assert!(story.sim.live_sessions().is_empty(), "{outcome:?}");
    }
}

#[test]
fn an_unmount_that_fails_for_good_is_told_with_its_reason_and_what_to_do() {
    for (outcome, why) in [
        (UnmountOutcome::Failed("the datastore is gone".into()), "the datastore is gone"),
        (UnmountOutcome::Refused(500), "The disk cannot be unmounted"),
        (UnmountOutcome::Stuck, "did not come in time"),
    ] {
        let story = Story::new();
        story.sim.next_unmounts(10, &outcome);
        let done = story.run(nothing);
        done.result.unwrap();
        let unmounted = done.unmounted.unwrap();
        let live = story.sim.live_sessions();
        assert_eq!((unmounted.ok, unmounted.session_id.as_str()), (false, live[0].identifier.as_str()));
        let warning = unmounted.warning().unwrap();
        assert!(warning.contains(why), "{warning}");
        assert!(warning.contains(&format!("zerto-guard rewind end-session {}", live[0].identifier)), "{warning}");
    }
}

#[test]
fn the_answer_to_the_end_may_be_lost() {
    for fault in [Fault::ResetAfterProcessing, Fault::AfterProcessing(Box::new(Fault::Html)), Fault::ResetBefore] {
        let story = Story::new();
        story.sim.fault(Step::FlrUnmount, fault.clone(), Times::Next(1));
        let done = story.run(nothing);
        assert!(done.unmounted.clone().unwrap().ok, "{fault:?}: {:?}", done.unmounted);
        assert!(story.sim.live_sessions().is_empty(), "{fault:?}");
    }
}

#[test]
fn a_mount_that_fails_or_never_comes_leaves_nothing() {
    for (outcome, words) in [
        (MountOutcome::Failed, "its status is MountFailed"),
        (MountOutcome::Stuck, "the disks were not there after"),
        (MountOutcome::As("SomethingNew".into()), "the disks were not there after"),
    ] {
        let story = Story::new();
        story.sim.next_mounts(1, &outcome);
        let done = story.run(nothing);
        let error = done.result.unwrap_err();
        assert!(error.to_string().contains(words) && error.exit_code() == 1, "{error}");
        assert!(done.unmounted.unwrap().ok, "{outcome:?}");
        assert!(story.sim.live_sessions().is_empty(), "{outcome:?}");
    }
}

#[test]
fn a_colleagues_session_is_named_and_left_alone() {
    let story = Story::new();
    let theirs = story.colleagues_session();
    std::thread::sleep(Duration::from_millis(200));
    let done = story.run(nothing);
    let error = done.result.unwrap_err();
    assert!(error.to_string().contains(&format!("The VM is mounted already, by FLR session {theirs}")), "{error}");
    assert!(error.hint().contains("end-session"), "{}", error.hint());
    assert!(done.unmounted.is_none());
    assert_eq!(story.sim.live_sessions().len(), 1);
    assert!(story.sim.requests_of(Step::FlrUnmount).is_empty());
}

#[test]
fn where_two_may_be_mounted_only_ours_is_ended() {
    let story = Story::new();
    story.sim.with_state(|s| s.settings.flr.parallel_sessions = true);
    let before = story.colleagues_session();
    story.sim.with_next_mount(Colleague { checkpoint: None, first: true });
    let done = story.run(|mount| Ok(mount.id().to_owned()));
    let ours = done.result.unwrap();
    assert!(done.unmounted.unwrap().ok);
    let live: Vec<String> = story.sim.live_sessions().into_iter().map(|session| session.identifier).collect();
    assert_eq!(live.len(), 2);
    assert!(live.contains(&before) && !live.contains(&ours), "{live:?}");
}

/// Answers that can't be read, while the mount stands.
fn lost_answers() -> [Fault; 6] {
    [
        Fault::ResetAfterProcessing,
        Fault::AfterProcessing(Box::new(Fault::Html)),
        Fault::AfterProcessing(Box::new(Fault::Empty)),
        Fault::AfterProcessing(Box::new(Fault::Truncated)),
        Fault::AfterProcessing(Box::new(Fault::WrongType)),
        Fault::AfterProcessing(Box::new(Fault::Status(504, "late".into()))),
    ]
}

#[test]
fn a_lost_answer_to_the_mount_and_the_one_new_session_is_ended() {
    for fault in lost_answers() {
        let story = Story::new();
        story.sim.fault(Step::FlrMount, fault.clone(), Times::Next(1));
        let done = story.run(nothing);
        let error = done.result.unwrap_err();
        assert!(error.to_string().contains("The session that came of it"), "{fault:?}: {error}");
        assert!(story.sim.live_sessions().is_empty(), "{fault:?}");
        assert_eq!((story.sim.sessions().len(), story.mounts_asked_for()), (1, 1), "{fault:?}: mounted once");
    }
}

#[test]
fn a_lost_answer_and_a_colleague_in_the_same_second_ends_nobodys() {
    for first in [false, true] {
        for fault in [Fault::ResetAfterProcessing, Fault::AfterProcessing(Box::new(Fault::Html))] {
            let story = Story::new();
            story.sim.with_state(|s| s.settings.flr.parallel_sessions = true);
            story.sim.fault(Step::FlrMount, fault.clone(), Times::Next(1));
            story.sim.with_next_mount(Colleague { checkpoint: None, first });
            let done = story.run(nothing);
            let error = done.result.unwrap_err();
            let live = story.sim.live_sessions();
            assert_eq!(live.len(), 2, "{fault:?}");
            assert!(story.sim.requests_of(Step::FlrUnmount).is_empty(), "{fault:?}");
            let Unmounted { ok, error: why, .. } = done.unmounted.unwrap();
            assert!(!ok);
            for session in live {
                assert!(why.as_ref().unwrap().contains(&session.identifier), "{why:?}");
            }
            assert!(error.hint().contains("rewind sessions"), "{}", error.hint());
        }
    }
}

#[test]
fn a_lost_answer_and_a_colleagues_other_checkpoint_ends_ours() {
    let story = Story::new();
    let other = story.sim.journal("gold").into_iter().map(|c| c.id).find(|id| *id != story.found.place.checkpoint);
    story.sim.with_state(|s| s.settings.flr.parallel_sessions = true);
    story.sim.fault(Step::FlrMount, Fault::ResetAfterProcessing, Times::Next(1));
    story.sim.with_next_mount(Colleague { checkpoint: other.clone(), first: true });
    let done = story.run(nothing);
    assert!(done.unmounted.unwrap().ok);
    let live: Vec<Option<String>> = story.sim.live_sessions().into_iter().map(|s| Some(s.checkpoint)).collect();
    assert_eq!(live, [other]);
}

#[test]
fn a_request_that_was_lost_does_not_end_a_colleagues_session_that_came_meanwhile() {
    let story = Story::new();
    // Ours is never processed, and a colleague's mount of the same checkpoint comes into sight while we look for ours.
    story.sim.fault(Step::FlrMount, Fault::Truncated, Times::Next(1));
    story.sim.with_state(|s| s.settings.flr.parallel_sessions = true);
    story.sim.fault(Step::FlrMount, Fault::Html, Times::Next(1));
    let sim = Arc::clone(&story.sim);
    let checkpoint = story.found.place.checkpoint.clone();
    let colleague = std::thread::spawn(move || {
        while sim.requests_of(Step::FlrMount).is_empty() {
            std::thread::sleep(Duration::from_millis(5));
        }
        sim.mount_elsewhere("web01", "gold", Some(&checkpoint)).unwrap()
    });
    let done = story.run(nothing);
    let theirs = colleague.join().unwrap();
    let error = done.result.unwrap_err();
    assert!(story.sim.live_sessions().iter().any(|session| session.identifier == theirs), "{error}");
    assert!(story.sim.requests_of(Step::FlrUnmount).is_empty(), "{error}: {:?}", done.unmounted);
    assert!(done.unmounted.unwrap().error.unwrap().contains(&theirs), "{error}");
}

/// A colleague mounts the same checkpoint, so long after ours was asked for.
fn colleague(story: &Story, after: Duration) -> std::thread::JoinHandle<String> {
    let (sim, checkpoint) = (Arc::clone(&story.sim), story.found.place.checkpoint.clone());
    std::thread::spawn(move || {
        while sim.requests_of(Step::FlrMount).is_empty() {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(after);
        sim.mount_elsewhere("web01", "gold", Some(&checkpoint)).unwrap()
    })
}

#[test]
fn a_refusal_that_a_colleagues_mount_may_be_the_reason_of_ends_no_session_and_names_it() {
    std::thread::scope(|scope| {
        // In the second case nobody says who began the session; in the third it comes into sight only after a while.
        for (hides_who, after) in [(false, 0), (true, 0), (true, 700)] {
            scope.spawn(move || {
                let story = Story::new();
                let no = Fault::Status(500, "{\"Message\":\"A disk of this VM is being mounted.\"}".into());
                if after == 0 {
                    // Ours is answered once theirs is there.
                    story.sim.fault(Step::FlrMount, Fault::Delay(Duration::from_millis(400)), Times::Next(1));
                }
                story.sim.fault(Step::FlrMount, no, Times::Next(1));
                if hides_who {
                    story.sim.fault(Step::TaskList, Fault::Status(403, "{}".into()), Times::Always);
                }
                let colleague = colleague(&story, Duration::from_millis(after));
                let done = story.run(nothing);
                let (theirs, error) = (colleague.join().unwrap(), done.result.unwrap_err());
                assert!(story.sim.requests_of(Step::FlrUnmount).is_empty(), "{error}: {:?}", done.unmounted);
                assert!(story.sim.live_sessions().iter().any(|session| session.identifier == theirs), "{error}");
                let said = format!("{error}\n{}", error.hint());
                assert!(said.contains(&theirs) && !said.contains("answer to the mount was lost"), "{said}");
            });
        }
    });
}

#[test]
fn a_mount_that_the_zvm_never_got_is_just_refused() {
    let story = Story::new();
    story.sim.fault(Step::FlrMount, Fault::Status(403, "{\"Message\":\"no\"}".into()), Times::Next(1));
    let done = story.run(nothing);
    let error = done.result.unwrap_err();
    assert_eq!(error.exit_code(), 6, "{error}");
    assert!(error.hint().contains("Administrator"), "{}", error.hint());
    assert!(done.unmounted.is_none() && story.sim.sessions().is_empty());
}

#[test]
fn a_mount_of_which_nothing_is_seen_may_still_come_and_that_is_said() {
    let story = Story::new();
    story.sim.fault(Step::FlrMount, Fault::ResetBefore, Times::Next(1));
    let done = story.run(nothing);
    let unmounted = done.unmounted.unwrap();
    assert!(!unmounted.ok && unmounted.session_id.is_empty(), "{unmounted:?}");
    let hint = done.result.unwrap_err().hint();
    assert!(hint.contains("no session of it has shown itself") && hint.contains("rewind sessions"), "{hint}");
}

#[test]
fn one_recovery_of_a_vm_at_a_time() {
    let story = Story::new();
    let (held, found) = (story.held(), story.found.clone());
    let mount = Mount::open(&held, &found, &|_| ()).unwrap();
    let second = story.run(nothing);
    let error = second.result.unwrap_err();
    assert!(matches!(error, RewindError::Turn { .. }) && error.exit_code() == 5, "{error}");
    assert_eq!(story.mounts_asked_for(), 1);
    assert!(mount.end().ok);
    story.run(nothing).result.unwrap();
}

#[test]
fn told_to_stop_while_it_mounts_it_ends_what_it_began() {
    let story = Story::new();
    story.sim.with_state(|s| s.settings.flr.mount_time = Duration::from_secs(60));
    let held = story.held();
    let (inner, found) = (Arc::clone(&held), story.found.clone());
    let reached = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&reached);
    let done = std::thread::scope(|scope| {
        let stopper = Arc::clone(&held);
        let sim = &story.sim;
        scope.spawn(move || {
            while sim.live_sessions().is_empty() {
                std::thread::sleep(Duration::from_millis(5));
            }
            stopper.stop();
        });
        watched(
            &held,
            &Listen::Signals,
            |_| (),
            move || {
                let _mount = Mount::open(&inner, &found, &|_| ())?;
                seen.store(true, Ordering::SeqCst);
                Ok(())
            },
        )
    });
    assert!(done.result.is_err() && !reached.load(Ordering::SeqCst));
    assert!(done.unmounted.unwrap().ok);
    assert!(story.sim.live_sessions().is_empty());
}

#[test]
fn work_that_is_stuck_does_not_keep_the_mount() {
    let story = Story::new();
    let held = story.held();
    let mount = Mount::open(&held, &story.found, &|_| ()).unwrap();
    // As the listening thread does it, while the work's own thread is stuck in a call of the system.
    held.stop();
    assert!(held.end().unwrap().ok);
    assert!(story.sim.live_sessions().is_empty());
    assert!(mount.end().ok, "and the same answer again");
    assert_eq!(story.sim.requests_of(Step::FlrUnmount).len(), 1);
}

#[test]
fn a_handle_ends_the_mount_as_a_signal_does() {
    let story = Story::new();
    let held = story.held();
    let (inner, found, stop) = (Arc::clone(&held), story.found.clone(), Stop::default());
    let (handle, other) = (stop.clone(), Stop::default());
    let Watched { result, unmounted, signal } = watched(
        &held,
        &Listen::To(stop),
        |_| (),
        move || {
            let mount = Mount::open(&inner, &found, &|_| ())?;
            handle.stop();
            while !mount.is_stopped() {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err::<(), _>(RewindError::Stopped)
        },
    );
    assert!(matches!(result, Err(RewindError::Signal { signal: libc::SIGINT, .. })), "{result:?}");
    assert_eq!((unmounted.map(|ended| ended.ok), signal), (Some(true), Some(libc::SIGINT)));
    assert!(!other.is_stopped());
}
