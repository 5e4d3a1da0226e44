//! The time stamp of a tag, so that one machine never makes the same tag twice.
//!
//! Owns: `<state>/tags/last`: for the last tags their digest and stamp, and a floor for those it has forgotten. A tag
//! that was made within this second gets the next one, and that second is waited for. Must not: hold a tag's text.

use super::error::GuardError;
use super::tag::Draft;
use crate::deadline::Deadline;
use crate::state::{StateDir, StateError, hex, read_private, write_private};
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// How many tags are remembered.
const KEPT: usize = 256;
const LONGEST_FILE: u64 = 64 * 1024;
/// A stamp this far ahead of the clock is waited for. Further ahead only if the clock was put back: then it has to do.
const LONGEST_WAIT: Duration = Duration::from_secs(3);

/// The draft with the stamp of now, or of the next second that makes it a tag this machine has not made.
pub(super) fn unique(
    draft: &Draft,
    state: &StateDir,
    now: &dyn Fn() -> Timestamp,
    deadline: Deadline,
) -> Result<String, GuardError> {
    let late = || GuardError::late("another zerto-guard on this machine was choosing a time stamp for its tag.");
    let lock = state.lock("tag", deadline).map_err(|error| match error {
        StateError::Busy { .. } => late(),
        other => GuardError::State(other),
    })?;
    let path = state.folder("tags").map_err(GuardError::State)?.join("last");
    let time = now();
    let read = read_private(&path, LONGEST_FILE).map_err(GuardError::State)?;
    let mut memory = match read {
        Some(bytes) => Memory::parse(&bytes),
        // Something that is not to be trusted stands there, and will be replaced.
        None if path.symlink_metadata().is_ok() => None,
        None => Some(Memory::default()),
    }
    // What was lost may have been made this very second.
    .unwrap_or_else(|| Memory { floor: time.as_second(), last: BTreeMap::new() });
    let digest: String = hex(&Sha256::digest(draft.unstamped().as_bytes())).chars().take(32).collect();
    let second = memory.next(digest, time.as_second());
    write_private(&path, memory.text().as_bytes()).map_err(GuardError::State)?;
    drop(lock);

    let stamp = Timestamp::from_second(second).unwrap_or(time);
    let ahead = Duration::try_from(stamp.duration_since(time)).unwrap_or_default();
    if !ahead.is_zero() && ahead <= LONGEST_WAIT && !deadline.sleep(ahead) {
        return Err(late());
    }
    Ok(draft.stamped(stamp))
}

/// Which tags were made when, in seconds.
#[derive(Debug, Default, PartialEq, Eq)]
struct Memory {
    /// No forgotten tag has a later stamp.
    floor: i64,
    last: BTreeMap<String, i64>,
}

impl Memory {
    /// The first second from `now` on in which this tag was not made yet; remembers it.
    fn next(&mut self, digest: String, now: i64) -> i64 {
        let taken = self.last.get(&digest).copied().unwrap_or(self.floor);
        let second = now.max(taken.saturating_add(1));
        self.last.insert(digest, second);
        while self.last.len() > KEPT {
            let Some(oldest) = self.last.iter().min_by_key(|(_, second)| **second).map(|(digest, _)| digest.clone())
            else {
                break;
            };
            if let Some(second) = self.last.remove(&oldest) {
                self.floor = self.floor.max(second);
            }
        }
        second
    }

    fn text(&self) -> String {
        let mut text = format!("floor {}\n", self.floor);
        for (digest, second) in &self.last {
            let _ = writeln!(text, "{digest} {second}");
        }
        text
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let mut lines = std::str::from_utf8(bytes).ok()?.lines();
        let floor = lines.next()?.strip_prefix("floor ")?.parse().ok()?;
        let last = lines
            .map(|line| {
                let (digest, second) = line.split_once(' ')?;
                Some((digest.to_owned(), second.parse().ok()?))
            })
            .collect::<Option<_>>()?;
        Some(Self { floor, last })
    }
}

#[cfg(test)]
#[path = "tests/stamp.rs"]
mod tests;
