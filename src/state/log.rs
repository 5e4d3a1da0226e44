//! The log's files: JSON lines, appended and rotated, for the user's eyes only.
//!
//! Owns: that lines of several processes do not mix, that half a line spoils no other, and how much is kept. Must not: know
//! what a line says; hold anything up for long.

use super::{FLAGS, StateDir, StateError, unfit};
use crate::deadline::Deadline;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file that has grown to this size (in bytes) is put aside, and a new one begun.
pub const FULL: u64 = 4 << 20;

/// How many files are kept: the one that is written, and those that were put aside.
pub const FILES: usize = 8;

/// No file of ours is longer: the last line may reach beyond [`FULL`], and processes that did not get the lock rotate nothing.
const LONGEST: u64 = 64 << 20;

/// How long a turn is waited for. It takes well below a millisecond, and what is appended may be the last word before the
/// hook's own time limit.
const PATIENCE: Duration = Duration::from_millis(200);

/// The name of the lock.
const LOCK: &str = "audit";

/// What the log holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents<T> {
    /// The lines, oldest first.
    pub lines: Vec<T>,
    /// How many lines could not be understood: cut off by a crash, or not of this program.
    pub odd: usize,
    /// Files that are not to be trusted or can't be read, and why.
    pub unread: Vec<(PathBuf, String)>,
}

/// Appends a line.
///
/// # Errors
/// It cannot be written, or what stands in its place is no private file of ours.
pub fn append(state: &StateDir, line: &impl Serialize) -> Result<(), StateError> {
    let folder = state.folder("")?;
    let path = file_of(&folder, 0);
    let failed = |error: io::Error| StateError::io(&path, "written", &error);
    let text = serde_json::to_string(line).map_err(|error| failed(error.into()))?;
    // A process that was stopped with the lock in its hands holds nobody up: lines do not mix without it either, since each
    // is one write. Only is nothing rotated then.
    let turn = match state.lock(LOCK, Deadline::after(PATIENCE)) {
        Ok(lock) => Some(lock),
        Err(StateError::Busy { .. }) => None,
        Err(error) => return Err(error),
    };
    let (mut file, mut size) = open(&path).map_err(failed)?;
    if turn.is_some() && size >= FULL {
        rotate(&folder);
        (file, size) = open(&path).map_err(failed)?;
    }
    // What a full disk has cut off must not swallow the line that follows.
    let begin = if ends_a_line(&file, size) { "" } else { "\n" };
    file.write_all(format!("{begin}{text}\n").as_bytes()).map_err(failed)
}

/// All that can be read. Makes nothing.
///
/// # Errors
/// The state folder is there, but can't be used.
pub fn read<T: DeserializeOwned>(state: &StateDir) -> Result<Contents<T>, StateError> {
    let mut found = Contents { lines: vec![], odd: 0, unread: vec![] };
    let Some(folder) = state.existing("")? else { return Ok(found) };
    // Where nobody rotates in between, no file is read twice. One who can't lock reads all the same.
    let _turn = state.lock(LOCK, Deadline::after(PATIENCE)).ok();
    for nr in (0..FILES).rev() {
        let path = file_of(&folder, nr);
        match bytes(&path) {
            Ok(None) => {}
            Err(error) => found.unread.push((path, error.to_string())),
            Ok(Some(bytes)) => {
                for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
                    match serde_json::from_slice(line) {
                        Ok(line) => found.lines.push(line),
                        Err(_) => found.odd += 1,
                    }
                }
            }
        }
    }
    Ok(found)
}

/// The file that is written (0), or that was put aside that many rotations ago.
fn file_of(folder: &Path, nr: usize) -> PathBuf {
    folder.join(if nr == 0 { "audit.jsonl".to_owned() } else { format!("audit.{nr}.jsonl") })
}

/// Puts the full file aside; the oldest goes. What can't be moved stays, and is written on.
fn rotate(folder: &Path) {
    // A crash in between leaves a gap, which is filled first.
    let free = (1..FILES).find(|nr| file_of(folder, *nr).symlink_metadata().is_err()).unwrap_or(FILES - 1);
    for nr in (0..free).rev() {
        let _ = fs::rename(file_of(folder, nr), file_of(folder, nr + 1));
    }
}

/// The file, and its size.
fn open(path: &Path) -> io::Result<(File, u64)> {
    let file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).custom_flags(FLAGS).open(path)?;
    let size = private(&file)?;
    Ok((file, size))
}

fn bytes(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = match OpenOptions::new().read(true).custom_flags(FLAGS).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let size = private(&file)?;
    if size > LONGEST {
        return Err(io::Error::other(format!("it is longer than {} MiB", LONGEST >> 20)));
    }
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// The size of a file, if it is a regular one of ours that is closed to others.
fn private(file: &File) -> io::Result<u64> {
    let about = file.metadata()?;
    match unfit(&about) {
        Some(why) => Err(io::Error::other(why)),
        None => Ok(about.len()),
    }
}

/// Whether a file of this size ends with a whole line, or is empty.
fn ends_a_line(file: &File, size: u64) -> bool {
    let mut last = [0];
    match size.checked_sub(1) {
        None => true,
        Some(at) => file.read_exact_at(&mut last, at).is_ok() && last == *b"\n",
    }
}

#[cfg(test)]
#[path = "tests/log.rs"]
mod tests;
