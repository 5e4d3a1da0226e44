//! A Zerto Virtual Manager as the rest of the house sees it: verbs that return values of our own.
//!
//! `wire` alone knows Zerto's JSON, `tls` alone knows `ureq::unversioned`, `auth` alone knows Keycloak.
//! There is no verb for a live failover or a move, and none may be added.

pub mod error;
pub mod model;
