//! A human gets files back from a tag: which tag, where its file lies, the session that mounts it, the bytes.
//!
//! Which one is meant: `desk` (the ZVMs), `journals` and `log` (the tags of the VPGs), `select` (which tag; pure), `find` (which
//! checkpoint and VM), `newest` (the newest checkpoint), `site` (which ZVM recovers a VPG), `show` (what can be had from a tag).
//! The mount: `session`, `doubt`, `lost` and `ending` (from its beginning to its end), `sessions` (which there are), `watch` (the signals
//! meanwhile), `path` and `search` (where a guest's path lies in it; pure), `tree` (what it shows). The bytes: `recover` (a file
//! or a folder, to this machine's disk), `save` and `unzip`, `goal` (their place here), `peek` (a file that is looked at and not
//! kept), `diff` (how two files differ; pure), `caution` and `put_back` (what is said before and after; pure). `whole`: clones
//! and failover tests. Must not: know an agent host or a verdict, or end another operator's session unless a human names it.

pub mod caution;
pub mod desk;
pub mod diff;
mod doubt;
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
pub mod sessions;
pub mod show;
pub mod site;
pub mod tree;
pub mod trouble;
pub mod unzip;
pub mod watch;
pub mod whole;
