//! `net`, `netsh`, `wmic` and other programs of Windows whose words have a grammar of their own. Pure.

use super::{changes, machine, share, switch};
use crate::classify::effect::{At, Code, Effect, Language, Report, Run, Stdin, What};
use crate::classify::word::Word;

pub(super) fn judge(name: &str, words: &[Word]) -> Option<Report> {
    Some(match name {
        "net" | "net1" => net(words),
        "netsh" => netsh(words),
        "wmic" => wmic(words),
        "fsutil" => fsutil(words),
        "psservice" | "pskill" | "psshutdown" | "pslist" | "psinfo" | "psloggedon" | "psfile" | "psgetsid"
        | "pspasswd" | "psloglist" | "pssuspend" | "psping" => tools(name, words),
        _ => return None,
    })
}

fn lower(words: &[Word]) -> Option<Vec<String>> {
    words.iter().map(|word| word.known().map(str::to_lowercase)).collect()
}

/// `net`: a noun alone lists; a name that is started, a switch or a value changes.
fn net(words: &[Word]) -> Report {
    let unknown = || Report::unknown("what `net` does with these words is not known");
    let first = words.first().and_then(Word::known).map(str::to_lowercase);
    let rest = words.get(1..).unwrap_or_default();
    let plain = rest.iter().filter(|word| switch(word).is_none()).count();
    let switches: Vec<String> = rest.iter().filter_map(switch).collect();
    // `/domain` asks another machine.
    let domain = switches.iter().any(|name| name == "domain");
    let only_asks = switches.iter().all(|name| matches!(name.as_str(), "domain" | "all" | "cache" | "network"));
    let all_known = rest.iter().all(|word| word.known().is_some());
    match first.as_deref() {
        Some("start") if rest.is_empty() => Report::reads(),
        Some("start" | "stop" | "pause" | "continue") => changes("net", vec![]),
        Some("view" | "statistics" | "stats" | "help" | "helpmsg" | "config") if only_asks => Report::reads(),
        Some(
            "user" | "localgroup" | "group" | "share" | "accounts" | "session" | "file" | "time" | "use" | "users"
            | "print" | "computer",
        ) if rest.is_empty() => Report::reads(),
        Some("user" | "users" | "localgroup" | "group" | "share" | "session" | "file" | "time")
            if plain < 2 && only_asks && all_known && !rest.iter().any(|word| word.beginning().contains('=')) =>
        {
            Report::reads()
        }
        Some("accounts") if only_asks && plain == 0 && all_known => Report::reads(),
        Some("user" | "users" | "group" | "localgroup" | "accounts" | "computer") if domain => {
            Report::unknown("`net … /domain` changes the domain, which another machine keeps")
        }
        Some(
            "user" | "users" | "localgroup" | "group" | "share" | "accounts" | "session" | "file" | "time" | "use"
            | "config" | "print" | "computer" | "name",
        ) => changes("net", vec![]),
        _ => unknown(),
    }
}

/// `netsh`: a context, then a verb.
fn netsh(words: &[Word]) -> Report {
    const CHANGING: &[&str] = &[
        "set",
        "add",
        "delete",
        "reset",
        "import",
        "start",
        "stop",
        "install",
        "uninstall",
        "connect",
        "disconnect",
        "flush",
        "renew",
        "enable",
        "disable",
        "export",
        "refreshhostednetwork",
        "dump-to",
        "restore",
    ];
    let Some(all) = lower(words) else { return Report::unknown("what `netsh` does is only known when it runs") };
    let mut hosts = Vec::new();
    let mut rest = Vec::new();
    let mut words = all.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-r" | "/r" => hosts.extend(words.next().map(|name| machine(&Word::known_as(name.as_str())))),
            "-f" | "/f" | "-c" | "/c" | "-u" | "/u" | "-p" | "/p" | "-a" | "/a" => {
                return Report::unknown("the script that `netsh` gets is not read");
            }
            word => rest.push(word),
        }
    }
    let verb = rest.iter().find(|word| CHANGING.contains(word) || matches!(**word, "show" | "dump"));
    match verb {
        Some(verb) if matches!(*verb, "show" | "dump") => Report::reads(),
        Some(_) => changes("netsh", hosts),
        None => Report::unknown("what `netsh` does with these words is not known"),
    }
}

