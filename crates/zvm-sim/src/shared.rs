//! What the server's thread and the test's thread share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::faults::Faults;
use crate::log::Log;
use crate::mirror::Seen;
use crate::state::State;

/// State, orders and record, each behind its own lock; none is held across an await, and no two at the same
/// time (but for `other`, which goes one way).
#[derive(Debug)]
pub(crate) struct Shared {
    /// `https://127.0.0.1:<port>`.
    pub(crate) url: String,
    state: Mutex<State>,
    faults: Mutex<Faults>,
    log: Mutex<Log>,
    /// The simulator that protects what this one recovers, and what was seen of it.
    other: Option<(Arc<Shared>, Mutex<Seen>)>,
}

impl Shared {
    pub(crate) fn new(url: String, state: State, faults: Faults, other: Option<Arc<Self>>) -> Self {
        let other = other.map(|other| (other, Mutex::default()));
        Self { url, state: Mutex::new(state), faults: Mutex::new(faults), log: Mutex::new(Log::new()), other }
    }

    /// The state as of now: what is due has happened.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        let news = self.other.as_ref().map(|(other, seen)| {
            // The other one's lock is let go before our own is taken. What was seen is held over both, lest of two
            // threads the one with the older news comes last.
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            let news = other.state().news(&mut seen);
            (news, seen)
        });
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.settle();
        if let Some((news, _seen)) = news {
            state.hear(news);
        }
        state
    }

    pub(crate) fn faults(&self) -> MutexGuard<'_, Faults> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
