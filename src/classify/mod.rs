//! From a call and the catalog to what is known of it: a verdict, the guests it changes, and why. Pure.
//!
//! Owns: the words verdict, target, reason. Must not: read a file, ask a ZVM, or decide what is done about a verdict.

mod action;
mod answer;
pub mod code;
pub mod disks;
pub mod effect;
mod meant;
mod mongo;
pub mod own;
pub mod powershell;
pub mod programs;
mod prompt;
mod redis;
mod script;
pub mod sessions;
pub mod shell;
pub mod sql;
pub mod targets;
mod tool;
mod walk;
pub mod windows;
pub mod word;

pub use meant::rules;
pub use tool::classify;

use crate::catalog::Layer;
use crate::text::shell_word;
use word::Word;

/// What a call may depend on besides its own text; answered from the disk, or from a table in tests.
pub trait Surroundings {
    /// The path that an absolute path really means, every link on the way followed; what does not exist yet is kept as
    /// it is behind the last folder that does.
    fn real_path(&self, path: &str) -> String;

    /// What is at a path.
    fn file(&self, path: &str) -> Found;

    /// What is at the path of a project's own description (a Makefile, package.json), which most of what builds a project
    /// leaves alone.
    ///
    /// # Errors
    /// Why it may not be what it is now when it is read.
    fn project(&self, path: &str) -> Result<Found, String> {
        Ok(self.file(path))
    }

    /// The home folder of the agent's user, if it is known.
    fn home(&self) -> Option<String> {
        None
    }

    /// The names of what is in a folder, in no order; none where that can't be told, an empty list if nothing is there.
    fn folder(&self, _path: &str) -> Option<Vec<String>> {
        None
    }

    /// The system's table of mounts; nothing where it has none that can be read, or nothing is mounted over the network.
    fn mount_points(&self) -> Vec<disks::MountPoint> {
        vec![]
    }

    /// Whether an absolute path is surely that of a file on this machine's own disk, whatever else is mounted: a quicker answer
    /// than the table of mounts gives.
    fn is_own_file(&self, _path: &str) -> bool {
        false
    }

    /// What was noted, in this session of the agent, of the session that a server's answer called by this id. Nothing
    /// unless it is known.
    fn session(&self, _server: &str, _id: &str) -> Session {
        Session::Unseen
    }
}

/// What is known of a session that a tool's call opened on a guest, and that later calls name by its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Session {
    /// No call that opened it was seen.
    Unseen,
    /// Several calls opened one of that id, on different guests.
    Doubtful,
    /// It is open on these.
    On(Vec<String>),
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
    /// The guests that it changes, or may change.
    pub targets: Vec<String>,
    /// The catalog's entry that says so, if one does.
    pub by: Option<DecidedBy>,
    /// How many commands it runs within: it is shown below them.
    pub depth: usize,
    /// The entry that no catalog has, and that would make it known.
    pub missing: Option<Missing>,
    /// Whether it is unknown which guests it may change, beside those that are named.
    pub open: bool,
    /// What to do so that it is understood, if it is not and that can be said: an order.
    pub mend: Option<String>,
}

/// A use of a program that is in no catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The program.
    pub program: String,
    /// Its sub-command, if its first word looks like one.
    pub sub: Option<String>,
}

impl Missing {
    /// The command by which a person says that this use only reads.
    #[must_use]
    pub fn read_only(&self) -> String {
        let sub = self.sub.as_ref().map(|sub| format!(" {}", shell_word(sub))).unwrap_or_default();
        format!("zerto-guard catalog add --program {}{sub} --read-only", shell_word(&self.program))
    }
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
    /// What of it is not known, where something else of it is a change: it is asked about, and the change is guarded
    /// whatever the answer is.
    pub doubt: Option<Doubt>,
    /// What it does, for the tag.
    pub action: String,
    /// Which entry decided, if one did.
    pub decided_by: Option<DecidedBy>,
    /// Its parts.
    pub parts: Vec<Part>,
    /// Whether an unknown part of it may change guests that are not named.
    pub open: bool,
    /// What to do so that what is not known of it is understood, if that can be said: an order.
    pub mend: Option<String>,
    /// The bytes of every file that was read to judge it.
    pub scripts: Vec<Vec<u8>>,
    /// The files and folders of the agent's own machine that its shell text may change.
    pub touched: Vec<Touched>,
    /// Whether its shell text does anything on the agent's own machine but read.
    pub acts_here: bool,
    /// The words of each command of this program that its shell text runs.
    pub ours: Vec<Vec<Word>>,
}

/// Programs that can take a whole folder away, or change who may write in it.
pub const UPROOTING: &[&str] =
    &["rm", "rmdir", "mv", "unlink", "shred", "chmod", "chown", "chgrp", "chattr", "setfacl", "find", "rsync"];

/// A file or folder of the agent's own machine that a command may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// Its path, absolute.
    pub path: String,
    /// Whether all that lies below it may go, or change hands, as well.
    pub whole: bool,
}

/// The unknown part of a call that also changes a guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// Why it is unknown.
    pub reason: String,
    /// The guests that it may change.
    pub targets: Vec<String>,
}

impl Classification {
    /// A call of which only these are known.
    #[must_use]
    pub fn of(verdict: Verdict, reason: impl Into<String>, targets: Vec<String>) -> Self {
        Self {
            verdict,
            reason: reason.into(),
            targets,
            doubt: None,
            action: String::new(),
            decided_by: None,
            parts: vec![],
            open: false,
            mend: None,
            scripts: vec![],
            touched: vec![],
            acts_here: false,
            ours: vec![],
        }
    }

    /// Every guest that it changes or may change.
    #[must_use]
    pub fn guests(&self) -> Vec<String> {
        let mut guests = self.targets.clone();
        for target in self.doubt.iter().flat_map(|doubt| &doubt.targets) {
            if !guests.contains(target) {
                guests.push(target.clone());
            }
        }
        guests
    }

    /// Whether every command of its shell text was understood.
    #[must_use]
    pub fn is_understood(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|part| part.verdict != Verdict::Unknown)
    }

    /// The one entry that no catalog has, if nothing else of the call is unknown.
    #[must_use]
    pub fn missing(&self) -> Option<&Missing> {
        let unknown = |part: &&Part| part.verdict == Verdict::Unknown;
        let leaf = |at: usize, part: &Part| self.parts.get(at + 1).is_none_or(|next| next.depth <= part.depth);
        let leaves = self.parts.iter().enumerate().filter(|(at, part)| unknown(part) && leaf(*at, part));
        let mut one: Option<&Missing> = None;
        for (_, part) in leaves {
            let missing = part.missing.as_ref()?;
            if one.is_some_and(|one| one != missing) {
                return None;
            }
            one = Some(missing);
        }
        one
    }
}

#[cfg(test)]
#[path = "tests/facts.rs"]
mod facts;
#[cfg(test)]
#[path = "tests/facts_others.rs"]
mod facts_others;
