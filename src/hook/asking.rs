//! An unknown call: the answer that a human gave for it serves, or it is stopped with a question.

use super::record::{Done, Said};
use super::{Hook, question};
use crate::audit::Decision;
use crate::call::{Tool, ToolCall};
use crate::catalog::glob::is_glob;
use crate::catalog::model::{Language, Rule};
use crate::classify::Classification;
use crate::classify::sessions::is_id;
use crate::guard::redact;
use crate::hosts::{self, Answer};
use crate::json::Json;
use crate::state::questions::{Answer as Given, Call, Question, Questions, Remember};
use crate::state::{StateDir, StateError};
use crate::text::{clean, foreign, midway};
use jiff::Timestamp;

/// Takes the human's answer for this very call, if there is one.
///
/// # Errors
/// A text for the deny: the state folder can't be used.
pub(super) fn given(hook: &Hook, call: &ToolCall, known: &Classification) -> Result<Option<Given>, String> {
    let digest = digest(hook, call, known)?;
    let taken = questions(hook).and_then(|questions| questions.take(&digest, Timestamp::now()));
    taken.map_err(|error| stopped(call, &error))
}

/// Gives an answer back that served nothing, because the guard failed: the human need not be asked again.
pub(super) fn give_back(hook: &Hook, call: &ToolCall, known: &Classification, given: &Given) {
    if let (Ok(digest), Ok(questions)) = (digest(hook, call, known), questions(hook)) {
        // Should that fail, the call is asked about again, which is safe.
        let _ = questions.give(&digest, given);
    }
}

/// Stops the call with a question for the human.
pub(super) fn ask(hook: &Hook, call: &ToolCall, known: &Classification) -> Said {
    match noted(hook, call, known) {
        Ok((id, remembers)) => {
            let text = question::text(call, known, &id, remembers, &hook.args.given, &hook.catalog);
            Said::of(Answer::Deny(text), Done::Plainly(Decision::Asked))
        }
        Err(text) => Said::stopped(Answer::Deny(text)),
    }
}

/// The question's id, and whether its answer can be remembered.
fn noted(hook: &Hook, call: &ToolCall, known: &Classification) -> Result<(String, bool), String> {
    let id = question::new_id().map_err(|why| super::not_judged(&why, super::REPORT))?;
    let question = Question {
        asked: Timestamp::now(),
        call: digest(hook, call, known)?,
        what: clean(&call.name, 200),
        input: question::shown(call, known, &hook.catalog),
        guests: known.guests(),
        reason: clean(&known.reason, 400),
        cwd: call.cwd.clone().unwrap_or_default(),
        remember: if hook.args.given.managed { None } else { remember(hook, call) },
    };
    questions(hook).and_then(|questions| questions.ask(&id, &question)).map_err(|error| stopped(call, &error))?;
    Ok((id, question.remember.is_some()))
}

fn questions(hook: &Hook) -> Result<Questions, StateError> {
    Questions::of(&StateDir::at(hook.files.state.clone()))
}

fn stopped(call: &ToolCall, error: &StateError) -> String {
    format!(
        "stopped {}: it is not known whether it changes a guest, and the question can't be put, since {}.\n{}",
        foreign(&call.name, 120),
        midway(&error.to_string()),
        error.hint()
    )
}

fn digest(hook: &Hook, call: &ToolCall, known: &Classification) -> Result<String, String> {
    let input =
        hosts::canonical_input(hook.host, hook.input, call).map_err(|why| super::not_judged(&why, super::REPORT))?;
    let bound = Call {
        host: hook.host.name(),
        session: call.session.as_deref().unwrap_or(hook.host.name()),
        tool: &call.name,
        cwd: call.cwd.as_deref().unwrap_or_default(),
        input: &input,
        scripts: &known.scripts,
    };
    Ok(bound.digest())
}

/// The narrowest entry that would guard such calls from now on: this tool of this server. None for shell text: an entry that
/// says of a program that it changes the machine on which it runs would let it run on the agent's own without a word.
fn remember(hook: &Hook, call: &ToolCall) -> Option<Remember> {
    let (server, tool) = match &call.tool {
        Tool::OfServer { server, tool } => (server.clone(), tool.clone()),
        // The host's own tools run on the agent's machine, and one whose server is not known can't be named.
        Tool::Own(_) | Tool::Joined(_) | Tool::Underscored(_) | Tool::OfSomeServer(_) => return None,
    };
    let vm = match hook.catalog.find(&server, &tool).base.map(|hit| hit.entry.rule) {
        // Shell text is judged by what it says: nothing is to be said of all of it.
        Some(Rule::Script { language: Language::Sh, .. }) => return None,
        // An id names another guest tomorrow.
        Some(Rule::Script { vm, .. } | Rule::Mutating { vm, .. }) if is_id(call, vm, &hook.catalog) => return None,
        Some(Rule::Script { vm, .. } | Rule::Mutating { vm, .. } | Rule::Opens { vm, .. }) if !vm.is_empty() => {
            Some(vm.to_owned())
        }
        _ => None,
    };
    let texts = match &call.input {
        Json::Object(fields) => fields.iter().filter_map(|(name, value)| short(name, value)).collect(),
        _ => vec![],
    };
    // A name that a catalog would read as a glob would stand for others too.
    if is_glob(&server) || is_glob(&tool) {
        return None;
    }
    Some(Remember { server, tool, vm, texts })
}

/// An argument that could be a guest's name; no long text is kept on the disk for that, and no secret.
fn short(name: &str, value: &Json) -> Option<(String, String)> {
    let text = value.as_text().filter(|text| text.len() <= 80)?;
    let hostlike = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
    let said = format!("{name}={text}");
    let fits = !name.contains('.') && text.chars().all(hostlike) && redact(&said) == said;
    fits.then(|| (name.to_owned(), text.to_owned()))
}
