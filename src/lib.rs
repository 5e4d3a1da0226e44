//! zerto-guard: an agent's change to a server waits until a Zerto tagged checkpoint stands.
//!
//! The rooms of the house, and which knows which (arrows point down, no two rooms import each other):
//!
//! ```text
//! cli, hook   ->  hosts, decide, guard, config, state, surroundings, ui
//! decide      ->  classify
//! classify    ->  catalog, call
//! guard       ->  zvm, state
//! zvm         ->  config, state, deadline, text
//! state       ->  config, deadline
//! ```
//!
//! `call`, `catalog`, `classify`, `decide` and `guard::tag` are pure: they know no file, clock, network,
//! environment or terminal. Zerto's JSON ends at `zvm::wire`, `ureq::unversioned` at `zvm::tls`, clap at `cli`.
//! Nothing but `main` ends the process (the signal handlers of `fail_closed` excepted, which can do nothing else).

pub mod config;
pub mod deadline;
pub mod guard;
pub mod state;
pub mod text;
pub mod zvm;
