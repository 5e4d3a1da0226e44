//! Where a file of a guest goes on this machine: what may stand there, the part that is written beside it, and how the part
//! takes its place.
//!
//! Owns: that a name never shows a part of a file, that nothing is written over unasked, and that what is replaced is kept.
//! Must not: know a ZVM.

use super::trouble::{SaveError, SaveErrorKind};
use crate::text::{clean, io_text};
use jiff::Timestamp;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileType, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, fchown};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// How the name of a part ends, so that a stranger who finds one knows whose it is.
pub const PART: &str = ".zerto-guard-part";

/// The longest file name on the usual file systems, in bytes.
pub const LONGEST_NAME: usize = 255;

/// How often a goal may change while it is looked at.
const TRIES: usize = 3;

/// Where a file goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    /// As it was given, to be shown.
    given: PathBuf,
    /// Where what is replaced is kept, but for its name: beside the file itself, where a link was given.
    beside: PathBuf,
    /// Links followed.
    folder: PathBuf,
    name: OsString,
    force: bool,
    replaces: Option<Replaced>,
}

/// What stands at a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Replaced {
    mode: u32,
    owner: (u32, u32),
}

impl Goal {
    /// Looks at what stands there. With `force` a file may, and is kept beside the new one.
    ///
    /// # Errors
    /// A file stands there and `force` is not given, or something that is no file, or there is no such folder.
    pub fn new(given: &Path, force: bool) -> Result<Self, SaveError> {
        let shown = shown(given);
        let rule = |message: String, hint: &str| Err(SaveError::new(SaveErrorKind::Rule, message, hint));
        if given.as_os_str().is_empty() {
            return rule("The name of the file to write is empty.".to_owned(), "");
        }
        if given.as_os_str() == "-" {
            let hint = "`zerto-guard rewind cat` writes a file's bytes to stdout; a file of that name is ./-";
            return rule("`-` is no name for a file.".to_owned(), hint);
        }
        let is_link = match fs::symlink_metadata(given) {
            Ok(entry) => entry.is_symlink(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Self::fresh(given, force),
            Err(error) => return Err(disk(format!("{shown} can't be looked at"), &error)),
        };
        let entry = match fs::metadata(given) {
            Ok(entry) => entry,
            Err(error) if is_link && error.kind() == io::ErrorKind::NotFound => {
                let hint = "Remove the link, or give another name with --output.";
                return rule(format!("{shown} is a link to something that does not exist."), hint);
            }
            Err(error) => return Err(disk(format!("{shown} can't be looked at"), &error)),
        };
        if entry.is_dir() {
            let hint = format!("Name the file: --output {}/NAME", shown.trim_end_matches('/'));
            return rule(format!("{shown} is a folder."), &hint);
        }
        if !entry.is_file() {
            let hint = "Give another name with --output; `zerto-guard rewind cat` writes to stdout.";
            return rule(format!("{shown} is {}, and no file.", kind(entry.file_type())), hint);
        }
        if !force {
            return Err(exists(&shown));
        }
        // Where the name is a link, it is the file behind it that is replaced, and the link stays.
        let real = fs::canonicalize(given).map_err(|error| disk(format!("{shown} can't be looked at"), &error))?;
        let (Some(folder), Some(name)) = (real.parent(), real.file_name()) else {
            return rule(format!("{shown} is no name for a file."), "");
        };
        let replaces = Some(Replaced { mode: entry.mode() & 0o777, owner: (entry.uid(), entry.gid()) });
        let beside = if is_link { real.clone() } else { given.to_owned() };
        Ok(Self { given: given.to_owned(), beside, folder: folder.into(), name: name.into(), force, replaces })
    }

    /// Where nothing stands.
    fn fresh(given: &Path, force: bool) -> Result<Self, SaveError> {
        let shown = shown(given);
        let ends_as_folder = given.as_os_str().as_encoded_bytes().last() == Some(&b'/');
        let (Some(name), false) = (given.file_name(), ends_as_folder) else {
            let hint = "Name the file, and not its folder alone.";
            return Err(SaveError::new(SaveErrorKind::Rule, format!("{shown} is no name for a file."), hint));
        };
        let folder = match given.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        match fs::metadata(folder) {
            Ok(entry) if entry.is_dir() => {}
            Ok(_) => {
                let message = format!("{} is no folder.", self::shown(folder));
                return Err(SaveError::new(SaveErrorKind::Disk, message, "Give another name with --output."));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let message = format!("There is no folder {}.", self::shown(folder));
                let hint = "Make it first, or give another name with --output.";
                return Err(SaveError::new(SaveErrorKind::Disk, message, hint));
            }
            Err(error) => return Err(disk(format!("The folder {} can't be used", self::shown(folder)), &error)),
        }
        let (beside, replaces) = (given.to_owned(), None);
        Ok(Self { given: given.to_owned(), beside, folder: folder.into(), name: name.into(), force, replaces })
    }

    /// Where it goes, as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.given
    }

