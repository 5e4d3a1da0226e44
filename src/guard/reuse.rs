//! `guard.reuse`: whether a younger tag of the same change already stands in every VPG that would be tagged now.
//!
//! Must not: let a tag pass whose age by the ZVM's own clock is not known.

use super::appliance::Appliance;
use super::clock::{Clock, earlier, later};
use super::side_by_side::side_by_side;
use super::tag::{self, Draft};
use crate::zvm::model::{Checkpoint, Vpg};
use std::time::Duration;

/// A checkpoint may seem this much younger than now, as our idea of the ZVM's clock is a little behind.
const AHEAD: Duration = Duration::from_secs(10);

/// The newest such tag, and its checkpoint's identifier in each VPG (in the order given).
pub(super) fn standing(
    draft: &Draft,
    vpgs: &[(&dyn Appliance, &Vpg, Clock)],
    younger_than: Duration,
) -> Option<(String, Vec<String>)> {
    // A listing that fails makes no guard fail: a new tag is inserted then.
    let listings: Vec<Vec<Checkpoint>> = side_by_side(vpgs, |(appliance, vpg, clock)| {
        let listed = appliance.checkpoints(&vpg.identifier, earlier(clock.now(), younger_than), None).ok()?;
        let (from, until) = (earlier(clock.now(), younger_than), later(clock.now(), AHEAD));
        Some(
            listed
                .into_iter()
                .filter(|checkpoint| checkpoint.time.is_some_and(|time| from <= time && time <= until))
                .collect(),
        )
    })
    .into_iter()
    .map(Option::flatten)
    .collect::<Option<_>>()?;
    let mut candidates: Vec<&Checkpoint> = listings
        .first()?
        .iter()
        .filter(|checkpoint| {
            checkpoint.tag.as_deref().and_then(tag::parse).is_some_and(|tag| draft.is_same_change(&tag))
        })
        .collect();
    candidates.sort_by_key(|checkpoint| checkpoint.time);
    candidates.iter().rev().find_map(|candidate| {
        let tag = candidate.tag.as_deref()?;
        let checkpoints = listings
            .iter()
            .map(|listed| super::checkpoint::newest_with(listed, tag).map(|c| c.identifier.clone()))
            .collect::<Option<_>>()?;
        Some((tag.to_owned(), checkpoints))
    })
}

#[cfg(test)]
#[path = "tests/reuse.rs"]
mod tests;
