//! A human gets files back from a tag: which tag, where its file lies, the session that mounts it, the bytes.
//!
//! `desk` (the ZVMs), `journals` and `log` (the tags of the VPGs), `select` (which tag is meant; pure), `find` (which
//! checkpoint, VM and ZVM), `session` and `lost` (a mount from its beginning to its end), `watch` (the signals meanwhile),
//! `path` (where a guest's path lies in a session; pure) and `tree` (what the session shows), `diff` (how two files differ;
//! pure). Must not: know an agent host or a verdict, or end another operator's session.

pub mod desk;
pub mod diff;
pub mod error;
pub mod find;
pub mod journals;
pub mod log;
mod lost;
pub mod path;
pub mod select;
pub mod session;
pub mod tree;
pub mod watch;
