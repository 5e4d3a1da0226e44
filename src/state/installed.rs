//! Which settings files `install` wrote, so that they can be protected where they aren't in a usual place, and which folders
//! it made for them, so that they go again.
//!
//! A file a path, named by its digest, so that no two processes have to take turns: the path and the folders, with a zero
//! byte between them. Must not: know what is in a settings file.

use super::{StateDir, StateError, file_name, read_private, write_private};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The hook's entry.
    Hook,
    /// The MCP server's, which is advice: its file is not protected.
    Server,
}

impl What {
    fn folder(self) -> &'static str {
        match self {
            Self::Hook => "installed",
            Self::Server => "installed-mcp",
        }
    }
}

/// No path is longer.
const LONGEST: u64 = 16 << 10;

/// Keeps in mind that it stands in this settings file, and that these folders were made for it, the innermost first.
/// Folders that are in mind already stay so.
///
/// # Errors
/// The state folder can't be used.
pub fn remember(state: &StateDir, what: What, settings: &Path, made: &[PathBuf]) -> Result<(), StateError> {
    let folder = state.folder(what.folder())?;
    let file = folder.join(file_name(&settings.to_string_lossy()));
    let mut paths = vec![settings.to_owned()];
    paths.extend(made.iter().cloned());
    paths.extend(paths_in(&file).into_iter().skip(1).filter(|path| !made.contains(path)));
    let bytes: Vec<&[u8]> = paths.iter().map(|path| path.as_os_str().as_bytes()).collect();
    write_private(&file, &bytes.join(&0))
}

/// Forgets it again, and gives the folders that were made for it, the innermost first.
pub fn forget(state: &StateDir, what: What, settings: &Path) -> Vec<PathBuf> {
    let Ok(Some(folder)) = state.existing(what.folder()) else { return vec![] };
    let file = folder.join(file_name(&settings.to_string_lossy()));
    let made = paths_in(&file).into_iter().skip(1).collect();
    let _ = std::fs::remove_file(file);
    made
}

/// The settings files in which the hook stands. Makes nothing.
///
/// # Errors
/// What stands there does not say it any more, or can't be read: that file or folder, and why.
pub fn files(state: &StateDir) -> Result<Vec<PathBuf>, (PathBuf, String)> {
    let folder = state.path().join(What::Hook.folder());
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(vec![]),
        // Where there is a file in place of the state folder, or of one above it, nothing was ever recorded.
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory && !state.path().is_dir() => return Ok(vec![]),
        Err(error) => return Err((folder, error.to_string())),
    };
    let mut files = Vec::new();
    for entry in entries {
        let file = entry.map_err(|error| (folder.clone(), error.to_string()))?.path();
        // Of a record that was cut off the name does not fit any more.
        let is_whole = |path: &PathBuf| file.ends_with(file_name(&path.to_string_lossy()));
        let first = paths_in(&file).into_iter().next().filter(|path| path.is_absolute() && is_whole(path));
        // What has gone meanwhile, or was never finished, is no record.
        let is_record = || {
            let half = file.file_name().is_some_and(|name| name.as_bytes().starts_with(b"."));
            !half && file.symlink_metadata().is_ok()
        };
        match first {
            Some(path) => files.push(path),
            None if is_record() => return Err((file, "it is damaged, or others could have written it".to_owned())),
            None => {}
        }
    }
    Ok(files)
}

fn paths_in(file: &Path) -> Vec<PathBuf> {
    let bytes = read_private(file, LONGEST).ok().flatten().unwrap_or_default();
    let parts = bytes.split(|byte| *byte == 0).filter(|part| !part.is_empty());
    parts.map(|part| PathBuf::from(std::ffi::OsString::from_vec(part.to_vec()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_looked_into_may_hold_records() {
        let outer = tempfile::tempdir().unwrap();
        let (file, circle) = (outer.path().join("file"), outer.path().join("circle"));
        std::fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&circle, &circle).unwrap();
        for state in [&file, &file.join("state")] {
            assert_eq!(files(&StateDir::at(state.clone())), Ok(vec![]));
        }
        for state in [&circle, &circle.join("state")] {
            assert!(files(&StateDir::at(state.clone())).is_err());
        }
    }

    #[test]
    fn remembered_once_and_forgotten() {
        let outer = tempfile::tempdir().unwrap();
        let state = StateDir::at(outer.path().join("state"));
        assert!(files(&state).unwrap().is_empty() && !state.path().exists());
        let path = Path::new("/home/jo/elsewhere/settings.json");
        let made = [PathBuf::from("/home/jo/elsewhere")];
        // The second time the folder is there already.
        for made in [&made[..], &[]] {
            remember(&state, What::Hook, path, made).unwrap();
            assert_eq!(files(&state).unwrap(), [path]);
        }
        assert_eq!(forget(&state, What::Hook, path), made);
        assert!(forget(&state, What::Hook, path).is_empty());
        assert!(files(&state).unwrap().is_empty());
    }
}
