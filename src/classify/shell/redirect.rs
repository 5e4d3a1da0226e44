//! Redirections.

use super::Read;
use super::cursor::{Reader, is_name, is_name_start};
use super::tree::{Node, Piece, Redirect, Redirection, Source};

/// Adds redirections to a command; false: it takes none.
pub(super) fn add(node: &mut Node, more: Vec<Redirect>) -> bool {
    let redirects = match node {
        Node::Simple(simple) => &mut simple.redirects,
        Node::Group { redirects, .. }
        | Node::For { redirects, .. }
        | Node::Loop { redirects, .. }
        | Node::If { redirects, .. }
        | Node::Case { redirects, .. }
        | Node::Test { redirects, .. }
        | Node::Arithmetic { redirects, .. } => redirects,
        // Those of a function are its body's and were read with it; a process of its own has its own.
        Node::Pipeline(_) | Node::Function { .. } | Node::Coprocess(_) => return more.is_empty(),
    };
    redirects.extend(more);
    true
}

impl Reader<'_, '_> {
    /// Those behind a compound command.
    pub(super) fn redirects(&mut self) -> Read<Vec<Redirect>> {
        let mut all = vec![];
        loop {
            self.blanks();
            match self.redirect()? {
                Some(redirect) => all.push(redirect),
                None => return Ok(all),
            }
        }
    }

    /// The redirection that stands here, if one does.
    pub(super) fn redirect(&mut self) -> Read<Option<Redirect>> {
        let start = self.at;
        let descriptor = match self.peek() {
            Some(b'<' | b'>') => None,
            Some(b'&') if self.second() == Some(b'>') => {
                self.eat_text("&>");
                self.eat(b'>');
                let word = self.target()?;
                return Ok(Some(Redirect { descriptor: None, what: Redirection::Write(word) }));
            }
            Some(b'0'..=b'9') => {
                let mut number = Some(0_u32);
                while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
                    let digit = u32::from(digit - b'0');
                    number = number.and_then(|number| number.checked_mul(10)?.checked_add(digit));
                    self.bump();
                }
                if number.is_none() && self.operator_follows() {
                    return Err(self.fault("a file descriptor is too large"));
                }
                number
            }
            Some(b'{') if self.second().is_some_and(is_name_start) => {
                self.bump();
                while self.peek().is_some_and(is_name) {
                    self.bump();
                }
                if !self.eat(b'}') {
                    self.at = start;
                    return Ok(None);
                }
                None
            }
            _ => return Ok(None),
        };
        if !self.operator_follows() {
            self.at = start;
            return Ok(None);
        }
        let input = self.eat(b'<');
        if !input {
            self.bump();
        }
        let what = match (input, self.peek()) {
            (true, Some(b'<')) => {
                self.bump();
                if self.eat(b'<') {
                    Redirection::HereString(self.target()?)
                } else {
                    let tabs = self.eat(b'-');
                    Redirection::HereDocument(self.here_mark(tabs)?)
                }
            }
            (true, Some(b'&')) => {
                self.bump();
                Redirection::Copy(self.copied()?)
            }
            (true, Some(b'>')) => {
                self.bump();
                Redirection::ReadWrite(self.target()?)
            }
            (true, _) => Redirection::Read(self.target()?),
            (false, Some(b'&')) => {
                self.bump();
                let word = self.copied()?;
                if is_descriptor(&word) { Redirection::Copy(word) } else { Redirection::Write(word) }
            }
            (false, next) => {
                if matches!(next, Some(b'>' | b'|')) {
                    self.bump();
                }
                Redirection::Write(self.target()?)
            }
        };
        Ok(Some(Redirect { descriptor, what }))
    }

    /// Whether `<` or `>` is next and begins no process substitution.
    fn operator_follows(&mut self) -> bool {
        matches!(self.peek(), Some(b'<' | b'>')) && self.second() != Some(b'(')
    }

    /// What stands behind `>&`. bash takes `-` for a word of its own there, so that `>&-reboot` runs something.
    fn copied(&mut self) -> Read<Source> {
        self.blanks();
        if self.peek() == Some(b'-') && !self.ends_word(self.at + 1) {
            return Err(self.fault("shells read what stands behind `>&-` in different ways"));
        }
        self.word()
    }

    fn target(&mut self) -> Read<Source> {
        self.blanks();
        self.word()
    }
}

/// What `>&` takes for a descriptor: digits, `-`, both, or something that is only known when it runs.
fn is_descriptor(word: &Source) -> bool {
    word.pieces.iter().all(|piece| match piece {
        Piece::Text(text) | Piece::Quoted(text) => text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'),
        Piece::Variable { .. } => true,
        _ => false,
    })
}
