//! `redis-cli`: commands of Redis. Pure.

use super::copied;
use super::database;
use super::host;
use crate::classify::effect::{Command, Effect, Facts, Host, Report, Stdin};
use crate::classify::redis;
use crate::classify::sql::Says;
use crate::classify::word::Word;

const VALUES: &[&str] = &[
    "-h",
    "-p",
    "-s",
    "-a",
    "--user",
    "--pass",
    "-u",
    "-r",
    "-i",
    "-n",
    "-X",
    "-d",
    "-D",
    "--sni",
    "--cacert",
    "--cacertdir",
    "--cert",
    "--key",
    "--tls-ciphers",
    "--tls-ciphersuites",
    "--show-pushes",
    "--pipe-timeout",
    "--memkeys-samples",
    "--pattern",
    "--quoted-pattern",
    "--count",
    "--intrinsic-latency",
    "-t",
    "--keystats-samples",
    "--cursor",
    "--top",
];
const FLAGS: &[&str] = &[
    "-x",
    "-c",
    "-e",
    "-2",
    "-3",
    "--tls",
    "--insecure",
    "--raw",
    "--no-raw",
    "--quoted-input",
    "--csv",
    "--json",
    "--quoted-json",
    "--no-auth-warning",
    "--verbose",
    "--askpass",
    "-4",
    "-6",
];
/// Modes that only look.
const LOOKS: &[&str] = &[
    "--stat",
    "--latency",
    "--latency-history",
    "--latency-dist",
    "--bigkeys",
    "--memkeys",
    "--hotkeys",
    "--keystats",
    "--scan",
    "--help",
    "--version",
    "-v",
    "--replica",
    "--slave",
    "--intrinsic-latency",
];

/// Judges a command of `redis-cli`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let mut hosts = vec![Host::Same];
    let mut effects = vec![];
    let (mut looks, mut changes) = (false, None);
    let all = command.arguments();
    let mut at = 0;
    while let Some(word) = all.get(at) {
        let Some(text) = word.known() else {
            if word.may_be_option() {
                return Report::unknown(format!(
                    "whether `{}` is an option can't be told before it runs",
                    word.shown()
                ));
            }
            break;
        };
        if !text.starts_with('-') || text == "-" {
            break;
        }
        at += 1;
        let value = all.get(at);
        match text {
            "-h" => hosts = value.map_or_else(Vec::new, |name| vec![database::machine(name)]),
            "-s" => hosts = vec![Host::Same],
            "-u" => hosts = value.map_or_else(Vec::new, uri),
            "--rdb" | "--functions-rdb" => {
                looks = true;
                effects.extend(value.map(|path| Effect::Writes(path.clone())));
                at += 1;
                continue;
            }
            "--pipe" => changes = Some("sends commands to a server of Redis".to_owned()),
            "--eval" => {
                changes = Some("runs a script on a server of Redis".to_owned());
                break;
            }
            "--lru-test" => changes = Some("writes test data into a server of Redis".to_owned()),
            "--cluster" => return cluster(all.get(at..).unwrap_or_default()),
            text if LOOKS.contains(&text) => looks = true,
            text if FLAGS.contains(&text) || VALUES.contains(&text) => {}
            _ => return Report::unknown(format!("its option `{text}` is not known")),
        }
        if VALUES.contains(&text) {
            if value.is_none_or(Word::is_many) {
                return Report::unknown(format!("its option `{text}` has no value that can be told"));
            }
            at += 1;
        }
    }
    let words = all.get(at..).unwrap_or_default();
    let says = match changes {
        Some(how) => Says::Changes(how),
        None if looks => Says::Reads,
        None if words.is_empty() => match stdin(&command.stdin, facts, &mut effects) {
            Ok(says) => says,
            Err(why) => return Report::unknown(why),
        },
        None => of_words(words, &mut effects),
    };
    // With `-c` it goes on at the node of a cluster that holds the key.
    let followed = all.iter().take(at).any(|word| word.known() == Some("-c"));
    if followed && says != Says::Reads {
        hosts.push(Host::Unknown("in a cluster the key may lie on another server".into()));
    }
    let mut all = database::at_server(says, &hosts);
    all.extend(effects);
    Report { effects: all, by: None }
}

/// A command by its words; the first two have to be known.
fn of_words(words: &[Word], effects: &mut Vec<Effect>) -> Says {
    let shown: Vec<String> =
        words.iter().map(|word| word.known().map_or_else(|| "STORE".to_owned(), str::to_owned)).collect();
    let first = words.first().and_then(Word::known);
    if first.is_none_or(redis::reaches) {
        let name = first.unwrap_or("…");
        effects.push(Effect::Unknown(format!("`{name}` may reach more than the server")));
    }
    let says = redis::command(shown.iter().map(String::as_str));
    match (first, says) {
        (None, _) => Says::Unknown("runs a command on a server of Redis that is only known then".into()),
        (_, says) => says,
    }
}

