//! `zerto-guard find`: which VPGs protect a VM, which of them can be tagged and why the others can't. Changes nothing.

use super::Context;
use crate::errands::find;
use crate::ui::Failure;
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  zerto-guard find web01\n  zerto-guard find --json web01.corp.example\n\n\
Exit codes: 0 it can be guarded; 3 no VM of that name is protected; 4 it is more than one VM;\n5 no VPG can be tagged now; 6 a ZVM can't be reached, is not trusted, or refused the login or the right.")]
pub struct Find {
    /// The VM's name, its vmIdentifier, or a host name or address as an agent would use it
    vm: String,
}

impl Find {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let (done, refusal) = find::run(context.front(false).as_ref(), &context.files, &self.vm)?;
        context.show(&done)?;
        let Some(refusal) = refusal else { return Ok(0) };
        if !context.printer.is_json() {
            context.printer.note(&format!("zerto-guard: {refusal}\n{}", refusal.hint()));
        }
        Ok(refusal.exit_code())
    }
}
