//! `psql`: statements for PostgreSQL. Pure.

use super::database::{self, Session};
use super::options::{self, Parsed, Spec};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::sql::{Client, Dialect};
use crate::classify::word::Word;

#[rustfmt::skip]
const SPEC: Spec = Spec {
    flags: "lVX1abeEnqsSAHtxz0wW?",
    values: "cdfvLoFPRThpU",
    long_flags: &[
        "list", "version", "no-psqlrc", "single-transaction", "help", "echo-all", "echo-errors", "echo-queries", "echo-hidden",
        "no-readline", "quiet", "single-step", "single-line", "no-align", "csv", "html", "tuples-only", "expanded",
        "field-separator-zero", "record-separator-zero", "no-password", "password",
    ],
    long_values: &[
        "command", "dbname", "file", "set", "variable", "log-file", "output", "field-separator", "pset", "record-separator",
        "table-attr", "host", "port", "username",
    ],
    ..Spec::MIXED
};

/// Judges a command of `psql`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let parsed = match options::parse(command.arguments(), &SPEC) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["V", "version", "?", "help", "l", "list"]) {
        return Report::reads();
    }
    let mut session = Session::new(Dialect::Postgres, Client::Psql, facts);
    let mut scripts = 0;
    for (name, value) in &parsed.options {
        let Some(value) = value else { continue };
        match name.as_str() {
            "c" | "command" => {
                scripts += 1;
                // One command of its own, or statements that go as they are.
                if value.beginning().trim_start().starts_with('\\') || value.beginning().trim_start().is_empty() {
                    session.script(value);
                } else {
                    session.plain(value);
                }
            }
            "f" | "file" => {
                scripts += 1;
                if value.known() == Some("-") { session.stdin(&command.stdin) } else { session.file(value) }
            }
            "L" | "log-file" | "o" | "output" => session.output(value),
            _ => {}
        }
    }
    if scripts == 0 {
        session.stdin(&command.stdin);
    }
    session.report(hosts(&parsed))
}

/// The machines of the server: a connection string counts more than an option.
fn hosts(parsed: &Parsed) -> Vec<Host> {
    let option = parsed.values(&["h", "host"]).last();
    let database = parsed.values(&["d", "dbname"]).last().or(parsed.operands.first());
    if let Some(found) = database.and_then(of_connection) {
        return found;
    }
    option.map_or_else(|| vec![Host::Same], of_list)
}

/// Machines between commas.
fn of_list(list: &Word) -> Vec<Host> {
    match list.known() {
        Some(list) => list.split(',').map(|name| database::machine(&name.trim().into())).collect(),
        None => vec![database::machine(list)],
    }
}

/// The machines that a database's name holds, if it is a connection string that names any.
fn of_connection(name: &Word) -> Option<Vec<Host>> {
    let beginning = name.beginning();
    let is_uri = beginning.starts_with("postgres://") || beginning.starts_with("postgresql://");
    if is_uri {
        let hosts = database::of_uri(name)?;
        // Without a machine in it the option counts.
        return (hosts != [Host::Same] || !name.beginning().contains(":///")).then_some(hosts);
    }
    let unknown = |why: &str| Some(vec![Host::Unknown(why.into())]);
    let Some(text) = name.known() else {
        let may_name = name.stretches().any(|text| text.contains("host") || text.contains("service"));
        // A name that is only known when it runs may be a connection string.
        return if may_name || name.may_begin_with("postgres") && beginning.is_empty() || beginning.contains('=') {
            unknown("its connection string is only known when it runs")
        } else {
            None
        };
    };
    if !text.contains('=') {
        return None;
    }
    if text.contains('\'') || text.contains('\\') {
        return unknown("its connection string is quoted");
    }
    let spaced = text.replace(" =", "=").replace("= ", "=");
    let mut host = None;
    for pair in spaced.split_whitespace() {
        match pair.split_once('=') {
            Some(("service", _)) => return unknown("its connection is a service that a file describes"),
            Some(("hostaddr", address)) => return Some(of_list(&address.into())),
            Some(("host", name)) => host = Some(of_list(&name.into())),
            _ => {}
        }
    }
    host
}

