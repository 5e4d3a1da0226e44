//! Replaces a config or catalog whole: what reads it sees the old text or the new one, never a half.

use crate::text::io_text;
use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::Path;

/// The modes of a file and folders that were not there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fresh {
    /// The file's.
    pub file: u32,
    /// Its new folders'.
    pub folder: u32,
}

impl Fresh {
    /// For this user alone.
    pub const PRIVATE: Self = Self { file: 0o600, folder: 0o700 };
    /// For all to read.
    pub const PUBLIC: Self = Self { file: 0o644, folder: 0o755 };
}

/// Writes the text in place of the file; a link stays a link, and its target is replaced. A new file has mode 0600 and
/// its new folders 0700.
///
/// # Errors
/// If the folder can't be made or the file not be written.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    replace_as(path, text, Fresh::PRIVATE)
}

/// As [`replace`], with other modes for what is new, whatever the process's mask.
///
/// # Errors
/// As for [`replace`].
pub fn replace_as(path: &Path, text: &str, fresh: Fresh) -> io::Result<()> {
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let new: Vec<&Path> =
        folder.ancestors().take_while(|above| !above.as_os_str().is_empty() && !above.exists()).collect();
    fs::DirBuilder::new().recursive(true).mode(fresh.folder).create(folder)?;
    for folder in new {
        fs::set_permissions(folder, Permissions::from_mode(fresh.folder))?;
    }
    let old = fs::metadata(&target).ok();
    let mode = old.as_ref().map_or(fresh.file, |about| about.permissions().mode() & 0o777);
    let new = tempfile::NamedTempFile::new_in(folder);
    let mut file = new.map_err(|error| io::Error::new(error.kind(), io_text(&error)))?;
    file.write_all(text.as_bytes())?;
    if let Some(old) = &old {
        // Root edits a file of somebody else's: it stays theirs. Nobody else may give a file away, or has to.
        let _ = std::os::unix::fs::fchown(file.as_file(), Some(old.uid()), Some(old.gid()));
    }
    file.as_file().set_permissions(Permissions::from_mode(mode))?;
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_stays_a_link_and_the_mode_stays_too() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        replace(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert!(link.symlink_metadata().unwrap().file_type().is_symlink());
        assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        let fresh = folder.path().join("a/b/c.toml");
        replace(&fresh, "x").unwrap();
        assert_eq!(fresh.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let public = folder.path().join("c/d/e.json");
        replace_as(&public, "x", Fresh::PUBLIC).unwrap();
        assert_eq!(public.metadata().unwrap().permissions().mode() & 0o777, 0o644);
        assert_eq!(folder.path().join("c").metadata().unwrap().permissions().mode() & 0o777, 0o755);
    }
}
