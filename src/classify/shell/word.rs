//! Words and their pieces: quotes, escapes, tildes, brackets in patterns.

use super::cursor::{Reader, is_meta, is_name, is_name_start};
use super::tree::{Piece, Source};
use super::{Fault, Read, ansi};

/// Where pieces stand, which tells what ends them and what means something among them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    /// A word of a command.
    Word,
    /// The value of an assignment.
    Value,
    /// `" … "`
    Double,
    /// A here-document's body.
    HereDocument,
    /// The word in `${x:-word}`; whether the whole stands in double quotes.
    Default { quoted: bool },
    /// The pattern in `${x%word}`, `${x/word/word}`; quotes mean something in it even within double quotes.
    Pattern { quoted: bool },
    /// The offset and length in `${x:word:word}`.
    Offset,
    /// `(( … ))`
    Arithmetic,
    /// `x[ … ]`
    Index,
    /// `[[ x =~ … ]]`
    Regex,
    /// Within the brackets of a pattern, `@( … )`, or of a regular expression.
    Brackets,
}

impl Inside {
    /// Whether plain text stands for itself.
    fn quotes(self) -> bool {
        matches!(
            self,
            Self::Double | Self::HereDocument | Self::Default { quoted: true } | Self::Pattern { quoted: true }
        )
    }

    /// Whether what is expanded stays one word.
    fn keeps(self) -> bool {
        self.quotes() || matches!(self, Self::Arithmetic | Self::Index | Self::Offset)
    }

    /// Whether it is a word that ends where a word of a command does.
    fn is_word(self) -> bool {
        matches!(self, Self::Word | Self::Value | Self::Regex)
    }

    /// Whether a backslash before this byte takes its meaning.
    fn escapes(self, next: u8) -> bool {
        match self {
            Self::Double => matches!(next, b'$' | b'`' | b'"' | b'\\'),
            Self::HereDocument => matches!(next, b'$' | b'`' | b'\\'),
            Self::Default { quoted: true } => matches!(next, b'$' | b'`' | b'"' | b'\\' | b'}'),
            _ => true,
        }
    }
}

/// Collects pieces; neighbours of the same kind become one.
#[derive(Default)]
pub(super) struct Pieces(Vec<Piece>);

impl Pieces {
    pub(super) fn push(&mut self, piece: Piece) {
        // Most words are one piece, and the usual first size of a vector has room for four.
        if self.0.is_empty() {
            self.0.reserve_exact(1);
        }
        self.0.push(piece);
    }

    pub(super) fn plain(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.push(Piece::Text(text.to_owned())),
        }
    }

    pub(super) fn quoted(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Piece::Quoted(last)) => last.push_str(text),
            _ => self.push(Piece::Quoted(text.to_owned())),
        }
    }

    fn add(&mut self, text: &str, inside: Inside) {
        if inside.quotes() { self.quoted(text) } else { self.plain(text) }
    }
}

impl Reader<'_, '_> {
    /// A word, which has to be there.
    pub(super) fn word(&mut self) -> Read<Source> {
        self.peek();
        let start = self.at;
        let pieces = self.pieces(Inside::Word)?;
        if self.at == start {
            return Err(self.unexpected());
        }
        Ok(Source { raw: self.since(start).to_owned(), pieces })
    }

    /// The value of an assignment, which may be empty.
    pub(super) fn value(&mut self) -> Read<Source> {
        let start = self.at;
        let pieces = self.pieces(Inside::Value)?;
        Ok(Source { raw: self.since(start).to_owned(), pieces })
    }

    /// Pieces up to what ends them, which is left to be read.
    pub(super) fn pieces(&mut self, inside: Inside) -> Read<Vec<Piece>> {
        let Some(left) = self.budget.words.checked_sub(1) else {
            return Err(Fault::whole("the shell text holds more than 16,000 words"));
        };
        self.budget.words = left;
        let mut out = Pieces::default();
        let mut open = 0_usize;
        // Whether a tilde may stand here, and whether one may stand behind `:`.
        let mut tilde = matches!(inside, Inside::Word | Inside::Value | Inside::Default { quoted: false });
        let mut assigns = inside == Inside::Value;
        loop {
            let Some(byte) = self.peek() else {
                return if inside.is_word() || inside == Inside::HereDocument {
                    Ok(out.0)
                } else {
                    Err(self.fault(unclosed(inside)))
                };
            };
            if self.closes(inside, byte, &mut open)? {
                return Ok(out.0);
            }
            let at_tilde = std::mem::take(&mut tilde);
            match byte {
                b'\\' => self.escape(inside, &mut out)?,
                b'\'' if !inside.quotes() || matches!(inside, Inside::Pattern { .. }) => {
                    if inside == Inside::Arithmetic || inside == Inside::Offset {
                        return Err(self.fault("a quotation mark stands in arithmetic"));
                    }
                    self.bump();
                    let text = self.single()?;
                    out.quoted(text);
                }
                b'\'' if matches!(inside, Inside::Default { .. }) => self.apostrophe(&mut out)?,
                b'"' if inside != Inside::HereDocument => self.double(inside, &mut out)?,
                b'$' => self.dollar(inside.keeps(), inside, &mut out)?,
                b'`' => self.backquotes(inside.keeps(), inside, &mut out)?,
                b'<' | b'>' if self.second() == Some(b'(') && !inside.keeps() && inside != Inside::Brackets => {
                    self.process(&mut out)?;
                }
                // bash looks for its end and then doesn't run it; others take it for text.
                b'<' | b'>'
                    if self.second() == Some(b'(')
                        && matches!(inside, Inside::Default { .. } | Inside::Pattern { .. } | Inside::Offset) =>
                {
                    return Err(self.fault("shells read `<(` in `\"${…}\"` in different ways"));
                }
                b'(' if inside == Inside::Regex || (inside.is_word() && takes_brackets(&out)) => {
                    self.brackets(inside, &mut out)?;
                }
                b'(' if inside == Inside::Word && is_meta(byte) => return Ok(out.0),
                b'~' if at_tilde => self.tilde(assigns, &mut out),
                _ => {
                    let text = self.run(inside);
                    out.add(text, inside);
                    if inside == Inside::Word && !assigns && text.ends_with('=') {
                        assigns = is_assignment(&out);
                        tilde = assigns;
                    } else if assigns && text.ends_with(':') {
                        tilde = true;
                    }
                }
            }
        }
    }

