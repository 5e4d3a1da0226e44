//! Parts SQL text into words, strings and marks, by the rules of the server that will read it. Pure.
//!
//! Everything hangs on where strings and comments end: a text that two servers, or two settings of one, would part in
//! different ways is doubted rather than guessed.

mod clients;
mod quotes;

/// Which server reads the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// PostgreSQL.
    Postgres,
    /// MySQL and MariaDB.
    MySql,
    /// Microsoft SQL Server.
    MsSql,
    /// Oracle.
    Oracle,
    /// SQLite.
    Sqlite,
}

/// Which program sends it, and so has commands of its own between the statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    /// One that sends the text as it is.
    Plain,
    /// `psql`.
    Psql,
    /// `mysql` and `mariadb`.
    MySql,
    /// `sqlcmd` and `osql`.
    Sqlcmd,
    /// `sqlplus`.
    SqlPlus,
    /// `sqlite3`.
    Sqlite,
}

/// A piece of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'t> {
    /// A word without quotes.
    Word(&'t str),
    /// A name in quotes, without them.
    Quoted(&'t str),
    /// A string's inside, as it is written.
    Text(&'t str),
    /// A number.
    Number,
    /// Any other character.
    Mark(char),
    /// The end of a statement.
    End,
    /// A command of the client's own: its line.
    Own(&'t str),
}

impl Token<'_> {
    /// Whether it is this word, in any case.
    pub fn is(&self, word: &str) -> bool {
        matches!(self, Self::Word(text) if text.eq_ignore_ascii_case(word))
    }

    /// Whether it is one of these words, in any case.
    pub fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }
}

/// A text in its pieces.
#[derive(Debug, Default)]
pub struct Lexed<'t> {
    /// The pieces.
    pub tokens: Vec<Token<'t>>,
    /// Why the server may read something else, if it may.
    pub doubt: Option<String>,
    /// Which pieces stand in comments that some servers run: the first, and the one behind the last.
    pub optional: Vec<(usize, usize)>,
}

/// Parts a text.
///
/// # Errors
/// Why it can't be parted: no server of that kind would take it.
pub fn lex(text: &str, dialect: Dialect, client: Client) -> Result<Lexed<'_>, String> {
    parted(text, dialect, client, dialect == Dialect::MySql)
}

/// The same where the server is set to take backslashes in plain strings in the way that is not its usual one.
///
/// # Errors
/// Why it can't be parted then.
pub fn lex_otherwise(text: &str, dialect: Dialect, client: Client) -> Result<Lexed<'_>, String> {
    parted(text, dialect, client, dialect != Dialect::MySql)
}

