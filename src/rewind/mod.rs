//! A human gets files back from a tag: which tag, where its file lies, the session that mounts it, the bytes.
//!
//! `journals` and `log` (the tags of the VPGs), `select` (which tag is meant; pure), `path` (where a guest's path lies in a session; pure). Must not: know an agent host or a verdict, or end another operator's session.

pub mod end;
pub mod error;
pub mod journals;
pub mod log;
pub mod path;
pub mod select;
pub mod sessions;
pub mod show;
pub mod site;
