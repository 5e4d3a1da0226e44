//! Which machine a client of PostgreSQL reaches, and the programs that change one of its databases as a whole. Pure.

use super::database;
use super::options::{self, Spec};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::word::Word;

/// The machines of the server, from an option and the name of a database: a connection string counts more than an option,
/// and that more than the environment.
#[must_use]
pub fn machines(option: Option<&Word>, database: Option<&Word>, facts: &Facts) -> Vec<Host> {
    let set = |name: &str| facts.variables.variable(name).filter(|value| value.known() != Some(""));
    // A service gives what is not given otherwise, and that may be an address.
    if let Some(name) = set("PGSERVICE") {
        return vec![Host::Unknown(format!("`PGSERVICE` is `{}`, which a file describes", name.shown()))];
    }
    let named = database.and_then(of_connection);
    match (named, set("PGHOSTADDR")) {
        (Some(Named { hosts, by_address: true }), _) | (Some(Named { hosts, .. }), None) => hosts,
        // An address counts, whatever name stands beside it.
        (_, Some(address)) => of_list(&address),
        (None, None) => match option {
            Some(option) => of_list(option),
            None => set("PGHOST").map_or_else(|| vec![Host::Same], |name| of_list(&name)),
        },
    }
}

/// What the environment says of how statements are read, if it may be another way than usual.
#[must_use]
pub fn settings(facts: &Facts) -> Option<String> {
    /// Settings under which every statement does what it says.
    const PLAIN: &[&str] = &[
        "application_name",
        "client_min_messages",
        "datestyle",
        "default_transaction_read_only",
        "extra_float_digits",
        "idle_in_transaction_session_timeout",
        "jit",
        "lock_timeout",
        "search_path",
        "statement_timeout",
        "timezone",
        "work_mem",
    ];
    let plain = |text: &str| {
        let mut words = text.split_whitespace();
        let settings = std::iter::from_fn(|| match words.next()? {
            "-c" => Some(words.next().unwrap_or_default()),
            word => Some(word.strip_prefix("--").or_else(|| word.strip_prefix("-c")).unwrap_or_default()),
        });
        let mut names = settings.map(|setting| setting.split('=').next().unwrap_or_default().to_ascii_lowercase());
        !text.contains('\\') && names.all(|name| PLAIN.contains(&name.as_str()))
    };
    if let Some(options) = facts.variables.variable("PGOPTIONS")
        && !options.known().is_some_and(plain)
    {
        return Some("`PGOPTIONS` may set how its statements are read".into());
    }
    let encoding = facts.variables.variable("PGCLIENTENCODING")?;
    let usual = |name: &str| {
        let name = name.to_ascii_lowercase();
        ["", "auto"].contains(&name.as_str())
            || ["utf", "unicode", "latin", "sql_ascii"].iter().any(|s| name.starts_with(s))
    };
    let usual = encoding.known().is_some_and(usual);
    (!usual).then(|| "`PGCLIENTENCODING` sets how its statements are read".into())
}

/// Machines that a connection string names.
struct Named {
    hosts: Vec<Host>,
    /// Whether by an address, beside which no name counts.
    by_address: bool,
}

/// Machines between commas.
fn of_list(list: &Word) -> Vec<Host> {
    match list.known() {
        Some(list) => list.split(',').map(|name| database::machine(&name.trim().into())).collect(),
        None => vec![database::machine(list)],
    }
}

/// The machines that a database's name holds, if it is a connection string that names any.
fn of_connection(name: &Word) -> Option<Named> {
    let found = |hosts: Vec<Host>| Some(Named { hosts, by_address: false });
    let beginning = name.beginning();
    let is_uri = beginning.starts_with("postgres://") || beginning.starts_with("postgresql://");
    if is_uri {
        let hosts = database::of_uri(name)?;
        // Without a machine in it the option counts.
        return if hosts == [Host::Same] && beginning.contains(":///") { None } else { found(hosts) };
    }
    let unknown = |why: &str| Some(Named { hosts: vec![Host::Unknown(why.into())], by_address: true });
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
            Some(("hostaddr", address)) => return Some(Named { hosts: of_list(&address.into()), by_address: true }),
            Some(("host", name)) => host = Some(of_list(&name.into())),
            _ => {}
        }
    }
    host.and_then(found)
}

