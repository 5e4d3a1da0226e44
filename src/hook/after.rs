//! The host tells how a call ended: that is written beside the guard's own line, and learnt from.
//!
//! The call has run, so nothing here decides anything, says anything or takes long, whatever is broken.

use super::args::Args;
use super::{noting, record};
use crate::audit::{self, How, Line, Outcome};
use crate::call::{Tool, ToolCall};
use crate::config::files::Files;
use crate::hosts::Host;
use crate::json::Json;
use crate::state::{StateDir, running};
use std::time::Duration;

/// How a call ended, as the host tells it.
pub(super) struct End<'a> {
    pub how: How,
    pub took: Option<Duration>,
    /// What the tool answered, if it did.
    pub response: Option<&'a Json>,
}

/// Notes it.
pub(super) fn ended(args: &Args, host: Host, call: &ToolCall, end: &End, input: &[u8]) {
    let Ok(files) = Files::find(args.given.clone()) else { return };
    let state = StateDir::at(files.state.clone());
    // Most calls only read, and nothing was written of them.
    if let Some(key) = record::key(host, call, input)
        && running::end(&state, &key)
    {
        let duration_ms = end.took.and_then(|took| u64::try_from(took.as_millis()).ok());
        let line = Outcome { time: audit::now(), key, outcome: end.how, duration_ms };
        let _ = audit::append(&state, &Line::Outcome(line));
    }
    // The host's own tools open no sessions.
    if let (Some(response), false) = (end.response, matches!(call.tool, Tool::Own(_))) {
        noting::note(files, host, call, input, response);
    }
}
