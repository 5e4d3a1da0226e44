//! Who an errand is done for: who is told what goes on, and who has to confirm what changes something.

use crate::rewind::watch::Listen;
use crate::ui::passing::Line;
use crate::ui::{Failure, Paint};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Who an errand is done for. It may be told things from several threads.
pub trait Front: Send + Sync {
    /// Something that should be known beside the result.
    fn note(&self, text: &str);

    /// What goes on now, in a line of its own.
    fn say(&self, text: &str);

    /// Where it is said how far something has come.
    fn line(&self) -> Box<dyn Line>;

    /// How often it is said that something still goes on: for the first time, and then. None: not at all.
    fn pauses(&self) -> Option<(Duration, Duration)>;

    /// That something still goes on.
    fn still(&self, text: &str);

    /// Whether a program reads the result, and a plan need not have been seen by anybody.
    fn is_quiet(&self) -> bool;

    /// Whether there are colours in the texts for people.
    fn paint(&self) -> Paint;

    /// Something is begun that has to be seen to its end.
    ///
    /// # Errors
    /// It was broken off already.
    fn begins(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// What may break off what is begun.
    fn listen(&self) -> Listen;

    /// Shows what will happen, and asks. Nothing has happened where this fails.
    ///
    /// # Errors
    /// It was not confirmed.
    fn confirm(&self, plan: &str, question: &str) -> Result<(), Failure>;
}

/// Does the work, and says now and then that it is still going on.
pub fn while_waiting<T>(front: &dyn Front, what: &str, limit: Option<Duration>, work: impl FnOnce() -> T) -> T {
    waiting(front.pauses(), work, |waited| {
        let of = limit.map(|limit| format!(" of {} s", limit.as_secs())).unwrap_or_default();
        front.still(&format!("still {what} ({} s{of})", waited.as_secs()));
    })
}

/// Does the work, and calls `say` after the first of these pauses and then after each of the second.
fn waiting<T>(pauses: Option<(Duration, Duration)>, work: impl FnOnce() -> T, say: impl Fn(Duration) + Send) -> T {
    let Some(pauses) = pauses else { return work() };
    thread::scope(|scope| {
        // Dropped when the work is over, a panic included, which ends the thread.
        let (_over, ended) = mpsc::channel::<()>();
        let began = Instant::now();
        let ticks = move || {
            let mut pause = pauses.0;
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                say(began.elapsed());
                pause = pauses.1;
            }
        };
        // Without a thread the work is done all the same, only in silence.
        let _ = thread::Builder::new().spawn_scoped(scope, ticks);
        work()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn it_is_said_now_and_then_that_it_takes_long() {
        let said = AtomicUsize::new(0);
        let count = |_: Duration| {
            said.fetch_add(1, Ordering::Relaxed);
        };
        let slow = || {
            thread::sleep(Duration::from_millis(50));
            7
        };
        assert_eq!(waiting(Some((LONG, LONG)), || 7, count), 7);
        assert_eq!(waiting(None, slow, count), 7);
        assert_eq!(said.load(Ordering::Relaxed), 0);
        waiting(Some((Duration::ZERO, LONG)), || thread::sleep(Duration::from_millis(300)), count);
        assert_eq!(said.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_panic_ends_the_waiting_too() {
        let pauses = Some((LONG, LONG));
        let caught = std::panic::catch_unwind(|| waiting(pauses, || assert!(pause_is_short(), "on purpose"), |_| ()));
        assert!(caught.is_err());
    }

    fn pause_is_short() -> bool {
        false
    }
}
