use super::*;
use crate::guard::fake::{Fake, Goes, vpg};
use std::sync::Arc;
use std::time::Instant;

/// Inserts at these VPGs with this much time.
fn insert(fake: &Arc<Fake>, vpgs: &[&str], millis: u64) -> Vec<VpgResult> {
    let appliance: &dyn Appliance = fake;
    let vpgs: Vec<Vpg> = vpgs.iter().map(|name| vpg(name)).collect();
    let jobs: Vec<Job> =
        vpgs.iter().map(|vpg| Job { appliance, vpg, clock: Clock::says(fake.now()), turn: Mutex::new(None) }).collect();
    insert_all(&jobs, "tag", Deadline::after(Duration::from_millis(millis)))
}

fn one(fake: &Arc<Fake>, millis: u64) -> VpgResult {
    insert(fake, &["a"], millis).remove(0)
}

fn fake(goes: &[Goes]) -> Arc<Fake> {
    let fake = Fake::with_web01(&["a", "b", "c"]);
    fake.goes("a", goes);
    fake
}

use TaskState::{Cancelling, Completed, Failed, InProgress, Other, Paused, Stopped, WaitingForUserInput};

#[test]
fn completed_and_listed() {
    let fake = fake(&[]);
    let result = one(&fake, 5000);
    assert_eq!(result.checkpoint(), Some("checkpoint-of-task-1"));
    assert_eq!(result.line(), "VPG \"a\" at ZVM nyc: task task-1 Completed, checkpoint checkpoint-of-task-1 stands.");
    assert_eq!(fake.calls(""), ["insert id-a tag", "task task-1", "list id-a"]);
}

#[test]
fn every_state_that_is_not_over_is_waited_on() {
    let states = [
        None,
        Some(InProgress),
        Some(WaitingForUserInput),
        Some(Paused),
        Some(Cancelling),
        Some(Other(9)),
        Some(Completed),
    ];
    let fake = fake(&[Goes::Task(states.to_vec(), Some(0))]);
    assert!(one(&fake, 5000).checkpoint().is_some());
    assert_eq!(fake.calls("task").len(), 7);
    assert_eq!(fake.calls("insert").len(), 1);
}

#[test]
fn a_listing_that_comes_late_is_waited_on() {
    let fake = fake(&[Goes::Task(vec![Some(Completed)], Some(4))]);
    assert!(one(&fake, 5000).checkpoint().is_some());
    assert_eq!(fake.calls("list").len(), 5);
}

#[test]
fn a_tag_that_is_listed_does_not_make_a_task_complete() {
    let fake = fake(&[Goes::Task(vec![Some(InProgress)], Some(0))]);
    let result = one(&fake, 300);
    assert_eq!(result.outcome, Outcome::OutOfTime);
    assert_eq!(result.line(), "VPG \"a\" at ZVM nyc: task task-1 InProgress at the deadline.");
}

#[test]
fn failed_without_evidence_is_final_at_once() {
    let fake = fake(&[Goes::fails()]);
    let begun = Instant::now();
    let result = one(&fake, 20_000);
    assert!(begun.elapsed() < Duration::from_secs(1));
    assert_eq!(result.outcome, Outcome::Failed);
    assert_eq!(result.line(), "VPG \"a\" at ZVM nyc: task task-1 Failed: \"VPG is busy\". No checkpoint was made.");
    assert_eq!(fake.calls("insert ").len(), 1);
}

#[test]
fn stopped_is_final_whatever_else_runs() {
    let fake = fake(&[Goes::Task(vec![Some(Stopped)], None)]);
    fake.other("other", "a", &[InProgress, Completed]);
    assert_eq!(one(&fake, 5000).outcome, Outcome::Failed);
    assert_eq!(fake.calls("inserts").len(), 0);
}

#[test]
fn busy_with_another_insert_it_is_tried_again_with_the_same_tag() {
    let fake = fake(&[Goes::fails(), Goes::fails(), Goes::well()]);
    fake.other("other", "a", &[InProgress, InProgress, Completed]);
    let result = one(&fake, 10_000);
    assert_eq!(result.checkpoint(), Some("checkpoint-of-task-3"));
    assert_eq!(fake.calls("insert id-a tag").len(), 3);
    assert_eq!(fake.calls("task other").len(), 2);
    assert_eq!(result.task_id.as_deref(), Some("task-3"));
    // It looked for the tag before each further try.
    assert_eq!(fake.calls("list").len(), 3);
}

#[test]
fn an_insert_at_another_vpg_is_no_evidence() {
    let fake = fake(&[Goes::fails(), Goes::well()]);
    fake.other("other", "b", &[InProgress]);
    assert_eq!(one(&fake, 5000).outcome, Outcome::Failed);
}

