//! An order to a ZVM, and its task to the end.
//!
//! The answer to the order is a task and means begun; the outcome is the task's state alone (measured on a live ZVM 10.x).
//! Must not: give an order twice, or take back one that was given.

use super::Act;
use super::error::{Doing, WholeError};
use crate::deadline::Deadline;
use crate::guard::pace::Pace;
use crate::rewind::doubt;
use crate::rewind::lost::names;
use crate::rewind::session::Held;
use crate::zvm::Zvm;
use crate::zvm::error::{ChangeError, ZvmError, ZvmErrorKind};
use crate::zvm::model::{Task, TaskState};
use jiff::{SignedDuration, Timestamp};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a task is asked for that the ZVM does not know (yet).
const UNKNOWN_FOR: Duration = Duration::from_secs(60);
/// How long a ZVM may be silent while its task is followed: it may be restarted.
const SILENT_FOR: Duration = Duration::from_secs(600);
/// How long a task is looked for when the answer to its order was lost.
const LOST_FOR: Duration = Duration::from_secs(15);
/// How long the tasks are watched for a second one that could be it.
const SETTLES: Duration = Duration::from_secs(2);
/// How far back the tasks are listed that were there before the order.
const BEFORE: SignedDuration = SignedDuration::from_secs(60);

/// How far an order is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It was not given.
    NotSent,
    /// It was given, and not answered.
    Sent,
    /// This task carries it out.
    Task(String),
}

/// How far an order is, for the thread that is told of a signal.
#[derive(Debug, Clone)]
pub struct Order(Arc<Mutex<Standing>>);

impl Default for Order {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Standing::NotSent)))
    }
}

impl Order {
    /// How far it is.
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, standing: Standing) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = standing;
    }
}

/// What is told while a task is followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// The answer was lost, and the task is looked for.
    LookingFor,
    /// The task is known.
    Begun {
        /// Which it is.
        task: String,
        /// Whether it is the one that came into sight after the answer was lost.
        found: bool,
    },
    /// So far it is.
    At {
        /// In per cent, where the ZVM says.
        percent: Option<u8>,
        /// Its state.
        state: TaskState,
        /// Since it was begun.
        waited: Duration,
    },
    /// The ZVM does not answer at the moment.
    Silent {
        /// Why.
        why: String,
    },
}

/// Gives the order and follows its task; the task once it is completed. `user` is who gives it, as the ZVM knows them.
///
/// # Errors
/// The ZVM refused, the task ended without success, or what became of it can't be told.
pub fn carry_out(
    zvm: &Zvm,
    vpg: &str,
    doing: &Doing,
    order: &Order,
    held: &Held,
    user: &str,
    say: &dyn Fn(Progress),
) -> Result<Task, WholeError> {
    // What was there before is not what comes of the order.
    let since = zvm.server_time().unwrap_or_else(|_| Timestamp::now());
    let since = since.checked_sub(BEFORE).unwrap_or(since);
    let known = zvm.tasks_of(vpg, since).map_err(|error| WholeError::Refused { error })?;
    if held.is_stopped() {
        return Err(WholeError::Rewind(crate::rewind::error::RewindError::Stopped));
    }
    order.set(Standing::Sent);
    let nothing_came = || zvm.tasks_of(vpg, since).is_ok_and(|listed| new_ones(listed, &doing.act, &known).is_empty());
    let (id, found) = match doubt::sent(|| doing.act.begin(zvm, vpg), |_| nothing_came()) {
        Ok(id) => (id, false),
        Err(ChangeError::Refused(error)) => {
            order.set(Standing::NotSent);
            return Err(WholeError::Refused { error });
        }
        Err(ChangeError::AnswerLost(error) | ChangeError::Doubtful(error)) => {
            say(Progress::LookingFor);
            let tasks = || look_for(zvm, vpg, &doing.act, since, &known, held);
            let tasks = if held.is_stopped() { vec![] } else { tasks() };
            match tasks.as_slice() {
                // A colleague's task is none to follow, and may be of another checkpoint.
                [task] if is_ours(task, user) => (task.identifier.clone(), true),
                _ => return Err(WholeError::Lost { doing: Box::new(doing.clone()), error, tasks }),
            }
        }
    };
    order.set(Standing::Task(id.clone()));
    say(Progress::Begun { task: id.clone(), found });
    let task = follow(zvm, &id, held, say).map_err(|error| WholeError::Unread {
        doing: Box::new(doing.clone()),
        task: id,
        error,
    })?;
    match task.state {
        TaskState::Completed => Ok(task),
        _ => Err(WholeError::Failed { doing: Box::new(doing.clone()), task: Box::new(task) }),
    }
}

