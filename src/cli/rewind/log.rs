//! `zerto-guard rewind log`: the tags, newest first.

use super::super::Context;
use super::super::guard::while_waiting;
use super::super::moment::moment;
use crate::audit::{self, Fate, Story, fates};
use crate::rewind::log::{self, Filter};
use crate::rewind::select::Tagged;
use crate::state::StateDir;
use crate::text::{clean, foreign};
use crate::ui::{Failure, Printer, Tone, pager, table, terminal};
use clap::Args;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::HashMap;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind log web01
  zerto-guard rewind log --agent claude --since 2d
  zerto-guard rewind log web01 --since 2026-09-21T15:00:00Z --json

KEPT is how long the VPG's journal will still hold the checkpoint. ENDED is how the call ended, by this machine's audit log:
`not seen` if nobody told, `-` if the log doesn't know the tag (another machine's). Times are UTC.
Exit codes: 0 listed, or there is no tag; 3 no such VM; 4 it is more than one VM; 6 no ZVM can be reached.")]
pub struct Log {
    /// The VM: its name, its vmIdentifier, or a host name or address [default: all]
    vm: Option<String>,
    /// Only what this agent did
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Only this change
    #[arg(long, value_name = "ID")]
    change: Option<String>,
    /// Not older: 90m, 2d, or 2026-09-21T15:00:00Z
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Not younger: 90m, 2d, or 2026-09-21T15:00:00Z
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Other tools' tags too, and those of other VMs in the same VPGs
    #[arg(long)]
    all_tags: bool,
}

impl Log {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let now = Timestamp::now();
        let filter = Filter {
            agent: self.agent,
            change: self.change.map(|change| change.strip_prefix("change=").unwrap_or(&change).to_owned()),
            since: self.since.map(|text| moment("--since", &text, now)).transpose()?,
            until: self.until.map(|text| moment("--until", &text, now)).transpose()?,
            all_tags: self.all_tags,
            checkpoint: None,
            vpg: None,
        };
        let config = context.config()?;
        let desk = super::desk(&config, context)?;
        let quiet = context.printer.is_json();
        let doing = match (&self.vm, filter.since) {
            // A site may have a thousand of them, and a journal half a million checkpoints.
            (None, None) => {
                "reading the journals of all VPGs; one VM's (`rewind log VM`), or the last day's (--since 1d), take less"
            }
            _ => "reading the journals",
        };
        let found =
            while_waiting(quiet, doing, None, || log::log(self.vm.as_deref(), &filter, &desk.hosts, &desk.zvms, now))?;
        for warning in &found.warnings {
            context.printer.note(&format!("zerto-guard: not all could be read: {warning}"));
        }
        if found.tags.is_empty() && !quiet {
            context.printer.note("no tag; `--all-tags` shows what other tools have tagged");
        }
        let stories = stories(context);
        let fates = fates(&stories);
        let objects: Vec<Value> = found.tags.iter().map(|tagged| object(tagged, &found, &fates)).collect();
        if quiet || found.tags.is_empty() {
            context.printer.result("", &Value::Array(objects))?;
            return Ok(0);
        }
        let text = text(&found, &fates, now, &context.printer);
        pager::show(&text, &mut context.printer)?;
        Ok(0)
    }
}

/// What this machine's log tells of the calls; what it can't tell is not shown.
fn stories(context: &mut Context) -> Vec<Story> {
    match audit::read(&StateDir::at(context.files.state.clone())) {
        Ok(read) => audit::stories(read.lines),
        Err(error) => {
            context.printer.note(&format!("zerto-guard: how the calls ended is not known: {error} {}", error.hint()));
            vec![]
        }
    }
}

fn text(found: &log::Log, fates: &HashMap<&str, Fate>, now: Timestamp, printer: &Printer) -> String {
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
    let whole = table::columns(
        &["TIME (UTC)", "AGENT", "VM", "CHANGE", "KEPT", "ENDED", "VPGS", "WHAT WAS ABOUT TO BE DONE"],
        &rows,
    );
    let width = terminal::width();
    let mut lines = whole.lines().map(|line| terminal::cut(line, width));
    let head = lines.next().map(|line| printer.paint(Tone::Strong, &line)).unwrap_or_default();
    std::iter::once(head).chain(lines).collect::<Vec<_>>().join("\n")
}

/// How long the journals will still hold it: the shortest.
fn kept(tagged: &Tagged, found: &log::Log, now: Timestamp) -> String {
    super::words::kept(tagged.places.iter().filter_map(|place| found.kept_until(place)).min(), now)
}

pub(super) fn vms(says: &crate::guard::tag::Tag) -> String {
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
