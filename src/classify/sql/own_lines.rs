//! The commands of SQL clients' own that stand between the statements, and what each does. Pure.

use super::lex::{Client, Dialect};
use super::{Says, Seen};

/// What a line is.
pub enum Line {
    /// SQL.
    Sql,
    /// The end of a statement, and nothing else.
    End,
    /// A command of the client's own.
    Own,
}

/// Commands of `psql` that take all of their line.
pub const PSQL_WHOLE_LINE: &[&str] = &["copy", "sf", "sf+", "sv", "sv+", "ef", "ev", "h", "help", "w", "write"];

/// Commands of `mysql` that are recognised at the beginning of a line.
const MYSQL: &[&str] = &[
    "charset",
    "clear",
    "connect",
    "delimiter",
    "edit",
    "ego",
    "exit",
    "go",
    "nopager",
    "notee",
    "nowarning",
    "pager",
    "print",
    "prompt",
    "quit",
    "rehash",
    "resetconnection",
    "source",
    "status",
    "system",
    "tee",
    "warnings",
];

/// Commands of `mysql` that only show something, or end it.
pub const MYSQL_HARMLESS: &[&str] = &[
    "clear",
    "ego",
    "exit",
    "go",
    "help",
    "nopager",
    "notee",
    "nowarning",
    "print",
    "quit",
    "rehash",
    "status",
    "warnings",
];

/// Commands of `mysql` that reach more than the database.
pub const MYSQL_BEYOND: &[&str] = &["connect", "delimiter", "edit", "pager", "source", "system", "tee"];

/// Commands of `sqlplus` that look like none of SQL's, and how many letters of each do.
#[rustfmt::skip]
const SQLPLUS: &[(&str, usize)] = &[
    ("accept", 3), ("append", 1), ("archive", 7), ("attribute", 9), ("break", 3), ("btitle", 3), ("change", 1), ("clear", 2), ("column", 3),
    ("compute", 4), ("connect", 4), ("copy", 4), ("define", 3), ("del", 3), ("disconnect", 4), ("edit", 2), ("exit", 4), ("get", 3), ("help", 4),
    ("history", 4), ("host", 2), ("input", 1), ("list", 1), ("oradebug", 8), ("password", 5), ("pause", 3), ("print", 3), ("prompt", 3), ("quit", 4), ("recover", 7),
    ("remark", 3), ("repfooter", 4), ("repheader", 4), ("run", 1), ("save", 3), ("set", 3), ("show", 3), ("shutdown", 8), ("spool", 3), ("start", 3),
    ("startup", 7), ("store", 5), ("timing", 4), ("ttitle", 3), ("undefine", 5), ("variable", 3), ("whenever", 8), ("xquery", 6),
];

/// The whole name of a command of `sqlplus`.
fn sqlplus_name(word: &str) -> Option<&'static str> {
    SQLPLUS.iter().find(|(name, least)| word.len() >= *least && name.starts_with(word)).map(|(name, _)| *name)
}

/// Tells what a line is; `fresh`: nothing of a statement stands before it.
pub fn line(line: &str, client: Client, dialect: Dialect, fresh: bool) -> Line {
    let first = line.split([' ', '\t', ';']).next().unwrap_or_default().to_ascii_lowercase();
    let own = match client {
        _ if dialect == Dialect::MsSql && first == "go" && ends_batch(line) => return Line::End,
        Client::Plain | Client::Psql => false,
        // With a semicolon in it, it is parted like any other.
        Client::MySql => {
            fresh
                && MYSQL.contains(&first.as_str())
                && (first == "delimiter" || !line.trim_end_matches(';').contains(';'))
        }
        Client::Sqlcmd => match first.as_str() {
            "exit" | "quit" | "reset" if line.len() == first.len() => return Line::End,
            _ => line.starts_with(':') || line.starts_with("!!"),
        },
        Client::Sqlite if line == "/" || line.eq_ignore_ascii_case("go") => return Line::End,
        Client::Sqlite => fresh && line.starts_with('.'),
        Client::SqlPlus => match first.as_str() {
            "/" | "." if line.len() == 1 => return Line::End,
            "set" => {
                let next = line.split_whitespace().nth(1).unwrap_or_default().to_ascii_lowercase();
                fresh && !["transaction", "role", "constraint", "constraints"].contains(&next.as_str())
            }
            first => fresh && (line.starts_with(['@', '!', '$']) || sqlplus_name(first).is_some()),
        },
    };
    if own { Line::Own } else { Line::Sql }
}

