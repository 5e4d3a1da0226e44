//! Perl's text as pieces: `quotes` of all kinds, regular expressions, here-documents, what is no code at all. Pure.
//!
//! Perl's text can't be told apart for sure without running it. Where that matters a doubt is noted, and strings in which
//! Perl puts values are looked through for what they could run.

mod quotes;

use super::library::OPENING;
use crate::classify::code::token::{Kind, Lexed, Reader, Token, fault, is_name, listed};

/// Operators of several characters of which one would mean something else.
const MARKS: &[&str] = &[
    "<=>", "**=", "...", "||=", "&&=", "//=", "->", "=>", "==", "!=", "=~", "!~", "++", "--", "**", "&&", "||", "..",
    "::", "+=", "-=", "*=", ".=",
];

/// Reads a text into its pieces.
///
/// # Errors
/// Why it is not understood.
pub fn read(text: &str) -> Result<Lexed<'_>, String> {
    let mut lexer = Lexer {
        reader: Reader::new(text),
        text,
        lexed: Lexed::default(),
        depth: 0,
        here: vec![],
        braces: vec![],
        subscript: false,
    };
    lexer.code(text.len())?;
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
    /// Here-documents that begin on the next line: how each ends, whether that may be indented, whether it has values in it.
    here: Vec<(&'t str, bool, bool)>,
    /// Of each open brace whether it is that of an element of a hash.
    braces: Vec<bool>,
    /// Whether the last brace closed such a one.
    subscript: bool,
}

impl<'t> Lexer<'t> {
    fn push(&mut self, kind: Kind<'t>, at: usize) {
        self.lexed.tokens.push(Token { kind, at });
    }

    fn fault<T>(&self, what: &str) -> Result<T, String> {
        Err(fault(self.text, self.reader.at, what))
    }

    fn doubt(&mut self) {
        self.lexed.doubt.get_or_insert(self.reader.at);
    }

