//! Judges any text as the commands that virsh and guestfish read, as what QEMU's agent is told, as a list of AWS and as a file
//! of curl's options: languages of their own, each in the place where a call has it.

use super::ground::{text, within};
use super::judging::judge;
use zerto_guard::classify::Verdict;
use zerto_guard::text::shell_word;

/// Runs one input.
pub fn run(bytes: &[u8]) {
    within(5, || any(text(bytes)));
}

fn any(text: &str) {
    let word = shell_word(text);
    let alone = judge(format!("virsh {word}"));
    // What stands behind commands that were understood is not hidden by them.
    if alone == Verdict::ReadOnly && !text.contains(['#', '\\', '\'', '"']) && !text.starts_with('-') {
        let behind = judge(format!("virsh {}", shell_word(&format!("{text}\ndestroy web01"))));
        assert_ne!(behind, Verdict::ReadOnly, "{text}");
    }
    judge(format!("virsh qemu-agent-command web01 {word}"));
    judge(format!("printf %s {word} | guestfish --ro -d web01"));
    judge(format!("aws ssm send-command --document-name AWS-RunShellScript --instance-ids i-1 --parameters {word}"));
    judge(format!("printf %s {word} | curl -K - http://web01/"));
    judge(format!("http POST {word}"));
    judge(format!("curl -d x {word}"));
}
