//! What statements of SQL do: only read, or change a database. Pure.
//!
//! Owns: how each server parts a text (`lex`), which statements and functions only read (`statement`, `functions`), and
//! the commands of clients' own between them (`own_lines`). What nobody knows to only read is not taken for reading. No tree
//! is built: whether a statement writes shows in its words, and a scan of them is as fast as the text is long, whatever it
//! nests.
//!
//! A parser by grammar (the crate sqlparser 0.64 was measured) takes 40 to 100 ms for 64 KiB where this takes 0.6 to 2.3
//! (the benchmark `classify`), adds 3.6 MB to the program, refuses what clients and servers take (`INTO OUTFILE`,
//! `COPY … PROGRAM`, `/*! … */`, commands behind a backslash), and would still have to be told what each function does.

mod functions;
mod lex;
mod names;
mod own_lines;
mod statement;

pub use lex::{Client, Dialect};

/// No text is longer.
const LONGEST: usize = 256 * 1024;

/// What statements do to the database.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Says {
    /// They only read.
    #[default]
    Reads,
    /// It can't be told; what they do, in words that follow "it".
    Unknown(String),
    /// They change it; how, in words that follow "it".
    Changes(String),
}

impl Says {
    fn rank(&self) -> u8 {
        match self {
            Self::Reads => 0,
            Self::Unknown(_) => 1,
            Self::Changes(_) => 2,
        }
    }

    /// Both hold: the worse counts, and of two alike the first.
    pub fn and(&mut self, other: Self) {
        if other.rank() > self.rank() {
            *self = other;
        }
    }
}

/// What was seen in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Seen {
    /// What it does to the database.
    pub says: Says,
    /// Why it may reach something else than the database.
    pub doubts: Vec<String>,
    /// Texts that a shell runs on the database's machine.
    pub there: Vec<String>,
    /// Texts that a shell runs where the client runs.
    pub here: Vec<String>,
    /// Files that the client writes.
    pub writes: Vec<String>,
    /// Files of more statements that the client reads.
    pub reads: Vec<String>,
    /// Whether no server of that kind takes the text.
    pub refused: bool,
}

impl Seen {
    /// Both hold.
    pub fn and(&mut self, other: Self) {
        self.says.and(other.says);
        self.doubts.extend(other.doubts);
        self.there.extend(other.there);
        self.here.extend(other.here);
        self.writes.extend(other.writes);
        self.reads.extend(other.reads);
        self.refused |= other.refused;
    }
}

/// Judges a text.
#[must_use]
pub fn judge(text: &str, dialect: Dialect, client: Client) -> Seen {
    judged(text, dialect, client, false)
}

fn judged(text: &str, dialect: Dialect, client: Client, any: bool) -> Seen {
    let mut seen = Seen::default();
    if text.len() > LONGEST {
        seen.doubts.push("its statements are too long to be judged".into());
        return seen;
    }
    match lex::lex(text, dialect, client) {
        Ok(lexed) => seen = of_lexed(&lexed, dialect, client, any),
        Err(why) => {
            seen.refused = true;
            seen.doubts.push(format!("its statements can't be read: {why}"));
            return seen;
        }
    }
    // Some servers are set to read backslashes in strings otherwise.
    if !any
        && matches!(dialect, Dialect::Postgres | Dialect::MySql)
        && (text.contains("\\'") || text.contains("\\\""))
        && let Ok(lexed) = lex::lex_otherwise(text, dialect, client)
    {
        let other = of_lexed(&lexed, dialect, client, any);
        let runs = |seen: &Seen| seen.there.len() + seen.here.len() + seen.reads.len();
        let more = runs(&other) > runs(&seen);
        if other.says.rank() > seen.says.rank() || more {
            seen.doubts.push("a backslash in one of its strings may end that, as a server is set".into());
        }
    }
    // One is as good as many.
    seen.doubts.truncate(4);
    seen
}

/// What pieces do.
fn of_lexed(lexed: &lex::Lexed, dialect: Dialect, client: Client, any: bool) -> Seen {
    let mut seen = Seen::default();
    for token in &lexed.tokens {
        if let lex::Token::Own(line) = token {
            own_lines::judge(line, client, &mut seen);
        }
    }
    let (mut from, mut optional) = (0, lexed.optional.iter().peekable());
    for tokens in lexed.tokens.split(|token| matches!(token, lex::Token::End | lex::Token::Own(_))) {
        let to = from + tokens.len();
        let mut run_by_some = 0;
        let mut all_of_it = false;
        while let Some((first, behind)) = optional.next_if(|(first, _)| *first <= to) {
            run_by_some += usize::from(behind > first);
            all_of_it = *first == from && *behind == to;
        }
        from = to + 1;
        let Some(first) = tokens.first() else { continue };
        // Behind a semicolon too a command of the client's own is one.
        if client == Client::MySql && first.is_any(own_lines::MYSQL_BEYOND) {
            seen.doubts.push("it holds a command of the client's own that is not followed".into());
        }
        if client == Client::MySql && tokens.len() == 1 && first.is_any(own_lines::MYSQL_HARMLESS) {
            continue;
        }
        let mut of_it = Seen::default();
        statement::judge(tokens, dialect, any, &mut of_it);
        // Without the comment it may be another statement; a change is the worst already.
        if run_by_some > 0 && !(all_of_it && run_by_some == 1) && !matches!(of_it.says, Says::Changes(_)) {
            seen.doubts.push("it holds a comment that some servers run".into());
        }
        seen.and(of_it);
    }
    seen.doubts.extend(lexed.doubt.clone());
    seen
}

/// Judges a text whose server is not known: by all kinds that would take it.
#[must_use]
pub fn judge_any(text: &str) -> Seen {
    use Dialect::{MsSql, MySql, Oracle, Postgres, Sqlite};
    let mut all = Seen::default();
    let mut taken = false;
    for dialect in [Postgres, MySql, MsSql, Oracle, Sqlite] {
        let seen = judged(text, dialect, Client::Plain, true);
        if !seen.refused {
            taken = true;
            all.and(seen);
        }
    }
    if !taken {
        all.doubts.push("its statements can't be read".into());
    }
    all
}

#[cfg(test)]
#[path = "tests/sql.rs"]
mod tests;

#[cfg(test)]
#[path = "tests/properties.rs"]
mod properties;
