//! Reads quotes, here-strings, variables and numbers of PowerShell. Pure.

use super::reader::{Read, Reader, in_name, is_blank, is_double, is_single};
use super::tree::{Expr, Piece};

/// Puts stretches together.
#[derive(Default)]
pub(super) struct Pieces(Vec<Piece>);

impl Pieces {
    pub fn push(&mut self, c: char) {
        if let Some(Piece::Known(text)) = self.0.last_mut() {
            text.push(c);
        } else {
            self.0.push(Piece::Known(c.to_string()));
        }
    }

    pub fn add(&mut self, expr: Expr) {
        match expr {
            Expr::Text(pieces) => {
                for piece in pieces {
                    match piece {
                        Piece::Known(text) => text.chars().for_each(|c| self.push(c)),
                        worked => self.0.push(worked),
                    }
                }
            }
            expr => self.0.push(Piece::Worked(expr)),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn expr(self) -> Expr {
        Expr::Text(self.0)
    }
}

impl Reader<'_> {
    /// A text in single quotes.
    pub fn single(&mut self) -> Read<Expr> {
        self.next();
        let mut pieces = Pieces::default();
        loop {
            match self.next() {
                None => return Err(self.fault("a quote has no end")),
                Some(c) if is_single(c) => match self.peek() {
                    Some(again) if is_single(again) => {
                        self.next();
                        pieces.push(again);
                    }
                    _ => return Ok(pieces.expr()),
                },
                Some(c) => pieces.push(c),
            }
        }
    }

    /// A text in double quotes.
    pub fn double(&mut self) -> Read<Expr> {
        self.next();
        let mut pieces = Pieces::default();
        loop {
            match self.peek() {
                None => return Err(self.fault("a quote has no end")),
                Some(c) if is_double(c) => {
                    self.next();
                    match self.peek() {
                        Some(again) if is_double(again) => {
                            self.next();
                            pieces.push(again);
                        }
                        _ => return Ok(pieces.expr()),
                    }
                }
                Some('`') => self.escape(&mut pieces)?,
                Some('$') => self.dollar(&mut pieces)?,
                Some(c) => {
                    self.next();
                    pieces.push(c);
                }
            }
        }
    }

    /// `@'…'@` or `@"…"@`.
    pub fn here(&mut self) -> Read<Expr> {
        self.next();
        let expands = self.next().is_some_and(is_double);
        while self.peek().is_some_and(is_blank) {
            self.next();
        }
        if !self.take("\r\n") && !self.take("\n") && !self.take("\r") {
            return Err(self.fault("something stands behind the beginning of a here-string"));
        }
        let mut pieces = Pieces::default();
        let mut fresh = true;
        loop {
            let ends = |c: char| if expands { is_double(c) } else { is_single(c) };
            let closes = self.peek().is_some_and(ends) && self.second() == Some('@');
            if fresh && closes {
                self.next();
                self.next();
                return Ok(pieces.expr());
            }
            // The last line break belongs to the mark.
            let behind = self.rest().strip_prefix("\r\n").or_else(|| self.rest().strip_prefix(['\n', '\r']));
            if let Some(behind) = behind {
                let mut chars = behind.chars();
                if chars.next().is_some_and(ends) && chars.next() == Some('@') {
                    self.at += self.rest().len() - behind.len();
                    fresh = true;
                    continue;
                }
            }
            fresh = false;
            match self.peek() {
                None => return Err(self.fault("a here-string has no end")),
                Some('`') if expands => self.escape(&mut pieces)?,
                Some('$') if expands => self.dollar(&mut pieces)?,
                Some(c) => {
                    self.next();
                    pieces.push(c);
                }
            }
        }
    }

    /// A backtick and what it stands before.
    pub fn escape(&mut self, pieces: &mut Pieces) -> Read<()> {
        self.next();
        let c = match self.next() {
            None => return Err(self.fault("nothing stands behind a backtick")),
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('0') => '\0',
            Some('a') => '\u{7}',
            Some('b') => '\u{8}',
            // A sign of its own to newer releases, the letter to older ones.
            Some('e') => {
                pieces.add(Expr::Nested(vec![]));
                return Ok(());
            }
            Some('f') => '\u{c}',
            Some('v') => '\u{b}',
            Some('u') if self.peek() == Some('{') => {
                let rest = self.rest();
                let end = rest.find('}').filter(|end| *end <= 7);
                let digits = end.and_then(|end| rest.get(1..end));
                let c = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).and_then(char::from_u32);
                self.at += end.unwrap_or_default() + 1;
                // Older releases take it for the letter.
                match c {
                    Some(_) => pieces.add(Expr::Nested(vec![])),
                    None => return Err(self.fault("what stands behind `u is no character")),
                }
                return Ok(());
            }
            Some(c) => c,
        };
        pieces.push(c);
        Ok(())
    }

