//! `zerto-guard doctor`: is the guard on?

use super::Context;
use crate::agent_host;
use crate::doctor::{Check, Patient, Status, examine};
use crate::text;
use crate::ui::{Failure, Printer, Tone};
use clap::Args;
use serde_json::json;
use std::path::Path;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard doctor
  zerto-guard doctor --json | jq '.[] | select(.status != \"ok\")'

Run it in the project's folder, as the user who runs the agent. It looks at the settings files of every agent host that \
`install` knows: the user's, the project's and the managed ones (with Claude Code settings.local.json and \
managed-settings.d too). It does not look at hooks that plugins, agents or skills bring along, nor at settings given by \
--settings or by a server.

Exit codes: 0 no fault (warnings may be there); 1 at \
least one.")]
pub struct Doctor {}

impl Doctor {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let cwd = std::env::current_dir()
            .map_err(|error| Failure::new(1, format!("the folder you are in can't be found: {error}"), ""))?;
        let places = agent_host::places(context.files.home.as_deref(), cwd, Path::new("/"));
        if places.home.is_none() {
            return Err(Failure::new(1, "HOME is unset, so your settings can't be found", "Set HOME."));
        }
        let own = agent_host::own_path().unwrap_or_default();
        let patient = Patient {
            files: &context.files,
            places: &places,
            known: &agent_host::claude_code(),
            own: own.to_str().unwrap_or_default(),
            sudo: crate::config::permissions::own_user() == 0 && std::env::var_os("SUDO_USER").is_some(),
        };
        let checks = examine(&patient);
        let text = text(&checks, &context.printer);
        context.printer.result(&text, &json!(checks))?;
        Ok(u8::from(count(&checks, Status::Fault) > 0))
    }
}

fn count(checks: &[Check], status: Status) -> usize {
    checks.iter().filter(|check| check.status == status).count()
}

fn text(checks: &[Check], printer: &Printer) -> String {
    let width = checks.iter().map(|check| check.check.chars().count()).max().unwrap_or(0);
    let mut lines = Vec::new();
    for check in checks {
        let (word, tone) = match check.status {
            Status::Ok => ("ok     ", Tone::Good),
            Status::Warning => ("warning", Tone::Doubt),
            Status::Fault => ("fault  ", Tone::Bad),
        };
        let gap = " ".repeat(width.saturating_sub(check.check.chars().count()));
        lines.push(format!("{}  {}{gap}  {}", printer.paint(tone, word), check.check, check.text.replace('\n', " ")));
        for line in check.remedy.iter().flat_map(|remedy| remedy.lines()) {
            lines.push(format!("{:width$}  {line}", "", width = width.saturating_add(9)));
        }
    }
    let (faults, warnings) = (count(checks, Status::Fault), count(checks, Status::Warning));
    lines.push(String::new());
    lines.push(match (faults, warnings) {
        (0, 0) => printer.paint(Tone::Good, "The guard is on."),
        (0, _) => printer.paint(Tone::Doubt, &format!("No fault, {}.", text::count(warnings, "warning"))),
        _ => printer
            .paint(Tone::Bad, &format!("{}, {}.", text::count(faults, "fault"), text::count(warnings, "warning"))),
    });
    lines.join("\n")
}
