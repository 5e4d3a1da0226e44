//! Clients that fetch and bring files without ssh: `lftp`, `ftp`, `ncftp` and its relatives, `tftp`. Pure.

use super::batch::{self, Verbs};
use super::carry;
use super::copied;
use super::host;
use super::options::{self, Spec};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::word::Word;

const LFTP: Verbs = Verbs {
    reads: &[
        "ls", "cls", "nlist", "recls", "renlist", "rels", "dir", "cat", "zcat", "bzcat", "more", "zmore", "find", "du",
        "pwd", "lpwd", "cd", "lcd", "user", "login", "bye", "exit", "quit", "close", "wait", "jobs", "fg", "echo",
        "debug", "help", "?", "version", "bookmark", "history", "cache", "true", "false", "anon", "sleep", "suspend",
        "slot", "ver",
    ],
    saves: &["get", "get1", "mget", "pget", "reget"],
    changes: &[
        "put", "mput", "reput", "rm", "mrm", "rmdir", "mkdir", "mv", "mmv", "chmod", "ln", "edit", "symlink", "mkd",
    ],
};

const FTP: Verbs = Verbs {
    reads: &[
        "ls",
        "dir",
        "nlist",
        "mls",
        "mdir",
        "mlsd",
        "mlst",
        "cd",
        "lcd",
        "cdup",
        "pwd",
        "lpwd",
        "user",
        "account",
        "binary",
        "bin",
        "ascii",
        "type",
        "image",
        "passive",
        "pass",
        "epsv4",
        "prompt",
        "hash",
        "verbose",
        "debug",
        "bell",
        "glob",
        "case",
        "cr",
        "tick",
        "trace",
        "status",
        "system",
        "size",
        "modtime",
        "remotehelp",
        "help",
        "?",
        "bye",
        "quit",
        "exit",
        "close",
        "disconnect",
        "features",
        "feat",
        "rstatus",
        "page",
        "less",
        "more",
        "form",
        "mode",
        "struct",
        "tenex",
        "idle",
        "gate",
        "progress",
        "cat",
        "reset",
        "restart",
        "set",
        "show",
        "autologin",
        "pls",
        "lls",
        "jobs",
        "bookmarks",
        "hosts",
        "version",
        "lookup",
    ],
    saves: &["get", "mget", "recv", "reget", "newer", "fget", "bget", "pget"],
    changes: &[
        "put", "mput", "send", "append", "delete", "mdelete", "del", "rm", "rmdir", "mkdir", "rename", "chmod", "site",
        "quote", "literal", "umask", "bput", "mkdirs", "symlink", "sunique",
    ],
};

const TFTP: Verbs = Verbs {
    reads: &[
        "binary", "ascii", "mode", "octet", "netascii", "rexmt", "timeout", "trace", "verbose", "status", "literal",
        "quit", "?", "help",
    ],
    saves: &["get"],
    changes: &["put"],
};

/// The machine in `scheme://user:password@machine:port/path`, or a name alone.
fn site(text: &str) -> Option<Host> {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    if text.starts_with("file:") {
        return Some(Host::Same);
    }
    let place = rest.split('/').next().unwrap_or_default();
    (!place.is_empty()).then(|| host::host(&host::with_port(&place.into()).host))
}

fn site_of(word: &Word) -> Host {
    match word.known() {
        Some(text) => site(text).unwrap_or_else(|| Host::Unknown("it names no machine".to_owned())),
        None => host::host(&Word::unknown()),
    }
}

/// Judges a command of `lftp`.
#[must_use]
pub fn lftp(command: &Command, facts: &Facts) -> Report {
    let spec = Spec {
        flags: "dhv",
        values: "cefupsB",
        long_flags: &["help", "version", "norc", "env-password"],
        long_values: &["user", "password", "rcfile"],
        ..Spec::MIXED
    };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["h", "v", "help", "version"]) {
        return Report::reads();
    }
    let mut effects = Vec::new();
    let mut texts: Vec<Word> = parsed.values(&["c", "e"]).cloned().collect();
    for file in parsed.values(&["f", "rcfile"]) {
        match copied::text_of(file, facts) {
            Ok(text) => texts.push(Word::known_as(text)),
            Err(why) => effects.push(Effect::Unknown(why)),
        }
    }
    if !parsed.has(&["c", "f"]) {
        match batch::stdin(&command.stdin, facts) {
            Ok(text) => texts.extend(text),
            Err(why) => effects.push(Effect::Unknown(why)),
        }
    }
    let mut hosts: Vec<Host> = parsed.operands.first().map(site_of).into_iter().collect();
    for text in &texts {
        match batch::commands(text, &[';', '\n', '&', '|']) {
            Ok(commands) => commands.iter().for_each(|words| lftp_one(words, &mut hosts, &mut effects)),
            Err(why) => effects.push(Effect::UnknownAt { hosts: named(&hosts), why }),
        }
    }
    Report { effects, by: None }
}

