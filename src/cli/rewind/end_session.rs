//! `zerto-guard rewind end-session`: ends a file level restore session, whosever it is, after a yes.

use super::super::Context;
use super::super::guard::while_waiting;
use super::ask::confirmed;
use super::sessions::or_unknown;
use super::words::{note_silent, time_and_age};
use crate::rewind::end::end;
use crate::rewind::sessions::{self, Session};
use crate::text::clean;
use crate::ui::Failure;
use clap::Args;
use jiff::Timestamp;
use serde_json::json;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind sessions
  zerto-guard rewind end-session 3f0c….9b1d… 

It shows whose disks the session mounts, from when and since when, and asks: the session may be another operator's, who may be
downloading from it. With --yes it does not ask. The end is waited for.
Exit codes: 0 ended, or it was over already; 1 it could not be ended; 3 no such session; 5 not confirmed; 6 the ZVM can't be
reached, is not trusted, or refused the login or the right.")]
pub struct End {
    /// The session, as `rewind sessions` lists it
    id: String,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl End {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let config = context.config()?;
        let zvms = super::zvms(&config, context)?;
        let quiet = context.printer.is_json();
        let wanted = self.id.trim();
        let mut found = while_waiting(quiet, "looking for the session", super::PATIENCE, || {
            sessions::sessions(&zvms, |session| session.identifier.eq_ignore_ascii_case(wanted))
        })?;
        let Some(session) = found.found.pop() else { return Err(not_found(wanted, &found.silent)) };
        note_silent(&found.silent, &mut context.printer);
        let object = |ended: bool, status: &str| json!({"ok": true, "session_id": session.identifier, "ended": ended, "status": status, "vm": session.vm});
        if !session.live {
            let (id, status) = (clean(&session.identifier, 100), clean(&session.status, 60));
            let text = format!("Session {id} is over already ({status}) and holds nothing: there is nothing to end.");
            context.printer.result(&text, &object(false, &session.status))?;
            return Ok(0);
        }
        let zvm = session.zvms.first().and_then(|nr| zvms.get(*nr));
        let zvm = zvm.ok_or_else(|| not_found(wanted, &[]))?;
        confirmed(context, &plan(&session, zvm.name(), Timestamp::now()), "End it?", self.yes)?;
        let ended =
            while_waiting(quiet, "waiting for the session's end", super::PATIENCE, || end(zvm, &session.identifier))?;
        let id = clean(&session.identifier, 100);
        let text = format!("Session {id} has ended: the disks of VM {} are unmounted.", or_unknown(&session.vm, 100));
        context.printer.result(&text, &object(true, &ended))?;
        Ok(0)
    }
}

fn not_found(wanted: &str, silent: &[crate::zvm::ZvmError]) -> Failure {
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

fn plan(session: &Session, zvm: &str, now: Timestamp) -> String {
    let since = session.started.map_or_else(|| "? (the ZVM does not say)".to_owned(), |time| time_and_age(time, now));
    format!(
        "End the FLR session {} at ZVM {}:\n\
         \x20 VM          {}\n\
         \x20 VPG         {}\n\
         \x20 checkpoint  {}\n\
         \x20 status      {}\n\
         \x20 mounted     {since}\n\
         The ZVM does not say whose it is: it may be another operator's, and what is being browsed or downloaded from it breaks\n\
         off. The VM itself is not touched.",
        clean(&session.identifier, 100),
        clean(zvm, 60),
        or_unknown(&session.vm, 100),
        or_unknown(&session.vpg, 100),
        or_unknown(&session.checkpoint, 40),
        clean(&session.status, 60),
    )
}
