//! What stands between marks: strings, regular expressions, replacements, here-documents. Pure.
//!
//! Strings in which Perl puts values are looked through for what they could run, and a replacement that is code is read as code.

use super::Lexer;
use crate::classify::code::perl::is_outward;
use crate::classify::code::token::{Kind, closing, fault, is_name};

/// Code within replacements is read no deeper.
const DEEPEST: usize = 6;

impl<'t> Lexer<'t> {
    /// What stands between two marks, those that open one counted; the reader stands at the first.
    pub(super) fn delimited(&mut self, open: char) -> Result<(usize, usize), String> {
        self.reader.bump();
        let close = closing(open);
        let from = self.reader.at;
        let mut depth = 0_usize;
        loop {
            let here = self.reader.at;
            match self.reader.bump() {
                Some('\\') => {
                    self.reader.bump();
                }
                Some(c) if c == close && depth == 0 => return Ok((from, here)),
                Some(c) if c == close => depth -= 1,
                Some(c) if c == open && open != close => depth += 1,
                Some(_) => {}
                None => return self.fault("a string does not end"),
            }
        }
    }

    /// A string; `values`: Perl puts values into it.
    pub(super) fn text_piece(&mut self, (from, to): (usize, usize), values: bool, at: usize) -> Result<(), String> {
        let inner = self.reader.slice(from, to);
        self.lexed.texts.push(inner);
        if values {
            self.values(inner, at)?;
        }
        let plain = !(inner.contains('\\') || values && inner.contains(['$', '@']));
        self.push(Kind::Text(plain.then_some(inner)), at);
        Ok(())
    }

    /// Looks through a string in which values are put: what stands in brackets behind a sigil is code.
    pub(super) fn values(&self, inner: &str, at: usize) -> Result<(), String> {
        let mut rest = inner;
        while let Some(found) = rest.find(['$', '@']) {
            rest = rest.get(found + 1..).unwrap_or_default();
            let name = rest.trim_start_matches(|c| is_name(c) || matches!(c, ':' | '$' | '#'));
            let name = name.strip_prefix("->").unwrap_or(name);
            if !name.starts_with(['{', '[']) {
                continue;
            }
            let odd = |word: &str| is_outward(word);
            let runs = name.split(|c: char| !is_name(c)).find(|word| odd(word));
            let dynamic = ["->$", "&{", "&$", "*{", "`"].into_iter().find(|part| name.contains(part));
            if let Some(word) = runs.or(dynamic) {
                return Err(fault(self.text, at, format!("a string in which it puts values holds `{word}`")));
            }
            return Ok(());
        }
        Ok(())
    }

    pub(super) fn pattern(&mut self, (from, to): (usize, usize), at: usize) -> Result<(), String> {
        let inner = self.reader.slice(from, to);
        if inner.contains("(?{") || inner.contains("(??{") || inner.contains("(*{") {
            return self.fault("a regular expression holds code");
        }
        self.values(inner, at)?;
        self.lexed.texts.push(inner);
        self.reader.take_while(|c| c.is_ascii_alphabetic());
        self.push(Kind::Pattern, at);
        Ok(())
    }

    pub(super) fn quoted(&mut self, word: &'t str, open: char, at: usize) -> Result<(), String> {
        if word == "qx" {
            return self.fault("it runs a command in `qx`");
        }
        let first = self.delimited(open)?;
        match word {
            "q" | "qq" | "qw" => self.text_piece(first, word == "qq", at),
            "m" | "qr" => self.pattern(first, at),
            _ => {
                let second = if closing(open) == open {
                    // The mark in the middle ends the one and begins the other.
                    self.reader.at -= open.len_utf8();
                    self.delimited(open)?
                } else {
                    self.reader.take_while(char::is_whitespace);
                    match self.reader.peek() {
                        Some('#') | None => return self.fault("a replacement is not understood"),
                        Some(open) => self.delimited(open)?,
                    }
                };
                let behind = self.reader.at;
                let flags = self.reader.take_while(|c| c.is_ascii_alphabetic());
                if word != "s" {
                    self.push(Kind::Pattern, at);
                    return Ok(());
                }
                let inner = self.reader.slice(first.0, first.1);
                if flags.matches('e').count() > 1 {
                    return self.fault("it runs what a replacement turns out to be");
                }
                if inner.contains("(?{") || inner.contains("(??{") {
                    return self.fault("a regular expression holds code");
                }
                self.values(inner, at)?;
                self.push(Kind::Pattern, at);
                let replacement = self.reader.slice(second.0, second.1);
                if !flags.contains('e') {
                    self.lexed.texts.push(replacement);
                    return self.values(replacement, at);
                }
                if self.depth >= DEEPEST {
                    return self.fault("its replacements stand deeper in one another than is followed");
                }
                self.depth += 1;
                let end = behind + flags.len();
                self.push(Kind::Mark("{"), second.0);
                self.reader.at = second.0;
                self.code(second.1)?;
                self.push(Kind::Mark("}"), second.1);
                self.push(Kind::Pattern, end);
                self.reader.at = end;
                self.depth -= 1;
                Ok(())
            }
        }
    }

    /// The bodies of the here-documents that the line before has begun.
    pub(super) fn bodies(&mut self) -> Result<(), String> {
        for (name, indented, values) in std::mem::take(&mut self.here) {
            let from = self.reader.at;
            let mut line_at = from;
            loop {
                let Some(rest) = self.text.get(line_at..).filter(|rest| !rest.is_empty()) else {
                    return self.fault("a here-document does not end");
                };
                let line = rest.split('\n').next().unwrap_or_default();
                let inner = if indented { line.trim_start_matches([' ', '\t']) } else { line };
                if inner.trim_end_matches('\r') == name {
                    self.reader.at = line_at + line.len();
                    break;
                }
                line_at += line.len() + 1;
            }
            let inner = self.reader.slice(from, line_at);
            self.lexed.texts.push(inner);
            if values {
                self.values(inner, from)?;
            }
        }
        Ok(())
    }
}