/// Adds a machine; what follows may be meant for any of them.
fn opens(host: Host, hosts: &mut Vec<Host>) {
    const MOST: usize = 16;
    if hosts.len() < MOST {
        host::add(host, hosts);
    } else if hosts.len() == MOST {
        hosts.push(Host::Unknown("it opens more machines than are followed".to_owned()));
    }
}

/// The machines, or one that can't be told.
fn named(hosts: &[Host]) -> Vec<Host> {
    if hosts.is_empty() { vec![Host::Unknown("it names no machine".to_owned())] } else { hosts.to_vec() }
}

fn lftp_one(words: &[String], hosts: &mut Vec<Host>, effects: &mut Vec<Effect>) {
    let Some((verb, rest)) = words.split_first() else {
        return;
    };
    // What it shows may go to a file here.
    if rest.iter().any(|word| word.contains('>')) {
        copied::add(effects, [Effect::Changes("writes what it shows to a file".to_owned())]);
    }
    let last = rest.iter().rfind(|word| !word.starts_with('-')).map(String::as_str);
    // What is fetched or brought may be named by another machine's address.
    for word in rest.iter().filter(|word| word.contains("://")) {
        if let Some(host) = site(word) {
            opens(host, hosts);
        }
    }
    match verb.as_str() {
        "open" | "connect" | "o" => {
            let with_values = ["-u", "-p", "-e", "-s", "--user", "--password"];
            let mut given = rest.iter();
            let mut target = None;
            while let Some(word) = given.next() {
                if word == "-e" {
                    effects.push(Effect::Unknown("what `-e` of its `open` runs is not read".to_owned()));
                }
                if with_values.contains(&word.as_str()) {
                    given.next();
                } else if !word.starts_with('-') {
                    target = Some(word);
                }
            }
            let host = target.and_then(|target| site(target));
            if let Some(host) = host {
                opens(host, hosts);
            }
        }
        "set" => {
            // Some settings name a program.
            if rest.first().is_some_and(|name| {
                name.contains("program") || name.contains("cmd:") || name.contains("proxy") || name.contains("rename")
            }) {
                effects
                    .push(Effect::Unknown("a setting of it names a program, or another way to the machine".to_owned()));
            }
        }
        "mirror" => {
            let short = |letter: char| {
                rest.iter().any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
            };
            let long = |name: &str| rest.iter().any(|word| word.to_ascii_lowercase().starts_with(name));
            let takes = long("--remove-source") || long("--move");
            if short('R') || long("--reverse") || takes || long("--target-directory") || long("-o") {
                effects.push(Effect::ChangesAt { hosts: named(hosts), how: "mirrors files there".to_owned() });
            } else if long("--script") || long("--on-change") {
                effects.push(Effect::Unknown("what its mirror runs is not read".to_owned()));
            } else if !long("--dry-run") {
                effects.push(Effect::Changes("mirrors files from there".to_owned()));
            }
        }
        "glob" | "queue" | "repeat" | "command" | "time" => {
            let rest: Vec<String> = rest.iter().filter(|word| !word.starts_with('-')).cloned().collect();
            if rest.len() < words.len() {
                lftp_one(&rest, hosts, effects);
            }
        }
        "local" | "source" | "." | "at" | "alias" | "module" | "eval" | "shell" => {
            effects.push(Effect::Unknown(format!(
                "what its command `{verb}` runs is not read ({})",
                last.unwrap_or_default()
            )));
        }
        _ => {
            let hosts = named(hosts);
            LFTP.one(words, &hosts, effects);
        }
    }
}

