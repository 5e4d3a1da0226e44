//! The end of a file level restore session: asked for, waited for, and what is said where it does not come.
//!
//! Must not: choose which session is ended.

use super::desk::Desk;
use crate::deadline::Deadline;
use crate::text::{clean, shell_word};
use crate::zvm::Zvm;
use crate::zvm::error::{ZvmError, ZvmErrorKind};
use crate::zvm::model::{FlrSession, TaskState};
use std::time::Duration;

/// How a session ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmounted {
    /// Whether it is over, as the ZVM says.
    pub ok: bool,
    /// The session; empty where it is not known.
    pub session_id: String,
    /// Why it may still be there.
    pub error: Option<String>,
}

impl Unmounted {
    /// What to do about a session that may still be there; none if it is over.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let error = self.error.as_deref().filter(|_| !self.ok)?;
        let session = clean(&self.session_id, 100);
        let how = if session.is_empty() {
            "`zerto-guard rewind sessions` lists what is mounted".to_owned()
        } else {
            format!("clear it with: zerto-guard rewind end-session {}", shell_word(&session))
        };
        Some(format!(
            "The mount is still up, or may be: {error} While it is, Zerto can neither restore other files of this VM nor test or \
             fail over its VPG; {how}."
        ))
    }
}

/// Ends a session, and waits until the ZVM says that it is over. Ending one that is over does no harm.
#[must_use]
pub fn end_session(desk: &Desk, zvm: usize, session: &str, patience: Duration) -> Unmounted {
    let error = ended(desk, zvm, session, patience).err().map(|unended| unended.why);
    Unmounted { ok: error.is_none(), session_id: session.to_owned(), error }
}

/// Why a session has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotEnded {
    /// For people.
    pub why: String,
    /// The exit code of a command that was to end it.
    pub code: u8,
}

/// As [`end_session`], for whoever was asked for nothing else.
///
/// # Errors
/// It is live, or may be.
pub fn ended(desk: &Desk, zvm: usize, session: &str, patience: Duration) -> Result<(), NotEnded> {
    let deadline = Deadline::after(patience);
    let client = desk.another(zvm, deadline);
    let client = client.map_err(|error| NotEnded { code: error.exit_code(), why: error.message })?;
    end_at(&client, session, deadline)
}

/// How often the end of a session is asked for: a task of the ZVM may fail in passing.
const TRIES: usize = 3;

fn end_at(zvm: &Zvm, session: &str, deadline: Deadline) -> Result<(), NotEnded> {
    let (mut why, mut code) = (String::new(), 1);
    for _ in 0..TRIES {
        let task = match zvm.unmount(session) {
            Ok(task) => task,
            Err(error) => {
                (why, code) = (error.error().message.clone(), error.error().exit_code());
                None
            }
        };
        // An order that was refused may have been given before; one whose answer was lost may stand. The session tells.
        match wait_for_end(zvm, session, task.as_deref(), deadline) {
            Ok(()) => return Ok(()),
            Err(Unended::For(reason)) if !reason.is_empty() => (why, code) = (reason, 1),
            Err(Unended::For(_)) => {}
            // Why an order was refused says more than that there was no time for another.
            Err(Unended::Late(reason)) => {
                let why = if why.is_empty() { reason } else { why };
                return Err(NotEnded { why, code });
            }
        }
    }
    if why.is_empty() {
        why = format!("the ZVM took the order to end it {TRIES} times, named no task for it, and shows it as live.");
    }
    Err(NotEnded { why, code })
}

/// A session as the ZVM knows it now; none where it does not. Where it can't be had by itself the list tells, also where the
/// answer is that there is no such thing: whether a single session comes as an object or a list is not even documented, and
/// what a proxy does not find must not pass for a mount that is over.
pub(super) fn look(zvm: &Zvm, session: &str) -> Result<Option<FlrSession>, ZvmError> {
    let error = match zvm.flr_session(session) {
        Ok(Some(found)) => return Ok(Some(found)),
        Ok(None) => None,
        Err(error) => Some(error),
    };
    let listed = zvm.flr_sessions().map_err(|unlisted| error.unwrap_or(unlisted))?;
    Ok(listed.into_iter().find(|known| known.identifier.eq_ignore_ascii_case(session)))
}

enum Unended {
    /// It will not end by this order; the reason, where one is known.
    For(String),
    /// There is no time left.
    Late(String),
}

/// Waits until a session is over. Without a task it is looked at a few times only.
fn wait_for_end(zvm: &Zvm, session: &str, task: Option<&str>, deadline: Deadline) -> Result<(), Unended> {
    const LOOKS: usize = 4;
    let mut pause = Duration::from_millis(100);
    let mut looks = 0;
    loop {
        let unread = match look(zvm, session) {
            Ok(None) => return Ok(()),
            Ok(Some(now)) if !now.is_live() => return Ok(()),
            Ok(Some(_)) => None,
            Err(error) => Some(error),
        };
        let state = task.map(|task| zvm.task(task));
        let failed = match &state {
            Some(Ok(Some(task))) if matches!(task.state, TaskState::Failed | TaskState::Stopped) => {
                let reason = if task.reason.is_empty() { "it gives no reason" } else { task.reason.as_str() };
                let words = format!("the task {} ended as {}: {reason}", task.identifier, task.state.name());
                Some(clean(&words, 400))
            }
            _ => None,
        };
        if let Some(why) = failed {
            // It may have been ended by somebody else meanwhile.
            return match look(zvm, session) {
                Ok(Some(now)) if now.is_live() => Err(Unended::For(format!("{why}."))),
                Ok(_) => Ok(()),
                Err(_) => Err(Unended::For(format!("{why}."))),
            };
        }
        looks += 1;
        if task.is_none() && looks >= LOOKS {
            return Err(Unended::For(unread.map(|error| error.message).unwrap_or_default()));
        }
        if !deadline.sleep(pause) {
            let said = unread.filter(|error| error.kind != ZvmErrorKind::Deadline).map(|error| error.message);
            return Err(Unended::Late(
                said.unwrap_or_else(|| "its end was begun and did not come in time.".to_owned()),
            ));
        }
        pause = (pause * 2).min(Duration::from_secs(1));
    }
}
