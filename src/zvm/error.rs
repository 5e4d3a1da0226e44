//! What can go wrong between us and a ZVM, as data with a kind, a text and a hint.

use thiserror::Error;

/// Why a verb of the ZVM failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct ZvmError {
    /// What kind of failure it is: decides the exit code and whether it may pass by itself.
    pub kind: ZvmErrorKind,
    /// A sentence that names the ZVM and what was tried, without any secret, control characters cleaned away.
    pub message: String,
    /// What to do now; empty if there is nothing to say.
    pub hint: String,
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
    /// The deadline has passed.
    Deadline,
}
