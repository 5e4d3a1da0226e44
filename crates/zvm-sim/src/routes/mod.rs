//! The API's routes: which path is answered by what, and the bearer check before them.
//!
//! Owns the table; the answers are in one file for each area. There is no live failover and no move.

mod auth;
mod downloads;
mod flrs;
mod recovery;
mod sites;
mod tasks;
mod vms;
mod vpgs;

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::json::ApiError;
use crate::shared::Shared;
use crate::tokens::Grant;

pub(crate) type App = State<Arc<Shared>>;
pub(crate) type Answer = Result<Response, ApiError>;

/// All routes.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let checkpoints = || get(vpgs::checkpoints).post(vpgs::insert);
    let api = Router::new()
        .route("/v1/vms", get(vms::list))
        .route("/v1/vms/{id}", get(vms::one))
        .route("/v1/vms/{id}/pointsInTime", get(vms::points_in_time))
        .route("/v1/vms/{id}/pointsInTime/stats", get(vms::points_in_time_stats))
        .route("/v1/vpgs", get(vpgs::list))
        .route("/v1/vpgs/statuses", get(vpgs::statuses))
        .route("/v1/vpgs/substatuses", get(vpgs::sub_statuses))
        .route("/v1/vpgs/entitytypes", get(vpgs::entity_types))
        .route("/v1/vpgs/{id}", get(vpgs::one))
        // Both spellings are in use against real ZVMs.
        .route("/v1/vpgs/{id}/checkpoints", checkpoints())
        .route("/v1/vpgs/{id}/Checkpoints", checkpoints())
        .route("/v1/vpgs/{id}/checkpoints/stats", get(vpgs::stats))
        .route("/v1/tasks", get(tasks::list))
        .route("/v1/tasks/types", get(tasks::types))
        .route("/v1/tasks/{id}", get(tasks::one))
        .route("/v1/flrs", get(flrs::list).post(flrs::mount))
        .route("/v1/flrs/{id}", get(flrs::one).delete(flrs::unmount))
        .route("/v1/flrs/{id}/browse", post(flrs::browse))
        .route("/v1/flrs/{id}/download", post(flrs::download))
        .route("/v1/vpgs/{id}/CloneStart", post(recovery::clone_start))
        .route("/v1/vpgs/{id}/FailoverTest", post(recovery::failover_test))
        .route("/v1/vpgs/{id}/FailoverTestStop", post(recovery::failover_test_stop))
        .route("/v1/localsite", get(sites::local))
        .route("/v1/peersites", get(sites::peers))
        .route("/v1/peersites/pairingstatuses", get(sites::pairing_statuses))
        .route("/v1/peersites/{id}", get(sites::peer))
        .route("/v1/serverDateTime/serverDateTimeUtc", get(sites::server_time))
        .route("/v1/virtualizationsites", get(sites::virtualization_sites))
        .route("/v1/virtualizationsites/{id}/vms", get(sites::unprotected_vms))
        .route("/v1/virtualizationsites/{id}/datastores", get(recovery::datastores))
        .route_layer(from_fn_with_state(Arc::clone(&shared), require_bearer));
    Router::new()
        .route("/auth/realms/{realm}/protocol/openid-connect/token", post(auth::token))
        .route("/auth/realms/{realm}/.well-known/openid-configuration", get(auth::discovery))
        // Whether this one wants a token is a setting.
        .route("/v1/downloads/{id}", get(downloads::get))
        .merge(api)
        .fallback(not_found)
        .with_state(shared)
}

async fn not_found() -> ApiError {
    ApiError::new(404, "No HTTP resource was found that matches the request URI.")
}

/// 401 as for no token, or for one that has ended. The body is unknown; chosen: a message like that of other errors.
pub(crate) fn unauthorized() -> Response {
    let mut answer = ApiError(StatusCode::UNAUTHORIZED, "Authorization has been denied for this request.".to_owned())
        .into_response();
    let challenge = HeaderValue::from_static("Bearer error=\"invalid_token\"");
    answer.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    answer
}

async fn require_bearer(State(shared): App, mut request: Request, next: Next) -> Response {
    let Some(grant) = grant(&shared, request.headers()) else {
        return unauthorized();
    };
    request.extensions_mut().insert(grant);
    next.run(request).await
}

fn grant(shared: &Shared, headers: &HeaderMap) -> Option<Grant> {
    let text = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = text.split_once(' ')?;
    let state = shared.state();
    let needs_openid = state.settings.requires_openid_scope;
    let grant = scheme.eq_ignore_ascii_case("bearer").then(|| state.tokens.check(token.trim())).flatten()?;
    (grant.openid || !needs_openid).then(|| grant.clone())
}

/// The values of a query (or of a form). Names count whatever their case (Zerto's help: not case-sensitive); an empty
/// value is none.
#[derive(Debug)]
pub(crate) struct Values(Vec<(String, String)>);

impl Values {
    pub(crate) fn read(text: &[u8]) -> Self {
        Self(form_urlencoded::parse(text).map(|(n, v)| (n.into_owned(), v.into_owned())).collect())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, v)| n.eq_ignore_ascii_case(name) && !v.is_empty()).map(|(_, v)| v.as_str())
    }

    /// Whether the value is absent, or one of these whatever its case.
    pub(crate) fn allows(&self, name: &str, any: &[&str]) -> bool {
        self.get(name).is_none_or(|v| any.iter().any(|a| a.eq_ignore_ascii_case(v)))
    }

    /// A date; `Err` if it can't be read.
    pub(crate) fn date(&self, name: &str, utc_offset_minutes: i32) -> Result<Option<i64>, ApiError> {
        let Some(text) = self.get(name) else {
            return Ok(None);
        };
        match crate::dates::parse(text, utc_offset_minutes) {
            Some(ms) => Ok(Some(ms)),
            None => Err(ApiError::new(400, format!("The value '{text}' of {name} is not a valid date."))),
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Values {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::read(parts.uri.query().unwrap_or_default().as_bytes()))
    }
}
