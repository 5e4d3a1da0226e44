//! Stories through the real binary: one file a subject, one hermetic `Env` for all.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod env;

mod ambiguous;
mod answers;
mod audit;
mod catalog_command;
mod check_command;
mod corpus;
mod cost;
mod doctor_command;
mod elf;
mod elsewhere;
mod faults;
mod foreign_text;
mod fuzz_seeds;
mod guard_faults;
mod guard_flow;
mod guard_machine;
mod guard_story;
mod guard_together;
mod help;
mod hook_ends;
mod hook_golden;
mod hook_input;
mod hostile_env;
mod hosts;
mod install_command;
mod install_hosts;
mod install_mcp;
mod load;
mod managed;
mod mcp_sessions;
mod names;
mod observe;
mod opencode_shim;
mod outcomes;
mod ownership;
#[cfg(target_os = "linux")]
mod page_cache;
mod password_command;
mod pause;
mod readme;
mod restore_flow;
mod reuse;
mod rewind_cat;
mod rewind_diff;
mod rewind_find;
mod rewind_log;
mod rewind_ls;
mod rewind_recover;
mod rewind_recover_folder;
mod rewind_recover_goal;
mod rewind_session;
mod rewind_sessions;
mod rewind_show;
mod rewind_trouble;
mod rewind_whole;
mod scale;
mod search;
mod secrets;
mod self_protection;
mod shell_reader;
mod shell_story;
mod single_exchanges;
mod skills;
mod soak;
mod supply_chain;
mod three_commands;
mod trust_command;
#[cfg(target_os = "linux")]
mod unwinding;
