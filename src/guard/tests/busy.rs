use super::*;
use jiff::SignedDuration;

fn second(n: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + n).unwrap()
}

fn task(id: &str, state: TaskState, started: Option<i64>, completed: Option<i64>) -> Task {
    Task {
        identifier: id.to_owned(),
        kind: "InsertTaggedCP".to_owned(),
        state,
        progress: None,
        reason: String::new(),
        started: started.map(second),
        completed: completed.map(second),
        vpgs: vec!["V".to_owned()],
        flr_sessions: vec![],
        initiated_by: String::new(),
    }
}

/// Whether `other` is evidence for our insert, which ran from 100 to 102 and failed.
fn blocks(other: Task) -> bool {
    let task = task("ours", TaskState::Failed, Some(100), Some(102));
    let tries = ["first".to_owned(), "ours".to_owned()];
    let ours = Ours { task: &task, tries: &tries, vpg: "v", sent: second(100), now: second(103) };
    !in_the_way(&ours, &[other]).is_empty()
}

#[test]
fn another_insert_at_the_same_time() {
    use TaskState::*;
    for (evidence, what, state, started, completed) in [
        (true, "still running", InProgress, Some(95), None),
        (true, "began while ours ran", InProgress, Some(101), None),
        (true, "over meanwhile", Completed, Some(95), Some(101)),
        (true, "over in the second ours began", Completed, Some(95), Some(99)),
        (false, "over long before", Completed, Some(80), Some(90)),
        (false, "began long after", InProgress, Some(110), None),
        (true, "runs, and says no time", InProgress, None, None),
        (false, "is over, and says no time", Completed, None, None),
        (true, "failed, and began first", Failed, Some(99), Some(101)),
        (false, "failed, and began later", Failed, Some(101), Some(102)),
        (false, "failed, and says no time", Failed, None, Some(101)),
        (false, "is over, and says no end", Completed, Some(90), None),
    ] {
        assert_eq!(blocks(task("other", state, started, completed)), evidence, "{what}");
    }
}

#[test]
fn only_of_the_same_vpg_or_of_none_that_is_told() {
    let with = |vpgs: &[&str]| {
        let vpgs = vpgs.iter().map(|v| (*v).to_owned()).collect();
        blocks(Task { vpgs, ..task("other", TaskState::InProgress, Some(100), None) })
    };
    assert!(with(&["v"]) && with(&["V"]) && with(&["w", "v"]) && with(&[]));
    assert!(!with(&["w"]));
}

#[test]
fn never_our_own_tries() {
    assert!(!blocks(task("OURS", TaskState::Failed, Some(100), Some(102))));
    assert!(!blocks(task("first", TaskState::Failed, Some(99), Some(101))));
}

#[test]
fn our_own_task_may_say_no_times() {
    let task = super::tests::task("ours", TaskState::Failed, None, None);
    let ours =
        Ours { task: &task, tries: &[], vpg: "v", sent: second(100), now: second(100) + SignedDuration::from_secs(2) };
    let other = |started, completed| super::tests::task("other", TaskState::Completed, Some(started), Some(completed));
    assert_eq!(in_the_way(&ours, &[other(95, 101)]).len(), 1);
    assert_eq!(in_the_way(&ours, &[other(80, 90)]).len(), 0);
}

#[test]
fn our_last_insert_is_not_blamed() {
    let millis = |n| second(0) + SignedDuration::from_millis(n);
    let at = |id: &str, state, from, to| Task {
        started: Some(millis(from)),
        completed: Some(millis(to)),
        ..super::tests::task(id, state, None, None)
    };
    let task = at("ours", TaskState::Failed, 500, 510);
    let ours = Ours { task: &task, tries: &[], vpg: "v", sent: millis(500), now: millis(520) };
    assert!(in_the_way(&ours, &[at("last", TaskState::Completed, 301, 351)]).is_empty());
    let tries = ["first".to_owned(), "ours".to_owned()];
    let again = Ours { tries: &tries, ..ours };
    assert_eq!(in_the_way(&again, &[at("other", TaskState::Completed, 301, 351)]).len(), 1, "it was busy before");
    assert_eq!(in_the_way(&ours, &[at("other", TaskState::Completed, 301, 501)]).len(), 1);
}

#[test]
fn what_may_be_ours() {
    use TaskState::*;
    let millis = |n: i64| second(100) + SignedDuration::from_millis(n);
    let (seconds, sent) = (|n: i64| Some(second(100 + n)), millis(500));
    for (may_be, what, state, started, completed) in [
        (true, "began after it was sent", InProgress, Some(millis(510)), None),
        (true, "over since", Completed, Some(millis(510)), Some(millis(900))),
        (true, "failed since", Failed, Some(millis(510)), Some(millis(520))),
        (true, "in whole seconds the same one", InProgress, seconds(0), None),
        (true, "says no times", InProgress, None, None),
        (true, "says no start, and ended since", Completed, None, Some(millis(900))),
        (false, "began before", InProgress, Some(millis(499)), None),
        (false, "began before, by whole seconds", InProgress, seconds(-1), None),
        (false, "ended before", Completed, None, Some(millis(499))),
    ] {
        let task = Task { started, completed, ..task("other", state, None, None) };
        assert_eq!(may_be_ours(&task, "v", &[], sent), may_be, "{what}");
        assert!(!may_be_ours(&task, "w", &[], sent), "{what}, at another VPG");
        assert!(!may_be_ours(&task, "v", &["OTHER".to_owned()], sent), "{what}, an earlier try");
        assert_eq!(may_be_ours(&Task { vpgs: vec![], ..task }, "w", &[], sent), may_be, "{what}, at no VPG");
    }
}
