//! zerto-guard-mcp from the outside: the real program, driven by the client of the official Python SDK, against the simulator.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod client;
mod confirming;
mod ends;
mod tools;
mod transcript;
