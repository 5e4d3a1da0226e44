//! Bodies as the API writes them: the case of keys, what is left out, links.
//!
//! Everything is built in PascalCase with all fields that were seen in real answers; this turns it into the form that
//! is set.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use crate::settings::{Casing, Settings};
use crate::tasks::Refused;

/// In real answers (recorded bodies, published clients), and not in the OpenAPI file of 10.0 U6.
const NOT_IN_OPENAPI: [&str; 12] = [
    "VmIdentifier",
    "VpgIdentifier",
    "SiteIdentifier",
    "TaskIdentifier",
    "SourceSite",
    "TargetSite",
    "OrganizationName",
    "ServiceProfileIdentifier",
    "ServiceProfileName",
    "Link_{0}",
    // Of `Entities`.
    "Source",
    "Target",
];

/// A ZVM's error: a status and `{"Message": …}`.
#[derive(Debug)]
pub(crate) struct ApiError(pub(crate) StatusCode, pub(crate) String);

impl ApiError {
    pub(crate) fn new(status: u16, message: impl Into<String>) -> Self {
        Self(StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), message.into())
    }
}

impl From<Refused> for ApiError {
    fn from(Refused(status, message): Refused) -> Self {
        Self::new(status, message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        body(self.0, &json!({ "Message": self.1 }))
    }
}

/// A JSON answer, as it is.
pub(crate) fn body(status: StatusCode, value: &Value) -> Response {
    let kind = HeaderValue::from_static("application/json; charset=utf-8");
    (status, [(header::CONTENT_TYPE, kind)], value.to_string()).into_response()
}

/// A ZVM's answer, in the form that is set. `top` are fields that a sparse answer keeps, since here the OpenAPI file
/// has them.
pub(crate) fn answer(settings: &Settings, value: Value, keep: &[&str]) -> Response {
    let mut value = value;
    if settings.sparse {
        value = without(value, keep);
    }
    if settings.casing == Casing::Camel {
        value = camel(value);
    }
    body(StatusCode::OK, &value)
}

fn without(value: Value, keep: &[&str]) -> Value {
    map_objects(value, &|key| (keep.contains(&key) || !NOT_IN_OPENAPI.contains(&key)).then(|| key.to_owned()))
}

fn camel(value: Value) -> Value {
    map_objects(value, &|key| {
        if key == "IOPs" {
            // The one name that the OpenAPI file writes unlike the rule.
            return Some("ioPs".to_owned());
        }
        let mut chars = key.chars();
        chars.next().map(|first| first.to_lowercase().chain(chars).collect())
    })
}

fn map_objects(value: Value, name: &impl Fn(&str) -> Option<String>) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(|v| map_objects(v, name)).collect(),
        Value::Object(fields) => Value::Object(
            fields.into_iter().filter_map(|(k, v)| name(&k).map(|k| (k, map_objects(v, name)))).collect::<Map<_, _>>(),
        ),
        other => other,
    }
}

/// The address that links begin with: the appliance's own, which need not be the one that the client knows it by.
pub(crate) const OWN_ADDRESS: &str = "https://192.0.2.2";

/// `{identifier, href, rel, type}`, with an absolute href and members in lower case as in recorded bodies.
pub(crate) fn link(identifier: &str, path: &str, kind: &str) -> Value {
    json!({ "identifier": identifier, "href": format!("{OWN_ADDRESS}{path}"), "rel": null, "type": kind })
}

/// The second link of recorded bodies: the same href, and no identifier.
pub(crate) fn self_link(path: &str, kind: &str) -> Value {
    json!({ "href": format!("{OWN_ADDRESS}{path}"), "rel": "self", "type": kind })
}
