//! What the clients take out of a text themselves: commands behind a backslash, and variables. Pure.

use super::{Client, Dialect, Lexer, Token};
use crate::classify::sql::own_lines;

/// No line of statements runs more programs.
const MOST_RUNS: usize = 16;

impl<'t> Lexer<'t> {
    /// Whether the statement that ends here is `COPY … FROM stdin`.
    pub(super) fn takes_rows(&self) -> bool {
        let tokens = self.lexed.tokens.get(self.statement..).unwrap_or_default();
        let from = |pair: &[Token]| matches!(pair, [from, stdin] if from.is("from") && stdin.is("stdin"));
        tokens.first().is_some_and(|first| first.is("copy")) && tokens.windows(2).any(from)
    }

    /// Goes past the rows that `COPY … FROM stdin` takes. If the server refuses that, the client takes them for
    /// statements: those are of the same database, but for the client's own commands.
    pub(super) fn past_rows(&mut self) {
        self.rows = false;
        while self.at < self.text.len() {
            self.line_end = 0;
            let line = self.line();
            self.at += (line.len() + 1).min(self.rest().len());
            if line.trim_end() == "\\." {
                return;
            }
            let mut escapes = line.match_indices('\\').map(|(at, _)| line.as_bytes().get(at + 1));
            let mut last = None;
            let odd = escapes.any(|next| {
                // The second of two begins nothing.
                let pair = last == Some(b'\\');
                last = if pair { None } else { next.copied() };
                !pair
                    && !next.is_some_and(|c| {
                        matches!(c, b'N' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'\\' | b'0'..=b'7')
                    })
            });
            if odd {
                self.doubt("its rows of data may hold commands of `psql`");
            }
        }
    }

    /// Whether a string or comment holds a line at which some clients end a statement all the same.
    pub(super) fn ends_inside(&self, piece: &str) -> bool {
        let mut lines = piece.lines().skip(1);
        match self.client {
            _ if self.dialect == Dialect::MsSql => lines.any(|line| line.trim().eq_ignore_ascii_case("go")),
            Client::SqlPlus => lines.any(|line| line.trim().is_empty()),
            _ => false,
        }
    }

    /// A line that is a command of the client's own.
    pub(super) fn own_line(&mut self) -> bool {
        let line = self.line();
        // A blank line may have ended what stands before it.
        let blank = self.client == Client::SqlPlus
            && self.text.get(..self.at).is_some_and(|before| {
                let mut lines = before.rsplit('\n').skip(1);
                lines.next().is_some_and(|line| line.trim().is_empty())
            });
        if blank
            && !self.at_statement()
            && matches!(own_lines::line(line.trim_end(), self.client, self.dialect, true), own_lines::Line::Own)
        {
            self.doubt("a blank line in it may end its statement");
        }
        match own_lines::line(line.trim_end(), self.client, self.dialect, self.at_statement()) {
            own_lines::Line::Sql => return false,
            own_lines::Line::End => self.push(Token::End),
            own_lines::Line::Own => self.push(Token::Own(line.trim_end())),
        }
        self.at += line.len();
        true
    }

    /// A backslash command of `psql`, to its end: the line's, or where the next begins.
    pub(super) fn psql(&mut self) {
        let line = self.line();
        match self.byte(1) {
            // `\\` only parts commands; `\;` and `\:` are those marks.
            Some(b'\\') => return self.at += 2,
            Some(b';') => {
                self.at += 2;
                return self.push(Token::End);
            }
            Some(b':') => {
                self.at += 2;
                return self.push(Token::Mark(':'));
            }
            _ => {}
        }
        let name_end = line.get(1..).and_then(|name| name.find(|c: char| c.is_whitespace() || c == '\\'));
        let name_end = name_end.map_or(line.len(), |end| end + 1);
        let name = line.get(1..name_end).unwrap_or_default();
        let whole = name.starts_with('!') || own_lines::PSQL_WHOLE_LINE.contains(&name);
        let end = if whole { line.len() } else { name_end + arguments_end(line.get(name_end..).unwrap_or_default()) };
        self.push(Token::Own(line.get(..end).unwrap_or(line)));
        self.at += end;
    }

    /// A backslash command of `mysql`.
    pub(super) fn mysql(&mut self) {
        let line = self.line();
        let letter = line.chars().nth(1);
        match letter {
            Some('g' | 'G') => {
                self.at += 2;
                self.push(Token::End);
            }
            // These are one letter, and what follows is SQL again.
            Some('N') => {
                self.at += 2;
                self.push(Token::Number);
            }
            Some('c' | 'p' | 't' | 'n' | 'w' | 'W' | 'q' | 's' | 'h' | '?' | 'x' | '#') => {
                self.at += 2;
                self.push(Token::End);
            }
            // Behind a semicolon goes SQL on, although a shell gets that as well.
            _ => {
                let end = line.find(';').map_or(line.len(), |end| end + 1);
                let runs = matches!(letter, Some('!' | 'P')) && end < line.len();
                if runs {
                    self.runs += 1;
                    if self.runs > MOST_RUNS {
                        self.doubt("it runs more programs than are followed");
                    }
                }
                let whole = runs && self.runs <= MOST_RUNS;
                self.push(Token::Own(if whole { line } else { line.get(..end).unwrap_or(line) }));
                self.at += end;
            }
        }
    }

    /// A variable of `psql`, or a colon.
    pub(super) fn colon(&mut self) -> Result<(), String> {
        match self.byte(1) {
            Some(b':') => {
                self.at += 2;
                self.push(Token::Mark(':'));
            }
            // In quotes its value is.
            Some(b'\'') => {
                self.at += 1;
                let inside = self.quoted('\'', false)?;
                self.push(Token::Text(inside));
            }
            Some(b'"') => {
                self.at += 1;
                let inside = self.quoted('"', false)?;
                self.push(Token::Quoted(inside));
            }
            Some(b) if b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80 || b == b'{' => {
                self.doubt("it holds a variable of `psql`");
                self.mark(':');
            }
            _ => self.mark(':'),
        }
        Ok(())
    }
}

/// Where the arguments of a backslash command end: at the next backslash outside of quotes.
fn arguments_end(text: &str) -> usize {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some('\'') if c == '\\' => escaped = true,
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if matches!(c, '\'' | '"' | '`') => quote = Some(c),
            None if c == '\\' => return at,
            None => {}
        }
    }
    text.len()
}
