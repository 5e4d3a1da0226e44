//! Inserts one tag at several VPGs side by side and waits until it stands in each.
//!
//! The insert's answer is a task and means queued; the outcome is the task's state alone; then the tag has to be listed
//! (measured on a live ZVM 10.x). Must not: send an insert again unless its task says Failed and another insert was
//! in the way, or the token was refused and no insert has begun since; choose a tag or a VPG.

use super::appliance::Appliance;
use super::busy::{self, Ours};
use super::clock::Clock;
use super::pace::{Backoff, Pace};
use super::side_by_side::side_by_side;
use crate::deadline::Deadline;
use crate::state::Lock;
use crate::zvm::error::{ChangeError, ZvmError, ZvmErrorKind};
use crate::zvm::model::{Checkpoint, Task, TaskState, Vpg};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long the other VPGs are waited for once one has failed: an insert takes a second or two.
const AFTER_A_FAILURE: Duration = Duration::from_secs(5);
/// How long a tag is looked for when the answer to its insert was lost.
const AFTER_A_LOST_ANSWER: Duration = Duration::from_secs(60);
/// How long where it may have been refused as well, and the tasks do not tell.
const AFTER_A_DOUBTFUL_ANSWER: Duration = Duration::from_secs(5);
/// How long this machine's turn is kept meanwhile: an insert that was begun is over by then, and the others want theirs.
const TURN_AFTER_A_LOST_ANSWER: Duration = Duration::from_secs(5);
/// How long the ZVM may not know a task that it has just named. After that what it answered was no task.
const UNKNOWN_TASK: Duration = Duration::from_secs(10);
/// How far back the checkpoints are listed. A journal gets one every few seconds and the list has no pages.
const LISTED_BEFORE: Duration = Duration::from_secs(60);
/// How far back other inserts are looked for.
const INSERTS_BEFORE: Duration = Duration::from_secs(300);

/// An insert to be made.
pub(super) struct Job<'a> {
    pub(super) appliance: &'a dyn Appliance,
    pub(super) vpg: &'a Vpg,
    /// The ZVM's clock, read before the insert.
    pub(super) clock: Clock,
    /// This machine's turn at the VPG; given back once the task is over.
    pub(super) turn: Mutex<Option<Lock>>,
}

/// How it went at one VPG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VpgResult {
    /// The VPG's name.
    pub name: String,
    /// Its identifier.
    pub identifier: String,
    /// The ZVM.
    pub zvm: String,
    /// The last task, if its identifier was learnt.
    pub task_id: Option<String>,
    /// Its state when it was last seen.
    pub task_state: Option<TaskState>,
    /// The ZVM's reason for that state.
    pub reason: String,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of an insert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The tag is listed.
    Stands {
        /// The checkpoint's identifier.
        checkpoint: String,
    },
    /// The task ended without success.
    Failed,
    /// Another insert was running at the VPG until the deadline.
    Busy(String),
    /// The ZVM refused the insert, or it never got there.
    Refused(ZvmError),
    /// The answer to the insert was lost, and the tag was not listed since.
    Lost(ZvmError),
    /// Task or checkpoints could not be read.
    Unread(ZvmError),
    /// The deadline passed.
    OutOfTime,
    /// Not begun, because another VPG had failed.
    NotSent,
    /// Not waited for, because another VPG had failed.
    NotWaited,
    /// The thread panicked.
    Broken,
}

impl VpgResult {
    /// The checkpoint, if the tag stands.
    #[must_use]
    pub fn checkpoint(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Stands { checkpoint } => Some(checkpoint),
            _ => None,
        }
    }

    /// Whether nothing but time was missing.
    pub(super) fn was_late(&self) -> bool {
        matches!(self.outcome, Outcome::OutOfTime | Outcome::Busy(_))
    }
}

/// Inserts the tag at all VPGs side by side; answers in their order once each stands, has failed, or is given up.
pub(super) fn insert_all(jobs: &[Job], tag: &str, deadline: Deadline) -> Vec<VpgResult> {
    let together = Together { deadline, given_up: Mutex::new(None) };
    let results = side_by_side(jobs, |job| {
        let mut insert = Insert::new(job, tag, &together);
        let outcome = insert.run().unwrap_or_else(|outcome| outcome);
        if !matches!(outcome, Outcome::Stands { .. }) {
            together.give_up();
        }
        insert.give_turn_back();
        insert.result(outcome)
    });
    results
        .into_iter()
        .zip(jobs)
        .map(|(result, job)| result.unwrap_or_else(|| Insert::new(job, tag, &together).result(Outcome::Broken)))
        .collect()
}

/// What the inserts of one tag know of each other.
struct Together {
    deadline: Deadline,
    given_up: Mutex<Option<Deadline>>,
}

impl Together {
    fn give_up(&self) {
        self.given_up
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert_with(|| self.deadline.within(AFTER_A_FAILURE));
    }

    /// Until when there is a point in waiting.
    fn limit(&self) -> Deadline {
        self.given_up.lock().unwrap_or_else(PoisonError::into_inner).unwrap_or(self.deadline)
    }

