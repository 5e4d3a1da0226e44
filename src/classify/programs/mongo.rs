//! `mongosh`, `mongo`, and the tools that come with MongoDB. Pure.

use super::copied;
use super::database;
use super::host;
use super::options::{self, Parsed, Spec};
use crate::classify::effect::{Command, Effect, Facts, Host, Report, Stdin};
use crate::classify::mongo;
use crate::classify::sql::Says;
use crate::classify::word::Word;

#[rustfmt::skip]
const SPEC: Spec = Spec {
    flags: "h",
    values: "upf",
    long_flags: &[
        "help", "version", "build-info", "quiet", "nodb", "norc", "no-quiet", "tls", "ssl", "tlsAllowInvalidCertificates", "tlsAllowInvalidHostnames", "retryWrites",
        "verbose", "json", "sslAllowInvalidCertificates", "skipStartupWarnings", "tlsUseSystemCA", "deepInspect",
    ],
    long_values: &[
        "host", "port", "username", "password", "authenticationDatabase", "authenticationMechanism", "eval", "file", "tlsCAFile",
        "tlsCertificateKeyFile", "tlsCertificateKeyFilePassword", "apiVersion", "sslCAFile", "sslPEMKeyFile", "gssapiServiceName", "tlsCRLFile", "apiStrict",
    ],
    ..Spec::MIXED
};

/// Judges a command of `mongosh` or `mongo`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let (parsed, guess) = match options::parse_guessing(command.arguments(), &SPEC) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["h", "help", "version", "build-info"]) {
        return Report::reads();
    }
    let is_file = |word: &Word| word.known().is_some_and(|text| text.ends_with(".js") || text.ends_with(".mongodb"));
    let mut texts: Vec<Result<String, String>> = vec![];
    let later = |word: &Word| format!("the script `{}` is only known when it runs", word.shown());
    for value in parsed.values(&["eval"]) {
        texts.push(value.known().map(str::to_owned).ok_or_else(|| later(value)));
    }
    for path in parsed.values(&["f", "file"]).chain(parsed.operands.iter().filter(|word| is_file(word))) {
        texts.push(copied::text_of(path, facts));
    }
    if texts.is_empty() {
        match &command.stdin {
            Stdin::Inherited | Stdin::Nothing => {}
            Stdin::Text(text) => texts.push(text.known().map(str::to_owned).ok_or_else(|| later(text))),
            Stdin::File(path) => texts.push(copied::text_of(path, facts)),
            Stdin::Unknown => texts.push(Err("the script that it reads on stdin is not known".into())),
        }
    }
    let address = parsed.operands.iter().find(|word| !is_file(word));
    let hosts = hosts(&parsed, address);
    let mut says = Says::Reads;
    let mut effects = vec![];
    for text in texts {
        match text.map(|text| mongo::script(&text)) {
            Ok(seen) => {
                says.and(seen.changes.map_or(Says::Reads, Says::Changes));
                // The shell runs any JavaScript where it is: what can't be told may reach more than the server.
                let why = seen.doubt.map(|what| format!("it {what}, and it can't be told what that does"));
                effects.extend(why.map(Effect::Unknown));
            }
            Err(why) => effects.push(Effect::Unknown(why)),
        }
    }
    let mut all = database::at_server(says, &hosts);
    all.extend(effects);
    all.extend(guess);
    Report { effects: all, by: None }
}

fn hosts(parsed: &Parsed, address: Option<&Word>) -> Vec<Host> {
    if let Some(name) = parsed.values(&["host"]).last() {
        return of_list(name);
    }
    let Some(address) = address else { return vec![Host::Same] };
    if address.beginning().starts_with("mongodb+srv://") {
        return vec![Host::Unknown("which machines `mongodb+srv` names is looked up when it runs".into())];
    }
    if let Some(hosts) = database::of_uri(address) {
        return hosts;
    }
    match address.known() {
        // `host:port/db`, `host/db`; else the name of a database.
        Some(text) => match text.split_once('/') {
            Some((place, _)) => vec![database::machine(&host::with_port(&place.into()).host)],
            None if text.contains([':', '.']) => vec![database::machine(&host::with_port(address).host)],
            None => vec![Host::Same],
        },
        None => vec![host::host(address)],
    }
}

