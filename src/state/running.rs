//! Which calls were let run, so that their end is noted when the host tells it.
//!
//! An empty file a call, named by the call's key: most calls have none, and the hook after a call need look no further.
//! Must not: know what a call was.

use super::{FLAGS, StateDir, StateError};
use std::fs::{self, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::time::SystemTime;

const FOLDER: &str = "running";

/// More calls than this at once are no agent's: of calls whose end nobody told, the oldest go. Not by the clock, which may be
/// set.
const MOST: usize = 500;

/// Notes that the call of this key was let run.
///
/// # Errors
/// It can't be written.
pub fn begin(state: &StateDir, key: &str) -> Result<(), StateError> {
    let folder = state.folder(FOLDER)?;
    let path = folder.join(key);
    // There is nothing in it, so that nothing need be emptied: what stands in its place keeps what it holds.
    let file = OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(FLAGS).open(&path);
    file.map_err(|error| StateError::io(&path, "written", &error))?;
    let mut all: Vec<(SystemTime, PathBuf)> =
        super::files(&folder).filter_map(|path| Some((path.symlink_metadata().ok()?.modified().ok()?, path))).collect();
    if let Some(surplus) = all.len().checked_sub(MOST) {
        all.sort();
        for (_, old) in all.into_iter().take(surplus).filter(|(_, old)| *old != path) {
            let _ = fs::remove_file(old);
        }
    }
    Ok(())
}

/// Whether the call of this key was let run, and nobody has asked before. Makes nothing.
#[must_use]
pub fn end(state: &StateDir, key: &str) -> bool {
    let Ok(Some(folder)) = state.existing(FOLDER) else { return false };
    // Of two that ask at the same time, one removes it.
    fs::remove_file(folder.join(key)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_end_is_told_once_and_only_so_many_are_kept() {
        let outer = tempfile::tempdir().unwrap();
        let state = StateDir::at(outer.path().join("state"));
        assert!(!end(&state, "a"));
        assert!(!state.path().exists(), "looking makes nothing");
        begin(&state, "a").unwrap();
        begin(&state, "b").unwrap();
        assert!(end(&state, "a"));
        assert!(!end(&state, "a"));
        for n in 0..MOST + 20 {
            begin(&state, &n.to_string()).unwrap();
        }
        assert_eq!(super::super::files(&state.path().join(FOLDER)).count(), MOST);
        assert!(end(&state, &(MOST + 19).to_string()));
        assert!(!end(&state, "b"));
    }
}
