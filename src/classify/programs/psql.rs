//! `psql`: statements for PostgreSQL. Pure.

use super::database::Session;
use super::options::{self, Spec};
use super::postgres;
use crate::classify::effect::{Command, Facts, Report};
use crate::classify::sql::{Client, Dialect};

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
    let (parsed, guess) = match options::parse_guessing(command.arguments(), &SPEC) {
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
    if let Some(why) = postgres::settings(facts) {
        session.doubt(why);
    }
    let database = parsed.values(&["d", "dbname"]).last().or(parsed.operands.first());
    let mut report = session.report(postgres::machines(parsed.values(&["h", "host"]).last(), database, facts));
    report.effects.extend(guess);
    report
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
                ("psql … -c 'DROP TABLE t'", "changes at ?; unknown on a guest"),
                ("psql … -c 'SELECT 1'", "unknown on a guest"),
                ("psql -d … -c 'DROP TABLE t'", "changes at ?"),
                ("psql -d app_… -c 'DROP TABLE t'", "changes at same"),
                ("psql -h … -c 'DROP TABLE t'", "changes at ?"),
                ("psql -h db01 -l", "reads"),
                ("psql -h db01", "reads"),
                ("psql -h db01 <<< SELECT 1; DELETE FROM t", "changes at db01"),
                ("psql -h db01 -f - <<< DELETE FROM t", "changes at db01"),
                ("psql -h db01 -f x.sql", "unknown at db01; unknown"),
                ("psql -h db01 -c 'SELECT my_func(1)'", "unknown at db01"),
                ("psql -c 'SELECT my_func(1)'", "works"),
                ("psql -h db01 -Atc 'SELECT 1' -o /tmp/x", "writes /tmp/x"),
                ("psql -h db01 -c 'SELECT 1' -o '|ssh web01 reboot'", "sh {ssh web01 reboot} <unknown"),
                ("psql -h db01 -c '\\! reboot'", "sh {reboot} <unknown"),
                ("psql -h db01 -c '\\dt'", "reads"),
                ("psql -h db01 -c 'COPY t TO PROGRAM $$reboot$$'", "sh {reboot} at db01 <unknown"),
                ("psql -h db01 -c 'SELECT … FROM t'", "unknown at db01"),
                ("psql -h db01 -c 'DELETE FROM t WHERE a = …'", "changes at db01"),
                ("psql -h db01 -c 'DELETE FROM t WHERE a = $$…'", "changes at db01"),
                ("psql -h db01 -c …", "unknown at db01; unknown"),
                ("psql -h db01 -c 'EXPLAIN ANALYZE DELETE FROM t'", "changes at db01"),
            ],
        );
        check_unknown(judge, &["psql --frob", "psql $*", "psql -h db01 -c '\\c - - db02'"]);
    }
}