    /// Whether this byte ends the pieces.
    fn closes(&mut self, inside: Inside, byte: u8, open: &mut usize) -> Read<bool> {
        Ok(match inside {
            Inside::Word | Inside::Value => {
                is_meta(byte) && byte != b'(' && !(matches!(byte, b'<' | b'>') && self.second() == Some(b'('))
                    || byte == b'(' && inside == Inside::Value
            }
            Inside::Regex => {
                is_meta(byte)
                    && !matches!(byte, b'(' | b'|')
                    && !(matches!(byte, b'<' | b'>') && self.second() == Some(b'('))
            }
            Inside::Double => byte == b'"',
            Inside::HereDocument => false,
            Inside::Default { .. } | Inside::Pattern { .. } => byte == b'}',
            Inside::Offset => {
                if matches!(byte, b';' | b'\n') {
                    return Err(self.unexpected());
                }
                byte == b'}'
            }
            Inside::Arithmetic => match byte {
                b'(' => {
                    *open += 1;
                    false
                }
                b')' if *open > 0 => {
                    *open -= 1;
                    false
                }
                _ => byte == b')',
            },
            Inside::Index => match byte {
                b'[' => {
                    *open += 1;
                    false
                }
                b']' if *open > 0 => {
                    *open -= 1;
                    false
                }
                b';' | b'\n' | b'&' | b'|' | b'<' | b'>' => return Err(self.fault("`[` isn't closed")),
                _ => byte == b']',
            },
            Inside::Brackets => match byte {
                b'(' => {
                    *open += 1;
                    false
                }
                b')' if *open > 0 => {
                    *open -= 1;
                    false
                }
                // Without its brackets it would be a list of commands.
                b';' | b'\n' | b'&' | b'<' | b'>' => {
                    return Err(self.fault("a pattern holds what could be a command"));
                }
                _ => byte == b')',
            },
        })
    }

