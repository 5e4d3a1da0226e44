//! `sqlcmd`, `osql`, `bcp`: SQL Server; `sqlplus`: Oracle. Pure.

use super::database::{self, Session};
use super::host;
use super::options::{self, Spec};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::sql::{Client, Dialect};
use crate::classify::word::Word;

/// Judges a command of `sqlcmd` or `osql`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let spec = Spec {
        flags: "AbCeEgGIjkMnNOpuWxX?1",
        values: "acdDfFhHiKlmoPqQRsStTUvVwyYzZ",
        glued: "rL",
        long_flags: &["help", "version"],
        long_values: &[],
        ..Spec::MIXED
    };
    let (parsed, guess) = match options::parse_guessing(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["?", "L", "help", "version"]) {
        return Report::reads();
    }
    // The newer one, of the same name, has sub-commands: it makes servers in containers, and keeps settings.
    match parsed.operands.first().map(|word| word.known()) {
        None => {}
        Some(Some(verb @ ("create" | "install" | "start" | "stop" | "delete" | "uninstall"))) => {
            return Report::changes(format!("changes a server in a container with `sqlcmd {verb}`"));
        }
        Some(_) => return Report::unknown("what this sub-command of sqlcmd does is not known"),
    }
    let mut session = Session::new(Dialect::MsSql, Client::Sqlcmd, facts);
    let mut given = false;
    for (name, value) in &parsed.options {
        let Some(value) = value else { continue };
        match name.as_str() {
            "q" | "Q" => {
                given = true;
                session.script(value);
            }
            "i" => {
                given = true;
                match value.known() {
                    Some(list) => list.split(',').for_each(|path| session.file(&path.trim().into())),
                    None => session.file(value),
                }
            }
            "o" => session.output(value),
            "c" => session.doubt("it parts its statements by a word of its own"),
            "z" | "Z" => session.doubt("it sets a new password"),
            "D" => session.doubt("a data source that a file describes names the machine"),
            _ => {}
        }
    }
    if !given {
        session.stdin(&command.stdin);
    }
    // It is run before anything else.
    if is_set(facts, "SQLCMDINI") {
        session.doubt("`SQLCMDINI` names a script that it runs");
    }
    let server_variable = facts.variables.variable("SQLCMDSERVER");
    let hosts = parsed.values(&["S"]).last().or(server_variable.as_ref()).map_or(Host::Same, server);
    let mut report = session.report(vec![hosts]);
    report.effects.extend(guess);
    report
}

fn is_set(facts: &Facts, name: &str) -> bool {
    facts.variables.variable(name).is_some_and(|value| value.known() != Some(""))
}

/// The machine of an instance: `tcp:host\instance,port`.
#[must_use]
pub fn server(word: &Word) -> Host {
    let beginning = word.beginning();
    // The machine's name has to be known, its instance and port need not be.
    let end = beginning.find(['\\', ',']).filter(|_| !beginning.to_ascii_lowercase().starts_with("np:"));
    let name = match (end, word.known()) {
        (Some(end), _) => beginning.get(..end).unwrap_or_default(),
        (None, Some(name)) => name,
        (None, None) => return host::host(word),
    };
    let lower = name.to_ascii_lowercase();
    let name = ["tcp:", "admin:"].iter().find_map(|way| lower.strip_prefix(way)).unwrap_or(&lower);
    if name.starts_with("lpc:") || [".", "(local)", "(localdb)", ""].contains(&name) {
        return Host::Same;
    }
    if let Some(pipe) = name.strip_prefix("np:\\\\") {
        let name = pipe.split('\\').next().unwrap_or_default();
        return if name == "." { Host::Same } else { host::named(name) };
    }
    host::named(name)
}

/// Judges a command of `bcp`.
#[must_use]
pub fn bcp(command: &Command, facts: &Facts) -> Report {
    let spec = Spec {
        flags: "cCEkKnNqRuvVwxTG",
        values: "abdDefFhilLmoPrsStUy",
        long_flags: &["help", "version"],
        long_values: &[],
        ..Spec::MIXED
    };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["v", "help", "version"]) || parsed.operands.is_empty() {
        return Report::reads();
    }
    let hosts = vec![parsed.values(&["S"]).last().map_or(Host::Same, server)];
    let way = parsed.operands.get(1).and_then(Word::known).unwrap_or_default().to_ascii_lowercase();
    let file = parsed.operands.get(2).cloned().unwrap_or_else(Word::unknown);
    let mut session = Session::new(Dialect::MsSql, Client::Plain, facts);
    for path in parsed.values(&["e", "o"]).chain(std::iter::once(&file).filter(|_| way != "in")) {
        session.output(path);
    }
    match way.as_str() {
        "out" | "format" => {}
        "queryout" => session.plain(parsed.operands.first().unwrap_or(&file)),
        _ => {
            let how = "changes a database with `bcp`".to_owned();
            return Report::of(Effect::ChangesAt { hosts, how });
        }
    }
    session.report(hosts)
}

