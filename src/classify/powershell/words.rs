//! Reads the words of commands. Pure.

use super::reader::{Read, Reader, in_name, is_blank, is_dash, is_double, is_single};
use super::statements::ends_pipeline;
use super::strings::Pieces;
use super::tree::{Argument, Call, Expr, Piece, Step};
use std::rc::Rc;

impl Reader<'_> {
    /// A command with its words.
    pub fn command(&mut self) -> Read<Step> {
        let call = match self.peek() {
            Some('&') => Call::Ampersand,
            Some('.') if self.second().is_some_and(|c| is_blank(c) || matches!(c, '$' | '(' | '{' | '\'' | '"')) => {
                Call::Dot
            }
            _ => Call::Name,
        };
        if call != Call::Name {
            self.next();
            self.blanks()?;
        }
        let name = match self.peek() {
            Some('$' | '(' | '{' | '@') if call != Call::Name => {
                let start = self.at;
                let base = self.primary()?;
                self.postfix(base, start)?
            }
            _ => self.generic()?,
        };
        if name.known() == Some("") {
            return Err(self.fault("a command is missing"));
        }
        let mut arguments = Vec::new();
        let mut ended = false;
        loop {
            self.blanks()?;
            let (first, second) = (self.peek(), self.second());
            match first {
                None => break,
                Some(c) if ends_pipeline(c) || matches!(c, '|' | '&') => break,
                Some('>') => break,
                Some('1'..='6' | '*') if second == Some('>') => break,
                Some('<') => return Err(self.fault("`<` means nothing to PowerShell")),
                Some(c) if is_dash(c) && !ended => {
                    if self.starts("--%") {
                        let behind = self.rest().chars().nth(3);
                        if behind.is_some_and(|c| !c.is_whitespace()) {
                            return Err(self.fault("whether `--%` takes the rest of the line is not clear"));
                        }
                        self.at += 3;
                        let rest = self.rest();
                        let end = rest.find(['\n', '\r', '|']).unwrap_or(rest.len());
                        arguments.push(Argument::Raw(rest.get(..end).unwrap_or_default().to_owned()));
                        self.at += end;
                    } else if self.starts("--") && self.third().is_none_or(|c| is_blank(c) || ends_pipeline(c)) {
                        self.at += 2;
                        ended = true;
                        arguments.push(Argument::Value(Expr::Text(vec![Piece::Known("--".into())])));
                    } else if second.is_some_and(|c| c.is_alphabetic() || c == '_' || c == '?') {
                        arguments.push(self.parameter()?);
                    } else {
                        arguments.push(Argument::Value(self.argument_value()?));
                    }
                }
                Some('@') if second.is_some_and(in_name) => {
                    self.at += 1;
                    let start = self.at;
                    while self.peek().is_some_and(|c| in_name(c) || c == ':') {
                        self.next();
                    }
                    arguments.push(Argument::Splat(self.since(start).to_lowercase()));
                }
                Some(_) => arguments.push(Argument::Value(self.argument_value()?)),
            }
            // Redirections may stand between the words.
            if self.rest().starts_with('>') {
                break;
            }
        }
        Ok(Step::Command { call, name, arguments })
    }

    /// `-Name`, `-Name:value`.
    pub(super) fn parameter(&mut self) -> Read<Argument> {
        self.next();
        let start = self.at;
        while self.peek().is_some_and(|c| {
            !c.is_whitespace()
                && !matches!(c, '{' | '}' | '(' | ')' | ';' | ',' | '|' | '&' | '.' | '[' | ':' | '`' | '>')
                && !is_single(c)
                && !is_double(c)
                && c != '$'
        }) {
            self.next();
        }
        let mut name = self.since(start).to_owned();
        if self.peek() == Some('`') {
            // An escape within it: the whole word has to be put together.
            let mut pieces = Pieces::default();
            pieces.add(self.generic()?);
            match pieces.expr().known() {
                Some(rest) => name.push_str(rest),
                None => return Err(self.fault("a parameter's name is worked out")),
            }
            if let Some((before, value)) = name.clone().split_once(':') {
                let value = Expr::Text(vec![Piece::Known(value.to_owned())]);
                return Ok(Argument::Named { name: before.to_owned(), value: Some(value) });
            }
            return Ok(Argument::Named { name, value: None });
        }
        if self.take(":") {
            self.blanks()?;
            let value = self.argument_value()?;
            return Ok(Argument::Named { name, value: Some(value) });
        }
        let glued = self.peek().is_some_and(|c| matches!(c, '.' | '[' | '$') || is_single(c) || is_double(c));
        if glued {
            // A program's own: `-Dx.y=z`, `-p"x"`.
            let mut pieces = Pieces::default();
            pieces.push('-');
            name.chars().for_each(|c| pieces.push(c));
            pieces.add(self.generic()?);
            return Ok(Argument::Value(pieces.expr()));
        }
        Ok(Argument::Named { name, value: None })
    }

    /// A value among a command's words, with what commas join to it.
    pub fn argument_value(&mut self) -> Read<Expr> {
        let first = self.deeper(Self::argument)?;
        let mut all = Vec::new();
        loop {
            let start = self.at;
            self.blanks()?;
            if self.peek() != Some(',') {
                self.at = start;
                break;
            }
            self.at += 1;
            self.lines()?;
            all.push(self.deeper(Self::argument)?);
        }
        if all.is_empty() {
            return Ok(first);
        }
        all.insert(0, first);
        Ok(Expr::List(all))
    }

    pub(super) fn argument(&mut self) -> Read<Expr> {
        let start = self.at;
        match self.peek() {
            Some('{') => Ok(Expr::Block(Rc::new(self.braces()?))),
            Some('(') => {
                let base = self.nested(')')?;
                self.postfix(base, start)
            }
            Some('@') if self.second().is_some_and(|c| matches!(c, '(' | '{') || is_single(c) || is_double(c)) => {
                let base = self.primary()?;
                self.postfix(base, start)
            }
            Some('$')
                if self
                    .second()
                    .is_some_and(|c| c == '(' || c == '{' || in_name(c) || matches!(c, '?' | '^' | '$')) =>
            {
                let base = self.primary()?;
                let whole = self.postfix(base, start)?;
                if self.ends_word() {
                    return Ok(whole);
                }
                let mut pieces = Pieces::default();
                pieces.add(whole);
                pieces.add(self.generic()?);
                Ok(pieces.expr())
            }
            // What stands in quotes ends with them: members are called on it, and what is glued to it is a word of its own.
            Some(c) if is_single(c) || is_double(c) => {
                let base = self.primary()?;
                self.postfix(base, start)
            }
            Some(c) if c == ',' || ends_pipeline(c) => Err(self.fault("a value is missing")),
            _ => self.generic(),
        }
    }

    pub(super) fn ends_word(&self) -> bool {
        self.peek()
            .is_none_or(|c| c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | ';' | ',' | '|' | '&' | '<' | '>'))
    }

    /// A bare word, with quotes and variables in it.
    pub(super) fn generic(&mut self) -> Read<Expr> {
        let mut pieces = Pieces::default();
        let start = self.at;
        while !self.ends_word() {
            match self.peek() {
                Some('`') if matches!(self.second(), Some('\n' | '\r')) => break,
                Some('`') => self.escape(&mut pieces)?,
                Some(c) if is_single(c) => {
                    let quoted = self.single()?;
                    pieces.add(quoted);
                }
                Some(c) if is_double(c) => {
                    let quoted = self.double()?;
                    pieces.add(quoted);
                }
                Some('$') => self.dollar(&mut pieces)?,
                Some(c) => {
                    self.next();
                    pieces.push(c);
                }
                None => break,
            }
        }
        if self.at == start {
            return Err(self.fault("a word is missing"));
        }
        if pieces.is_empty() {
            pieces.add(Expr::Text(vec![Piece::Known(String::new())]));
        }
        Ok(pieces.expr())
    }
}
