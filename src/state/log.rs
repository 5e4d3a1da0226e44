//! The log of what was decided: JSON lines, appended, for the user's eyes only.
//!
//! Must not: hold a secret, or hold anything up.

use super::{StateDir, StateError};
use serde_json::Value;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;

/// Appends a line. Lines of several processes do not mix: each is one write.
///
/// # Errors
/// It cannot be written.
pub fn append(state: &StateDir, line: &Value) -> Result<(), StateError> {
    let path = state.folder("")?.join("audit.jsonl");
    let failed = |error: std::io::Error| StateError::io(&path, "written", &error);
    let mut options = OpenOptions::new();
    options.append(true).create(true).mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC);
    options.open(&path).and_then(|mut file| file.write_all(format!("{line}\n").as_bytes())).map_err(failed)
}
