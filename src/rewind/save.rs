//! The bytes of a guest's file: from a session's download to a file that is whole, or to an error.
//!
//! Owns: whether a download is the file or a zip around it, and what it is checked against. Constant memory, whatever the
//! size. Must not: decide where a file goes (that is `goal`), or end a session.
//!
//! No source tells whether a ZVM sends a file as it is or in a zip, so the bytes decide: a zip that holds this file and
//! nothing else, by name and size, is a wrapper; anything else is the file itself if it has the size reported.

use super::goal::{Goal, Part, disk, free};
use super::trouble::{SaveError, SaveErrorKind};
use super::unzip::{self, Damage, MAGIC, Wrapped};
use crate::text::foreign;
use crate::zvm::client::broken_download;
use crate::zvm::model::FlrItem;
use crate::zvm::{Zvm, ZvmError, ZvmErrorKind};
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use std::io::{self, Read, Seek as _, Write as _};
use std::path::PathBuf;

/// How much is written at a time.
const PIECE: usize = 256 * 1024;

/// How much longer than its file a wrapper may be: what deflate adds to bytes that can't be packed (a few in 16 KiB), the
/// heads, and a directory.
const WRAPPING: u64 = 1024 * 1024;

/// Told how many bytes have come, and of how many, if that is known; says whether to go on.
pub type Watch<'a> = &'a dyn Fn(u64, Option<u64>) -> bool;

/// A file that came whole, not yet under its name.
#[derive(Debug)]
pub struct Whole {
    /// Its bytes, from the beginning.
    pub part: Part,
    /// Its length in bytes.
    pub size: u64,
    /// In lower-case hex.
    pub sha256: String,
    /// What could not be checked.
    pub warnings: Vec<String>,
}

/// A file that stands under its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// Where.
    pub file: PathBuf,
    /// Its length in bytes.
    pub size: u64,
    /// In lower-case hex.
    pub sha256: String,
    /// Where the file is that stood there before.
    pub kept: Option<PathBuf>,
    /// What could not be checked.
    pub warnings: Vec<String>,
}

/// Brings a file of a session to its goal: whole, or not at all.
///
/// # Errors
/// It did not come whole, or the goal does not take it.
pub fn save(zvm: &Zvm, session: &str, item: &FlrItem, goal: &Goal, watch: Watch<'_>) -> Result<Saved, SaveError> {
    let Whole { part, size, sha256, warnings } = fetch(zvm, session, item, goal.part()?, watch)?;
    let kept = goal.publish(part, Timestamp::now())?;
    Ok(Saved { file: goal.path().to_owned(), size, sha256, kept, warnings })
}

/// Brings a file of a session into a part: whole, or not at all.
///
/// # Errors
/// It did not come whole, or the disk does not take it.
pub fn fetch(zvm: &Zvm, session: &str, item: &FlrItem, part: Part, watch: Watch<'_>) -> Result<Whole, SaveError> {
    if let Some(size) = item.size {
        has_room(item, size, &part)?;
    }
    let link = zvm.download_link(session, &[&item.path]).map_err(|error| refused(error, item))?;
    let mut download = zvm.download(&link).map_err(|error| refused(error, item))?;
    let length = download.length();
    let came = receive(&mut download, length, item, part, watch)?;
    finish(came, length, item, watch)
}

/// What has come, whatever it is.
#[derive(Debug)]
struct Came {
    part: Part,
    count: u64,
    sha256: String,
    /// Whether it begins as a zip does.
    zip_begins: bool,
}

fn receive(
    from: &mut impl Read,
    length: Option<u64>,
    item: &FlrItem,
    mut part: Part,
    watch: Watch<'_>,
) -> Result<Came, SaveError> {
    let mut buffer = vec![0; PIECE];
    let mut digest = Sha256::new();
    let (mut count, mut zip_begins) = (0_u64, false);
    loop {
        let piece = fill(from, &mut buffer, |filled| {
            // How long a zip is nobody says but the answer; of the file itself the session has told the size.
            let whole = if zip_begins { length } else { item.size.or(length) };
            watch(count.saturating_add(filled), whole)
        });
        let Some(piece) = piece.map_err(|error| broke_off(error, item))? else { return Err(stopped(item)) };
        if piece.is_empty() {
            break;
        }
        if count == 0 {
            zip_begins = piece.starts_with(MAGIC);
        }
        count = count.saturating_add(size_of_val(piece).try_into().unwrap_or(u64::MAX));
        if let Some(size) = item.size {
            let most = if zip_begins { size.saturating_add(size / 1000).saturating_add(WRAPPING) } else { size };
            if count > most {
                return Err(wrong(item, &format!("The download is longer than the {size} bytes that the ZVM lists")));
            }
        }
        digest.update(piece);
        part.file().write_all(piece).map_err(|error| not_written(item, &part, &error))?;
    }
    Ok(Came { part, count, sha256: hex(digest), zip_begins })
}

