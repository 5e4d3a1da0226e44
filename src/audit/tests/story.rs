use super::*;
use crate::audit::Decision;
use crate::audit::tests::call;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + second).unwrap()
}

fn line(key: &str, id: Option<&str>, decision: Decision) -> Line {
    Line::Call(Box::new(Call { key: Some(key.into()), id: id.map(str::to_owned), decision, ..call(at(0)) }))
}

fn outcome(key: &str, outcome: How) -> Line {
    Line::Outcome(Outcome { time: at(1), key: key.into(), outcome, duration_ms: Some(7) })
}

fn endings(lines: Vec<Line>) -> Vec<&'static str> {
    let ending = |story| match story {
        Story::Call(_, ending) => ending.shown(),
        _ => "?",
    };
    stories(lines).into_iter().map(ending).collect()
}

#[test]
fn an_end_goes_to_its_call_and_a_call_without_one_says_so() {
    use Decision::{Asked, Guarded, Observed, Stopped};
    let lines = vec![
        line("a", Some("1"), Guarded),
        line("b", Some("2"), Asked),
        line("c", Some("3"), Observed),
        line("d", Some("4"), Stopped),
        line("e", Some("5"), Guarded),
        outcome("c", How::Failed),
        outcome("a", How::Succeeded),
        outcome("nobody's", How::Succeeded),
        // Of a call that was stopped nothing can have been told.
        outcome("b", How::Succeeded),
    ];
    assert_eq!(endings(lines), ["succeeded", "-", "failed", "-", "not seen"]);
}

#[test]
fn a_hook_that_is_installed_twice_writes_two_lines_of_one_call() {
    let lines = vec![
        line("a", Some("1"), Decision::Guarded),
        line("a", Some("1"), Decision::Guarded),
        outcome("a", How::Succeeded),
        outcome("a", How::Failed),
    ];
    assert_eq!(endings(lines), ["succeeded", "succeeded"], "the first that was told counts");
}

#[test]
fn where_the_host_names_no_calls_the_youngest_is_meant() {
    let lines = vec![
        line("a", None, Decision::Guarded),
        line("a", None, Decision::Guarded),
        outcome("a", How::Interrupted),
        line("a", None, Decision::Guarded),
        outcome("a", How::Succeeded),
        outcome("a", How::Failed),
    ];
    assert_eq!(endings(lines), ["failed", "interrupted", "succeeded"]);
}

#[test]
fn a_clock_that_was_set_back_changes_no_order() {
    let early = Line::Call(Box::new(Call { key: Some("a".into()), ..call(at(-9000)) }));
    let rows = stories(vec![line("b", None, Decision::Guarded), early, outcome("a", How::Succeeded)]);
    assert_eq!(rows.iter().map(Story::time).collect::<Vec<_>>(), [at(0), at(-9000)]);
    assert!(matches!(rows[1], Story::Call(_, Ending::Seen(How::Succeeded, Some(7)))), "{rows:?}");
}