    fn one_failed(&self) -> bool {
        self.given_up.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Sleeps for as long as there is a point in it; what to answer if there is none any more.
    fn pause(&self, span: Duration) -> Result<(), Outcome> {
        self.limit().sleep(span);
        if self.limit().passed() { Err(self.over()) } else { Ok(()) }
    }

    fn over(&self) -> Outcome {
        if self.one_failed() && !self.deadline.passed() { Outcome::NotWaited } else { Outcome::OutOfTime }
    }
}

/// One insert on its way. Its steps answer `Err` with the outcome that ends it.
struct Insert<'a> {
    job: &'a Job<'a>,
    tag: &'a str,
    together: &'a Together,
    /// The tasks of all tries.
    tries: Vec<String>,
    task: Option<Task>,
    task_id: Option<String>,
}

impl<'a> Insert<'a> {
    fn new(job: &'a Job<'a>, tag: &'a str, together: &'a Together) -> Self {
        Self { job, tag, together, tries: Vec::new(), task: None, task_id: None }
    }

    fn run(&mut self) -> Result<Outcome, Outcome> {
        let mut backoff = Backoff::new();
        let mut may_renew = true;
        // The insert that was sent last, where it was refused and nothing began.
        let mut refused: Option<ZvmError> = None;
        loop {
            if self.together.one_failed() || self.together.deadline.passed() {
                return Err(match refused {
                    Some(error) => Outcome::Refused(error),
                    None if !self.together.one_failed() => Outcome::OutOfTime,
                    None if self.tries.is_empty() => Outcome::NotSent,
                    None => Outcome::Failed,
                });
            }
            // Each try has the same tag, and so the stamp of the first: only a tag that stays the same can be looked for
            // before it is sent again, and only one that is the same in every VPG can be found again. What the stamp may
            // lag behind is the deadline at most; when the checkpoint was made the ZVM itself says.
            let sent = self.job.clock.now();
            match self.job.appliance.insert_checkpoint(&self.job.vpg.identifier, self.tag) {
                Ok(id) => {
                    self.tries.push(id.clone());
                    self.task = None;
                    self.task_id = Some(id);
                    refused = None;
                }
                Err(ChangeError::Refused(error)) => {
                    return Err(match refused {
                        Some(before) if error.kind == ZvmErrorKind::Deadline => Outcome::Refused(before),
                        _ => self.fault(error, Outcome::Refused),
                    });
                }
                Err(ChangeError::Doubtful(error)) => {
                    (self.task, self.task_id) = (None, None);
                    match self.may_run_all_the_same(sent) {
                        Some(true) => return self.look_for_the_tag(error, AFTER_A_LOST_ANSWER),
                        // The look has a new token by now.
                        Some(false) if error.kind == ZvmErrorKind::Login && std::mem::take(&mut may_renew) => {
                            refused = Some(error);
                            continue;
                        }
                        Some(false) => return Err(Outcome::Refused(error)),
                        None => return self.look_for_the_tag(error, AFTER_A_DOUBTFUL_ANSWER),
                    }
                }
                Err(ChangeError::AnswerLost(error)) => {
                    (self.task, self.task_id) = (None, None);
                    return self.look_for_the_tag(error, AFTER_A_LOST_ANSWER);
                }
            }
            let task = self.wait_for_the_task()?;
            if task.state == TaskState::Completed {
                self.give_turn_back();
                return self.wait_for_the_listing();
            }
            if task.state != TaskState::Failed {
                return Err(Outcome::Failed);
            }
            if let Some(stands) = self.wait_for_the_others(&task, sent)? {
                return Ok(stands);
            }
            self.together.pause(backoff.pause())?;
        }
    }

    /// Until the task is over, whatever its state is called meanwhile; one not known yet is asked for again. What is never
    /// known was no answer to an insert, so that the tag is looked for.
    fn wait_for_the_task(&mut self) -> Result<Task, Outcome> {
        let id = self.task_id.clone().unwrap_or_default();
        let unknown = Deadline::after(UNKNOWN_TASK);
        let mut pace = Pace::new();
        loop {
            self.together.pause(pace.pause())?;
            match self.job.appliance.task(&id) {
                Ok(Some(task)) => {
                    self.task = Some(task.clone());
                    if task.state.is_over() {
                        return Ok(task);
                    }
                }
                Ok(None) if self.task.is_none() && unknown.passed() => {
                    let message = format!("ZVM {} does not know the task that it named.", self.job.appliance.name());
                    let error = ZvmError { kind: ZvmErrorKind::NotFound, message, hint: String::new(), wait: None };
                    return Err(self.look_for_the_tag(error, AFTER_A_LOST_ANSWER).unwrap_or_else(|outcome| outcome));
                }
                Ok(None) => {}
                Err(error) => return Err(self.fault(error, Outcome::Unread)),
            }
        }
    }

