//! Python's text as pieces: names, strings of all kinds with the code in them, operators. Pure.

use crate::classify::code::token::{Kind, Lexed, Reader, Token, fault};

/// Strings within strings' code are read no deeper.
const DEEPEST: usize = 12;

/// Operators of several characters of which one would mean something else.
const MARKS: &[&str] = &["**=", "//=", ">>=", "<<=", "...", "->", ":=", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/="];

/// Reads a text into its pieces.
///
/// # Errors
/// Why it is not understood.
pub fn read(text: &str) -> Result<Lexed<'_>, String> {
    let mut lexer = Lexer { reader: Reader::new(text), text, lexed: Lexed::default(), depth: 0 };
    lexer.check_coding()?;
    lexer.code(None)?;
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

    /// A first or second line may say that the bytes mean other letters.
    fn check_coding(&self) -> Result<(), String> {
        for line in self.text.split(['\n', '\r']).take(3) {
            let plain = ["utf-8", "utf8", "utf_8", "ascii", "us-ascii", "latin-1", "iso-8859-1"];
            for (_, after) in line.match_indices("coding").filter_map(|(at, _)| line.split_at_checked(at + 6)) {
                let Some(name) = after.strip_prefix([':', '=']) else { continue };
                let name = name.trim_start().to_ascii_lowercase();
                if line.trim_start().starts_with('#') && !plain.iter().any(|plain| name.starts_with(plain)) {
                    return Err("its letters are in a code that is not read".into());
                }
            }
        }
        Ok(())
    }

    /// Reads code, to its end or to the bracket that closes a replacement field of a string.
    fn code(&mut self, field: Option<char>) -> Result<(), String> {
        let mut brackets: Vec<char> = vec![];
        loop {
            let at = self.reader.at;
            let Some(c) = self.reader.peek() else {
                return if field.is_some() { self.fault("a string does not end") } else { Ok(()) };
            };
            match c {
                '\n' | '\r' => {
                    self.reader.bump();
                    if brackets.is_empty() && field.is_none() {
                        self.push(Kind::End, at);
                    }
                }
                ' ' | '\t' | '\u{c}' => {
                    self.reader.bump();
                }
                '#' => {
                    self.reader.line();
                }
                '\\' => {
                    self.reader.bump();
                    if !(self.reader.eat("\r\n") || self.reader.eat("\n") || self.reader.eat("\r")) {
                        return self.fault("its text is not understood");
                    }
                }
                ';' => {
                    self.reader.bump();
                    self.push(Kind::End, at);
                }
                '"' | '\'' => self.string("")?,
                c if c.is_alphanumeric() || c == '_' || !c.is_ascii() => {
                    let word = self.reader.take_while(|c| c.is_alphanumeric() || c == '_' || !c.is_ascii());
                    let prefix = word.len() <= 2 && word.bytes().all(|b| b"rbuftRBUFT".contains(&b));
                    if prefix && matches!(self.reader.peek(), Some('"' | '\'')) {
                        self.string(word)?;
                    } else if !word.is_ascii() {
                        // Python takes letters of other forms for the plain ones.
                        return self.fault("a name has letters that could stand for others");
                    } else if c.is_ascii_digit() {
                        self.push(Kind::Number, at);
                    } else {
                        self.push(Kind::Name(word), at);
                    }
                }
                '(' | '[' | '{' => {
                    self.reader.bump();
                    brackets.push(c);
                    self.mark(at);
                }
                ')' | ']' | '}' => {
                    if brackets.is_empty() && field.is_some() {
                        return if c == '}' { Ok(()) } else { self.fault("its brackets don't match") };
                    }
                    self.reader.bump();
                    // Behind one too many Python runs nothing of the text.
                    brackets.pop();
                    self.mark(at);
                }
                ':' | '!' if brackets.is_empty() && field.is_some() && !self.reader.rest().starts_with("!=") => {
                    return Ok(());
                }
                '`' | '$' | '?' | '\0' => return self.fault("its text is not understood"),
                '!' if !self.reader.rest().starts_with("!=") => {
                    return self.fault("a `!` may run a command");
                }
                '%' if !matches!(
                    self.lexed.tokens.last().map(|token| token.kind),
                    Some(Kind::Name(_) | Kind::Number | Kind::Text(_) | Kind::Mark(_))
                ) =>
                {
                    return self.fault("a `%` may run a command");
                }
                _ => {
                    self.reader.operator(MARKS);
                    self.mark(at);
                }
            }
        }
    }

    fn mark(&mut self, at: usize) {
        self.push(Kind::Mark(self.reader.slice(at, self.reader.at)), at);
    }

    /// A string behind its prefix.
    fn string(&mut self, prefix: &str) -> Result<(), String> {
        let at = self.reader.at;
        let has = |letters: [char; 2]| prefix.contains(letters);
        let (raw, fields) = (has(['r', 'R']), has(['f', 'F']) || has(['t', 'T']));
        let quote = self.reader.bump().unwrap_or('"');
        let triple = [quote; 3].iter().collect::<String>();
        let long = self.reader.rest().starts_with(triple.get(1..).unwrap_or_default());
        if long {
            self.reader.at += 2;
        }
        let end = if long { triple.as_str() } else { triple.get(..1).unwrap_or_default() };
        if fields {
            return self.formatted(end, at);
        }
        let from = self.reader.at;
        let mut escaped = false;
        loop {
            if self.reader.rest().starts_with(end) {
                let inner = self.reader.slice(from, self.reader.at);
                self.reader.at += end.len();
                self.lexed.texts.push(inner);
                self.push(Kind::Text((raw || !escaped).then_some(inner)), at);
                return Ok(());
            }
            match self.reader.bump() {
                Some('\\') => {
                    escaped = true;
                    if self.reader.peek() == Some('\r') && self.reader.second() == Some('\n') {
                        self.reader.bump();
                    }
                    self.reader.bump();
                }
                Some('\n' | '\r') if !long => return self.fault("a string does not end"),
                Some(_) => {}
                None => return self.fault("a string does not end"),
            }
        }
    }

    /// A string with code in it: what is no code is one piece, and each stretch of code follows in braces.
    fn formatted(&mut self, end: &str, at: usize) -> Result<(), String> {
        if self.depth >= DEEPEST {
            return self.fault("its strings stand deeper in one another than is followed");
        }
        self.depth += 1;
        self.push(Kind::Text(None), at);
        // In a format behind a colon, the literal text of a field goes on to its brace.
        let mut formats = 0_usize;
        let mut from = self.reader.at;
        loop {
            let here = self.reader.at;
            if formats == 0 && self.reader.rest().starts_with(end) {
                self.lexed.texts.push(self.reader.slice(from, here));
                self.reader.at += end.len();
                break;
            }
            if self.reader.rest().starts_with(end) {
                return self.fault("a string is not understood");
            }
            match self.reader.bump() {
                Some('{') if formats == 0 && self.reader.eat("{") => {}
                Some('{') => {
                    self.lexed.texts.push(self.reader.slice(from, here));
                    self.push(Kind::Mark("{"), here);
                    self.code(Some('}'))?;
                    self.push(Kind::Mark("}"), self.reader.at);
                    if self.reader.eat("!") {
                        self.reader.take_while(|c| c.is_ascii_alphabetic() || c == ' ');
                    }
                    if self.reader.eat(":") {
                        formats += 1;
                    } else if !self.reader.eat("}") {
                        return self.fault("a string is not understood");
                    }
                    from = self.reader.at;
                }
                Some('}') if formats > 0 => formats -= 1,
                Some('}') => {
                    self.reader.eat("}");
                }
                Some('\\') => {
                    // Before a brace it is an odd one that stands for itself, and the brace counts.
                    if !matches!(self.reader.peek(), Some('{' | '}')) {
                        self.reader.bump();
                    }
                }
                Some('\n' | '\r') if end.len() == 1 => return self.fault("a string does not end"),
                Some(_) => {}
                None => return self.fault("a string does not end"),
            }
        }
        self.depth -= 1;
        Ok(())
    }
}
