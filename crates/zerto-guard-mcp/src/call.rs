//! Who an errand is done for here: an MCP client's call, which is told of progress, can be called off, and asks its human.

use crate::consent::{Asked, Open, Way, Without, ask};
use crate::running::Ticket;
use rmcp::model::InputRequiredResult;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedSender;
use zerto_guard::config::files::Files;
use zerto_guard::errands::{self, Front};
use zerto_guard::rewind::desk::Desk;
use zerto_guard::rewind::watch::Listen;
use zerto_guard::text::{clean, shell_word};
use zerto_guard::ui::passing::Line;
use zerto_guard::ui::{Failure, Paint};

/// How often the client is told how far something has come.
const OFTEN: Duration = Duration::from_millis(500);
/// How often it is told that something still goes on.
const STILL: Duration = Duration::from_secs(2);

/// An MCP client's call.
pub struct Call {
    /// Where the guard's files are.
    pub files: Files,
    /// The options that name them, for a command line.
    pub places: Vec<String>,
    /// The agent's name in a tag.
    pub agent: String,
    /// How its human can be asked.
    pub way: Way,
    /// What the human was asked before.
    pub open: Arc<Open>,
    /// Where the client is told what goes on; none where it did not ask for that.
    pub progress: Option<UnboundedSender<String>>,
    pub ticket: Ticket,
    pub notes: Mutex<Vec<String>>,
    /// The answer to this call asks the human.
    pub pending: Mutex<Option<Box<InputRequiredResult>>>,
    /// What counts if the human can't be asked.
    pub without: Mutex<Without>,
}

impl Call {
    /// The call as an errand's front; and what counts if its human can't be asked.
    pub fn front(self: &Arc<Self>, without: Without) -> Arc<dyn Front> {
        *self.without.lock().unwrap_or_else(PoisonError::into_inner) = without;
        Arc::<Self>::clone(self)
    }

    /// The call as the front of an errand that asks for nothing.
    pub fn plain(self: &Arc<Self>) -> Arc<dyn Front> {
        self.front(Without::Flag(false))
    }

    /// The configured ZVMs.
    pub fn desk(&self) -> Result<Arc<Desk>, Failure> {
        errands::desk(&self.files)
    }

    /// A command line of `zerto-guard` for a human, with the files of this server.
    pub fn command(&self, words: &[&str], options: &[(&str, Option<&str>)]) -> String {
        let given = options.iter().filter_map(|(option, value)| Some([*option, (*value)?])).flatten();
        let places = self.places.iter().map(String::as_str);
        // What an agent wrote must not look like another line, or a line of ours.
        let all = words.iter().copied().chain(given).chain(places).map(|word| shell_word(&clean(word, 2000)));
        std::iter::once("zerto-guard".to_owned()).chain(all).collect::<Vec<_>>().join(" ")
    }

    /// What was said beside the result.
    pub fn notes(&self) -> Vec<String> {
        std::mem::take(&mut self.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether there is anything to be said beside the result, such as what could not be read.
    pub fn has_notes(&self) -> bool {
        !self.notes.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// The question that the answer to this call is, if it is one.
    pub fn pending(&self) -> Option<Box<InputRequiredResult>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn tell(&self, text: &str) {
        if let Some(progress) = &self.progress {
            // A client that has gone needs no news.
            let _ = progress.send(text.to_owned());
        }
    }
}

impl Front for Call {
    fn note(&self, text: &str) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
    }

    fn say(&self, text: &str) {
        self.tell(text);
    }

    fn line(&self) -> Box<dyn Line> {
        Box::new(Telling { progress: self.progress.clone(), last: Mutex::new(None) })
    }

    fn pauses(&self) -> Option<(Duration, Duration)> {
        self.progress.as_ref().map(|_| (STILL, STILL))
    }

    fn still(&self, text: &str) {
        self.tell(text);
    }

    fn is_quiet(&self) -> bool {
        true
    }

    fn paint(&self) -> Paint {
        Paint::NONE
    }

    fn begins(&self) -> Result<(), Failure> {
        if self.ticket.begin() { Ok(()) } else { Err(Failure::new(130, "Interrupted; nothing was begun.", "")) }
    }

    fn listen(&self) -> Listen {
        Listen::To(self.ticket.stop().clone())
    }

    fn confirm(&self, plan: &str, question: &str) -> Result<(), Failure> {
        let without = self.without.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match ask(&self.way, &without, &self.open, plan, question) {
            Asked::Known(known) => known,
            Asked::Pending(pending) => {
                *self.pending.lock().unwrap_or_else(PoisonError::into_inner) = Some(pending);
                Err(Failure::new(5, "Nothing was done yet: the human is asked first.", ""))
            }
        }
    }
}

/// Tells the client how far something has come, now and then.
struct Telling {
    progress: Option<UnboundedSender<String>>,
    last: Mutex<Option<Instant>>,
}

impl Line for Telling {
    fn is_shown(&self) -> bool {
        self.progress.is_some()
    }

    fn show(&self, text: &dyn Fn() -> String) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= OFTEN) {
            *last = Some(Instant::now());
            self.say(&text());
        }
    }

    fn say(&self, text: &str) {
        if let Some(progress) = &self.progress {
            let _ = progress.send(text.to_owned());
        }
    }
}
