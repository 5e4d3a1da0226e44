//! Judges any text as statements of every client: no panic, no stack overflow, no time that grows faster than the text;
//! and a statement that was understood hides none that stands behind it.

use super::ground::{text, within};
use zerto_guard::classify::sql::{Client, Dialect, Says, judge, judge_any};

/// Runs one input.
pub fn run(bytes: &[u8]) {
    within(1, || any(text(bytes)));
}

fn any(text: &str) {
    let _ = judge_any(text);
    for (dialect, client) in [
        (Dialect::Postgres, Client::Psql),
        (Dialect::MySql, Client::MySql),
        (Dialect::MsSql, Client::Sqlcmd),
        (Dialect::Oracle, Client::SqlPlus),
        (Dialect::Sqlite, Client::Sqlite),
    ] {
        let _ = judge(text, dialect, client);
        let alone = judge(text, dialect, Client::Plain);
        if !alone.refused {
            let before = judge(&format!("{text}\n;\nDROP TABLE t"), dialect, Client::Plain);
            // A comment without an end goes to the end of the text for SQLite.
            let open = dialect == Dialect::Sqlite && text.contains("/*");
            assert!(open || matches!(before.says, Says::Changes(_)), "{dialect:?} {text}");
        }
    }
}