/// Judges a command of a program that changes a database as a whole: `createdb`, `vacuumdb` and their like.
#[must_use]
pub fn tool(command: &Command, _: &Facts) -> Report {
    #[rustfmt::skip]
    let spec = Spec {
        flags: "eqwWVaFfPpvzZi?dDeElLrRsSxO1cCgGN?",
        values: "hUjTEOlntB",
        long_flags: &[
            "echo", "quiet", "no-password", "password", "version", "help", "all", "full", "freeze", "force", "verbose", "analyze",
            "analyze-only", "analyze-in-stages", "if-exists", "interactive", "createdb", "no-createdb", "superuser",
            "no-superuser", "createrole", "no-createrole", "login", "no-login", "pwprompt", "replication", "system",
            "concurrently", "skip-locked", "inherit", "no-inherit",
        ],
        long_values: &[
            "host", "port", "username", "owner", "template", "encoding", "locale", "lc-collate", "lc-ctype", "tablespace",
            "maintenance-db", "dbname", "table", "jobs", "schema", "index", "parallel", "connection-limit", "role", "icu-locale",
            "locale-provider", "strategy",
        ],
        ..Spec::MIXED
    };
    // What the letters mean differs among them; only where the machine is counts.
    let words = command.arguments();
    if words.iter().any(|word| matches!(word.known(), Some("--help" | "--version" | "-V" | "-?"))) {
        return Report::reads();
    }
    let mut host = vec![Host::Same];
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let beginning = word.beginning();
        if word.known() == Some("-h") || word.known() == Some("--host") {
            host = words.next().map_or_else(Vec::new, of_list);
        } else if let Some(name) = word.strip_prefix("--host=") {
            host = of_list(&name);
        } else if let Some(name) = word.strip_prefix("-h") {
            host = of_list(&name);
        } else if beginning.contains("host") || beginning.contains("://") || beginning.contains("service") {
            host = of_connection(word).unwrap_or_else(|| vec![unclear()]);
        } else if word.may_be_option() && word.known().is_none() {
            host = vec![unclear()];
        } else if let Some(letters) = word.known().filter(|text| text.starts_with('-') && !text.starts_with("--")) {
            // `-wh db01`
            let mut letters = letters.chars().skip(1);
            if letters.any(|c| c == 'h') && !letters_take_value(word.beginning(), spec.values) {
                host = vec![unclear()];
            }
        }
    }
    let name = command.program().unwrap_or_default();
    Report::of(Effect::ChangesAt { hosts: host, how: format!("changes a database with `{name}`") })
}

fn unclear() -> Host {
    Host::Unknown("which machine its words name can't be told".into())
}

/// Whether the first letter of a group takes what is glued to it for its value.
fn letters_take_value(word: &str, values: &str) -> bool {
    word.chars().nth(1).is_some_and(|first| values.contains(first) || "pd".contains(first))
}