/// The new tasks of that kind: one, once no other has come for a while, or none in all the time.
fn look_for(zvm: &Zvm, vpg: &str, act: &Act, since: Timestamp, known: &[Task], held: &Held) -> Vec<Task> {
    let until = Deadline::after(LOST_FOR);
    let mut settled: Option<Deadline> = None;
    let mut pace = Pace::patient();
    loop {
        // What made the answer get lost may make this fail too: it is asked again until the time is over.
        let tasks = new_ones(zvm.tasks_of(vpg, since).unwrap_or_default(), act, known);
        match tasks.as_slice() {
            [] => settled = None,
            [_] if settled.get_or_insert_with(|| Deadline::after(SETTLES)).passed() => return tasks,
            [_] => {}
            _ => return tasks,
        }
        if held.is_stopped() || !until.sleep(pace.pause()) {
            return tasks;
        }
    }
}

/// Those of that kind that were not known before.
fn new_ones(mut listed: Vec<Task>, act: &Act, known: &[Task]) -> Vec<Task> {
    let is_new = |task: &Task| !known.iter().any(|old| old.identifier.eq_ignore_ascii_case(&task.identifier));
    listed.retain(|task| act.is_kind(&task.kind) && is_new(task));
    listed
}

/// Whether nobody else began it, as far as the ZVM says.
fn is_ours(task: &Task, user: &str) -> bool {
    task.initiated_by.is_empty() || names(&task.initiated_by, user)
}

/// Until the task is over, however long that takes.
fn follow(zvm: &Zvm, id: &str, held: &Held, say: &dyn Fn(Progress)) -> Result<Task, ZvmError> {
    let began = Instant::now();
    let mut pace = Pace::patient();
    let (mut seen, mut silent): (bool, Option<Instant>) = (false, None);
    loop {
        match zvm.task(id) {
            Ok(Some(task)) if task.state.is_over() => return Ok(task),
            Ok(Some(task)) => {
                (seen, silent) = (true, None);
                say(Progress::At { percent: task.progress, state: task.state, waited: began.elapsed() });
            }
            // A task that was there and is not any more is over, and how is lost.
            Ok(None) if seen || began.elapsed() > UNKNOWN_FOR => return Err(unknown(zvm)),
            Ok(None) => {}
            Err(error) => {
                let since = *silent.get_or_insert_with(Instant::now);
                let passes = matches!(
                    error.kind,
                    ZvmErrorKind::Unreachable
                        | ZvmErrorKind::Refused(_)
                        | ZvmErrorKind::Nonsense
                        | ZvmErrorKind::NotFound
                );
                if !passes || since.elapsed() > SILENT_FOR || held.is_stopped() {
                    return Err(error);
                }
                say(Progress::Silent { why: error.message });
            }
        }
        if held.is_stopped() {
            return Err(unknown(zvm));
        }
        std::thread::sleep(pace.pause());
    }
}

fn unknown(zvm: &Zvm) -> ZvmError {
    ZvmError {
        kind: ZvmErrorKind::NotFound,
        message: format!("ZVM {} does not know the task (any more).", zvm.name()),
        hint: String::new(),
        wait: None,
    }
}
