//! File level restore sessions, by default those that still hold a mount.

use super::Done;
use super::front::{Front, while_waiting};
use super::words::{day_and_time, note_silent, or_unknown};
use crate::rewind::desk::Desk;
use crate::rewind::sessions::{self, Session, Sessions};
use crate::text::{count, foreign};
use crate::ui::{Failure, Paint, Tone, table};
use serde_json::{Value, json};

/// Those that are live, or all. The object is a list.
///
/// # Errors
/// No ZVM can be reached.
pub fn run(front: &dyn Front, desk: &Desk, all: bool) -> Result<Done, Failure> {
    let found = while_waiting(front, "asking for the sessions", None, || {
        sessions::sessions(&desk.zvms, |session| session.live || all)
    })?;
    note_silent(&found.silent, front);
    for warning in &found.warnings {
        front.note(&format!("names are missing: {warning}"));
    }
    let names: Vec<&str> = desk.zvms.iter().map(|zvm| zvm.name()).collect();
    let objects: Vec<Value> = found.found.iter().map(|session| object(session, &names)).collect();
    Ok(Done { text: text(&found, front.paint()), object: Value::Array(objects) })
}

fn text(found: &Sessions, paint: Paint) -> String {
    let live = found.found.iter().filter(|session| session.live).count();
    let at = if found.silent.is_empty() { "" } else { " at the ZVMs that answered" };
    let count = format!("{}{at}", count(live, "live session"));
    let count = paint.paint(if live == 0 { Tone::Good } else { Tone::Doubt }, &count);
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

/// The object of the contract; what no ZVM says is null.
fn object(session: &Session, zvms: &[&str]) -> Value {
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
