//! Judges any text as what an agent's shell runs, on its own machine and as what ssh sends to a guest.

#![no_main]

use libfuzzer_sys::fuzz_target;
use zerto_guard::call::{Tool, ToolCall};
use zerto_guard::catalog::Catalog;
use zerto_guard::classify::targets::Places;
use zerto_guard::classify::{Nowhere, Verdict, classify};
use zerto_guard::json::Json;
use zerto_guard::text::shell_word;

fn judge(text: String) -> Verdict {
    let call = ToolCall {
        tool: Tool::Own("Bash".into()),
        name: "Bash".into(),
        input: Json::Object(vec![("command".into(), Json::Text(text))]),
        cwd: Some("/project".into()),
        session: None,
        id: None,
        prompt: None,
        asks_human: false,
    };
    classify(&call, &Catalog::default(), &Places::default(), &Nowhere).verdict
}

fuzz_target!(|text: &str| {
    let own = judge(text.to_owned());
    let behind = judge(format!("{text}\nssh web01 reboot"));
    // A text that was understood does not hide what stands behind it, but by ending before it.
    let ends = ["exit", "exec", "return", "<<", "\\", "#", "function", "()", "alias", "set ", "unset"];
    if own != Verdict::Unknown && !ends.iter().any(|end| text.contains(end)) {
        assert_ne!(behind, Verdict::ReadOnly, "{text}");
    }
    judge(format!("ssh web01 {}", shell_word(text)));
});