    /// Text in which nothing means anything, at least one character of it.
    fn run(&mut self, inside: Inside) -> &str {
        let start = self.at;
        let quotes = inside.quotes();
        loop {
            self.at += 1;
            let Some(byte) = self.raw() else { break };
            let stops = match byte {
                b'\\' | b'"' | b'\'' | b'$' | b'`' | b'}' => true,
                b'(' | b')' | b'[' | b']' | b'<' | b'>' | b';' | b'&' | b'|' | b'\n' | b' ' | b'\t' => !quotes,
                _ => false,
            };
            // Behind these a tilde means something.
            let last = self.byte(self.at - 1);
            if stops || (!quotes && matches!(last, Some(b'=' | b':'))) {
                break;
            }
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn escape(&mut self, inside: Inside, out: &mut Pieces) -> Read<()> {
        self.bump();
        match self.raw() {
            None if inside.quotes() => out.add("\\", inside),
            None => return Err(self.fault("a backslash stands at the end")),
            Some(next) if inside.escapes(next) => {
                let start = self.at;
                self.bump_char();
                out.quoted(self.since(start));
            }
            Some(_) => out.add("\\", inside),
        }
        Ok(())
    }

    /// What stands between single quotes, the first of which was read.
    fn single(&mut self) -> Read<&str> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some((text, _)) = rest.split_once('\'') else {
            return Err(self.fault("a single quote isn't closed"));
        };
        self.at += text.len() + 1;
        Ok(text)
    }

    /// A single quote in `"${x:-…}"`: some shells take a pair of them for quotes when they look for the end, others don't.
    fn apostrophe(&mut self, out: &mut Pieces) -> Read<()> {
        let start = self.at;
        self.bump();
        let text = self.single()?;
        if text.contains(['}', '"', '`', '$', '\\', '{', '\n']) {
            self.at = start;
            return Err(self.fault("shells read a single quote in `\"${…}\"` in different ways"));
        }
        out.quoted(self.since(start));
        Ok(())
    }

    fn double(&mut self, inside: Inside, out: &mut Pieces) -> Read<()> {
        self.bump();
        let pieces = self.deeper(|reader| reader.pieces(Inside::Double))?;
        self.expect(b'"', "a double quote isn't closed")?;
        if matches!(inside, Inside::Arithmetic | Inside::Offset)
            && pieces.iter().any(|piece| matches!(piece, Piece::Quoted(text) if text.contains(['(', ')', '}', ':'])))
        {
            return Err(self.fault("brackets stand in quotes in arithmetic"));
        }
        if pieces.is_empty() {
            out.quoted("");
        }
        for piece in pieces {
            match piece {
                Piece::Quoted(text) => out.quoted(&text),
                other => out.push(other),
            }
        }
        Ok(())
    }

    /// `$'…'` behind the dollar sign.
    pub(super) fn ansi(&mut self, out: &mut Pieces) -> Read<()> {
        self.at += 1;
        let start = self.at;
        let mut holds_mark = false;
        loop {
            match self.raw() {
                None => return Err(self.fault("`$'` isn't closed")),
                Some(b'\'') => break,
                Some(b'\\') => {
                    self.bump();
                    holds_mark |= self.raw() == Some(b'\'');
                    if self.bump_char().is_none() {
                        return Err(self.fault("`$'` isn't closed"));
                    }
                }
                Some(_) => self.bump(),
            }
        }
        let text = self.since(start);
        // A shell without this form takes the mark behind the backslash for the end; nothing of the rest may be a command.
        if holds_mark && text.contains([';', '&', '|', '\n', '`', '<', '>', '(']) {
            return Err(self.fault("shells read `$'…\\'…'` in different ways"));
        }
        let decoded = ansi::decode(text).map_err(|why| Fault { at: Some(start), why: why.into() })?;
        self.at += 1;
        out.quoted(&decoded);
        Ok(())
    }

    /// `~`, `~user`, if nothing of it is quoted.
    fn tilde(&mut self, assigns: bool, out: &mut Pieces) {
        let start = self.at;
        self.bump();
        while self.raw().is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'.')) {
            self.bump();
        }
        let user = self.since(start + 1).to_owned();
        let end = self.peek();
        let ends = match end {
            None | Some(b'/' | b'}') => true,
            Some(b':') => assigns,
            Some(byte) => is_meta(byte),
        };
        if ends {
            out.push(Piece::Tilde(user));
        } else {
            out.plain("~");
            out.plain(&user);
        }
    }

    /// `@( … )` and its like, and the groups of a regular expression: text, but for what is expanded in it.
    fn brackets(&mut self, inside: Inside, out: &mut Pieces) -> Read<()> {
        self.bump();
        out.plain("(");
        let start = self.at;
        let pieces = self.deeper(|reader| reader.pieces(Inside::Brackets))?;
        if inside != Inside::Regex && may_be_qualifiers(self.since(start)) {
            return Err(self.fault("what stands in the brackets of a pattern runs as code in some shells"));
        }
        self.expect(b')', "`(` isn't closed")?;
        for piece in pieces {
            match piece {
                Piece::Text(text) => out.plain(&text),
                other => out.push(other),
            }
        }
        out.plain(")");
        Ok(())
    }
}

/// Whether zsh may take the brackets behind a pattern for qualifiers that run code: `(e:'code':)`, `(+function)`.
fn may_be_qualifiers(text: &str) -> bool {
    if text.contains('|') && !text.contains(['\'', '"', '\\']) {
        return false;
    }
    let code = |(at, _): (usize, &str)| {
        let mut behind = text.get(at + 1..).unwrap_or_default().chars();
        let end = behind.next().map(|open| match open {
            '{' => '}',
            '[' => ']',
            '<' => '>',
            open => open,
        });
        // Nothing between the two marks is no code.
        end.is_some_and(|end| behind.as_str().find(end).is_some_and(|at| at > 0))
    };
    text.contains('+') || text.match_indices('e').any(code)
}

/// Whether a `(` here belongs to a pattern.
fn takes_brackets(out: &Pieces) -> bool {
    matches!(out.0.last(), Some(Piece::Text(text)) if text.ends_with(['?', '*', '+', '@', '!']))
}

/// Whether what was read so far is `name=` or `name+=`: a tilde behind it is expanded.
fn is_assignment(out: &Pieces) -> bool {
    let [Piece::Text(text)] = out.0.as_slice() else { return false };
    let Some(name) = text.strip_suffix('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    name.bytes().next().is_some_and(is_name_start) && name.bytes().all(is_name)
}

fn unclosed(inside: Inside) -> &'static str {
    match inside {
        Inside::Double => "a double quote isn't closed",
        Inside::Default { .. } | Inside::Pattern { .. } | Inside::Offset => "`${` isn't closed",
        Inside::Index => "`[` isn't closed",
        _ => "`(` isn't closed",
    }
}
