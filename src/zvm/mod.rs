//! A Zerto Virtual Manager as the rest of the house sees it: verbs that return values of our own.
//!
//! `wire` alone knows Zerto's JSON, `tls` alone knows `ureq::unversioned`, `auth` alone knows Keycloak.
//! There is no verb for a live failover or a move, and none may be added.

mod auth;
pub(crate) mod chance;
pub mod client;
pub mod error;
mod http;
pub mod model;
#[cfg(test)]
mod testing;
pub mod tls;
mod wire;

pub use client::{Download, Journal, Zvm, broken_download};
pub use error::{ChangeError, ZvmError, ZvmErrorKind};