/// Judges a command of `ftp`, `pftp` or `ncftp`, which take their commands from stdin.
#[must_use]
pub fn ftp(command: &Command, facts: &Facts) -> Report {
    let spec =
        Spec { flags: "46AadefginpRtvVNH?", values: "qrsTuPoxcN", long_flags: &["help", "version"], ..Spec::MIXED };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if carry::only_tells(&parsed) || parsed.has(&["?"]) {
        return Report::reads();
    }
    let mut effects = Vec::new();
    // The one of Windows takes its commands from `-s:file`.
    if parsed.values(&["s"]).any(|value| value.may_begin_with(":")) {
        effects.push(Effect::Unknown("the file of commands that it is given is not read".to_owned()));
    }
    // With `-u` files are brought to an address.
    if carry::name(command) != "ncftp"
        && let Some(target) = parsed.values(&["u"]).last().filter(|target| target.beginning().contains("://"))
    {
        effects.push(Effect::ChangesAt { hosts: vec![site_of(target)], how: "puts files there".to_owned() });
        return Report { effects, by: None };
    }
    if parsed.operands.iter().any(|word| word.beginning().contains("://")) {
        effects.push(Effect::Changes("fetches files".to_owned()));
    }
    let mut hosts: Vec<Host> = parsed.operands.first().map(site_of).into_iter().collect();
    match batch::stdin(&command.stdin, facts) {
        Ok(None) => {}
        Ok(Some(text)) => match batch::commands(&text, &['\n']) {
            Ok(commands) => {
                for words in &commands {
                    let words: Vec<String> = words.iter().map(|word| word.to_owned()).collect();
                    match words.first().map(String::as_str) {
                        Some("open") => {
                            if let Some(host) = words.get(1).and_then(|word| site(word)) {
                                opens(host, &mut hosts);
                            }
                        }
                        // What is fetched may go to a program here.
                        _ if words.iter().any(|word| word.starts_with('|')) => {
                            copied::add(
                                &mut effects,
                                [Effect::Unknown("it hands what it fetches to a program".to_owned())],
                            );
                        }
                        Some("ls" | "dir" | "nlist" | "mls" | "mdir") if words.len() > 2 => {
                            copied::add(&mut effects, [Effect::Changes("writes a listing to a file".to_owned())]);
                        }
                        Some("macdef" | "$" | "proxy" | "site" | "quote" | "literal") | Some("shell") => {
                            let why = "what it is told there is not read".to_owned();
                            copied::add(&mut effects, [Effect::UnknownAt { hosts: named(&hosts), why }]);
                        }
                        _ => FTP.one(&words, &named(&hosts), &mut effects),
                    }
                }
            }
            Err(why) => effects.push(Effect::UnknownAt { hosts: named(&hosts), why }),
        },
        Err(why) => effects.push(Effect::UnknownAt { hosts: named(&hosts), why }),
    }
    Report { effects, by: None }
}

/// Judges a command of `ncftpget`, `ncftpput` and `ncftpls`.
#[must_use]
pub fn ncftp_batch(command: &Command, _: &Facts) -> Report {
    let spec = Spec {
        flags: "aAvVbBcDeEFLmRSTXyzZ?",
        values: "dfjpPrtuUoOWxYg",
        long_flags: &["help", "version"],
        ..Spec::MIXED
    };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let host = match parsed.operands.first() {
        Some(target) if !parsed.has(&["f"]) => site_of(target),
        _ => Host::Unknown("its machine stands in a file".to_owned()),
    };
    let deletes = parsed.has(&["D", "W", "X", "Y"]);
    match carry::name(command) {
        "ncftpls" if !deletes => Report::reads(),
        "ncftpget" if !deletes => Report::changes("fetches files"),
        _ => Report::of(Effect::ChangesAt { hosts: vec![host], how: "puts or deletes files there".to_owned() }),
    }
}

/// Judges a command of `tftp`.
#[must_use]
pub fn tftp(command: &Command, facts: &Facts) -> Report {
    let all = command.arguments();
    let at = all.iter().position(|word| word.known() == Some("-c")).unwrap_or(all.len());
    let front = all.get(..at).unwrap_or_default();
    let spec = Spec { flags: "46vVl", values: "mRrg", long_flags: &[], ..Spec::MIXED };
    let parsed = match options::parse(front, &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["V"]) {
        return Report::reads();
    }
    let hosts = named(&parsed.operands.first().map(site_of).into_iter().collect::<Vec<_>>());
    let mut effects = Vec::new();
    if at < all.len() {
        let words: Option<Vec<String>> =
            all.get(at + 1..).unwrap_or_default().iter().map(|word| word.known().map(str::to_owned)).collect();
        match (words, all.get(at + 1).and_then(Word::known)) {
            (Some(words), _) => TFTP.one(&words, &hosts, &mut effects),
            (None, Some(verb)) => TFTP.one(&[verb.to_owned()], &hosts, &mut effects),
            (None, None) => effects.push(Effect::UnknownAt { hosts, why: "what it is told can't be told".to_owned() }),
        }
        return Report { effects, by: None };
    }
    match batch::stdin(&command.stdin, facts) {
        Ok(None) => {}
        // It may connect to another machine first.
        Ok(Some(text)) if text.known().is_some_and(|text| !text.contains("connect")) => {
            TFTP.all(&text, &['\n'], &hosts, &mut effects);
        }
        Ok(Some(_)) => effects.push(Effect::Unknown("to which machine it connects is not read".to_owned())),
        Err(why) => effects.push(Effect::UnknownAt { hosts, why }),
    }
    Report { effects, by: None }
}

#[cfg(test)]
#[path = "tests/ftp.rs"]
mod tests;
