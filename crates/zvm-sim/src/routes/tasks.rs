//! `/v1/tasks`: what became of what was asked for.
//!
//! Fields: OpenAPI 10.0 U6; `TaskIdentifier` beyond it (Zerto's help). How long an ended task stays readable is unknown;
//! chosen: for ever.

use axum::extract::{Path, State as Extract};
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{Answer, App, Values};
use crate::dates;
use crate::json::{ApiError, answer, body, link};
use crate::state::State;
use crate::tasks::Task;

/// The names that the filter `status` takes beside numbers (OpenAPI 10.0 U6; 2 and 5: Zerto's SDK).
const STATES: [&str; 8] =
    ["", "InProgress", "WaitingForUserInput", "Paused", "Failed", "Stopped", "Completed", "Cancelling"];

fn object(state: &State, task: &Task) -> Value {
    let form = state.settings.dates;
    let vpg = link(&task.vpg, &format!("/v1/vpgs/{}", task.vpg), "VpgApi");
    let site = link(&state.site.identifier, "/v1/localsite", "LocalSiteApi");
    let session = |id: &String| link(id, &format!("/v1/flrs/{id}"), "FlrSessionInformationApi");
    let sessions: Vec<Value> = task.flr_session.iter().map(session).collect();
    json!({
        "TaskIdentifier": task.id,
        "Link": link(&task.id, &format!("/v1/tasks/{}", task.id), "TaskApi"),
        "Type": task.task_type,
        "Status": { "State": task.state, "Progress": task.progress_now() },
        "InitiatedBy": task.initiated_by,
        "Started": dates::value(task.started_ms, form),
        "Completed": task.completed_ms.map(|ms| dates::value(ms, form)),
        "CompleteReason": task.complete_reason,
        "IsCancellable": false,
        "RelatedEntities": { "Vpgs": [vpg], "Sites": [site], "Hosts": [], "FlrSessions": sessions },
        "Generation": 1,
    })
}

/// `GET /v1/tasks`
pub(super) async fn list(Extract(shared): App, query: Values) -> Answer {
    let state = shared.state();
    let date = |name| query.date(name, state.settings.utc_offset_minutes);
    let (after, before) = (date("startedAfterDate")?, date("startedBeforeDate")?);
    let (ended_after, ended_before) = (date("completedAfterDate")?, date("completedBeforeDate")?);
    let within = |ms: Option<i64>, after: Option<i64>, before: Option<i64>| match ms {
        Some(ms) => after.is_none_or(|a| ms >= a) && before.is_none_or(|b| ms <= b),
        None => after.is_none() && before.is_none(),
    };
    let found: Vec<Value> = state
        .tasks
        .iter()
        .filter(|t| t.readable())
        .filter(|t| within(Some(t.started_ms), after, before) && within(t.completed_ms, ended_after, ended_before))
        .filter(|t| query.allows("type", &[&t.task_type]))
        .filter(|t| {
            let name = STATES.get(usize::from(t.state)).copied().unwrap_or_default();
            query.allows("status", &[&t.state.to_string(), name])
        })
        .map(|t| object(&state, t))
        .collect();
    Ok(answer(&state.settings, found.into(), &[]))
}

/// `GET /v1/tasks/{id}`
pub(super) async fn one(Extract(shared): App, Path(id): Path<String>) -> Answer {
    let state = shared.state();
    let task = state.tasks.iter().find(|t| t.id.eq_ignore_ascii_case(&id) && t.readable());
    match task {
        Some(task) => Ok(answer(&state.settings, object(&state, task), &[])),
        None => Err(ApiError::new(state.settings.not_found_status, format!("Task {id} was not found."))),
    }
}

/// `GET /v1/tasks/types`: the few that are known.
pub(super) async fn types() -> Answer {
    let known = ["InsertTaggedCP", "FlrJournalMount", "FlrJournalUnmount", "Clone", "FailOverTest", "StopFailOverTest"];
    Ok(body(StatusCode::OK, &json!(known)))
}