/// `set/host:port,host:port`.
fn of_list(name: &Word) -> Vec<Host> {
    if let Some(hosts) = name.known().and_then(|_| database::of_uri(name)) {
        return hosts;
    }
    let Some(text) = name.known() else { return vec![host::host(name)] };
    let list = text.split_once('/').map_or(text, |(_, list)| list);
    list.split(',').map(|one| database::machine(&host::with_port(&one.into()).host)).collect()
}

/// Judges a command of `mongorestore`, `mongoimport` and of `mongodump`, `mongoexport`.
#[must_use]
pub fn tool(command: &Command, _: &Facts) -> Report {
    let words = command.arguments();
    let has = |names: &[&str]| words.iter().any(|word| word.known().is_some_and(|word| names.contains(&word)));
    if has(&["--help", "--version", "--dryRun"]) {
        return Report::reads();
    }
    let name = command.program().unwrap_or_default();
    let mut parsed = Parsed::default();
    let mut address = None;
    let mut out = None;
    let mut at = words.iter();
    while let Some(word) = at.next() {
        match word.known() {
            Some("-h" | "--host") => parsed.options.push(("host".into(), at.next().cloned())),
            Some("-o" | "--out") => out = at.next().cloned(),
            Some("--uri") => address = at.next().cloned(),
            _ => {
                if let Some(host) = word.strip_prefix("--host=") {
                    parsed.options.push(("host".into(), Some(host)));
                } else if let Some(uri) = word.strip_prefix("--uri=") {
                    address = Some(uri);
                } else if let Some(path) = word.strip_prefix("--out=").or_else(|| word.strip_prefix("--archive=")) {
                    out = Some(path);
                } else if word.beginning().starts_with("mongodb") {
                    address = Some(word.clone());
                } else if word.known().is_none() && word.may_be_option() {
                    parsed.options.push(("host".into(), Some(Word::unknown())));
                }
            }
        }
    }
    if matches!(name, "mongodump" | "mongoexport") {
        // Without a folder `mongodump` writes into `dump`.
        let default = (name == "mongodump" && !has(&["--archive"])).then(|| Word::from("dump"));
        return out.or(default).map_or_else(Report::reads, |path| Report::of(Effect::Writes(path)));
    }
    let hosts = hosts(&parsed, address.as_ref());
    Report::of(Effect::ChangesAt { hosts, how: format!("changes a database with `{name}`") })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn scripts_where_the_server_is() {
        check(
            judge,
            &[
                ("mongosh mongodb://db01:27017/app --eval 'db.c.find()'", "reads"),
                ("mongosh mongodb://u:p@db01/app --eval 'db.c.drop()'", "changes at db01"),
                ("mongosh mongodb://db01,db02/app?replicaSet=x --eval 'db.c.drop()'", "changes at db01,db02"),
                ("mongosh --host db01 app --eval 'db.c.drop()'", "changes at db01"),
                ("mongo --host rs0/db01:27017,db02 --eval 'db.c.drop()'", "changes at db01,db02"),
                ("mongosh db01:27017/app --eval 'db.c.drop()'", "changes at db01"),
                ("mongosh app --eval 'db.c.drop()'", "changes at same"),
                ("mongosh mongodb+srv://x.example/app --eval 'db.c.drop()'", "changes at ?"),
                ("mongosh mongodb+srv://x.example/app --eval 'db.c.find()'", "reads"),
                ("mongosh mongodb://db01 <<< db.c.insertOne({})", "changes at db01"),
                ("mongosh mongodb://db01 x.js", "unknown"),
                ("mongosh mongodb://db01", "reads"),
                ("mongosh mongodb://db01 --eval 'require(1)'", "unknown"),
                ("mongosh mongodb://u:…@db01/x --eval 'db.c.drop()'", "changes at db01"),
                ("mongosh … --eval 'db.c.drop()'", "changes at ?; unknown on a guest"),
            ],
        );
        check_unknown(judge, &["mongosh mongodb://db01 --eval …", "mongosh --frob"]);
        check(
            tool,
            &[
                ("mongorestore --host db01 dump", "changes at db01"),
                ("mongorestore --uri=mongodb://db01/x dump", "changes at db01"),
                ("mongoimport --uri mongodb://db01/x f", "changes at db01"),
                ("mongodump --host db01 -o out", "writes out"),
                ("mongodump --host db01", "writes dump"),
                ("mongoexport --host db01 -c x", "reads"),
                ("mongorestore … dump", "changes at ?"),
            ],
        );
    }
}