/// Reads until the buffer is full or there is no more; none if it is not to go on.
fn fill<'b>(from: &mut impl Read, buffer: &'b mut [u8], goes_on: impl Fn(u64) -> bool) -> io::Result<Option<&'b [u8]>> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match from.read(rest) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        }
        if !goes_on(u64::try_from(filled).unwrap_or(u64::MAX)) {
            return Ok(None);
        }
    }
    Ok(Some(buffer.get(..filled).unwrap_or_default()))
}

/// Makes the file of what has come, if it is whole.
fn finish(mut came: Came, length: Option<u64>, item: &FlrItem, watch: Watch<'_>) -> Result<Whole, SaveError> {
    let unread = |error: io::Error| disk(format!("What came of {} can't be read", foreign(&item.path, 300)), &error);
    let mut inside = None;
    if came.zip_begins {
        inside = unzip::only_file(came.part.file()).map_err(unread)?;
        if let Some(wrapped) = inside.as_ref().filter(|wrapped| is_wrapper(wrapped, item)) {
            match unpacked(&mut came.part, wrapped, item, watch) {
                // An archive with a damaged file of its own name in it is still the file, if it is as long as that.
                Err(Unpacked::Damaged(_)) if item.size == Some(came.count) => {}
                Err(Unpacked::Damaged(why)) => {
                    return Err(wrong(item, &format!("The zip that it came in is damaged: {why}")));
                }
                Err(Unpacked::Failed(error)) => return Err(error),
                Ok(whole) => return Ok(whole),
            }
        }
    }
    let mut warnings = Vec::new();
    match (item.size, length) {
        (Some(size), _) if size == came.count => {}
        (Some(size), _) => {
            let but = match inside {
                Some(wrapped) => {
                    let name = crate::text::inside(&String::from_utf8_lossy(&wrapped.name), 200);
                    format!("a zip with \"{name}\" of {} bytes in it has come", wrapped.size)
                }
                None => format!("{} bytes have come", came.count),
            };
            return Err(wrong(item, &format!("The ZVM lists it with {size} bytes, and {but}")));
        }
        (None, Some(_)) => {}
        (None, None) if came.zip_begins && unzip::is_cut(came.part.file()).map_err(unread)? => {
            let what = "It begins as a zip does and has no end, and the ZVM did not say how long it is";
            return Err(wrong(item, what));
        }
        (None, None) => warnings.push(format!(
            "Neither the list nor the download says how long {} is: only the end of the connection tells that it is whole.",
            foreign(&item.path, 300)
        )),
    }
    came.part.file().rewind().map_err(unread)?;
    Ok(Whole { part: came.part, size: came.count, sha256: came.sha256, warnings })
}

/// Whether a zip with this one file in it is made for the download. By its size alone a small file that shrinks by as much as
/// a zip adds could not be told from its wrapper.
fn is_wrapper(wrapped: &Wrapped, item: &FlrItem) -> bool {
    let name = item.name();
    // What does not say that it is UTF-8 is in a code page that nobody knows; then the size has to do.
    let unreadable = !wrapped.says_utf8 && !name.is_ascii() && item.size.is_some();
    (wrapped.name == name.as_bytes() || unreadable) && item.size.is_none_or(|size| size == wrapped.size)
}

/// Why nothing was unpacked.
enum Unpacked {
    Damaged(String),
    Failed(SaveError),
}

