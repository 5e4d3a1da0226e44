//! What a mounted session shows: where a guest's path lies in it, and what a folder holds.
//!
//! Must not: fetch anything.

use super::desk::Desk;
use super::error::RewindError;
use super::path::{Entry, GuestPath, Shows, pinned, places};
use super::session::Mount;
use crate::zvm::model::{FlrItem, FlrItemKind};
use std::collections::HashMap;
use std::ops::ControlFlow;

impl Mount {
    /// What lies at a guest's path. For a root with several partitions see [`list`](Self::list) with an empty path.
    ///
    /// # Errors
    /// It is not there, or on several partitions, or the session can't be asked.
    pub fn locate(&self, desk: &Desk, vm: &str, path: &GuestPath) -> Result<FlrItem, RewindError> {
        let settings = desk.paths.iter().map(|(key, place)| (key.as_str(), place.as_str()));
        let mut listing = Listing { mount: self, seen: HashMap::new() };
        let found = places(&mut listing, path, pinned(settings, vm, path))?;
        match found.as_slice() {
            [] => Err(RewindError::NoPath { path: path.typed.clone(), vm: vm.to_owned(), exists: None }),
            [place] => self.item(place),
            _ => Err(RewindError::SeveralPlaces { path: path.typed.clone(), vm: vm.to_owned(), places: found }),
        }
    }

    /// What lies at a path of the session.
    fn item(&self, place: &str) -> Result<FlrItem, RewindError> {
        let folder = place.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut found = None;
        self.list(folder, |item| {
            if item.path == place {
                found = Some(item);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        // A place that a person has set need not be one that a listing shows.
        let unseen = || RewindError::NoPath { path: place.to_owned(), vm: String::new(), exists: None };
        found.ok_or_else(unseen)
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

struct Listing<'m> {
    mount: &'m Mount,
    seen: HashMap<String, Vec<Entry>>,
}

impl Shows for Listing<'_> {
    type Error = RewindError;

    fn inside(&mut self, path: &str) -> Result<Vec<Entry>, RewindError> {
        if let Some(known) = self.seen.get(path) {
            return Ok(known.clone());
        }
        let mut entries = Vec::new();
        self.mount.list(path, |item| {
            let is_folder = is_folder(&item);
            entries.push(Entry { path: item.path, is_folder });
            ControlFlow::Continue(())
        })?;
        self.seen.insert(path.to_owned(), entries.clone());
        Ok(entries)
    }
}
