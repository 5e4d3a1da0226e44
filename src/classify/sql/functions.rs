//! What a function that a statement calls does. Pure.

use super::lex::Dialect;
use super::names;

/// What a function does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It only reads, or is none: a word of the language before a bracket.
    Pure,
    /// It changes the server.
    Changes,
    /// It may reach more than the database: another server, a program, a text that is run.
    Beyond,
    /// Nobody knows.
    Unknown,
}

/// What a function does, by its name and schema.
#[must_use]
pub fn kind(name: &str, schema: Option<&str>, dialect: Dialect) -> Kind {
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return Kind::Unknown;
    }
    let name = name.to_ascii_lowercase();
    let name = name.as_str();
    let has = |list: &[&str]| list.binary_search(&name).is_ok();
    let (pure, changes, beyond): (&[&str], &[&str], &[&str]) = match dialect {
        Dialect::Postgres => (names::POSTGRES, names::POSTGRES_CHANGES, names::POSTGRES_BEYOND),
        Dialect::MySql => (names::MYSQL, names::MYSQL_CHANGES, names::MYSQL_BEYOND),
        Dialect::MsSql => (names::MSSQL, &[], names::MSSQL_BEYOND),
        Dialect::Oracle => (names::ORACLE, &[], names::ORACLE_BEYOND),
        Dialect::Sqlite => (names::SQLITE, names::SQLITE_CHANGES, names::SQLITE_BEYOND),
    };
    // What reaches far does so under any schema's name.
    if has(changes) {
        return Kind::Changes;
    }
    if has(beyond) {
        return Kind::Beyond;
    }
    if let Some(schema) = schema {
        return if of_schema(&schema.to_ascii_lowercase(), name, dialect) && !name.starts_with("xp_") {
            Kind::Pure
        } else {
            Kind::Unknown
        };
    }
    let privilege = dialect == Dialect::Postgres && name.starts_with("pg_stat_get_");
    if has(names::KEYWORDS) || has(names::COMMON) || has(pure) || privilege { Kind::Pure } else { Kind::Unknown }
}

/// What a function does where the kind of server is not known: the worst that one of them knows.
#[must_use]
pub fn kind_anywhere(name: &str, schema: Option<&str>) -> Kind {
    use Dialect::{MsSql, MySql, Oracle, Postgres, Sqlite};
    let kinds = [Postgres, MySql, MsSql, Oracle, Sqlite].map(|dialect| kind(name, schema, dialect));
    let has = |kind: Kind| kinds.contains(&kind);
    [Kind::Changes, Kind::Beyond, Kind::Pure].into_iter().find(|kind| has(*kind)).unwrap_or(Kind::Unknown)
}

fn of_schema(schema: &str, name: &str, dialect: Dialect) -> bool {
    let has = |list: &[&str]| list.binary_search(&name).is_ok();
    match dialect {
        Dialect::Postgres => {
            schema == "pg_catalog" && (has(names::POSTGRES) || has(names::COMMON) || name.starts_with("pg_stat_get_"))
        }
        Dialect::MySql => {
            schema == "sys"
                && ["format_", "extract_", "version_", "ps_is_", "ps_thread_"].iter().any(|p| name.starts_with(p))
        }
        // Methods of a column that holds XML, and what the server says of itself.
        Dialect::MsSql => {
            ["value", "query", "nodes", "exist"].contains(&name)
                || (schema == "sys" && (name.starts_with("dm_") || name.starts_with("fn_")))
        }
        Dialect::Oracle => match schema {
            "dbms_metadata" => ["get_ddl", "get_dependent_ddl", "get_granted_ddl", "get_xml"].contains(&name),
            "dbms_xplan" => name.starts_with("display"),
            "dbms_lob" => ["substr", "getlength", "instr", "compare"].contains(&name),
            "dbms_utility" => ["get_time", "port_string"].contains(&name),
            _ => false,
        },
        Dialect::Sqlite => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_in_order() {
        for list in [
            names::KEYWORDS,
            names::COMMON,
            names::POSTGRES,
            names::MYSQL,
            names::MSSQL,
            names::ORACLE,
            names::SQLITE,
            names::POSTGRES_CHANGES,
            names::MYSQL_CHANGES,
            names::SQLITE_CHANGES,
            names::POSTGRES_BEYOND,
            names::MYSQL_BEYOND,
            names::MSSQL_BEYOND,
            names::ORACLE_BEYOND,
            names::SQLITE_BEYOND,
        ] {
            assert!(list.is_sorted(), "{list:?}");
            assert!(list.iter().all(|name| *name == name.to_ascii_lowercase()));
        }
    }

    #[test]
    fn no_name_is_both_harmless_and_not() {
        let pure =
            [names::KEYWORDS, names::COMMON, names::POSTGRES, names::MYSQL, names::MSSQL, names::SQLITE].concat();
        let harmful =
            [names::POSTGRES_CHANGES, names::POSTGRES_BEYOND, names::SQLITE_CHANGES, names::MSSQL_BEYOND].concat();
        for name in harmful {
            assert!(!pure.contains(&name), "{name}");
        }
    }
}
