//! Where it is said what goes on; on stderr that is one line that changes on a terminal, else a plain line now and then.
//!
//! Own code rather than a progress crate: one line is drawn, from one place, and a pipe gets lines, which such crates leave
//! out. Must not: write to stdout, or know what goes on.

use super::terminal;
use crate::text::printable;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the line on a terminal changes.
pub(super) const REDRAWN: Duration = Duration::from_millis(200);
/// How often a plain line is written where there is no terminal.
const PLAIN: Duration = Duration::from_secs(15);

/// Whether a line stands on the terminal that others have to take off before they write there.
static IS_DRAWN: AtomicBool = AtomicBool::new(false);

/// Takes the line off the terminal, if there is one, before anything else is written there.
pub fn make_way() {
    if IS_DRAWN.swap(false, Ordering::SeqCst) {
        let mut err = io::stderr().lock();
        let _ = write!(err, "\r\x1b[K").and_then(|()| err.flush());
    }
}

/// Where it is said what goes on. Whoever says it may be another thread.
pub trait Line: Send + Sync {
    /// Whether anybody is told.
    fn is_shown(&self) -> bool;
    /// What is to be read now, if it is time for it.
    fn show(&self, text: &dyn Fn() -> String);
    /// What stays.
    fn say(&self, text: &str);
}

/// A line on stderr that changes.
pub struct Passing {
    how: How,
    began: Instant,
    last: Mutex<Option<Duration>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Not,
    Plain,
    Terminal,
}

impl Passing {
    /// Nothing is shown where a program reads the result.
    #[must_use]
    pub fn new(quiet: bool) -> Self {
        let how = match (quiet, io::stderr().is_terminal()) {
            (true, _) => How::Not,
            (false, true) => How::Terminal,
            (false, false) => How::Plain,
        };
        Self { how, began: Instant::now(), last: Mutex::default() }
    }
}

impl Line for Passing {
    fn is_shown(&self) -> bool {
        self.how != How::Not
    }

    fn show(&self, text: &dyn Fn() -> String) {
        if !self.is_shown() {
            return;
        }
        let now = self.began.elapsed();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let pause = if self.how == How::Terminal { REDRAWN } else { PLAIN };
        let due = match *last {
            // What is there before the first line is due needs none.
            None => now >= pause,
            Some(last) => now.saturating_sub(last) >= pause,
        };
        if !due {
            return;
        }
        *last = Some(now);
        let mut err = io::stderr().lock();
        // Progress that can't be shown is no reason to break off.
        let _ = match self.how {
            How::Terminal => {
                IS_DRAWN.store(true, Ordering::SeqCst);
                let text = terminal::cut(&printable(&text()), terminal::err_width());
                write!(err, "\r{text}\x1b[K").and_then(|()| err.flush())
            }
            _ => writeln!(err, "zerto-guard: {}", printable(&text())),
        };
    }

    fn say(&self, text: &str) {
        make_way();
        if self.how != How::Not {
            let _ = writeln!(io::stderr(), "zerto-guard: {}", printable(text));
        }
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        make_way();
    }
}
