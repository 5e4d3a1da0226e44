//! The end of a file level restore session, whosever it is, once it is confirmed.

use super::Done;
use super::front::{Front, while_waiting};
use super::words::{note_silent, or_unknown, time_and_age};
use crate::rewind::desk::Desk;
use crate::rewind::ending::{NotEnded, ended};
use crate::rewind::error::RewindError;
use crate::rewind::session::{Held, Patience};
use crate::rewind::sessions::{self, Session};
use crate::rewind::watch::watched;
use crate::text::{clean, foreign};
use crate::ui::Failure;
use crate::zvm::ZvmError;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::sync::Arc;

/// How long before a mount stood its task may have begun.
const BEFORE: SignedDuration = SignedDuration::from_mins(10);

/// Ends the session with that identifier, and waits for its end.
///
/// # Errors
/// There is none, it was not confirmed, or it could not be ended.
pub fn run(front: &dyn Front, desk: &Arc<Desk>, id: &str) -> Result<Done, Failure> {
    let wanted = id.trim();
    let mut found = while_waiting(front, "looking for the session", None, || {
        sessions::sessions(&desk.zvms, |session| session.identifier.eq_ignore_ascii_case(wanted))
    })?;
    let Some(session) = found.found.pop() else { return Err(not_found(wanted, &found.silent)) };
    note_silent(&found.silent, front);
    let id = foreign(&session.identifier, 100);
    let object = |ended: bool| {
        json!({
            "ok": true,
            "session_id": session.identifier,
            "ended": ended,
            "vm": session.vm,
            "vpg": session.vpg,
            "checkpoint": session.checkpoint,
        })
    };
    if !session.live {
        let status = foreign(&session.status, 60);
        let text = format!("Session {id} is over already ({status}) and holds nothing: there is nothing to end.");
        return Ok(Done { text, object: object(false) });
    }
    let position = session.zvms.first().copied().unwrap_or_default();
    let client = desk.zvm(position)?;
    let zvm = clean(client.name(), 60);
    let since = session.started.and_then(|started| started.checked_sub(BEFORE).ok());
    let by = since.and_then(|since| sessions::begun_by(client, &session.identifier, since));
    front.confirm(&plan(&session, &zvm, by.as_deref(), Timestamp::now()), "End it?")?;
    let held = Held::new(desk, Patience::default());
    let (at, identifier, patience) = (Arc::clone(desk), session.identifier.clone(), held.patience.unmount);
    front.begins()?;
    let end = while_waiting(front, "waiting for the session's end", Some(patience), || {
        // Ctrl-C does not take the order back.
        watched(&held, &front.listen(), |_| (), move || Ok(ended(&at, position, &identifier, patience))).result
    });
    let end = end.map_err(|error| match error {
        RewindError::Signal { .. } => Failure::new(
            error.exit_code(),
            format!("Interrupted while the end of session {id} was waited for: it goes on at ZVM {zvm}."),
            "`zerto-guard rewind sessions` shows whether it is still live.",
        ),
        error => error.into(),
    })?;
    end.map_err(|unended| failed(unended, &session, &zvm))?;
    let text = format!("Session {id} has ended: the disks of VM {} are unmounted.", or_unknown(&session.vm, 100));
    Ok(Done { text, object: object(true) })
}

fn not_found(wanted: &str, silent: &[ZvmError]) -> Failure {
    let wanted = clean(wanted, 100);
    match silent.first() {
        Some(error) => Failure::new(
            6,
            format!("No ZVM that answered lists a session {wanted}, and not all did: {}", error.message),
            error.hint.clone(),
        ),
        None => Failure::new(
            3,
            format!("No ZVM lists a session {wanted}."),
            "`zerto-guard rewind sessions --all` lists those that there are.",
        ),
    }
}

fn failed(unended: NotEnded, session: &Session, zvm: &str) -> Failure {
    let (id, vm, vpg) =
        (foreign(&session.identifier, 100), or_unknown(&session.vm, 100), or_unknown(&session.vpg, 100));
    Failure::new(
        unended.code,
        format!("Session {id} at ZVM {zvm} is still live, or may be: {}", unended.why),
        format!(
            "Run it again in a minute; if that does not help, end the file level restore in the ZVM's own interface. Until \
             then Zerto can restore no files of VM {vm}, and can neither clone nor test VPG {vpg}."
        ),
    )
}

fn plan(session: &Session, zvm: &str, by: Option<&str>, now: Timestamp) -> String {
    let since = session.started.map_or_else(|| "? (the ZVM does not say)".to_owned(), |time| time_and_age(time, now));
    format!(
        "This ends the FLR session {} at ZVM {zvm}:\n\
         \x20 VM          {}\n\
         \x20 VPG         {}\n\
         \x20 checkpoint  {}\n\
         \x20 status      {}\n\
         \x20 mounted     {since}\n\
         \x20 by          {}\n\
         It may be another operator's: whoever looks into it or downloads from it is cut off. The VM itself is not touched.",
        foreign(&session.identifier, 100),
        or_unknown(&session.vm, 100),
        or_unknown(&session.vpg, 100),
        or_unknown(&session.checkpoint, 40),
        foreign(&session.status, 60),
        by.map_or_else(|| "? (the ZVM does not say)".to_owned(), |by| foreign(by, 60)),
    )
}
