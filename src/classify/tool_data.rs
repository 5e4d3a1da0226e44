//! Statements for databases that a tool's call holds: SQL, commands of Redis, JavaScript for MongoDB. Pure.

use super::{Ground, Judged, changes, option_for_a_host, read_only, unguarded};
use crate::call::ToolCall;
use crate::catalog::model::Language;
use crate::classify::script::Seen;
use crate::classify::sql::{self, Client, Dialect, Says};
use crate::classify::targets::Places;
use crate::classify::{Doubt, Part, Verdict, mongo, redis};

/// Judges the statements; `vm` is the argument that names the database's machine, if one does.
pub(super) fn judge(
    call: &ToolCall,
    vm: &str,
    argument: &str,
    language: Language,
    entry: &str,
    ground: &Ground,
) -> Judged {
    let places = ground.places;
    let unknown = |reason: String, targets| Judged::new(Verdict::Unknown, reason, targets);
    let values = call.input.at(argument);
    let texts: Vec<&str> = values.iter().filter_map(|value| value.as_text()).collect();
    if texts.is_empty() || texts.len() < values.len() {
        let reason = format!("{entry} says that its argument `{argument}` holds what it runs, and there is no text");
        return unknown(reason, vec![]);
    }
    if let Some(name) = option_for_a_host(call) {
        let reason =
            format!("its argument `{name}` names a host that begins with `-`, which a program may take for an option");
        return unknown(reason, vec![]);
    }
    let (mut says, mut doubt) = (Says::Reads, None);
    for text in texts {
        let (one, why) = read(text, language, call);
        says.and(one);
        doubt = doubt.or(why);
    }
    let named = if vm.is_empty() {
        Err(format!("{entry} does not say which argument names its machine"))
    } else {
        ground.guests(call, vm)
    };
    match (says, doubt, named) {
        (Says::Reads, None, _) => read_only(format!("its {} only reads", language.name())),
        (Says::Changes(how), None, Ok(targets)) => {
            changes(&format!("its {}: it {how}; that", language.name()), targets, places)
        }
        (Says::Changes(how), Some(why), Ok(targets)) => {
            let judged = changes(&format!("its {}: it {how}; that", language.name()), targets, places);
            beside(judged, why, call)
        }
        (Says::Changes(how), _, Err(why)) => unknown(format!("it {how} on a guest that can't be named: {why}"), vec![]),
        (Says::Unknown(what), doubt, named) => {
            let reason = doubt.unwrap_or_else(|| format!("it {what}, and it can't be told what that changes"));
            at(reason, named.unwrap_or_default(), places)
        }
        (Says::Reads, Some(why), named) => at(why, named.unwrap_or_default(), places),
    }
}

/// Something unknown at guests, unless a human has left out all of them.
fn at(reason: String, targets: Vec<String>, places: &Places) -> Judged {
    let (out, guarded): (Vec<_>, Vec<_>) = targets.into_iter().partition(|target| places.is_unguarded(target));
    if guarded.is_empty() && !out.is_empty() {
        return unguarded(&out);
    }
    Judged::new(Verdict::Unknown, reason, guarded)
}

/// A change of guests, with something beside it that can't be told.
fn beside(judged: Judged, why: String, call: &ToolCall) -> Judged {
    let Judged { verdict, reason, targets, .. } = judged;
    if verdict != Verdict::Mutating {
        return Judged::new(Verdict::Unknown, why, targets);
    }
    let part = Part {
        text: call.name.clone(),
        location: targets.join(","),
        verdict,
        reason: reason.clone(),
        targets: targets.clone(),
        by: None,
        depth: 0,
        missing: None,
        open: false,
        mend: None,
    };
    let unclear = Part { verdict: Verdict::Unknown, reason: why.clone(), targets: vec![], ..part.clone() };
    Judged::of_script(Seen {
        verdict,
        reason,
        targets,
        doubt: Some(Doubt { reason: why, targets: vec![] }),
        by: None,
        open: false,
        mend: None,
        parts: vec![part, unclear],
        scripts: vec![],
        touched: vec![],
        acts_here: false,
        ours: vec![],
    })
}

/// What a text does, and why it may do more, if it may.
fn read(text: &str, language: Language, call: &ToolCall) -> (Says, Option<String>) {
    match language {
        Language::Redis => redis::lines(text),
        Language::MongoDb => {
            let seen = mongo::script(text);
            let doubt = seen.doubt.map(|what| format!("it {what}, and it can't be told what that changes"));
            (seen.changes.map_or(Says::Reads, Says::Changes), doubt)
        }
        _ => {
            let mut seen = match dialect(call) {
                Some(dialect) => sql::judge(text, dialect, Client::Plain),
                None => sql::judge_any(text),
            };
            if !seen.there.is_empty() {
                seen.says.and(Says::Changes("runs a program on a database's server".into()));
            }
            (seen.says, seen.doubts.into_iter().next())
        }
    }
}

