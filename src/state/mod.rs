//! What is kept between two processes of one user: tokens, locks, questions, open sessions, the audit log.
//!
//! Owns: the state folder, its rights, and how files in it are read and written. A folder or file that others could
//! have touched is refused, never mended in silence. Must not: know what a ZVM, a question or an audit line is.

pub mod counts;
pub mod installed;
pub mod lock;
pub mod log;
pub mod pause;
pub mod questions;
pub mod running;
pub mod sessions;
pub mod tokens;

pub use lock::Lock;

use crate::config::permissions::own_user;
use crate::deadline::Deadline;
use crate::text::{io_text, path_text};
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// Why the state folder, or something in it, cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StateError {
    /// Something stands there that is no folder.
    #[error("The state folder {} is not a folder.", path_text(path))]
    NotAFolder {
        /// What stands there.
        path: PathBuf,
    },
    /// A link stands there. Whoever can change where it leads would choose what counts as a token, an answer or a pause.
    #[error("The state folder {} is a link, and links are not followed there.", path_text(path))]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// It is somebody else's.
    #[error("The state folder {} belongs to the user with the number {owner}, not to you.", path_text(path))]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// Its owner's number.
        owner: u32,
    },
    /// Others may look into it or write there.
    #[error("The state folder {} is open to others (mode {mode:04o}).", path_text(path))]
    Open {
        /// The folder.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// The system refused something.
    #[error("{} cannot be {tried}: {why}.", if is_folder(tried) { format!("The state folder {}", path_text(path)) } else { format!("{} in the state folder", path_text(path)) })]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried with it.
        tried: &'static str,
        /// The system's words.
        why: String,
    },
    /// Another process (or thread) held the lock until the deadline.
    #[error("Another zerto-guard held the lock {} until the deadline.", path_text(path))]
    Busy {
        /// The lock's file.
        path: PathBuf,
    },
}

impl StateError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NotAFolder { path } => {
                format!("Move {} away, or name another folder with --state-dir.", path_text(path))
            }
            Self::Link { path } => format!(
                "Put a folder in the place of {}; to have it elsewhere, name that folder with --state-dir.",
                path_text(path)
            ),
            Self::Foreign { .. } => "Name a folder of your own with --state-dir.".to_owned(),
            Self::Open { path, .. } => format!("Run: chmod 700 '{}'", path_text(path)),
            Self::Io { path, tried: LOCKED, .. } => format!(
                "See that it is a file of yours alone (chmod 600 '{}') and that its file system takes locks, which NFS may not; --state-dir names \
                 a folder elsewhere.",
                path_text(path)
            ),
            Self::Io { tried, .. } if is_folder(tried) => {
                "See that the folder above it is yours to write and that the disk has room, or name another folder with --state-dir.".to_owned()
            }
            Self::Io { .. } => {
                "See that it is a file of yours alone (mode 0600) and no folder, link or pipe, that you may write beside it, and that the \
                 disk has room."
                    .to_owned()
            }
            Self::Busy { .. } => "Try again once the other has ended.".to_owned(),
        }
    }

    fn io(path: &Path, tried: &'static str, error: &io::Error) -> Self {
        Self::Io { path: path.to_owned(), tried, why: io_text(error) }
    }
}

/// What is tried with a folder.
const MADE: &str = "made";
const REACHED: &str = "reached";

/// Whether that is tried with a folder.
fn is_folder(tried: &str) -> bool {
    [MADE, REACHED].contains(&tried)
}

/// What is tried with a lock's file.
const LOCKED: &str = "locked";

/// The state folder. Nothing is created or looked at before it is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateDir {
    path: PathBuf,
}

impl StateDir {
    /// The state folder at `path`; does no I/O.
    #[must_use]
    pub fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes the lock of this name, waiting for it until the deadline. Any text will do for a name.
    ///
    /// # Errors
    /// It stayed taken, or the state folder cannot be used.
    pub fn lock(&self, name: &str, deadline: Deadline) -> Result<Lock, StateError> {
        Lock::take(&self.folder("locks")?, name, deadline)
    }

    /// The folder `name` inside (the state folder itself without a name), made if need be, and checked.
    ///
    /// # Errors
    /// It cannot be made, or it or the state folder is not closed to others.
    pub fn folder(&self, name: &str) -> Result<PathBuf, StateError> {
        make_private(&self.path)?;
        let inner = if name.is_empty() { self.path.clone() } else { self.path.join(name) };
        make_private(&inner)?;
        Ok(inner)
    }

    /// The folder `name` inside (the state folder itself without a name) where there is one, checked as well. Makes nothing.
    ///
    /// # Errors
    /// It or the state folder is there, and is not closed to others.
    pub fn existing(&self, name: &str) -> Result<Option<PathBuf>, StateError> {
        if !is_private(&self.path)? {
            return Ok(None);
        }
        let inner = if name.is_empty() { self.path.clone() } else { self.path.join(name) };
        Ok(is_private(&inner)?.then_some(inner))
    }
}