/// What is common to the options of programs that change a database as a whole.
#[rustfmt::skip]
const TOOL: Spec = Spec {
    flags: "eqwWvV?",
    values: "hpU",
    long_flags: &[
        "echo", "quiet", "no-password", "password", "version", "help", "all", "full", "freeze", "force", "verbose", "analyze",
        "analyze-only", "analyze-in-stages", "if-exists", "interactive", "createdb", "no-createdb", "superuser",
        "no-superuser", "createrole", "no-createrole", "login", "no-login", "pwprompt", "replication", "no-replication", "system",
        "concurrently", "skip-locked", "inherit", "no-inherit", "bypassrls", "no-bypassrls", "disable-page-skipping",
        "force-index-cleanup", "no-index-cleanup", "no-process-main", "no-process-toast", "no-truncate", "dry-run", "missing-stats-only",
    ],
    long_values: &[
        "host", "port", "username", "owner", "template", "encoding", "locale", "lc-collate", "lc-ctype", "tablespace",
        "maintenance-db", "dbname", "table", "jobs", "schema", "exclude-schema", "index", "parallel", "connection-limit", "role",
        "icu-locale", "icu-rules", "locale-provider", "builtin-locale", "strategy", "min-mxid-age", "min-xid-age", "buffer-usage-limit",
        "member", "with-member", "member-of", "admin", "with-admin", "valid-until",
    ],
    ..Spec::MIXED
};

/// The options of one of them: a letter may mean something else to each.
fn options_of(program: &str) -> Spec {
    let (flags, values) = match program {
        "clusterdb" => ("aeqvVwW?", "dthpU"),
        "createdb" => ("eVwW?", "DElOSThpU"),
        "createuser" => ("dDeiIlLPrRsSVwW?", "acgmvhpU"),
        "dropdb" => ("efiVwW?", "hpU"),
        "dropuser" => ("eiVwW?", "hpU"),
        "reindexdb" => ("aeqsvVwW?", "diStjhpU"),
        "vacuumdb" => ("aefFqvzZVwW?", "dtjnNPBhpU"),
        _ => ("", "hpU"),
    };
    Spec { flags, values, ..TOOL }
}

/// Judges a command of a program that changes a database as a whole: `createdb`, `vacuumdb` and their like.
#[must_use]
pub fn tool(command: &Command, facts: &Facts) -> Report {
    let name = command.program().unwrap_or_default();
    let parsed = match options::parse(command.arguments(), &options_of(name)) {
        Ok(parsed) => parsed,
        Err(why) => return at(vec![Host::Unknown(why)], name),
    };
    if parsed.has(&["help", "version", "V", "?"]) {
        return Report::reads();
    }
    // These two know databases by an option alone, and others one by a variable.
    let of_option = parsed.values(&["d", "dbname", "maintenance-db"]).filter(|_| name != "createuser");
    let of_variable = facts.variables.variable("PGDATABASE");
    let databases = of_option.chain(&parsed.operands).chain(&of_variable);
    let named = databases.filter(|word| of_connection(word).is_some()).last();
    at(machines(parsed.values(&["h", "host"]).last(), named, facts), name)
}

fn at(hosts: Vec<Host>, name: &str) -> Report {
    Report::of(Effect::ChangesAt { hosts, how: format!("changes a database with `{name}`") })
}

