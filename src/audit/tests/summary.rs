use super::*;
use crate::audit::tests::call;

fn story(verdict: &str, decision: Decision, would: Option<Would>, entries: &[&str], ending: Ending) -> Story {
    let entries = entries.iter().map(|entry| (*entry).to_owned()).collect();
    let verdict = (!verdict.is_empty()).then(|| verdict.to_owned());
    let call = Call { verdict, decision, would, entries, ..call(jiff::Timestamp::UNIX_EPOCH) };
    Story::Call(Box::new(call), ending)
}

#[test]
fn calls_are_counted_by_verdict_and_what_became_of_them() {
    use Decision::{Asked, Guarded, Observed, Stopped, Unguarded};
    let seen = |how| Ending::Seen(how, None);
    let rows = [
        story("mutating", Guarded, None, &[], seen(How::Succeeded)),
        story("mutating", Guarded, None, &[], seen(How::Interrupted)),
        story("mutating", Observed, Some(Would::Guard), &[], Ending::NotSeen),
        story("unknown", Asked, None, &["add a", "add b"], Ending::NotRun),
        story("unknown", Observed, Some(Would::Ask), &["add b"], seen(How::Succeeded)),
        story("unknown", Asked, None, &[], Ending::NotRun),
        // The retry of one that was asked about.
        story("unknown", Unguarded, None, &[], seen(How::Succeeded)),
        story("", Stopped, None, &[], Ending::NotRun),
        Story::PauseEnded(jiff::Timestamp::UNIX_EPOCH),
    ];
    let found = summary(&rows);
    let row = |verdict: &str| &found.verdicts[&Some(verdict.to_owned())];
    let mutating = row("mutating");
    assert_eq!((mutating.calls, mutating.would_guard, mutating.would_ask), (3, 1, 0));
    assert_eq!((mutating.succeeded, mutating.failed, mutating.not_seen), (1, 1, 1));
    assert_eq!(mutating.decisions, BTreeMap::from([(Guarded, 2), (Observed, 1)]));
    assert_eq!((row("unknown").calls, row("unknown").would_ask, found.verdicts[&None].calls), (4, 1, 1));
    let texts = |counts: &[Count]| counts.iter().map(|count| (count.calls, count.text.clone())).collect::<Vec<_>>();
    assert_eq!(texts(&found.entries), [(2, "add b".to_owned()), (1, "add a".to_owned())]);
    assert_eq!(texts(&found.others), [(1, "Bash: why".to_owned())]);
}