fn unpacked(zip: &mut Part, wrapped: &Wrapped, item: &FlrItem, watch: Watch<'_>) -> Result<Whole, Unpacked> {
    let mut part = zip.another().map_err(Unpacked::Failed)?;
    has_room(item, wrapped.size, &part).map_err(Unpacked::Failed)?;
    let mut digest = Sha256::new();
    let (mut count, mut goes_on) = (0_u64, true);
    let done = wrapped.unpack(zip.file(), |piece| {
        count = count.saturating_add(size_of_val(piece).try_into().unwrap_or(u64::MAX));
        goes_on = watch(count, Some(wrapped.size));
        if !goes_on {
            return Err(io::ErrorKind::Interrupted.into());
        }
        digest.update(piece);
        part.file().write_all(piece)
    });
    let unread = |error| disk(format!("What came of {} can't be read", foreign(&item.path, 300)), &error);
    match done {
        Ok(()) => {}
        Err(Damage::Wrong(why)) => return Err(Unpacked::Damaged(why)),
        Err(Damage::Taken(_)) if !goes_on => return Err(Unpacked::Failed(stopped(item))),
        Err(Damage::Taken(error)) => return Err(Unpacked::Failed(not_written(item, &part, &error))),
        Err(Damage::Read(error)) => return Err(Unpacked::Failed(unread(error))),
    }
    part.file().rewind().map_err(|error| Unpacked::Failed(unread(error)))?;
    Ok(Whole { part, size: wrapped.size, sha256: hex(digest), warnings: vec![] })
}

fn hex(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn has_room(item: &FlrItem, size: u64, part: &Part) -> Result<(), SaveError> {
    match free(part.folder()) {
        Some(free) if free < size => Err(SaveError::new(
            SaveErrorKind::Disk,
            format!(
                "{} has {size} bytes, and the disk of {} has {free} left.",
                foreign(&item.path, 300),
                super::goal::shown(part.folder())
            ),
            "Make room, or give a place on another disk with --output.",
        )),
        _ => Ok(()),
    }
}

fn not_written(item: &FlrItem, part: &Part, error: &io::Error) -> SaveError {
    let folder = super::goal::shown(part.folder());
    disk(format!("{} could not be written into {folder}", foreign(&item.path, 300)), error)
}

fn wrong(item: &FlrItem, what: &str) -> SaveError {
    let hint = "Nothing was written. Try again; if it stays so, look at the ZVM's own log.";
    SaveError::new(SaveErrorKind::Bytes, format!("{} did not come whole. {what}.", foreign(&item.path, 300)), hint)
}

fn stopped(item: &FlrItem) -> SaveError {
    SaveError::new(SaveErrorKind::Stopped, format!("{} was broken off.", foreign(&item.path, 300)), "")
}

/// A transfer that broke off has failed, wherever it broke off.
fn broke_off(error: io::Error, item: &FlrItem) -> SaveError {
    let shown = foreign(&item.path, 300);
    match broken_download(error) {
        Ok(error) => {
            let message = format!("{shown} did not come whole. {}", error.message);
            let hint = match error.hint.as_str() {
                "" => "Nothing was written. Try again.".to_owned(),
                hint => format!("Nothing was written. {hint}"),
            };
            SaveError::new(SaveErrorKind::Bytes, message, hint)
        }
        Err(error) => wrong(item, &format!("The download broke off: {error}")),
    }
}

/// A ZVM that gives no download; where it may be the name, that is said.
fn refused(error: ZvmError, item: &FlrItem) -> SaveError {
    let is_refusal = matches!(error.kind, ZvmErrorKind::Refused(_) | ZvmErrorKind::NotFound);
    let mut error = SaveError::from(error);
    if is_refusal && has_doubtful_name(&item.path) {
        let hint = "File level restore refuses some characters in names, and which is not documented. `zerto-guard rewind \
                    clone` makes a VM of the same checkpoint, from which the file can be copied.";
        hint.clone_into(&mut error.hint);
    }
    error
}

/// Whether a path has characters that file level restore may refuse. Only the backslash is documented (Zerto's help, 7.0);
/// that there are more was measured, and the others are those that Windows allows in no name.
#[must_use]
pub fn has_doubtful_name(path: &str) -> bool {
    path.chars().any(|c| c.is_control() || matches!(c, '\\' | '"' | '*' | '?' | '<' | '>' | '|' | ':'))
}

#[cfg(test)]
#[path = "tests/save.rs"]
mod tests;
