//! JavaScript's and TypeScript's text as pieces: templates with their code, regular expressions, strings. Pure.

use crate::classify::code::token::{Kind, Lexed, Reader, Token, fault};

/// Templates within templates' code are read no deeper.
const DEEPEST: usize = 24;

/// Words behind which an expression begins, so that a slash there begins a regular expression.
const OPENING: &[&str] = &[
    "await",
    "case",
    "default",
    "delete",
    "do",
    "else",
    "extends",
    "in",
    "instanceof",
    "new",
    "of",
    "return",
    "throw",
    "typeof",
    "void",
    "yield",
];

/// Operators of several characters of which one would mean something else.
const MARKS: &[&str] = &["...", "?.", "=>", "++", "--"];

/// Reads a text into its pieces.
///
/// # Errors
/// Why it is not understood.
pub fn read(text: &str) -> Result<Lexed<'_>, String> {
    let mut lexer = Lexer { reader: Reader::new(text), text, lexed: Lexed::default(), depth: 0 };
    if lexer.reader.eat("#!") {
        lexer.line();
    }
    lexer.code(false)?;
    Ok(lexer.lexed)
}

struct Lexer<'t> {
    reader: Reader<'t>,
    text: &'t str,
    lexed: Lexed<'t>,
    depth: usize,
}

impl<'t> Lexer<'t> {
    fn push(&mut self, kind: Kind<'t>, at: usize) {
        self.lexed.tokens.push(Token { kind, at });
    }

    fn fault<T>(&self, what: &str) -> Result<T, String> {
        Err(fault(self.text, self.reader.at, what))
    }

    fn doubt(&mut self, at: usize) {
        self.lexed.doubt.get_or_insert(at);
    }

    /// Takes the rest of a line: more characters end one than elsewhere.
    fn line(&mut self) {
        self.reader.take_while(|c| !matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}'));
    }

    /// Reads code, to its end or to the brace that closes a template's.
    fn code(&mut self, inner: bool) -> Result<(), String> {
        let mut braces = 0_usize;
        loop {
            let at = self.reader.at;
            let Some(c) = self.reader.peek() else {
                return if inner { self.fault("a template does not end") } else { Ok(()) };
            };
            match c {
                c if c.is_whitespace() || c == '\u{feff}' => {
                    self.reader.bump();
                }
                '/' if self.reader.eat("//") => self.line(),
                '/' if self.reader.eat("/*") => {
                    if self.reader.through("*/").is_none() {
                        return self.fault("a comment does not end");
                    }
                }
                '/' => self.slash(at)?,
                '"' | '\'' => self.string(c)?,
                '`' => self.template()?,
                ';' => {
                    self.reader.bump();
                    self.push(Kind::End, at);
                }
                c if c.is_ascii_digit() => {
                    self.reader.take_while(|c| c.is_alphanumeric() || c == '_');
                    if self.reader.peek() == Some('.') && self.reader.second().is_some_and(|c| c.is_ascii_digit()) {
                        self.reader.bump();
                        self.reader.take_while(|c| c.is_alphanumeric() || c == '_');
                    }
                    self.push(Kind::Number, at);
                }
                c if c.is_alphabetic() || matches!(c, '_' | '$') => {
                    let word = self
                        .reader
                        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '\u{200c}' | '\u{200d}'));
                    self.push(Kind::Name(word), at);
                }
                '\\' => return self.fault("a name has letters that are written as numbers"),
                '{' => {
                    self.reader.bump();
                    braces += 1;
                    self.push(Kind::Mark("{"), at);
                }
                '}' if inner && braces == 0 => return Ok(()),
                '}' => {
                    self.reader.bump();
                    braces = braces.saturating_sub(1);
                    self.push(Kind::Mark("}"), at);
                }
                _ => {
                    // In a script, but not in a module, these begin comments.
                    if self.reader.rest().starts_with("<!--") || self.reader.rest().starts_with("-->") {
                        self.doubt(at);
                    }
                    let mark = self.reader.operator(MARKS);
                    self.push(Kind::Mark(mark), at);
                }
            }
        }
    }

    /// A slash divides, or begins a regular expression.
    fn slash(&mut self, at: usize) -> Result<(), String> {
        let divides = match self.lexed.tokens.last().map(|token| token.kind) {
            None | Some(Kind::End) => false,
            Some(Kind::Name(name)) => !OPENING.contains(&name),
            Some(Kind::Mark(")" | "}" | "++" | "--")) => {
                // Behind these it could be either.
                self.doubt(at);
                true
            }
            Some(Kind::Mark("]")) => true,
            Some(Kind::Mark(_)) => false,
            Some(_) => true,
        };
        self.reader.bump();
        if divides {
            self.push(Kind::Mark("/"), at);
            return Ok(());
        }
        let mut class = false;
        loop {
            match self.reader.bump() {
                Some('\\') => {
                    self.reader.bump();
                }
                Some('[') => class = true,
                Some(']') => class = false,
                Some('/') if !class => break,
                Some('\n' | '\r' | '\u{2028}' | '\u{2029}') | None => {
                    return self.fault("a regular expression does not end");
                }
                Some(_) => {}
            }
        }
        self.reader.take_while(|c| c.is_alphanumeric());
        self.push(Kind::Pattern, at);
        Ok(())
    }

    fn string(&mut self, quote: char) -> Result<(), String> {
        let at = self.reader.at;
        self.reader.bump();
        let from = self.reader.at;
        let mut escaped = false;
        loop {
            let here = self.reader.at;
            match self.reader.bump() {
                Some(c) if c == quote => {
                    let inner = self.reader.slice(from, here);
                    self.lexed.texts.push(inner);
                    self.push(Kind::Text((!escaped).then_some(inner)), at);
                    return Ok(());
                }
                Some('\\') => {
                    escaped = true;
                    if !self.reader.eat("\r\n") {
                        self.reader.bump();
                    }
                }
                Some('\n' | '\r') | None => return self.fault("a string does not end"),
                Some(_) => {}
            }
        }
    }

    /// A template: what is no code is one piece, and each stretch of code follows in braces.
    fn template(&mut self) -> Result<(), String> {
        if self.depth >= DEEPEST {
            return self.fault("its templates stand deeper in one another than is followed");
        }
        self.depth += 1;
        let at = self.reader.at;
        self.reader.bump();
        let place = self.lexed.tokens.len();
        self.push(Kind::Text(None), at);
        let mut from = self.reader.at;
        let mut plain = true;
        loop {
            let here = self.reader.at;
            match self.reader.bump() {
                Some('`') => {
                    let inner = self.reader.slice(from, here);
                    self.lexed.texts.push(inner);
                    if plain && let Some(token) = self.lexed.tokens.get_mut(place) {
                        token.kind = Kind::Text(Some(inner));
                    }
                    break;
                }
                Some('\\') => {
                    plain = false;
                    self.reader.bump();
                }
                Some('$') if self.reader.eat("{") => {
                    plain = false;
                    self.lexed.texts.push(self.reader.slice(from, here));
                    self.push(Kind::Mark("{"), here);
                    self.code(true)?;
                    let end = self.reader.at;
                    self.reader.bump();
                    self.push(Kind::Mark("}"), end);
                    from = self.reader.at;
                }
                Some(_) => {}
                None => return self.fault("a template does not end"),
            }
        }
        // What stands behind it divides.
        let end = self.lexed.tokens.len();
        if end > place + 1 {
            self.push(Kind::Text(None), self.reader.at.saturating_sub(1));
        }
        self.depth -= 1;
        Ok(())
    }
}
