//! What must hold for every text: it is judged without a panic, and hides no statement that stands behind it.

use super::Dialect::{MsSql, MySql, Oracle, Postgres, Sqlite};
use super::*;
use proptest::prelude::*;

/// Pieces at which servers and clients part a text.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "SELECT", "a", "1", "'", "''", "\"", "`", "[", "]", "(", ")", ";", "\n", "\r", "\\", "\\'", "\\;", "\\g", "\\!", "\\T", "\\.", "--", "-- ", "#",
    "/*", "*/", "/*!", "/*!50000", "/*M!", "$$", "$a$", "E'", "q'[", "]'", ":x", ":'x'", "::", "@", "@@", "GO\n", "/\n", "go", "DELIMITER //\n", "//",
    "COPY t FROM stdin;\n", "EXPLAIN", "ANALYZE", "WITH x AS (", "f(", "INTO", "@x", "FOR UPDATE", ".", ".shell x\n", "host x\n", "\n\n", "{", "}", "=",
    ",", "é", "\u{a0}", "&", "$(x)", "EXEC", "BEGIN", "END", "DISTINCT ON (", "AS", "set_config('search_path'", "dual", "FROM",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![8 => prop::sample::select(PIECES).prop_map(str::to_owned), 1 => ".{0,3}"];
    prop::collection::vec((piece, prop::bool::ANY), 0..24).prop_map(|pieces| {
        pieces.iter().map(|(piece, blank)| format!("{piece}{}", if *blank { " " } else { "" })).collect()
    })
}

proptest! {
    #[test]
    fn no_statement_hides_another(text in text()) {
        let _ = judge_any(&text);
        for (dialect, client) in [
            (Postgres, Client::Psql),
            (MySql, Client::MySql),
            (MsSql, Client::Sqlcmd),
            (Oracle, Client::SqlPlus),
            (Sqlite, Client::Sqlite),
        ] {
            let own = judge(&text, dialect, client);
            let alone = judge(&text, dialect, Client::Plain);
            let behind = format!("{text}\n;\nDROP TABLE t");
            if !alone.refused {
                let seen = judge(&behind, dialect, Client::Plain);
                // A comment without an end goes to the end of the text for SQLite.
                let open = dialect == Sqlite && text.contains("/*");
                prop_assert!(open || matches!(seen.says, Says::Changes(_)), "{dialect:?} {seen:?}");
            }
            // What the client takes for its own is doubted, or the statement is seen.
            if !own.refused {
                let seen = judge(&behind, dialect, client);
                let open = dialect == Sqlite && text.contains("/*");
                let told = matches!(seen.says, Says::Changes(_)) || !seen.doubts.is_empty() || matches!(seen.says, Says::Unknown(_));
                prop_assert!(open || told, "{dialect:?} {client:?} {seen:?}");
            }
        }
    }
}
