//! Answers in the words that several hosts share.

use super::{Answer, Output};
use crate::text::printable;

/// A deny in the words that nearly every host understands, for when the host itself is not known:
/// exit 2, empty stdout, text on stderr (measured on Claude Code, Codex CLI and Gemini CLI).
#[must_use]
pub fn deny(text: &str) -> Output {
    Output { code: 2, stdout: String::new(), stderr: format!("zerto-guard: {}\n", printable(text.trim_end())) }
}

/// Nothing said, nothing decided.
pub(super) fn pass() -> Output {
    Output { code: 0, stdout: String::new(), stderr: String::new() }
}

/// What is said where the host has no prompt of its own, or none that is known to reach a human.
pub(super) fn for_a_human(reason: &str) -> String {
    format!("{}\nHere no prompt reaches a human for sure, so a human must run this, in a terminal.", reason.trim_end())
}

/// The answer for a host that is told nothing but yes and no: exit codes alone.
pub(super) fn by_exit_code(answer: &Answer) -> Output {
    match answer {
        Answer::Pass | Answer::Told { .. } => pass(),
        Answer::Deny(text) => deny(text),
        Answer::Ask(reason) => deny(&for_a_human(reason)),
    }
}

/// The same for a host whose documents say that a `systemMessage` on stdout is shown to the user and decides nothing.
pub(super) fn by_system_message(answer: &Answer) -> Output {
    match answer {
        Answer::Told { user, .. } if !user.is_empty() => {
            Output { stdout: format!("{}\n", serde_json::json!({"systemMessage": user})), ..pass() }
        }
        other => by_exit_code(other),
    }
}
