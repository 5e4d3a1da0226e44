//! A program's tables of all layers, as one sheet that is easy to look things up in. Pure.

use super::look;
use super::words::{Given, Name, Words};
use crate::catalog::model::{Manner, Rule};
use crate::catalog::prepared::Prepared;
use crate::catalog::{Catalog, Hit, Layer, Project};

/// What an entry says of what it stands for, the milder first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Says {
    Reads,
    Works,
    Unknown,
    Changes,
}

/// An entry of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'c> {
    pub hit: Hit<'c>,
    /// Which layer's it is: the lower the number, the more its word counts.
    pub order: u8,
    pub says: Says,
    /// The sub-command: the whole pattern, or for an option the words that have to stand before it.
    pub scope: &'c str,
    /// The option with its dashes; empty for a sub-command.
    pub option: &'c str,
    /// The glob that the option's value has to match.
    pub wanted: Option<&'c str>,
}

/// The tables of one program in all layers.
#[derive(Debug, Default)]
pub(super) struct Sheet<'c> {
    /// Verdicts of the administrator's, the user's and the built-in layer, in this order.
    pub lines: Vec<Line<'c>>,
    /// Verdicts of the project's layer.
    pub project: Vec<Line<'c>>,
    pub dry_runs: Vec<Line<'c>>,
    pub values: Vec<Line<'c>>,
    pub single_dash: bool,
    pub only_listed: bool,
    pub abbreviates: bool,
    /// Whether there are other sub-commands than none and any.
    pub has_sub_commands: bool,
    /// Whether a human's `*` stands for everything that the program can be given.
    pub covered: bool,
}

impl<'c> Sheet<'c> {
    /// The sheet of a program; none if no layer but perhaps the project's has a table for it.
    pub fn of(catalog: &'c Catalog, program: &str) -> Option<Self> {
        let mut sheet = Self::default();
        let mut found = false;
        for (order, (layer, prepared)) in (0..).zip(catalog.layers()) {
            found |= sheet.read(layer, order, prepared, program);
        }
        if let Project::Read(prepared) = &catalog.project {
            sheet.read(Layer::Project, u8::MAX, prepared, program);
        }
        found.then_some(sheet)
    }

    /// Adds a layer's table; whether there is one.
    pub fn read(&mut self, layer: Layer, order: u8, prepared: &'c Prepared, program: &str) -> bool {
        let mut found = false;
        for block in prepared.programs(program) {
            found = true;
            // One allocation for all of them.
            self.lines.reserve(block.size());
            for entry in block.entries() {
                let says = match entry.rule {
                    Rule::ReadOnly => Says::Reads,
                    Rule::Local => Says::Works,
                    Rule::Mutating { .. } => Says::Changes,
                    _ => Says::Unknown,
                };
                let line = Line::new(Hit { layer, owner: block.owner, entry }, order, says);
                match entry.rule {
                    // The project can make stricter, and nothing else.
                    Rule::DryRun | Rule::Value | Rule::Manner(_) if layer == Layer::Project => {}
                    Rule::DryRun => self.dry_runs.push(line),
                    Rule::Value => self.values.push(line),
                    Rule::Manner(Manner::SingleDash) => self.single_dash = true,
                    Rule::Manner(Manner::OnlyListed) => self.only_listed = true,
                    Rule::Manner(Manner::Abbreviates) => self.abbreviates = true,
                    _ if layer == Layer::Project => self.project.push(line),
                    _ => {
                        self.has_sub_commands |= line.option.is_empty() && !matches!(line.scope, "" | "*");
                        self.covered |= line.covers();
                        self.lines.push(line);
                    }
                }
            }
        }
        found
    }

    /// The entries for options that count: those below a human's `*` don't.
    pub fn options(&self) -> impl Iterator<Item = &Line<'c>> {
        let last = self.cover().map_or(u8::MAX, |line| line.order);
        self.lines.iter().filter(move |line| !line.option.is_empty() && line.order <= last)
    }

    /// The human's `*` that counts.
    pub fn cover(&self) -> Option<&Line<'c>> {
        self.lines.iter().filter(|_| self.covered).find(|line| line.covers())
    }

    /// Whether an entry of any kind names the option, where it stands.
    pub fn lists(&self, given: &Given, words: &Words) -> bool {
        let all = self.lines.iter().chain(&self.dry_runs).chain(&self.values).filter(|line| !line.option.is_empty());
        self.covered
            || all.into_iter().any(|line| {
                look::names(self, line, given.name).is_some()
                    && look::length(line.scope) <= given.before
                    && look::scope_fits(line, words)
            })
    }

    /// Whether a long option is short for one that is listed.
    pub fn abbreviated(&self, given: &Given) -> bool {
        let Name::Long(name) = given.name else { return false };
        let all = self.lines.iter().chain(&self.dry_runs).chain(&self.values);
        all.into_iter().any(|line| look::shortens(self, line, name))
    }

    /// Whether the option's value is the next word; what stands before it has been read.
    pub fn takes_a_word(&self, name: Name, before: &Words) -> bool {
        self.values.iter().any(|line| look::names(self, line, name).is_some() && look::scope_fits(line, before))
    }

    /// Whether what is glued to a letter is its value: an entry such as `-I*` says so.
    pub fn takes_the_rest(&self, letter: char) -> bool {
        self.lines.iter().any(|line| {
            line.option
                .strip_prefix('-')
                .and_then(|rest| rest.strip_suffix('*'))
                .is_some_and(|rest| rest.chars().eq([letter]))
        })
    }
}

impl<'c> Line<'c> {
    fn new(hit: Hit<'c>, order: u8, says: Says) -> Self {
        let pattern = hit.entry.pattern;
        let (before, last) = pattern.rsplit_once(' ').unwrap_or(("", pattern));
        if last.len() < 2 || !last.starts_with('-') {
            return Self { hit, order, says, scope: pattern, option: "", wanted: None };
        }
        let (option, wanted) = last.split_once('=').map_or((last, None), |(option, wanted)| (option, Some(wanted)));
        Self { hit, order, says, scope: before, option, wanted }
    }

    fn covers(&self) -> bool {
        self.option.is_empty() && self.scope == "*" && matches!(self.hit.layer, Layer::Admin | Layer::User)
    }
}