fn stdin(stdin: &Stdin, facts: &Facts, effects: &mut Vec<Effect>) -> Result<Says, String> {
    let text = match stdin {
        Stdin::Inherited | Stdin::Nothing => return Ok(Says::Reads),
        Stdin::Unknown => return Err("the commands that it reads on stdin are not known".into()),
        Stdin::File(path) => copied::text_of(path, facts)?,
        Stdin::Text(text) => match text.known() {
            Some(text) => text.to_owned(),
            None => return Err("the commands that it reads on stdin are only known when it runs".into()),
        },
    };
    let (says, doubt) = redis::lines(&text);
    effects.extend(doubt.map(Effect::Unknown));
    Ok(says)
}

/// `redis://user:password@host:port/0`.
fn uri(word: &Word) -> Vec<Host> {
    database::of_uri(word).unwrap_or_else(|| vec![Host::Unknown("its URI names no machine that can be told".into())])
}

/// `--cluster check host:port`.
fn cluster(words: &[Word]) -> Report {
    let reads = matches!(words.first().and_then(Word::known), Some("check" | "info" | "help" | "backup"));
    if reads
        && words.iter().all(|word| word.known().is_some_and(|text| text != "--cluster-fix-with-unreachable-masters"))
    {
        return match words {
            [first, _, folder, ..] if first.known() == Some("backup") => Report::of(Effect::Writes(folder.clone())),
            _ => Report::reads(),
        };
    }
    let hosts = words.iter().skip(1).filter(|word| word.beginning().contains(':'));
    let mut hosts: Vec<Host> = hosts.map(|word| database::machine(&host::with_port(word).host)).collect();
    hosts.push(Host::Unknown("it changes all servers of the cluster".into()));
    Report::of(Effect::ChangesAt { hosts, how: "changes a cluster of Redis".into() })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn commands_where_the_server_is() {
        check(
            judge,
            &[
                ("redis-cli -h db01 GET x", "reads"),
                ("redis-cli -h db01 -p 6380 -a pw -n 2 set x 1", "changes at db01"),
                ("redis-cli FLUSHALL", "changes at same"),
                ("redis-cli -u redis://:pw@db01:6379/0 DEL x", "changes at db01"),
                ("redis-cli -u rediss://u:…@db01 DEL x", "changes at db01"),
                ("redis-cli -s /run/redis.sock DEL x", "changes at same"),
                ("redis-cli -h db01 CONFIG GET '*'", "reads"),
                ("redis-cli -h db01 CONFIG SET dir /x", "changes at db01"),
                ("redis-cli -h db01 config …", "changes at db01"),
                ("redis-cli -h db01 INFO memory", "reads"),
                ("redis-cli -h db01 --scan --pattern 'x*'", "reads"),
                ("redis-cli -h db01 --bigkeys", "reads"),
                ("redis-cli -h db01 --rdb /tmp/x.rdb", "writes /tmp/x.rdb"),
                ("redis-cli -h db01 --eval x.lua k", "changes at db01"),
                ("redis-cli -h db01 --pipe", "changes at db01"),
                ("redis-cli -h db01 SORT x", "reads"),
                ("redis-cli -h db01 SORT x STORE y", "changes at db01"),
                ("redis-cli -h db01 SORT x …", "changes at db01"),
                ("redis-cli -h db01 FOO.BAR x", "unknown at db01"),
                ("redis-cli FOO.BAR x", "works"),
                ("redis-cli -h db01 MIGRATE h 1 k 0 5", "unknown at db01; unknown"),
                ("redis-cli -h db01 REPLICAOF db02 6379", "unknown at db01; unknown"),
                ("redis-cli -h db01", "reads"),
                ("redis-cli -h db01 <<< GET x", "reads"),
                ("redis-cli -h db01 <<< 5 INCR x", "changes at db01"),
                ("redis-cli -h db01 <<< connect db02 6379", "unknown"),
                ("redis-cli -h … DEL x", "changes at ?"),
                ("redis-cli --cluster check db01:6379", "reads"),
                ("redis-cli --cluster reshard db01:6379", "changes at db01,?"),
                ("redis-cli -x SET k", "changes at same"),
                ("redis-cli -c -h db01 SET k v", "changes at db01,?"),
                ("redis-cli -c -h db01 GET k", "reads"),
            ],
        );
        check_unknown(judge, &["redis-cli …", "redis-cli --frob x", "redis-cli $*"]);
    }
}
