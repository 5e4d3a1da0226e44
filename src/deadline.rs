//! The time that is left: one moment that every wait, retry and time-out is measured against.

use std::time::{Duration, Instant};

/// A moment after which nothing may be begun or waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    /// The deadline `span` from now.
    #[must_use]
    pub fn after(span: Duration) -> Self {
        Self::from(Instant::now(), span)
    }

    /// The deadline `span` after `start`; a span too long to be added counts as a day.
    #[must_use]
    pub fn from(start: Instant, span: Duration) -> Self {
        const DAY: Duration = Duration::from_secs(86_400);
        Self(start.checked_add(span).or_else(|| start.checked_add(DAY)).unwrap_or(start))
    }

    /// What is left; zero once it has passed.
    #[must_use]
    pub fn remaining(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn passed(self) -> bool {
        self.remaining().is_zero()
    }

    /// `span`, but no more than what is left.
    #[must_use]
    pub fn clip(self, span: Duration) -> Duration {
        span.min(self.remaining())
    }

    /// The earlier of this and `span` from now.
    #[must_use]
    pub fn within(self, span: Duration) -> Self {
        self.min(Self::after(span))
    }

    /// Sleeps for `span`, but not past the deadline. False if the deadline has passed afterwards.
    pub fn sleep(self, span: Duration) -> bool {
        std::thread::sleep(self.clip(span));
        !self.passed()
    }

    /// As [`sleep`](Self::sleep), but only until it is over otherwise, which is noticed within a moment.
    pub fn sleep_unless(self, span: Duration, over: impl Fn() -> bool) -> bool {
        const STEP: Duration = Duration::from_millis(50);
        let awake = self.within(span);
        while !over() && awake.sleep(STEP) {}
        !self.passed()
    }
}
