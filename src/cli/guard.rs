//! `zerto-guard guard`: a guard by hand, for scripts and CI.

use super::Context;
use crate::deadline::Deadline;
use crate::guard::{GuardError, Request, appliance, guard, report};
use crate::state::StateDir;
use crate::ui::{Failure, Tone};
use clap::Args;
use jiff::Timestamp;
use serde_json::{Value, json};

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  zerto-guard guard --vm web01 --action \"upgrade nginx\" --change chg-412 && ./upgrade.sh\n\n\
Exit codes: 0 the tag stands in every taggable VPG; 1 it does not, or not in all; 3 no VM of that name is protected; \
4 it is more than one VM; 5 no VPG can be tagged now; 6 a ZVM can't be reached, is not trusted, or refused the login or the \
right."
)]
pub struct Guard {
    /// The VM: its name, its vmIdentifier, or a host name or address as an agent would use it; may be given more than once
    #[arg(long, required = true, value_name = "VM")]
    vm: Vec<String>,
    /// What is about to be done, for the tag
    #[arg(long, value_name = "TEXT")]
    action: String,
    /// The change it belongs to [default: ZERTO_GUARD_CHANGE, or an id of its own]
    #[arg(long, value_name = "ID")]
    change: Option<String>,
    /// Who does it, for the tag
    #[arg(long, value_name = "NAME", default_value = "cli")]
    agent: String,
}

impl Guard {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let config = context.config()?;
        let state = StateDir::at(context.files.state.clone());
        let deadline = Deadline::after(config.guard.deadline);
        let appliances = appliance::guarding(&config.zvms, &state, deadline)?;
        let change =
            self.change.or_else(|| std::env::var("ZERTO_GUARD_CHANGE").ok()).filter(|change| !change.is_empty());
        let change = match change {
            Some(change) => change,
            None => crate::state::random_word(8).map_err(|why| Failure::new(1, why, ""))?,
        };
        let request = Request {
            targets: &self.vm,
            hosts: &config.hosts,
            agent: &self.agent,
            action: &self.action,
            change: &change,
            reuse: config.guard.reuse,
            deadline,
            now: &Timestamp::now,
        };
        match guard(&request, &appliances, &state) {
            Ok(guarded) => {
                let stands = report::where_it_stands(&guarded);
                let text = format!("{}: {stands}\n{}", context.printer.paint(Tone::Good, "guarded"), guarded.tag);
                context.printer.result(&text, &report::object(&guarded))?;
                Ok(0)
            }
            Err(error) => {
                let code = error.exit_code();
                if context.printer.is_json() {
                    let object = failed(&error, &self.vm.join(","));
                    context.printer.result("", &object)?;
                    context.printer.note(&format!("zerto-guard: {error}\n{}", error.hint()));
                    return Ok(code);
                }
                Err(error.into())
            }
        }
    }
}

/// A guard that failed, with what is known of each VPG.
fn failed(error: &GuardError, vm: &str) -> Value {
    let none = Vec::new();
    let (tag, vpgs) = match error {
        GuardError::Insert { tag, vpgs, .. } => (Some(tag), vpgs),
        GuardError::Deadline { tag, vpgs, .. } => (tag.as_ref(), vpgs),
        _ => (None, &none),
    };
    let vpgs: Vec<Value> = vpgs
        .iter()
        .map(|vpg| {
            json!({
                "name": vpg.name,
                "identifier": vpg.identifier,
                "zvm": vpg.zvm,
                "task_id": vpg.task_id,
                "task_state": vpg.task_state.map(crate::zvm::model::TaskState::name),
                "checkpoint": vpg.checkpoint(),
                "error": vpg.error(),
            })
        })
        .collect();
    json!({
        "ok": false, "tag": tag, "vm": vm, "vpgs": vpgs, "error": error.to_string(), "hint": error.hint(),
        "exit_code": error.exit_code(),
    })
}

impl From<GuardError> for Failure {
    fn from(error: GuardError) -> Self {
        Self::new(error.exit_code(), error.to_string(), error.hint())
    }
}
