//! Any text is judged as a program of each interpreter: no panic, no stack overflow, no time that grows faster than the text, and
//! what was understood does not hide what stands behind it.

use super::ground::{text, within};
use super::judging::judge;
use zerto_guard::classify::Verdict;
use zerto_guard::text::shell_word;

/// What calls each interpreter, what no program may hide, and what takes the rest of a text into itself.
const PROGRAMS: &[(&str, &str, &[&str])] = &[
    ("python3 -c", "\n\nimport subprocess\n", &[]),
    ("node -e", "\n;require('child_process')\n", &[]),
    ("ruby -e", "\n\nsystem('x')\n", &["__END__", "="]),
    ("perl -e", "\n\n;system('x');\n", &["__END__", "__DATA__", "="]),
    ("php -r", "\n;system('x');\n", &["?>"]),
];

/// Runs one input.
pub fn run(bytes: &[u8]) {
    within(5, || any(text(bytes)));
}

fn any(text: &str) {
    for (runs, evil, takes) in PROGRAMS {
        let own = judge(format!("{runs} {}", shell_word(text)));
        if own == Verdict::ReadOnly && !text.trim_end_matches('\n').ends_with('\\') && !takes.iter().any(|part| text.contains(part)) {
            let behind = judge(format!("{runs} {}", shell_word(&format!("{text}{evil}"))));
            assert_ne!(behind, Verdict::ReadOnly, "{runs} {text}");
        }
        judge(format!("ssh web01 {runs} {}", shell_word(&shell_word(text))));
    }
}
