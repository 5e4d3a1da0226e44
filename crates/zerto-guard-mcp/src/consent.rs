//! How a human confirms what a tool is about to do: asked by the server where the client can ask, else by a flag or not at all.
//!
//! Two ways of asking, by the protocol's version: a request to the client (`elicitation/create`), or, since 2026-07-28, an answer
//! that asks for input, after which the client calls again (SEP-2322). Must not: know what is confirmed.

use rmcp::model::{
    ClientCapabilities, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, InputRequest, InputRequiredResult, InputResponses, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, ServiceError};
use rmcp::{Peer, RoleServer};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use zerto_guard::ui::Failure;

/// What counts where the client can't ask the human.
#[derive(Debug, Clone)]
pub enum Without {
    /// The agent's word that the human has said yes.
    Flag(bool),
    /// Nothing: a human runs this command line.
    Command(String),
}

/// How the human can be asked.
pub enum Way {
    /// By a request to the client.
    Request { peer: Peer<RoleServer>, runtime: Handle, ended: CancellationToken },
    /// By an answer that asks for input; with what came back, should this be the second call.
    Rounds { state: Option<String>, answers: Option<InputResponses> },
    /// Not at all.
    None,
}

/// The question's name among the inputs that are asked for.
const KEY: &str = "confirm";

/// How long the client may take to hear that a question is off.
const SOON: Duration = Duration::from_millis(200);

/// How many questions are kept that have not come back.
const MOST: usize = 64;

/// The questions that were put in an answer, so that what comes back is about what will be done.
#[derive(Default)]
pub struct Open(Mutex<VecDeque<Question>>);

struct Question {
    id: String,
    plan: String,
}

impl Open {
    fn put(&self, plan: &str) -> Result<String, Failure> {
        let id = zerto_guard::state::random_word(20).map_err(|why| Failure::new(1, why, ""))?;
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MOST {
            open.pop_front();
        }
        open.push_back(Question { id: id.clone(), plan: stable(plan) });
        Ok(id)
    }

    /// Whether it was asked about this, once.
    fn take(&self, id: &str, plan: &str) -> bool {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = open.iter().position(|question| question.id == id) else { return false };
        open.remove(at).is_some_and(|question| question.plan == stable(plan))
    }
}

/// A plan without the ages of its times, which grow while the human thinks.
fn stable(plan: &str) -> String {
    let cut = |line: &str| {
        let aged = line.ends_with(" ago").then(|| line.rfind(" UTC, ")).flatten();
        aged.and_then(|at| line.get(..at)).unwrap_or(line).to_owned()
    };
    plan.lines().map(cut).collect::<Vec<_>>().join("\n")
}

/// What came of asking.
pub enum Asked {
    /// The human was asked, or need not be: it may be done, or not.
    Known(Result<(), Failure>),
    /// The answer to this call asks the human.
    Pending(Box<InputRequiredResult>),
}

/// Whether the client can put a form to its human.
pub fn can_ask(capabilities: Option<&ClientCapabilities>) -> bool {
    // One that says nothing of the modes has the form, which is the older one.
    capabilities
        .and_then(|capabilities| capabilities.elicitation.as_ref())
        .is_some_and(|elicitation| elicitation.form.is_some() || elicitation.url.is_none())
}

/// Asks the human, or takes what counts without one.
pub fn ask(way: &Way, without: &Without, open: &Open, plan: &str, question: &str) -> Asked {
    match way {
        Way::None => Asked::Known(unasked(without, plan)),
        Way::Request { peer, runtime, ended } => {
            Asked::Known(runtime.block_on(by_request(peer, ended, plan, question)))
        }
        Way::Rounds { state: Some(state), answers } if open.take(state, plan) => {
            let answer = answers.as_ref().and_then(|answers| answers.get(KEY)).cloned();
            Asked::Known(heard(answer.and_then(|answer| serde_json::from_value(answer).ok())))
        }
        Way::Rounds { .. } => match (form(plan, question), open.put(plan)) {
            (Ok(form), Ok(id)) => {
                let requests = [(KEY.to_owned(), InputRequest::Elicitation(ElicitRequest::new(form)))];
                Asked::Pending(Box::new(InputRequiredResult::new(Some(requests.into()), Some(id))))
            }
            (Err(failure), _) | (_, Err(failure)) => Asked::Known(Err(failure)),
        },
    }
}

