//! What changes something at the ZVM is shown whole and asked about first.
//!
//! Must not: do what is asked about.

use super::super::Context;
use crate::ui::{Failure, prompt};

/// Goes on only after a yes on the terminal, or with `--yes` (then what is about to be done is a note). `plan` says exactly
/// what will happen, `question` asks for it.
///
/// # Errors
/// Exit 5: a no, or there is neither a terminal nor `--yes`.
pub(super) fn confirmed(context: &mut Context, plan: &str, question: &str, yes: bool) -> Result<(), Failure> {
    if yes {
        context.printer.note(plan.trim_end());
        return Ok(());
    }
    match prompt::confirm(&format!("{}\n{question}", plan.trim_end())) {
        Some(true) => Ok(()),
        Some(false) => Err(Failure::new(5, "not confirmed: nothing was done", "")),
        None => Err(Failure::new(
            5,
            format!(
                "not confirmed, since there is no terminal to ask on: nothing was done. It would have been:\n{plan}"
            ),
            "Run it in a terminal, or with --yes.",
        )),
    }
}
