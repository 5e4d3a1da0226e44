//! Ruby's text as pieces: strings of all kinds with the code in them, symbols, here-documents. Pure.
//!
//! Ruby's text can't be told apart for sure without knowing what each name is (`x /y/` divides if `x` is a variable). Where
//! that matters a doubt is noted.

use crate::classify::code::token::{Kind, Lexed, Reader, Token, closing, fault, is_name};

/// Strings within strings' code are read no deeper.
const DEEPEST: usize = 12;

/// Words behind which an expression begins.
const OPENING: &[&str] = &[
    "and", "begin", "case", "do", "else", "elsif", "ensure", "if", "in", "not", "or", "puts", "p", "print", "rescue",
    "return", "then", "unless", "until", "when", "while", "yield",
];

/// Operators of several characters of which one would mean something else.
const MARKS: &[&str] = &[
    "**=", "<=>", "===", "...", "&&=", "||=", "=>", "==", "!=", "=~", "!~", "&.", "::", "->", "..", "&&", "||", "<<",
    ">>", "+=", "-=", "*=",
];

/// Reads a text into its pieces.
///
/// # Errors
/// Why it is not understood.
pub fn read(text: &str) -> Result<Lexed<'_>, String> {
    let mut lexer = Lexer { reader: Reader::new(text), text, lexed: Lexed::default(), depth: 0, here: vec![] };
    lexer.code(None)?;
    if !lexer.here.is_empty() {
        return lexer.fault("a here-document does not end");
    }
    Ok(lexer.lexed)
}

struct Lexer<'t> {
    reader: Reader<'t>,
    text: &'t str,
    lexed: Lexed<'t>,
    depth: usize,
    /// Here-documents that begin on the next line: how each ends, whether that may be indented, whether it has code in it.
    here: Vec<(&'t str, bool, bool)>,
}

/// Where a string ends.
#[derive(Clone, Copy)]
enum End {
    /// At this character, those that open one counted.
    Mark(char),
    /// At this place.
    Place(usize),
}

impl<'t> Lexer<'t> {
    fn push(&mut self, kind: Kind<'t>, at: usize) {
        self.lexed.tokens.push(Token { kind, at });
    }

    fn fault<T>(&self, what: &str) -> Result<T, String> {
        Err(fault(self.text, self.reader.at, what))
    }