/// Judges a command of `pg_restore`: without a database it prints or writes a script.
#[must_use]
pub fn restore(command: &Command, facts: &Facts) -> Report {
    #[rustfmt::skip]
    let spec = Spec {
        flags: "aceClOsvVxw1W?",
        values: "dfFIjLnNPStThUp",
        long_flags: &[
            "list", "verbose", "version", "help", "data-only", "clean", "create", "exit-on-error", "no-owner", "schema-only",
            "no-privileges", "no-acl", "single-transaction", "disable-triggers", "enable-row-security", "if-exists", "no-comments",
            "no-data-for-failed-tables", "no-publications", "no-security-labels", "no-subscriptions", "no-table-access-method",
            "no-tablespaces", "strict-names", "use-set-session-authorization", "no-password", "password", "no-data", "no-schema",
            "no-policies", "no-statistics", "statistics", "statistics-only", "with-data", "with-schema", "with-statistics",
        ],
        long_values: &[
            "dbname", "file", "format", "index", "jobs", "use-list", "schema", "exclude-schema", "function", "superuser", "table",
            "trigger", "section", "host", "port", "username", "role", "filter", "transaction-size", "restrict-key",
        ],
        ..Spec::MIXED
    };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return at(vec![Host::Unknown(why)], "pg_restore"),
    };
    if parsed.has(&["help", "version", "V", "?"]) {
        return Report::reads();
    }
    let file = parsed.values(&["f", "file"]).last().filter(|path| path.known() != Some("-"));
    let database = parsed.values(&["d", "dbname"]).last();
    match (database, file) {
        (Some(database), None) if !parsed.has(&["l", "list"]) => {
            at(machines(parsed.values(&["h", "host"]).last(), Some(database), facts), "pg_restore")
        }
        (_, Some(file)) => Report::of(Effect::Writes(file.clone())),
        _ => Report::reads(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::psql;
    use super::super::testing::{check, check_with};
    use super::*;

    #[test]
    fn the_environment_names_the_machine() {
        check_with(
            psql::judge,
            &[
                ("PGHOST=db01", "psql -c 'DROP TABLE t'", "changes at db01"),
                ("PGHOST=db01,db02", "psql -c 'DROP TABLE t'", "changes at db01,db02"),
                ("PGHOST=/run/postgresql", "psql -c 'DROP TABLE t'", "changes at same"),
                ("PGHOST=", "psql -c 'DROP TABLE t'", "changes at same"),
                ("PGHOST=…", "psql -c 'DROP TABLE t'", "changes at ?"),
                ("PGHOST=db01", "psql -h db02 -c 'DROP TABLE t'", "changes at db02"),
                ("PGHOST=db01", "psql postgresql://db02/x -c 'DROP TABLE t'", "changes at db02"),
                ("PGHOST=db01", "psql postgresql:///x -c 'DROP TABLE t'", "changes at db01"),
                ("PGHOST=db01", "psql -c 'SELECT 1'", "reads"),
                ("PGHOSTADDR=10.0.0.5", "psql -h db02 -c 'DROP TABLE t'", "changes at 10.0.0.5"),
                ("PGHOSTADDR=10.0.0.5", "psql postgresql://db02/x -c 'DROP TABLE t'", "changes at 10.0.0.5"),
                ("PGHOSTADDR=10.0.0.5", "psql 'hostaddr=10.0.0.6' -c 'DROP TABLE t'", "changes at 10.0.0.6"),
                ("PGHOSTADDR=127.0.0.1", "psql -h db02 -c 'DROP TABLE t'", "changes at same"),
                ("PGSERVICE=prod", "psql -h db02 -c 'DROP TABLE t'", "changes at ?"),
                ("PGSERVICE=prod", "psql -c 'SELECT 1'", "reads"),
                ("PGOPTIONS=-c statement_timeout=5s", "psql -h db01 -c 'SELECT 1'", "reads"),
                ("PGOPTIONS=--search_path=app", "psql -h db01 -c 'SELECT 1'", "reads"),
                (
                    "PGOPTIONS=-c standard_conforming_strings=off",
                    "psql -h db01 -c 'SELECT 1'",
                    "unknown at db01; unknown",
                ),
                ("PGOPTIONS=-csession_preload_libraries=x", "psql -h db01 -c 'SELECT 1'", "unknown at db01; unknown"),
                ("PGOPTIONS=…", "psql -h db01 -c 'SELECT 1'", "unknown at db01; unknown"),
                ("PGCLIENTENCODING=SJIS", "psql -h db01 -c 'SELECT 1'", "unknown at db01; unknown"),
                ("PGCLIENTENCODING=UTF8", "psql -h db01 -c 'SELECT 1'", "reads"),
                ("PGDATABASE=app", "psql -h db01 -c 'DROP TABLE t'", "changes at db01"),
            ],
        );
        check_with(
            tool,
            &[
                ("PGHOST=db01", "dropdb x", "changes at db01"),
                ("PGDATABASE=host=db02", "vacuumdb", "changes at db02"),
                ("PGDATABASE=app", "vacuumdb -h db01", "changes at db01"),
            ],
        );
        check_with(restore, &[("PGHOST=db01", "pg_restore -d x f.dump", "changes at db01")]);
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
                ("dropdb -wh db01 x", "changes at db01"),
                ("createuser -dPh db01 x", "changes at db01"),
                ("vacuumdb -d host=db01 -z", "changes at db01"),
                ("createdb --frob x", "changes at ?"),
                ("createdb …", "changes at ?"),
                ("createdb --maintenance-db=postgresql://db01/x y", "changes at db01"),
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
                ("pg_restore -d 'host=db01 dbname=x' f.dump", "changes at db01"),
                ("pg_restore -d x -f out.sql f.dump", "writes out.sql"),
                ("pg_restore -f - f.dump", "reads"),
                ("pg_restore -d x --frob f.dump", "changes at ?"),
            ],
        );
    }
}