    fn last(&self) -> Kind<'t> {
        self.lexed.tokens.last().map_or(Kind::End, |token| token.kind)
    }

    /// Whether an expression begins where it stands, and not an operator.
    fn expects_value(&mut self) -> bool {
        match self.last() {
            Kind::End | Kind::Symbol(_) => true,
            Kind::Name(name) if listed(OPENING, name) => true,
            // A name may be a function that takes what follows, or a value.
            Kind::Name(_) => {
                self.doubt();
                true
            }
            Kind::Mark("}") => {
                if !self.subscript {
                    self.doubt();
                }
                !self.subscript
            }
            Kind::Mark(")" | "]" | "++" | "--") => false,
            Kind::Mark(_) => true,
            Kind::Variable(_) | Kind::Text(_) | Kind::Number | Kind::Pattern => false,
        }
    }

    /// Reads code up to a place.
    fn code(&mut self, end: usize) -> Result<(), String> {
        while self.reader.at < end {
            let at = self.reader.at;
            let Some(c) = self.reader.peek() else { break };
            if c == '=' && self.reader.begins_line() && self.reader.second().is_some_and(|c| c.is_ascii_alphabetic()) {
                if !matches!(self.last(), Kind::End | Kind::Mark("}")) {
                    self.doubt();
                }
                self.pod();
                continue;
            }
            match c {
                '\n' => {
                    self.reader.bump();
                    self.bodies()?;
                }
                c if c.is_whitespace() => {
                    self.reader.bump();
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
                '\'' | '"' => {
                    let range = self.delimited(c)?;
                    self.text_piece(range, c == '"', at)?;
                }
                '$' => self.scalar(at)?,
                '@' | '%' | '&' | '*' => self.sigil(c, at)?,
                '/' if self.expects_value() => {
                    let range = self.delimited('/')?;
                    self.pattern(range, at)?;
                }
                '<' if self.angle(at)? => {}
                '-' if self.file_test(at) => {}
                c if c.is_ascii_digit() => {
                    self.reader.take_while(is_name);
                    if self.reader.peek() == Some('.') && self.reader.second().is_some_and(|c| c.is_ascii_digit()) {
                        self.reader.bump();
                        self.reader.take_while(is_name);
                    }
                    self.push(Kind::Number, at);
                }
                c if is_name(c) => self.word(at)?,
                '{' => {
                    // Behind a variable, an arrow or another element it is an element's.
                    let near = self.text.get(..at).is_some_and(|before| !before.ends_with(char::is_whitespace));
                    let element = match self.last() {
                        Kind::Variable(_) | Kind::Mark("->" | "]" | "$" | "@" | "%" | "$#") => true,
                        Kind::Mark("}") => self.subscript && near,
                        _ => false,
                    };
                    self.reader.bump();
                    self.braces.push(element);
                    self.push(Kind::Mark("{"), at);
                }
                '}' => {
                    self.reader.bump();
                    self.subscript = self.braces.pop().unwrap_or(false);
                    self.push(Kind::Mark("}"), at);
                }
                _ => {
                    let mark = self.reader.operator(MARKS);
                    self.push(Kind::Mark(mark), at);
                }
            }
        }
        if self.reader.at > end { self.fault("its text is not understood") } else { Ok(()) }
    }

    /// Documentation between the code.
    fn pod(&mut self) {
        loop {
            let line = self.reader.line();
            let ends = line.starts_with("=cut");
            if self.reader.bump().is_none() || ends {
                return;
            }
        }
    }

    /// `$name`, `$$`, `${…}`, `$#x` and the like.
    fn scalar(&mut self, at: usize) -> Result<(), String> {
        self.reader.bump();
        match self.reader.peek() {
            Some('#') if self.reader.second().is_some_and(|c| is_name(c) || matches!(c, '{' | '$' | ':')) => {
                self.reader.bump();
                if self.reader.peek().is_some_and(|c| is_name(c) || c == ':') {
                    let from = self.reader.at;
                    self.reader.take_while(|c| is_name(c) || c == ':');
                    self.push(Kind::Variable(self.reader.slice(from, self.reader.at)), at);
                } else {
                    self.push(Kind::Mark("$#"), at);
                }
            }
            Some('{') => self.push(Kind::Mark("$"), at),
            Some('$') if self.reader.second().is_some_and(|c| is_name(c) || matches!(c, '{' | '$' | ':')) => {
                self.push(Kind::Mark("$"), at);
            }
            Some(c) if is_name(c) || c == ':' && self.reader.rest().starts_with("::") => {
                if c.is_ascii_digit() {
                    self.reader.take_while(|c| c.is_ascii_digit());
                } else {
                    self.reader.take_while(|c| is_name(c) || c == ':');
                }
                // `$x ? $a : $b`: a lone colon at the end is no part of it.
                while self.reader.slice(at, self.reader.at).ends_with(':') {
                    self.reader.at -= 1;
                }
                self.push(Kind::Variable(self.reader.slice(at, self.reader.at)), at);
            }
            Some('^') => {
                self.reader.bump();
                self.reader.bump();
                self.push(Kind::Variable(self.reader.slice(at, self.reader.at)), at);
            }
            Some(c) if c.is_ascii_punctuation() => {
                self.reader.bump();
                self.push(Kind::Variable(self.reader.slice(at, self.reader.at)), at);
            }
            _ => return self.fault("a variable is not understood"),
        }
        Ok(())
    }

    /// `@name`, `%name`, `&name`, `*name`, or an operator.
    fn sigil(&mut self, sigil: char, at: usize) -> Result<(), String> {
        let operator = sigil != '@' && !self.expects_value();
        let next = self.reader.second().unwrap_or(' ');
        if operator || self.reader.rest().starts_with("&&") || self.reader.rest().starts_with("**") {
            let mark = self.reader.operator(MARKS);
            self.push(Kind::Mark(mark), at);
            return Ok(());
        }
        self.reader.bump();
        match next {
            '{' | '$' if sigil == '*' => self.fault("it changes what names mean"),
            '{' | '$' => {
                self.push(Kind::Mark(self.reader.slice(at, self.reader.at)), at);
                Ok(())
            }
            c if is_name(c) || c == ':' => {
                if sigil == '&' {
                    // The function that is called is the next piece.
                    self.push(Kind::Mark("&"), at);
                    return Ok(());
                }
                let from = self.reader.at;
                self.reader.take_while(|c| is_name(c) || c == ':');
                let name = self.reader.slice(from, self.reader.at);
                if sigil == '*' {
                    if !matches!(name, "STDIN" | "STDOUT" | "STDERR" | "DATA") {
                        return self.fault("it changes what names mean");
                    }
                    self.push(Kind::Text(None), at);
                    return Ok(());
                }
                self.push(Kind::Variable(self.reader.slice(at, self.reader.at)), at);
                Ok(())
            }
            c if sigil != '&' && sigil != '*' && "-+!_^".contains(c) => {
                self.reader.bump();
                if c == '^' {
                    self.reader.take_while(is_name);
                }
                self.push(Kind::Variable(self.reader.slice(at, self.reader.at)), at);
                Ok(())
            }
            _ => {
                self.push(Kind::Mark(self.reader.slice(at, self.reader.at)), at);
                Ok(())
            }
        }
    }

    /// `<$fh>`, `<>`, `<*.c>`, a here-document; false: an operator.
    fn angle(&mut self, at: usize) -> Result<bool, String> {
        let rest = self.reader.rest();
        if let Some(behind) = rest.strip_prefix("<<")
            && !behind.starts_with('=')
        {
            let indented = behind.starts_with('~');
            let behind = behind.get(usize::from(indented)..).unwrap_or_default();
            let quote = behind.chars().next().filter(|c| "'\"`".contains(*c));
            let named = behind.get(usize::from(quote.is_some())..).unwrap_or_default();
            let end = match quote {
                Some(quote) => named.find(quote),
                None => named.find(|c: char| !is_name(c)).or(Some(named.len())),
            };
            let name = end.and_then(|end| named.get(..end)).unwrap_or_default();
            let starts = quote.is_some() || name.starts_with(|c: char| c.is_alphabetic() || c == '_');
            if starts && !name.contains('\n') && self.expects_value() {
                if quote == Some('`') {
                    return self.fault("it runs a command in backticks");
                }
                if self.depth > 0 {
                    return self.fault("a here-document within a replacement is not read");
                }
                self.reader.at += 2 + usize::from(indented) + name.len() + 2 * usize::from(quote.is_some());
                self.here.push((name, indented, quote != Some('\'')));
                self.push(Kind::Text(None), at);
                return Ok(true);
            }
        }
        if !self.expects_value() {
            return Ok(false);
        }
        // A handle's name or a pattern for files is short, and each look must end soon.
        let near = rest.char_indices().take(200).take_while(|(_, c)| !matches!(c, '\n' | ';'));
        let Some(close) = near.into_iter().find_map(|(at, c)| (c == '>').then_some(at)) else { return Ok(false) };
        // `<<>>` ends with two.
        let close = if rest.starts_with("<<>>") { 3 } else { close };
        self.reader.at += close + 1;
        let inner = rest.get(1..close).unwrap_or_default();
        let plain = inner.trim_start_matches('$').chars().all(is_name);
        if !plain {
            self.values(inner, at)?;
        }
        self.push(Kind::Symbol(if matches!(inner, "" | "ARGV") { "<>" } else { "<file>" }), at);
        self.push(Kind::Text(None), at);
        Ok(true)
    }

    /// `-e $file`; false: an operator.
    fn file_test(&mut self, at: usize) -> bool {
        let mut rest = self.reader.rest().chars().skip(1);
        let (letter, behind) = (rest.next().unwrap_or(' '), rest.next().unwrap_or(' '));
        let arrow = self.reader.rest().get(2..).is_some_and(|rest| rest.trim_start().starts_with("=>"));
        if !"rwxoRWXOezsfdlpSbctugkTBAMC".contains(letter) || is_name(behind) || arrow || !self.expects_value() {
            return false;
        }
        self.reader.at += 2;
        self.push(Kind::Mark("-e"), at);
        true
    }

    fn word(&mut self, at: usize) -> Result<(), String> {
        self.reader.take_while(is_name);
        while self.reader.rest().starts_with("::") {
            self.reader.at += 2;
            self.reader.take_while(is_name);
        }
        let word = self.reader.slice(at, self.reader.at);
        let before = self.last();
        let rest = self.reader.rest();
        let behind = rest.trim_start();
        let key = behind.starts_with("=>") || (before == Kind::Mark("{") && behind.starts_with('}'));
        if key || before == Kind::Mark("->") || matches!(before, Kind::Name("sub" | "package") | Kind::Mark("&")) {
            // A key is a string.
            self.push(if key { Kind::Text(Some(word)) } else { Kind::Name(word) }, at);
            if before == Kind::Name("sub") {
                self.prototype();
            }
            return Ok(());
        }
        match word {
            "__END__" | "__DATA__" => {
                self.reader.at = self.text.len();
                Ok(())
            }
            "format" if matches!(before, Kind::End | Kind::Mark("}" | "{")) => self.fault("a format is not read"),
            "q" | "qq" | "qw" | "qx" | "m" | "qr" | "s" | "tr" | "y" => {
                let open = behind.chars().next().unwrap_or(' ');
                let spaced = behind.len() < rest.len();
                let possible = !(open == ' '
                    || is_name(open) && !spaced
                    || open == '#' && spaced
                    || (open == ',' || open == '=' || open == ')') && spaced
                    || open == ';'
                    || open == '\0');
                if !possible || is_name(open) {
                    if !matches!(open, ';' | ' ') {
                        self.doubt();
                    }
                    self.push(Kind::Name(word), at);
                    return Ok(());
                }
                if matches!(open, ',' | '=' | ')') {
                    self.doubt();
                }
                self.reader.at += rest.len() - behind.len();
                self.quoted(word, open, at)
            }
            "sub" => {
                self.push(Kind::Name(word), at);
                self.prototype();
                Ok(())
            }
            _ => {
                self.push(Kind::Name(word), at);
                Ok(())
            }
        }
    }

    /// `($$;@)` behind `sub NAME`.
    fn prototype(&mut self) {
        let rest = self.reader.rest();
        let behind = rest.trim_start();
        let Some(inner) = behind.strip_prefix('(') else { return };
        let signs = inner.find(|c: char| !"$@%&*;\\[]+_ ".contains(c)).unwrap_or(inner.len());
        if inner.get(signs..).is_some_and(|rest| rest.starts_with(')')) {
            self.reader.at += rest.len() - behind.len() + signs + 2;
        }
    }
}