/// Makes the folder (mode 0700, parents too), and refuses one that is open to others or not ours.
fn make_private(path: &Path) -> Result<(), StateError> {
    if is_private(path)? {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(|e| StateError::io(path, MADE, &e))?;
    // Somebody may have been faster.
    is_private(path).map(|_| ())
}

/// Whether there is something at this path, if that is a folder of ours that is closed to others.
fn is_private(path: &Path) -> Result<bool, StateError> {
    // A slash at the end would lead through a link.
    let bare: PathBuf = path.components().collect();
    let about = match bare.symlink_metadata() {
        Ok(about) => about,
        // Where a file stands in place of a folder above it, there is nothing either.
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(false),
        Err(e) => return Err(StateError::io(path, REACHED, &e)),
    };
    if about.is_symlink() {
        return Err(StateError::Link { path: path.to_owned() });
    }
    if !about.is_dir() {
        return Err(StateError::NotAFolder { path: path.to_owned() });
    }
    if about.uid() != own_user() {
        return Err(StateError::Foreign { path: path.to_owned(), owner: about.uid() });
    }
    let mode = about.mode() & 0o7777;
    if mode & 0o077 != 0 {
        return Err(StateError::Open { path: path.to_owned(), mode });
    }
    Ok(true)
}

/// How a file of the state folder is opened: no link is followed, a pipe holds nobody up, a terminal does not become ours.
const FLAGS: i32 = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY | libc::O_CLOEXEC;

/// Why what was opened may not be used: it is no regular file of ours alone. None if it may. A second name (a hard link) is
/// no fault: nobody else can make one in a folder that is closed to others, and some backups do.
fn unfit(about: &Metadata) -> Option<String> {
    let mode = about.mode() & 0o7777;
    if !about.is_file() {
        Some("it is no regular file".to_owned())
    } else if about.uid() != own_user() {
        Some(format!("it belongs to the user with the number {}", about.uid()))
    } else if mode & 0o077 != 0 {
        Some(format!("it is open to others (mode {mode:04o}; it has to be 0600)"))
    } else {
        None
    }
}

/// What the file holds, or none where it is missing or not to be trusted: no regular file, a link,
/// somebody else's, open to others, or longer than `max`.
///
/// # Errors
/// It is there and ours, but cannot be read.
pub fn read_private(path: &Path, max: u64) -> Result<Option<Vec<u8>>, StateError> {
    let opened = OpenOptions::new().read(true).custom_flags(FLAGS).open(path);
    // Whatever stands there and cannot even be opened was not written by us like this.
    let Ok(file) = opened else { return Ok(None) };
    let about = file.metadata().map_err(|e| StateError::io(path, "looked at", &e))?;
    if unfit(&about).is_some() || about.len() > max {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(max).read_to_end(&mut bytes).map_err(|e| StateError::io(path, "read", &e))?;
    Ok(Some(bytes))
}

/// Puts `bytes` at `path` whole or not at all, mode 0600, in place of whatever file stood there.
///
/// # Errors
/// It cannot be written.
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<(), StateError> {
    let failed = |e: io::Error| StateError::io(path, "written", &e);
    let folder = path.parent().unwrap_or(Path::new("."));
    // tempfile makes its files with mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|e| failed(e.error))?;
    File::open(folder).and_then(|f| f.sync_all()).map_err(failed)
}

/// A record, or none where there is none that can be trusted or understood, or it is longer than `max`.
fn read_record<T: serde::de::DeserializeOwned>(path: &Path, max: u64) -> Result<Option<T>, StateError> {
    Ok(read_private(path, max)?.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}

fn write_record<T: serde::Serialize>(path: &Path, record: &T) -> Result<(), StateError> {
    let text = serde_json::to_vec(record).map_err(|error| StateError::io(path, "written", &error.into()))?;
    write_private(path, &text)
}

/// The files in a folder.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
}

/// Removes the files of a folder that are older than `kept`, and of more than `most` the oldest, so that one more has room. What
/// cannot be removed now will be another time.
fn thin_out(folder: &Path, kept: Duration, most: usize, now: Timestamp) {
    let age = |path: &Path| {
        let changed = path.metadata().and_then(|about| about.modified()).ok()?;
        Timestamp::try_from(changed).ok()
    };
    let mut dated: Vec<(Option<Timestamp>, PathBuf)> = files(folder).map(|path| (age(&path), path)).collect();
    dated.sort();
    let surplus = dated.len().saturating_sub(most.saturating_sub(1));
    for (at, (date, path)) in dated.into_iter().enumerate() {
        if at < surplus || date.is_none_or(|date| !is_younger(date, now, kept)) {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Whether `then` is not longer ago than `span`, and not in the future: a clock set back makes nothing valid again.
fn is_younger(then: Timestamp, now: Timestamp, span: Duration) -> bool {
    let age = now.duration_since(then);
    // A second for clocks that are read in whole ones.
    age.as_secs() >= -1 && age.unsigned_abs() <= span
}

/// A file name for any text: a part that can be read, and a digest that keeps two texts apart.
#[must_use]
pub fn file_name(text: &str) -> String {
    let readable: String = text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(40).collect();
    let digest: String = hex(&Sha256::digest(text.as_bytes())).chars().take(32).collect();
    if readable.is_empty() { digest } else { format!("{readable}-{digest}") }
}

/// Small letters and digits that nobody can guess.
///
/// # Errors
/// If the system has no random numbers.
pub fn random_word(length: usize) -> Result<String, String> {
    const ALPHABET: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut word = String::new();
    while word.len() < length {
        let mut bytes = [0u8; 32];
        getrandom::fill(&mut bytes).map_err(|error| format!("the system has no random numbers: {error}"))?;
        // 252 is the largest multiple of 36 in a byte: what lies above would make some characters likelier.
        let usable = bytes.iter().filter(|byte| **byte < 252);
        let characters = usable.filter_map(|byte| ALPHABET.get(usize::from(*byte) % 36));
        word.extend(characters.take(length - word.len()).map(|byte| char::from(*byte)));
    }
    Ok(word)
}

/// The bytes as lower-case hex digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn made_on_first_need_and_closed_to_others() {
        let outer = tempfile::tempdir().unwrap();
        let state = StateDir::at(outer.path().join("a/b"));
        assert!(!state.path().exists());
        let inner = state.folder("tokens").unwrap();
        for path in [outer.path().join("a"), outer.path().join("a/b"), inner] {
            assert_eq!(path.metadata().unwrap().mode() & 0o7777, 0o700, "{}", path.display());
        }
        assert!(state.folder("tokens").is_ok());
    }

    #[test]
    fn refused_when_others_could_touch_it() {
        let outer = tempfile::tempdir().unwrap();
        let path = outer.path().join("state");
        let state = StateDir::at(path.clone());
        state.folder("x").unwrap();
        for mode in [0o750, 0o705, 0o701, 0o770, 0o777] {
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let error = state.folder("x").unwrap_err();
            assert_eq!(error, StateError::Open { path: path.clone(), mode });
            assert_eq!(error.hint(), format!("Run: chmod 700 '{}'", path.display()));
        }
        fs::set_permissions(&path, Permissions::from_mode(0o700)).unwrap();
        let link = outer.path().join("link");
        symlink(&path, &link).unwrap();
        for link in [link.clone(), link.join("")] {
            let state = StateDir::at(link);
            assert!(
                matches!(state.folder("x"), Err(StateError::Link { .. })),
                "a link to a fit folder is not followed"
            );
            assert!(matches!(state.existing(""), Err(StateError::Link { .. })));
        }
        symlink(&path, path.join("inner")).unwrap();
        assert!(matches!(state.folder("inner"), Err(StateError::Link { .. })));
        assert_eq!(state.existing("none"), Ok(None));
        assert_eq!(state.existing("x"), Ok(Some(path.join("x"))));
        let file = outer.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(StateDir::at(file.clone()).folder("x").is_err());
        assert!(StateDir::at(file.join("y")).folder("x").is_err());
        if own_user() == 0 {
            std::os::unix::fs::chown(&path, Some(12345), None).unwrap();
            assert!(matches!(state.folder("x"), Err(StateError::Foreign { owner: 12345, .. })));
        }
    }

    #[test]
    fn only_a_private_file_of_ours_is_read() {
        let outer = tempfile::tempdir().unwrap();
        let path = outer.path().join("f");
        assert_eq!(read_private(&path, 10), Ok(None));
        write_private(&path, b"old").unwrap();
        write_private(&path, b"new").unwrap();
        assert_eq!(path.metadata().unwrap().mode() & 0o7777, 0o600);
        assert_eq!(read_private(&path, 10), Ok(Some(b"new".to_vec())));
        assert_eq!(read_private(&path, 2), Ok(None), "too long");
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        assert_eq!(read_private(&path, 10), Ok(None), "others can read it");
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        let link = outer.path().join("link");
        symlink(&path, &link).unwrap();
        assert_eq!(read_private(&link, 10), Ok(None), "a symlink");
        assert_eq!(read_private(outer.path(), 10), Ok(None), "a folder");
        if own_user() == 0 {
            std::os::unix::fs::chown(&path, Some(12345), None).unwrap();
            assert_eq!(read_private(&path, 10), Ok(None), "somebody else's");
        }
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 2, "nothing is left over");
    }

    #[test]
    fn any_text_makes_a_safe_name_of_its_own() {
        let texts = ["", ".", "..", "a/b", "a\\b", "ab", "A/B", "../../etc/passwd", "a\0b", "ä", "vpg:1", "vpg 1"];
        let names: std::collections::BTreeSet<String> = texts.iter().map(|t| file_name(t)).collect();
        assert_eq!(names.len(), texts.len());
        let long = file_name(&"x".repeat(10_000));
        for name in names.iter().chain([&long]) {
            assert!(name.len() <= 80 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{name}");
        }
    }
}