fn parted(text: &str, dialect: Dialect, client: Client, escapes: bool) -> Result<Lexed<'_>, String> {
    let mut lexer = Lexer {
        text,
        at: 0,
        dialect,
        client,
        lexed: Lexed::default(),
        escaped: false,
        escapes,
        running: None,
        runs: 0,
        statement: 0,
        rows: false,
        line_end: 0,
    };
    if client == Client::Sqlcmd && text.contains("$(") {
        lexer.doubt("it holds a variable of `sqlcmd`");
    }
    if client == Client::SqlPlus && text.contains('&') {
        lexer.doubt("it holds a variable of `sqlplus`");
    }
    lexer.run()?;
    Ok(lexer.lexed)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    dialect: Dialect,
    client: Client,
    lexed: Lexed<'t>,
    /// Whether the last piece is a string in which a backslash means something (`E'…'`), which the next may continue.
    escaped: bool,
    /// Whether a backslash means something in plain strings.
    escapes: bool,
    /// The comment of MySQL's that is open and runs: its first piece, and where it should end.
    running: Option<(usize, usize)>,
    /// How many programs were met that are given more than their own text.
    runs: usize,
    /// Where the statement begins that is being read.
    statement: usize,
    /// Whether the lines behind this one are rows of data, not statements.
    rows: bool,
    /// Where the line ends that was looked at last.
    line_end: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// The rest of the line.
    fn line(&mut self) -> &'t str {
        if self.at > self.line_end || self.line_end == 0 {
            let rest = self.rest();
            self.line_end = self.at + rest.find('\n').unwrap_or(rest.len());
        }
        self.text.get(self.at..self.line_end).unwrap_or_default()
    }

    fn from(&self, start: usize) -> &'t str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn doubt(&mut self, why: &str) {
        self.lexed.doubt.get_or_insert_with(|| why.to_owned());
    }

    fn push(&mut self, token: Token<'t>) {
        self.escaped = false;
        if token == Token::End {
            self.rows |= self.client == Client::Psql && self.takes_rows();
        }
        self.lexed.tokens.push(token);
        if matches!(token, Token::End | Token::Own(_)) {
            self.statement = self.lexed.tokens.len();
        }
    }

    /// Whether nothing of a statement stands before this.
    fn at_statement(&self) -> bool {
        matches!(self.lexed.tokens.last(), None | Some(Token::End | Token::Own(_)))
    }

    fn run(&mut self) -> Result<(), String> {
        let mut line_begins = true;
        while let Some(c) = self.rest().chars().next() {
            if line_begins && !matches!(c, ' ' | '\t' | '\r' | '\n') {
                line_begins = false;
                if self.own_line() {
                    continue;
                }
            }
            if c == '\n' {
                line_begins = true;
                self.at += 1;
                if self.rows {
                    self.past_rows();
                }
            } else if c == '\r' && self.byte(1) != Some(b'\n') && self.dialect != Dialect::Postgres {
                self.doubt("it holds a line's end that not every server takes for one");
                self.at += 1;
            } else if c.is_whitespace() {
                if !c.is_ascii() {
                    self.doubt("it holds a blank that not every server takes for one");
                }
                self.at += c.len_utf8();
            } else {
                let start = self.at;
                self.piece(c)?;
                // A piece that ends with its line begins the next.
                if self.from(start).ends_with('\n') {
                    line_begins = true;
                }
                if self.ends_inside(self.from(start)) {
                    self.doubt("a line within a string or comment of it may end its statement");
                }
            }
        }
        if self.running.is_some() {
            self.doubt("it holds a comment that some servers run");
        }
        Ok(())
    }

    fn piece(&mut self, c: char) -> Result<(), String> {
        use Dialect::{MsSql, MySql, Oracle, Postgres, Sqlite};
        match c {
            '\0' => return Err("it holds a NUL character".into()),
            '-' if self.byte(1) == Some(b'-') => {
                // For MySQL `--1` is a sign twice.
                let comment = self.dialect != MySql || self.byte(2).is_none_or(|b| b <= b' ');
                if comment { self.line_comment() } else { self.mark(c) }
            }
            '#' if self.dialect == MySql => self.line_comment(),
            '/' if self.byte(1) == Some(b'*') => self.comment()?,
            // Elsewhere it is a sign, and a comment may begin with the `/`.
            '*' if self.running.is_some() && self.byte(1) == Some(b'/') => self.end_running(),
            '\'' => {
                if self.escaped {
                    self.doubt("it goes on a string that began with `E`");
                }
                let inside = self.quoted('\'', self.escapes)?;
                self.push(Token::Text(inside));
            }
            '"' => {
                let inside = self.quoted('"', self.dialect == MySql && self.escapes)?;
                self.push(if self.dialect == MySql { Token::Text(inside) } else { Token::Quoted(inside) });
            }
            '`' => {
                if !matches!(self.dialect, MySql | Sqlite) {
                    return Err("it holds a backtick".into());
                }
                let inside = self.quoted('`', false)?;
                self.push(Token::Quoted(inside));
            }
            '[' if matches!(self.dialect, MsSql | Sqlite) => {
                let inside = self.bracketed()?;
                self.push(Token::Quoted(inside));
            }
            '$' if self.dialect == Postgres => self.dollar()?,
            ';' => {
                self.at += 1;
                self.push(Token::End);
            }
            '\\' if self.client == Client::Psql => self.psql(),
            '\\' if self.client == Client::MySql => self.mysql(),
            ':' if self.client == Client::Psql => self.colon()?,
            c if c.is_ascii_digit() => self.number(),
            c if c.is_alphabetic() || c == '_' || !c.is_ascii() || self.begins_name(c) => {
                let word = self.word();
                let quote = self.byte(0) == Some(b'\'');
                if quote && self.dialect == Postgres && word.eq_ignore_ascii_case("e") {
                    let inside = self.quoted('\'', true)?;
                    self.push(Token::Text(inside));
                    self.escaped = true;
                } else if quote && self.dialect == Oracle && ["q", "nq"].iter().any(|q| word.eq_ignore_ascii_case(q)) {
                    self.oracle()?;
                } else {
                    self.push(Token::Word(word));
                }
            }
            c => self.mark(c),
        }
        Ok(())
    }

    fn begins_name(&self, c: char) -> bool {
        match self.dialect {
            Dialect::MsSql => matches!(c, '@' | '#' | '$'),
            Dialect::MySql => matches!(c, '@' | '$'),
            Dialect::Sqlite => matches!(c, '@' | '$'),
            Dialect::Oracle | Dialect::Postgres => false,
        }
    }

    fn mark(&mut self, c: char) {
        self.at += c.len_utf8();
        self.push(Token::Mark(c));
    }

    fn number(&mut self) {
        while self.byte(0).is_some_and(|b| b.is_ascii_digit() || b == b'.') {
            self.at += 1;
        }
        if matches!(self.byte(0), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.byte(1), Some(b'+' | b'-')));
            if self.byte(1 + sign).is_some_and(|b| b.is_ascii_digit()) {
                self.at += 1 + sign;
                while self.byte(0).is_some_and(|b| b.is_ascii_digit()) {
                    self.at += 1;
                }
            }
        }
        self.push(Token::Number);
    }

    fn word(&mut self) -> &'t str {
        let start = self.at;
        let part = |c: char| {
            c.is_alphanumeric()
                || matches!(c, '_' | '$')
                || (!c.is_ascii() && !c.is_whitespace())
                || match self.dialect {
                    Dialect::MsSql => matches!(c, '@' | '#'),
                    Dialect::Oracle => c == '#',
                    Dialect::MySql => c == '@',
                    Dialect::Postgres | Dialect::Sqlite => false,
                }
        };
        let mut chars = self.rest().char_indices().skip(1);
        let end = chars.find(|(_, c)| !part(*c)).map_or(self.rest().len(), |(at, _)| at);
        self.at += end;
        self.from(start)
    }
}