    /// Whether a file stands there, which will be kept beside it.
    #[must_use]
    pub fn replaces(&self) -> bool {
        self.replaces.is_some()
    }

    /// Begins a part beside the goal, for nobody else to read. It goes when it is dropped.
    ///
    /// # Errors
    /// The folder can't be written.
    pub fn part(&self) -> Result<Part, SaveError> {
        Part::beside(&self.folder, &self.name)
    }

    /// Syncs a part and gives it the goal's name, at once and whole. What stood there is kept beside it under the name that
    /// is returned.
    ///
    /// # Errors
    /// Something stands there that did not, without `force`; or the disk does not take it. The goal is as it was.
    pub fn publish(&self, part: Part, now: Timestamp) -> Result<Option<PathBuf>, SaveError> {
        let shown = shown(&self.given);
        let fails = |error: &io::Error| disk(format!("{shown} could not be written"), error);
        part.file.as_file().sync_all().map_err(|error| fails(&error))?;
        let mode = match self.replaces {
            Some(old) => {
                // As cp leaves it. Only root can give a file away, and for the others it is theirs anyway.
                let _ = fchown(part.file.as_file(), Some(old.owner.0), Some(old.owner.1));
                old.mode
            }
            None => part.mode,
        };
        part.file.as_file().set_permissions(Permissions::from_mode(mode)).map_err(|error| fails(&error))?;
        let goal = self.folder.join(&self.name);
        let mut file = part.file;
        // What is to be replaced may go, and what is not to be may come, while this looks: so it is tried again.
        for _ in 0..TRIES {
            let kept = if self.force { self.keep_old(&goal, now).map_err(|error| fails(&error))? } else { None };
            let failed = match &kept {
                Some(Kept { moved: false, .. }) => file.persist(&goal),
                _ => file.persist_noclobber(&goal),
            };
            let Err(failed) = failed else {
                sync_folder(&self.folder)
                    .map_err(|error| disk(format!("{shown} is written, but may not last"), &error))?;
                return Ok(kept.map(|kept| self.beside.with_file_name(kept.name)));
            };
            if let Some(kept) = kept {
                let kept_at = self.folder.join(kept.name);
                let _ = if kept.moved { move_to_new(&kept_at, &goal) } else { fs::remove_file(&kept_at) };
            }
            if failed.error.kind() != io::ErrorKind::AlreadyExists {
                return Err(fails(&failed.error));
            }
            if !self.force {
                break;
            }
            file = failed.file;
        }
        Err(exists(&shown))
    }

