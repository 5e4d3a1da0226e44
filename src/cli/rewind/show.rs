//! `zerto-guard rewind show`: one tag, its VPGs, and whether files can be recovered from it.

use super::super::Context;
use super::at_tag::Which;
use crate::errands::while_waiting;
use crate::errands::words::{day_and_time, kept, time_and_age};
use crate::guard::taggable::state_name;
use crate::rewind::find;
use crate::rewind::select::Tagged;
use crate::rewind::show::{Files, ShownVm, ShownVpg, show};
use crate::rewind::site::site_name;
use crate::text::{beginning, clean, foreign};
use crate::ui::{Failure, Printer, Tone, table, terminal};
use clap::Args;
use jiff::Timestamp;
use serde_json::{Value, json};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind show latest
  zerto-guard rewind show chg-412 --vm web01
  zerto-guard rewind show latest~1 --json

TAG is a whole tag (in quotes), a change id, latest, latest~N, or a checkpoint's identifier. Files are recovered at the VPG's
recovery site, by that site's ZVM. Nothing is mounted or changed. Times are UTC.
Exit codes: 0 shown, whether files can be recovered or not; 3 no such tag or VM; 4 more than one; 6 no ZVM
can be reached, or one that may have the tag can't.")]
pub struct Show {
    /// The tag
    tag: String,
    #[command(flatten)]
    which: Which,
}

impl Show {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let now = Timestamp::now();
        let desk = context.desk()?;
        let front = context.front(false);
        let found = while_waiting(front.as_ref(), "reading the journals", None, || {
            find::tag(&desk, &self.tag, &self.which.narrow())
        })?;
        let vpgs = while_waiting(front.as_ref(), "asking what can be recovered", None, || {
            show(&desk.zvms, &found.tagged, &found.log.journals, found.log.warnings.is_empty())
        });
        for warning in &found.log.warnings {
            context.printer.note(&format!("zerto-guard: not all could be read: {warning}"));
        }
        let names: Vec<&str> = desk.zvms.iter().map(|zvm| zvm.name()).collect();
        let kept_until = |vpg: &ShownVpg| found.log.kept_until(&vpg.place);
        let objects: Vec<Value> = vpgs.iter().map(|vpg| vpg_object(vpg, &names, kept_until(vpg))).collect();
        let object = object(&found.tagged, objects, &found.log.warnings);
        let rows: Vec<Vec<String>> = vpgs.iter().map(|vpg| row(vpg, &names, kept(kept_until(vpg), now))).collect();
        let text = text(&found.tagged, &vpgs, &rows, now, &context.printer);
        context.printer.result(&text, &object)?;
        Ok(0)
    }
}

fn text(tagged: &Tagged, vpgs: &[ShownVpg], rows: &[Vec<String>], now: Timestamp, printer: &Printer) -> String {
    let mut lines = vec![printer.paint(Tone::Strong, &beginning(&tagged.tag, 300))];
    let time = tagged.time.map_or_else(|| "?".into(), |time| time_and_age(time, now));
    match &tagged.says {
        Some(says) => {
            for (what, said) in [
                ("agent", clean(&says.agent, 60)),
                ("action", clean(&says.action, 255)),
                ("VM", clean(&crate::errands::log::vms(says), 255)),
                ("change", clean(&says.change, 80)),
            ] {
                lines.push(format!("  {what:<7} {said}"));
            }
        }
        None => lines.push("  (another tool's: it does not say whose change it is)".to_owned()),
    }
    lines.push(format!("  {:<7} {time}", "time"));
    lines.push(String::new());
    let heading = ["VPG", "FILES", "CHECKPOINT", "MADE (UTC)", "KEPT", "STATE", "PROTECTED AT", "RECOVERS AT", "ZVM"];
    let width = terminal::width();
    lines.extend(table::columns(&heading, rows).lines().map(|line| terminal::cut(line, width)));
    for vpg in vpgs {
        let name = foreign(&vpg.place.vpg, 80);
        let tone = if vpg.files == Files::No { Tone::Bad } else { Tone::Doubt };
        let mut say = |text: String| lines.push(printer.paint(tone, &text));
        vpg.why.iter().for_each(|why| say(format!("{name}: {why}")));
        for vm in &vpg.vms {
            vm.why.iter().for_each(|why| say(format!("{name}, VM {}: {why}", foreign(&vm.name, 80))));
        }
        lines.extend(vpg.hints.iter().cloned());
    }
    lines.join("\n")
}

fn row(vpg: &ShownVpg, zvms: &[&str], kept: String) -> Vec<String> {
    let told = |text: String| if text.is_empty() { "?".to_owned() } else { foreign(&text, 60) };
    let of = |say: fn(&crate::zvm::model::Vpg) -> String| vpg.vpg.as_ref().map(say).unwrap_or_default();
    let zvm = vpg.zvm.and_then(|zvm| zvms.get(zvm)).map_or("-", |name| *name);
    vec![
        foreign(&vpg.place.vpg, 60),
        files(vpg.files, &vpg.vms).to_owned(),
        foreign(&vpg.place.checkpoint, 30),
        vpg.place.time.map_or_else(|| "?".into(), day_and_time),
        kept,
        told(of(state_name)),
        told(of(|vpg| vpg.protected_site.name.clone())),
        told(of(site_name)),
        foreign(zvm, 40),
    ]
}

fn files(files: Files, vms: &[ShownVm]) -> &'static str {
    match files {
        Files::Yes => "yes",
        Files::No if vms.iter().any(|vm| vm.files == Files::Yes) => "not of all",
        Files::No => "NO",
        Files::Unknown => "?",
    }
}

fn truth(files: Files) -> Option<bool> {
    match files {
        Files::Yes => Some(true),
        Files::No => Some(false),
        Files::Unknown => None,
    }
}

fn vpg_object(shown: &ShownVpg, zvms: &[&str], kept_until: Option<Timestamp>) -> Value {
    let vpg = shown.vpg.as_ref();
    let vms: Vec<Value> = shown
        .vms
        .iter()
        .map(|vm| {
            let sessions: Vec<Value> = vm
                .sessions
                .iter()
                .map(|session| json!({"id": session.identifier, "status": session.status, "started": session.started}))
                .collect();
            json!({
                "name": vm.name,
                "identifier": vm.identifier,
                "files": truth(vm.files),
                "why": vm.why,
                "sessions": sessions,
            })
        })
        .collect();
    json!({
        "name": shown.place.vpg,
        "identifier": shown.place.vpg_identifier,
        "checkpoint": shown.place.checkpoint,
        "time": shown.place.time,
        "kept_until": kept_until,
        "status": vpg.map(state_name),
        "protected_site": vpg.map(|vpg| &vpg.protected_site.name),
        "recovery_site": vpg.map(site_name),
        "zvm": shown.zvm.and_then(|zvm| zvms.get(zvm)),
        "files": truth(shown.files),
        "why": shown.why,
        "hints": shown.hints,
        "vms": vms,
    })
}

fn object(tagged: &Tagged, vpgs: Vec<Value>, warnings: &[String]) -> Value {
    let says = tagged.says.as_ref();
    json!({
        "tag": tagged.tag,
        "agent": says.map(|says| &says.agent),
        "action": says.map(|says| &says.action),
        "vm": says.map(crate::errands::log::vms),
        "change": says.map(|says| &says.change),
        "time": tagged.time,
        "vpgs": vpgs,
        "warnings": warnings,
    })
}
