//! Judges one statement by its words: how it begins, what it holds, which functions it calls. Pure.

mod places;
mod special;

use super::functions::{self, Kind};
use super::lex::{Dialect, Token};
use super::{Says, Seen};
use places::{is_alias, locks, strip};

/// Statements that change something, by their first word, whatever follows.
const CHANGING: &[&str] = &[
    "alter",
    "assign",
    "audit",
    "backup",
    "binlog",
    "bulk",
    "cache",
    "call",
    "change",
    "checkpoint",
    "clone",
    "cluster",
    "comment",
    "create",
    "delete",
    "deny",
    "drop",
    "enable",
    "disable",
    "flashback",
    "flush",
    "grant",
    "import",
    "insert",
    "install",
    "kill",
    "load",
    "merge",
    "noaudit",
    "optimize",
    "purge",
    "reassign",
    "reconfigure",
    "refresh",
    "reindex",
    "rename",
    "repair",
    "replace",
    "restart",
    "revert",
    "revoke",
    "security",
    "shutdown",
    "stop",
    "truncate",
    "uninstall",
    "update",
    "upsert",
    "vacuum",
    "writetext",
    "updatetext",
    "administer",
    "associate",
    "disassociate",
    "detach_database",
];

/// Statements that only concern the session, or only look.
const HARMLESS: &[&str] = &[
    "abort",
    "close",
    "commit",
    "deallocate",
    "describe_session",
    "discard",
    "help",
    "listen",
    "lock",
    "rollback",
    "savepoint",
    "release",
    "show",
    "unlisten",
    "unlock",
    "use",
    "print",
    "return",
    "break",
    "continue",
    "goto",
    "waitfor",
    "throw",
    "raiserror",
    "checksum",
    "move",
    "detach",
];

/// Words that make a change of what looks like reading, wherever they stand.
const WRITING: &[&str] = &["insert", "update", "delete", "merge", "into", "outfile", "dumpfile"];

/// Words that begin a change in a text whose statements need nothing between them.
const BEGINNING: &[&str] = &[
    "alter",
    "backup",
    "bulk",
    "create",
    "delete",
    "deny",
    "drop",
    "grant",
    "insert",
    "kill",
    "merge",
    "reconfigure",
    "restore",
    "revoke",
    "shutdown",
    "truncate",
    "update",
    "dbcc",
    "writetext",
    "updatetext",
    "checkpoint",
    "enable",
    "disable",
    "revert",
    "send",
    "receive",
    "setuser",
];

/// Judges one statement; with `any` it may be meant for another kind of server, whose functions count as well.
pub fn judge(tokens: &[Token], dialect: Dialect, any: bool, seen: &mut Seen) {
    Statement { dialect, any, seen, depth: 0, reached: false }.judge(tokens);
}

/// Judges what stands within a statement, such as a query in brackets.
pub fn within(tokens: &[Token], dialect: Dialect, seen: &mut Seen) {
    Statement { dialect, any: false, seen, depth: 0, reached: false }.scan(tokens);
}

/// No statement holds more within one another (`EXPLAIN ANALYZE EXPLAIN ANALYZE …`).
const DEEPEST: usize = 16;

struct Statement<'s> {
    dialect: Dialect,
    /// Whether the functions of all kinds of servers count.
    any: bool,
    seen: &'s mut Seen,
    /// How many statements this one stands in.
    depth: usize,
    /// Whether it was already looked for what it reaches.
    reached: bool,
}

