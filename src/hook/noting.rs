//! What is learnt from a tool's answer: on which guest the session is open that it calls by an id.
//!
//! The call has run, so nothing here decides anything or says anything: what can't be noted is not known later, and the calls
//! that carry the id are asked about.

use super::args::Args;
use crate::call::ToolCall;
use crate::classify::sessions::opened;
use crate::config::files::Files;
use crate::deadline::Deadline;
use crate::hosts::Host;
use crate::json::Json;
use crate::state::StateDir;
use crate::state::sessions::Sessions;
use crate::surroundings::Disk;
use jiff::Timestamp;
use std::time::Duration;

/// Far longer than any other note takes, and little enough for the agent to wait.
const PATIENCE: Duration = Duration::from_secs(5);

/// Notes the session that the call opened, if it opened one.
pub(super) fn note(args: &Args, host: Host, call: &ToolCall, response: &Json) {
    let Ok(files) = Files::find(args.given.clone()) else { return };
    let Ok(catalog) = files.catalog(call.cwd.as_deref()) else { return };
    let sessions = Sessions::of(StateDir::at(files.state.clone()), host.name(), call.session.as_deref());
    // One session may be opened through another.
    let disk = Disk { home: files.home, sessions: Some(sessions.clone()) };
    if let Some(opened) = opened(call, response, &catalog, &disk) {
        let deadline = Deadline::after(PATIENCE);
        let _ = sessions.note(&opened.server, &opened.id, &opened.guests, Timestamp::now(), deadline);
    }
}