async fn by_request(
    peer: &Peer<RoleServer>,
    ended: &CancellationToken,
    plan: &str,
    question: &str,
) -> Result<(), Failure> {
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(form(plan, question)?));
    let answer = match peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await {
        Err(error) => Err(error),
        Ok(mut asked) => tokio::select! {
            // Whoever has called it off may have said yes before.
            biased;
            () = ended.cancelled() => {
                // The human need not answer any more. A client that has gone is told nothing.
                let _ = tokio::time::timeout(SOON, asked.cancel(Some("the call was called off".to_owned()))).await;
                return Err(Failure::new(130, "Interrupted; nothing was done.", ""));
            }
            answer = &mut asked.rx => answer.unwrap_or(Err(ServiceError::TransportClosed)),
        },
    };
    match answer {
        Ok(ClientResult::ElicitResult(answer)) => heard(Some(answer)),
        Ok(_) => heard(None),
        Err(error) => Err(Failure::new(
            5,
            format!(
                "Nothing was done: the human could not be asked: {}",
                zerto_guard::text::clean(&error.to_string(), 300)
            ),
            "Try again, or have a human do it with the `zerto-guard` command line.",
        )),
    }
}

/// The form: a plan, and one box that has to be ticked.
fn form(plan: &str, question: &str) -> Result<ElicitRequestParams, Failure> {
    let schema = json!({
        "type": "object",
        "properties": {KEY: {"type": "boolean", "title": question, "description": "As described.", "default": false}},
        "required": [KEY],
    });
    let requested_schema: ElicitationSchema = serde_json::from_value(schema)
        .map_err(|error| Failure::new(1, format!("A fault of zerto-guard-mcp: {error}."), "Please report it."))?;
    let message = format!("{}\n\n{question}", plan.trim_end());
    Ok(ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema })
}

/// Only a yes is one.
fn heard(answer: Option<ElicitResult>) -> Result<(), Failure> {
    let yes = answer.is_some_and(|answer| {
        answer.action == ElicitationAction::Accept
            && answer.content.as_ref().and_then(|content| content.get(KEY)) == Some(&Value::Bool(true))
    });
    if yes { Ok(()) } else { Err(Failure::new(5, "Nothing was done, since it was not confirmed.", "")) }
}

fn unasked(without: &Without, plan: &str) -> Result<(), Failure> {
    let message = |why: &str| format!("Nothing was done: {why}\n{}", plan.trim_end());
    match without {
        Without::Flag(true) => Ok(()),
        Without::Flag(false) => Err(Failure::new(
            5,
            message("it needs a human's yes. This is what would happen:"),
            "Show that to the human and ask. After a yes, and only then, call again with confirmed: true.",
        )),
        Without::Command(line) => Err(Failure::new(
            5,
            message("a human must run this, and this client can't ask one. This is what would happen:"),
            format!("Give the human this command line, for a terminal of their own:\n  {line}"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_about_what_was_asked_and_serves_once() {
        let open = Open::default();
        let id = open.put("ends x\n  mounted  2026-09-21 15:04:05 UTC, 2 minutes ago").unwrap();
        assert!(!open.take("another", "ends x"));
        assert!(open.take(&id, "ends x\n  mounted  2026-09-21 15:04:05 UTC, 3 hours ago"));
        assert!(!open.take(&id, "ends x\n  mounted  2026-09-21 15:04:05 UTC, 3 hours ago"), "a second time");
        let id = open.put("ends x").unwrap();
        assert!(!open.take(&id, "ends y"));
        let first = open.put("x").unwrap();
        for _ in 0..MOST {
            open.put("y").unwrap();
        }
        assert!(!open.take(&first, "x"), "too many are open");
    }

    #[test]
    fn only_a_yes_is_one() {
        let answer = |action, content: Option<Value>| {
            let mut answer = ElicitResult::new(action);
            answer.content = content;
            Some(answer)
        };
        assert!(heard(answer(ElicitationAction::Accept, Some(json!({"confirm": true})))).is_ok());
        for none in [
            None,
            answer(ElicitationAction::Accept, None),
            answer(ElicitationAction::Accept, Some(json!({"confirm": "true"}))),
            answer(ElicitationAction::Accept, Some(json!({"confirm": false}))),
            answer(ElicitationAction::Decline, Some(json!({"confirm": true}))),
            answer(ElicitationAction::Cancel, None),
        ] {
            assert_eq!(heard(none).unwrap_err().code, 5);
        }
    }
}