    /// Gives the file at the goal a second name that nobody has; where the file system or the owner allows none, moves it
    /// there. None where nothing stands there.
    fn keep_old(&self, goal: &Path, now: Timestamp) -> io::Result<Option<Kept>> {
        match fs::symlink_metadata(goal) {
            Ok(entry) if entry.is_file() => {}
            Ok(_) => {
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it has become something else meanwhile"));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        }
        let stamp = now.strftime("%Y%m%dT%H%M%SZ");
        for nr in 1.. {
            let end = if nr == 1 { format!(".before-{stamp}") } else { format!(".before-{stamp}-{nr}") };
            let mut name = cut(&self.name, LONGEST_NAME.saturating_sub(end.len()));
            name.push(&end);
            let kept = self.folder.join(&name);
            let (done, moved) = match fs::hard_link(goal, &kept) {
                Err(error) if !matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound) => {
                    (move_to_new(goal, &kept), true)
                }
                done => (done, false),
            };
            match done {
                Ok(()) => return Ok(Some(Kept { name, moved })),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }
}

/// Where what is replaced was kept.
struct Kept {
    name: OsString,
    /// Whether it is gone from the goal.
    moved: bool,
}

/// A file that is not there yet: bytes beside the goal that become it, or go when this is dropped.
#[derive(Debug)]
pub struct Part {
    file: NamedTempFile,
    /// The name that it is to have.
    name: OsString,
    /// What mode a new file would have had.
    mode: u32,
}

impl Part {
    /// Begins one beside the file of that name, for nobody else to read.
    ///
    /// # Errors
    /// The folder can't be written.
    pub fn beside(folder: &Path, name: &OsStr) -> Result<Self, SaveError> {
        let mut prefix = OsString::from(".");
        prefix.push(cut(name, LONGEST_NAME.saturating_sub(PART.len() + 8)));
        prefix.push(".");
        // Made as any new file is, so that the umask and the folder's own rules show in its mode; closed to others before
        // there is a byte in it.
        let made = Builder::new()
            .prefix(&prefix)
            .suffix(PART)
            .rand_bytes(6)
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder);
        let closed = made.and_then(|file| {
            let mode = file.as_file().metadata()?.permissions().mode() & 0o777;
            file.as_file().set_permissions(Permissions::from_mode(0o600))?;
            Ok(Self { file, name: name.to_owned(), mode })
        });
        closed.map_err(|error| {
            let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
            disk(format!("The folder {} can't be written", shown(&whole)), &error)
        })
    }

    /// Another one beside it.
    ///
    /// # Errors
    /// The folder can't be written.
    pub fn another(&self) -> Result<Self, SaveError> {
        Self::beside(self.folder(), &self.name)
    }

    /// The file, to write and to read.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// The folder that it is in.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.file.path().parent().unwrap_or(Path::new("."))
    }
}

/// How many bytes are free in a folder; none where that can't be told.
#[must_use]
pub fn free(folder: &Path) -> Option<u64> {
    use std::os::unix::ffi::OsStrExt as _;
    let path = std::ffi::CString::new(folder.as_os_str().as_bytes()).ok()?;
    let mut told = std::mem::MaybeUninit::<libc::statvfs>::zeroed();
    // SAFETY: the path ends with a zero, the structure outlives the call, which fills it and keeps no pointer.
    let done = unsafe { libc::statvfs(path.as_ptr(), told.as_mut_ptr()) };
    // SAFETY: all zeros is a valid value of this structure of numbers, whatever the call did.
    let told = unsafe { told.assume_init() };
    // How wide these numbers are depends on the system.
    #[allow(clippy::useless_conversion, clippy::unnecessary_fallible_conversions)]
    let (blocks, size) = (u64::try_from(told.f_bavail).ok()?, u64::try_from(told.f_frsize).ok()?);
    // A file system of a network may tell nothing.
    (done == 0 && size > 0 && told.f_blocks > 0).then(|| blocks.saturating_mul(size))
}

/// A path as it is shown.
#[must_use]
pub fn shown(path: &Path) -> String {
    clean(&path.to_string_lossy(), 1000)
}

/// An error of this machine's disk, with what helps.
pub fn disk(what: String, error: &io::Error) -> SaveError {
    let hint = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "Make room, or give a place on another disk with --output."
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "Give another place with --output.",
        io::ErrorKind::InvalidFilename => "Give a shorter name with --output.",
        _ => "See what is wrong with that disk, or give a place on another one with --output.",
    };
    SaveError::new(SaveErrorKind::Disk, format!("{what}: {}.", io_text(error)), hint)
}

fn exists(shown: &str) -> SaveError {
    let hint = "--force replaces it and keeps the old one beside it; --output FILE writes elsewhere.";
    SaveError::new(SaveErrorKind::Rule, format!("{shown} exists."), hint)
}

/// Moves a file to a name that nobody has.
fn move_to_new(from: &Path, to: &Path) -> io::Result<()> {
    let mut path = tempfile::TempPath::try_from_path(from)?;
    // It is no temporary file, and must not go with this.
    path.disable_cleanup(true);
    path.persist_noclobber(to).map_err(|failed| failed.error)
}

fn kind(kind: FileType) -> &'static str {
    match kind {
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        kind if kind.is_char_device() || kind.is_block_device() => "a device",
        _ => "something else",
    }
}

/// The beginning of a name, in at most so many bytes.
fn cut(name: &OsStr, most: usize) -> OsString {
    if name.len() <= most {
        return name.to_owned();
    }
    let text = name.to_string_lossy();
    let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    OsString::from(text.get(..end).unwrap_or_default())
}

/// Makes the names in a folder last. Some file systems of a network know no such thing.
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        // A folder that may be written and not read.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        synced => synced,
    }
}

#[cfg(test)]
#[path = "tests/goal.rs"]
mod tests;
