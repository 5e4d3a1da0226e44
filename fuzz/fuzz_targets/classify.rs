//! See `src/classify.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| zerto_guard_fuzz::classify::run(bytes));
