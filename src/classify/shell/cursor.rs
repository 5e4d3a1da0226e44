//! Goes through a text byte by byte: line continuations, blanks, comments, newlines and the budget. Knows no grammar.

use super::here::Pending;
use super::tree::{Script, Source};
use super::{DEEPEST, DEEPEST_SUBSTITUTION, Fault, Read};

/// What may still be used up, shared by a text and the texts within it.
pub(super) struct Budget {
    pub(super) depth: usize,
    pub(super) substitutions: usize,
    pub(super) commands: usize,
    pub(super) words: usize,
    pub(super) again: usize,
}

/// A text that is being read.
pub(super) struct Reader<'t, 'b> {
    pub(super) text: &'t str,
    /// How far it has been read, in bytes.
    pub(super) at: usize,
    pub(super) budget: &'b mut Budget,
    /// Here-documents whose bodies begin behind the next newline.
    pub(super) pending: Vec<Pending>,
    /// Bodies that were read.
    pub(super) bodies: Vec<Option<Source>>,
    /// Whether this is within `$( … )`, so that the text's end is none of it.
    pub(super) nested: bool,
}

/// Whether a byte ends a word.
pub(super) fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}

pub(super) fn is_name_start(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphabetic()
}

pub(super) fn is_name(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

impl<'t, 'b> Reader<'t, 'b> {
    pub(super) fn new(text: &'t str, budget: &'b mut Budget) -> Self {
        Self { text, at: 0, budget, pending: vec![], bodies: vec![], nested: false }
    }

    /// Reads all of it as a script.
    pub(super) fn whole(mut self) -> Read<Script> {
        let mut script = self.list()?;
        if self.peek().is_some() {
            return Err(self.unexpected());
        }
        self.take_bodies()?;
        self.fill(&mut script)?;
        Ok(script)
    }

    /// The next byte as it stands, continuations included.
    pub(super) fn raw(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// Where the next byte is from here on, line continuations passed over.
    fn passed(&self, mut at: usize) -> usize {
        while self.byte(at) == Some(b'\\') && self.byte(at + 1) == Some(b'\n') {
            at += 2;
        }
        at
    }

    /// The next byte; line continuations are gone.
    pub(super) fn peek(&mut self) -> Option<u8> {
        self.at = self.passed(self.at);
        self.raw()
    }

    /// The byte behind the next one.
    pub(super) fn second(&self) -> Option<u8> {
        self.byte(self.passed(self.passed(self.at) + 1))
    }

    /// Takes one byte, which has to be ASCII.
    pub(super) fn bump(&mut self) {
        self.at += 1;
    }

    /// Takes this byte if it is next.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        if there {
            self.bump();
        }
        there
    }

    /// Takes this operator if it is next.
    pub(super) fn eat_text(&mut self, text: &str) -> bool {
        let start = self.at;
        for byte in text.bytes() {
            if !self.eat(byte) {
                self.at = start;
                return false;
            }
        }
        true
    }

    /// What was read since.
    pub(super) fn since(&self, start: usize) -> &'t str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Takes the next character, whatever it is.
    pub(super) fn bump_char(&mut self) -> Option<char> {
        let found = self.text.get(self.at..)?.chars().next()?;
        self.at += found.len_utf8();
        Some(found)
    }

    /// Passes blanks and a comment.
    pub(super) fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.bump();
        }
        if self.raw() == Some(b'#') {
            let rest = self.text.get(self.at..).unwrap_or_default();
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    /// Passes blanks, comments and newlines.
    pub(super) fn newlines(&mut self) -> Read<()> {
        loop {
            self.blanks();
            if !self.newline()? {
                return Ok(());
            }
        }
    }

    /// Passes a newline, and the here-documents behind it.
    pub(super) fn newline(&mut self) -> Read<bool> {
        if self.peek() != Some(b'\n') {
            return Ok(false);
        }
        self.bump();
        self.take_bodies()?;
        Ok(true)
    }

    /// The word that stands here if it is one of letters alone, as reserved words are.
    pub(super) fn reserved(&mut self) -> &'t str {
        self.peek();
        let start = self.at;
        let mut end = start;
        while self
            .byte(end)
            .is_some_and(|byte| byte.is_ascii_lowercase() || matches!(byte, b'!' | b'{' | b'}' | b'[' | b']'))
        {
            end += 1;
        }
        // A continuation within it is nobody's way to write; what follows would be missed, though.
        if self.byte(end) == Some(b'\\') && self.byte(end + 1) == Some(b'\n') {
            return self.reserved_in_parts(start);
        }
        if self.ends_word(end) { self.text.get(start..end).unwrap_or_default() } else { "" }
    }

    /// The same for a word with line continuations in it.
    fn reserved_in_parts(&self, start: usize) -> &'t str {
        const WORDS: &[&str] = &[
            "!", "{", "}", "[[", "]]", "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done",
            "case", "esac", "in", "function", "time", "coproc", "select",
        ];
        let mut word = String::new();
        let mut at = self.passed(start);
        while let Some(byte) = self.byte(at)
            && !self.ends_word(at)
            && word.len() < 9
        {
            word.push(char::from(byte));
            at = self.passed(at + 1);
        }
        if !self.ends_word(at) {
            return "";
        }
        WORDS.iter().find(|known| **known == word).copied().unwrap_or_default()
    }

    /// Whether a word that reaches to `at` ends there.
    pub(super) fn ends_word(&self, at: usize) -> bool {
        let at = self.passed(at);
        match self.byte(at) {
            None => true,
            // `<( … )` and `>( … )` are part of a word.
            Some(b'<' | b'>') => self.byte(self.passed(at + 1)) != Some(b'('),
            Some(byte) => is_meta(byte),
        }
    }

    /// Takes this reserved word if it is next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let there = self.reserved() == word;
        if there {
            self.eat_text(word);
        }
        there
    }

    pub(super) fn expect_word(&mut self, word: &'static str) -> Read<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.fault(format!("`{word}` is missing"))) }
    }

    pub(super) fn expect(&mut self, byte: u8, why: &'static str) -> Read<()> {
        if self.eat(byte) { Ok(()) } else { Err(self.fault(why)) }
    }

    pub(super) fn fault(&self, why: impl Into<std::borrow::Cow<'static, str>>) -> Fault {
        Fault { at: Some(self.at), why: why.into() }
    }

    pub(super) fn unexpected(&mut self) -> Fault {
        let next: String = self.text.get(self.at..).unwrap_or_default().chars().take(1).collect();
        match next.as_str() {
            "" => self.fault("it ends too early"),
            "\n" => self.fault("a line ends too early"),
            _ => self.fault(format!("`{next}` can't stand here")),
        }
    }

    /// Reads something that may hold itself.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.budget.depth >= DEEPEST {
            return Err(Fault::whole("the shell text nests deeper than 100 levels"));
        }
        self.budget.depth += 1;
        let result = read(self);
        self.budget.depth -= 1;
        result
    }

    /// Reads a command substitution.
    pub(super) fn substitution<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.budget.substitutions >= DEEPEST_SUBSTITUTION {
            return Err(Fault::whole("the shell text nests command substitutions deeper than 16 levels"));
        }
        self.budget.substitutions += 1;
        let result = self.deeper(read);
        self.budget.substitutions -= 1;
        result
    }

    /// Goes back to read it as something else.
    pub(super) fn back_to(&mut self, start: usize) -> Read<()> {
        let again = self.at.saturating_sub(start);
        let Some(left) = self.budget.again.checked_sub(again) else {
            return Err(Fault::whole("too much of the shell text can be read in two ways"));
        };
        self.budget.again = left;
        self.at = start;
        Ok(())
    }
}
