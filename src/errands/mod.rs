//! What is done for whoever asks, a human at the command line or an agent host that has tools: from what was asked to the text
//! and the JSON that say what came of it.
//!
//! One file an errand. Who asks, is told what goes on and has to confirm it is behind [`Front`]. Must not: know clap, a terminal
//! or MCP, or judge a hook's call.

pub mod catalog;
pub mod check;
pub mod clone;
pub mod end_session;
pub mod find;
pub mod front;
pub mod guard;
pub mod log;
pub mod mounting;
pub mod places;
pub mod recover;
pub mod sessions;
pub mod stop_test;
pub mod test_failover;
pub mod whole;
pub mod words;

pub use front::{Front, while_waiting};

use crate::config::Config;
use crate::config::files::Files;
use crate::rewind::desk::Desk;
use crate::rewind::error::RewindError;
use crate::state::StateDir;
use crate::ui::Failure;
use serde_json::Value;
use std::sync::Arc;

/// What came of an errand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// For people.
    pub text: String,
    /// For programs.
    pub object: Value,
}

/// An object with further fields.
#[must_use]
pub fn with(mut object: Value, more: Value) -> Value {
    if let (Some(fields), Value::Object(more)) = (object.as_object_mut(), more) {
        fields.extend(more);
    }
    object
}

/// The config.
///
/// # Errors
/// It is broken, or can't be trusted.
pub fn config(files: &Files) -> Result<Config, Failure> {
    files.config().map_err(|fault| Failure::new(1, fault.0, ""))
}

/// The configured ZVMs, those that are there for recovery only too.
///
/// # Errors
/// None is configured, or the config is broken.
pub fn desk(files: &Files) -> Result<Arc<Desk>, Failure> {
    Ok(Desk::new(&config(files)?, StateDir::at(files.state.clone()))?)
}

impl From<RewindError> for Failure {
    fn from(error: RewindError) -> Self {
        Self::new(error.exit_code(), error.to_string(), error.hint())
    }
}
