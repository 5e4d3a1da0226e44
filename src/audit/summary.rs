//! The log in figures: how many calls of each verdict, what became of them, and which catalog entries would spare questions.
//! Pure.

use super::{Call, Decision, Ending, How, Story};
use crate::decide::Would;
use std::collections::BTreeMap;

/// The figures.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Of each verdict; calls that could not be judged have none.
    pub verdicts: BTreeMap<Option<String>, Row>,
    /// The commands that would make unknown calls known, and for how many calls each was offered; most frequent first.
    pub entries: Vec<Count>,
    /// Unknown calls for which there is none: the tool and the reason, most frequent first.
    pub others: Vec<Count>,
}

/// What became of the calls of one verdict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// All of them.
    pub calls: u64,
    /// By what became of them.
    pub decisions: BTreeMap<Decision, u64>,
    /// Of those that were only observed: they would have been guarded.
    pub would_guard: u64,
    /// They would have been asked about.
    pub would_ask: u64,
    /// Of those that may have run: succeeded, as the host tells it.
    pub succeeded: u64,
    /// Failed, or broken off.
    pub failed: u64,
    /// Nobody told how they ended.
    pub not_seen: u64,
}

/// A text, and how many calls it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The text.
    pub text: String,
    /// How many calls.
    pub calls: u64,
}

/// Counts the calls.
#[must_use]
pub fn summary<'s>(stories: impl IntoIterator<Item = &'s Story>) -> Summary {
    let mut found = Summary::default();
    let (mut entries, mut others) = (BTreeMap::new(), BTreeMap::new());
    for story in stories {
        let Story::Call(call, ending) = story else { continue };
        found.verdicts.entry(call.verdict.clone()).or_default().add(call, *ending);
        if was_in_question(call) {
            for entry in &call.entries {
                *entries.entry(entry.clone()).or_default() += 1;
            }
            if call.entries.is_empty() {
                *others.entry(format!("{}: {}", call.tool, call.reason)).or_default() += 1;
            }
        }
    }
    found.entries = sorted(entries);
    found.others = sorted(others);
    found
}

/// Whether a human was, or would have been, asked about it. The retry that an answer has let run is the call that was
/// asked about, and counts once.
fn was_in_question(call: &Call) -> bool {
    call.decision == Decision::Asked || call.would == Some(Would::Ask)
}

fn sorted(counts: BTreeMap<String, u64>) -> Vec<Count> {
    let mut counts: Vec<Count> = counts.into_iter().map(|(text, calls)| Count { text, calls }).collect();
    // Of the same number, in the order of the alphabet: sorting is stable.
    counts.sort_by_key(|count| std::cmp::Reverse(count.calls));
    counts
}

impl Row {
    fn add(&mut self, call: &Call, ending: Ending) {
        self.calls += 1;
        *self.decisions.entry(call.decision).or_default() += 1;
        match call.would {
            Some(Would::Guard) => self.would_guard += 1,
            Some(Would::Ask) => self.would_ask += 1,
            None => {}
        }
        match ending {
            Ending::NotRun => {}
            Ending::Seen(How::Succeeded, _) => self.succeeded += 1,
            Ending::Seen(How::Failed | How::Interrupted, _) => self.failed += 1,
            Ending::NotSeen => self.not_seen += 1,
        }
    }
}

#[cfg(test)]
#[path = "tests/summary.rs"]
mod tests;