    /// Whether an expression begins where it stands, and not an operator.
    fn expects_value(&mut self, at: usize, width: usize) -> bool {
        let space = self.text.get(..at).is_some_and(|before| before.ends_with([' ', '\t']));
        let close = self.text.get(at + width..).is_some_and(|rest| !rest.starts_with([' ', '\t', '\n', '=']));
        match self.lexed.tokens.last().map(|token| token.kind) {
            None | Some(Kind::End) => true,
            Some(Kind::Name(name)) if OPENING.contains(&name) => {
                let method = matches!(
                    self.lexed.tokens.iter().rev().nth(1).map(|token| token.kind),
                    Some(Kind::Mark("." | "&."))
                );
                if method {
                    self.lexed.doubt.get_or_insert(at);
                }
                !method
            }
            Some(Kind::Name(_)) => {
                if space || close {
                    self.lexed.doubt.get_or_insert(at);
                }
                space && close
            }
            Some(Kind::Mark(")" | "]" | "}")) => {
                if space && close {
                    self.lexed.doubt.get_or_insert(at);
                }
                false
            }
            Some(Kind::Mark(_)) => true,
            Some(_) => false,
        }
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
            if self.reader.begins_line() && end.is_none() {
                if self.reader.rest().starts_with("=begin") {
                    loop {
                        self.reader.line();
                        if self.reader.bump().is_none() {
                            return self.fault("a comment does not end");
                        }
                        if self.reader.rest().starts_with("=end") {
                            self.reader.line();
                            break;
                        }
                    }
                    continue;
                }
                let line = self.reader.rest().split('\n').next().unwrap_or_default();
                if line.trim_end_matches('\r') == "__END__" {
                    self.reader.at = self.text.len();
                    continue;
                }
            }
            match c {
                '\n' => {
                    self.reader.bump();
                    self.push(Kind::End, at);
                    self.bodies()?;
                }
                ' ' | '\t' | '\r' | '\u{c}' | '\u{b}' => {
                    self.reader.bump();
                }
                '\\' => {
                    self.reader.bump();
                    if !(self.reader.eat("\n") || self.reader.eat("\r\n")) {
                        return self.fault("its text is not understood");
                    }
                }
                '#' => {
                    self.reader.line();
                }
                ';' => {
                    self.reader.bump();
                    self.push(Kind::End, at);
                }
                '`' => return self.fault("it runs a command in backticks"),
                '\0' | '\u{4}' | '\u{1a}' => return self.fault("its text is not understood"),
                '\'' => self.plain('\'', at)?,
                '"' => {
                    self.reader.bump();
                    self.interpolated(End::Mark('"'), '"', at)?;
                    // `"key": value`
                }
                '/' if self.expects_value(at, 1) => {
                    self.reader.bump();
                    self.interpolated(End::Mark('/'), '/', at)?;
                    self.reader.take_while(|c| c.is_ascii_alphabetic());
                }
                '%' if self.percent(at)? => {}
                '<' if self.here_document(at)? => {}
                '?' if self.character(at) => {}
                ':' if self.symbol(at)? => {}
                '$' => {
                    self.reader.bump();
                    if self.reader.peek().is_some_and(is_name) {
                        self.reader.take_while(is_name);
                    } else {
                        self.reader.bump();
                    }
                    self.push(Kind::Variable(self.reader.slice(at, self.reader.at)), at);
                }
                '@' => {
                    self.reader.take_while(|c| c == '@');
                    self.reader.take_while(is_name);
                    self.push(Kind::Variable(self.reader.slice(at, self.reader.at)), at);
                }
                c if c.is_ascii_digit() => {
                    self.reader.take_while(is_name);
                    if self.reader.peek() == Some('.') && self.reader.second().is_some_and(|c| c.is_ascii_digit()) {
                        self.reader.bump();
                        self.reader.take_while(is_name);
                    }
                    self.push(Kind::Number, at);
                }
                c if is_name(c) || !c.is_ascii() => self.word(at),
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

    /// A name; `?` and `!` may be its end.
    fn word(&mut self, at: usize) {
        self.reader.take_while(|c| is_name(c) || !c.is_ascii());
        if matches!(self.reader.peek(), Some('?' | '!')) && !matches!(self.reader.second(), Some('=' | '~')) {
            self.reader.bump();
        }
        let word = self.reader.slice(at, self.reader.at);
        // `name: value`, where it is no method.
        if self.reader.peek() == Some(':') && self.reader.second() != Some(':') && !self.in_choice() {
            self.reader.bump();
            self.push(Kind::Symbol(word), at);
            self.push(Kind::Mark("=>"), self.reader.at - 1);
            return;
        }
        self.push(Kind::Name(word), at);
    }

    /// Whether a colon may be that of `a ? b : c`.
    fn in_choice(&self) -> bool {
        self.lexed.tokens.iter().rev().take(12).any(|token| token.kind == Kind::Mark("?"))
    }

    fn plain(&mut self, end: char, at: usize) -> Result<(), String> {
        let open = self.reader.bump().unwrap_or(end);
        let from = self.reader.at;
        let mut depth = 0_usize;
        let mut escaped = false;
        loop {
            let here = self.reader.at;
            match self.reader.bump() {
                Some('\\') => {
                    escaped = true;
                    self.reader.bump();
                }
                Some(c) if c == end && depth == 0 => {
                    let inner = self.reader.slice(from, here);
                    self.lexed.texts.push(inner);
                    self.push(Kind::Text((!escaped).then_some(inner)), at);
                    return Ok(());
                }
                Some(c) if c == end => depth -= 1,
                Some(c) if c == open && open != end => depth += 1,
                Some(_) => {}
                None => return self.fault("a string does not end"),
            }
        }
    }

    /// A string with code in it; what opens it counts within.
    fn interpolated(&mut self, end: End, open: char, at: usize) -> Result<(), String> {
        if self.depth >= DEEPEST {
            return self.fault("its strings stand deeper in one another than is followed");
        }
        self.depth += 1;
        let place = self.lexed.tokens.len();
        self.push(Kind::Text(None), at);
        let mut from = self.reader.at;
        let (mut plain, mut nested) = (true, 0_usize);
        loop {
            let here = self.reader.at;
            let done = match end {
                End::Mark(mark) => self.reader.peek() == Some(mark) && nested == 0,
                End::Place(place) => here >= place,
            };
            if done {
                let inner = self.reader.slice(from, here);
                self.lexed.texts.push(inner);
                if plain && let Some(token) = self.lexed.tokens.get_mut(place) {
                    token.kind = Kind::Text(Some(inner));
                }
                if matches!(end, End::Mark(_)) {
                    self.reader.bump();
                }
                break;
            }
            match self.reader.bump() {
                Some('#') if self.reader.peek() == Some('{') => {
                    plain = false;
                    self.lexed.texts.push(self.reader.slice(from, here));
                    self.reader.bump();
                    self.push(Kind::Mark("{"), here);
                    self.code(Some(match end {
                        End::Mark(_) => self.text.len(),
                        End::Place(place) => place,
                    }))?;
                    let close = self.reader.at;
                    self.reader.bump();
                    self.push(Kind::Mark("}"), close);
                    from = self.reader.at;
                }
                Some('#') if matches!(self.reader.peek(), Some('$' | '@')) => plain = false,
                Some('\\') => {
                    plain = false;
                    self.reader.bump();
                }
                Some(c) => match end {
                    End::Mark(mark) if c == mark => nested = nested.saturating_sub(1),
                    End::Mark(mark) if c == open && open != mark => nested += 1,
                    _ => {}
                },
                None => return self.fault("a string does not end"),
            }
        }
        if self.lexed.tokens.len() > place + 1 {
            self.push(Kind::Text(None), self.reader.at.saturating_sub(1));
        }
        self.depth -= 1;
        Ok(())
    }

    /// `%w(a b)`, `%q{…}`, `%(…)`; false: an operator.
    fn percent(&mut self, at: usize) -> Result<bool, String> {
        let rest = self.reader.rest().get(1..).unwrap_or_default();
        let mut letters = rest.chars();
        let first = letters.next().unwrap_or(' ');
        let (letter, open) =
            if first.is_ascii_alphabetic() { (first, letters.next().unwrap_or(' ')) } else { ('Q', first) };
        let possible = open.is_ascii_punctuation() && (!first.is_ascii_alphabetic() || "qQwWiIrxs".contains(letter));
        if !possible || !self.expects_value(at, 1) {
            return Ok(false);
        }
        if letter == 'x' {
            return self.fault("it runs a command in `%x`");
        }
        self.reader.at += 1 + usize::from(first.is_ascii_alphabetic());
        if "qwis".contains(letter) {
            self.plain(closing(open), at)?;
        } else {
            self.reader.bump();
            self.interpolated(End::Mark(closing(open)), open, at)?;
        }
        if letter == 'r' {
            self.reader.take_while(|c| c.is_ascii_alphabetic());
        }
        Ok(true)
    }

    /// `<<~END` and its like; false: an operator.
    fn here_document(&mut self, at: usize) -> Result<bool, String> {
        let Some(rest) = self.reader.rest().strip_prefix("<<") else { return Ok(false) };
        let indented = rest.starts_with(['~', '-']);
        let rest = rest.get(usize::from(indented)..).unwrap_or_default();
        let quote = rest.chars().next().filter(|c| "'\"`".contains(*c));
        let named = rest.get(usize::from(quote.is_some())..).unwrap_or_default();
        let end = match quote {
            Some(quote) => named.find(quote),
            None => named.find(|c: char| !is_name(c)).or(Some(named.len())),
        };
        let name = end.and_then(|end| named.get(..end)).unwrap_or_default();
        let starts = quote.is_some() || name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if name.is_empty() || name.contains('\n') || !starts || !self.expects_value(at, 2) {
            return Ok(false);
        }
        if quote == Some('`') {
            return self.fault("it runs a command in backticks");
        }
        if self.depth > 0 {
            return self.fault("a here-document within a string is not read");
        }
        self.reader.at += 2 + usize::from(indented) + name.len() + 2 * usize::from(quote.is_some());
        self.here.push((name, indented, quote != Some('\'')));
        self.push(Kind::Text(None), at);
        Ok(true)
    }

    /// The bodies of the here-documents that the line before has begun.
    fn bodies(&mut self) -> Result<(), String> {
        for (name, indented, code) in std::mem::take(&mut self.here) {
            let from = self.reader.at;
            let mut line_at = from;
            let behind = loop {
                let Some(rest) = self.text.get(line_at..).filter(|rest| !rest.is_empty()) else {
                    return self.fault("a here-document does not end");
                };
                let line = rest.split('\n').next().unwrap_or_default();
                let inner = if indented { line.trim_start_matches([' ', '\t']) } else { line };
                if inner.trim_end_matches('\r') == name {
                    break line_at + line.len();
                }
                line_at += line.len() + 1;
            };
            if code {
                self.interpolated(End::Place(line_at), ' ', from)?;
            } else {
                self.lexed.texts.push(self.reader.slice(from, line_at));
            }
            self.reader.at = behind;
        }
        Ok(())
    }

    /// `?a`, one character as a string; false: an operator.
    fn character(&mut self, at: usize) -> bool {
        let mut rest = self.reader.rest().chars().skip(1);
        let (first, second) = (rest.next().unwrap_or(' '), rest.next().unwrap_or(' '));
        if first.is_whitespace() || is_name(second) && is_name(first) || !self.expects_value(at, 1) {
            return false;
        }
        self.reader.at += 1;
        if self.reader.bump() == Some('\\') {
            self.lexed.doubt.get_or_insert(at);
            self.reader.bump();
        }
        self.push(Kind::Text(None), at);
        true
    }

    /// `:name` and `:"name"`; false: an operator.
    fn symbol(&mut self, at: usize) -> Result<bool, String> {
        match self.reader.second() {
            Some('"') => {
                self.reader.at += 2;
                self.interpolated(End::Mark('"'), '"', at)?;
                Ok(true)
            }
            Some('\'') => {
                self.reader.at += 1;
                self.plain('\'', at)?;
                Ok(true)
            }
            Some(c) if is_name(c) && !c.is_ascii_digit() => {
                self.reader.at += 1;
                let from = self.reader.at;
                self.reader.take_while(is_name);
                if matches!(self.reader.peek(), Some('?' | '!')) && self.reader.second() != Some('=') {
                    self.reader.bump();
                }
                self.push(Kind::Symbol(self.reader.slice(from, self.reader.at)), from);
                Ok(true)
            }
            // `:/`, `:<<`, `:%`: operators by name.
            Some(c) if "/%<>=+-*&|^~![".contains(c) => {
                self.reader.at += 1;
                let mark = self.reader.take_while(|c| "/%<>=+-*&|^~!".contains(c));
                if mark.is_empty() {
                    self.reader.eat("[]");
                }
                self.push(Kind::Symbol(""), at);
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
