//! `${ … }`

use super::Read;
use super::cursor::{Reader, is_name, is_name_start};
use super::tree::{Form, Name, Piece, Source};
use super::word::Inside;

impl Reader<'_, '_> {
    /// A parameter behind `${`, its closing bracket included.
    pub(super) fn parameter(&mut self, quoted: bool, inside: Inside) -> Read<Piece> {
        // Within arithmetic words aren't split, but quotes are quotes.
        let in_double = quoted && !matches!(inside, Inside::Arithmetic | Inside::Index | Inside::Offset);
        let (name, form) = match self.peek() {
            Some(b'#') => self.length(in_double)?,
            Some(b'!') if self.second() != Some(b'}') => self.indirect(in_double)?,
            _ => {
                let name = self.parameter_name()?;
                let form = self.form(in_double)?;
                (name, form)
            }
        };
        self.expect(b'}', "`${` isn't closed, or holds what isn't known")?;
        Ok(Piece::Variable { name, form, quoted })
    }

    /// `${#x}`, or something made of `$#`.
    fn length(&mut self, quoted: bool) -> Read<(Name, Form)> {
        let start = self.at;
        self.bump();
        let next = self.peek();
        if next.is_some_and(|byte| is_name(byte) || matches!(byte, b'@' | b'*'))
            || next.is_some_and(|byte| matches!(byte, b'?' | b'-' | b'!' | b'$' | b'#')) && self.second() == Some(b'}')
        {
            let name = self.parameter_name()?;
            return Ok((name, Form::Length));
        }
        self.at = start + 1;
        let form = self.form(quoted)?;
        Ok((Name::Special('#'), form))
    }

    /// `${!x}` and its like: a variable that another one names, or names of variables.
    fn indirect(&mut self, quoted: bool) -> Read<(Name, Form)> {
        self.bump();
        if !self.peek().is_some_and(|byte| is_name(byte) || matches!(byte, b'@' | b'*' | b'#' | b'?')) {
            let form = self.form(quoted)?;
            return Ok((Name::Special('!'), form));
        }
        let name = self.parameter_name()?;
        // `${!prefix*}`, `${!prefix@}`
        if matches!(self.peek(), Some(b'*' | b'@')) && self.second() == Some(b'}') {
            self.bump();
            return Ok((name, Form::Other(vec![])));
        }
        let words = match self.form(quoted)? {
            Form::Plain | Form::Length => vec![],
            Form::Default(word) | Form::Assign(word) | Form::Alternative(word) | Form::Error(word) => vec![word],
            Form::Other(words) => words,
        };
        Ok((name, Form::Other(words)))
    }

    fn parameter_name(&mut self) -> Read<Name> {
        let Some(byte) = self.peek() else { return Err(self.fault("`${` isn't closed")) };
        if byte.is_ascii_digit() {
            let mut number = 0_u32;
            while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
                number = number.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
                self.bump();
            }
            return Ok(if number == 0 { Name::Special('0') } else { Name::Positional(number) });
        }
        if is_name_start(byte) {
            let mut name = String::new();
            while let Some(byte) = self.peek().filter(|byte| is_name(*byte)) {
                name.push(char::from(byte));
                self.bump();
            }
            if !self.eat(b'[') {
                return Ok(Name::Named(name));
            }
            let start = self.at;
            let pieces = self.deeper(|reader| reader.pieces(Inside::Index))?;
            let raw = self.since(start).to_owned();
            self.expect(b']', "`[` isn't closed")?;
            return Ok(Name::Element { name, index: Source { raw, pieces } });
        }
        let name = match byte {
            b'@' => Name::All,
            b'*' => Name::Joined,
            b'?' | b'$' | b'!' | b'-' | b'#' => Name::Special(char::from(byte)),
            // Blanks and bars run commands in some shells, brackets are flags in others.
            _ => return Err(self.fault("shells read this `${…}` in different ways")),
        };
        self.bump();
        Ok(name)
    }

    /// What is made of the value, up to the closing bracket.
    fn form(&mut self, quoted: bool) -> Read<Form> {
        let Some(byte) = self.peek() else { return Err(self.fault("`${` isn't closed")) };
        let word = Inside::Default { quoted };
        let with_colon = byte == b':' && matches!(self.second(), Some(b'-' | b'=' | b'?' | b'+'));
        if with_colon {
            self.bump();
        }
        let operator = self.peek().unwrap_or_default();
        if operator == b'}' {
            return Ok(Form::Plain);
        }
        self.bump();
        Ok(match operator {
            b'-' => Form::Default(self.operand(word)?),
            b'=' => Form::Assign(self.operand(word)?),
            b'+' => Form::Alternative(self.operand(word)?),
            b'?' => Form::Error(self.operand(word)?),
            b':' => Form::Other(vec![self.operand(Inside::Offset)?]),
            b'#' | b'%' | b'/' | b'^' | b',' | b'~' => Form::Other(vec![self.operand(Inside::Pattern { quoted })?]),
            b'@' => {
                // `@P` expands the value as a prompt, which runs the commands in it.
                if !matches!(self.peek(), Some(b'U' | b'u' | b'L' | b'Q' | b'E' | b'A' | b'K' | b'a' | b'k')) {
                    return Err(self.fault("this `${…@…}` could run what the value holds"));
                }
                self.bump();
                Form::Other(vec![])
            }
            _ => return Err(self.fault("shells read this `${…}` in different ways")),
        })
    }

    fn operand(&mut self, inside: Inside) -> Read<Source> {
        let start = self.at;
        let pieces = self.pieces(inside)?;
        Ok(Source { raw: self.since(start).to_owned(), pieces })
    }
}
