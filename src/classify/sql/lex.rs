//! Parts SQL text into words, strings and marks, by the rules of the server that will read it. Pure.
//!
//! Everything hangs on where strings and comments end: a text that two servers, or two settings of one, would part in
//! different ways is doubted rather than guessed.

mod clients;

use super::own_lines;

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

    /// Whether the statement that ends here is `COPY … FROM stdin`.
    fn takes_rows(&self) -> bool {
        let tokens = self.lexed.tokens.get(self.statement..).unwrap_or_default();
        let from = |pair: &[Token]| matches!(pair, [from, stdin] if from.is("from") && stdin.is("stdin"));
        tokens.first().is_some_and(|first| first.is("copy")) && tokens.windows(2).any(from)
    }

    /// Goes past the rows that `COPY … FROM stdin` takes. If the server refuses that, the client takes them for
    /// statements: those are of the same database, but for the client's own commands.
    fn past_rows(&mut self) {
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

    /// Whether a string or comment holds a line at which some clients end a statement all the same.
    fn ends_inside(&self, piece: &str) -> bool {
        let mut lines = piece.lines().skip(1);
        match self.client {
            _ if self.dialect == Dialect::MsSql => lines.any(|line| line.trim().eq_ignore_ascii_case("go")),
            Client::SqlPlus => lines.any(|line| line.trim().is_empty()),
            _ => false,
        }
    }

    /// A line that is a command of the client's own.
    fn own_line(&mut self) -> bool {
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

    /// Only PostgreSQL ends a comment at a carriage return; of the others it isn't sure.
    fn line_comment(&mut self) {
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

    fn comment(&mut self) -> Result<(), String> {
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
    fn end_running(&mut self) {
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
    fn quoted(&mut self, quote: char, escapes: bool) -> Result<&'t str, String> {
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

    fn bracketed(&mut self) -> Result<&'t str, String> {
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
    fn dollar(&mut self) -> Result<(), String> {
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
    fn oracle(&mut self) -> Result<(), String> {
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
