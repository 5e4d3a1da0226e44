//! What the server's thread and the test's thread share.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::faults::Faults;
use crate::log::Log;
use crate::state::State;

/// State, orders and record, each behind its own lock; none is held across an await, and no two at the same time.
#[derive(Debug)]
pub(crate) struct Shared {
    /// `https://127.0.0.1:<port>`.
    pub(crate) url: String,
    state: Mutex<State>,
    faults: Mutex<Faults>,
    log: Mutex<Log>,
}

impl Shared {
    pub(crate) fn new(url: String, state: State, faults: Faults) -> Self {
        Self {
            url,
            state: Mutex::new(state),
            faults: Mutex::new(faults),
            log: Mutex::new(Log::new()),
        }
    }

    /// The state as of now: what is due has happened.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.settle();
        state
    }

    pub(crate) fn faults(&self) -> MutexGuard<'_, Faults> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
