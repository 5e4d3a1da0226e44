//! The human at the command line: what goes on is said on stderr, and what changes something is asked on the terminal.

use crate::errands::Front;
use crate::rewind::watch::Listen;
use crate::text::printable;
use crate::ui::passing::{Line, Passing, make_way};
use crate::ui::{Failure, Paint, prompt};
use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

/// The human at the command line.
pub(super) struct Human {
    /// A program reads the result.
    pub json: bool,
    /// `--yes`.
    pub yes: bool,
    pub paint: Paint,
}

impl Front for Human {
    fn note(&self, text: &str) {
        make_way();
        let _ = writeln!(std::io::stderr(), "zerto-guard: {}", printable(text));
    }

    fn say(&self, text: &str) {
        if !self.json {
            self.note(text);
        }
    }

    fn line(&self) -> Box<dyn Line> {
        Box::new(Passing::new(self.json))
    }

    fn pauses(&self) -> Option<(Duration, Duration)> {
        let seconds = Duration::from_secs;
        match (self.json, std::io::stderr().is_terminal()) {
            (true, _) => None,
            (false, true) => Some((seconds(2), seconds(5))),
            (false, false) => Some((seconds(15), seconds(15))),
        }
    }

    fn still(&self, text: &str) {
        let _ = writeln!(std::io::stderr(), "{}", printable(text));
    }

    fn is_quiet(&self) -> bool {
        self.json
    }

    fn paint(&self) -> Paint {
        self.paint
    }

    fn listen(&self) -> Listen {
        Listen::Signals
    }

    fn confirm(&self, plan: &str, question: &str) -> Result<(), Failure> {
        if !self.json || !self.yes {
            make_way();
            let _ = writeln!(std::io::stderr(), "{}", printable(plan.trim_end()));
        }
        if self.yes {
            return Ok(());
        }
        // Whoever has stderr in a file is shown on the terminal what the question is about.
        let seen = std::io::stderr().is_terminal();
        let question = if seen { question.to_owned() } else { format!("{}\n{question}", plan.trim_end()) };
        match prompt::confirm(&question) {
            Some(true) => Ok(()),
            Some(false) => Err(Failure::new(5, "Nothing was done, since it was not confirmed.", "")),
            None => Err(Failure::new(
                5,
                "Nothing was done: there is no terminal to confirm it on.",
                "Run it in a terminal, or with --yes if that is what shall happen.",
            )),
        }
    }
}
