//! zerto-guard: an agent's change to a server waits until a Zerto tagged checkpoint stands.
//!
//! The rooms of the house, and which knows which (arrows point down, no two rooms import each other):
//!
//! ```text
//! main          ->  cli, hook, fail_closed, variables (knows none of these)
//! cli, hook     ->  hosts, decide, guard, rewind, audit, surroundings, state; hook -> protected, fail_closed; cli -> errands, ui, doctor, install, zvm (for `trust`)
//! errands       ->  guard, rewind, audit, surroundings, protected, ui (what the command line and the MCP server of
//!                   `crates/zerto-guard-mcp` have in common; that one knows of the rooms above errands none)
//! doctor        ->  hook::args, guard, agent_host
//! agent_host    ->  install, process (what is on this machine)
//! install       ->  hosts (their names)
//! fail_closed   ->  hosts (the words of a deny), config (a running password command)
//! protected     ->  surroundings, hosts (where hooks are set), state (where `install` wrote), config
//! surroundings  ->  classify, config, state (what was noted of open sessions)
//! audit         ->  decide, guard (what a tag leaves out, and where it stands), state
//! decide        ->  classify, config
//! classify      ->  catalog, call
//! hosts         ->  call, catalog (how a server's name is spelled)
//! rewind        ->  guard (the tag, and how a name is understood), zvm
//! guard         ->  zvm, state, config
//! zvm           ->  state, config
//! state         ->  config
//! config        ->  catalog (its format, and names with wildcards)
//! everything    ->  text, json, path, document, deadline, signals, threads
//! ```
//!
//! `call`, `catalog`, `classify`, `decide`, `guard::tag` and `install` are pure: they know no file, clock, network,
//! environment or terminal. Zerto's JSON ends at `zvm::wire`, `ureq::unversioned` at `zvm::tls`, jsonc-parser at
//! `install::tree`, clap at `cli`.
//! Nothing but `main` ends the process (the signal handlers of `fail_closed` excepted, which can do nothing else, and `variables`, after
//! which the same program runs).

pub mod agent_host;
pub mod audit;
pub mod call;
pub mod catalog;
pub mod classify;
pub mod cli;
pub mod config;
pub mod deadline;
pub mod decide;
pub mod doctor;
pub mod document;
pub mod errands;
pub mod fail_closed;
pub mod guard;
pub mod hook;
pub mod hosts;
pub mod install;
pub mod json;
pub mod path;
pub mod process;
pub mod protected;
pub mod rewind;
pub mod signals;
pub mod state;
pub mod surroundings;
pub mod text;
pub mod threads;
pub mod ui;
pub mod variables;
pub mod zvm;
