//! `[[ … ]]`: only its words matter, since none of its operators does anything.

use super::Read;
use super::cursor::Reader;
use super::tree::{Node, Source};
use super::word::Inside;

impl Reader<'_, '_> {
    /// `[[ … ]]`, of which the first two brackets were read.
    pub(super) fn conditional(&mut self) -> Read<Node> {
        let mut words: Vec<Source> = vec![];
        let mut open = 0_usize;
        loop {
            self.newlines()?;
            if self.eat_word("]]") {
                if open > 0 {
                    return Err(self.fault("`(` isn't closed in `[[`"));
                }
                return Ok(Node::Test { words, redirects: vec![] });
            }
            let Some(byte) = self.peek() else {
                return Err(self.fault("`[[` isn't closed"));
            };
            match byte {
                _ if words.last().is_some_and(|word| word.raw == "=~") => words.push(self.regex()?),
                b'(' => {
                    open += 1;
                    self.bump();
                }
                b')' if open > 0 => {
                    open -= 1;
                    self.bump();
                }
                b'&' | b'|' => {
                    self.bump();
                    if !self.eat(byte) {
                        return Err(self.fault("only `&&` and `||` can stand in `[[`"));
                    }
                }
                b'<' | b'>' if self.second() != Some(b'(') => {
                    if matches!(self.second(), Some(b'<' | b'>' | b'&' | b'|')) {
                        return Err(self.unexpected());
                    }
                    self.bump();
                }
                b';' => return Err(self.unexpected()),
                _ => words.push(self.word()?),
            }
        }
    }

    /// A regular expression: brackets and bars mean something else in it, and blanks may stand within brackets.
    fn regex(&mut self) -> Read<Source> {
        let start = self.at;
        let pieces = self.deeper(|reader| reader.pieces(Inside::Regex))?;
        if pieces.is_empty() {
            return Err(self.unexpected());
        }
        Ok(Source { raw: self.since(start).to_owned(), pieces })
    }
}
