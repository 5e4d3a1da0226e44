//! PHP's text as pieces: what stands outside of its tags, strings with code in them, here-documents. Pure.

use crate::classify::code::token::{Kind, Lexed, Reader, Token, fault};

/// Strings within strings' code are read no deeper.
const DEEPEST: usize = 12;

/// Operators of several characters of which one would mean something else.
const MARKS: &[&str] = &["?->", "...", "->", "::", "=>", "=="];

/// Reads a text into its pieces.
///
/// # Errors
/// Why it is not understood.
pub fn read(text: &str) -> Result<Lexed<'_>, String> {
    let mut lexer = Lexer { reader: Reader::new(text), text, lexed: Lexed::default(), depth: 0 };
    lexer.outside()?;
    lexer.code(None)?;
    Ok(lexer.lexed)
}

struct Lexer<'t> {
    reader: Reader<'t>,
    text: &'t str,
    lexed: Lexed<'t>,
    depth: usize,
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || !c.is_ascii()
}

impl<'t> Lexer<'t> {
    fn push(&mut self, kind: Kind<'t>, at: usize) {
        self.lexed.tokens.push(Token { kind, at });
    }

    fn fault<T>(&self, what: &str) -> Result<T, String> {
        Err(fault(self.text, self.reader.at, what))
    }

    /// Text that is printed as it is, up to the next tag.
    fn outside(&mut self) -> Result<(), String> {
        let begun = self.reader.at;
        self.push(Kind::End, begun);
        let printed = match self.reader.through("<?") {
            Some(printed) => printed,
            None => {
                let rest = self.reader.rest();
                self.reader.at = self.text.len();
                rest
            }
        };
        // Old releases have more tags than one.
        if printed.contains("<%") || printed.to_ascii_lowercase().contains("<script") {
            return self.fault("its tags are not understood");
        }
        let word = self.reader.rest().get(..3).unwrap_or_default();
        if word.eq_ignore_ascii_case("php") {
            self.reader.at += 3;
        } else if word.eq_ignore_ascii_case("xml") {
            return self.fault("its tags are not understood");
        } else {
            self.reader.eat("=");
        }
        Ok(())
    }

    /// Reads code, to its end, or to the brace that closes a string's.
    fn code(&mut self, end: Option<usize>) -> Result<(), String> {
        let mut braces = 0_usize;
        loop {
            let at = self.reader.at;
            let Some(c) = self.reader.peek() else {
                return if end.is_some() { self.fault("a string does not end") } else { Ok(()) };
            };
            if end.is_some_and(|end| at >= end) {
                return self.fault("a string is not understood");
            }
            match c {
                c if c.is_ascii_whitespace() => {
                    self.reader.bump();
                }
                '?' if self.reader.eat("?>") => {
                    if end.is_some() {
                        return self.fault("a string is not understood");
                    }
                    self.outside()?;
                }
                '#' if self.reader.rest().starts_with("#[") => {
                    // Before PHP 8 that was a comment.
                    self.lexed.doubt.get_or_insert(at);
                    self.reader.at += 1;
                }
                '#' => self.comment(),
                '/' if self.reader.rest().starts_with("//") => self.comment(),
                '/' if self.reader.eat("/*") => {
                    if self.reader.through("*/").is_none() {
                        return self.fault("a comment does not end");
                    }
                }
                '\'' => self.string()?,
                '"' => {
                    self.reader.bump();
                    self.interpolated(None, at)?;
                }
                '`' => return self.fault("it runs a command in backticks"),
                '<' if self.reader.rest().starts_with("<<<") => self.here(at)?,
                ';' => {
                    self.reader.bump();
                    self.push(Kind::End, at);
                }
                '$' if self.reader.second().is_some_and(is_name) => {
                    self.reader.bump();
                    let name = self.reader.take_while(is_name);
                    self.push(Kind::Variable(name), at);
                }
                c if c.is_ascii_digit() => {
                    self.reader.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
                    if self.reader.peek() == Some('.') && self.reader.second().is_some_and(|c| c.is_ascii_digit()) {
                        self.reader.bump();
                        self.reader.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
                    }
                    self.push(Kind::Number, at);
                }
                c if is_name(c) || c == '\\' => {
                    let word = self.reader.take_while(|c| is_name(c) || c == '\\');
                    self.push(Kind::Name(word), at);
                }
                '}' if end.is_some() && braces == 0 => return Ok(()),
                '{' => {
                    self.reader.bump();
                    braces += 1;
                    self.push(Kind::Mark("{"), at);
                }
                '}' => {
                    self.reader.bump();
                    braces = braces.saturating_sub(1);
                    self.push(Kind::Mark("}"), at);
                }
                _ => {
                    let mark = self.reader.operator(MARKS);
                    self.push(Kind::Mark(mark), at);
                }
            }
        }
    }