/// `GO`, or `GO 5`.
fn ends_batch(line: &str) -> bool {
    line.get(2..).unwrap_or_default().trim().bytes().all(|b| b.is_ascii_digit())
}

/// What one of them does.
pub fn judge(line: &str, client: Client, seen: &mut Seen) {
    match client {
        Client::Plain => {}
        Client::Psql => psql(line, seen),
        Client::MySql => mysql(line, seen),
        Client::Sqlcmd => sqlcmd(line, seen),
        Client::SqlPlus => sqlplus(line, seen),
        Client::Sqlite => sqlite(line, seen),
    }
}

/// The first word, and what stands behind it.
fn parted(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.find(char::is_whitespace).and_then(|at| line.split_at_checked(at)).map_or((line, ""), |(a, b)| (a, b.trim()))
}

/// A file, or behind a `|` a shell's text, that gets what is printed.
fn output(to: &str, seen: &mut Seen) {
    match to.trim().strip_prefix('|') {
        Some(text) => seen.here.push(text.trim().to_owned()),
        None if to.trim().is_empty() => {}
        None => seen.writes.push(unquoted(to)),
    }
}

fn unquoted(text: &str) -> String {
    let text = text.trim().trim_end_matches(';').trim_end();
    let inner = ['\'', '"'].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
    inner.unwrap_or(text).to_owned()
}

fn psql(line: &str, seen: &mut Seen) {
    let (name, rest) = parted(line.strip_prefix('\\').unwrap_or(line));
    if let Some(text) = name.strip_prefix('!') {
        return seen.here.push(format!("{text} {rest}").trim().to_owned());
    }
    // What stands in backticks is run by a shell, and its output taken.
    if rest.contains('`') && name != "copy" {
        return seen.doubts.push(format!("`\\{name}` is given what a shell prints"));
    }
    match name {
        "g" | "gx" if rest.starts_with('(') => seen.doubts.push(format!("`\\{name}` is given options")),
        "g" | "gx" | "o" | "out" | "s" | "w" | "write" => output(rest, seen),
        "i" | "include" => seen.reads.push(unquoted(rest)),
        "ir" | "include_relative" if unquoted(rest).starts_with('/') => seen.reads.push(unquoted(rest)),
        "ir" | "include_relative" => seen.doubts.push("it reads a file that lies beside its own".into()),
        "copy" => copy(rest, seen),
        "c" | "connect" => {
            let mut words = rest.split_whitespace();
            let first = words.next().unwrap_or_default();
            let host = words.nth(1).unwrap_or("-");
            let plain = first.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
            if !plain || host != "-" {
                seen.doubts.push("it goes on at a server that `\\connect` names".into());
            }
        }
        "password" | "lo_import" | "lo_unlink" => {
            seen.says.and(Says::Changes(format!("changes a database with `\\{name}`")))
        }
        "lo_export" => seen.writes.push(unquoted(rest.split_whitespace().nth(1).unwrap_or_default())),
        "a" | "bind" | "C" | "conninfo" | "crosstabview" | "echo" | "elif" | "else" | "encoding" | "endif"
        | "errverbose" | "f" | "gdesc" | "gset" | "h" | "H" | "help" | "html" | "if" | "l" | "l+" | "list"
        | "list+" | "lo_list" | "lo_list+" | "p" | "print" | "pset" | "q" | "quit" | "qecho" | "r" | "reset"
        | "restrict" | "unrestrict" | "set" | "sf" | "sf+" | "sv" | "sv+" | "t" | "T" | "timing" | "unset" | "warn"
        | "watch" | "x" | "z" | "?" | "copyright" => {}
        name if name.starts_with('d') && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'+') => {}
        name => seen.doubts.push(format!("what `\\{name}` does can't be told")),
    }
}

