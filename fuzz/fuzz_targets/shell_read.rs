//! See `src/shell_read.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| zerto_guard_fuzz::shell_read::run(bytes));
