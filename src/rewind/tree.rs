//! What a mounted session shows: where a guest's path lies in it, and what a folder holds.
//!
//! Must not: fetch anything.

use super::desk::Desk;
use super::error::RewindError;
use super::path::{GuestPath, pinned};
use super::search::{Search, Shows, search};
use super::session::Mount;
use crate::text::foreign;
use crate::zvm::ZvmErrorKind;
use crate::zvm::model::{FlrItem, FlrItemKind};
use std::ops::ControlFlow;

impl Mount {
    /// What lies at a guest's path. For a root with several partitions see [`places`](Self::places).
    ///
    /// # Errors
    /// It is not there, or on several partitions, or the session can't be asked.
    pub fn locate(&self, desk: &Desk, vm: &str, path: &GuestPath) -> Result<FlrItem, RewindError> {
        let mut found = self.places(desk, vm, path)?;
        match (found.pop(), found.is_empty()) {
            (Some(item), true) => Ok(item),
            (last, _) => {
                let places = found.into_iter().chain(last).map(|item| item.path).collect();
                Err(RewindError::SeveralPlaces { path: path.typed.clone(), vm: vm.to_owned(), places })
            }
        }
    }

    /// Everything that lies at a guest's path, on whichever partition: at least one thing. For a root: the partitions.
    ///
    /// # Errors
    /// It is on none, or the session can't be asked.
    pub fn places(&self, desk: &Desk, vm: &str, path: &GuestPath) -> Result<Vec<FlrItem>, RewindError> {
        let settings = desk.paths.iter().map(|(key, place)| (key.as_str(), place.as_str()));
        let pin = pinned(settings, vm, path);
        let looked = search(&mut Listing(self), path, pin)?;
        if !looked.found.is_empty() {
            return Ok(looked.found);
        }
        if let Some((place, _)) = pin.filter(|_| looked.pin_is_gone) {
            return Err(RewindError::PinGone {
                path: path.typed.clone(),
                vm: vm.to_owned(),
                place: place.to_owned(),
                partitions: looked.partitions.into_iter().map(|item| item.path).collect(),
            });
        }
        let pin = pin.map(|(place, _)| place.to_owned());
        Err(RewindError::NoPath {
            path: path.typed.clone(),
            vm: vm.to_owned(),
            exists: (looked.reached > 0).then(|| path.beginning(looked.reached)),
            beside: beside(looked, pin),
        })
    }

    /// All that a path of the session holds, page by page, until `each` has had enough; the empty path holds the partitions.
    ///
    /// # Errors
    /// The session can't be asked.
    pub fn list(&self, path: &str, each: impl FnMut(FlrItem) -> ControlFlow<()>) -> Result<(), RewindError> {
        self.zvm().browse(self.id(), path, each).map(|_| ()).map_err(|error| self.broken(error))
    }
}

/// Whether something can be in it.
#[must_use]
pub fn is_folder(item: &FlrItem) -> bool {
    match item.kind {
        FlrItemKind::Disk | FlrItemKind::Partition | FlrItemKind::Folder => true,
        FlrItemKind::File => false,
        FlrItemKind::Other(_) => item.browsable,
    }
}

/// What may explain that a path was not found, in sentences.
fn beside(looked: Search, pin: Option<String>) -> Vec<String> {
    let mut sentences = Vec::new();
    for item in looked.barred.iter().take(3) {
        let words = match item.remark.trim() {
            "" => "can't be looked into; if it is a link, give the path that it leads to".to_owned(),
            remark => format!(
                "can't be looked into ({}); if it is a link, give the path that it leads to",
                foreign(remark.trim_end_matches('.'), 200)
            ),
        };
        sentences.push(format!("{} {words}.", foreign(&item.path, 300)));
    }
    let named =
        |items: &[FlrItem]| items.iter().take(20).map(|item| foreign(&item.path, 100)).collect::<Vec<_>>().join(", ");
    if !looked.unread.is_empty() {
        sentences.push(format!("Could not be looked through: {}.", named(&looked.unread)));
    }
    match pin {
        Some(place) => sentences.push(format!("[paths] of the config says to look in {} alone.", foreign(&place, 200))),
        None if !looked.partitions.is_empty() => sentences.push(format!(
            "Looked through: {}. If it lies below a folder of one of them (a subvolume, say), [paths] of the config can say so.",
            named(&looked.partitions)
        )),
        None => {}
    }
    sentences
}

struct Listing<'m>(&'m Mount);

impl Shows for Listing<'_> {
    type Error = RewindError;

    fn look(&mut self, folder: &str, each: &mut dyn FnMut(FlrItem) -> ControlFlow<()>) -> Result<(), RewindError> {
        self.0.list(folder, each)
    }

    fn is_of_the_partition(error: &RewindError) -> bool {
        matches!(error, RewindError::Zvm(error) if matches!(error.kind, ZvmErrorKind::NotFound | ZvmErrorKind::Refused(_)))
    }
}
