//! What `install` writes into an agent host's settings, and how it comes out again. Pure: text in, text out.
//!
//! `recipe` (what is known of a host's settings) and `hosts` (one file a host), `entry` (the hook's entry, its forms and how
//! it is recognised), `change` (the change of a file of any kind), `settings` (JSON: where an entry belongs), `requirements`
//! (TOML), `script` (files that are all ours), `server` (the MCP server's entry), `inspect` (what stands there), `schema` and `strict`
//! (for what Claude Code and Codex drop a file), `trust` (whether Codex trusts an entry), `tree` and `splice` (a text changed in one place, every other byte as it was), `diff` (the change, for people). Must not:
//! read or write a file, start a program, or know the command line.

pub mod change;
pub mod diff;
mod entry;
mod hosts;
pub mod inspect;
mod recipe;
mod requirements;
mod schema;
mod script;
pub mod server;
mod settings;
mod splice;
mod strict;
mod tree;
pub mod trust;

pub use entry::{Entry, Form, Version, shell_words};
pub use hosts::{recipe, recipes};
pub use recipe::{Event, Kind, NoPlace, Recipe, Unit, Waits, When};

use std::collections::BTreeMap;
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

/// Where agent hosts look for settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// The project's folder.
    pub project: PathBuf,
    /// The root of the file system.
    pub root: PathBuf,
    /// What the variables that move settings hold, as far as that is an absolute path.
    pub moved: BTreeMap<&'static str, PathBuf>,
}

impl Places {
    /// A folder of the user's: the variable's, else the one below the home folder.
    ///
    /// # Errors
    /// The home folder isn't known.
    pub fn folder(&self, variable: &str, below_home: &str) -> Result<PathBuf, NoPlace> {
        if let Some(moved) = self.moved.get(variable) {
            return Ok(moved.clone());
        }
        self.home.as_ref().map(|home| home.join(below_home)).ok_or(NoPlace::NoHome)
    }

    /// The folder of the administrator's further settings of Claude Code.
    #[must_use]
    pub fn managed_drop_ins(&self) -> PathBuf {
        self.root.join("etc/claude-code/managed-settings.d")
    }

    /// The project's settings of Claude Code that are not shared.
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

/// The value of a settings file: JSON with comments.
///
/// # Errors
/// It can't be read.
pub fn settings_value(text: &str) -> Result<serde_json::Value, String> {
    Ok(tree::Tree::parse(text)?.root.value())
}

/// How long the host has to wait for the hook after a call, in seconds: far longer than it takes to note an answer.
pub const AFTER_TIMEOUT: u64 = 30;

/// What `hook` is started with; none if a path is no text.
#[must_use]
pub fn hook_arguments(recipe: &Recipe, timeout: u64, managed: bool, moved: &[(&str, &Path)]) -> Option<Vec<String>> {
    let mut words: Vec<String> = vec!["hook".into()];
    if recipe.says_host {
        words.extend(["--host".into(), recipe.host.name().into()]);
    }
    words.extend(["--host-timeout".into(), format!("{timeout}s")]);
    if managed {
        words.push("--managed".into());
    }
    for (option, path) in moved {
        words.push((*option).to_owned());
        words.push(path.to_str()?.to_owned());
    }
    Some(words)
}
