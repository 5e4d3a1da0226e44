//! A guard by hand: every taggable VPG of a VM gets the tag, and it is written into the audit log.

use super::Done;
use super::front::{Front, while_waiting};
use crate::audit::{self, Call, Line};
use crate::config::files::Files;
use crate::deadline::Deadline;
use crate::guard::{GuardError, Guarded, Request, appliance, guard, report};
use crate::state::StateDir;
use crate::text::{clean, midway};
use crate::ui::{Failure, Tone};
use jiff::Timestamp;
use serde_json::Value;

/// What is to be guarded.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// The VMs.
    pub vms: &'a [String],
    /// What is about to be done.
    pub action: &'a str,
    /// The change it belongs to; none: `ZERTO_GUARD_CHANGE`, or an id of its own.
    pub change: Option<&'a str>,
    /// Who does it.
    pub agent: &'a str,
    /// Whether a younger tag will do, where the config says so.
    pub may_reuse: bool,
    /// Who asks, in the audit log: the host and the tool.
    pub host: &'a str,
    /// See `host`.
    pub tool: &'a str,
}

/// A guard that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// For people.
    pub failure: Failure,
    /// For programs: with each VPG, where the guard got as far as that.
    pub object: Option<Value>,
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        Self { failure, object: None }
    }
}

/// Inserts the tag, and waits until it stands.
///
/// # Errors
/// It does not stand, or not in all of the taggable VPGs.
pub fn run(front: &dyn Front, files: &Files, wish: &Wish) -> Result<Done, Failed> {
    let config = super::config(files)?;
    let state = StateDir::at(files.state.clone());
    let deadline = Deadline::after(config.guard.deadline);
    let appliances = appliance::guarding(&config.zvms, &state, deadline).map_err(Failure::from)?;
    let change = wish.change.map(str::to_owned).or_else(|| std::env::var("ZERTO_GUARD_CHANGE").ok());
    let change = match change.filter(|change| !change.is_empty()) {
        Some(change) => change,
        None => crate::state::random_word(8).map_err(|why| Failure::new(1, why, ""))?,
    };
    let request = Request {
        targets: wish.vms,
        hosts: &config.hosts,
        agent: wish.agent,
        action: wish.action,
        change: &change,
        reuse: config.guard.reuse.filter(|_| wish.may_reuse),
        deadline,
        now: &Timestamp::now,
    };
    let waiting = format!("waiting for the checkpoint in {}", clean(&wish.vms.join(", "), 80));
    front.begins()?;
    let done = while_waiting(front, &waiting, Some(config.guard.deadline), || guard(&request, &appliances, &state));
    if let Err(error) = audit::append(&state, &Line::ByHand(Box::new(logged(wish, &request, &done)))) {
        // Whether a tag stands is known all the same.
        front.note(&format!("this is not in the audit log: {}. {}", midway(&error.to_string()), error.hint()));
    }
    match done {
        Ok(guarded) => {
            let stands = report::where_it_stands(&guarded);
            let text = format!("{}: {stands}\n{}", front.paint().paint(Tone::Good, "guarded"), guarded.tag);
            Ok(Done { text, object: report::object(&guarded) })
        }
        Err(error) => {
            let object = Some(report::failure_object(&error, wish.vms));
            Err(Failed { failure: error.into(), object })
        }
    }
}

/// The audit log's line.
fn logged(wish: &Wish, request: &Request, done: &Result<Guarded, GuardError>) -> Call {
    let mut line = Call::new(wish.host, request.agent, wish.tool);
    line.guests = audit::texts(request.targets);
    line.action = audit::text(request.action);
    match done {
        Ok(guarded) => line.guarded(guarded),
        Err(error) => {
            line.reason = audit::text(&error.to_string());
            line.tag = error.tag().map(str::to_owned);
        }
    }
    line
}

impl From<GuardError> for Failure {
    fn from(error: GuardError) -> Self {
        Self::new(error.exit_code(), error.to_string(), error.hint())
    }
}
