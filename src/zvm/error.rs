//! What can go wrong between us and a ZVM, as data with a kind, a text and a hint.

use crate::config::secret::SecretError;
use crate::state::StateError;
use crate::text::midway;
use std::num::NonZeroU32;
use std::time::Duration;
use thiserror::Error;

/// Why a verb of the ZVM failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct ZvmError {
    /// What kind of failure it is: decides the exit code.
    pub kind: ZvmErrorKind,
    /// A sentence that names the ZVM and what was tried, without any secret, control characters cleaned away.
    pub message: String,
    /// What to do now; empty if there is nothing to say.
    pub hint: String,
    /// For how many seconds the ZVM wants not to be asked again (`Retry-After`), where it says so.
    pub wait: Option<NonZeroU32>,
}

impl ZvmError {
    /// The exit code of a command that fails with this.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        self.kind.exit_code()
    }

    /// How long the ZVM wants not to be asked again; zero where it does not say.
    #[must_use]
    pub fn asks_to_wait(&self) -> Duration {
        Duration::from_secs(self.wait.map_or(0, |seconds| seconds.get().into()))
    }
}

/// What became of a call that changes something (an insert, a mount, a clone) and brought no identifier.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ChangeError {
    /// The ZVM refused it, or it was never sent: nothing was changed.
    #[error("{0}")]
    Refused(ZvmError),
    /// It was refused with a status (401, 429, 500 and above) that something in front of the ZVM may have given, or the ZVM after it
    /// had begun: very likely nothing was changed.
    #[error("{0}")]
    Doubtful(ZvmError),
    /// It was sent, and what the ZVM answered is lost: a checkpoint (a mount, a clone) may or may not come.
    #[error("{0}")]
    AnswerLost(ZvmError),
}

impl ChangeError {
    /// The error itself, whatever became of the call.
    #[must_use]
    pub fn error(&self) -> &ZvmError {
        match self {
            Self::Refused(error) | Self::Doubtful(error) | Self::AnswerLost(error) => error,
        }
    }
}

/// The kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZvmErrorKind {
    /// No connection, or it broke, or no answer in time.
    Unreachable,
    /// Its certificate is not trusted.
    Untrusted,
    /// The login was refused, or the token a second time (401).
    Login,
    /// The right is missing (403).
    Forbidden,
    /// It says that there is no such thing (404).
    NotFound,
    /// It refused with another status.
    Refused(u16),
    /// It answered something that cannot be understood.
    Nonsense,
    /// A secret could not be had: file, command, environment.
    Secret,
    /// The state folder (token cache, locks) cannot be used.
    State,
    /// The deadline has passed, and not because the ZVM was silent.
    Deadline,
}

impl ZvmErrorKind {
    /// 6 where the ZVM cannot be reached, is not trusted, or refused the login or the right; else 1.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Unreachable | Self::Untrusted | Self::Login | Self::Forbidden => 6,
            _ => 1,
        }
    }
}

/// Statuses that say "not now" rather than "no".
#[must_use]
pub(super) fn is_passing_status(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
}

/// A ZVM as its errors name it; one that is not configured yet has no name.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub name: String,
    pub url: String,
}

impl Named {
    /// An error of this ZVM: `trying` is what was tried ("reading the VPG x"), `why` what came of it.
    pub fn error(&self, kind: ZvmErrorKind, trying: &str, why: &str, hint: impl Into<String>) -> ZvmError {
        let why = why.trim_end_matches(['.', ' ']);
        let who = match self.name.as_str() {
            "" => format!("The ZVM at {}", self.url),
            name => format!("ZVM {name} ({})", self.url),
        };
        ZvmError { kind, message: format!("{who}: {trying} failed: {why}."), hint: hint.into(), wait: None }
    }

    pub fn late(&self, trying: &str, why: &str) -> ZvmError {
        self.error(
            ZvmErrorKind::Deadline,
            trying,
            why,
            "The deadline is guard.deadline in config.toml; it has to lie below the agent host's own.",
        )
    }

    pub fn secret(&self, trying: &str, error: &SecretError) -> ZvmError {
        self.error(ZvmErrorKind::Secret, trying, &midway(&error.message), error.hint.clone())
    }

    pub fn state(&self, trying: &str, error: &StateError) -> ZvmError {
        let kind = match error {
            StateError::Busy { .. } => ZvmErrorKind::Deadline,
            _ => ZvmErrorKind::State,
        };
        self.error(kind, trying, &midway(&error.to_string()), error.hint())
    }
}

#[cfg(test)]
mod tests {
    use super::ZvmErrorKind::*;

    #[test]
    fn exit_codes() {
        for (kind, code) in [
            (Unreachable, 6),
            (Untrusted, 6),
            (Login, 6),
            (Forbidden, 6),
            (NotFound, 1),
            (Refused(400), 1),
            (Refused(503), 1),
            (Nonsense, 1),
            (Secret, 1),
            (State, 1),
            (Deadline, 1),
        ] {
            assert_eq!(kind.exit_code(), code, "{kind:?}");
        }
    }

    #[test]
    fn statuses_that_pass() {
        for (status, passing) in
            [(400, false), (302, false), (408, true), (429, true), (500, true), (501, false), (503, true)]
        {
            assert_eq!(super::is_passing_status(status), passing, "{status}");
        }
    }
}
