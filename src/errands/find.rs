//! Which VPGs protect a VM, which of them can be tagged and why the others can't. Changes nothing.

use super::front::{Front, while_waiting};
use super::{Done, with};
use crate::config::files::Files;
use crate::deadline::Deadline;
use crate::guard::{FindOutcome, Found, GuardError, appliance, find, report};
use crate::state::StateDir;
use crate::text::{clean, foreign};
use crate::ui::{Failure, Paint, Tone, table};
use serde_json::json;

/// Looks for the VPGs that protect a target. With the refusal that a guard would end with, where it would.
///
/// # Errors
/// A ZVM can't be asked.
pub fn run(front: &dyn Front, files: &Files, vm: &str) -> Result<(Done, Option<GuardError>), Failure> {
    let config = super::config(files)?;
    let state = StateDir::at(files.state.clone());
    let deadline = Deadline::after(config.guard.deadline);
    let appliances = appliance::guarding(&config.zvms, &state, deadline)?;
    let waiting = format!("looking for {}", foreign(vm, 80));
    let found = while_waiting(front, &waiting, Some(config.guard.deadline), || find(vm, &config.hosts, &appliances))?;
    let object = found.refusal.as_ref().map_or_else(|| json!({"ok": true}), report::error_object);
    let object = with(object, json!({"outcome": found.outcome, "vms": found.vms, "vpgs": found.vpgs}));
    let text = text(&found, front.paint());
    Ok((Done { text, object }, found.refusal))
}

fn text(found: &Found, paint: Paint) -> String {
    let mut lines: Vec<String> =
        found.vms.iter().map(|vm| format!("VM {}  {}", foreign(&vm.name, 80), foreign(&vm.identifier, 120))).collect();
    let rows: Vec<Vec<String>> = found
        .vpgs
        .iter()
        .map(|vpg| {
            vec![
                foreign(&vpg.name, 60),
                if vpg.taggable { "yes".into() } else { "NO".into() },
                clean(&vpg.status, 60),
                foreign(&vpg.protected_site, 40),
                foreign(&vpg.recovery_site, 40),
                foreign(&vpg.zvm, 40),
            ]
        })
        .collect();
    if !rows.is_empty() {
        lines.push(table::columns(&["VPG", "TAGGABLE", "STATUS", "PROTECTED AT", "RECOVERS AT", "ZVM"], &rows));
    }
    if found.outcome == FindOutcome::Ok {
        let left: Vec<_> = found.vpgs.iter().filter(|vpg| !vpg.taggable).collect();
        for vpg in left {
            let why = vpg.why.as_deref().unwrap_or("its state does not allow it");
            lines.push(
                paint.paint(Tone::Doubt, &format!("left out: VPG {}: {}", foreign(&vpg.name, 60), clean(why, 300))),
            );
        }
        lines.push(paint.paint(Tone::Good, "A change of this VM can be guarded."));
    }
    lines.join("\n")
}
