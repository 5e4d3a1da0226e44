//! Keycloak: the token call of the realm `zerto`.
//!
//! Grants and form fields: OpenAPI 10.0 U6 (password) and published clients (client_credentials, refresh_token).
//! Answers are snake_case, unlike the ZVM's. Error texts are Keycloak's own, as far as they are known.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;

use super::{App, Values};
use crate::flr::settings::FlrSettings;
use crate::json::body;
use crate::shared::Shared;
use crate::tokens::{Account, Role};

/// The client that every appliance has (measured on a live ZVM 10.x).
const PUBLIC_CLIENT: &str = "zerto-client";

fn refuse(status: u16, error: &str, description: &str) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    body(status, &json!({ "error": error, "error_description": description }))
}

/// One token request in flight. Counted down when dropped, since a client may go away in the middle.
struct InFlight {
    shared: Arc<Shared>,
    lost: bool,
}

impl InFlight {
    fn enter(shared: &Arc<Shared>) -> Self {
        let mut state = shared.state();
        let lost = state.settings.token_race && state.tokens.in_flight > 0;
        state.tokens.in_flight += 1;
        Self { shared: Arc::clone(shared), lost }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.tokens.in_flight = state.tokens.in_flight.saturating_sub(1);
    }
}

/// `POST /auth/realms/{realm}/protocol/openid-connect/token`
pub(super) async fn token(State(shared): App, Path(realm): Path<String>, form: Bytes) -> Response {
    if realm != "zerto" {
        return body(StatusCode::NOT_FOUND, &json!({ "error": "Realm does not exist" }));
    }
    let flight = InFlight::enter(&shared);
    let takes = shared.state().settings.token_time;
    tokio::time::sleep(takes).await;
    if flight.lost {
        // Measured on a live ZVM 10.x: 401. Its body is unknown; chosen: that of wrong credentials.
        return refuse(401, "invalid_grant", "Invalid user credentials");
    }
    grant(&shared, &Values::read(&form))
}

fn grant(shared: &Shared, form: &Values) -> Response {
    let Some(kind) = form.get("grant_type") else {
        return refuse(400, "invalid_request", "Missing form parameter: grant_type");
    };
    let Some(client_id) = form.get("client_id") else {
        return refuse(401, "invalid_client", "Invalid client or Invalid client credentials");
    };
    let mut state = shared.state();
    let tokens = &state.tokens;
    let confidential = tokens.clients.iter().find(|c| c.name == client_id);
    if confidential.is_none() && client_id != PUBLIC_CLIENT {
        return refuse(401, "invalid_client", "Invalid client or Invalid client credentials");
    }
    if confidential.is_some_and(|c| form.get("client_secret") != Some(&c.secret)) {
        return refuse(401, "unauthorized_client", "Invalid client or Invalid client credentials");
    }
    let who = match kind {
        "password" => {
            let (Some(name), Some(secret)) = (form.get("username"), form.get("password")) else {
                return refuse(401, "invalid_grant", "Invalid user credentials");
            };
            match tokens.users.iter().find(|u| u.name.eq_ignore_ascii_case(name) && u.secret == secret) {
                Some(user) => user.clone(),
                None => return refuse(401, "invalid_grant", "Invalid user credentials"),
            }
        }
        "client_credentials" => match confidential {
            Some(client) => Account { name: format!("service-account-{client_id}"), ..client.clone() },
            None => {
                return refuse(401, "unauthorized_client", "Client not enabled to retrieve service account");
            }
        },
        "refresh_token" => match form.get("refresh_token").and_then(|t| tokens.check_refresh(t)) {
            Some(grant) => Account { name: grant.name.clone(), secret: String::new(), role: grant.role },
            None => return refuse(400, "invalid_grant", "Token is not active"),
        },
        _ => return refuse(400, "unsupported_grant_type", "Unsupported grant_type"),
    };
    // A refreshed token keeps its scope.
    let openid = form.get("scope").is_some_and(|s| s.split(' ').any(|s| s == "openid"))
        || form
            .get("refresh_token")
            .filter(|_| kind == "refresh_token")
            .and_then(|t| tokens.check_refresh(t))
            .is_some_and(|g| g.openid);
    let (life, refresh_life) = (state.settings.token_life, state.settings.refresh_life);
    // Keycloak gives a service account no refresh token (inferred).
    let refreshes = kind != "client_credentials";
    let (access, refresh) = state.tokens.issue(&who, openid, life, refreshes.then_some(refresh_life));
    let mut answer = json!({
        "access_token": access,
        "expires_in": life.as_secs(),
        "refresh_expires_in": if refreshes { refresh_life.as_secs() } else { 0 },
        "token_type": "Bearer",
        "not-before-policy": 0,
        "session_state": crate::world::guid(&who.name),
        "scope": if openid { "openid profile email" } else { "profile email" },
    });
    if let (Some(refresh), Some(fields)) = (refresh, answer.as_object_mut()) {
        fields.insert("refresh_token".to_owned(), refresh.into());
    }
    body(StatusCode::OK, &answer)
}

/// `GET /auth/realms/{realm}/.well-known/openid-configuration`: a published client tells a 10.x by it.
pub(super) async fn discovery(State(shared): App, Path(realm): Path<String>) -> Response {
    if realm != "zerto" {
        return body(StatusCode::NOT_FOUND, &json!({ "error": "Realm does not exist" }));
    }
    let issuer = format!("{}/auth/realms/zerto", shared.url);
    body(
        StatusCode::OK,
        &json!({
            "issuer": issuer,
            "token_endpoint": format!("{issuer}/protocol/openid-connect/token"),
            "grant_types_supported": ["password", "client_credentials", "refresh_token"],
        }),
    )
}

/// Whether that account may restore files.
pub(super) fn may_restore(role: Role, settings: &FlrSettings) -> bool {
    match role {
        Role::Admin => true,
        Role::FlrOperator => !settings.refuses_operator,
        Role::Viewer => false,
    }
}

/// Whether that account may insert checkpoints.
pub(super) fn may_insert(role: Role) -> bool {
    role == Role::Admin
}
