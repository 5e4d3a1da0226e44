//! What the clients take out of a text themselves: commands behind a backslash, and variables. Pure.

use super::{Lexer, Token};
use crate::classify::sql::own_lines;

/// No line of statements runs more programs.
const MOST_RUNS: usize = 16;

impl<'t> Lexer<'t> {
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