#[test]
fn evidence_that_cannot_be_had_is_none() {
    let fake = fake(&[Goes::fails(), Goes::well()]);
    fake.other("other", "a", &[InProgress, Completed]);
    fake.change(|world| world.faults.insert("inserts", ZvmErrorKind::Unreachable));
    assert_eq!(one(&fake, 5000).outcome, Outcome::Failed);
}

#[test]
fn busy_until_the_deadline() {
    let fake = fake(&[Goes::fails()]);
    fake.other("other", "a", &[InProgress]);
    let result = one(&fake, 400);
    assert_eq!(result.outcome, Outcome::Busy("other".to_owned()));
    assert!(result.was_late());
    assert_eq!(
        result.line(),
        "VPG \"a\" at ZVM nyc: task task-1 Failed: \"VPG is busy\"; another insert (task other) was running at this VPG until the deadline."
    );
}

#[test]
fn a_tag_that_stands_although_its_task_failed() {
    let fake = fake(&[Goes::Task(vec![Some(Failed)], Some(0))]);
    fake.other("other", "a", &[InProgress]);
    assert!(one(&fake, 5000).checkpoint().is_some());
    assert_eq!(fake.calls("insert ").len(), 1);
}

#[test]
fn a_lost_answer_is_not_sent_again() {
    let found = fake(&[Goes::Lost(Some(3))]);
    let result = one(&found, 5000);
    assert!(result.checkpoint().is_some());
    assert_eq!((&result.task_id, result.task_state), (&None, None));
    assert!(result.line().contains("answer to the insert was lost, but the tag stands"));
    assert_eq!(found.calls("insert").len(), 1);

    let lost = fake(&[Goes::Lost(None)]);
    let result = one(&lost, 500);
    assert_eq!(lost.calls("insert").len(), 1);
    assert!(lost.calls("list").len() >= 4);
    let text = result.error().unwrap();
    assert!(
        text.contains("lost") && text.contains("may still appear") && text.contains("nothing was sent again"),
        "{text}"
    );
}

#[test]
fn a_lost_answer_bears_with_a_zvm_that_is_away() {
    let fake = fake(&[Goes::Lost(Some(0))]);
    fake.change(|world| world.faults.insert("list", ZvmErrorKind::Unreachable));
    std::thread::scope(|scope| {
        let result = scope.spawn(|| one(&fake, 5000));
        std::thread::sleep(Duration::from_millis(200));
        fake.change(|world| world.faults.clear());
        assert!(result.join().unwrap().checkpoint().is_some());
    });
}

#[test]
fn nobody_is_asked_again_before_the_time_it_asks_for() {
    // More than is left: at once. Less: after it.
    for (wait, asked) in [(3_600, 1), (1, 3)] {
        let fake = fake(&[Goes::Lost(None)]);
        fake.change(|world| {
            world.faults.insert("list", ZvmErrorKind::Refused(429));
            world.wait = std::num::NonZeroU32::new(wait);
        });
        let begun = Instant::now();
        let result = one(&fake, 2500);
        assert!(matches!(&result.outcome, Outcome::Lost(e) if e.kind == ZvmErrorKind::Refused(429)), "{result:?}");
        assert_eq!(fake.calls("list").len(), asked, "{wait}");
        assert!(asked > 1 || begun.elapsed() < Duration::from_millis(500));
    }
}

#[test]
fn a_status_that_may_not_be_the_zvms_own() {
    use ZvmErrorKind::{Login, Refused};
    for (goes, evidence, inserts, outcome) in [
        // It was begun all the same: waited for, and not sent again.
        (vec![Goes::Doubtful(Refused(500), true)], true, 1, "stands"),
        (vec![Goes::Doubtful(Login, true), Goes::well()], true, 1, "stands"),
        // Nothing was begun: refused, and after a 401 sent again once.
        (vec![Goes::Doubtful(Refused(503), false), Goes::well()], true, 1, "the insert was refused: "),
        (vec![Goes::Doubtful(Login, false), Goes::well()], true, 2, "stands"),
        (
            vec![Goes::Doubtful(Login, false), Goes::Doubtful(Login, false), Goes::well()],
            true,
            2,
            "the insert was refused",
        ),
        // The ZVM does not say: the tag is looked for.
        (vec![Goes::Doubtful(Refused(503), true)], false, 1, "stands"),
        (vec![Goes::Doubtful(Login, false), Goes::well()], false, 1, "it may still appear"),
    ] {
        let fake = fake(&goes);
        if !evidence {
            fake.change(|world| world.faults.insert("inserts", Refused(503)));
        }
        let result = one(&fake, if evidence { 5000 } else { 1000 });
        assert!(result.line().contains(outcome), "{outcome}: {}", result.line());
        assert_eq!(fake.calls("insert ").len(), inserts, "{outcome}: {}", result.line());
    }
}

