//! Judges any text as what an agent's shell runs, on its own machine and as what ssh sends to a guest.

use super::ground::{text, within};
use super::judging::judge;
use zerto_guard::classify::Verdict;
use zerto_guard::text::shell_word;

/// Runs one input.
pub fn run(bytes: &[u8]) {
    within(5, || any(text(bytes)));
}

fn any(text: &str) {
    let own = judge(text.to_owned());
    let behind = judge(format!("{text}\nssh web01 reboot"));
    // A text that was understood does not hide what stands behind it, but by ending before it.
    let ends = ["exit", "exec", "return", "<<", "\\", "#", "function", "()", "alias", "set ", "unset"];
    if own != Verdict::Unknown && !ends.iter().any(|end| text.contains(end)) {
        assert_ne!(behind, Verdict::ReadOnly, "{text}");
    }
    judge(format!("ssh web01 {}", shell_word(text)));
}
