//! Stories through the real binary: one file a subject, one hermetic `Env` for all.

#![allow(clippy::indexing_slicing, reason = "a test that reaches past an end fails, which is what is wanted")]

mod env;

mod catalog_command;
mod check_command;
mod hook_ends;
mod hook_golden;
mod hook_input;
mod supply_chain;
