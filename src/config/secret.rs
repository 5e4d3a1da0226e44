//! Passwords, client secrets and tokens: a type that cannot be printed, and where one comes from.
//!
//! Must not: write a secret to a log, a message or a `Debug` output; read one before it is needed.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::AtomicI32;
use zeroize::Zeroizing;

/// A password, client secret or token. It has no `Display` and no `Serialize`, and its `Debug` shows `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes the text as a secret.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// The secret itself: for a request's body or header and nothing else.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Where a secret is to be had when it is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretSource {
    /// The first line that this program prints (absolute path and arguments; no shell).
    Command(Vec<String>),
    /// The first line of this file, which nobody else may read.
    File(PathBuf),
    /// `ZERTO_GUARD_PASSWORD`.
    Environment,
}

/// The process group of the password command that is running, or 0: what ends this process ends it too.
pub static RUNNING_COMMAND: AtomicI32 = AtomicI32::new(0);
