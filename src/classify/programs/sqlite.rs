//! `sqlite3`: statements for a file on the machine where it runs. Pure.

use super::database::Session;
use crate::classify::effect::{Command, Effect, Facts, Report};
use crate::classify::sql::{Client, Dialect, Says};
use crate::classify::word::Word;

const FLAGS: &[&str] = &[
    "append",
    "ascii",
    "bail",
    "batch",
    "box",
    "column",
    "csv",
    "deserialize",
    "echo",
    "header",
    "noheader",
    "html",
    "interactive",
    "json",
    "line",
    "list",
    "markdown",
    "memtrace",
    "nofollow",
    "quote",
    "readonly",
    "safe",
    "stats",
    "table",
    "tabs",
    "zip",
    "unsafe-testing",
];
const VALUES: &[(&str, usize)] = &[
    ("cmd", 1),
    ("init", 1),
    ("lookaside", 2),
    ("maxsize", 1),
    ("mmap", 1),
    ("newline", 1),
    ("nonce", 1),
    ("nullvalue", 1),
    ("pagecache", 2),
    ("separator", 1),
    ("vfs", 1),
    ("heap", 1),
];

/// Judges a command of `sqlite3`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let mut session = Session::new(Dialect::Sqlite, Client::Sqlite, facts);
    let mut file: Option<Word> = None;
    let mut given = false;
    let mut words = command.arguments().iter();
    while let Some(word) = words.next() {
        let option = word.beginning().strip_prefix("--").or_else(|| word.beginning().strip_prefix('-'));
        match (option, word.known()) {
            (Some(name), Some(_)) => {
                if name == "version" || name == "help" {
                    return Report::reads();
                }
                if FLAGS.contains(&name) {
                    continue;
                }
                let Some((_, count)) = VALUES.iter().find(|(value, _)| *value == name) else {
                    return Report::unknown(format!("its option `-{name}` is not known"));
                };
                let value = words.next().cloned().unwrap_or_default();
                match name {
                    "cmd" => session.script(&value),
                    "init" => session.file(&value),
                    _ => words.by_ref().take(count - 1).for_each(drop),
                }
            }
            (None, None) if word.may_be_option() => {
                return Report::unknown(format!("whether `{}` is an option can't be told", word.shown()));
            }
            (Some(_), None) => return Report::unknown("its options can't be told before it runs"),
            (None, _) if file.is_none() => file = Some(word.clone()),
            (None, _) => {
                given = true;
                session.script(word);
            }
        }
    }
    if !given {
        session.stdin(&command.stdin);
    }
    let (says, mut effects) = session.seen();
    let in_memory = file.as_ref().is_none_or(|file| matches!(file.known(), Some("" | ":memory:")));
    match (says, file) {
        (Says::Reads, _) => {}
        (_, Some(file)) if !in_memory => {
            // `file:x.db?mode=rw`
            let plain = !file.may_begin_with("file:");
            effects.push(if plain {
                Effect::Writes(file)
            } else {
                Effect::Changes("changes a database's file".into())
            });
        }
        _ => {}
    }
    Report { effects, by: None }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn a_file_is_read_or_written() {
        check(
            judge,
            &[
                ("sqlite3 app.db 'SELECT * FROM t'", "reads"),
                ("sqlite3 -header -csv app.db .tables", "reads"),
                ("sqlite3 -separator , app.db 'SELECT 1' 'DELETE FROM t'", "writes app.db"),
                ("sqlite3 /srv/app.db <<< INSERT INTO t VALUES (1);", "writes /srv/app.db"),
                ("sqlite3 app.db", "reads"),
                ("sqlite3 :memory: 'CREATE TABLE t (a)'", "reads"),
                ("sqlite3 file:app.db?mode=rwc 'DELETE FROM t'", "changes"),
                ("sqlite3 app.db '.shell reboot'", "sh {reboot} <unknown"),
                ("sqlite3 app.db '.output x' 'SELECT 1'", "writes x"),
                ("sqlite3 -cmd '.mode box' app.db 'SELECT f(1)'", "writes app.db"),
                ("sqlite3 app.db '.read x.sql'", "unknown"),
                ("sqlite3 --version", "reads"),
                ("sqlite3 /srv/… 'DELETE FROM t'", "writes /srv/…"),
            ],
        );
        check_unknown(judge, &["sqlite3 -A x", "sqlite3 …", "sqlite3 app.db …", "sqlite3 app.db '.load x'"]);
    }
}