#[test]
fn what_was_refused_was_sent() {
    let fake = fake(&[Goes::Doubtful(ZvmErrorKind::Login, false)]);
    fake.change(|world| world.takes = Duration::from_millis(100));
    // No time for another try.
    let result = one(&fake, 150);
    assert_eq!(result.error().unwrap(), "the insert was refused: ZVM nyc said Login.");
    assert_eq!(fake.calls("insert ").len(), 1);
}

#[test]
fn refused_and_unread() {
    let refused = one(&fake(&[Goes::Refused(ZvmErrorKind::Forbidden)]), 5000);
    assert_eq!(refused.line(), "VPG \"a\" at ZVM nyc: the insert was refused: ZVM nyc said Forbidden.");
    for verb in ["task", "list"] {
        let fake = fake(&[]);
        fake.change(|world| world.faults.insert(verb, ZvmErrorKind::Unreachable));
        let result = one(&fake, 5000);
        assert!(matches!(result.outcome, Outcome::Unread(_)), "{verb}");
        assert!(result.line().contains("could not be read. ZVM nyc said"), "{}", result.line());
        let told = result.line().contains("what became of task task-1, and whether");
        assert_eq!(told, verb == "task", "{}", result.line());
    }
    for verb in ["insert", "task", "list"] {
        let fake = fake(&[]);
        fake.change(|world| world.faults.insert(verb, ZvmErrorKind::Deadline));
        assert_eq!(one(&fake, 5000).outcome, Outcome::OutOfTime, "{verb}");
    }
}

#[test]
fn the_deadline_says_how_far_it_got() {
    for (goes, text) in [
        (Goes::never_ends(), "task task-1 InProgress at the deadline."),
        (Goes::Task(vec![None], None), "task task-1 was not known to the ZVM yet at the deadline."),
        (
            Goes::Task(vec![Some(Completed)], None),
            "task task-1 Completed, but its checkpoint was not listed before the deadline.",
        ),
    ] {
        let begun = Instant::now();
        let result = one(&fake(&[goes]), 300);
        assert!(begun.elapsed() < Duration::from_millis(600));
        assert_eq!(result.error().unwrap(), text);
    }
    assert_eq!(one(&fake(&[]), 0).error().unwrap(), "no insert was sent before the deadline.");
}

#[test]
fn all_at_once() {
    let fake = fake(&[]);
    fake.change(|world| world.takes = Duration::from_millis(100));
    let begun = Instant::now();
    let results = insert(&fake, &["a", "b", "c"], 5000);
    assert!(results.iter().all(|result| result.checkpoint().is_some()));
    assert_eq!(results.iter().map(|r| r.name.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert!(begun.elapsed() < Duration::from_millis(800), "{:?}", begun.elapsed());
}

#[test]
fn when_one_fails_the_others_are_told_as_they_stand() {
    let fake = fake(&[Goes::fails()]);
    fake.goes("b", &[Goes::Task([vec![Some(InProgress); 8], vec![Some(Completed)]].concat(), Some(0))]);
    fake.goes("c", &[Goes::never_ends()]);
    let begun = Instant::now();
    let results = insert(&fake, &["a", "b", "c"], 60_000);
    assert_eq!(results[0].outcome, Outcome::Failed);
    assert!(results[1].checkpoint().is_some());
    assert_eq!(results[2].outcome, Outcome::NotWaited);
    assert!(begun.elapsed() < AFTER_A_FAILURE + Duration::from_secs(2));
    assert!(results[2].line().ends_with("not waited for any longer, since another VPG had failed."));
}

#[test]
fn a_panic_is_one_more_failure() {
    let fake = fake(&[Goes::Panics]);
    let results = insert(&fake, &["a", "b"], 5000);
    assert_eq!(results[0].outcome, Outcome::Broken);
    assert!(results[1].checkpoint().is_some());
    assert!(results[0].error().is_some());
}

#[test]
fn the_newest_of_several_and_exactly_the_tag() {
    let checkpoint = |id: &str, second, tag: &str| Checkpoint {
        identifier: id.to_owned(),
        time: jiff::Timestamp::from_second(second).ok(),
        tag: Some(tag.to_owned()),
    };
    let listed = [
        checkpoint("1", 5, "t"),
        checkpoint("2", 9, "t"),
        checkpoint("3", 7, "t"),
        checkpoint("4", 99, "t "),
        checkpoint("5", 99, "T"),
    ];
    assert_eq!(newest_with(&listed, "t").unwrap().identifier, "2");
    assert!(newest_with(&listed, "x").is_none());
}
