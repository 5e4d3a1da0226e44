//! What is known of an agent host's settings, as data: where they are, at which events the host starts a hook, and how it
//! wants an entry written.
//!
//! Owns: the words in which `hosts` says so. Must not: know any host, or change a text.

use super::{Places, Scope};
use crate::hosts::Host;
use serde_json::Value;
use std::path::PathBuf;

/// One host's settings.
#[derive(Debug)]
pub struct Recipe {
    /// The host.
    pub host: Host,
    /// Its name for people.
    pub title: &'static str,
    /// The variables that move its settings elsewhere, if they hold an absolute path.
    pub variables: &'static [&'static str],
    /// The file of that scope.
    pub place: fn(&Places, Scope) -> Result<PathBuf, NoPlace>,
    /// A file beside which that one is not read, and what to do then.
    pub rival: fn(&Places, Scope) -> Option<(PathBuf, &'static str)>,
    /// Of which kind that file is.
    pub kind: fn(Scope) -> Kind,
    /// The events at which it is to start the hook. Those before a call come first.
    pub events: &'static [Event],
    /// How an entry is written.
    pub fields: Fields,
    /// The number that the file has to hold as its `version`.
    pub version: Option<u64>,
    /// It drops a file for the least thing; see `strict`.
    pub strict: bool,
    /// Whether the entry says who calls. Not where several hosts read the same file: then the fields tell.
    pub says_host: bool,
    /// How long the host waits for the hook.
    pub waits: Waits,
    /// Which ends of the hook stop a call and which let it run, in one sentence, and whence that is known.
    pub holes: &'static str,
    /// What a person has still to do, or to know.
    pub by_hand: fn(Scope) -> Vec<&'static str>,
    /// A call that only reads, as the host sends one of that folder: for a trial.
    pub sample: fn(&str) -> Value,
}

/// Why there is no file of that scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoPlace {
    /// The home folder is not known.
    NoHome,
    /// The host has none, or where it is is not known; what can be done by hand.
    None(String),
}

/// The kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// JSON with, for each event, groups of a matcher and a list of entries.
    Grouped,
    /// JSON with a list of entries for each event.
    Flat,
    /// JSON with one list of entries that name their event.
    Listed,
    /// TOML, grouped.
    Toml,
    /// A program or plugin that is all ours.
    Script,
}

/// When the host starts the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Before a tool call, which it judges.
    Before,
    /// After one: it learns on which guest a session is open, and how a guarded call ended.
    After,
    /// When a session begins: it says that it is there.
    Start,
}

/// An event of a host.
#[derive(Debug, PartialEq, Eq)]
pub struct Event {
    /// When that is.
    pub when: When,
    /// The event, as the settings name it.
    pub name: &'static str,
    /// The matcher that stands for all tools, where it is written.
    pub matcher: Option<&'static str>,
}

impl Event {
    pub(super) const fn before(name: &'static str, matcher: Option<&'static str>) -> Self {
        Self { when: When::Before, name, matcher }
    }

    pub(super) const fn after(name: &'static str, matcher: Option<&'static str>) -> Self {
        Self { when: When::After, name, matcher }
    }

    pub(super) const fn start(name: &'static str) -> Self {
        Self { when: When::Start, name, matcher: None }
    }

    /// Whether a matcher that stands there means all tools; none does.
    #[must_use]
    pub fn is_met_by(&self, matcher: Option<&str>) -> bool {
        matcher.is_none_or(|matcher| matches!(matcher, "*" | "" | ".*") || Some(matcher) == self.matcher)
    }
}

/// The fields of an entry, in the order in which they are written.
#[derive(Debug)]
pub struct Fields {
    /// `"type": "command"` comes first.
    pub typed: bool,
    /// The field that holds the command line.
    pub command: &'static str,
    /// The fields that hold the time limit; none where it can't be set.
    pub timeout: &'static [&'static str],
    /// Their unit.
    pub unit: Unit,
    /// What else an entry before a call holds.
    pub more: &'static [(&'static str, Fixed)],
}

/// A value that is always the same.
#[derive(Debug, Clone, Copy)]
pub enum Fixed {
    /// `true`.
    Yes,
    /// A text.
    Text(&'static str),
}

impl Fixed {
    pub(super) fn value(self) -> Value {
        match self {
            Self::Yes => Value::Bool(true),
            Self::Text(text) => Value::String(text.to_owned()),
        }
    }
}

/// The unit of a time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
}

impl Unit {
    /// Seconds in this unit.
    #[must_use]
    pub fn of_seconds(self, seconds: u64) -> u64 {
        match self {
            Self::Seconds => seconds,
            Self::Milliseconds => seconds.saturating_mul(1000),
        }
    }

    /// A number of this unit in seconds.
    #[must_use]
    pub fn in_seconds(self, number: f64) -> f64 {
        match self {
            Self::Seconds => number,
            Self::Milliseconds => number / 1000.0,
        }
    }
}

/// How long a host waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    /// As long as the entry says; without, so many seconds.
    AsSet(u64),
    /// So many seconds, and no entry can change that.
    Always(u64),
    /// It isn't known, and can't be set; the hook is told so many seconds, which no host is known to fall short of.
    Unknown(u64),
}

impl Recipe {
    /// The events of that moment.
    pub fn at(&self, when: When) -> impl Iterator<Item = &'static Event> {
        self.events.iter().filter(move |event| event.when == when)
    }

    /// The event with this name.
    #[must_use]
    pub fn event(&self, name: &str) -> Option<&'static Event> {
        self.events.iter().find(|event| event.name == name)
    }

    /// How many seconds the host waits where an entry says nothing; as far as that is known.
    #[must_use]
    pub fn default_wait(&self) -> Option<u64> {
        match self.waits {
            Waits::AsSet(seconds) | Waits::Always(seconds) => Some(seconds),
            Waits::Unknown(_) => None,
        }
    }

    /// What to run to install it in that scope.
    #[must_use]
    pub fn again(&self, scope: Scope) -> String {
        let name = self.host.name();
        match scope {
            Scope::User => format!("Run: zerto-guard install {name}"),
            Scope::Project => format!("Run: zerto-guard install {name} --scope project"),
            Scope::Managed => format!("Run: sudo zerto-guard install {name} --scope managed"),
        }
    }
}