impl Statement<'_> {
    fn changes(&mut self, how: impl Into<String>) {
        self.seen.says.and(Says::Changes(how.into()));
    }

    fn unknown(&mut self, what: impl Into<String>) {
        self.seen.says.and(Says::Unknown(what.into()));
    }

    fn judge(&mut self, tokens: &[Token]) {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.unknown("runs a statement within more than are followed");
        }
        // Where no mark parts statements, each word may begin one.
        if self.dialect == Dialect::MsSql && self.depth == 1 {
            self.batch(tokens);
        }
        let tokens = strip(tokens);
        let Some(first) = tokens.first() else { return };
        let Token::Word(word) = first else {
            return self.unknown("runs a statement in a database that can't be told");
        };
        let rest = tokens.get(1..).unwrap_or_default();
        let lower = word.to_ascii_lowercase();
        match lower.as_str() {
            // Code that the query brings along.
            "with" if rest.first().is_some_and(|next| next.is_any(&["function", "procedure"])) => {
                self.changes("runs code in a database");
            }
            "select" | "with" | "values" | "table" | "fetch" | "from" => {
                self.scan(tokens);
                if self.dialect == Dialect::Oracle {
                    self.bare_calls(tokens);
                }
            }
            "begin" | "start" | "end" => self.transaction(&lower, tokens),
            "commit" | "rollback" if rest.first().is_some_and(|next| next.is("prepared")) => {
                self.changes("ends a prepared transaction");
            }
            "prepare" => self.prepare(rest),
            "execute" | "exec" => self.execute(rest, tokens),
            "explain" | "describe" | "desc" => self.explain(rest),
            "analyze" | "analyse" => self.analyze(rest),
            "set" => self.set(rest),
            "reset" if self.dialect == Dialect::Postgres => {}
            "reset" => self.changes("resets a server's state"),
            "do" if self.dialect == Dialect::MySql => self.scan(rest),
            "do" => self.changes("runs a block of code in a database"),
            "declare" if self.dialect == Dialect::Oracle => self.changes("runs a block of code in a database"),
            "declare" | "if" | "while" | "else" | "open" | "go" => self.scan(rest),
            "alter" if self.dialect == Dialect::Oracle && rest.first().is_some_and(|next| next.is("session")) => {
                if rest.iter().any(|token| token.is_any(&["events", "sync", "advise"])) {
                    self.changes("makes a server write traces, or act for others");
                }
            }
            "copy" => self.copy(rest),
            "pragma" => self.pragma(rest),
            "attach" => self.changes("opens another file as a database"),
            "check" if self.dialect == Dialect::MySql => self.unknown("checks tables, and may mark them"),
            "restore" if self.dialect == Dialect::MsSql => self.restore(rest),
            "dbcc" => self.dbcc(rest),
            "handler" if self.dialect == Dialect::MySql => self.scan(rest),
            "notify" => self.unknown("wakes up what listens to a database"),
            "load" if rest.first().is_some_and(|next| matches!(next, Token::Text(_))) => {
                self.unknown("loads a library into a database");
            }
            other if CHANGING.contains(&other) => {
                self.changes(format!("changes a database with `{}`", word.to_ascii_uppercase()));
                self.beyond(tokens);
            }
            other if HARMLESS.contains(&other) => self.scan(rest),
            _ if self.dialect == Dialect::MsSql => self.execute(tokens, tokens),
            _ => self.unknown(format!("runs `{}` in a database", cut(word))),
        }
    }

    /// A text of SQL Server, in which any word may begin a statement.
    fn batch(&mut self, tokens: &[Token]) {
        for (at, token) in tokens.iter().enumerate() {
            let Token::Word(word) = token else { continue };
            let before = at.checked_sub(1).and_then(|at| tokens.get(at));
            if matches!(before, Some(Token::Mark('.'))) {
                continue;
            }
            let rest = tokens.get(at + 1..).unwrap_or_default();
            if token.is_any(&["exec", "execute"]) && !before.is_some_and(|before| before.is("with")) {
                self.execute(rest, tokens);
            } else if token.is("restore") {
                self.restore(rest);
            } else if token.is("dbcc") {
                self.dbcc(rest);
            } else if token.is_any(BEGINNING) && !before.is_some_and(|before| before.is("for")) {
                self.changes(format!("changes a database with `{}`", word.to_ascii_uppercase()));
                self.beyond(tokens);
            }
        }
    }

    /// What a change may reach beyond its own server.
    fn beyond(&mut self, tokens: &[Token]) {
        if std::mem::replace(&mut self.reached, true) {
            return;
        }
        let mut dots = 0;
        for pair in tokens.windows(2) {
            match pair {
                [Token::Mark('.'), Token::Word(_) | Token::Quoted(_) | Token::Mark('.')] => dots += 1,
                [Token::Word(_) | Token::Quoted(_), Token::Mark('.')] => {}
                _ => dots = 0,
            }
            let linked = match self.dialect {
                Dialect::MsSql => dots >= 3,
                Dialect::Oracle => matches!(pair, [Token::Mark('@'), Token::Word(_)]),
                _ => false,
            };
            if linked {
                return self.seen.doubts.push("it reaches a server that is linked to that one".into());
            }
        }
        // `EXEC ('…') AT server`
        let runs = tokens.iter().position(|token| token.is_any(&["exec", "execute"]));
        if self.dialect == Dialect::MsSql
            && runs.is_some_and(|from| tokens.iter().skip(from).any(|token| token.is("at")))
        {
            return self.seen.doubts.push("it may run on a server that is linked to that one".into());
        }
        for token in tokens {
            if token.is_any(&["openquery", "openrowset", "opendatasource", "xp_cmdshell", "dblink_exec", "dblink"]) {
                return self.seen.doubts.push("it reaches more than its own database".into());
            }
        }
        // `COPY … PROGRAM` and foreign servers are made here and used later.
        if tokens.iter().any(|token| token.is_any(&["federated", "connect"]))
            && tokens.iter().any(|token| token.is("engine"))
        {
            self.seen.doubts.push("it makes a table that lies on another server".into());
        }
    }

    /// Words that write, and functions that may.
    fn scan(&mut self, tokens: &[Token]) {
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| tokens.get(at));
            let next = tokens.get(at + 1);
            match token {
                // `WITH x AS (…) UPDATE (t JOIN x) SET …`
                Token::Word(word)
                    if token.is_any(WRITING)
                        && next == Some(&Token::Mark('('))
                        && before == Some(&Token::Mark(')')) =>
                {
                    self.changes(format!("changes a database with `{}`", word.to_ascii_uppercase()));
                    self.beyond(tokens);
                }
                Token::Word(word) if next == Some(&Token::Mark('(')) => {
                    let alias = is_alias(tokens, at);
                    if !alias || (self.harms(word) && !before.is_some_and(|before| before.is("as"))) {
                        self.function(word, tokens, at);
                    }
                }
                Token::Quoted(_) if next == Some(&Token::Mark('(')) && is_alias(tokens, at) => {}
                Token::Quoted(name) if next == Some(&Token::Mark('(')) => {
                    self.unknown(format!("calls `{}` in a database", cut(name)));
                }
                Token::Word(word) if token.is_any(WRITING) => {
                    if matches!(before, Some(Token::Mark('.')))
                        || locks(tokens, at)
                        || self.goes_to_variable(token, next)
                    {
                        continue;
                    }
                    self.changes(format!("changes a database with `{}`", word.to_ascii_uppercase()));
                    self.beyond(tokens);
                }
                // Values of a sequence are used up.
                Token::Word(_) if token.is("nextval") && matches!(before, Some(Token::Mark('.'))) => {
                    self.changes("takes a value of a sequence");
                }
                Token::Word(_)
                    if token.is("value")
                        && before.is_some_and(|b| b.is("next"))
                        && next.is_some_and(|n| n.is("for")) =>
                {
                    self.changes("takes a value of a sequence");
                }
                _ => {}
            }
        }
    }

    /// `INTO @x`, or a table of the session's own.
    fn goes_to_variable(&self, token: &Token, next: Option<&Token>) -> bool {
        let Some(Token::Word(next)) = next else { return false };
        token.is("into")
            && match self.dialect {
                Dialect::MySql => next.starts_with('@'),
                Dialect::MsSql => (next.starts_with('#') && !next.starts_with("##")) || next.starts_with('@'),
                _ => false,
            }
    }

    /// Whether a function does more than read, as far as is known: nobody gives an alias its name.
    fn harms(&self, word: &str) -> bool {
        matches!(functions::kind(word, None, self.dialect), Kind::Changes | Kind::Beyond)
    }

    fn function(&mut self, word: &str, tokens: &[Token], at: usize) {
        let schema = at
            .checked_sub(1)
            .and_then(|dot| tokens.get(dot))
            .filter(|token| **token == Token::Mark('.'))
            .map(|_| at.checked_sub(2).and_then(|at| tokens.get(at)));
        let schema = match schema {
            None => None,
            Some(Some(Token::Word(schema))) => Some(*schema),
            Some(_) => Some(""),
        };
        // What every dump begins with.
        let first = tokens.get(at + 2);
        if word.eq_ignore_ascii_case("set_config") && first == Some(&Token::Text("search_path")) {
            return;
        }
        // `FROM t (NOLOCK)`
        let behind = tokens.get(at + 1..at + 4).unwrap_or_default();
        if self.dialect == Dialect::MsSql && matches!(behind, [_, hint, Token::Mark(')')] if hint.is("nolock")) {
            return;
        }
        let kind =
            if self.any { functions::kind_anywhere(word, schema) } else { functions::kind(word, schema, self.dialect) };
        match kind {
            Kind::Pure => {}
            Kind::Changes => self.changes(format!("calls `{}`, which changes a server", cut(word))),
            Kind::Beyond => {
                self.unknown(format!("calls `{}` in a database", cut(word)));
                self.seen.doubts.push(format!("`{}` may reach more than its own database", cut(word)));
            }
            Kind::Unknown => self.unknown(format!("calls `{}` in a database", cut(word))),
        }
    }
}

/// Enough of a word to know it.
fn cut(word: &str) -> String {
    word.chars().take(60).collect()
}
