//! Journals: the checkpoints of a VPG, automatic and tagged.
//!
//! Nothing runs in the background: automatic checkpoints are made up to the present whenever someone looks.

use std::time::{Duration, Instant};

use crate::dates::millis;
use crate::world::{Vpg, VpgSpec};

/// How many automatic checkpoints are made up at most for the time that nobody looked.
const CATCH_UP: i64 = 720;

/// One checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checkpoint {
    /// A string that holds an integer (recorded bodies). Counts within its VPG.
    pub id: String,
    /// Milliseconds since 1970 by the ZVM's clock.
    pub time_ms: i64,
    /// `None`: an automatic one.
    pub tag: Option<String>,
    /// 0..2 (OpenAPI 10.0 U6). Their names are unknown; chosen: 0 automatic, 1 tagged.
    pub kind: u8,
    pub(crate) listed_at: Option<Instant>,
}

impl Checkpoint {
    /// Whether the API lists it already.
    #[must_use]
    pub fn listed(&self) -> bool {
        self.listed_at.is_none_or(|at| at <= Instant::now())
    }
}

impl Vpg {
    /// Whether it protects: only then are checkpoints made.
    #[must_use]
    pub fn protects(&self) -> bool {
        self.refusal().is_none()
    }

    /// Why its state allows no checkpoint (Zerto's help: none while it syncs or is out of touch with its peer; paused:
    /// inferred). The texts are unknown; chosen.
    #[must_use]
    pub fn refusal(&self) -> Option<&'static str> {
        match (self.status, self.sub_status) {
            (0, _) => Some("the VPG is initializing"),
            (5, _) => Some("the VPG is failing over"),
            (6, _) => Some("the VPG is moving"),
            (7, _) => Some("the VPG is being deleted"),
            (8, _) => Some("the VPG was recovered"),
            (_, 1..=4 | 6 | 11..=13 | 23) => Some("the VPG is synchronizing"),
            (_, 10 | 24) => Some("the VPG is disconnected from its peer site"),
            (_, 25 | 26) => Some("replication of the VPG is paused"),
            (_, 7..=9 | 27 | 30..=32) => Some("the VPG is in error"),
            (_, 14..=22 | 29) => Some("another operation runs on the VPG"),
            _ => None,
        }
    }

    /// Adds a checkpoint; its id is the next one of this VPG.
    pub(crate) fn push(&mut self, time_ms: i64, tag: Option<String>, listed_at: Option<Instant>) {
        let kind = u8::from(tag.is_some());
        self.journal.push(Checkpoint { id: self.next_checkpoint.to_string(), time_ms, tag, kind, listed_at });
        self.next_checkpoint += 1;
    }

    /// A journal as if it had run for that long: its oldest checkpoint, and those of the last minute.
    pub(crate) fn seed(&mut self, now_ms: i64, actual_history_minutes: i64, every: Duration) {
        let oldest = now_ms.saturating_sub(actual_history_minutes.saturating_mul(60_000));
        if actual_history_minutes > 0 {
            self.push(oldest, None, None);
        }
        self.last_auto_ms = now_ms.saturating_sub(60_000).max(oldest);
        self.auto(now_ms, every);
    }

    /// What a description wants beyond that: a long row of automatic checkpoints, and tags of the past. Numbers go by
    /// time, since file trees are told apart by them.
    pub(crate) fn seed_more(&mut self, now_ms: i64, spec: &VpgSpec) {
        if spec.checkpoints == 0 && spec.tags.is_empty() {
            return;
        }
        let mut all: Vec<(i64, Option<String>)> = self.journal.drain(..).map(|c| (c.time_ms, c.tag)).collect();
        let first = all.iter().map(|(ms, _)| *ms).max().unwrap_or(now_ms).saturating_sub(60_000);
        all.extend((1..=i64::from(spec.checkpoints)).map(|n| (first.saturating_sub(n.saturating_mul(5000)), None)));
        let ago = |minutes: &i64| now_ms.saturating_sub(minutes.saturating_mul(60_000));
        all.extend(spec.tags.iter().map(|(minutes, tag)| (ago(minutes), Some(tag.clone()))));
        all.sort_by_key(|(ms, _)| *ms);
        self.next_checkpoint = 1201;
        for (ms, tag) in all {
            self.push(ms, tag, None);
        }
    }

    /// Makes the automatic checkpoints that are due by then, and drops what is older than the journal may be.
    pub(crate) fn auto(&mut self, until_ms: i64, every: Duration) {
        let every = millis(every);
        if every == 0 || self.mirrored || !self.protects() {
            self.last_auto_ms = self.last_auto_ms.max(until_ms);
            return;
        }
        let earliest = until_ms.saturating_sub(every.saturating_mul(CATCH_UP));
        self.last_auto_ms = self.last_auto_ms.max(earliest);
        while self.last_auto_ms.saturating_add(every) <= until_ms {
            self.last_auto_ms += every;
            self.push(self.last_auto_ms, None, None);
        }
        let oldest = until_ms.saturating_sub(self.configured_history_minutes.saturating_mul(60_000));
        self.journal.retain(|c| c.time_ms >= oldest);
    }

    /// What the API lists.
    pub(crate) fn listed(&self) -> impl Iterator<Item = &Checkpoint> {
        self.journal.iter().filter(|c| c.listed())
    }

    /// How far the journal reaches back.
    pub(crate) fn actual_history(&self, now_ms: i64) -> i64 {
        self.actual_history_minutes.unwrap_or_else(|| {
            let oldest = self.listed().map(|c| c.time_ms).min().unwrap_or(now_ms);
            now_ms.saturating_sub(oldest) / 60_000
        })
    }
}
