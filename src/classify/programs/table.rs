//! What the catalog's tables `[program.*]` say of a command: sub-commands, options, dry runs. Pure.
//!
//! The tables of all layers are read as one sheet (`sheet`), the command's words are told apart by it (`words`), the
//! sub-command and each option are looked up (`look`), and everything that holds at once becomes one [`Report`].

mod look;
mod sheet;
mod words;

use crate::catalog::{Catalog, Hit, Layer};
use crate::classify::DecidedBy;
use crate::classify::effect::{Command, Effect, Report};
use look::{Found, Sub};
use sheet::{Line, Says, Sheet};
use words::{Given, Name, Words};

/// What the tables of all layers say of a command; none if no layer has a table of its program.
#[must_use]
pub fn report(catalog: &Catalog, command: &Command) -> Option<Report> {
    let program = plain(command.program()?);
    let sheet = Sheet::of(catalog, program)?;
    let words = Words::read(&sheet, command.arguments());
    Some(Judgement::new(program, &sheet, &words).report())
}

/// What a human said of a command, in the administrator's or the user's layer; none unless such an entry stands for its
/// sub-command.
///
/// An entry for a sub-command that lets it pass says nothing of options that no such entry names, but for `*`, which
/// says that the words don't matter: there it is none too, and the program's own judge has the word.
#[must_use]
pub fn of_people(catalog: &Catalog, command: &Command) -> Option<Report> {
    let program = plain(command.program()?);
    // Of most programs no human said anything, and the built-in table need not be read for that.
    let mut layers = catalog.admin.iter().chain(&catalog.user);
    if !layers.any(|layer| layer.programs(program).next().is_some()) {
        return None;
    }
    let sheet = Sheet::of(catalog, program)?;
    let words = Words::read(&sheet, command.arguments());
    let judgement = Judgement::new(program, &sheet, &words);
    if !judgement.sub.lines().any(Line::human) {
        return None;
    }
    let passes = judgement.unknown.is_none() && judgement.changes.is_none();
    (!passes || judgement.named_by_people()).then(|| judgement.report())
}

/// The program's name without a folder of the system's; any other folder may hold a program of the same name that
/// does something else.
fn plain(program: &str) -> &str {
    const FOLDERS: &[&str] =
        &["/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/opt/homebrew/bin/"];
    let name = FOLDERS.iter().find_map(|folder| program.strip_prefix(folder));
    name.filter(|name| !name.contains('/')).unwrap_or(program)
}

/// Everything that holds of a command at once.
struct Judgement<'c, 's> {
    program: &'s str,
    sheet: &'s Sheet<'c>,
    words: &'s Words<'s>,
    sub: Sub<'c, 's>,
    /// The entry that lets it pass.
    reads: Option<&'s Line<'c>>,
    works: Option<&'s Line<'c>>,
    unknown: Option<(String, Option<&'s Line<'c>>)>,
    /// What it may be only if a word that looks like an operand turns out to be an option.
    guess: Option<String>,
    changes: Option<&'s Line<'c>>,
}

impl<'c, 's> Judgement<'c, 's> {
    fn new(program: &'s str, sheet: &'s Sheet<'c>, words: &'s Words<'s>) -> Self {
        let sub = look::sub_command(sheet, &sheet.lines, words);
        let mut this =
            Self { program, sheet, words, sub, reads: None, works: None, unknown: None, guess: None, changes: None };
        if this.only_asks_for_help() {
            return this;
        }
        this.sub_command();
        for given in &words.options {
            this.option(given);
        }
        this.words_that_may_be_options();
        this.dry_run();
        this.project();
        this
    }

    /// `--help` or `--version` as the only word, unless an entry says otherwise.
    fn only_asks_for_help(&self) -> bool {
        let [Given { name: Name::Long(name), glued: false, .. }] = self.words.options.as_slice() else {
            return false;
        };
        matches!(*name, "--help" | "--version")
            && self.words.operands.is_empty()
            && !self.words.ended
            && !self.sheet.single_dash
            && !self.sheet.lines.iter().any(|line| line.option == *name)
    }