    fn wait_for_the_listing(&self) -> Result<Outcome, Outcome> {
        let mut pace = Pace::new();
        loop {
            match self.listed() {
                Ok(Some(checkpoint)) => return Ok(Outcome::Stands { checkpoint }),
                Ok(None) => self.together.pause(pace.pause())?,
                Err(error) => return Err(self.fault(error, Outcome::Unread)),
            }
        }
    }

    /// Whether an insert has begun since then that may be the one which was refused; none where the ZVM does not say.
    fn may_run_all_the_same(&self, sent: jiff::Timestamp) -> Option<bool> {
        let tasks = self.job.appliance.insert_tasks_since(self.job.clock.before(INSERTS_BEFORE)).ok()?;
        Some(tasks.iter().any(|task| busy::may_be_ours(task, &self.job.vpg.identifier, &self.tries, sent)))
    }

    /// Nothing is sent again: a second insert could make a second checkpoint. Its own fault is what made the answer
    /// get lost, so reads that fail are borne with.
    fn look_for_the_tag(&self, mut error: ZvmError, span: Duration) -> Result<Outcome, Outcome> {
        let until = self.together.deadline.within(span);
        let turn = Deadline::after(TURN_AFTER_A_LOST_ANSWER);
        let mut pace = Pace::new();
        loop {
            let mut pause = pace.pause();
            match self.listed() {
                Ok(Some(checkpoint)) => return Ok(Outcome::Stands { checkpoint }),
                Ok(None) => {}
                Err(new) => {
                    pause = pause.max(new.asks_to_wait());
                    if new.kind != ZvmErrorKind::Deadline {
                        error = new;
                    }
                }
            }
            let until = until.min(self.together.limit());
            if pause >= until.remaining() {
                return Err(Outcome::Lost(error));
            }
            until.sleep(pause);
            if turn.passed() {
                self.give_turn_back();
            }
        }
    }

    /// After a failed task: if another insert was in the way, waits until it is over. Answers the outcome if the tag
    /// stands all the same, none if the insert can be sent again.
    fn wait_for_the_others(&self, task: &Task, sent: jiff::Timestamp) -> Result<Option<Outcome>, Outcome> {
        let appliance = self.job.appliance;
        // Without evidence a failed task is final, and without an answer there is no evidence.
        let tasks = appliance.insert_tasks_since(self.job.clock.before(INSERTS_BEFORE)).map_err(|_| Outcome::Failed)?;
        let ours = Ours { task, tries: &self.tries, vpg: &self.job.vpg.identifier, sent, now: self.job.clock.now() };
        let others = busy::in_the_way(&ours, &tasks);
        let Some(first) = others.first() else {
            return Err(Outcome::Failed);
        };
        let busy = |outcome| match outcome {
            Outcome::OutOfTime => Outcome::Busy(first.identifier.clone()),
            Outcome::NotWaited => Outcome::Failed,
            other => other,
        };
        match self.listed() {
            Ok(Some(checkpoint)) => return Ok(Some(Outcome::Stands { checkpoint })),
            Ok(None) => {}
            Err(error) => return Err(busy(self.fault(error, Outcome::Unread))),
        }
        for other in others.iter().filter(|other| !other.state.is_over()) {
            let mut pace = Pace::new();
            loop {
                self.together.pause(pace.pause()).map_err(busy)?;
                match appliance.task(&other.identifier) {
                    Ok(Some(task)) if !task.state.is_over() => {}
                    Ok(_) => break,
                    Err(error) => return Err(busy(self.fault(error, Outcome::Unread))),
                }
            }
        }
        Ok(None)
    }

    /// The checkpoint with exactly our tag: the newest one, should there be several.
    fn listed(&self) -> Result<Option<String>, ZvmError> {
        let from = self.job.clock.before(LISTED_BEFORE);
        let listed = self.job.appliance.checkpoints(&self.job.vpg.identifier, from, None)?;
        Ok(newest_with(&listed, self.tag).map(|checkpoint| checkpoint.identifier.clone()))
    }

    fn fault(&self, error: ZvmError, outcome: impl Fn(ZvmError) -> Outcome) -> Outcome {
        if error.kind == ZvmErrorKind::Deadline { self.together.over() } else { outcome(error) }
    }

    fn give_turn_back(&self) {
        drop(self.job.turn.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    fn result(self, outcome: Outcome) -> VpgResult {
        VpgResult {
            name: self.job.vpg.name.clone(),
            identifier: self.job.vpg.identifier.clone(),
            zvm: self.job.appliance.name().to_owned(),
            task_id: self.task_id,
            task_state: self.task.as_ref().map(|task| task.state),
            reason: self.task.map(|task| task.reason).unwrap_or_default(),
            outcome,
        }
    }
}

/// The newest checkpoint with this tag. The list's order is not documented.
pub(super) fn newest_with<'c>(listed: &'c [Checkpoint], tag: &str) -> Option<&'c Checkpoint> {
    listed.iter().filter(|checkpoint| checkpoint.tag.as_deref() == Some(tag)).max_by_key(|checkpoint| checkpoint.time)
}

#[cfg(test)]
#[path = "tests/checkpoint.rs"]
mod tests;
