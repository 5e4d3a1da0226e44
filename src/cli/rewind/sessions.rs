//! `zerto-guard rewind sessions`: file level restore sessions, by default those that still hold a mount.

use super::super::Context;
use super::super::guard::while_waiting;
use super::words::{day_and_time, note_silent};
use crate::rewind::sessions::{self, Session, Sessions};
use crate::text::foreign;
use crate::ui::{Failure, Printer, Tone, table};
use clap::Args;
use serde_json::{Value, json};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind sessions
  zerto-guard rewind sessions --all --json

A session that is live blocks the next recovery of its VM, and clones and failover tests of its VPG; `rewind end-session ID`
ends one. Sessions that are over stay in the ZVM's list for a while and hold nothing. Times are UTC.
Exit codes: 0 listed, or there is none; 6 no ZVM can be reached.")]
pub struct List {
    /// Those that are over too
    #[arg(long)]
    all: bool,
}

impl List {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let config = context.config()?;
        let desk = super::desk(&config, context)?;
        let quiet = context.printer.is_json();
        let found = while_waiting(quiet, "asking for the sessions", None, || {
            sessions::sessions(&desk.zvms, |session| session.live || self.all)
        })?;
        note_silent(&found.silent, &mut context.printer);
        for warning in &found.warnings {
            context.printer.note(&format!("zerto-guard: names are missing: {warning}"));
        }
        let names: Vec<&str> = desk.zvms.iter().map(|zvm| zvm.name()).collect();
        let objects: Vec<Value> = found.found.iter().map(|session| object(session, &names)).collect();
        let text = text(&found, &context.printer);
        context.printer.result(&text, &Value::Array(objects))?;
        Ok(0)
    }
}

fn text(found: &Sessions, printer: &Printer) -> String {
    let live = found.found.iter().filter(|session| session.live).count();
    let at = if found.silent.is_empty() { "" } else { " at the ZVMs that answered" };
    let count = format!("{live} live session{}{at}", if live == 1 { "" } else { "s" });
    let count = printer.paint(if live == 0 { Tone::Good } else { Tone::Doubt }, &count);
    if found.found.is_empty() {
        return count;
    }
    let rows: Vec<Vec<String>> = found
        .found
        .iter()
        .map(|session| {
            vec![
                session.started.map_or_else(|| "?".into(), day_and_time),
                if session.live { "LIVE".into() } else { "over".into() },
                or_unknown(&session.vm, 60),
                or_unknown(&session.vpg, 60),
                or_unknown(&session.checkpoint, 30),
                foreign(&session.status, 60),
                foreign(&session.identifier, 100),
            ]
        })
        .collect();
    let heading = ["MOUNTED (UTC)", "", "VM", "VPG", "CHECKPOINT", "STATUS", "ID"];
    format!("{}\n{count}", table::columns(&heading, &rows))
}

/// A ZVM's text, or a question mark where it gave none.
pub(super) fn or_unknown(text: &str, max: usize) -> String {
    if text.is_empty() { "?".to_owned() } else { foreign(text, max) }
}

/// The object of the contract; what no ZVM says is null.
pub(super) fn object(session: &Session, zvms: &[&str]) -> Value {
    let known = |text: &String| (!text.is_empty()).then(|| text.clone());
    let at: Vec<&str> = session.zvms.iter().filter_map(|zvm| zvms.get(*zvm).copied()).collect();
    json!({
        "id": session.identifier,
        "vm": known(&session.vm),
        "vm_identifier": known(&session.vm_identifier),
        "vpg": known(&session.vpg),
        "vpg_identifier": known(&session.vpg_identifier),
        "checkpoint": known(&session.checkpoint),
        "status": session.status,
        "live": session.live,
        "started": session.started,
        "zvms": at,
    })
}
