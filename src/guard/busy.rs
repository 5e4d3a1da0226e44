//! What the tasks tell of an insert: whether it failed because another one was running at the same VPG, and whether one whose
//! answer said no runs all the same. They are the only evidence.
//!
//! "Two inserts fired back to back at one VPG: Completed for the first, Failed for the second" (measured on a live
//! ZVM 10.x). The reason's words are not documented, so they are not looked at. Pure.

use super::clock::later;
use crate::zvm::model::{Task, TaskState};
use jiff::Timestamp;
use std::time::Duration;

/// What is allowed for where times cannot be compared to the instant.
const SPARE: Duration = Duration::from_secs(1);

/// Our insert that failed.
pub(super) struct Ours<'a> {
    /// Its task.
    pub task: &'a Task,
    /// The tasks of all our tries.
    pub tries: &'a [String],
    /// Its VPG.
    pub vpg: &'a str,
    /// When it was sent, by the ZVM's clock: for a task that says no times.
    pub sent: Timestamp,
    /// What the ZVM's clock says now.
    pub now: Timestamp,
}

impl Ours<'_> {
    /// Whether `a` was not after `b`. Zerto's dates may be whole seconds (published clients send and compare such), and
    /// once we know that the VPG was busy, it may be so a moment longer than the other task: those get a second to
    /// spare. Else none, lest the insert that this machine made just before be blamed for this failure.
    fn not_after(&self, a: Timestamp, b: Timestamp) -> bool {
        let whole = a.subsec_nanosecond() == 0 && b.subsec_nanosecond() == 0;
        let again = self.tries.len() > 1;
        a <= later(b, if whole || again { SPARE } else { Duration::ZERO })
    }
}

/// The other inserts that may have stood in the way: of the same VPG (or the ZVM does not say of which), and at the
/// same time. One that failed too only counts if it began first: of several that failed, the first was blocked by none.
pub(super) fn in_the_way<'t>(ours: &Ours, tasks: &'t [Task]) -> Vec<&'t Task> {
    let began = ours.task.started.unwrap_or(ours.sent);
    let ended = ours.task.completed.unwrap_or(ours.now);
    tasks
        .iter()
        .filter(|task| !ours.tries.iter().any(|id| id.eq_ignore_ascii_case(&task.identifier)))
        .filter(|task| task.vpgs.is_empty() || task.vpgs.iter().any(|vpg| vpg.eq_ignore_ascii_case(ours.vpg)))
        .filter(|task| {
            let Some(start) = task.started.or(task.completed) else {
                return !task.state.is_over();
            };
            let end = match task.completed {
                Some(end) => end,
                None if task.state.is_over() => start,
                None => Timestamp::MAX,
            };
            ours.not_after(start, ended) && ours.not_after(began, end)
        })
        .filter(|task| match task.state {
            TaskState::Failed | TaskState::Stopped => task.started.is_some_and(|start| start <= began),
            _ => true,
        })
        .collect()
}

/// Whether an insert at this VPG (or the ZVM does not say at which) began when ours was sent or later, or did not end before:
/// then it may be ours. `tries` are known to be others.
pub(super) fn may_be_ours(task: &Task, vpg: &str, tries: &[String], sent: Timestamp) -> bool {
    // What is told in whole seconds may be up to a second later than it says.
    let at_latest = |time: Timestamp| later(time, if time.subsec_nanosecond() == 0 { SPARE } else { Duration::ZERO });
    let ended_before = task.state.is_over() && task.completed.is_some_and(|end| at_latest(end) < sent);
    let began_before = task.started.is_some_and(|start| at_latest(start) < sent);
    !ended_before
        && !began_before
        && !tries.iter().any(|id| id.eq_ignore_ascii_case(&task.identifier))
        && (task.vpgs.is_empty() || task.vpgs.iter().any(|known| known.eq_ignore_ascii_case(vpg)))
}

#[cfg(test)]
#[path = "tests/busy.rs"]
mod tests;
