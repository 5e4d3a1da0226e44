//! Why a guest's file did not arrive: data with a kind, a text and a hint.

use crate::zvm::error::ZvmError;
use thiserror::Error;

/// Why a guest's file did not arrive. Nothing stands under its name that did not stand there before.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct SaveError {
    /// What kind of failure it is: decides the exit code.
    pub kind: SaveErrorKind,
    /// A sentence that names the file.
    pub message: String,
    /// What to do now; may be empty.
    pub hint: String,
}

/// The kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveErrorKind {
    /// A rule of this tool: a file stands there, it is no file, its name can't be used.
    Rule,
    /// This machine's disk.
    Disk,
    /// What came is not the file, or broke off.
    Bytes,
    /// It was told to stop.
    Stopped,
    /// The ZVM did not give it; the exit code of its error.
    Zvm(u8),
}

impl SaveError {
    /// A failure of this kind.
    #[must_use]
    pub fn new(kind: SaveErrorKind, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: hint.into() }
    }

    /// 5 for a rule, the ZVM's own code, else 1.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self.kind {
            SaveErrorKind::Rule => 5,
            SaveErrorKind::Disk | SaveErrorKind::Bytes => 1,
            SaveErrorKind::Stopped => 130,
            SaveErrorKind::Zvm(code) => code,
        }
    }
}

impl From<ZvmError> for SaveError {
    fn from(error: ZvmError) -> Self {
        Self::new(SaveErrorKind::Zvm(error.exit_code()), error.message, error.hint)
    }
}