/// `\copy t from 'f'`: the client reads or writes the file, or runs the program.
fn copy(rest: &str, seen: &mut Seen) {
    let doubt = |seen: &mut Seen| seen.doubts.push("what `\\copy` does can't be told".into());
    let Ok(lexed) = super::lex::lex(rest, Dialect::Postgres, Client::Plain) else { return doubt(seen) };
    let mut depth = 0_usize;
    let mut way = None;
    for (at, token) in lexed.tokens.iter().enumerate() {
        match token {
            super::lex::Token::Mark('(') => depth += 1,
            super::lex::Token::Mark(')') => depth = depth.saturating_sub(1),
            token if depth == 0 && token.is_any(&["from", "to"]) => {
                way = Some((at, token.is("from")));
                break;
            }
            _ => {}
        }
    }
    let Some((at, from)) = way else { return doubt(seen) };
    if from {
        seen.says.and(Says::Changes("changes a database with `\\copy`".into()));
    } else if let Some(what) = lexed.tokens.get(..at) {
        super::statement::within(what, Dialect::Postgres, seen);
    }
    let behind = lexed.tokens.get(at + 1..).unwrap_or_default();
    match behind {
        [program, super::lex::Token::Text(text), ..] if program.is("program") => {
            if text.contains(['\'', '\\']) {
                return doubt(seen);
            }
            seen.here.push((*text).to_owned());
        }
        [first, ..] if first.is_any(&["stdin", "stdout", "pstdin", "pstdout"]) => {}
        [super::lex::Token::Text(path), ..] if !from => seen.writes.push((*path).to_owned()),
        [_, ..] if !from => {
            let path = rest.split_whitespace().skip_while(|word| !word.eq_ignore_ascii_case("to")).nth(1);
            match path {
                Some(path) => seen.writes.push(path.trim_end_matches(';').to_owned()),
                None => doubt(seen),
            }
        }
        [_, ..] => {}
        [] => doubt(seen),
    }
}

fn mysql(line: &str, seen: &mut Seen) {
    let (name, rest) = match line.strip_prefix('\\') {
        Some(short) => {
            let end = short.chars().next().map_or(0, char::len_utf8);
            (short.get(..end).unwrap_or_default(), short.get(end..).unwrap_or_default().trim())
        }
        None => parted(line.trim_end_matches(';')),
    };
    match (name.to_ascii_lowercase().as_str(), name) {
        ("!" | "system", _) => seen.here.push(rest.trim_end_matches(';').to_owned()),
        ("." | "source", _) => seen.reads.push(unquoted(rest)),
        (_, "T") | ("tee", _) if rest.is_empty() => {}
        (_, "T") | ("tee", _) => seen.writes.push(unquoted(rest)),
        (_, "P") | ("pager", _) if rest.is_empty() => {}
        (_, "P") | ("pager", _) => seen.here.push(rest.to_owned()),
        (_, "r") | ("connect", _) if rest.split_whitespace().count() < 2 => {}
        (_, "r") | ("connect", _) => seen.doubts.push("it goes on at a server that `connect` names".into()),
        (_, "d") | ("delimiter", _) if rest == ";" => {}
        (_, "d") | ("delimiter", _) => {
            seen.says.and(Says::Unknown("ends its statements by a delimiter of its own".into()))
        }
        (_, "e") | ("edit", _) => seen.doubts.push("it opens an editor".into()),
        (_, "u" | "C" | "R")
        | (
            "charset" | "clear" | "ego" | "exit" | "go" | "nopager" | "notee" | "nowarning" | "print" | "prompt"
            | "quit" | "rehash" | "resetconnection" | "status" | "warnings",
            _,
        ) => {}
        _ => seen.doubts.push(format!("what `{name}` does can't be told")),
    }
}

fn sqlcmd(line: &str, seen: &mut Seen) {
    let lower = line.to_ascii_lowercase();
    if let Some(text) = line.strip_prefix(":!!").or_else(|| line.strip_prefix("!!")) {
        return seen.here.push(text.trim().to_owned());
    }
    let (name, rest) = parted(lower.strip_prefix(':').unwrap_or(&lower));
    // The path as it was typed.
    let typed = line.get(line.len().saturating_sub(rest.len())..).unwrap_or_default();
    match name {
        "r" => seen.reads.push(unquoted(typed)),
        "out" | "error" | "perftrace" if ["stdout", "stderr"].contains(&rest) => {}
        "out" | "error" | "perftrace" => seen.writes.push(unquoted(typed)),
        "connect" => seen.doubts.push("it goes on at a server that `:connect` names".into()),
        "on" | "list" | "reset" | "help" | "xml" | "serverlist" | "listvar" | "quit" | "setvar" => {}
        _ => seen.doubts.push(format!("what `:{name}` does can't be told")),
    }
}

