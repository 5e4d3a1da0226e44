//! Inserts of which nobody can say what became of them, and answers that ask to wait: nothing is sent twice, nothing passes
//! without its tag, and nobody is asked before the time.

use crate::guard_story::{change, demo, home, home_with};
use crate::rewind_cat::world;
use jiff::fmt::rfc2822::DateTimePrinter;
use jiff::{SignedDuration, Timestamp};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use zvm_sim::{Fault, Guest, InsertOutcome, Request, Sim, Step, Times, VmSpec, VpgSpec};

/// What the ZVM does with the insert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Made {
    AtOnce,
    Late,
    Failed,
    Not,
}

/// What comes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Passes,
    Denies,
}

/// An answer in place of the ZVM's own, and whether the request was processed before it.
fn answers() -> Vec<(&'static str, Fault)> {
    let status = |status| Fault::Status(status, "{\"Message\":\"broken\"}".to_owned());
    vec![
        ("nothing", Fault::Empty),
        ("HTML", Fault::Html),
        ("a number", Fault::WrongType),
        ("an object", Fault::Status(200, "{}".to_owned())),
        ("another word", Fault::Status(200, "\"OK\"".to_owned())),
        ("401", Fault::Unauthorized),
        ("408", status(408)),
        ("429", Fault::StatusWithRetryAfter(429, 1)),
        ("500", status(500)),
        ("502", Fault::Status(502, "<html>Bad Gateway</html>".to_owned())),
        ("503", status(503)),
        ("503 for an hour", Fault::StatusWithRetryAfter(503, 3600)),
        ("504", status(504)),
        ("silence", Fault::Hang),
    ]
}

/// Each way to lose the answer to an insert that the ZVM deals with like this.
fn ways(made: Made) -> Vec<(&'static str, Fault)> {
    let processed = made != Made::Not;
    let mut ways: Vec<(&str, Fault)> = answers()
        .into_iter()
        .map(|(name, fault)| (name, if processed { Fault::AfterProcessing(Box::new(fault)) } else { fault }))
        .collect();
    if processed {
        ways.extend([
            ("a reset after it", Fault::ResetAfterProcessing),
            ("a reset in the body", Fault::ResetMidBody),
            ("a body cut short", Fault::Truncated),
            ("three bytes and a reset", Fault::ResetAfter(3)),
            ("three bytes and silence", Fault::StallAfter(3)),
            ("a part that looks whole", Fault::Shortened(7)),
        ]);
    } else {
        ways.push(("a reset before it", Fault::ResetBefore));
    }
    ways
}

