//! What is learnt of MCP sessions: on which guest one is open that its tool calls by an id.
//!
//! An opening is noted before it runs, and its id when it has answered. Where no answer was seen, its id may be one that was
//! known before, of another guest: servers give some of them out again. After the call nothing here decides or says anything:
//! what can't be noted is not known later, and the calls that carry the id are asked about.

use super::{Hook, record};
use crate::call::ToolCall;
use crate::classify::Classification;
use crate::classify::sessions::opening as opening_of;
use crate::config::files::Files;
use crate::deadline::Deadline;
use crate::hosts::Host;
use crate::json::Json;
use crate::state::StateDir;
use crate::state::sessions::{Opening, Sessions};
use crate::surroundings::Disk;
use crate::text::{foreign, midway};
use jiff::Timestamp;
use std::time::Duration;

/// Far longer than any note takes, and little enough for the agent to wait.
const PATIENCE: Duration = Duration::from_secs(5);

/// Notes that a session is about to be opened. Where no session is known there is none to be taken for it, and nothing is
/// noted.
///
/// # Errors
/// A text for the deny: it can't be noted.
pub(super) fn opening(hook: &Hook, call: &ToolCall, known: &Classification, disk: &Disk) -> Result<(), String> {
    let opens = known.decided_by.as_ref().is_some_and(|by| by.key == "opens");
    let Some(sessions) = disk.sessions.as_ref().filter(|sessions| opens && sessions.are_any()) else { return Ok(()) };
    let Some(opening) = opening_of(call, &hook.catalog, disk) else { return Ok(()) };
    let Some(key) = record::key(hook.host, call, hook.input) else { return Ok(()) };
    let noted = Opening { call: key, began: Timestamp::now(), guests: opening.guests.unwrap_or_default() };
    sessions.begin(&opening.server, noted, hook.deadline.within(PATIENCE)).map_err(|error| {
        format!(
            "stopped {}: that a session is opened can't be noted, and its id could later be taken for another's: {}.\n{}",
            foreign(&call.name, 120),
            midway(&error.to_string()),
            error.hint()
        )
    })
}

/// Notes the session that the call opened, if it opened one.
pub(super) fn note(files: Files, host: Host, call: &ToolCall, input: &[u8], response: &Json) {
    let Ok(catalog) = files.catalog(call.cwd.as_deref()) else { return };
    let sessions = Sessions::of(StateDir::at(files.state.clone()), host.name(), call.session.as_deref());
    // One session may be opened through another.
    let disk = Disk { home: files.home, sessions: Some(sessions.clone()) };
    if let Some(opened) = opening_of(call, &catalog, &disk).and_then(|opening| opening.opened(response)) {
        let key = record::key(host, call, input).unwrap_or_default();
        let deadline = Deadline::after(PATIENCE);
        let _ = sessions.note(&opened.server, &opened.id, &opened.guests, &key, Timestamp::now(), deadline);
    }
}
