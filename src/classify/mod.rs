//! From a call and the catalog to what is known of it: a verdict, the guests it changes, and why. Pure.
//!
//! Owns: the words verdict, target, reason. Must not: read a file, ask a ZVM, or decide what is done about a verdict.

pub mod effect;
pub mod own;
pub mod programs;
mod prompt;
pub mod shell;
pub mod targets;
mod tool;
pub mod word;

pub use tool::{classify, rules};

use crate::catalog::Layer;

/// What a call may depend on besides its own text; answered from the disk, or from a table in tests.
pub trait Surroundings {
    /// The path that an absolute path really means, every link on the way followed; what does not exist yet is kept as
    /// it is behind the last folder that does.
    fn real_path(&self, path: &str) -> String;

    /// What is at a path.
    fn file(&self, path: &str) -> Found;

    /// The names of what is in a folder, in no order; none where that can't be told, an empty list if nothing is there.
    fn folder(&self, _path: &str) -> Option<Vec<String>> {
        None
    }
}

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A regular file that is not too long to be judged, and its bytes.
    File(Vec<u8>),
    /// Something that can't be read, is no regular file, or is too long.
    Unreadable,
}

/// Surroundings in which no path is a link: for tests, and for a verdict about text alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nowhere;

impl Surroundings for Nowhere {
    fn real_path(&self, path: &str) -> String {
        path.to_owned()
    }

    fn file(&self, _path: &str) -> Found {
        Found::Nothing
    }
}

/// What is known of a call. The order is that of severity: of several parts the worst counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Changes no guest.
    ReadOnly,
    /// Nobody has classified it, or it could not be understood.
    Unknown,
    /// Changes a guest.
    Mutating,
}

impl Verdict {
    /// Its name in `--json` and in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadOnly => "read_only",
            Self::Unknown => "unknown",
            Self::Mutating => "mutating",
        }
    }
}

/// Which entry of which layer decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecidedBy {
    /// The layer.
    pub layer: Layer,
    /// The entry as people find it in the file.
    pub entry: String,
    /// The key under which it stands, such as `mutating`.
    pub key: &'static str,
}

/// A part of the call: for shell text one simple command, else the whole call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The part's text.
    pub text: String,
    /// Where it runs: a guest's name, or empty for the agent's own machine.
    pub location: String,
    /// Its own verdict.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
}

/// What is known of a call as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classification {
    /// The worst of its parts.
    pub verdict: Verdict,
    /// Why, in words that follow a "because".
    pub reason: String,
    /// The guests it changes or, for an unknown call, may change, as they were typed.
    pub targets: Vec<String>,
    /// What it does, for the tag.
    pub action: String,
    /// Which entry decided, if one did.
    pub decided_by: Option<DecidedBy>,
    /// Its parts.
    pub parts: Vec<Part>,
    /// The bytes of every file that was read to judge it.
    pub scripts: Vec<Vec<u8>>,
}
