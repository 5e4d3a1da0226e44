//! The calls that run, and which of them have to be seen to their end before the process may end.
//!
//! Must not: know what they do.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use zerto_guard::rewind::watch::Stop;

/// The calls that run.
#[derive(Default)]
pub struct Running {
    calls: Mutex<Calls>,
    next: AtomicU64,
    ended: Notify,
}

#[derive(Default)]
struct Calls {
    closed: bool,
    running: HashMap<u64, Call>,
}

struct Call {
    stop: Stop,
    /// It has begun something that has to be seen to its end.
    begun: bool,
}

/// One of the calls, until it is over or dropped.
pub struct Ticket {
    running: Arc<Running>,
    number: u64,
    stop: Stop,
}

impl Running {
    /// A call begins.
    pub fn enter(self: &Arc<Self>) -> Ticket {
        let (number, stop) = (self.next.fetch_add(1, Ordering::Relaxed), Stop::default());
        let mut calls = self.calls();
        if calls.closed {
            stop.stop();
        }
        calls.running.insert(number, Call { stop: stop.clone(), begun: false });
        Ticket { running: Arc::clone(self), number, stop }
    }

    /// Breaks off every call, and lets none begin anything more.
    pub fn close(&self) {
        let mut calls = self.calls();
        calls.closed = true;
        for call in calls.running.values() {
            call.stop.stop();
        }
    }

    /// Waits until nothing runs any more that has to be seen to its end.
    pub async fn over(&self) {
        loop {
            let ended = self.ended.notified();
            if !self.calls().running.values().any(|call| call.begun) {
                return;
            }
            ended.await;
        }
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// What breaks this call off.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The call begins something that has to be seen to its end. False if it was broken off before.
    pub fn begin(&self) -> bool {
        let mut calls = self.running.calls();
        let may = !calls.closed && !self.stop.is_stopped();
        if let Some(call) = calls.running.get_mut(&self.number).filter(|_| may) {
            call.begun = true;
        }
        may
    }
}

impl Ticket {
    /// The call is over, whoever still holds this.
    pub fn end(&self) {
        self.running.calls().running.remove(&self.number);
        // Kept for a wait that begins later.
        self.running.ended.notify_one();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_closed_begins_nothing_more() {
        let running = Arc::new(Running::default());
        let (one, other) = (running.enter(), running.enter());
        assert!(one.begin());
        running.close();
        assert!(one.stop().is_stopped() && other.stop().is_stopped() && !other.begin());
        assert!(running.enter().stop().is_stopped() && !running.enter().begin());
    }

    #[test]
    fn only_what_has_begun_is_waited_for() {
        let running = Arc::new(Running::default());
        let (begun, _idle) = (running.enter(), running.enter());
        assert!(begun.begin());
        let ends = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(50));
            drop(begun);
        });
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(running.over());
        assert!(ends.join().is_ok());
    }
}
