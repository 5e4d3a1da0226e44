//! `sftp`: what its batch reads and changes, on both sides. Pure.

use super::copied;
use super::host::{self, Place};
use super::options::{self, Spec};
use super::scp;
use super::ssh_settings;
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Run, Stdin, What};
use crate::classify::word::Word;

const SPEC: Spec = Spec {
    flags: "1246AaCfNpqrv",
    values: "BbcDFiJloPRSsX",
    glued: "",
    long_flags: &[],
    long_values: &[],
    stops: false,
    single_dash: false,
};

/// Judges a command of `sftp`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let parsed = match options::parse(command.arguments(), &SPEC) {
        Ok(parsed) => parsed,
        Err(why) => return scp::unclear(command, why),
    };
    let mut settings = scp::without_commands();
    for (name, value) in &parsed.options {
        let letter = if name == "P" { "p" } else { name.as_str() };
        if matches!(letter, "o" | "F" | "J" | "p")
            && value.is_some()
            && let Err(why) = settings.letter(letter, value.as_ref())
        {
            return Report::unknown(why);
        }
    }
    let mut effects = Vec::new();
    if let Some(server) = parsed.values(&["D"]).last() {
        // It talks to a program here instead of a machine.
        effects.push(copied::child(vec![server.clone(), Word::unknown_many()]));
    }
    let Some(target) = parsed.operands.first() else {
        effects.push(Effect::Unknown("it names no machine".to_owned()));
        return Report { effects, by: None };
    };
    let (place, path) = destination(target);
    let mut host = copied::reach(&place, &settings, facts, &mut effects);
    if let Some(program) = parsed.values(&["S"]).last().filter(|program| !copied::is_ssh(program)) {
        let words = [program.clone(), Word::unknown_many()];
        host = copied::reach_by(&words, &place, &[Word::unknown_many()], facts, &mut effects);
    }
    if let Some(server) = parsed.values(&["s"]).last().filter(|server| !is_server(server)) {
        copied::add(&mut effects, [copied::shell_there(server.clone(), vec![host.clone()])]);
    }
    // What stands behind the machine is fetched at once, unless it is a folder.
    if let Some(to) = parsed.operands.get(1) {
        effects.push(Effect::Writes(to.clone()));
    } else if path.is_some_and(|path| path.known().is_none_or(|path| !path.is_empty() && !path.ends_with('/'))) {
        effects.push(Effect::Writes(".".into()));
    }
    let script = match parsed.values(&["b"]).last() {
        Some(file) if file.known() != Some("-") => Stdin::File(file.clone()),
        _ => command.stdin.clone(),
    };
    batch(&script, &host, facts, verb, &mut effects);
    Report { effects, by: None }
}

/// `user@host:path` or `sftp://user@host:port/path`.
fn destination(word: &Word) -> (Place, Option<Word>) {
    if let Some((place, path)) = host::url(word, "sftp") {
        return (place, path);
    }
    match copied::file(word, false) {
        copied::File::Remote { place, path } => (place, Some(path)),
        _ => (host::user_at_host(word), None),
    }
}

/// A subsystem's name, or the path of an sftp server; anything else is text for the shell there.
fn is_server(server: &Word) -> bool {
    let Some(text) = server.known() else {
        return false;
    };
    if !text.contains('/') {
        return text == "sftp";
    }
    let path = text.strip_prefix("sudo ").unwrap_or(text);
    path.ends_with("/sftp-server") && path.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c))
}

/// What a line of a batch does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// It looks, or changes the session.
    Reads,
    /// It fetches: the last of its words is written here.
    Fetches,
    /// It makes the folder that it names here.
    MakesHere,
    /// It changes the machine.
    Changes,
    /// The rest of the line is a shell's text, here.
    Shell,
    /// `ls` with the rest of the line, read by a shell here.
    ListsHere,
    /// Nobody has said.
    Unknown,
}

fn verb(verb: &str) -> Verb {
    match verb {
        "bye" | "cd" | "df" | "exit" | "help" | "?" | "lcd" | "lpwd" | "ls" | "dir" | "lumask" | "progress" | "pwd"
        | "quit" | "version" => Verb::Reads,
        "get" | "reget" | "mget" => Verb::Fetches,
        "lmkdir" => Verb::MakesHere,
        "put" | "reput" | "mput" | "rm" | "rmdir" | "mkdir" | "rename" | "ln" | "symlink" | "chmod" | "chown"
        | "chgrp" | "copy" | "cp" | "mv" | "delete" => Verb::Changes,
        "lls" | "ldir" => Verb::ListsHere,
        "!" => Verb::Shell,
        _ => Verb::Unknown,
    }
}

/// What a batch does; `verb` tells what a line's first word stands for.
pub fn batch(script: &Stdin, host: &Host, facts: &Facts, verb: fn(&str) -> Verb, effects: &mut Vec<Effect>) {
    let hosts = || vec![host.clone()];
    let text = match script {
        // Nothing can be typed.
        Stdin::Inherited | Stdin::Nothing => return,
        Stdin::Unknown => Err("what it is told to do is only known when it runs".to_owned()),
        Stdin::Text(text) => Ok(text.clone()),
        Stdin::File(path) => copied::text_of(path, facts).map(Word::known_as),
    };
    let text = match text {
        Ok(text) => text,
        Err(why) => return effects.push(Effect::UnknownAt { hosts: hosts(), why }),
    };
    let mut folder = String::new();
    for (nr, stretch) in text.stretches().enumerate() {
        if nr > 0 {
            let why = "part of what it is told to do is only known when it runs".to_owned();
            copied::add(effects, [Effect::UnknownAt { hosts: hosts(), why }]);
        }
        // Behind something unknown the rest of a line says nothing by itself.
        for line in stretch.lines().skip(usize::from(nr > 0)) {
            let more = one(line, host, verb, &mut folder);
            copied::add(effects, more);
        }
    }
}

