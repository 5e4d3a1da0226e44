//! The end of a file level restore session that a human named, waited for.
//!
//! Must not: choose a session.

use crate::deadline::Deadline;
use crate::guard::pace::Pace;
use crate::text::clean;
use crate::zvm::client::Zvm;
use crate::zvm::error::{ChangeError, ZvmError};
use crate::zvm::model::TaskState;
use std::time::Duration;
use thiserror::Error;

/// How long a ZVM may take to unmount.
const PATIENCE: Duration = Duration::from_secs(300);

/// How long a session is looked at whose end the ZVM has refused: somebody may have begun to end it in the same moment.
const AFTER_A_REFUSAL: Duration = Duration::from_secs(3);

/// Why a session was not ended.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EndError {
    /// The ZVM can't be asked, or refused the right: nothing was done.
    #[error("{}", .0.message)]
    Zvm(ZvmError),
    /// It is live, as far as is known.
    #[error(
        "Session {} at ZVM {} is still live, and its disks are mounted: {why}",
        clean(session, 100),
        clean(zvm, 60)
    )]
    Still {
        /// The session.
        session: String,
        /// The ZVM's name.
        zvm: String,
        /// Why.
        why: String,
    },
}

impl EndError {
    /// 1, or what the ZVM's error says.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Zvm(error) => error.exit_code(),
            Self::Still { .. } => 1,
        }
    }

    /// What to do now.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Zvm(error) => error.hint.clone(),
            Self::Still { .. } => "Run it again in a minute; if that does not help, end the file level restore in the ZVM's own \
                                   interface. Until then no file of the VM can be recovered, and its VPG can be neither \
                                   cloned nor tested."
                .into(),
        }
    }
}

/// Ends a session and waits until it is over; its last status, empty where the ZVM does not list it any more.
///
/// # Errors
/// The ZVM refused, the task failed, or the session was still live in the end.
pub fn end(zvm: &Zvm, session: &str) -> Result<String, EndError> {
    let still = |why: String| EndError::Still { session: session.to_owned(), zvm: zvm.name().to_owned(), why };
    let (task, said, patience) = match zvm.unmount(session) {
        Ok(task) => (task, None, PATIENCE),
        Err(ChangeError::Refused(error)) if error.exit_code() == 6 => return Err(EndError::Zvm(error)),
        Err(ChangeError::Refused(error)) => (None, Some(error), AFTER_A_REFUSAL),
        // What became of it the session itself tells.
        Err(ChangeError::AnswerLost(error)) => (None, Some(error), PATIENCE),
    };
    let until = Deadline::after(patience);
    let mut pace = Pace::new();
    loop {
        match zvm.flr_session(session) {
            Ok(None) => return Ok(String::new()),
            Ok(Some(seen)) if !seen.is_live() => return Ok(seen.status),
            Ok(Some(_)) => {}
            Err(error) => return Err(still(error.message)),
        }
        if let Some(task) = &task
            && let Ok(Some(task)) = zvm.task(task)
            && matches!(task.state, TaskState::Failed | TaskState::Stopped)
        {
            let reason = if task.reason.is_empty() { "no reason given" } else { &task.reason };
            return Err(still(format!("its task {} ended {}: {reason}", task.identifier, task.state.name())));
        }
        if !until.sleep(pace.pause()) {
            let why = said.map_or_else(|| "it was still live after five minutes".to_owned(), |error| error.message);
            return Err(still(why));
        }
    }
}
