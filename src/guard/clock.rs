//! A ZVM's clock as we know it: what it said once, and how long ago that was. Times of checkpoints and tasks are
//! compared with this and never with our own clock.

use jiff::{SignedDuration, Timestamp};
use std::time::{Duration, Instant};

/// A ZVM's clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    said: Timestamp,
    heard: Instant,
}

impl Clock {
    /// It said this just now.
    pub(super) fn says(said: Timestamp) -> Self {
        Self { said, heard: Instant::now() }
    }

    /// What it says now, or a little less (by the time its answer took).
    pub(super) fn now(&self) -> Timestamp {
        later(self.said, self.heard.elapsed())
    }

    /// The moment `span` before it was heard.
    pub(super) fn before(&self, span: Duration) -> Timestamp {
        earlier(self.said, span)
    }
}

/// `time` and `span`, as far as there are times.
pub(super) fn later(time: Timestamp, span: Duration) -> Timestamp {
    SignedDuration::try_from(span).ok().and_then(|span| time.checked_add(span).ok()).unwrap_or(Timestamp::MAX)
}

/// `time` less `span`, as far as there are times.
pub(super) fn earlier(time: Timestamp, span: Duration) -> Timestamp {
    SignedDuration::try_from(span).ok().and_then(|span| time.checked_sub(span).ok()).unwrap_or(Timestamp::MIN)
}