/// One line; `folder` is where `lcd` went, with a slash behind it.
fn one(line: &str, host: &Host, verb: fn(&str) -> Verb, folder: &mut String) -> Option<Effect> {
    // A dash lets an error pass, an at sign keeps the line from being shown.
    let line = line.trim().trim_start_matches(['-', '@']).trim_start();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (first, rest) = match line.strip_prefix('!') {
        Some(rest) => ("!", rest),
        None => line.split_once(char::is_whitespace).unwrap_or((line, "")),
    };
    let shell = |text: String| {
        let what = What::Shell { text: Word::known_as(text), arguments: vec![] };
        Some(Effect::Runs(Run { what, at: At::Child, stdin: Stdin::Unknown }))
    };
    let hosts = || vec![host.clone()];
    let first = first.to_ascii_lowercase();
    let words = ssh_settings::words(rest).unwrap_or_default();
    let here = |path: &str, folder: &str| {
        Word::known_as(if path.starts_with('/') { path.to_owned() } else { format!("{folder}{path}") })
    };
    match verb(&first) {
        Verb::Reads => {
            if first == "lcd"
                && let Some(to) = words.first()
            {
                *folder = if to.starts_with('/') { format!("{to}/") } else { format!("{folder}{to}/") };
            }
            None
        }
        Verb::Shell => shell(rest.to_owned()),
        Verb::ListsHere => shell(format!("ls {rest}")),
        Verb::Changes => Some(Effect::ChangesAt { hosts: hosts(), how: "changes files on it".to_owned() }),
        Verb::MakesHere => Some(Effect::Writes(here(words.first().map_or(".", String::as_str), folder))),
        Verb::Fetches => {
            let paths: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
            Some(Effect::Writes(match paths.as_slice() {
                [_, .., to] => here(to, folder),
                _ => here(".", folder),
            }))
        }
        Verb::Unknown => {
            let why = format!("what `{first}` does in its batch is not known");
            Some(Effect::UnknownAt { hosts: hosts(), why })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::programs::remote_cases::{Files, check, command, own, shown};

    #[test]
    fn batches() {
        check(
            judge,
            &[
                ("sftp web01", "reads"),
                ("sftp -P 22 root@web01:/var/", "reads"),
                ("sftp web01:/etc/hosts", "writes ."),
                ("sftp web01:/etc/hosts /tmp/h", "writes /tmp/h"),
                ("sftp sftp://root@web01:2222/etc/hosts x", "writes x"),
                ("sftp web01 <<< 'put x'", "changes@web01"),
                ("sftp -b - web01 <<< '-rm x\nls\n'", "changes@web01"),
                ("sftp web01 <<< 'cd /\nls -l\nget a b\npwd'", "writes b"),
                ("sftp web01 <<< 'GET a'", "writes ."),
                ("sftp web01 <<< 'lcd /etc\nlcd x\nget a b\nget c /d'", "writes /etc/x/b; writes /d"),
                ("sftp web01 <<< '# put\n\n!rm x'", "local[rm x] <?"),
                ("sftp web01 <<< 'lls; rm x'", "unknown@web01"),
                ("sftp web01 <<< 'lls ;rm x'", "local[ls ;rm x] <?"),
                ("sftp web01 <<< 'fly'", "unknown@web01"),
                ("sftp web01 <<< 'ls …'", "unknown@web01"),
                ("sftp web01 <<< 'put …\nrm x'", "changes@web01; unknown@web01"),
                ("sftp web01 <-", "unknown@web01"),
                ("sftp -b none web01", "unknown@web01"),
                ("sftp root@… <<< 'put x'", "changes@?"),
                ("sftp -o HostName=prod test <<< 'put x'", "changes@test=prod"),
                ("sftp", "unknown"),
            ],
        );
        let files = Files([("/home/me/src/batch", "ls\nmkdir x\n")].into());
        assert_eq!(shown(&judge(&command("sftp -b batch web01"), &own(&files))), "changes@web01");
        let facts = Facts { own: false, ..own(&files) };
        assert_eq!(shown(&judge(&command("sftp -b batch web01"), &facts)), "unknown@web01");
    }

    #[test]
    fn what_else_runs() {
        check(
            judge,
            &[
                ("sftp -D '/tmp/evil' x", "local[words:/tmp/evil|…] <?"),
                ("sftp -S /tmp/evil web01", "local[words:/tmp/evil|…|web01|…] <?"),
                ("sftp -s '/x; reboot' web01", "web01[/x; reboot] <nothing"),
                ("sftp -s 'sudo /usr/lib/openssh/sftp-server' web01", "reads"),
                ("sftp -oProxyCommand=evil web01", "local[evil] <nothing"),
            ],
        );
    }
}
