//! Statements whose first word says too little: transactions, procedures, plans, settings, copies, pragmas. Pure.

use super::{Statement, cut, is_alias};
use crate::classify::sql::lex::{Dialect, Token};

/// Procedures of SQL Server that only show something.
const SHOWING: &[&str] = &[
    "sp_who",
    "sp_who2",
    "sp_help",
    "sp_helptext",
    "sp_helpdb",
    "sp_helpfile",
    "sp_helpindex",
    "sp_helpuser",
    "sp_helprole",
    "sp_helprolemember",
    "sp_helprotect",
    "sp_helpsrvrolemember",
    "sp_helpconstraint",
    "sp_helplogins",
    "sp_columns",
    "sp_tables",
    "sp_databases",
    "sp_lock",
    "sp_depends",
    "sp_pkeys",
    "sp_fkeys",
    "sp_statistics",
    "sp_stored_procedures",
    "sp_server_info",
    "sp_linkedservers",
    "sp_helpserver",
    "sp_monitor",
    "sp_datatype_info",
];

/// Sub-commands of `DBCC` that only show something.
const DBCC: &[&str] = &[
    "sqlperf",
    "opentran",
    "inputbuffer",
    "show_statistics",
    "useroptions",
    "loginfo",
    "tracestatus",
    "proccache",
    "help",
];