    fn add(&mut self, line: &'s Line<'c>) {
        match line.says {
            Says::Reads => {
                self.reads.get_or_insert(line);
            }
            Says::Works => {
                self.works.get_or_insert(line);
            }
            Says::Unknown => {
                self.doubt(format!("what `{}` does depends on what it is given", self.shown(line)), Some(line))
            }
            // The one of the highest layer, so that a lower one's dry run doesn't speak for it.
            Says::Changes => {
                if self.changes.is_none_or(|other| line.order < other.order) {
                    self.changes = Some(line);
                }
            }
        }
    }

    fn doubt(&mut self, why: String, line: Option<&'s Line<'c>>) {
        if self.unknown.is_none() {
            self.unknown = Some((why, line));
        }
    }

    fn shown(&self, line: &Line) -> String {
        match line.hit.entry.pattern {
            "" | "*" => self.program.to_owned(),
            pattern => format!("{} {pattern}", self.program),
        }
    }

    fn sub_command(&mut self) {
        let sub = self.sub;
        for line in sub.maybe.into_iter().flatten() {
            self.add(line);
        }
        match sub.sure {
            Some(line) => self.add(line),
            None => {
                let why = match (sub.may_be_one(), self.words.operands.first()) {
                    (true, Some(operand)) => {
                        format!(
                            "which sub-command of {} `{}` is can't be told before it runs",
                            self.program,
                            operand.word.shown()
                        )
                    }
                    (_, Some(operand)) => format!("`{}` of {} is in no catalog", operand.word.shown(), self.program),
                    (_, None) => format!("{} without a sub-command is in no catalog", self.program),
                };
                self.doubt(why, None);
            }
        }
        if sub.gap {
            self.doubt(format!("what its short words stand for in {} is not clear", self.program), None);
        }
    }

    fn option(&mut self, given: &'s Given) {
        if let Name::Unsure(_) = given.name {
            // Which stricter option it may be, `words_that_may_be_options` looks.
            if self.sheet.only_listed || self.may_take_the_sub_command(given) {
                self.doubt(
                    format!("which option of {} `{}` is can't be told before it runs", self.program, given.shown()),
                    None,
                );
            }
            return;
        }
        match look::option(self.sheet, &self.sheet.lines, given, self.words) {
            Found::Entries(line, maybe) => {
                if let Some(line) = line {
                    self.add(line);
                }
                if let Some(line) = maybe {
                    self.doubt(format!("the value of `{}` can't be told before it runs", self.shown(line)), None);
                }
            }
            Found::Covered(line) => {
                // Where that layer has spoken of the sub-command itself, it has spoken.
                if self.sub.sure.is_none_or(|sub| sub.order != line.order) {
                    self.add(line);
                }
                return;
            }
            Found::Nothing => {}
        }
        let unlisted = !self.sheet.lists(given, self.words);
        if unlisted && self.sheet.only_listed && !self.sheet.abbreviated(given) {
            self.doubt(format!("`{}` of {} is in no catalog", given.shown(), self.program), None);
        }
        if unlisted && !given.glued && self.may_take_the_sub_command(given) {
            self.doubt(
                format!("`{}` of {} is in no catalog, and the next word may belong to it", given.shown(), self.program),
                None,
            );
        }
    }

    /// Whether an option that is not listed stands where its value could be taken for the sub-command, or the other way round.
    fn may_take_the_sub_command(&self, given: &Given) -> bool {
        self.sheet.has_sub_commands && given.before < self.sub.length.max(1) && !self.words.operands.is_empty()
    }

    /// A word that is only known when it runs may be an option that does more than read.
    fn words_that_may_be_options(&mut self) {
        let unsure = self.words.options.iter().filter_map(|given| match given.name {
            Name::Unsure(word) => Some(word),
            _ => None,
        });
        let loose =
            self.words.operands.iter().filter(|operand| operand.loose && !operand.ended).map(|operand| operand.word);
        for word in unsure.chain(loose) {
            // One word where an operand belongs: a file's name, an identifier. What does a developer's work runs what the
            // project says in any case, whatever options are in its variables.
            let plain = self.works.is_some() || (word.is_fitting() && !word.begins_with("-"));
            let only = |line: &Line| line.says == Says::Changes;
            if self.sheet.only_listed && !self.sheet.covered {
                let why = format!("`{}` may turn out to be an option of {}", word.shown(), self.program);
                if plain {
                    self.guess.get_or_insert(why);
                } else {
                    self.doubt(why, None);
                }
                return;
            }
            let line = self.sheet.options().find(|line| {
                line.says != Says::Reads
                    && look::scope_may_fit(self.sheet, line, self.words)
                    && look::may_be(self.sheet, word, line)
            });
            if let Some(line) = line {
                let why = format!("`{}` may turn out to be `{}` of {}", word.shown(), line.option, self.program);
                // What changes no more than the machine it runs on is no matter on the agent's own.
                if plain || (only(line) && !self.asks_about_options()) {
                    self.guess.get_or_insert(why);
                    continue;
                }
                self.doubt(why, Some(line));
                return;
            }
        }
    }

