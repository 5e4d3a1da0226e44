//! What became of a call is written into the audit log, before the host hears of it.
//!
//! A call that would run and can't be recorded does not run; one that is only observed runs all the same, and one that is
//! stopped is stopped. Must not: decide anything else.

use super::{Hook, question};
use crate::audit::{self, Call, Decision, Line};
use crate::call::ToolCall;
use crate::classify::Classification;
use crate::config::files::Files;
use crate::decide::Would;
use crate::guard::Guarded;
use crate::hosts::{self, Answer, Host};
use crate::state::questions::Answer as Given;
use crate::state::{StateDir, StateError, hex, running};
use crate::text::{foreign, midway};
use sha2::{Digest as _, Sha256};

/// What became of a call.
pub(super) enum Done {
    /// It only reads: nothing is written.
    Passed,
    /// One of these, and nothing more is to be told.
    Plainly(Decision),
    /// It is only observed.
    Observed(Would),
    /// A tag stands.
    Guarded {
        /// The tag, and where it stands.
        guarded: Box<Guarded>,
        /// A part of the call runs without one, as a human answered.
        rest_unguarded: bool,
    },
    /// A guard failed, which may have left this tag in some VPGs.
    NotGuarded(Option<String>),
}

/// What the host is told, and what became of the call.
pub(super) struct Said {
    pub answer: Answer,
    pub done: Done,
    /// The human's answer that was used up for it.
    pub taken: Option<Given>,
}

impl Said {
    pub fn of(answer: Answer, done: Done) -> Self {
        Self { answer, done, taken: None }
    }

    pub fn stopped(answer: Answer) -> Self {
        Self::of(answer, Done::Plainly(Decision::Stopped))
    }
}

/// Writes it down. The answer comes back, or the deny that takes its place.
pub(super) fn keep(hook: &Hook, call: &ToolCall, known: &Classification, said: Said) -> Answer {
    let Said { answer, done, .. } = said;
    if matches!(done, Done::Passed) {
        return answer;
    }
    let state = hook.state();
    let mut line = line(hook.host, call, hook.input, hook.agent());
    line.verdict = Some(known.verdict.name().to_owned());
    line.reason = audit::text(known.doubt.as_ref().map_or(&known.reason, |doubt| &doubt.reason));
    line.guests = audit::texts(&known.guests());
    line.action = audit::text(&known.action);
    line.decided_by =
        known.decided_by.as_ref().map(|by| audit::text(&format!("{} catalog, {}", by.layer.name(), by.entry)));
    match &done {
        Done::Passed => {}
        Done::Plainly(decision) => line.decision = *decision,
        Done::Observed(would) => (line.decision, line.would) = (Decision::Observed, Some(*would)),
        Done::NotGuarded(tag) => line.tag.clone_from(tag),
        Done::Guarded { guarded, rest_unguarded } => {
            line.guarded(guarded);
            line.rest_unguarded = *rest_unguarded;
        }
    }
    if line.decision == Decision::Stopped
        && let Answer::Deny(why) = &answer
    {
        line.reason = audit::text(why);
    }
    if line.decision == Decision::Asked || line.would == Some(Would::Ask) {
        line.entries = question::entries(call, known, hook);
    }
    if line.decision.may_run()
        && let Some(key) = &line.key
    {
        // Without it the end of the call is not seen, and nothing else.
        let _ = running::begin(&state, key);
    }
    let decision = line.decision;
    match audit::append(&state, &Line::Call(Box::new(line))) {
        Ok(()) => answer,
        Err(error) => unrecorded(call, decision, answer, &error),
    }
}

/// Writes down a call that was stopped before it could be judged; what can't be written is stopped all the same.
pub(super) fn unjudged(files: &Files, host: Host, call: &ToolCall, input: &[u8], why: &str) {
    let mut line = line(host, call, input, host.agent());
    line.reason = audit::text(why);
    let _ = audit::append(&StateDir::at(files.state.clone()), &Line::Call(Box::new(line)));
}

fn line(host: Host, call: &ToolCall, input: &[u8], agent: &str) -> Call {
    let kept = |text: &Option<String>| text.as_deref().map(audit::text);
    Call {
        session: kept(&call.session),
        id: kept(&call.id),
        key: key(host, call, input),
        cwd: kept(&call.cwd),
        ..Call::new(host.name(), agent, &call.name)
    }
}

/// What a call and its end have in common: the host's identifier of the call, else what is called with what. None where the
/// input can't be told in one form.
pub(super) fn key(host: Host, call: &ToolCall, input: &[u8]) -> Option<String> {
    let what = match &call.id {
        Some(id) => id.clone(),
        None => format!("{}\0{}", call.name, hosts::canonical_input(host, input, call).ok()?),
    };
    let mut digest = Sha256::new();
    for part in [host.name(), call.session.as_deref().unwrap_or_default(), &what] {
        // The length first: no two lists of parts are then one text.
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    Some(hex(&digest.finalize()).chars().take(32).collect())
}

/// What is said where nothing could be written.
fn unrecorded(call: &ToolCall, decision: Decision, answer: Answer, error: &StateError) -> Answer {
    let (name, why) = (foreign(&call.name, 120), midway(&error.to_string()));
    match answer {
        Answer::Deny(text) => {
            let hint = error.hint();
            // The call may have been stopped for the same reason.
            let now = if text.contains(&hint) { String::new() } else { format!(" {hint}") };
            Answer::Deny(format!("{text}\nThis is not in the audit log: {why}.{now}"))
        }
        Answer::Told { model, user } if decision == Decision::Observed => {
            Answer::Told { model, user: format!("{user} This is not in the audit log: {why}. {}", error.hint()) }
        }
        Answer::Told { model, .. } => Answer::Deny(format!(
            "stopped {name}: it can't be written into the audit log, and what isn't recorded does not run: {why}.\n{}\n\
             It would have been let run: {model}",
            error.hint()
        )),
        Answer::Pass | Answer::Ask(_) => Answer::Deny(format!(
            "stopped {name}: it can't be written into the audit log, and what isn't recorded does not run: {why}.\n{}",
            error.hint()
        )),
    }
}
