//! Simple commands and assignments.

use super::Read;
use super::cursor::{Reader, is_name, is_name_start};
use super::tree::{Assigned, Assignment, Node, Piece, Simple, Source};
use super::word::Inside;

/// How much of a command is kept for people, in bytes.
const SHOWN: usize = 300;

impl Reader<'_, '_> {
    /// A simple command, or a function's definition.
    pub(super) fn simple(&mut self) -> Read<Node> {
        self.count()?;
        let start = self.at;
        let mut end = start;
        let mut simple = Simple::default();
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect()? {
                simple.redirects.push(redirect);
                end = self.at;
                continue;
            }
            let at = self.at;
            if self.ends_word(at) {
                if self.peek() != Some(b'(') {
                    break;
                }
                return self.brackets_behind(simple);
            }
            if simple.words.is_empty()
                && let Some(assignment) = self.assignment()?
            {
                simple.assignments.push(assignment);
            } else {
                simple.words.push(self.argument()?);
            }
            end = self.at;
        }
        if end == start {
            return Err(self.unexpected());
        }
        let text = self.text.get(start..end).unwrap_or_default();
        simple.text = shown(text);
        Ok(Node::Simple(simple))
    }

    /// `name()`
    fn brackets_behind(&mut self, mut simple: Simple) -> Read<Node> {
        let (Some(word), true) = (simple.words.pop(), simple.words.is_empty()) else {
            return Err(self.unexpected());
        };
        let [Piece::Text(name)] = word.pieces.as_slice() else {
            return Err(self.unexpected());
        };
        if !simple.assignments.is_empty() || !simple.redirects.is_empty() {
            return Err(self.unexpected());
        }
        self.bump();
        self.blanks();
        if !self.eat(b')') {
            return Err(self.fault("`(` can't stand here"));
        }
        self.function(name.clone())
    }

    /// A word of a command. `declare -a x=(…)` keeps its brackets in one word.
    fn argument(&mut self) -> Read<Source> {
        let start = self.at;
        let mut word = self.word()?;
        // `{array[index]}>`: the descriptor is kept in an array, and this is no word.
        if word.raw.starts_with('{') && word.raw.ends_with("]}") && matches!(self.raw(), Some(b'<' | b'>')) {
            return Err(self.fault("a file descriptor is kept in an array"));
        }
        if self.raw() != Some(b'(') || !is_array_start(&word) {
            return Ok(word);
        }
        let values = self.array()?;
        word.pieces.push(Piece::Text("(".into()));
        for (nr, value) in values.into_iter().enumerate() {
            if nr > 0 {
                word.pieces.push(Piece::Text(" ".into()));
            }
            word.pieces.extend(value.pieces);
        }
        word.pieces.push(Piece::Text(")".into()));
        word.raw = self.since(start).to_owned();
        Ok(word)
    }

    /// The assignment that stands here, if one does.
    fn assignment(&mut self) -> Read<Option<Assignment>> {
        if !self.peek().is_some_and(is_name_start) {
            return Ok(None);
        }
        let start = self.at;
        let mut name = String::new();
        while let Some(byte) = self.peek().filter(|byte| is_name(*byte)) {
            name.push(char::from(byte));
            self.bump();
        }
        let mut index = None;
        if self.eat(b'[') {
            let from = self.at;
            // bash looks for the bracket's end whatever stands between, other shells don't.
            let pieces = self.deeper(|reader| reader.pieces(Inside::Index))?;
            let raw = self.since(from).to_owned();
            self.expect(b']', "`[` isn't closed")?;
            if self.assigns() {
                index = Some(Source { raw, pieces });
            } else if raw.contains([' ', '\t']) {
                return Err(self.fault("blanks stand in the brackets of a word"));
            } else {
                self.back_to(start)?;
                return Ok(None);
            }
        } else if !self.assigns() {
            self.at = start;
            return Ok(None);
        }
        let append = self.eat(b'+');
        self.eat(b'=');
        let value = if self.peek() == Some(b'(') && index.is_none() {
            Assigned::Array(self.array()?)
        } else {
            Assigned::One(self.value()?)
        };
        Ok(Some(Assignment { name, index, value, append }))
    }

    fn assigns(&mut self) -> bool {
        self.peek() == Some(b'=') || (self.peek() == Some(b'+') && self.second() == Some(b'='))
    }

    /// `( … )` behind `=`
    fn array(&mut self) -> Read<Vec<Source>> {
        self.expect(b'(', "`(` is missing")?;
        self.deeper(|reader| {
            let mut values = vec![];
            loop {
                reader.newlines()?;
                if reader.eat(b')') {
                    return Ok(values);
                }
                if reader.peek().is_none() {
                    return Err(reader.fault("an array isn't closed"));
                }
                values.push(reader.word()?);
            }
        })
    }
}

/// `name=` or `name+=`, nothing of it quoted.
fn is_array_start(word: &Source) -> bool {
    let [Piece::Text(text)] = word.pieces.as_slice() else { return false };
    let Some(name) = text.strip_suffix('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    name.bytes().next().is_some_and(is_name_start) && name.bytes().all(is_name)
}

/// A command's text, cut at a length that people still read.
fn shown(text: &str) -> String {
    let text = text.trim();
    if text.len() <= SHOWN {
        return text.to_owned();
    }
    let mut end = SHOWN;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", text.get(..end).unwrap_or_default())
}
