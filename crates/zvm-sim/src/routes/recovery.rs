//! Clones and failover tests of a VPG, and the datastores that a clone may go to.
//!
//! Fields: OpenAPI 10.0 U6 (a clone takes `checkpointId`, a test `checkpointIdentifier`). Live failovers and moves are
//! not simulated, and no client of ours may call them.

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Path, State as Extract};
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::flrs::Fields;
use super::{Answer, App};
use crate::json::{ApiError, answer, body};
use crate::recovery::Wanted;
use crate::tokens::{Grant, Role};

/// 403 for a role that may not: inferred.
fn may(who: &Grant) -> Result<(), ApiError> {
    match who.role {
        Role::Admin => Ok(()),
        _ => Err(ApiError::new(403, "User does not have the required permissions for this operation.")),
    }
}

/// `POST /v1/vpgs/{id}/CloneStart`: a task id as a JSON string.
pub(super) async fn clone_start(
    Extract(shared): App,
    Extension(who): Extension<Grant>,
    Path(id): Path<String>,
    text: Bytes,
) -> Answer {
    may(&who)?;
    let fields = Fields::read(&text)?;
    let wanted = Wanted {
        vpg: id,
        checkpoint: fields.text("checkpointId"),
        datastore: fields.text("datastoreIdentifier"),
        vms: fields.texts("vmIdentifiers"),
    };
    let task = shared.state().recover(&wanted, false, &who.name)?;
    Ok(body(StatusCode::OK, &Value::String(task)))
}

/// `POST /v1/vpgs/{id}/FailoverTest`: a task id as a JSON string. A body is needed (an issue of a published client).
pub(super) async fn failover_test(
    Extract(shared): App,
    Extension(who): Extension<Grant>,
    Path(id): Path<String>,
    text: Bytes,
) -> Answer {
    may(&who)?;
    let fields = Fields::read(&text)?;
    let wanted = Wanted {
        vpg: id,
        checkpoint: fields.text("checkpointIdentifier"),
        datastore: None,
        vms: fields.texts("vmIdentifiers"),
    };
    let task = shared.state().recover(&wanted, true, &who.name)?;
    Ok(body(StatusCode::OK, &Value::String(task)))
}

/// `POST /v1/vpgs/{id}/FailoverTestStop`: a task id as a JSON string.
pub(super) async fn failover_test_stop(
    Extract(shared): App,
    Extension(who): Extension<Grant>,
    Path(id): Path<String>,
    text: Bytes,
) -> Answer {
    may(&who)?;
    Fields::read(&text)?;
    let task = shared.state().stop_test(&id, &who.name)?;
    Ok(body(StatusCode::OK, &Value::String(task)))
}

/// `GET /v1/virtualizationsites/{id}/datastores`
pub(super) async fn datastores(Extract(shared): App, Path(id): Path<String>) -> Answer {
    let state = shared.state();
    let known = std::iter::once(&state.site).chain(&state.peers).any(|s| s.identifier.eq_ignore_ascii_case(&id));
    if !known {
        return Err(ApiError::new(state.settings.not_found_status, format!("Site {id} was not found.")));
    }
    let all: Vec<Value> = state
        .datastores()
        .iter()
        .map(|(id, name)| json!({ "DatastoreIdentifier": id, "DatastoreName": name }))
        .collect();
    Ok(answer(&state.settings, all.into(), &[]))
}
