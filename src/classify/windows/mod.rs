//! Programs of Windows, by their sub-commands and switches, and the text of its command processor. Pure.
//!
//! The catalog's tables know options that begin with a dash, and tell capitals from small letters; programs of Windows do
//! neither, so they have tables of their own here. Where a program of that name is known on other systems as well, that one
//! is meant unless the text is for Windows.

pub mod cmd;
mod files;
mod launchers;
mod machines;
mod management;
mod remote;
mod tables;

use super::effect::{Command, Effect, Facts, Host, Report, Stdin};
use super::word::Word;

/// Whether the programs of a folder, in small letters, are those that their names say.
#[must_use]
pub fn is_system_folder(folder: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "c:\\windows\\system32",
        "c:\\windows",
        "c:\\windows\\syswow64",
        "c:\\windows\\sysnative",
        "c:\\windows\\system32\\openssh",
        "c:\\windows\\system32\\windowspowershell\\v1.0",
        "c:\\windows\\system32\\inetsrv",
        "c:\\program files\\powershell\\7",
        "c:\\program files\\openssh",
        "c:\\program files\\git\\bin",
        "c:\\program files\\git\\cmd",
        "c:\\program files\\git\\usr\\bin",
    ];
    FOLDERS.contains(&folder)
}

/// A program's name as it is looked up: in small letters, without `.exe`.
#[must_use]
pub fn plain(name: &str) -> &str {
    [".exe", ".com", ".cmd", ".bat", ".EXE", ".COM", ".CMD", ".BAT"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .filter(|name| !name.is_empty())
        .unwrap_or(name)
}

/// What a program of Windows does, by its plain name; none if there is no such program.
#[must_use]
pub fn judge(name: &str, words: &[Word], stdin: &Stdin) -> Option<Report> {
    let name = name.to_ascii_lowercase();
    // What is connected with another machine is not changed there.
    let connects = matches!(name.as_str(), "net" | "net1")
        && words.first().and_then(Word::known).is_some_and(|word| word.eq_ignore_ascii_case("use"));
    let report = launchers::judge(&name, words, stdin)
        .or_else(|| remote::judge(&name, words, stdin))
        .or_else(|| files::judge(&name, words))
        .or_else(|| {
            if connects {
                return management::judge(&name, words);
            }
            management::judge(&name, words)
                .or_else(|| tables::judge(&name, words))
                .map(|report| there(&name, report, words))
        })?;
    // `/?` alone asks for help.
    if let [word] = words
        && matches!(word.known(), Some("/?" | "-?"))
    {
        return Some(Report::reads());
    }
    Some(report)
}

/// Programs that are given paths: one that can't be seen may lie on another machine.
const ON_PATHS: &[&str] = &[
    "reg", "icacls", "cacls", "takeown", "compact", "cipher", "expand", "makecab", "certutil", "wevtutil", "auditpol",
    "secedit", "fsutil", "sort", "lodctr",
];

/// A change of what lies at a path of another machine is one of that.
fn there(name: &str, mut report: Report, words: &[Word]) -> Report {
    let changes = report.effects.iter().any(|effect| matches!(effect, Effect::Changes(_)));
    let hosts = shares(words);
    let is_switch = |word: &Word| word.known().is_some() && switch(word).is_some();
    // What stands behind a switch is a value, but for programs that have their paths there.
    let behind = |nr: usize| {
        !matches!(name, "takeown" | "sort") && nr.checked_sub(1).and_then(|nr| words.get(nr)).is_some_and(is_switch)
    };
    let is_far = |nr: usize, word: &Word| {
        let start = word.beginning();
        let glued = switch(word).is_some() && start.ends_with([':', '=']);
        word.known().is_none() && (glued || (start.len() < 2 && !behind(nr)))
    };
    let unseen = words.iter().enumerate().find(|(nr, word)| is_far(*nr, word)).map(|(_, word)| word);
    if let Some(word) = unseen.filter(|_| changes && ON_PATHS.contains(&name)) {
        let why = format!("on which machine `{}` lies is only known when it runs", word.shown());
        report.effects.push(Effect::Unknown(why));
    }
    if changes && !hosts.is_empty() {
        report.effects.push(Effect::ChangesAt { hosts, how: "changes what lies there".into() });
    }
    report
}

/// Whether a name in a shell's text can only be a program of Windows: no other system has one of that name that matters.
#[must_use]
pub fn is_only_here(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let base = plain(&lower);
    let exists = judge(base, &[], &Stdin::Inherited).is_some();
    exists && (base.len() < lower.len() || !tables::ELSEWHERE.split_ascii_whitespace().any(|known| known == base))
}

/// The judge of a program of Windows that a shell's text calls.
#[must_use]
pub fn program(command: &Command, _facts: &Facts) -> Report {
    let name = command.program().unwrap_or_default();
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    judge(plain(name), command.arguments(), &command.stdin).unwrap_or_else(|| Report::of(Effect::Table))
}

/// The machine that `\\name` names; of a path, its first part.
fn share(word: &Word) -> Option<Host> {
    let text = word.beginning();
    // A shell that takes one of the two backslashes away leaves the other.
    let name = text.strip_prefix("\\\\").or_else(|| text.strip_prefix("//")).or_else(|| text.strip_prefix('\\'))?;
    let end = name.find(['\\', '/']);
    match end {
        Some(end) => Some(machine(&Word::known_as(name.get(..end).unwrap_or_default()))),
        None if word.known().is_some() => Some(machine(&Word::known_as(name))),
        None => Some(Host::Unknown(format!("which machine `{}` names is only known when it runs", word.shown()))),
    }
}

/// What shells run themselves, and no program: where text is for Windows that is somebody's function, or nothing.
const OF_SHELLS: &[&str] = &[
    ".",
    ":",
    "[[",
    "alias",
    "autoload",
    "bg",
    "bind",
    "break",
    "builtin",
    "caller",
    "case",
    "cd",
    "chdir",
    "command",
    "compgen",
    "complete",
    "compopt",
    "continue",
    "coproc",
    "declare",
    "dirs",
    "disown",
    "do",
    "done",
    "elif",
    "else",
    "emulate",
    "enable",
    "esac",
    "eval",
    "exec",
    "exit",
    "export",
    "fc",
    "fg",
    "fi",
    "function",
    "getopts",
    "hash",
    "help",
    "history",
    "if",
    "in",
    "jobs",
    "let",
    "local",
    "logout",
    "mapfile",
    "popd",
    "pushd",
    "read",
    "readarray",
    "readonly",
    "return",
    "select",
    "set",
    "shift",
    "shopt",
    "source",
    "suspend",
    "then",
    "time",
    "times",
    "trap",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "until",
    "wait",
    "while",
    "zmodload",
];

/// Whether a name is one of what shells run themselves.
#[must_use]
pub fn is_of_shells(name: &str) -> bool {
    OF_SHELLS.contains(&name)
}

/// Whether a word holds the path of another machine.
#[must_use]
pub fn names_share(word: &Word) -> bool {
    let text = word.beginning();
    text.starts_with("\\\\") || text.contains("=\\\\") || text.contains(":\\\\") || text.contains("file://")
}

/// What a program of other systems does with the paths of other machines among its words; none if there are none.
#[must_use]
pub fn far_files(name: &str, words: &[Word]) -> Option<Effect> {
    let hosts = shares(words);
    if hosts.is_empty() {
        return words.iter().any(names_share).then(|| Effect::Unknown(unclear(name)));
    }
    Some(match plain(name) {
        // They write what they fetch.
        "curl" | "wget" => Effect::ChangesAt { hosts, how: "writes what it fetches".into() },
        _ => Effect::Unknown(unclear(name)),
    })
}

fn unclear(name: &str) -> String {
    format!("what `{name}` does with a path of another machine is not known")
}

/// The machines whose paths words hold.
fn shares(words: &[Word]) -> Vec<Host> {
    let from = |word: &Word| {
        let at = word.beginning().find("\\\\").and_then(|at| word.beginning().get(..at));
        at.and_then(|before| word.strip_prefix(before)).unwrap_or_else(|| word.clone())
    };
    words.iter().filter(|word| names_share(word)).filter_map(|word| share(&from(word))).collect()
}

/// The machine of that name.
fn machine(word: &Word) -> Host {
    let Some(name) = word.known() else {
        return Host::Unknown(format!("which machine `{}` names is only known when it runs", word.shown()));
    };
    let name = name.trim_start_matches('\\');
    match name {
        "." | "localhost" | "127.0.0.1" => Host::Same,
        "" | "*" => Host::Unknown("it names no machine, or all of them".into()),
        name if name.contains(['@', ',', '*']) || name.contains(char::is_whitespace) => {
            Host::Unknown(format!("`{name}` is no machine's name"))
        }
        // An instance, or an authority, of that machine.
        name => super::programs::host::host(&Word::known_as(name.split('\\').next().unwrap_or_default())),
    }
}

/// A change of these machines, or without any, of the one on which it runs.
fn changes(name: &str, hosts: Vec<Host>) -> Report {
    let how = format!("is changed by `{name}`").replace("is changed by", "runs");
    match hosts.is_empty() {
        true => Report::changes(how),
        false => Report::of(Effect::ChangesAt { hosts, how }),
    }
}

/// A switch in small letters, without its dash or slash and its value; none if the word is none.
fn switch(word: &Word) -> Option<String> {
    let text = word.beginning();
    let rest = text.strip_prefix(['/', '-'])?;
    // A path of Unix is none.
    if text.starts_with('/') && rest.contains('/') {
        return None;
    }
    let name = rest.split([':', '=']).next().unwrap_or_default();
    (!name.is_empty() || word.known().is_none()).then(|| name.to_ascii_lowercase())
}