fn sqlplus(line: &str, seen: &mut Seen) {
    if let Some(text) = line.strip_prefix(['!', '$']) {
        return seen.here.push(text.trim().to_owned());
    }
    if line.starts_with("@@") {
        return seen.doubts.push("it reads a file that lies beside its own".into());
    }
    if line.starts_with('@') {
        let path = line.trim_start_matches('@').split_whitespace().next().unwrap_or_default();
        return seen.reads.push(with_suffix(path));
    }
    let (name, rest) = parted(line);
    let lower = name.trim_end_matches(';').to_ascii_lowercase();
    match sqlplus_name(&lower).unwrap_or(&lower) {
        "host" => seen.here.push(rest.trim_end_matches(';').to_owned()),
        "start" => seen.reads.push(with_suffix(rest.split_whitespace().next().unwrap_or_default())),
        "spool" if ["off", "out"].iter().any(|word| rest.trim_end_matches(';').eq_ignore_ascii_case(word)) => {}
        "spool" | "save" | "store" => seen.writes.push(unquoted(rest.split_whitespace().next().unwrap_or_default())),
        "connect" => seen.doubts.push("it goes on at a server that `connect` names".into()),
        "copy" => seen.doubts.push("it copies from one database to another".into()),
        "startup" | "shutdown" | "recover" | "password" | "oradebug" => {
            seen.says.and(Says::Changes(format!("changes a database with `{name}`")));
        }
        "archive" if !rest.to_ascii_lowercase().starts_with("log list") => {
            seen.says.and(Says::Changes("changes how a database is archived".into()));
        }
        "edit" | "get" | "run" | "append" | "change" | "input" | "del" | "history" | "xquery" => {
            seen.says.and(Says::Unknown(format!("edits or repeats a statement with `{name}`")));
        }
        // `set errorlogging on` writes a table, and `set` may name an editor or a script's suffix.
        "set" if rest.to_ascii_lowercase().contains("errorl") => {
            seen.says.and(Says::Changes("writes a table of errors".into()));
        }
        _ => {}
    }
}

fn with_suffix(path: &str) -> String {
    let path = path.trim_end_matches(';');
    if path.rsplit('/').next().is_some_and(|name| name.contains('.')) { path.to_owned() } else { format!("{path}.sql") }
}

fn sqlite(line: &str, seen: &mut Seen) {
    let (name, rest) = parted(line.strip_prefix('.').unwrap_or(line));
    // A name may be shortened, to one that may be another then.
    match name {
        "output" | "once" if rest.starts_with('-') => seen.doubts.push(format!("`.{name}` opens an editor")),
        "output" | "once" | "log" if ["stdout", "stderr", "on", "off"].contains(&rest) => {}
        "output" | "once" => output(&unquoted(rest), seen),
        "log" | "backup" | "save" | "clone" => {
            seen.writes.push(unquoted(rest.split_whitespace().last().unwrap_or_default()));
        }
        "read" => match unquoted(rest) {
            text if text.starts_with('|') => seen.doubts.push("it reads what a program prints".into()),
            path => seen.reads.push(path),
        },
        "shell" | "system" => seen.here.push(rest.to_owned()),
        "import" if rest.contains('|') => seen.doubts.push("it imports what a program prints".into()),
        "import" | "restore" => seen.says.and(Says::Changes(format!("changes a database with `.{name}`"))),
        "auth" | "bail" | "binary" | "changes" | "databases" | "dbinfo" | "dump" | "echo" | "eqp" | "exit"
        | "explain" | "fullschema" | "headers" | "header" | "help" | "indexes" | "indices" | "limit" | "lint"
        | "mode" | "nullvalue" | "print" | "prompt" | "quit" | "schema" | "separator" | "sha3sum" | "show"
        | "stats" | "tables" | "timeout" | "timer" | "version" | "vfsinfo" | "vfslist" | "vfsname" | "width" => {}
        name => seen.doubts.push(format!("what `.{name}` does can't be told")),
    }
}