    /// A comment to the line's end: the tag that ends the code ends it as well.
    fn comment(&mut self) {
        let rest = self.reader.rest();
        let line = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let tag = rest.find("?>").unwrap_or(rest.len());
        self.reader.at += line.min(tag);
    }

    fn string(&mut self) -> Result<(), String> {
        let at = self.reader.at;
        self.reader.bump();
        let from = self.reader.at;
        let mut escaped = false;
        loop {
            let here = self.reader.at;
            match self.reader.bump() {
                Some('\'') => {
                    let inner = self.reader.slice(from, here);
                    self.lexed.texts.push(inner);
                    self.push(Kind::Text((!escaped).then_some(inner)), at);
                    return Ok(());
                }
                Some('\\') => {
                    escaped |= matches!(self.reader.peek(), Some('\\' | '\''));
                    self.reader.bump();
                }
                Some(_) => {}
                None => return self.fault("a string does not end"),
            }
        }
    }

    /// A string with code in it, up to its quote or to a place.
    fn interpolated(&mut self, end: Option<usize>, at: usize) -> Result<(), String> {
        if self.depth >= DEEPEST {
            return self.fault("its strings stand deeper in one another than is followed");
        }
        self.depth += 1;
        let place = self.lexed.tokens.len();
        self.push(Kind::Text(None), at);
        let mut from = self.reader.at;
        let mut plain = true;
        loop {
            let here = self.reader.at;
            if end.is_some_and(|end| here >= end) || (end.is_none() && self.reader.peek() == Some('"')) {
                let inner = self.reader.slice(from, here);
                self.lexed.texts.push(inner);
                if plain && let Some(token) = self.lexed.tokens.get_mut(place) {
                    token.kind = Kind::Text(Some(inner));
                }
                if end.is_none() {
                    self.reader.bump();
                }
                break;
            }
            let rest = self.reader.rest();
            if rest.starts_with("{$") || rest.starts_with("${") {
                plain = false;
                self.lexed.texts.push(self.reader.slice(from, here));
                // `${expr}` is the variable whose name that works out to.
                if rest.starts_with("${") {
                    self.push(Kind::Mark("$"), here);
                    self.reader.bump();
                }
                self.reader.bump();
                self.push(Kind::Mark("{"), here);
                self.code(Some(end.unwrap_or(self.text.len())))?;
                let close = self.reader.at;
                self.reader.bump();
                self.push(Kind::Mark("}"), close);
                from = self.reader.at;
                continue;
            }
            match self.reader.bump() {
                Some('\\') => {
                    plain = false;
                    self.reader.bump();
                }
                Some('$') => plain = false,
                Some(_) => {}
                None => return self.fault("a string does not end"),
            }
        }
        if self.lexed.tokens.len() > place + 1 {
            self.push(Kind::Text(None), self.reader.at.saturating_sub(1));
        }
        self.depth -= 1;
        Ok(())
    }

    /// A here-document.
    fn here(&mut self, at: usize) -> Result<(), String> {
        self.reader.at += 3;
        self.reader.take_while(|c| c == ' ' || c == '\t');
        let quote = self.reader.peek().filter(|c| matches!(c, '"' | '\''));
        if quote.is_some() {
            self.reader.bump();
        }
        let name = self.reader.take_while(is_name);
        if let Some(quote) = quote
            && self.reader.bump() != Some(quote)
        {
            return self.fault("a here-document is not understood");
        }
        if name.is_empty() || !(self.reader.eat("\r\n") || self.reader.eat("\n")) {
            return self.fault("a here-document is not understood");
        }
        let from = self.reader.at;
        let mut line_at = from;
        let close = loop {
            let rest = self.text.get(line_at..).unwrap_or_default();
            let line = rest.split('\n').next().unwrap_or_default();
            let inner = line.trim_start_matches([' ', '\t']);
            if let Some(behind) = inner.strip_prefix(name)
                && !behind.starts_with(is_name)
            {
                // Before PHP 7.3 it had to stand alone.
                if inner.len() < line.len() || !matches!(behind.trim_end(), "" | ";") {
                    self.lexed.doubt.get_or_insert(line_at);
                }
                break line_at + line.len() - inner.len();
            }
            line_at += line.len() + 1;
            if line_at > self.text.len() {
                return self.fault("a here-document does not end");
            }
        };
        if quote == Some('\'') {
            let inner = self.reader.slice(from, close);
            self.lexed.texts.push(inner);
            self.push(Kind::Text(Some(inner)), at);
        } else {
            self.interpolated(Some(close), at)?;
        }
        self.reader.at = close + name.len();
        Ok(())
    }
}