    /// Whether some option of it, wherever it may stand, is asked about.
    fn asks_about_options(&self) -> bool {
        self.sheet.options().any(|line| line.says == Says::Unknown && look::scope_may_fit(self.sheet, line, self.words))
    }

    fn dry_run(&mut self) {
        let Some(changes) = self.changes else { return };
        // A layer's dry run speaks of its own entries and of those of the layers below it.
        let dry = self.sheet.dry_runs.iter().find(|line| {
            line.order <= changes.order
                && self.words.options.iter().any(|given| look::is_dry_run(self.sheet, line, given, self.words))
        });
        let off = |given: &Given| self.sheet.dry_runs.iter().any(|line| look::takes_back(line, given));
        if let Some(line) = dry
            && !self.words.options.iter().any(off)
        {
            self.changes = None;
            self.reads = Some(line);
        }
    }

    /// The project's layer can only make stricter what passes.
    fn project(&mut self) {
        if self.unknown.is_some() || self.changes.is_some() || self.sheet.project.is_empty() {
            return;
        }
        let sheet = self.sheet;
        let sub = look::sub_command(sheet, &sheet.project, self.words);
        let mut lines: Vec<&Line> = sub.sure.into_iter().chain(sub.maybe.into_iter().flatten()).collect();
        for given in &self.words.options {
            if let Found::Entries(line, maybe) = look::option(sheet, &sheet.project, given, self.words) {
                lines.extend(line.into_iter().chain(maybe));
            }
        }
        for line in lines {
            if matches!(line.says, Says::Unknown | Says::Changes) {
                self.add(line);
            }
        }
    }

    /// Whether an administrator's or user's entry stands for each of its options.
    fn named_by_people(&self) -> bool {
        if self.sheet.covered {
            return true;
        }
        let named = |given: &Given| match look::option(self.sheet, &self.sheet.lines, given, self.words) {
            Found::Entries(Some(line), None) => line.human(),
            _ => false,
        };
        self.words.options.iter().all(named)
            && self.words.operands.iter().all(|operand| !operand.loose || operand.ended)
    }

    fn report(self) -> Report {
        let by = [self.changes, self.unknown.as_ref().and_then(|(_, line)| *line), self.works];
        let asked_for_sure = self.unknown.is_some();
        let asked = asked_for_sure || self.guess.is_some();
        // What can't be told is decided by no entry, unless one says so or something worse holds.
        let by = by.into_iter().flatten().next().or(if asked { None } else { self.reads });
        let mut effects = vec![];
        if let Some(line) = self.changes {
            effects.push(Effect::Changes(format!("changes something with `{}`", self.shown(line))));
        }
        if let Some(line) = self.works {
            effects.push(Effect::Works(format!("does a developer's work by `{}`", self.shown(line))));
        }
        if let Some(why) = self.guess.filter(|_| !asked_for_sure) {
            effects.push(Effect::UnknownOnGuest(why));
        }
        if let Some((why, _)) = self.unknown {
            effects.push(Effect::Unknown(why));
        }
        Report { effects, by: by.map(|line| decided(line.hit)) }
    }
}

fn decided(hit: Hit) -> DecidedBy {
    DecidedBy { layer: hit.layer, entry: hit.describe(), key: hit.entry.rule.key() }
}

impl Line<'_> {
    /// Whether a human wrote it: the administrator or the user.
    fn human(&self) -> bool {
        matches!(self.hit.layer, Layer::Admin | Layer::User)
    }
}

#[cfg(test)]
#[path = "../tests/table_cases.rs"]
mod cases;
#[cfg(test)]
#[path = "../tests/table_testing.rs"]
pub(super) mod testing;
#[cfg(test)]
#[path = "../tests/table.rs"]
mod tests;
