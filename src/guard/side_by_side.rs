//! The same work on several things at the same time, and a panic in one of them told instead of spread.
//!
//! Must not: know what the work is.

use crate::threads;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// How many at once: Zerto documents no limit, so one is kept that no appliance should mind.
const AT_ONCE: usize = 16;

/// Does `work` on all items, at most [`AT_ONCE`] at a time; answers in the items' order, none where it panicked.
pub(crate) fn side_by_side<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<Option<R>> {
    let answers: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let take_turns = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((item, answer)) = items.get(at).zip(answers.get(at)) else {
                break;
            };
            if let Ok(done) = catch_unwind(AssertUnwindSafe(|| work(item))) {
                *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..items.len().min(AT_ONCE) {
            // Where the system gives no thread the work is done all the same, only later.
            if threads::start_in(scope, take_turns).is_err() {
                break;
            }
        }
        take_turns();
    });
    answers.into_iter().map(|answer| answer.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn at_the_same_time_and_in_order() {
        let barrier = Barrier::new(AT_ONCE);
        let items: Vec<usize> = (0..AT_ONCE).collect();
        let answers = side_by_side(&items, |n| {
            barrier.wait();
            n * 2
        });
        assert_eq!(answers, items.iter().map(|n| Some(n * 2)).collect::<Vec<_>>());
    }

    #[test]
    fn more_than_threads() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(side_by_side(&items, |n| *n).len(), 100);
        assert_eq!(side_by_side(&[], |n: &usize| *n), []);
    }

    #[test]
    fn a_panic_is_one_missing_answer() {
        let answers = side_by_side(&[1, 2, 3], |n| {
            assert_ne!(*n, 2, "on purpose");
            *n
        });
        assert_eq!(answers, [Some(1), None, Some(3)]);
    }
}
