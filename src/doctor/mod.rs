//! Whether the guard is on, and what keeps it from being: checks as values, each with its remedy.
//!
//! `files` (config, catalogs, state), `zvms` (each Zerto Virtual Manager, and the VMs of the config), `hook` (for which hosts
//! and where it is installed), `entry` (which holes an entry leaves), `answers` (the entries after a call), `trial` (the
//! installed entry really run). Must not: print, or change anything but what a guard itself would leave in the state folder.

mod answers;
mod entry;
mod files;
mod hook;
mod trial;
mod zvms;

use crate::agent_host::Known;
use crate::config::files::Files;
use crate::install::Places;
use serde::Serialize;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// As it should be.
    Ok,
    /// It works, with a hole or a doubt that a person should know.
    Warning,
    /// The guard is off, or calls that should pass are stopped.
    Fault,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What.
    pub check: String,
    /// How it is.
    pub status: Status,
    /// In words.
    pub text: String,
    /// What to do now; none where nothing has to be done.
    pub remedy: Option<String>,
}

impl Check {
    fn ok(check: impl Into<String>, text: impl Into<String>) -> Self {
        Self { check: check.into(), status: Status::Ok, text: text.into(), remedy: None }
    }

    fn warning(check: impl Into<String>, text: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::bad(Status::Warning, check, text, remedy)
    }

    fn fault(check: impl Into<String>, text: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::bad(Status::Fault, check, text, remedy)
    }

    fn bad(status: Status, check: impl Into<String>, text: impl Into<String>, remedy: impl Into<String>) -> Self {
        let remedy = remedy.into();
        Self { check: check.into(), status, text: text.into(), remedy: (!remedy.is_empty()).then_some(remedy) }
    }
}

/// The machine that is looked at.
pub struct Patient<'a> {
    /// The places of the guard's files.
    pub files: &'a Files,
    /// Where agent hosts look for settings.
    pub places: &'a Places,
    /// The version of Claude Code.
    pub known: &'a Known,
    /// Our own path.
    pub own: &'a str,
    /// Whether this is root in place of a user (`sudo`), whose files are others.
    pub sudo: bool,
}

/// Looks at everything.
#[must_use]
pub fn examine(patient: &Patient) -> Vec<Check> {
    let mut checks = Vec::new();
    if patient.sudo {
        checks.push(Check::warning(
            "user",
            "this runs as root by sudo, so it looks at root's config, state and settings",
            "Run it as the user who runs the agent.",
        ));
    }
    let (config, found) = files::config(patient.files);
    checks.extend(found);
    checks.extend(files::catalogs(patient.files, patient.places.project.to_str()));
    let state = files::state(&patient.files.state);
    let usable = state.status == Status::Ok;
    checks.push(state);
    if usable {
        checks.extend(files::pause(&patient.files.state));
    }
    if let (Some(config), true) = (&config, usable) {
        checks.extend(zvms::all(config, &patient.files.state));
    }
    checks.extend(hook::all(patient, config.as_ref()));
    checks
}