/// Judges a command of `pg_restore`.
#[must_use]
pub fn restore(command: &Command, facts: &Facts) -> Report {
    let words = command.arguments();
    let into = |word: &Word| {
        word.begins_with("-d")
            || word.begins_with("--db")
            || (word.begins_with("-") && !word.begins_with("--") && word.beginning().contains('d'))
    };
    let list =
        words.iter().any(|word| matches!(word.known(), Some("-l" | "--list" | "--help" | "--version" | "-V" | "-?")));
    if list && !words.iter().any(into) {
        return Report::reads();
    }
    if words.iter().any(into) || words.iter().any(|word| word.known().is_none() && word.may_be_option()) {
        let mut report = tool(command, facts);
        // The name of the database may be a connection string.
        let mut after = words.iter().skip_while(|word| !matches!(word.known(), Some("-d" | "--dbname")));
        if let Some(found) = after.nth(1).and_then(of_connection) {
            report = Report::of(Effect::ChangesAt { hosts: found, how: "restores a database".into() });
        }
        return report;
    }
    // A script, printed or written into a file.
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if matches!(word.known(), Some("-f" | "--file")) {
            return words.next().map_or_else(Report::reads, |path| Report::of(Effect::Writes(path.clone())));
        }
        if let Some(path) = word.strip_prefix("--file=").or_else(|| word.strip_prefix("-f")) {
            return Report::of(Effect::Writes(path));
        }
    }
    Report::reads()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn statements_where_the_server_is() {
        check(
            judge,
            &[
                ("psql -h db01 -c 'SELECT 1'", "reads"),
                ("psql -h db01 -U app -d x -c 'DELETE FROM t'", "changes at db01"),
                ("psql -hdb01 -Uapp x -c 'DELETE FROM t'", "changes at db01"),
                ("psql --host=db01 --command='DROP TABLE t'", "changes at db01"),
                ("psql -c 'DROP TABLE t'", "changes at same"),
                ("psql -h localhost -c 'DROP TABLE t'", "changes at same"),
                ("psql -h /var/run/postgresql -c 'DROP TABLE t'", "changes at same"),
                ("psql postgresql://u:p@db01:5432/x -c 'DROP TABLE t'", "changes at db01"),
                ("psql postgres://db01/x -c 'SELECT 1'", "reads"),
                ("psql postgresql://u:…@db01/x -c 'DROP TABLE t'", "changes at db01"),
                ("psql postgresql://db01,db02/x -c 'DROP TABLE t'", "changes at db01,db02"),
                ("psql postgresql:///x -h db01 -c 'DROP TABLE t'", "changes at db01"),
                ("psql postgresql:///x?host=db01 -c 'DROP TABLE t'", "changes at ?"),
                ("psql postgresql://web01/x?h%6fst=db02 -c 'DROP TABLE t'", "changes at ?"),
                ("psql postgresql://%2Fvar%2Frun/x -c 'DROP TABLE t'", "changes at same"),
                ("psql 'host=db01 dbname=x' -c 'DROP TABLE t'", "changes at db01"),
                ("psql -h db02 -d 'host = db01' -c 'DROP TABLE t'", "changes at db01"),
                ("psql 'host=db02 hostaddr=10.0.0.1' -c 'DROP TABLE t'", "changes at 10.0.0.1"),
                ("psql service=prod -c 'DROP TABLE t'", "changes at ?"),
                ("psql … -c 'DROP TABLE t'", "unknown"),
                ("psql -d … -c 'DROP TABLE t'", "changes at ?"),
                ("psql -d app_… -c 'DROP TABLE t'", "changes at same"),
                ("psql -h … -c 'DROP TABLE t'", "changes at ?"),
                ("psql -h db01 -l", "reads"),
                ("psql -h db01", "reads"),
                ("psql -h db01 <<< SELECT 1; DELETE FROM t", "changes at db01"),
                ("psql -h db01 -f - <<< DELETE FROM t", "changes at db01"),
                ("psql -h db01 -f x.sql", "unknown"),
                ("psql -h db01 -c 'SELECT my_func(1)'", "unknown at db01"),
                ("psql -c 'SELECT my_func(1)'", "works"),
                ("psql -h db01 -Atc 'SELECT 1' -o /tmp/x", "writes /tmp/x"),
                ("psql -h db01 -c 'SELECT 1' -o '|ssh web01 reboot'", "sh {ssh web01 reboot} <unknown"),
                ("psql -h db01 -c '\\! reboot'", "sh {reboot} <unknown"),
                ("psql -h db01 -c '\\dt'", "reads"),
                ("psql -h db01 -c 'COPY t TO PROGRAM $$reboot$$'", "sh {reboot} at db01 <nothing"),
                ("psql -h db01 -c 'SELECT … FROM t'", "unknown at db01"),
                ("psql -h db01 -c 'DELETE FROM t WHERE a = …'", "changes at db01"),
                ("psql -h db01 -c 'DELETE FROM t WHERE a = $$…'", "changes at db01"),
                ("psql -h db01 -c …", "unknown"),
                ("psql -h db01 -c 'EXPLAIN ANALYZE DELETE FROM t'", "changes at db01"),
            ],
        );
        check_unknown(judge, &["psql --frob", "psql $*", "psql -h db01 -c '\\c - - db02'"]);
    }

    #[test]
    fn tools_of_whole_databases() {
        check(
            tool,
            &[
                ("createdb -h db01 x", "changes at db01"),
                ("dropdb x", "changes at same"),
                ("vacuumdb --host=db01 -a", "changes at db01"),
                ("dropdb --help", "reads"),
                ("dropdb -wh db01 x", "changes at ?"),
                ("createdb …", "changes at ?"),
                ("createdb --maintenance-db=postgresql://db01/x y", "changes at ?"),
            ],
        );
        check(
            restore,
            &[
                ("pg_restore -h db01 -d x f.dump", "changes at db01"),
                ("pg_restore -l f.dump", "reads"),
                ("pg_restore f.dump", "reads"),
                ("pg_restore -f out.sql f.dump", "writes out.sql"),
                ("pg_restore -d postgresql://db01/x f.dump", "changes at db01"),
                ("pg_restore -Cd x f.dump", "changes at same"),
            ],
        );
    }
}
