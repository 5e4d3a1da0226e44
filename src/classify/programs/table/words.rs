//! A command's words, told apart: operands, options and what belongs to options. Pure.

use super::sheet::Sheet;
use crate::classify::word::Word;

/// What the words behind the program were read as.
#[derive(Debug, Default)]
pub(super) struct Words<'w> {
    pub operands: Vec<Operand<'w>>,
    pub options: Vec<Given<'w>>,
    /// Whether `--` ended the options.
    pub ended: bool,
}

/// A word that is no option, as far as can be told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operand<'w> {
    pub word: &'w Word,
    /// It may turn out to be an option, or not to be one word.
    pub loose: bool,
    /// It stands behind `--`.
    pub ended: bool,
}

/// An option as it was given.
#[derive(Debug, Clone, Copy)]
pub(super) struct Given<'w> {
    pub name: Name<'w>,
    pub value: Value<'w>,
    /// Whether the value is glued to it, so that the next word can't be one.
    pub glued: bool,
    /// How many operands stand before it.
    pub before: usize,
    /// It may be the value of an option that is not listed.
    pub eaten: bool,
}

/// An option's name.
#[derive(Debug, Clone, Copy)]
pub(super) enum Name<'w> {
    /// With its dashes: two, or one in a program whose long options have one.
    Long(&'w str),
    Letter(char),
    /// It is only known when it runs.
    Unsure(&'w Word),
}

/// An option's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value<'w> {
    None,
    Text(&'w str),
    /// It is only known when it runs.
    Hole,
}

impl Given<'_> {
    /// For people.
    pub fn shown(&self) -> String {
        match self.name {
            Name::Long(name) => name.to_owned(),
            Name::Letter(letter) => format!("-{letter}"),
            Name::Unsure(word) => word.shown(),
        }
    }
}

impl<'w> Words<'w> {
    /// Reads the words behind the program.
    pub fn read(sheet: &Sheet, arguments: &'w [Word]) -> Self {
        let mut words = Self::default();
        let mut rest = arguments.iter();
        // Whether the word before is an option that is not listed, and may have this one as its value.
        let mut hungry = false;
        while let Some(word) = rest.next() {
            let eaten = std::mem::take(&mut hungry);
            if words.ended {
                words.operands.push(Operand { word, loose: word.is_many(), ended: true });
                continue;
            }
            let beginning = word.beginning();
            if !beginning.starts_with('-') || word.known() == Some("-") {
                // If it turns out to be an option, the next word may be its value.
                hungry = words.operand(word);
            } else if word.known() == Some("--") {
                // As the value of an option it ends nothing.
                words.ended = !eaten;
            } else if word.is_many() {
                words.unsure(word, eaten);
                hungry = words.operand(word);
            } else if sheet.single_dash || beginning.starts_with("--") {
                hungry = words.long(sheet, word, eaten, &mut rest);
            } else {
                hungry = words.letters(sheet, word, eaten, &mut rest);
            }
        }
        words
    }

    /// Adds an operand; answers whether it may be an option.
    fn operand(&mut self, word: &'w Word) -> bool {
        let loose = word.is_many() || (word.known() != Some("-") && word.may_begin_with("-"));
        self.operands.push(Operand { word, loose, ended: false });
        loose
    }

    fn option(&mut self, name: Name<'w>, value: Value<'w>, glued: bool, eaten: bool) {
        let before = self.operands.len();
        self.options.push(Given { name, value, glued, before, eaten });
    }

    fn unsure(&mut self, word: &'w Word, eaten: bool) {
        self.option(Name::Unsure(word), Value::Hole, false, eaten);
    }

    /// Reads a long option; answers whether the next word may be a value of which nothing is known.
    fn long(&mut self, sheet: &Sheet, word: &'w Word, eaten: bool, rest: &mut impl Iterator<Item = &'w Word>) -> bool {
        let beginning = word.beginning();
        if let Some((name, value)) = beginning.split_once('=') {
            let value = if word.known().is_some() { Value::Text(value) } else { Value::Hole };
            self.option(Name::Long(name), value, true, eaten);
            return false;
        }
        if word.known().is_none() {
            self.unsure(word, eaten);
            if beginning.len() < 2 {
                self.operand(word);
            }
            return true;
        }
        let name = Name::Long(beginning);
        if sheet.takes_a_word(name, self) {
            self.with_next(name, eaten, rest);
            return false;
        }
        self.option(name, Value::None, false, eaten);
        self.options.last().is_some_and(|given| !sheet.lists(given, self))
    }

    /// Reads a group of letters; answers as `long` does.
    fn letters(
        &mut self,
        sheet: &Sheet,
        word: &'w Word,
        eaten: bool,
        rest: &mut impl Iterator<Item = &'w Word>,
    ) -> bool {
        let letters = word.beginning().get(1..).unwrap_or_default();
        let mut eaten = eaten;
        let mut hungry = false;
        for (at, letter) in letters.char_indices() {
            let name = Name::Letter(letter);
            let after = letters.get(at + letter.len_utf8()..).unwrap_or_default();
            if sheet.takes_a_word(name, self) {
                if word.known().is_none() {
                    self.option(name, Value::Hole, true, eaten);
                } else if after.is_empty() {
                    self.with_next(name, eaten, rest);
                } else {
                    self.option(name, Value::Text(after), true, eaten);
                }
                return false;
            }
            if sheet.takes_the_rest(letter) {
                let value = if word.known().is_some() { Value::Text(after) } else { Value::Hole };
                self.option(name, value, true, eaten);
                return false;
            }
            self.option(name, Value::None, !after.is_empty(), eaten);
            // The letters behind one that is not listed may be its value.
            hungry = self.options.last().is_some_and(|given| !sheet.lists(given, self));
            eaten |= hungry;
        }
        if word.known().is_none() {
            self.unsure(word, eaten);
            if letters.is_empty() {
                self.operand(word);
            }
            return true;
        }
        hungry
    }

    fn with_next(&mut self, name: Name<'w>, eaten: bool, rest: &mut impl Iterator<Item = &'w Word>) {
        let next = rest.next();
        let value = match next {
            None => Value::None,
            Some(word) => word.known().map_or(Value::Hole, Value::Text),
        };
        self.option(name, value, false, eaten);
        // Of several words, or none, the first alone is the value.
        if let Some(word) = next.filter(|word| word.is_many()) {
            self.operand(word);
        }
    }
}
