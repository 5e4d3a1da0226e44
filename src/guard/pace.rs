//! How long to pause between two looks at a ZVM, and between two tries of an insert.

use crate::zvm::chance;
use std::time::{Duration, Instant};

/// The pauses of a poll: 25 ms at first, longer by and by up to 100 ms, and up to 1 s once it takes long.
pub(crate) struct Pace {
    began: Instant,
    next: Duration,
}

impl Pace {
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), next: Duration::from_millis(25) }
    }

    /// The next pause.
    pub(crate) fn pause(&mut self) -> Duration {
        self.pause_after(self.began.elapsed())
    }

    fn pause_after(&mut self, waited: Duration) -> Duration {
        let longest =
            if waited < Duration::from_secs(10) { Duration::from_millis(100) } else { Duration::from_secs(1) };
        let pause = self.next.min(longest);
        self.next = self.next.mul_f64(1.4).min(longest);
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
    fn the_first_look_is_soon_and_later_ones_are_rare() {
        let mut pace = Pace::new();
        let mut pauses = Vec::new();
        let mut waited = Duration::ZERO;
        while waited < Duration::from_secs(30) {
            let pause = pace.pause_after(waited);
            waited += pause;
            pauses.push(pause.as_millis());
        }
        assert_eq!(pauses[..6], [25, 35, 49, 68, 96, 100]);
        assert_eq!(pauses.last(), Some(&1000));
        assert!(pauses.iter().filter(|p| **p <= 100).count() < 110, "ten seconds of them");
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
