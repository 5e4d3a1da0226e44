//! Which settings files `install` wrote, so that they can be protected where they aren't in a usual place.
//!
//! A file a path, named by its digest, so that no two processes have to take turns. Must not: know what is in a settings
//! file.

use super::{StateDir, StateError, file_name, read_private, write_private};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

const FOLDER: &str = "installed";

/// No path is longer.
const LONGEST: u64 = 16 << 10;

/// Keeps in mind that the hook stands in this settings file.
///
/// # Errors
/// The state folder can't be used.
pub fn remember(state: &StateDir, settings: &Path) -> Result<(), StateError> {
    let folder = state.folder(FOLDER)?;
    write_private(&folder.join(file_name(&settings.to_string_lossy())), settings.as_os_str().as_bytes())
}

/// Forgets it again.
pub fn forget(state: &StateDir, settings: &Path) {
    let _ = std::fs::remove_file(state.path().join(FOLDER).join(file_name(&settings.to_string_lossy())));
}

/// The settings files in which the hook stands, as far as is remembered. Makes nothing.
#[must_use]
pub fn files(state: &StateDir) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(state.path().join(FOLDER)) else { return Vec::new() };
    let bytes = entries.flatten().filter_map(|entry| read_private(&entry.path(), LONGEST).ok().flatten());
    bytes.map(|bytes| PathBuf::from(std::ffi::OsString::from_vec(bytes))).filter(|path| path.is_absolute()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembered_once_and_forgotten() {
        let outer = tempfile::tempdir().unwrap();
        let state = StateDir::at(outer.path().join("state"));
        assert!(files(&state).is_empty() && !state.path().exists());
        let path = Path::new("/home/jo/elsewhere/settings.json");
        for _ in 0..2 {
            remember(&state, path).unwrap();
            assert_eq!(files(&state), [path]);
        }
        forget(&state, path);
        forget(&state, path);
        assert!(files(&state).is_empty());
    }
}