    /// A `$` within a text.
    pub fn dollar(&mut self, pieces: &mut Pieces) -> Read<()> {
        match self.second() {
            Some('(') => {
                self.next();
                let inner = self.nested(')')?;
                pieces.add(inner);
            }
            Some(c) if c == '{' || in_name(c) || matches!(c, '?' | '^' | '$' | ':') => {
                match self.variable()? {
                    Some(variable) => pieces.add(variable),
                    None => pieces.push('$'),
                };
            }
            _ => {
                self.next();
                pieces.push('$');
            }
        }
        Ok(())
    }

    /// `$name`, `${any name}`; none (and only the dollar read) if it is no variable.
    pub fn variable(&mut self) -> Read<Option<Expr>> {
        self.next();
        if self.take("{") {
            let mut name = String::new();
            loop {
                match self.next() {
                    None => return Err(self.fault("a variable's name has no end")),
                    Some('}') => return Ok(Some(Expr::Variable(scopeless(&name)))),
                    Some('`') => name.extend(self.next()),
                    Some(c) => name.push(c),
                }
            }
        }
        if let Some(c @ ('$' | '?' | '^')) = self.peek() {
            self.next();
            return Ok(Some(Expr::Variable(c.to_string())));
        }
        let start = self.at;
        loop {
            match self.peek() {
                Some(c) if in_name(c) || c == '?' => {
                    self.next();
                }
                Some(':') if self.at > start && self.second().is_some_and(in_name) => {
                    self.next();
                }
                _ => break,
            }
        }
        let name = self.since(start);
        Ok((!name.is_empty()).then(|| Expr::Variable(scopeless(name))))
    }

    /// The number that begins here, if all of the word is one.
    pub fn number(&mut self) -> Option<Expr> {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(rest.len());
        let word = rest.get(..end)?;
        let word = word.split_once("..").map_or(word, |(word, _)| word);
        let word = word.strip_suffix('.').unwrap_or(word);
        if !is_number(word) {
            return None;
        }
        self.at += word.len();
        Some(Expr::Text(vec![Piece::Known(word.to_owned())]))
    }
}

fn is_number(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x") {
        return !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit() || "lukmgtb".contains(c));
    }
    let unit = ["kb", "mb", "gb", "tb", "pb"].iter().find_map(|unit| lower.strip_suffix(unit)).unwrap_or(&lower);
    let unit = unit.trim_end_matches(['l', 'd', 'u', 'n', 'y', 's']);
    let mantissa = unit
        .split_once('e')
        .map_or(unit, |(mantissa, exponent)| if exponent.chars().all(|c| c.is_ascii_digit()) { mantissa } else { "x" });
    mantissa.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && mantissa.chars().any(|c| c.is_ascii_digit())
        && mantissa.chars().all(|c| c.is_ascii_digit() || c == '.')
        && mantissa.matches('.').count() <= 1
}

/// A variable's name without its scope, in lower case.
fn scopeless(name: &str) -> String {
    let lower = name.to_lowercase();
    for scope in ["global:", "script:", "local:", "private:", "workflow:", "variable:"] {
        if let Some(rest) = lower.strip_prefix(scope) {
            return rest.to_owned();
        }
    }
    lower
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_number() {
        for word in ["1", "1.5", "0xff", "10kb", "1e3", "5l", ".5"] {
            assert!(is_number(word), "{word}");
        }
        for word in ["7z", "1a", "x", "", "1.2.3", "kb"] {
            assert!(!is_number(word), "{word}");
        }
    }
}
