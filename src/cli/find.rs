//! `zerto-guard find`: which VPGs protect a VM, which of them can be tagged and why the others can't. Changes nothing.

use super::Context;
use super::guard::while_waiting;
use crate::deadline::Deadline;
use crate::guard::{FindOutcome, Found, appliance, find, report};
use crate::state::StateDir;
use crate::text::{clean, foreign};
use crate::ui::{Failure, Printer, Tone, table};
use clap::Args;
use serde_json::json;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  zerto-guard find web01\n  zerto-guard find --json web01.corp.example\n\n\
Exit codes: 0 it can be guarded; 3 no VM of that name is protected; 4 it is more than one VM;\n5 no VPG can be tagged now; 6 a ZVM can't be reached, is not trusted, or refused the login or the right.")]
pub struct Find {
    /// The VM's name, its vmIdentifier, or a host name or address as an agent would use it
    vm: String,
}

impl Find {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let config = context.config()?;
        let state = StateDir::at(context.files.state.clone());
        let deadline = Deadline::after(config.guard.deadline);
        let appliances = appliance::guarding(&config.zvms, &state, deadline)?;
        let waiting = format!("looking for {}", foreign(&self.vm, 80));
        let quiet = context.printer.is_json();
        let found =
            while_waiting(quiet, &waiting, Some(config.guard.deadline), || find(&self.vm, &config.hosts, &appliances))?;
        let code = found.refusal.as_ref().map_or(0, |refusal| refusal.exit_code());
        let mut object = found.refusal.as_ref().map_or_else(|| json!({"ok": true}), report::error_object);
        if let Some(fields) = object.as_object_mut() {
            fields.extend([
                ("outcome".to_owned(), json!(found.outcome)),
                ("vms".to_owned(), json!(found.vms)),
                ("vpgs".to_owned(), json!(found.vpgs)),
            ]);
        }
        let text = text(&found, &context.printer);
        context.printer.result(&text, &object)?;
        if let Some(refusal) = found.refusal
            && !context.printer.is_json()
        {
            context.printer.note(&format!("zerto-guard: {refusal}\n{}", refusal.hint()));
        }
        Ok(if found.outcome == FindOutcome::Ok { 0 } else { code })
    }
}

fn text(found: &Found, printer: &Printer) -> String {
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
                printer.paint(Tone::Doubt, &format!("left out: VPG {}: {}", foreign(&vpg.name, 60), clean(why, 300))),
            );
        }
        lines.push(printer.paint(Tone::Good, "A change of this VM can be guarded."));
    }
    lines.join("\n")
}