/// Judges a command of `sqlplus`.
#[must_use]
pub fn sqlplus(command: &Command, facts: &Facts) -> Report {
    let spec = Spec {
        flags: "SsLlVvHhFf",
        values: "CcMmRrAaPp",
        long_flags: &["help", "version"],
        long_values: &[],
        ..Spec::MIXED
    };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["V", "v", "H", "h", "help", "version"]) {
        return Report::reads();
    }
    let mut session = Session::new(Dialect::Oracle, Client::SqlPlus, facts);
    let mut hosts = vec![Host::Same];
    let mut script = false;
    for word in &parsed.operands {
        if script {
            // What a script is given stands in it as `&1`, which is doubted there.
            continue;
        }
        if let Some(path) = word.strip_prefix("@") {
            script = true;
            let dotted =
                path.known().is_some_and(|path| path.rsplit('/').next().is_some_and(|name| name.contains('.')));
            let mut path = path;
            if !dotted {
                path.push_text(".sql");
            }
            session.file(&path);
        } else if word.known().is_none() || word.known().is_some_and(|text| text.contains('@')) {
            hosts = vec![of_login(word)];
        }
    }
    // Behind a script it reads on.
    session.stdin(&command.stdin);
    // A script of the folder that these name runs first.
    if let Some(name) = ["SQLPATH", "ORACLE_PATH", "ORACLE_HOME"].iter().find(|name| is_set(facts, name)) {
        session.doubt(format!("`{name}` may name a script that it runs"));
    }
    // Without a machine in the login these name one.
    if hosts == [Host::Same]
        && let Some(name) = ["TWO_TASK", "LOCAL"].iter().find(|name| is_set(facts, name))
    {
        hosts = vec![Host::Unknown(format!("`{name}` names the database"))];
    }
    session.report(hosts)
}

/// `user/password@//host:port/service`.
fn of_login(word: &Word) -> Host {
    let stretches: Vec<&str> = word.stretches().collect();
    let last = stretches.last().copied().unwrap_or_default();
    let Some((_, place)) = last.rsplit_once('@') else {
        return Host::Unknown("where the database is can only be told when it runs".into());
    };
    let plain = place.strip_prefix("//").unwrap_or(place);
    let plain = plain.strip_prefix("tcp://").or_else(|| plain.strip_prefix("tcps://")).unwrap_or(plain);
    match plain.split_once('/') {
        Some((machine, _)) => database::machine(&host::with_port(&machine.into()).host),
        None if plain.contains(':') && !plain.contains('(') => database::machine(&host::with_port(&plain.into()).host),
        None => Host::Unknown(format!("`{plain}` is a name that a file of Oracle's describes")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_with};
    use super::*;

    #[test]
    fn sql_server() {
        check(
            judge,
            &[
                ("sqlcmd -S db01 -Q 'SELECT 1'", "reads"),
                ("sqlcmd -S tcp:db01,1433 -U sa -P x -Q 'DROP TABLE t'", "changes at db01"),
                ("sqlcmd -Sdb01\\\\SQL -Q 'UPDATE t SET a = 1'", "changes at db01"),
                ("sqlcmd -S . -Q 'DROP TABLE t'", "changes at same"),
                ("sqlcmd -S localhost -Q 'DROP TABLE t'", "changes at same"),
                ("sqlcmd -Q 'DROP TABLE t'", "changes at same"),
                ("sqlcmd -S db01 -Q 'EXEC sp_who2'", "reads"),
                ("sqlcmd -S db01 -Q 'EXEC xp_cmdshell 1'", "changes at db01; unknown"),
                ("sqlcmd -S db01 -i x.sql", "unknown at db01; unknown"),
                ("sqlcmd -S db01 -Q 'SELECT 1' -o out.txt", "writes out.txt"),
                ("sqlcmd -S db01 -Q 'SELECT $(x)'", "unknown at db01; unknown"),
                ("sqlcmd -S …,1433 -Q 'DROP TABLE t'", "changes at ?"),
                ("osql -S db01 -E -Q 'DELETE FROM t'", "changes at db01"),
                ("sqlcmd -S np:\\\\\\\\db01\\\\pipe\\\\sql -Q 'DELETE FROM t'", "changes at db01"),
                ("sqlcmd -S db01 -Q 'SELECT dbo.f(1)'", "unknown at db01"),
            ],
        );
        check(
            bcp,
            &[
                ("bcp db.dbo.t in f.dat -S db01 -T -c", "changes at db01"),
                ("bcp db.dbo.t out f.dat -S db01 -T -c", "writes f.dat"),
                ("bcp 'SELECT 1' queryout f.dat -S db01 -T", "writes f.dat"),
                ("bcp 'DELETE FROM t' queryout f.dat -S db01 -T", "changes at db01; writes f.dat"),
            ],
        );
    }

    #[test]
    fn the_environment_names_the_machine() {
        check_with(
            judge,
            &[
                ("SQLCMDSERVER=db01", "sqlcmd -Q 'DROP TABLE t'", "changes at db01"),
                ("SQLCMDSERVER=db01", "sqlcmd -S db02 -Q 'DROP TABLE t'", "changes at db02"),
                ("SQLCMDINI=x.sql", "sqlcmd -S db02 -Q 'SELECT 1'", "unknown at db02; unknown"),
            ],
        );
        check_with(
            sqlplus,
            &[
                ("TWO_TASK=prod", "sqlplus u/p @/x.sql", "unknown"),
                ("TWO_TASK=prod", "sqlplus -V", "reads"),
                ("SQLPATH=/x", "sqlplus u/p@db01/svc", "unknown at db01; unknown"),
            ],
        );
    }

    #[test]
    fn oracle() {
        check(
            sqlplus,
            &[
                ("sqlplus -s u/p@//db01:1521/svc <<< delete from t;", "changes at db01"),
                ("sqlplus -s u/p@db01/svc <<< select 1 from dual;", "reads"),
                ("sqlplus u/…@//db01:1521/svc <<< delete from t;", "changes at db01"),
                ("sqlplus u/p@prod <<< delete from t;", "changes at ?"),
                ("sqlplus / as sysdba <<< shutdown immediate", "changes at same"),
                ("sqlplus u/p@db01/svc @x", "unknown at db01; unknown"),
                ("sqlplus u/p@db01/svc <<< host reboot", "sh {reboot} <unknown"),
                ("sqlplus /nolog <<< connect x@db02", "unknown"),
                ("sqlplus -V", "reads"),
            ],
        );
    }
}
