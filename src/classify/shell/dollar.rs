//! What begins with `$`, backquotes, and `<( … )`: substitutions of all kinds.

use super::Read;
use super::cursor::{Reader, is_name, is_name_start};
use super::here::inner;
use super::tree::{Form, Name, Piece, Script, Source};
use super::word::{Inside, Pieces};

impl Reader<'_, '_> {
    /// What stands behind a `$`.
    pub(super) fn dollar(&mut self, quoted: bool, inside: Inside, out: &mut Pieces) -> Read<()> {
        let start = self.at;
        self.bump();
        let Some(byte) = self.peek() else {
            out_dollar(inside, out);
            return Ok(());
        };
        match byte {
            b'(' => {
                let piece = self.in_brackets(quoted)?;
                out.push(piece);
            }
            b'{' => {
                self.bump();
                let piece = self.deeper(|reader| reader.parameter(quoted, inside))?;
                out.push(piece);
            }
            b'[' => {
                self.bump();
                let source = self.old_arithmetic()?;
                out.push(Piece::Arithmetic(source));
            }
            b'\'' if matches!(inside, Inside::Default { quoted: true }) => {
                return Err(self.fault("shells read `$'…'` in `\"${…}\"` in different ways"));
            }
            b'\'' if !matches!(inside, Inside::Double | Inside::HereDocument) => self.ansi(out)?,
            // `$"…"` is read as what stands in double quotes.
            b'"' if !matches!(inside, Inside::Double | Inside::HereDocument) => {}
            _ if is_name_start(byte) => {
                let mut name = String::new();
                while let Some(byte) = self.peek().filter(|byte| is_name(*byte)) {
                    name.push(char::from(byte));
                    self.bump();
                }
                out.push(plain(Name::Named(name), quoted));
            }
            b'1'..=b'9' => {
                self.bump();
                out.push(plain(Name::Positional(u32::from(byte - b'0')), quoted));
            }
            b'@' | b'*' => {
                self.bump();
                out.push(plain(if byte == b'@' { Name::All } else { Name::Joined }, quoted));
            }
            b'0' | b'?' | b'$' | b'!' | b'-' | b'#' => {
                self.bump();
                out.push(plain(Name::Special(char::from(byte)), quoted));
            }
            b'=' | b'~' | b'^' | b'+' if self.is_flagged() => {
                return Err(self.fault("shells read a sign between `$` and a name in different ways"));
            }
            _ => {
                self.at = start + 1;
                out_dollar(inside, out);
            }
        }
        Ok(())
    }

    /// Whether a name follows the signs that stand here: zsh splits or expands the value then.
    fn is_flagged(&self) -> bool {
        let behind = (self.at..).find(|at| !matches!(self.byte(*at), Some(b'=' | b'~' | b'^' | b'+')));
        let byte = behind.and_then(|at| self.byte(at));
        byte.is_some_and(|byte| is_name(byte) || matches!(byte, b'{' | b'@' | b'*'))
    }

    /// `$(( … ))` or `$( … )`, from the bracket on.
    fn in_brackets(&mut self, quoted: bool) -> Read<Piece> {
        let start = self.at;
        self.bump();
        if self.peek() == Some(b'(') {
            self.bump();
            // Only the end tells arithmetic from a substitution that begins with a subshell.
            let source = self.substitution(Self::arithmetic)?;
            if let Some(source) = source {
                return Ok(Piece::Arithmetic(source));
            }
            self.back_to(start)?;
            self.bump();
            let script = self.substituted()?;
            self.no_here_document(start, false)?;
            return Ok(Piece::Command { script, quoted });
        }
        let script = self.substituted()?;
        Ok(Piece::Command { script, quoted })
    }