/// The kind of server that the tool's name says, if it says one only.
fn dialect(call: &ToolCall) -> Option<Dialect> {
    let name = call.name.to_ascii_lowercase();
    let has = |names: &[&str]| names.iter().any(|part| name.contains(part));
    let kinds = [
        (has(&["postgres", "alloydb", "pgsql"]), Dialect::Postgres),
        (has(&["mysql", "mariadb"]), Dialect::MySql),
        (has(&["mssql", "sqlserver", "sql_server", "sql-server"]), Dialect::MsSql),
        (has(&["oracle"]), Dialect::Oracle),
        (has(&["sqlite"]), Dialect::Sqlite),
    ];
    let mut found = kinds.iter().filter(|(says, _)| *says).map(|(_, dialect)| *dialect);
    match (found.next(), found.next()) {
        (Some(one), None) => Some(one),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Tool;
    use crate::catalog::Catalog;
    use crate::classify::Nowhere;
    use crate::classify::targets::Places;
    use crate::json::Json;

    fn call(name: &str, text: &str, host: &str) -> ToolCall {
        ToolCall {
            tool: Tool::Joined(name.into()),
            name: name.into(),
            input: Json::Object(vec![
                ("text".into(), Json::Text(text.into())),
                ("host".into(), Json::Text(host.into())),
            ]),
            cwd: None,
            session: None,
            id: None,
            prompt: None,
            asks_human: false,
        }
    }

    fn ground<'g>(catalog: &'g Catalog, places: &'g Places) -> Ground<'g> {
        Ground { catalog, places, around: &Nowhere }
    }

    fn shown(language: Language, name: &str, vm: &str, text: &str) -> String {
        let judged = judge(
            &call(name, text, "db01"),
            vm,
            "text",
            language,
            "the entry",
            &ground(&Catalog::default(), &Places::default()),
        );
        let doubt = judged.seen.as_ref().is_some_and(|seen| seen.doubt.is_some());
        format!("{} {}{}", judged.verdict.name(), judged.targets.join(","), if doubt { " doubt" } else { "" })
    }

    #[test]
    fn statements_of_tools() {
        use Language::{MongoDb, Redis, Sql};
        for (language, name, vm, text, expected) in [
            (Sql, "x__q", "host", "SELECT 1", "read_only "),
            (Sql, "x__q", "", "SELECT 1", "read_only "),
            (Sql, "x__q", "host", "DELETE FROM t", "mutating db01"),
            (Sql, "x__q", "", "DELETE FROM t", "unknown "),
            (Sql, "x__q", "host", "SELECT f()", "unknown db01"),
            (Sql, "x__q", "host", "SELECT 'x", "unknown db01"),
            (Sql, "postgres__q", "host", "SELECT '\\'", "read_only "),
            (Sql, "x__q", "host", "SELECT pg_size_pretty(1)", "read_only "),
            (Sql, "x__q", "host", "SELECT setval(1)", "mutating db01"),
            (Sql, "postgres__q", "host", "SELECT pg_size_pretty(1)", "read_only "),
            (Sql, "postgres__q", "host", "COPY t TO PROGRAM 'x'", "mutating db01"),
            (Sql, "mysql__q", "host", "/*! DROP TABLE t */", "mutating db01"),
            (Sql, "mssql__q", "host", "EXEC xp_cmdshell 'x'", "mutating db01 doubt"),
            (Sql, "x__q", "other", "DELETE FROM t", "unknown "),
            (Redis, "x__q", "host", "GET x", "read_only "),
            (Redis, "x__q", "host", "FLUSHALL", "mutating db01"),
            (MongoDb, "x__q", "host", "db.c.find()", "read_only "),
            (MongoDb, "x__q", "host", "db.c.drop()", "mutating db01"),
            (MongoDb, "x__q", "", "db.c.drop()", "unknown "),
            (MongoDb, "x__q", "host", "f()", "unknown db01"),
        ] {
            assert_eq!(shown(language, name, vm, text), expected, "{name} {text}");
        }
    }

    #[test]
    fn what_a_human_left_out_is_not_asked_about() {
        let places = Places { unguarded: vec!["db01".into()], ..Places::default() };
        for text in ["DELETE FROM t", "SELECT f()"] {
            let judged = judge(
                &call("x__q", text, "db01"),
                "host",
                "text",
                Language::Sql,
                "the entry",
                &ground(&Catalog::default(), &places),
            );
            assert_eq!(judged.verdict, Verdict::ReadOnly, "{text}");
        }
    }
}
