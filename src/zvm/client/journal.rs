//! The verbs that look back: a journal read from its newest end, and what files can be restored from.

use super::{INVENTORY, INVENTORY_TIME, Read, Sends, Zvm};
use crate::text::foreign;
use crate::zvm::error::ZvmError;
use crate::zvm::http::encoded;
use crate::zvm::model::{Checkpoint, PointInTime};
use crate::zvm::wire::{self, query_date, query_date_after};
use jiff::{SignedDuration, Timestamp};

/// What is asked for at a time. A journal holds a checkpoint about every five seconds (help), so that this is some 4300 of
/// them, and less than a MiB.
const WINDOW: SignedDuration = SignedDuration::from_hours(6);

impl Zvm {
    /// The oldest and the newest checkpoint of a VPG's journal; none where it is empty.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`](crate::zvm::ZvmErrorKind).
    pub fn journal_span(&self, vpg: &str) -> Result<Option<(Checkpoint, Checkpoint)>, ZvmError> {
        let trying = format!("asking how far the journal of the VPG {} reaches", foreign(vpg, 100));
        self.read(&trying, &format!("/v1/vpgs/{}/checkpoints/stats", encoded(vpg)), wire::journal_span)
    }

    /// A VPG's checkpoints from `until` back to `from`, newest first, a few hours at a time: a whole journal may hold half
    /// a million of them, and there is no other way to ask for a part.
    #[must_use]
    pub fn journal<'a>(&'a self, vpg: &'a str, from: Timestamp, until: Timestamp) -> Journal<'a> {
        Journal { zvm: self, vpg, from, rest: (until >= from).then_some((until, true)) }
    }

    /// The points in time of a VM in one VPG, and whether files can be restored from each, in the order of the answer,
    /// which means nothing.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`](crate::zvm::ZvmErrorKind).
    pub fn points_in_time(
        &self,
        vm: &str,
        vpg: &str,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<PointInTime>, ZvmError> {
        let trying = format!("asking what can be restored of the VM {}", foreign(vm, 100));
        let path = format!(
            "/v1/vms/{}/pointsInTime?vpgIdentifier={}&startDate={}&endDate={}",
            encoded(vm),
            encoded(vpg),
            encoded(&query_date(from)),
            encoded(&query_date_after(until)),
        );
        // Each of them is judged by the ZVM, which takes longer than a list.
        let asked = Read { trying: &trying, path: &path, sends: Sends::Get, time: INVENTORY_TIME, limit: INVENTORY };
        self.ask(&asked, |answer| wire::points_in_time(&answer.body))
    }
}

/// A journal on its way: windows of checkpoints, the newest first, within each the newest first. A window may be empty.
#[derive(Debug)]
pub struct Journal<'a> {
    zvm: &'a Zvm,
    vpg: &'a str,
    from: Timestamp,
    /// Where the next window ends, and whether it is the newest one.
    rest: Option<(Timestamp, bool)>,
}

impl Iterator for Journal<'_> {
    type Item = Result<Vec<Checkpoint>, ZvmError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (end, is_newest) = self.rest.take()?;
        let start = end.checked_sub(WINDOW).map_or(self.from, |start| start.max(self.from));
        // Both ends are included in an answer, so that one window's first checkpoint would be the next one's last. One
        // without a date can't be placed, and is taken as the ZVM gave it.
        let within = |c: &Checkpoint| c.time.is_none_or(|t| t >= start && (t < end || (is_newest && t == end)));
        let window = self.zvm.checkpoints(self.vpg, start, Some(end)).map(|mut checkpoints| {
            checkpoints.retain(within);
            checkpoints.sort_by_key(|c| std::cmp::Reverse(c.time));
            checkpoints
        });
        // After an error there is nothing to go on with.
        self.rest = (window.is_ok() && start > self.from).then_some((start, false));
        Some(window)
    }
}
