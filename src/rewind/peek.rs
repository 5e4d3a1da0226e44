//! A guest's file that is looked at: brought whole into this machine's folder for such files, and gone after that.
//!
//! It is brought whole before a byte is shown, since whoever reads the output can't take back what it has read of a file that
//! turns out to be a part; and so that no mount waits for a reader. Must not: mount or unmount, or show anything.

use super::caution;
use super::desk::Desk;
use super::error::RewindError;
use super::goal::{Part, shown};
use super::journals::Member;
use super::path::GuestPath;
use super::recover::Tell;
use super::save::{Whole, fetch};
use super::session::Mount;
use super::tree::is_folder;
use super::trouble::{SaveError, SaveErrorKind};
use std::ffi::OsStr;

/// A file that has come.
#[derive(Debug)]
pub struct Peeked {
    /// Its bytes.
    pub whole: Whole,
    /// Where it lies in the FLR name space.
    pub place: String,
}

/// Brings the file at a guest's path.
///
/// # Errors
/// It is not there, on several partitions, a folder, or can't be downloaded; it did not come whole; there is no room for it.
pub fn peek(mount: &Mount, desk: &Desk, vm: &Member, path: &GuestPath, tell: &Tell) -> Result<Peeked, RewindError> {
    let item = mount.locate(desk, &vm.name, path)?;
    let (typed, name) = (path.typed.clone(), vm.name.clone());
    if is_folder(&item) {
        return Err(RewindError::NoFile { path: typed, vm: name });
    }
    if !item.downloadable {
        return Err(RewindError::NoDownload { path: typed, vm: name, remark: item.remark });
    }
    if let Some(warning) = caution::of_size(&path.typed, &vm.guest_os, item.size) {
        (tell.warn)(&warning);
    }
    let watch = |done, whole| {
        (tell.at)(item.name(), done, whole);
        !mount.is_stopped()
    };
    let part = Part::beside(&std::env::temp_dir(), OsStr::new("zerto-guard")).map_err(no_room);
    let whole = part.and_then(|part| fetch(mount.zvm(), mount.id(), &item, part, &watch).map_err(no_room));
    let whole =
        whole.map_err(|error| if mount.is_stopped() { RewindError::Stopped } else { RewindError::Save(error) })?;
    whole.warnings.iter().for_each(|warning| (tell.warn)(warning));
    Ok(Peeked { whole, place: item.path })
}

/// Where the disk is full, another folder is named in another way than with `recover`.
fn no_room(mut error: SaveError) -> SaveError {
    if error.kind == SaveErrorKind::Disk {
        let folder = shown(&std::env::temp_dir());
        error.hint = format!("The file is kept in {folder} while it is looked at; TMPDIR names another folder.");
    }
    error
}
