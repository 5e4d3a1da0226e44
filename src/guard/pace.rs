//! How long to pause between two looks at a ZVM, and between two tries of an insert.

use crate::zvm::chance;
use std::time::Duration;

/// No pause of a poll is longer, however long it takes: a call that waits for its checkpoint holds an agent up, and must
/// not wait for us as well. Ten small questions a second, over a connection that is open, are nothing to a ZVM.
const LONGEST: Duration = Duration::from_millis(100);

/// The pauses of a poll: 25 ms at first, longer by and by.
pub(crate) struct Pace {
    next: Duration,
    longest: Duration,
}

impl Pace {
    pub(crate) fn new() -> Self {
        Self { next: Duration::from_millis(25), longest: LONGEST }
    }

    /// For what takes minutes, and keeps nobody from working: up to a second.
    pub(crate) fn patient() -> Self {
        Self { longest: Duration::from_secs(1), ..Self::new() }
    }

    /// The next pause.
    pub(crate) fn pause(&mut self) -> Duration {
        let pause = self.next;
        self.next = self.next.mul_f64(1.4).min(self.longest);
        pause
    }
}

/// The pauses before an insert is tried again: growing, and by chance, so that several machines that failed
/// together do not come back together.
pub(crate) struct Backoff {
    base: Duration,
}

impl Backoff {
    pub(crate) fn new() -> Self {
        Self { base: Duration::from_millis(150) }
    }

    /// The next pause: anything up to twice a base that grows to 2 s.
    pub(crate) fn pause(&mut self) -> Duration {
        let micros = u64::try_from(self.base.as_micros()).unwrap_or(u64::MAX);
        let pause = Duration::from_micros(chance::below(micros.saturating_mul(2)));
        self.base = self.base.mul_f64(1.6).min(Duration::from_secs(2));
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_look_is_soon_and_none_is_late() {
        let mut pace = Pace::new();
        let pauses: Vec<_> = (0..1000).map(|_| pace.pause()).collect();
        let first: Vec<_> = pauses.iter().take(6).map(Duration::as_millis).collect();
        assert_eq!(first, [25, 35, 49, 68, 96, 100]);
        assert!(pauses.iter().all(|pause| *pause <= LONGEST));
    }

    #[test]
    fn tries_come_apart() {
        let pauses: Vec<Duration> = (0..50).map(|_| Backoff::new().pause()).collect();
        assert!(pauses.iter().all(|p| *p <= Duration::from_millis(300)));
        assert!(pauses.iter().any(|p| *p != pauses[0]));
        let mut backoff = Backoff::new();
        assert!((0..50).all(|_| backoff.pause() <= Duration::from_secs(4)));
    }
}
