//! What `install` writes into an agent host's settings, and how it comes out again. Pure: text in, text out.
//!
//! `entry` (the hook's entry, its forms and how it is recognised), `settings` (where it belongs), `schema`
//! (for what the host drops the file), `tree` and `splice`
//! (a text changed in one place, every other byte as it was), `diff` (the change, for people). Must not: read or write a
//! file, start a program, or know the command line.

pub mod diff;
mod entry;
mod schema;
pub mod settings;
mod splice;
mod tree;

pub use entry::{Entry, Form, Version, When, shell_words};

use std::path::{Path, PathBuf};
use std::time::Duration;

/// Whose settings hold the entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The user's, for all projects.
    User,
    /// The project's, for everybody who works on it.
    Project,
    /// The machine's. A user or an agent can't switch it off.
    Managed,
}

impl Scope {
    /// All of them, the strongest first.
    pub const ALL: [Self; 3] = [Self::Managed, Self::User, Self::Project];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Managed => "managed",
        }
    }
}

/// Where Claude Code looks for settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The user's folder: `~/.claude`.
    pub user: PathBuf,
    /// The project's folder.
    pub project: PathBuf,
    /// The root of the file system.
    pub root: PathBuf,
}

impl Places {
    /// The settings file of that scope.
    #[must_use]
    pub fn file(&self, scope: Scope) -> PathBuf {
        match scope {
            Scope::User => self.user.join("settings.json"),
            Scope::Project => self.project.join(".claude/settings.json"),
            Scope::Managed => self.root.join("etc/claude-code/managed-settings.json"),
        }
    }

    /// The folder of the administrator's further settings.
    #[must_use]
    pub fn managed_drop_ins(&self) -> PathBuf {
        self.root.join("etc/claude-code/managed-settings.d")
    }

    /// The project's settings that are not shared.
    #[must_use]
    pub fn project_local(&self) -> PathBuf {
        self.project.join(".claude/settings.local.json")
    }
}

/// How long the host has to wait, so that the guard's own deadline ends a call first, and with words.
#[must_use]
pub fn host_timeout(deadline: Duration) -> u64 {
    deadline.as_secs().saturating_add(u64::from(deadline.subsec_nanos() > 0)).saturating_add(60).max(180)
}

/// How long the host has to wait for the hook after a call, in seconds: far longer than it takes to note an answer.
pub const AFTER_TIMEOUT: u64 = 30;

/// What `hook` is started with.
#[must_use]
pub fn hook_arguments(timeout: u64, managed: bool, moved: &[(&str, &Path)]) -> Option<Vec<String>> {
    let mut words: Vec<String> = ["hook", "--host", "claude-code", "--host-timeout"].map(str::to_owned).to_vec();
    words.push(format!("{timeout}s"));
    if managed {
        words.push("--managed".into());
    }
    for (option, path) in moved {
        words.push((*option).to_owned());
        words.push(path.to_str()?.to_owned());
    }
    Some(words)
}
