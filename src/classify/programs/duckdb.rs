//! `duckdb`: statements for a file on the machine where it runs, which may reach other databases too. Pure.

use super::database::Session;
use crate::classify::effect::{Command, Effect, Facts, Report, Stdin};
use crate::classify::sql::{Client, Dialect, Says};
use crate::classify::word::Word;

const FLAGS: &[&str] = &[
    "ascii",
    "bail",
    "batch",
    "box",
    "column",
    "csv",
    "dark-mode",
    "echo",
    "header",
    "html",
    "interactive",
    "json",
    "jsonlines",
    "light-mode",
    "line",
    "list",
    "markdown",
    "no-init",
    "no-stdin",
    "noheader",
    "quote",
    "readonly",
    "safe",
    "table",
    "unredacted",
];

/// What a statement holds that reaches other databases, or loads code; a file that is written may lie elsewhere too.
const BEYOND: &[&str] = &[
    "attach",
    "bigquery",
    "ducklake",
    "iceberg",
    "install",
    "load",
    "md:",
    "mssql",
    "mysql",
    "odbc",
    "postgres",
    "secret",
    "shellfs",
    "snowflake",
    "http_",
    "https_",
    "mongo",
];

/// Judges a command of `duckdb`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    // It takes PostgreSQL's way of writing, and the commands of the shell of SQLite.
    let mut session = Session::new(Dialect::Postgres, Client::Sqlite, facts);
    let mut texts: Vec<Word> = vec![];
    let mut file: Option<Word> = None;
    let (mut given, mut ends) = (false, false);
    let mut words = command.arguments().iter();
    while let Some(word) = words.next() {
        let option = word.beginning().strip_prefix("--").or_else(|| word.beginning().strip_prefix('-'));
        match (option, word.known()) {
            (Some("help" | "h" | "version"), Some(_)) => return Report::reads(),
            (Some("no-stdin"), Some(_)) => ends = true,
            (Some(name), Some(_)) if FLAGS.contains(&name) => {}
            (Some(name @ ("c" | "s" | "cmd")), Some(_)) => {
                ends |= name != "cmd";
                given = true;
                texts.push(words.next().cloned().unwrap_or_default());
            }
            (Some(name @ ("f" | "init")), Some(_)) => {
                ends |= name == "f";
                let path = words.next().cloned().unwrap_or_default();
                match super::copied::text_of(&path, facts) {
                    Ok(text) => texts.push(Word::known_as(text)),
                    Err(why) => session.doubt(why),
                }
            }
            (Some("newline" | "nullvalue" | "separator" | "storage-version"), Some(_)) => {
                words.next();
            }
            (Some(_), _) => return Report::unknown(format!("its option `{}` is not known", word.shown())),
            (None, None) if word.may_be_option() => {
                return Report::unknown(format!("whether `{}` is an option can't be told", word.shown()));
            }
            (None, _) if file.is_none() => file = Some(word.clone()),
            (None, _) => {
                given = true;
                ends = true;
                texts.push(word.clone());
            }
        }
    }
    if !ends {
        match &command.stdin {
            Stdin::Text(text) => texts.push(text.clone()),
            Stdin::File(path) => match super::copied::text_of(path, facts) {
                Ok(text) => texts.push(Word::known_as(text)),
                Err(why) => session.doubt(why),
            },
            Stdin::Unknown if !given => session.doubt("the statements that it reads on stdin are not known"),
            Stdin::Unknown | Stdin::Inherited | Stdin::Nothing => {}
        }
    }
    let elsewhere = |word: &Word| word.stretches().any(|text| text.contains(':')) && word.known() != Some(":memory:");
    if file.as_ref().is_some_and(elsewhere) {
        session.doubt("its database may lie on another server");
    }
    for text in &texts {
        session.script(text);
        let lower = text.shown().to_ascii_lowercase();
        let writes_far = ["copy", "export"].iter().any(|word| lower.contains(word)) && lower.contains("://");
        if writes_far || BEYOND.iter().any(|word| lower.contains(word)) {
            session.doubt("its statements may reach another database");
        }
    }
    let (says, mut effects) = session.seen();
    match says {
        Says::Reads => {}
        Says::Changes(how) => effects.push(Effect::Changes(how)),
        Says::Unknown(what) => effects.push(Effect::Works(what)),
    }
    Report { effects, by: None }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn a_file_here_or_another_database() {
        check(
            judge,
            &[
                ("duckdb x.db -c 'SELECT 1'", "reads"),
                ("duckdb -json x.db 'SELECT * FROM \"a.parquet\"'", "reads"),
                ("duckdb -csv -c \"SELECT * FROM 'https://x/y.csv'\"", "reads"),
                ("duckdb -c \"SELECT * FROM read_csv('a.csv')\"", "works"),
                ("duckdb x.db 'DELETE FROM t'", "changes"),
                ("duckdb x.db <<< INSERT INTO t VALUES (1)", "changes"),
                ("duckdb -c \"COPY t TO 'x.parquet'\"", "changes"),
                ("duckdb x.db -c '.shell reboot'", "sh {reboot} <unknown"),
                ("duckdb -c \"ATTACH 'host=db01' AS p (TYPE postgres)\"", "unknown; changes"),
                ("duckdb -c \"COPY t TO 's3://x/y'\"", "unknown; changes"),
                ("duckdb -no-stdin x.db <<< DROP TABLE t", "reads"),
                ("duckdb x.db", "reads"),
                ("duckdb --version", "reads"),
            ],
        );
        check_unknown(
            judge,
            &[
                "duckdb md:prod 'SELECT 1'",
                "duckdb postgres:host=db01 'SELECT 1'",
                "duckdb -c \"CALL postgres_execute('p', 'DROP TABLE t')\"",
                "duckdb -c \"INSTALL x; LOAD x\"",
                "duckdb -c …",
                "duckdb …",
                "duckdb -ui",
                "duckdb -unsigned -c 'SELECT 1'",
                "duckdb -f none.sql",
                "duckdb -c '.open other.db'",
            ],
        );
    }
}
