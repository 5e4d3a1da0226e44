//! Any text is judged as PowerShell and as text of the command processor of Windows: no panic, no stack overflow, no time that
//! grows faster than the text, and what was understood does not hide what stands behind it.

#![no_main]

use std::time::{Duration, Instant};
use zerto_guard::call::{Tool, ToolCall};
use zerto_guard::catalog::Catalog;
use zerto_guard::classify::targets::Places;
use zerto_guard::classify::{Nowhere, Verdict, classify};
use zerto_guard::json::Json;
use zerto_guard::text::shell_word;

fn judge(tool: &str, text: String) -> Verdict {
    let call = ToolCall {
        tool: Tool::Own(tool.into()),
        name: tool.into(),
        input: Json::Object(vec![("command".into(), Json::Text(text))]),
        cwd: Some("/proj".into()),
        session: None,
        id: None,
        prompt: None,
        asks_human: false,
    };
    classify(&call, &Catalog::default(), &Places::default(), &Nowhere).verdict
}

libfuzzer_sys::fuzz_target!(|text: &str| {
    let begun = Instant::now();
    let own = judge("PowerShell", text.to_owned());
    let behind = judge("PowerShell", format!("{text}\nRestart-Computer web01"));
    // What takes the next line into itself.
    let takes = ["#", "@'", "@\"", "@\u{2018}", "@\u{201c}", "--%"];
    let trimmed = text.trim_end();
    let goes_on = trimmed.ends_with(['`', '|', ',', '&', '=', '.', ':', '-', '+', '*', '/', '%', '!', '?', ']', '>'])
        || trimmed.ends_with(char::is_alphanumeric);
    if own == Verdict::ReadOnly && !goes_on && !takes.iter().any(|part| text.contains(part)) {
        assert_ne!(behind, Verdict::ReadOnly, "{text}");
    }
    judge("Bash", format!("cmd /c {}", shell_word(text)));
    judge("Bash", format!("ssh web01 pwsh -Command {}", shell_word(text)));
    // A short text that takes long would take minutes at 64 KiB.
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
});
