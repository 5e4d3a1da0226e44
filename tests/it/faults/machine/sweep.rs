//! A fault in every size, from the worst on until it is none: two rows, whose words do not depend on the sizes.

use super::{End, Kind, World};
use crate::faults::{Row, Took, Wrong};

/// After so many sizes in a row that go through, larger ones do too.
const ENOUGH: usize = 3;

/// What was seen so far.
pub struct Sweep {
    at: &'static str,
    kind: Kind,
    /// Of the sizes that were too little, each with its own wrongs.
    short: Option<Row>,
    /// Of those that go through.
    fits: Option<Row>,
    in_a_row: usize,
    /// Whether the program has spoken for itself: from that size on the system can start it.
    spoke: bool,
    /// What each size's stderr began with.
    said: Vec<String>,
}

impl Sweep {
    pub fn new(at: &'static str, kind: Kind) -> Self {
        Self { at, kind, short: None, fits: None, in_a_row: 0, spoke: false, said: vec![] }
    }

    /// One size more; whether that is enough.
    pub fn add(&mut self, world: &World, end: End) -> bool {
        let starts = !end.is_not_started();
        let mut row = world.row(self.at, "", self.kind, &end);
        if !starts && !self.spoke {
            // Nothing of the program has run, and nothing of it can deny: the installed entry does.
            row.wrong.retain(|(wrong, _)| *wrong != Wrong::FailOpen);
        }
        // Where memory runs out the runtime says so first, and the deny follows.
        if end.ran.code == Some(2) && end.ran.stderr.lines().any(|line| line.starts_with("zerto-guard: stopped ")) {
            row.wrong.retain(|(_, what)| !what.starts_with("stderr of a deny"));
        }
        // What stands on the page for all sizes has to be so for each.
        if self.kind == Kind::Recover && starts && !matches!(end.ran.code, Some(0 | 1)) {
            row.wrong.push((Wrong::Contract, format!("exit {:?} {:?}: {}", end.ran.code, end.signal, end.ran.stderr)));
        }
        self.spoke |= starts;
        let passes = end.ran.code == Some(0);
        // For whoever wonders what is said: seen with --no-capture.
        eprintln!("{}: {:?} {}", row.at, end.ran.code, row.stderr);
        self.said.push(row.stderr.clone());
        self.in_a_row = if passes { self.in_a_row + 1 } else { 0 };
        let seen = if passes { &mut self.fits } else { &mut self.short };
        match seen {
            None => *seen = Some(row),
            Some(before) => before.wrong.extend(row.wrong),
        }
        self.in_a_row >= ENOUGH
    }

    /// Whether any size made it say that.
    pub fn has_said(&self, what: &str) -> bool {
        self.said.iter().any(|said| said.contains(what))
    }

    /// What was too little, and what was enough.
    pub fn rows(self, fault: &str) -> Vec<Row> {
        let Self { at, kind, short, fits, .. } = self;
        let mut fits = fits.unwrap_or_else(|| panic!("{at}, {}: {fault}: it never goes through", kind.words()));
        fits.fault = format!("{fault}: enough");
        let Some(mut short) = short else {
            // Whatever the size is, there is enough.
            fits.fault = format!("{fault}: never too little");
            return vec![fits];
        };
        // What is said, and how far it came, differs from size to size, and from machine to machine.
        let (code, stdout, zvm, left) = match kind {
            Kind::Change => (2, "nothing", "as far as it came", "no tag, or one that lets nothing run"),
            Kind::Read => (2, "nothing", "nothing", "nothing"),
            Kind::Recover => (1, "an error's JSON", "as far as it came", "no session; no file, or all of it"),
        };
        short.fault = format!("{fault}: too little");
        short.code = Some(code);
        (short.stdout, short.zvm, short.left) = (stdout.to_owned(), zvm.to_owned(), left.to_owned());
        short.stderr = "what was refused".to_owned();
        short.took = Took::Within(super::AMPLE);
        vec![short, fits]
    }
}

impl End {
    /// Whether the system could not start the program: the loader's 127, the end by the kernel or by the runtime before the
    /// first line of it.
    pub fn is_not_started(&self) -> bool {
        let by_system = self.signal.is_some() || matches!(self.ran.code, Some(126 | 127));
        by_system && self.ran.stdout.is_empty() && !self.ran.stderr.starts_with("zerto-guard: ")
    }
}
