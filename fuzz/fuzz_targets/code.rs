//! Any text is judged as a program of each interpreter: no panic, no stack overflow, no time that grows faster than the text, and
//! what was understood does not hide what stands behind it.

#![no_main]

use std::time::{Duration, Instant};
use zerto_guard::call::{Tool, ToolCall};
use zerto_guard::catalog::Catalog;
use zerto_guard::classify::targets::Places;
use zerto_guard::classify::{Nowhere, Verdict, classify};
use zerto_guard::json::Json;
use zerto_guard::text::shell_word;

fn judge(command: String) -> Verdict {
    let call = ToolCall {
        tool: Tool::Own("Bash".into()),
        name: "Bash".into(),
        input: Json::Object(vec![("command".into(), Json::Text(command))]),
        cwd: Some("/proj".into()),
        session: None,
        id: None,
        prompt: None,
        asks_human: false,
    };
    classify(&call, &Catalog::default(), &Places::default(), &Nowhere).verdict
}

/// What calls each interpreter, what no program may hide, and what takes the rest of a text into itself.
const PROGRAMS: &[(&str, &str, &[&str])] = &[
    ("python3 -c", "\n\nimport subprocess\n", &[]),
    ("node -e", "\n;require('child_process')\n", &[]),
    ("ruby -e", "\n\nsystem('x')\n", &["__END__", "="]),
    ("perl -e", "\n\n;system('x');\n", &["__END__", "__DATA__", "="]),
    ("php -r", "\n;system('x');\n", &["?>"]),
];

libfuzzer_sys::fuzz_target!(|text: &str| {
    let begun = Instant::now();
    for (runs, evil, takes) in PROGRAMS {
        let own = judge(format!("{runs} {}", shell_word(text)));
        if own == Verdict::ReadOnly && !text.trim_end_matches('\n').ends_with('\\') && !takes.iter().any(|part| text.contains(part)) {
            let behind = judge(format!("{runs} {}", shell_word(&format!("{text}{evil}"))));
            assert_ne!(behind, Verdict::ReadOnly, "{runs} {text}");
        }
        judge(format!("ssh web01 {runs} {}", shell_word(&shell_word(text))));
    }
    // A short text that takes long would take minutes at 64 KiB.
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
});
