//! `zerto-guard guard`: a guard by hand, for scripts and CI.

use super::Context;
use crate::errands::guard::{self, Failed, Wish};
use crate::ui::Failure;
use clap::Args;

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
        if let Some(empty) =
            [("--vm", self.vm.iter().any(|vm| vm.trim().is_empty())), ("--action", self.action.trim().is_empty())]
                .into_iter()
                .find_map(|(option, empty)| empty.then_some(option))
        {
            return Err(Failure::new(
                64,
                format!("{option} is empty", option = empty),
                "Try `zerto-guard guard --help`.",
            ));
        }
        let wish = Wish {
            vms: &self.vm,
            action: &self.action,
            change: self.change.as_deref(),
            agent: &self.agent,
            may_reuse: true,
            host: "cli",
            tool: "zerto-guard guard",
        };
        match guard::run(context.front(false).as_ref(), &context.files, &wish) {
            Ok(done) => context.show(&done),
            Err(Failed { failure, object: Some(object) }) if context.printer.is_json() => {
                context.printer.result("", &object)?;
                context.printer.note(&format!("zerto-guard: {}\n{}", failure.message, failure.hint));
                Ok(failure.code)
            }
            Err(Failed { failure, .. }) => Err(failure),
        }
    }
}