/// `wmic`: an alias or a class, a condition, a verb.
fn wmic(words: &[Word]) -> Report {
    let nodes = |word: &Word| {
        let value = word.split_once(':').map(|(_, value)| value).unwrap_or_else(Word::unknown);
        let list = value.known().map(|list| list.trim_matches('"').to_owned());
        match list {
            Some(list) if !list.is_empty() => {
                list.split(',').map(|name| machine(&Word::known_as(name.trim().trim_matches('"')))).collect()
            }
            _ => vec![machine(&value)],
        }
    };
    let mut hosts = Vec::new();
    // The files that it writes lie where it runs, or where their names say.
    let mut writes = false;
    let mut rest: Vec<&Word> = Vec::new();
    for word in words {
        match switch(word).as_deref() {
            Some("output" | "append" | "record") => {
                let value = word.split_once(':').map_or_else(String::new, |(_, value)| value.shown().to_lowercase());
                writes |= !matches!(value.as_str(), "stdout" | "clipboard");
            }
            Some("node") => hosts.extend(nodes(word)),
            Some("format")
                if word.known().is_some_and(|text| {
                    text.to_lowercase().contains(".xsl") || text.contains("//") || text.contains('\\')
                }) =>
            {
                return Report::unknown("a stylesheet may hold a script");
            }
            Some(
                "failfast" | "trace" | "user" | "password" | "namespace" | "role" | "format" | "value" | "?" | "every"
                | "repeat" | "locale" | "implevel" | "authlevel" | "authority" | "privileges" | "translate"
                | "aggregate" | "all" | "nointeractive" | "interactive",
            ) => {}
            Some(_) => return Report::unknown("what `wmic` does with these switches is not known"),
            None => rest.push(word),
        }
    }
    if rest.iter().any(|word| word.known().is_none())
        && !rest.iter().any(|word| word.known().is_some_and(|text| text.eq_ignore_ascii_case("get")))
    {
        return Report::unknown("what `wmic` does is only known when it runs");
    }
    let texts: Vec<String> = rest.iter().map(|word| word.beginning().to_lowercase()).collect();
    let verb = texts
        .iter()
        .position(|text| matches!(text.as_str(), "get" | "list" | "call" | "create" | "delete" | "set" | "assoc"));
    match verb.and_then(|at| texts.get(at).map(|text| (at, text.as_str()))) {
        Some((_, "get" | "list" | "assoc")) if writes => changes("wmic", vec![]),
        None if texts.len() == 1 && !writes => Report::reads(),
        Some((_, "get" | "list" | "assoc")) => Report::reads(),
        Some((at, "call")) => {
            let mut report = changes("wmic", hosts.clone());
            if texts.get(at + 1).is_some_and(|name| name == "create")
                && let Some(text) = rest.get(at + 2)
            {
                let what = What::Other { language: Language::Cmd, code: Code::Text((*text).clone()) };
                let at = if hosts.is_empty() { At::Child } else { At::Hosts(hosts) };
                report.effects.push(Effect::Runs(Run { what, at, stdin: Stdin::Nothing }));
            }
            report
        }
        Some(_) => changes("wmic", hosts),
        None => Report::unknown("what `wmic` does with these words is not known"),
    }
}

fn fsutil(words: &[Word]) -> Report {
    let Some(all) = lower(words) else { return Report::unknown("what `fsutil` does is only known when it runs") };
    let reads = |word: &String| {
        word.starts_with("query") || matches!(word.as_str(), "info" | "fsinfo" | "list" | "diskfree" | "findbysid")
    };
    match all.get(1) {
        None => Report::reads(),
        Some(verb) if reads(verb) || all.first().is_some_and(|first| first == "fsinfo") => Report::reads(),
        Some(_) => changes("fsutil", vec![]),
    }
}

/// The tools of that family that do one thing each, here or on `\\name`.
fn tools(name: &str, words: &[Word]) -> Report {
    let hosts: Vec<_> = words.iter().filter(|word| word.begins_with("\\")).filter_map(share).collect();
    let operands: Vec<&str> =
        words.iter().filter(|word| !word.begins_with("\\") && switch(word).is_none()).map(Word::beginning).collect();
    let file = words.iter().any(|word| word.begins_with("@"));
    if file || words.iter().any(Word::is_many) {
        return Report::unknown("which machines it reaches is not known");
    }
    let switches: Vec<String> = words.iter().filter_map(switch).collect();
    match name {
        "pslist" | "psinfo" | "psloggedon" | "psgetsid" | "psping" => Report::reads(),
        "psfile" | "psloglist" if !switches.iter().any(|name| name == "c") => Report::reads(),
        "psservice" => match operands.iter().map(|word| word.to_lowercase()).find(|word| word.len() > 2).as_deref() {
            None | Some("query" | "config" | "depend" | "find" | "security") => Report::reads(),
            Some(_) => changes(name, hosts),
        },
        _ => changes(name, hosts),
    }
}