impl Statement<'_> {
    pub(super) fn transaction(&mut self, first: &str, tokens: &[Token]) {
        const WORDS: &[&str] = &[
            "begin",
            "start",
            "end",
            "transaction",
            "tran",
            "work",
            "deferred",
            "immediate",
            "exclusive",
            "concurrent",
            "isolation",
            "level",
            "read",
            "only",
            "write",
            "committed",
            "uncommitted",
            "repeatable",
            "serializable",
            "not",
            "deferrable",
            "with",
            "consistent",
            "snapshot",
            "and",
            "no",
            "chain",
            "commit",
        ];
        let plain = |token: &Token| token.is_any(WORDS) || *token == Token::Mark(',');
        if tokens.iter().all(plain) && (first != "start" || tokens.get(1).is_some_and(|next| next.is("transaction"))) {
            return;
        }
        match (self.dialect, tokens.get(1)) {
            (Dialect::MsSql, Some(next)) if next.is_any(&["tran", "transaction", "distributed"]) => {}
            // A block: what is in it is a statement.
            (Dialect::MsSql, Some(_)) if first != "start" => {
                let rest = tokens.get(1..).unwrap_or_default();
                let rest = if rest.first().is_some_and(|next| next.is_any(&["try", "catch"])) {
                    rest.get(1..).unwrap_or_default()
                } else {
                    rest
                };
                // Blocks within blocks are gone through one by one.
                if let Some(at) = rest.iter().position(|token| !token.is_any(&["begin", "try"])) {
                    self.judge(rest.get(at..).unwrap_or_default());
                }
            }
            _ => self.changes("runs a block of code in a database"),
        }
    }

    /// Oracle calls functions without brackets too: what a query takes from `dual` is none of its columns.
    pub(super) fn bare_calls(&mut self, tokens: &[Token]) {
        const KNOWN: &[&str] = &[
            "as",
            "case",
            "connect",
            "by",
            "current_date",
            "current_timestamp",
            "currval",
            "dbtimezone",
            "dual",
            "dummy",
            "else",
            "end",
            "from",
            "is",
            "level",
            "localtimestamp",
            "nextval",
            "null",
            "or",
            "ora_invoking_user",
            "rownum",
            "select",
            "sessiontimezone",
            "sysdate",
            "systimestamp",
            "then",
            "uid",
            "user",
            "when",
            "where",
            "and",
            "not",
            "in",
            "order",
            "desc",
            "asc",
            "union",
            "all",
            "distinct",
            "date",
            "timestamp",
            "interval",
            "day",
            "hour",
            "minute",
            "second",
            "month",
            "year",
            "to",
            "like",
            "between",
            "at",
            "time",
            "zone",
            "local",
        ];
        let dual = tokens.windows(2).any(|two| matches!(two, [from, dual] if from.is("from") && dual.is("dual")));
        let called = |at: usize, token: &Token| {
            let before = at.checked_sub(1).and_then(|at| tokens.get(at));
            let next = tokens.get(at + 1);
            let names = matches!(before, Some(Token::Number | Token::Text(_) | Token::Mark(')')))
                || before.is_some_and(|before| {
                    before.is("as") || (before.is_any(KNOWN) && before.is_any(&["sysdate", "user", "level", "dummy"]))
                });
            matches!(token, Token::Word(_) | Token::Quoted(_))
                && !matches!(next, Some(Token::Mark('(' | '.')))
                && !names
                && !token.is_any(KNOWN)
        };
        let call = tokens.iter().enumerate().find(|(at, token)| dual && called(*at, token));
        if let Some((_, Token::Word(name) | Token::Quoted(name))) = call {
            self.unknown(format!("may call `{}` in a database", cut(name)));
        }
    }

    pub(super) fn prepare(&mut self, rest: &[Token]) {
        if rest.first().is_some_and(|next| next.is("transaction")) {
            return self.changes("prepares a transaction");
        }
        match rest.iter().position(|token| token.is("as")) {
            Some(at) if self.dialect == Dialect::Postgres => self.judge(rest.get(at + 1..).unwrap_or_default()),
            _ => self.unknown("prepares a statement in a database that can't be told"),
        }
    }

    /// A procedure by its name.
    pub(super) fn execute(&mut self, rest: &[Token], all: &[Token]) {
        let mut name = None;
        for (at, token) in rest.iter().enumerate() {
            match token {
                Token::Word(word) if !word.starts_with('@') => name = Some(*word),
                Token::Quoted(word) => name = Some(*word),
                Token::Mark('.' | '=') | Token::Word(_) => continue,
                _ => break,
            }
            // The last part of a dotted name counts.
            if rest.get(at + 1) != Some(&Token::Mark('.')) {
                break;
            }
        }
        let lower = name.unwrap_or_default().to_ascii_lowercase();
        if self.dialect == Dialect::MsSql && SHOWING.contains(&lower.as_str()) {
            return;
        }
        if lower.starts_with("xp_")
            || lower.starts_with("sp_oa")
            || lower.contains("linkedsrv")
            || lower.starts_with("sp_send")
        {
            self.seen.doubts.push(format!("`{}` may reach more than its own database", cut(&lower)));
        }
        self.beyond(all);
        self.changes(match name {
            Some(name) => format!("runs the procedure `{}` in a database", cut(name)),
            None => "runs a statement in a database that is put together when it runs".into(),
        });
    }

    pub(super) fn explain(&mut self, rest: &[Token]) {
        if self.dialect == Dialect::Oracle {
            // Only a table that is named outlives the session.
            let end = rest.iter().position(|token| token.is("for")).unwrap_or(rest.len());
            if rest.get(..end).unwrap_or_default().iter().any(|token| token.is("into")) {
                self.changes("writes a plan into a table");
            }
            return;
        }
        let begins = |token: &Token| {
            token.is_any(&[
                "select", "with", "insert", "update", "delete", "replace", "merge", "table", "values", "execute",
            ])
        };
        let options = rest.iter().position(begins).unwrap_or(rest.len());
        let (options, inner) = rest.split_at_checked(options).unwrap_or((rest, &[]));
        // The name of an option may stand in quotes.
        let analyzes = |token: &Token| token.is_any(&["analyze", "analyse"]) || matches!(token, Token::Quoted(_));
        if options.iter().any(analyzes) && !inner.is_empty() || options.iter().any(|token| token.is("analyze")) {
            let from = options.iter().rposition(|token| token.is_any(&["create", "refresh", "declare"]));
            self.judge(from.and_then(|from| rest.get(from..)).unwrap_or(inner));
        } else if self.dialect == Dialect::MySql {
            // Old servers run the inner queries to plan the outer one.
            let calls = inner.iter().enumerate().filter(|(at, _)| inner.get(at + 1) == Some(&Token::Mark('(')));
            let calls: Vec<usize> = calls.map(|(at, _)| at).collect();
            for at in calls {
                if let Some(Token::Word(word)) = inner.get(at)
                    && !is_alias(inner, at)
                {
                    self.function(word, inner, at);
                }
            }
        }
    }

    /// MariaDB runs what it analyses; a table's statistics are written.
    pub(super) fn analyze(&mut self, rest: &[Token]) {
        let begins = |token: &Token| token.is_any(&["select", "with", "insert", "update", "delete", "replace"]);
        match rest.iter().position(begins) {
            Some(at) if self.dialect == Dialect::MySql => self.judge(rest.get(at..).unwrap_or_default()),
            _ => self.changes("writes statistics of a database"),
        }
    }

    pub(super) fn set(&mut self, rest: &[Token]) {
        let first = rest.first();
        let global = rest.iter().any(|token| {
            token.is_any(&["global", "persist", "persist_only", "password"])
                || matches!(token, Token::Word(word) if word.get(..2) == Some("@@") && {
                    let lower = word.to_ascii_lowercase();
                    lower.starts_with("@@global") || lower.starts_with("@@persist")
                })
        });
        if self.dialect == Dialect::MySql && (global || first.is_some_and(|next| next.is("default"))) {
            return self.changes("sets what holds for all of a server");
        }
        // These change how what follows is read.
        let reading = ["sql_mode", "standard_conforming_strings", "backslash_quote", "character_set_client", "names"];
        // A name in quotes is one as well.
        let is_name = |token: &Token, name: &str| {
            token.is(name) || matches!(token, Token::Quoted(quoted) if quoted.eq_ignore_ascii_case(name))
        };
        let sets = |token: &Token| {
            reading.iter().any(|name| is_name(token, name))
                || token.is_any(&["@@sql_mode", "@@session", "@@local", "@@character_set_client", "charset"])
        };
        let charset = rest.windows(2).any(|two| matches!(two, [a, b] if a.is("character") && b.is("set")));
        if charset || rest.iter().any(sets) {
            let plain = |token: &Token| token.is_any(&["names", "utf8", "utf8mb4", "utf8mb3", "latin1", "default"]);
            let utf8 =
                |token: &Token| matches!(token, Token::Text(text) if text.to_ascii_lowercase().starts_with("utf"));
            if !rest.iter().all(|token| plain(token) || utf8(token)) {
                return self.seen.doubts.push("it sets how the statements behind it are read".into());
            }
        }
        self.scan(rest);
    }

    pub(super) fn copy(&mut self, rest: &[Token]) {
        let mut depth = 0_usize;
        let mut way = None;
        for (at, token) in rest.iter().enumerate() {
            match token {
                Token::Mark('(') => depth += 1,
                Token::Mark(')') => depth = depth.saturating_sub(1),
                token if depth == 0 && token.is_any(&["from", "to"]) => {
                    way = Some((at, token.is("from")));
                    break;
                }
                _ => {}
            }
        }
        let Some((at, from)) = way else {
            return self.unknown("copies data in a database, it can't be told which way");
        };
        let behind = rest.get(at + 1..).unwrap_or_default();
        if from {
            self.changes("changes a database with `COPY`");
        } else {
            self.scan(rest.get(..at).unwrap_or_default());
        }
        match behind {
            [program, Token::Text(text), ..] if program.is("program") => {
                // Doubled quotes and escapes are not taken apart.
                if text.contains(['\'', '\\']) {
                    self.seen.doubts.push("the program that `COPY` runs can't be read".into());
                } else {
                    self.seen.there.push((*text).to_owned());
                }
            }
            [program, ..] if program.is("program") => {
                self.seen.doubts.push("the program that `COPY` runs can't be read".into());
            }
            [out, ..] if out.is_any(&["stdout", "stdin"]) => {}
            _ if from => {}
            _ => self.changes("writes a file on a database's server"),
        }
    }

    pub(super) fn pragma(&mut self, rest: &[Token]) {
        /// Show something, also with an argument.
        const SHOWS: &[&str] = &[
            "collation_list",
            "compile_options",
            "data_version",
            "database_list",
            "foreign_key_check",
            "foreign_key_list",
            "freelist_count",
            "function_list",
            "index_info",
            "index_list",
            "index_xinfo",
            "integrity_check",
            "module_list",
            "page_count",
            "pragma_list",
            "quick_check",
            "stats",
            "table_info",
            "table_list",
            "table_xinfo",
        ];
        /// Set something for the session.
        const SESSION: &[&str] = &[
            "automatic_index",
            "busy_timeout",
            "cache_size",
            "cache_spill",
            "case_sensitive_like",
            "cell_size_check",
            "foreign_keys",
            "full_column_names",
            "mmap_size",
            "query_only",
            "read_uncommitted",
            "recursive_triggers",
            "short_column_names",
            "synchronous",
            "temp_store",
            "threads",
            "trusted_schema",
            "defer_foreign_keys",
            "encoding",
        ];
        /// Do something although they are given nothing.
        const DOES: &[&str] = &["incremental_vacuum", "optimize", "wal_checkpoint", "shrink_memory"];
        let (name, behind) = match rest {
            [Token::Word(_) | Token::Quoted(_), Token::Mark('.'), name, behind @ ..] => (name, behind),
            [name, behind @ ..] => (name, behind),
            [] => return,
        };
        let given = !behind.is_empty();
        // A name in quotes is not compared.
        let asks = !given && matches!(name, Token::Word(_)) && !name.is_any(DOES);
        if !(name.is_any(SHOWS) || name.is_any(SESSION) || asks) {
            self.changes("changes a database with `PRAGMA`");
        }
    }

    pub(super) fn restore(&mut self, rest: &[Token]) {
        let looks = ["headeronly", "filelistonly", "labelonly", "verifyonly"];
        if !rest.first().is_some_and(|next| next.is_any(&looks)) {
            self.changes("changes a database with `RESTORE`");
        }
    }

    pub(super) fn dbcc(&mut self, rest: &[Token]) {
        // What is shown may be cleared as well: `SQLPERF('…', CLEAR)`.
        let clears = |token: &Token| {
            token.is("clear") || matches!(token, Token::Text(text) if text.to_ascii_lowercase().contains("clear"))
        };
        if !rest.first().is_some_and(|next| next.is_any(DBCC)) || rest.iter().take(32).any(clears) {
            self.changes("changes a database with `DBCC`");
        }
    }
}
