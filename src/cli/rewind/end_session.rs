//! `zerto-guard rewind end-session`: ends a file level restore session, whosever it is, after a yes.

use super::super::Context;
use super::super::guard::while_waiting;
use super::mounting::confirm;
use super::sessions::or_unknown;
use super::words::{note_silent, time_and_age};
use crate::rewind::ending::{NotEnded, ended};
use crate::rewind::error::RewindError;
use crate::rewind::session::{Held, Patience};
use crate::rewind::sessions::{self, Session};
use crate::rewind::watch::watched;
use crate::text::{clean, foreign};
use crate::ui::Failure;
use crate::zvm::model::Task;
use crate::zvm::{Zvm, ZvmError};
use clap::Args;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::sync::Arc;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind sessions
  zerto-guard rewind end-session 5f0c1b2a-….9b1d3c4e-…

It shows whose disks the session mounts, from when and since when, and asks: the session may be another operator's, who may be
downloading from it. With --yes it does not ask. The end is waited for.
Exit codes: 0 ended, or it was over already; 1 it could not be ended; 3 no such session; 5 not confirmed; 6 the ZVM can't be
reached, is not trusted, or refused the login or the right.")]
pub struct End {
    /// The session, as `rewind sessions` lists it
    id: String,
    /// Don't ask
    #[arg(short, long)]
    yes: bool,
}

impl End {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let config = context.config()?;
        let desk = super::desk(&config, context)?;
        let quiet = context.printer.is_json();
        let wanted = self.id.trim();
        let mut found = while_waiting(quiet, "looking for the session", None, || {
            sessions::sessions(&desk.zvms, |session| session.identifier.eq_ignore_ascii_case(wanted))
        })?;
        let Some(session) = found.found.pop() else { return Err(not_found(wanted, &found.silent)) };
        note_silent(&found.silent, &mut context.printer);
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
            context.printer.result(&text, &object(false))?;
            return Ok(0);
        }
        let position = session.zvms.first().copied().unwrap_or_default();
        let zvm = clean(desk.zvm(position)?.name(), 60);
        let by = begun_by(desk.zvm(position)?, &session);
        confirm(context, &plan(&session, &zvm, by.as_deref(), Timestamp::now()), "End it?", self.yes)?;
        let held = Held::new(&desk, Patience::default());
        let (at, identifier, patience) = (Arc::clone(&desk), session.identifier.clone(), held.patience.unmount);
        let end = while_waiting(quiet, "waiting for the session's end", Some(patience), || {
            // Ctrl-C does not take the order back.
            watched(&held, |_| (), move || Ok(ended(&at, position, &identifier, patience))).result
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
        context.printer.result(&text, &object(true))?;
        Ok(0)
    }
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

/// Who began it, where the ZVM still has the task of its mount and says so.
fn begun_by(zvm: &Zvm, session: &Session) -> Option<String> {
    const BEFORE: SignedDuration = SignedDuration::from_mins(10);
    let tasks = zvm.mount_tasks_since(session.started?.checked_sub(BEFORE).ok()?).ok()?;
    let of_it = |task: &Task| task.flr_sessions.iter().any(|id| id.eq_ignore_ascii_case(&session.identifier));
    tasks.into_iter().find(of_it).map(|task| task.initiated_by).filter(|by| !by.is_empty())
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
