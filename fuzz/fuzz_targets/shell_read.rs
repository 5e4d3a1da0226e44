//! Any text is read or refused: no panic, no stack overflow, no time that grows faster than the text.

#![no_main]

use std::time::{Duration, Instant};
use zerto_guard::classify::shell;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let begun = Instant::now();
    let _ = shell::read(text);
    // A short text that takes long would take minutes at 64 KiB.
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
});
