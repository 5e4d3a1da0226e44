//! Where strings, names in quotes and comments end. Pure.

use super::{Dialect, Lexer, Token};

impl<'t> Lexer<'t> {
    /// Only PostgreSQL ends a comment at a carriage return; of the others it isn't sure.
    pub(super) fn line_comment(&mut self) {
        let rest = self.rest();
        let line = rest.find('\n').unwrap_or(rest.len());
        let inside = rest.get(..line).unwrap_or_default();
        match inside.find('\r').filter(|at| at + 1 < inside.len()) {
            Some(at) if self.dialect == Dialect::Postgres => self.at += at,
            Some(_) => {
                self.doubt("it holds a line's end that not every server takes for one");
                self.at += line;
            }
            None => self.at += line,
        }
    }

    pub(super) fn comment(&mut self) -> Result<(), String> {
        let rest = self.rest();
        if self.dialect == Dialect::MySql && (rest.starts_with("/*!") || rest.starts_with("/*M!")) {
            // Some servers run what is in it and some don't.
            if self.running.is_some() {
                self.doubt("it holds comments within one another that some servers run");
            }
            let end = match self.running {
                Some((_, end)) if end > self.at => end,
                _ => rest.find("*/").map_or(self.text.len(), |end| self.at + end),
            };
            self.running = Some((self.lexed.tokens.len(), end));
            self.at += if rest.starts_with("/*M") { 4 } else { 3 };
            while self.byte(0).is_some_and(|b| b.is_ascii_digit()) {
                self.at += 1;
            }
            return Ok(());
        }
        let nests = matches!(self.dialect, Dialect::Postgres | Dialect::MsSql);
        let mut depth = 1_usize;
        self.at += 2;
        while depth > 0 {
            match (self.byte(0), self.byte(1)) {
                (Some(b'*'), Some(b'/')) => {
                    depth -= 1;
                    self.at += 2;
                }
                (Some(b'/'), Some(b'*')) if nests => {
                    depth += 1;
                    self.at += 2;
                }
                (Some(_), _) => self.at += 1,
                (None, _) if self.dialect == Dialect::Sqlite => return Ok(()),
                (None, _) => return Err("a comment in it has no end".into()),
            }
        }
        Ok(())
    }

    /// The end of a comment that some servers run. For the others it ends at the first such mark, and what is in it is no
    /// part of a string or of a statement that goes on behind it.
    pub(super) fn end_running(&mut self) {
        let Some((first, end)) = self.running.take() else { return };
        let all = first..self.lexed.tokens.len();
        let whole = self.lexed.tokens.get(all).unwrap_or_default();
        if end != self.at || whole.iter().any(|token| matches!(token, Token::End | Token::Own(_))) {
            self.doubt("it holds a comment that some servers run");
        }
        self.lexed.optional.push((first, self.lexed.tokens.len()));
        self.at += 2;
    }

    /// A string or name in quotes, which are doubled inside.
    pub(super) fn quoted(&mut self, quote: char, escapes: bool) -> Result<&'t str, String> {
        let quote = quote as u8;
        self.at += 1;
        let start = self.at;
        loop {
            match self.byte(0) {
                None => return Err("a string in it has no end".into()),
                Some(b'\\') if escapes => self.at += 2,
                Some(b) if b == quote => {
                    if self.byte(1) == Some(quote) {
                        self.at += 2;
                        continue;
                    }
                    let inside = self.from(start);
                    self.at += 1;
                    return Ok(inside);
                }
                Some(_) => self.at += 1,
            }
        }
    }

    pub(super) fn bracketed(&mut self) -> Result<&'t str, String> {
        self.at += 1;
        let start = self.at;
        loop {
            let end = self.rest().find(']').ok_or("a name in it has no end")?;
            self.at += end + 1;
            if self.dialect == Dialect::MsSql && self.byte(0) == Some(b']') {
                self.at += 1;
                continue;
            }
            return Ok(self.text.get(start..self.at - 1).unwrap_or_default());
        }
    }

    /// `$tag$ … $tag$`, or a parameter.
    pub(super) fn dollar(&mut self) -> Result<(), String> {
        let rest = self.rest();
        let tag = rest.get(1..).and_then(|inner| inner.split_once('$')).map(|(tag, _)| tag).filter(|tag| {
            !tag.starts_with(|c: char| c.is_ascii_digit())
                && tag.chars().all(|c| c.is_alphanumeric() || c == '_' || !c.is_ascii())
        });
        let Some(tag) = tag else {
            self.mark('$');
            return Ok(());
        };
        let mark = rest.get(..tag.len() + 2).unwrap_or_default();
        self.at += mark.len();
        let start = self.at;
        let end = self.rest().find(mark).ok_or("a string in it has no end")?;
        self.at += end;
        let inside = self.from(start);
        self.at += mark.len();
        self.push(Token::Text(inside));
        Ok(())
    }

    /// `q'[…]'`.
    pub(super) fn oracle(&mut self) -> Result<(), String> {
        self.at += 1;
        let open = self.rest().chars().next().ok_or("a string in it has no end")?;
        let close = match open {
            '[' => ']',
            '(' => ')',
            '{' => '}',
            '<' => '>',
            other => other,
        };
        self.at += open.len_utf8();
        let start = self.at;
        let mut end = String::from(close);
        end.push('\'');
        self.at += self.rest().find(&end).ok_or("a string in it has no end")?;
        let inside = self.from(start);
        self.at += end.len();
        self.push(Token::Text(inside));
        Ok(())
    }
}