fn all_ways(made: Made) {
    let ways = ways(made);
    // What will not come is not waited for very long.
    let (deadline, insert) = match made {
        Made::AtOnce => ("30s", Duration::from_millis(50)),
        Made::Late => ("30s", Duration::from_secs(4)),
        Made::Failed | Made::Not => ("14s", Duration::from_millis(50)),
    };
    let mut sim = Sim::builder().insert_time(insert);
    for n in 0..ways.len() {
        sim = sim.vm(VmSpec::new(&format!("vm{n}")).vpg(VpgSpec::local(&format!("vpg{n}"))));
    }
    let sim = sim.start();
    let env = home_with(&sim, &format!("[guard]\ndeadline = '{deadline}'\n"));
    // The token first: what is looked at here are the inserts.
    assert_eq!(env.run(&["find", "vm0"]).code, Some(0));
    let wrong = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..ways.len() {
            scope.spawn(|| {
                let n = next.fetch_add(1, Ordering::Relaxed);
                let (name, fault) = &ways[n];
                let vpg = format!("vpg{n}");
                let route = format!("POST /v1/vpgs/{}/checkpoints", sim.vpg_id(&vpg).unwrap());
                sim.fault(route.as_str(), fault.clone(), Times::Next(1));
                if made == Made::Failed {
                    sim.next_inserts_at(&vpg, 1, &InsertOutcome::failed("The journal is full."));
                }
                let ran = env.hook(change(&env, &format!("vm{n}")));
                // At the moment of the pass, and not some time later.
                let listed: Vec<String> =
                    sim.journal(&vpg).into_iter().filter(|c| c.listed()).filter_map(|c| c.tag).collect();
                let path = route.trim_start_matches("POST ");
                let sent = sim.requests_of(Step::Insert).into_iter().filter(|r| r.path == path).count();
                let made_tasks = sim.tasks().into_iter().filter(|t| Some(&t.vpg) == sim.vpg_id(&vpg).as_ref()).count();
                let end = match (made, *name) {
                    (Made::AtOnce | Made::Late, _) => End::Passes,
                    // It is sent again with another token, once nothing is seen to have begun.
                    (Made::Not, "401") => End::Passes,
                    _ => End::Denies,
                };
                let may_send = if (made, *name) == (Made::Not, "401") { 2 } else { 1 };
                let right = match end {
                    End::Passes => ran.code == Some(0) && listed.len() == 1 && ran.stdout.contains(listed[0].as_str()),
                    End::Denies => {
                        ran.code == Some(2)
                            && ran.stdout.is_empty()
                            && ran.stderr.starts_with("zerto-guard: stopped ")
                            && ran.stderr.contains(&vpg)
                            && sim.tags(&vpg).is_empty()
                    }
                };
                if !right || sent != may_send || made_tasks > 1 {
                    let told = format!("{sent} sent, {made_tasks} made\n{}{}", ran.stdout, ran.stderr);
                    wrong.lock().unwrap().push(format!("{made:?}, {name}: {:?}, {listed:?}, {told}", ran.code));
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn an_insert_of_which_nothing_certain_is_heard_passes_with_its_one_tag_or_not_at_all() {
    std::thread::scope(|scope| {
        for made in [Made::AtOnce, Made::Late, Made::Failed, Made::Not] {
            scope.spawn(move || all_ways(made));
        }
    });
}

/// `Retry-After` as a date, so long from now.
fn date_in(seconds: i64) -> String {
    let date = Timestamp::now().checked_add(SignedDuration::from_secs(seconds)).unwrap();
    DateTimePrinter::new().timestamp_to_rfc9110_string(&date).unwrap()
}

fn busy(text: &str) -> Fault {
    Fault::StatusWithRetryAfterText(429, text.to_owned())
}

/// From each request of this step to the next one at the same path.
fn pauses(sim: &Sim, step: Step) -> Vec<Duration> {
    let requests: Vec<Request> = sim.requests_of(step);
    let first = requests.first().map(|request| request.path.clone()).unwrap_or_default();
    let at: Vec<Duration> = requests.iter().filter(|request| request.path == first).map(|request| request.at).collect();
    at.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

const READS: [Step; 6] = [Step::Token, Step::VmList, Step::LocalSite, Step::Vpg, Step::Task, Step::CheckpointList];

fn a_read_is_asked_again_after_the_time_that_the_zvm_asks_for() {
    std::thread::scope(|scope| {
        for (nr, step) in READS.into_iter().enumerate() {
            scope.spawn(move || {
                let sim = demo().start();
                // The simulator's own time began a moment before.
                let began = Timestamp::now();
                let env = home_with(&sim, "[guard]\ndeadline = '30s'\n");
                // Each form with some steps: what reads them is the same for all. A date names a whole second.
                let (text, least, until) = match nr % 3 {
                    0 => ("1".to_owned(), 1000, 0),
                    1 => (date_in(6), 0, 5000),
                    _ => (" 2 ".to_owned(), 2000, 0),
                };
                sim.fault(step, busy(&text), Times::Next(1));
                let ran = env.hook(change(&env, "db01"));
                assert_eq!(ran.code, Some(0), "{step:?} {text}: {}", ran.stderr);
                let pause = pauses(&sim, step)[0];
                assert!(pause >= Duration::from_millis(least), "{step:?} {text}: after {pause:?}");
                let again = sim.requests_of(step)[1].at;
                assert!(again >= Duration::from_millis(until), "{step:?} {text}, at {began}: at {again:?}");
            });
        }
    });
}

fn a_time_that_makes_no_sense_is_none() {
    std::thread::scope(|scope| {
        for text in ["-1", "soon", "1.5", "Sun, 06 Nov 1994 08:49:37 GMT", ""] {
            scope.spawn(move || {
                let sim = demo().start();
                let env = home_with(&sim, "[guard]\ndeadline = '30s'\n");
                sim.fault(Step::Vpg, busy(text), Times::Next(1));
                let ran = env.hook(change(&env, "db01"));
                assert_eq!(ran.code, Some(0), "{text}: {}", ran.stderr);
            });
        }
    });
}

fn a_time_longer_than_the_deadline_is_a_deny_with_the_reason_and_no_hammering() {
    std::thread::scope(|scope| {
        for (nr, step) in READS.into_iter().enumerate() {
            scope.spawn(move || {
                let text = match nr % 3 {
                    0 => "3600".to_owned(),
                    1 => date_in(100_000),
                    _ => "99999999999999999999999999".to_owned(),
                };
                let sim = demo().start();
                let env = home_with(&sim, "[guard]\ndeadline = '20s'\n");
                sim.fault(step, busy(&text), Times::Always);
                let ran = env.hook(change(&env, "db01"));
                ran.denied("It asks to wait ").denied("which is more than the deadline leaves");
                assert_eq!(pauses(&sim, step).len(), 0, "{step:?} {text}: asked once");
            });
        }
    });
}

fn a_zvm_that_goes_on_asking_to_wait_is_not_hammered() {
    std::thread::scope(|scope| {
        // The second: the tag of an insert whose answer was lost is looked for again and again.
        for (step, lost) in [(Step::Task, false), (Step::CheckpointList, true)] {
            scope.spawn(move || {
                let sim = demo().start();
                let env = home_with(&sim, "[guard]\ndeadline = '8s'\n");
                if lost {
                    sim.fault(Step::Insert, Fault::ResetAfterProcessing, Times::Next(1));
                }
                sim.fault(step, busy("1"), Times::Always);
                env.hook(change(&env, "db01")).denied("429");
                let pauses = pauses(&sim, step);
                assert!(pauses.len() >= 3, "{step:?}: {pauses:?}");
                assert!(pauses.iter().all(|pause| *pause >= Duration::from_secs(1)), "{step:?}: {pauses:?}");
            });
        }
        scope.spawn(|| {
            let sim = demo().start();
            let env = home_with(&sim, "[guard]\ndeadline = '20s'\n");
            sim.fault(Step::Insert, Fault::ResetAfterProcessing, Times::Next(1));
            sim.fault(Step::CheckpointList, busy("3600"), Times::Always);
            env.hook(change(&env, "db01")).denied("may still appear").denied("It asks to wait 3600 s");
            assert_eq!(sim.requests_of(Step::CheckpointList).len(), 1);
        });
    });
}

#[test]
fn nobody_is_asked_again_before_the_time_that_the_zvm_asks_for() {
    std::thread::scope(|scope| {
        scope.spawn(a_read_is_asked_again_after_the_time_that_the_zvm_asks_for);
        scope.spawn(a_time_that_makes_no_sense_is_none);
        scope.spawn(a_time_longer_than_the_deadline_is_a_deny_with_the_reason_and_no_hammering);
        scope.spawn(a_zvm_that_goes_on_asking_to_wait_is_not_hammered);
    });
}

#[test]
fn what_a_recovery_has_begun_although_the_answer_said_no_is_seen_to() {
    let no = |status: u16| Fault::Status(status, "{\"Message\":\"broken\"}".to_owned());
    let faults = [no(500), no(503), Fault::StatusWithRetryAfter(429, 1), Fault::Unauthorized];
    std::thread::scope(|scope| {
        for fault in faults {
            for made in [true, false] {
                let fault = fault.clone();
                scope.spawn(move || {
                    let sim = world(Guest::linux("web01"));
                    let env = home(&sim);
                    let is_401 = fault == Fault::Unauthorized;
                    let fault = if made { Fault::AfterProcessing(Box::new(fault)) } else { fault };
                    sim.fault(Step::FlrMount, fault.clone(), Times::Next(1));
                    let ran = env.run(&["rewind", "cat", "--yes", "latest:/etc/app.yaml"]);
                    // Only what nothing has come of is sent again, and only with another token.
                    let again = is_401 && !made;
                    assert_eq!(ran.code == Some(0), again, "{fault:?}: {}", ran.stderr);
                    assert_eq!(sim.requests_of(Step::FlrMount).len(), if again { 2 } else { 1 }, "{fault:?}");
                    assert_eq!(sim.sessions().len(), usize::from(made || again), "{fault:?}");
                    assert!(sim.live_sessions().is_empty(), "{fault:?}: {}", ran.stderr);
                    // A clone is a task, which is found and followed.
                    sim.fault(Step::Clone, fault.clone(), Times::Next(1));
                    let ran = env.run(&["rewind", "clone", "chg-412", "--yes"]);
                    assert_eq!(ran.code == Some(0), made || again, "{fault:?}: {}", ran.stderr);
                    assert_eq!(sim.requests_of(Step::Clone).len(), if again { 2 } else { 1 }, "{fault:?}");
                    assert_eq!(sim.created().len(), usize::from(made || again), "{fault:?}");
                });
            }
        }
    });
}