    /// Commands up to the `)` that closes them, whose `(` was read.
    fn substituted(&mut self) -> Read<Script> {
        // A body that is still to come would begin behind the first newline, within the substitution or behind it: shells
        // differ.
        let outer = std::mem::take(&mut self.pending);
        let from = self.at;
        let bodies = std::mem::take(&mut self.bodies);
        let nested = std::mem::replace(&mut self.nested, true);
        let script = self.substitution(|reader| {
            let mut script = reader.list()?;
            if !reader.pending.is_empty() {
                return Err(reader.fault("a here-document isn't closed where its substitution ends"));
            }
            reader.expect(b')', "`$(` isn't closed")?;
            reader.fill(&mut script)?;
            Ok(script)
        })?;
        self.nested = nested;
        self.bodies = bodies;
        self.pending = outer;
        if !self.pending.is_empty() && self.since(from).contains('\n') {
            return Err(self.fault("a here-document is asked for before a substitution of several lines"));
        }
        Ok(script)
    }

    /// `<( … )`, `>( … )`
    pub(super) fn process(&mut self, out: &mut Pieces) -> Read<()> {
        let output = self.peek() == Some(b'<');
        self.bump();
        self.expect(b'(', "`(` is missing")?;
        let script = self.substituted()?;
        out.push(Piece::Process { script, output });
        Ok(())
    }

    /// Backquotes: up to the next one, whatever stands between; then the escapes are undone, and it is read.
    pub(super) fn backquotes(&mut self, quoted: bool, inside: Inside, out: &mut Pieces) -> Read<()> {
        let start = self.at;
        self.bump();
        let in_double =
            matches!(inside, Inside::Double | Inside::Default { quoted: true } | Inside::Pattern { quoted: true });
        let mut text = String::new();
        loop {
            let from = self.at;
            while self.raw().is_some_and(|byte| byte != b'\\' && byte != b'`') {
                self.bump();
            }
            text.push_str(self.since(from));
            match self.raw() {
                Some(b'`') => break,
                Some(_) => {
                    self.bump();
                    match self.raw() {
                        Some(byte @ (b'`' | b'$' | b'\\')) => {
                            text.push(char::from(byte));
                            self.bump();
                        }
                        Some(b'"') if in_double => {
                            text.push('"');
                            self.bump();
                        }
                        _ => text.push('\\'),
                    }
                }
                None => {
                    self.at = start;
                    return Err(self.fault("a backquote isn't closed"));
                }
            }
        }
        self.bump();
        let script = self.substitution(|reader| {
            inner(&text, reader.budget, |reader| {
                let mut script = reader.list()?;
                if reader.peek().is_some() {
                    return Err(reader.unexpected());
                }
                reader.take_bodies()?;
                reader.fill(&mut script)?;
                Ok(script)
            })
            .map_err(|fault| fault.within(start))
        })?;
        out.push(Piece::Command { script, quoted });
        Ok(())
    }

    /// `$[ … ]`: bash's old arithmetic; plain text to other shells, so nothing may stand in it that means something there.
    fn old_arithmetic(&mut self) -> Read<Source> {
        let start = self.at;
        while let Some(byte) = self.raw().filter(|byte| *byte != b']') {
            if !is_name(byte) && !matches!(byte, b' ' | b'+' | b'-' | b'*' | b'/' | b'%' | b'$') {
                return Err(self.fault("shells read `$[…]` in different ways"));
            }
            self.bump();
        }
        let raw = self.since(start).to_owned();
        self.expect(b']', "`$[` isn't closed")?;
        let pieces = inner(&raw, self.budget, |reader| reader.pieces(Inside::HereDocument))?;
        Ok(Source { raw, pieces })
    }
}

/// A variable's plain value.
fn plain(name: Name, quoted: bool) -> Piece {
    Piece::Variable { name, form: Form::Plain, quoted }
}

/// A `$` that means nothing.
fn out_dollar(inside: Inside, out: &mut Pieces) {
    if matches!(inside, Inside::Double | Inside::HereDocument) { out.quoted("$") } else { out.plain("$") }
}
