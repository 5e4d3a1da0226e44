//! Any text is judged as PowerShell and as text of the command processor of Windows: no panic, no stack overflow, no time that
//! grows faster than the text, and what was understood does not hide what stands behind it.

use super::ground::{text, within};
use super::judging::judge_as;
use zerto_guard::classify::{Nowhere, Verdict};
use zerto_guard::text::shell_word;

/// Runs one input.
pub fn run(bytes: &[u8]) {
    within(5, || any(text(bytes)));
}

fn any(text: &str) {
    let own = judge_as("PowerShell", text.to_owned(), &Nowhere);
    let behind = judge_as("PowerShell", format!("{text}\nRestart-Computer web01"), &Nowhere);
    // What takes the next line into itself.
    let takes = ["#", "@'", "@\"", "@\u{2018}", "@\u{201c}", "--%"];
    let trimmed = text.trim_end();
    let goes_on = trimmed.ends_with(['`', '|', ',', '&', '=', '.', ':', '-', '+', '*', '/', '%', '!', '?', ']', '>'])
        || trimmed.ends_with(char::is_alphanumeric);
    if own == Verdict::ReadOnly && !goes_on && !takes.iter().any(|part| text.contains(part)) {
        assert_ne!(behind, Verdict::ReadOnly, "{text}");
    }
    judge_as("Bash", format!("cmd /c {}", shell_word(text)), &Nowhere);
    judge_as("Bash", format!("ssh web01 pwsh -Command {}", shell_word(text)), &Nowhere);
}
