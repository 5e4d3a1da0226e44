//! A human gets files back from a tag: which tag, where its file lies, the session that mounts it, the bytes.
//!
//! `desk` (the ZVMs), `journals` and `log` (the tags of the VPGs), `select` (which tag is meant; pure), `find` (which
//! checkpoint, VM and ZVM), `session`, `lost` and `ending` (a mount from its beginning to its end), `watch` (the signals
//! meanwhile), `path` and `search` (a guest's path, and where it lies in a session; pure), `tree` (what the session shows), `recover` (a file or
//! a folder, from a mount to this machine's disk), `save` and `unzip` (its bytes), `goal` (its place here), `peek` (a file that
//! is looked at and not kept), `newest` (the newest checkpoint) and `diff` (how two files differ; pure), `caution` and
//! `put_back` (what is said before and after; pure). Must not: know an agent host or a verdict, or end another operator's
//! session.

pub mod caution;
pub mod desk;
pub mod diff;
pub mod ending;
pub mod error;
pub mod find;
pub mod goal;
pub mod journals;
pub mod log;
mod lost;
pub mod newest;
pub mod path;
pub mod peek;
pub mod put_back;
pub mod recover;
pub mod save;
pub mod search;
pub mod select;
pub mod session;
pub mod tree;
pub mod trouble;
pub mod unzip;
pub mod watch;
