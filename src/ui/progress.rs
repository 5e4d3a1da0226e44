//! How far a transfer has come, with rate and time left.
//!
//! Must not: know where it is shown.

use super::passing::{Line, REDRAWN};
use crate::text::bytes_text;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The rate is that of the last while, so that a transfer that slows down is seen to.
const WHILE: Duration = Duration::from_secs(10);

/// Shows how far a transfer has come. Whoever reports may be another thread.
pub struct Progress {
    line: Box<dyn Line>,
    began: Instant,
    pace: Mutex<Pace>,
}

impl Progress {
    /// Of a transfer that begins now, shown there.
    #[must_use]
    pub fn new(line: Box<dyn Line>) -> Self {
        Self { line, began: Instant::now(), pace: Mutex::default() }
    }

    /// So many bytes are there, of so many, of the thing with that name.
    pub fn at(&self, name: &str, done: u64, whole: Option<u64>) {
        if !self.line.is_shown() {
            return;
        }
        let now = self.began.elapsed();
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        pace.add(now, done);
        self.line.show(&|| pace.text(name, done, whole));
    }
}

/// What came when, for the rate.
#[derive(Default)]
struct Pace(VecDeque<(Duration, u64)>);

impl Pace {
    fn add(&mut self, now: Duration, done: u64) {
        // One a fifth of a second is enough to tell a rate.
        match self.0.back() {
            Some((at, _)) if now.saturating_sub(*at) < REDRAWN => {}
            _ => self.0.push_back((now, done)),
        }
        while self.0.len() > 2 && self.0.front().is_some_and(|(at, _)| now.saturating_sub(*at) > WHILE) {
            self.0.pop_front();
        }
    }

    /// Bytes a second over the last while; none where there is nothing to tell it from.
    fn rate(&self) -> Option<u64> {
        let ((began, before), (now, done)) = self.0.front().zip(self.0.back())?;
        let millis = u64::try_from(now.saturating_sub(*began).as_millis()).ok().filter(|millis| *millis > 0)?;
        Some(done.saturating_sub(*before).saturating_mul(1000) / millis)
    }

    fn text(&self, name: &str, done: u64, whole: Option<u64>) -> String {
        let mut text = match whole {
            Some(whole) if whole > 0 && done <= whole => {
                let percent = u128::from(done) * 100 / u128::from(whole);
                format!("{name}: {} of {} ({percent} %)", bytes_text(done), bytes_text(whole))
            }
            _ => format!("{name}: {}", bytes_text(done)),
        };
        if let Some(rate) = self.rate() {
            text.push_str(&format!(", {}/s", bytes_text(rate)));
            if let Some(left) = whole.and_then(|whole| whole.checked_sub(done)).filter(|_| rate > 0) {
                text.push_str(&format!(", {} left", left_text(left.div_ceil(rate))));
            }
        }
        text
    }
}

fn left_text(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_people_read_them() {
        for (seconds, text) in [(0, "0 s"), (59, "59 s"), (61, "1 min 01 s"), (7265, "2 h 01 min")] {
            assert_eq!(left_text(seconds), text);
        }
    }

    #[test]
    fn the_rate_is_that_of_the_last_while() {
        let mut pace = Pace::default();
        let second = Duration::from_secs;
        assert_eq!(pace.text("a", 0, Some(10)), "a: 0 bytes of 10 bytes (0 %)");
        for at in 0..=20 {
            pace.add(second(at), at * 1024 * 1024);
        }
        assert_eq!(
            pace.text("a", 20 << 20, Some(80 << 20)),
            "a: 20.0 MiB of 80.0 MiB (25 %), 1.0 MiB/s, 1 min 00 s left"
        );
        assert_eq!(pace.text("a", 20 << 20, None), "a: 20.0 MiB, 1.0 MiB/s");
        assert_eq!(pace.text("a", 20 << 20, Some(1)), "a: 20.0 MiB, 1.0 MiB/s", "a zip is longer than its file may be");
        // It stands still.
        for at in 21..=40 {
            pace.add(second(at), 20 << 20);
        }
        assert_eq!(pace.text("a", 20 << 20, Some(80 << 20)), "a: 20.0 MiB of 80.0 MiB (25 %), 0 bytes/s");
        assert!(pace.0.len() < 15, "{}", pace.0.len());
    }
}
