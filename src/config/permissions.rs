//! Who owns a file that holds a secret, and who else may read it. (Files that are trusted: `trusted_file`.)
//!
//! Owns: the checks and the `chmod` that mends what they find. Must not: change anything, or read what a file holds.
//! They look at an open file, so that what was checked is what is read.

use super::trusted_file;
use crate::text::path_text;
use std::fs::File;
use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a file may not be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unfit {
    /// It cannot be opened.
    #[error("{} cannot be read: {why}", path_text(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's words.
        why: String,
    },
    /// It is a folder, a pipe or a device.
    #[error("{} is not a regular file", path_text(path))]
    NotAFile {
        /// The file.
        path: PathBuf,
    },
    /// It is somebody else's.
    #[error("{} belongs to the user with the number {owner}, and has to be yours or root's", path_text(path))]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Its owner's number.
        owner: u32,
    },
    /// Others can write it in a way that the mode does not show, or its folder, and so put another in its place.
    #[error("{}: {why}", path_text(path))]
    Writable {
        /// The file, or the folder.
        path: PathBuf,
        /// What is wrong, and how it is mended.
        why: String,
    },
    /// Others may read or write it.
    #[error("{} is open to others (mode {mode:04o})", path_text(path))]
    Open {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
}

impl Unfit {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Unreadable { path, .. } => {
                format!("See that {} exists and is yours to read.", path_text(path))
            }
            Self::NotAFile { path } => {
                format!("Name a regular file in place of {}.", path_text(path))
            }
            Self::Foreign { path, .. } => format!("Run: chown \"$(id -un)\" '{}'", path_text(path)),
            Self::Open { path, .. } => format!("Run: chmod 600 '{}'", path_text(path)),
            Self::Writable { .. } => "Whoever can put another file there says what is sent to the ZVM.".to_owned(),
        }
    }
}

/// Opens a file that holds a secret: regular, the user's own or root's, closed to everyone else, and in a folder that nobody
/// else can write. A symlink is followed, and what it leads to is checked.
///
/// # Errors
/// What is wrong with it.
pub fn open_secret(path: &Path) -> Result<File, Unfit> {
    let unreadable = |e: io::Error| Unfit::Unreadable { path: path.to_owned(), why: e.to_string() };
    // Without O_NONBLOCK the open itself would wait for somebody to write into a pipe.
    let file =
        OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path).map_err(unreadable)?;
    let about = file.metadata().map_err(unreadable)?;
    if !about.is_file() {
        return Err(Unfit::NotAFile { path: path.to_owned() });
    }
    if about.uid() != own_user() && about.uid() != 0 {
        return Err(Unfit::Foreign { path: path.to_owned(), owner: about.uid() });
    }
    let mode = about.mode() & 0o7777;
    if mode & 0o077 != 0 {
        return Err(Unfit::Open { path: path.to_owned(), mode });
    }
    trusted_file::check(path, &about).map_err(|(path, why)| Unfit::Writable { path, why })?;
    Ok(file)
}

/// The number of the user whose rights this process has.
#[must_use]
pub fn own_user() -> u32 {
    // SAFETY: geteuid takes nothing, touches no memory and cannot fail.
    unsafe { libc::geteuid() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_secret_file_is_closed_to_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        fs::write(&path, "x").unwrap();
        let link = folder.path().join("link");
        symlink(&path, &link).unwrap();
        for (mode, good) in [
            (0o600, true),
            (0o400, true),
            (0o640, false),
            (0o604, false),
            (0o620, false),
            (0o602, false),
            (0o644, false),
            (0o666, false),
        ] {
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            for name in [&path, &link] {
                assert_eq!(open_secret(name).is_ok(), good, "{mode:o}");
            }
            if let Err(unfit) = open_secret(&link) {
                assert_eq!(unfit.hint(), format!("Run: chmod 600 '{}'", link.display()));
                assert!(unfit.to_string().contains(&format!("(mode {mode:04o})")), "{unfit}");
            }
        }
    }

    #[test]
    fn a_secret_file_lies_where_nobody_else_can_put_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        fs::write(&path, "x").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        let unfit = open_secret(&path).unwrap_err();
        assert!(unfit.to_string().contains("chmod go-w"), "{unfit}");
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        assert!(open_secret(&path).is_ok());
    }

    #[test]
    fn what_is_no_file_is_refused_without_waiting() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(open_secret(folder.path()), Err(Unfit::NotAFile { .. })));
        assert!(matches!(open_secret(Path::new("/dev/null")), Err(Unfit::NotAFile { .. })));
        let missing = folder.path().join("missing");
        assert!(matches!(open_secret(&missing), Err(Unfit::Unreadable { .. })));
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(matches!(open_secret(&pipe), Err(Unfit::NotAFile { .. })));
    }
}
