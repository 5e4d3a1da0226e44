//! A call that changes a guest: guarded, and what the model and the user are told of it.

use super::Hook;
use super::record::{Done, Said};
use crate::call::ToolCall;
use crate::classify::{Classification, Verdict};
use crate::guard::{GuardError, Guarded, Request, appliance, guard, report};
use crate::hosts::Answer;
use crate::state::{StateDir, hex};
use crate::text::foreign;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

/// Tags these guests and lets the call run, or says why it may not.
pub(super) fn answer(hook: &Hook, call: &ToolCall, known: &Classification, guests: &[String]) -> Said {
    match tagged(hook, call, known, guests) {
        Ok(guarded) => {
            Said::of(told(call, &guarded), Done::Guarded { guarded: Box::new(guarded), rest_unguarded: false })
        }
        Err(error) => {
            let tag = error.tag().map(str::to_owned);
            Said::of(Answer::Deny(refused(call, known, guests, &error)), Done::NotGuarded(tag))
        }
    }
}

fn tagged(hook: &Hook, call: &ToolCall, known: &Classification, guests: &[String]) -> Result<Guarded, GuardError> {
    let config = &hook.config;
    let state = StateDir::at(hook.files.state.clone());
    let appliances = appliance::guarding(&config.zvms, &state, hook.deadline)?;
    let unique = call_id(call);
    let request = Request {
        targets: guests,
        hosts: &config.hosts,
        agent: hook.agent(),
        action: &known.action,
        change: hook.change.filter(|change| !change.is_empty()).unwrap_or(&unique),
        reuse: config.guard.reuse,
        deadline: hook.deadline,
        now: &Timestamp::now,
    };
    guard(&request, &appliances, &state)
}

/// A short id of the call, for a change that the user has not named: the same for what the host calls one call.
fn call_id(call: &ToolCall) -> String {
    let mut digest = Sha256::new();
    for part in [call.session.as_deref(), call.id.as_deref(), Some(&call.name)] {
        digest.update(part.unwrap_or_default());
        digest.update([0]);
    }
    if call.id.is_none() {
        // Nothing tells this call from the next one but the moment.
        digest.update(Timestamp::now().as_nanosecond().to_be_bytes());
        digest.update(std::process::id().to_be_bytes());
    }
    hex(&digest.finalize()).chars().take(8).collect()
}

fn told(call: &ToolCall, guarded: &Guarded) -> Answer {
    let stands = report::where_it_stands(guarded);
    let name = foreign(&call.name, 120);
    Answer::Told {
        model: format!(
            "zerto-guard: before this call of {name}, {stands}. {}\nTag: {}",
            report::HOW_TO_REWIND,
            guarded.tag
        ),
        user: format!("zerto-guard: before {name}, {stands}. Tag: {}", guarded.tag),
    }
}

fn refused(call: &ToolCall, known: &Classification, guests: &[String], error: &GuardError) -> String {
    const SHOWN: usize = 10;
    let more = guests.len().saturating_sub(SHOWN);
    let mut guests: Vec<String> = guests.iter().take(SHOWN).map(|guest| foreign(guest, 80)).collect();
    if more > 0 {
        guests.push(format!("and {more} more"));
    }
    let mut text = format!(
        "stopped {}, which {} {}, since it could not be guarded. {error}",
        foreign(&call.name, 120),
        if known.verdict == Verdict::Mutating { "changes" } else { "may change" },
        guests.join(", ")
    );
    let hint = error.hint();
    if !hint.is_empty() {
        text.push('\n');
        text.push_str(&hint);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Tool;
    use crate::json::Json;

    #[test]
    fn one_call_has_one_id_and_calls_without_one_differ() {
        let call = |id: Option<&str>| ToolCall {
            tool: Tool::Own("x".into()),
            name: "x".into(),
            input: Json::Object(vec![]),
            cwd: None,
            session: Some("s".into()),
            id: id.map(str::to_owned),
            prompt: None,
            asks_human: false,
        };
        assert_eq!(call_id(&call(Some("toolu_1"))), call_id(&call(Some("toolu_1"))));
        assert_ne!(call_id(&call(Some("toolu_1"))), call_id(&call(Some("toolu_2"))));
        assert_ne!(call_id(&call(None)), call_id(&call(None)));
        assert_eq!(call_id(&call(None)).len(), 8);
    }
}
