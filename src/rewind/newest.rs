//! The newest checkpoint of a VPG: what a VM's disks are now, as near as Zerto can tell.
//!
//! Must not: mount anything.

use super::desk::Desk;
use super::error::RewindError;
use super::find::{Found, point};
use super::select::{Listed, Tagged};
use crate::text::foreign;

/// The newest checkpoint of the same VM in the same VPG, at the same ZVM. None where that is the one that was found.
///
/// # Errors
/// The ZVM can't be asked, its journal is empty, or it says that the checkpoint can't be mounted.
pub fn newest(desk: &Desk, found: &Found) -> Result<Option<Found>, RewindError> {
    let span = desk.zvm(found.zvm)?.journal_span(&found.vpg.identifier).map_err(RewindError::Zvm)?;
    let refused = |checkpoint: String, why: String| RewindError::NotMountable {
        vm: found.vm.name.clone(),
        checkpoint,
        reasons: vec![format!("VPG {}: {why}", foreign(&found.vpg.name, 80))],
    };
    let Some((_, newest)) = span else {
        return Err(refused("its newest checkpoint".to_owned(), "its journal is empty".to_owned()));
    };
    if newest.identifier == found.place.checkpoint {
        return Ok(None);
    }
    let tag = newest.tag.unwrap_or_default();
    let place = Listed { checkpoint: newest.identifier, time: newest.time, tag: tag.clone(), ..found.place.clone() };
    if let Some(point) = point(desk, found.zvm, &place, &found.vm).filter(|point| point.can_mount == Some(false)) {
        let checkpoint = format!("its newest checkpoint, {}", foreign(&place.checkpoint, 40));
        return Err(refused(checkpoint, foreign(point.reason.trim(), 300)));
    }
    let tagged = Tagged { tag, says: None, time: place.time, places: vec![place.clone()] };
    Ok(Some(Found { tagged, place, warnings: vec![], ..found.clone() }))
}
