//! The tags, newest first.

use super::Done;
use super::front::{Front, while_waiting};
use crate::audit::{self, Fate, Story, fates};
use crate::rewind::desk::Desk;
use crate::rewind::log::{self, Filter};
use crate::rewind::select::Tagged;
use crate::state::StateDir;
use crate::text::{clean, foreign, midway};
use crate::ui::{Failure, table};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The tags of a VM's VPGs, or of all. The text is a table with a heading, or empty; the object is a list.
///
/// # Errors
/// The VM is none or more than one, or no ZVM can be reached.
pub fn run(front: &dyn Front, desk: &Desk, vm: Option<&str>, filter: &Filter, now: Timestamp) -> Result<Done, Failure> {
    let doing = match (vm, filter.since) {
        // A site may have a thousand of them, and a journal half a million checkpoints.
        (None, None) => {
            "reading the journals of all VPGs; one VM's (`rewind log VM`), or the last day's (--since 1d), take less"
        }
        _ => "reading the journals",
    };
    let found = while_waiting(front, doing, None, || log::log(vm, filter, &desk.hosts, &desk.zvms, now))?;
    for warning in &found.warnings {
        front.note(&format!("not all could be read: {warning}"));
    }
    let stories = stories(front, &desk.state);
    let fates = fates(&stories);
    let objects: Vec<Value> = found.tags.iter().map(|tagged| object(tagged, &found, &fates)).collect();
    let text = if found.tags.is_empty() { String::new() } else { text(&found, &fates, now) };
    Ok(Done { text, object: Value::Array(objects) })
}

/// What this machine's log tells of the calls; what it can't tell is not shown.
fn stories(front: &dyn Front, state: &StateDir) -> Vec<Story> {
    match audit::read(state) {
        Ok(read) => audit::stories(read.lines),
        Err(error) => {
            front.note(&format!("how the calls ended is not known: {}. {}", midway(&error.to_string()), error.hint()));
            vec![]
        }
    }
}

fn text(found: &log::Log, fates: &HashMap<&str, Fate>, now: Timestamp) -> String {
    let rows: Vec<Vec<String>> = found
        .tags
        .iter()
        .map(|tagged| {
            let says = tagged.says.as_ref();
            let vpgs: Vec<String> = tagged.places.iter().map(|place| foreign(&place.vpg, 40)).collect();
            vec![
                tagged.time.map_or_else(|| "?".into(), |time| time.strftime("%Y-%m-%d %H:%M:%S").to_string()),
                says.map_or_else(|| "-".into(), |says| foreign(&says.agent, 60)),
                says.map_or_else(|| "-".into(), |says| foreign(&vms(says), 60)),
                says.map_or_else(|| "-".into(), |says| foreign(&says.change, 80)),
                kept(tagged, found, now),
                fates.get(tagged.tag.as_str()).map_or("-", |fate| fate.shown()).to_owned(),
                vpgs.join(","),
                says.map_or_else(|| clean(&tagged.tag, 255), |says| says.action.clone()),
            ]
        })
        .collect();
    table::columns(
        &["TIME (UTC)", "AGENT", "VM", "CHANGE", "KEPT", "ENDED", "VPGS", "WHAT WAS ABOUT TO BE DONE"],
        &rows,
    )
}

/// How long the journals will still hold it: the shortest.
fn kept(tagged: &Tagged, found: &log::Log, now: Timestamp) -> String {
    super::words::kept(tagged.places.iter().filter_map(|place| found.kept_until(place)).min(), now)
}

/// The VMs that a tag names.
#[must_use]
pub fn vms(says: &crate::guard::tag::Tag) -> String {
    let more = if says.more > 0 { format!(",+{}", says.more) } else { String::new() };
    format!("{}{more}", says.vms.join(","))
}

/// The object of the contract; for somebody else's tag the fields that it does not say are null.
fn object(tagged: &Tagged, found: &log::Log, fates: &HashMap<&str, Fate>) -> Value {
    let says = tagged.says.as_ref();
    let vpgs: Vec<Value> = tagged
        .places
        .iter()
        .map(|place| {
            json!({
                "name": place.vpg,
                "identifier": place.vpg_identifier,
                "checkpoint": place.checkpoint,
                "time": place.time,
                "kept_until": found.kept_until(place),
            })
        })
        .collect();
    json!({
        "tag": tagged.tag,
        "agent": says.map(|says| &says.agent),
        "action": says.map(|says| &says.action),
        "vm": says.map(vms),
        "change": says.map(|says| &says.change),
        "time": tagged.time,
        "outcome": fates.get(tagged.tag.as_str()).map(|fate| fate.name()),
        "vpgs": vpgs,
    })
}
