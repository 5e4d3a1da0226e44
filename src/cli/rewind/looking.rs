//! What `cat` and `diff` have in common: a mount for one file, its progress, and what is said meanwhile.
//!
//! Must not: know what the file is for.

use crate::errands::Front;
use crate::errands::mounting::{Told, mounted};
use crate::rewind::desk::Desk;
use crate::rewind::ending::Unmounted;
use crate::rewind::error::RewindError;
use crate::rewind::find::Found;
use crate::rewind::path::GuestPath;
use crate::rewind::peek::peek;
use crate::rewind::recover::Tell;
use crate::rewind::save::Whole;
use crate::text::{clean, foreign};
use crate::ui::Failure;
use crate::ui::progress::Progress;
use std::sync::Arc;

/// A file that has come, and how its mount ended.
pub(super) struct Brought {
    pub whole: Whole,
    pub unmounted: Unmounted,
    /// What was said beside it.
    pub warnings: Vec<String>,
}

/// A file that may not be there, in place of the file why not.
pub(super) struct MaybeBrought {
    pub whole: Result<Whole, RewindError>,
    pub unmounted: Unmounted,
    pub warnings: Vec<String>,
}

/// Mounts, brings one file, and unmounts.
pub(super) fn bring(
    front: &Arc<dyn Front>,
    desk: &Arc<Desk>,
    found: &Found,
    path: &GuestPath,
) -> Result<Brought, Failure> {
    let MaybeBrought { whole, unmounted, warnings } = bring_if_there(front, desk, found, path)?;
    Ok(Brought { whole: whole?, unmounted, warnings })
}

/// Mounts, brings one file if it is there, and unmounts.
pub(super) fn bring_if_there(
    front: &Arc<dyn Front>,
    desk: &Arc<Desk>,
    found: &Found,
    path: &GuestPath,
) -> Result<MaybeBrought, Failure> {
    let told = Told::new(front);
    let inner_front = Arc::clone(front);
    let (inner_desk, vm, wanted, inner_told) = (Arc::clone(desk), found.vm.clone(), path.clone(), told.clone());
    let (peeked, unmounted) = mounted(front, desk, found, move |mount| {
        let progress = Progress::new(inner_front.line());
        let warn = |text: &str| inner_told.warn(text);
        let at = |name: &str, done, whole| progress.at(&clean(name, 60), done, whole);
        match peek(mount, &inner_desk, &vm, &wanted, &Tell { at: &at, warn: &warn }) {
            Err(error @ RewindError::NoPath { .. }) => Ok(Err(error)),
            peeked => peeked.map(Ok),
        }
    })?;
    if let Ok(peeked) = &peeked {
        let (path, vm, place) = (foreign(&path.typed, 300), foreign(&found.vm.name, 80), foreign(&peeked.place, 300));
        front.say(&format!("{path} on {vm} is {place}"));
    }
    let whole = peeked.map(|peeked| peeked.whole);
    let mut warnings = found.warnings.clone();
    warnings.extend(told.take());
    warnings.extend(unmounted.warning());
    Ok(MaybeBrought { whole, unmounted, warnings })
}
