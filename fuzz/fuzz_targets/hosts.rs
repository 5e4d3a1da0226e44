//! See `src/hosts.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| zerto_guard_fuzz::hosts::run(bytes));
