//! A call and its end, joined. Pure.

use super::{Answer, Call, How, Line, Outcome, Pause};
use jiff::Timestamp;
use std::collections::HashMap;

/// What one row of the log tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Story {
    /// A call, and how it ended.
    Call(Box<Call>, Ending),
    /// A guard by hand.
    ByHand(Box<Call>),
    /// A human's answer.
    Answer(Answer),
    /// A human's pause.
    Pause(Pause),
    /// Its end before its time.
    PauseEnded(Timestamp),
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It was not let run.
    NotRun,
    /// Its end was told.
    Seen(How, Option<u64>),
    /// It was let run, and nobody told its end: the host or the user denied it all the same, it was broken off or still runs,
    /// or the host tells no ends.
    NotSeen,
}

impl Ending {
    /// For people.
    #[must_use]
    pub fn shown(self) -> &'static str {
        match self {
            Self::NotRun => "-",
            Self::Seen(how, _) => how.name(),
            Self::NotSeen => "not seen",
        }
    }

    /// For programs; none where the call was not let run.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::NotRun => None,
            Self::Seen(how, _) => Some(how.name()),
            Self::NotSeen => Some("not_seen"),
        }
    }
}

impl Story {
    /// When it was written.
    #[must_use]
    pub fn time(&self) -> Timestamp {
        match self {
            Self::Call(call, _) | Self::ByHand(call) => call.time,
            Self::Answer(answer) => answer.time,
            Self::Pause(pause) => pause.time,
            Self::PauseEnded(time) => *time,
        }
    }
}

/// The rows of the lines, in the lines' order: a clock that was set does not change it.
#[must_use]
pub fn stories(lines: Vec<Line>) -> Vec<Story> {
    let mut rows: Vec<Story> = Vec::new();
    // Where the calls of a key stand that may have run, and whose end is not known yet.
    let mut open: HashMap<String, Vec<usize>> = HashMap::new();
    for line in lines {
        match line {
            Line::Call(call) => {
                let ending = if call.decision.may_run() { Ending::NotSeen } else { Ending::NotRun };
                if let (Some(key), true) = (&call.key, call.decision.may_run()) {
                    open.entry(key.clone()).or_default().push(rows.len());
                }
                rows.push(Story::Call(call, ending));
            }
            Line::Outcome(outcome) => end(&mut rows, open.get_mut(&outcome.key), &outcome),
            Line::ByHand(call) => rows.push(Story::ByHand(call)),
            Line::Answer(answer) => rows.push(Story::Answer(answer)),
            Line::Pause(pause) => rows.push(Story::Pause(pause)),
            Line::PauseEnded { time } => rows.push(Story::PauseEnded(time)),
        }
    }
    rows
}

/// Ends the calls of one key: where the host names its calls, all lines of that name are one call (the hook may be
/// installed twice), else the youngest is meant.
fn end(rows: &mut [Story], open: Option<&mut Vec<usize>>, outcome: &Outcome) {
    let Some(open) = open else { return };
    while let Some(at) = open.pop() {
        let Some(Story::Call(call, ending)) = rows.get_mut(at) else { continue };
        *ending = Ending::Seen(outcome.outcome, outcome.duration_ms);
        if call.id.is_none() {
            return;
        }
    }
}

#[cfg(test)]
#[path = "tests/story.rs"]
mod tests;
