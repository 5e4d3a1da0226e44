//! Programs that run something on another Windows machine, now or at a time. Pure.

use super::launchers::runs;
use super::{machine, share, switch};
use crate::classify::effect::{At, Code, Effect, Host, Language, Report, Run, Stdin, What};
use crate::classify::programs::host;
use crate::classify::word::Word;

pub(super) fn judge(name: &str, words: &[Word], stdin: &Stdin) -> Option<Report> {
    Some(match name {
        "winrs" => winrs(words),
        "psexec" | "psexec64" | "paexec" | "psexesvc" => psexec(words),
        "evil-winrm" => evil_winrm(words, stdin),
        "schtasks" => return schtasks(words),
        _ => return None,
    })
}

/// `winrs -r:machine text`
fn winrs(words: &[Word]) -> Report {
    let mut hosts = Vec::new();
    let mut rest = words.iter();
    let mut text = Vec::new();
    while let Some(word) = rest.next() {
        let Some(name) = switch(word) else {
            text.push(word.clone());
            text.extend(rest.cloned());
            break;
        };
        match name.as_str() {
            "r" | "remote" => {
                let value = word.split_once(':').map(|(_, value)| value);
                let value = value.or_else(|| rest.next().cloned()).unwrap_or_else(Word::unknown);
                let url = ["http", "https"].iter().find_map(|scheme| host::url(&value, scheme));
                let place = url.map_or_else(|| host::with_port(&value), |(place, _)| place);
                hosts.push(machine(&place.host));
            }
            "?" => return Report::reads(),
            _ if word.known().is_some() => {}
            _ => return Report::unknown("its options are only known when it runs"),
        }
    }
    let at = if hosts.is_empty() { At::Child } else { At::Hosts(hosts) };
    if text.is_empty() {
        return Report::unknown("what it runs is not given");
    }
    runs(Language::Cmd, Code::Text(Word::joined(&text)), at, Stdin::Unknown)
}

/// `psexec \\machine program words`
fn psexec(words: &[Word]) -> Report {
    const VALUES: &[&str] = &["u", "p", "n", "r", "w", "a", "g"];
    let mut hosts: Vec<Host> = Vec::new();
    let mut copies = false;
    let mut rest = words.iter();
    let mut command = Vec::new();
    while let Some(word) = rest.next() {
        if word.known().is_none() && word.may_be_option() {
            return Report::unknown("its options are only known when it runs");
        }
        if let Some(list) = word.known().filter(|text| text.starts_with('\\')) {
            hosts.extend(list.split(',').filter_map(|name| {
                let name = name.trim_start_matches('\\');
                share(&Word::known_as(format!("\\\\{name}")))
            }));
            continue;
        }
        if word.begins_with("\\") {
            hosts.extend(share(word));
            continue;
        }
        if word.begins_with("@") {
            hosts.push(Host::Unknown("the file that names the machines is not read".into()));
            continue;
        }
        match switch(word).filter(|_| word.begins_with("-") || word.begins_with("/")) {
            Some(name) if VALUES.contains(&name.as_str()) => {
                rest.next();
            }
            Some(name) => {
                copies |= matches!(name.as_str(), "c" | "f" | "v" | "csrc" | "clist");
                if name == "i"
                    && rest
                        .as_slice()
                        .first()
                        .and_then(Word::known)
                        .is_some_and(|text| text.chars().all(|c| c.is_ascii_digit()))
                {
                    rest.next();
                }
            }
            None => {
                command.push(word.clone());
                command.extend(rest.cloned());
                break;
            }
        }
    }
    let at = if hosts.is_empty() { At::Child } else { At::Hosts(hosts.clone()) };
    let mut report = Report::default();
    if copies {
        report.effects.push(match hosts.is_empty() {
            true => Effect::Changes("copies a program".into()),
            false => Effect::ChangesAt { hosts, how: "copies a program there".into() },
        });
        report.effects.push(Effect::Unknown("the program that it copies is not read".into()));
        return report;
    }
    if command.is_empty() {
        return Report::unknown("what it runs is not given");
    }
    // Each word is a word of the program; what needs a shell calls one.
    let text = quoted(&command);
    report.effects.push(Effect::Runs(Run {
        what: What::Other { language: Language::Cmd, code: Code::Text(text) },
        at,
        stdin: Stdin::Unknown,
    }));
    report
}

/// Words as a text that is read as the same words again.
fn quoted(words: &[Word]) -> Word {
    let all: Vec<Word> = words
        .iter()
        .map(|word| match word.known() {
            Some(text) if text.contains([' ', '&', '|', '<', '>', '^']) && !text.contains('"') => {
                Word::known_as(format!("\"{text}\""))
            }
            _ => word.clone(),
        })
        .collect();
    Word::joined(&all)
}

/// `schtasks /create`, `/change`: what the task runs is judged, too. The rest is told by its switches.
fn schtasks(words: &[Word]) -> Option<Report> {
    let mut report = super::tables::judge("schtasks", words)?;
    let has = |name: &str| words.iter().any(|word| switch(word).as_deref() == Some(name));
    if !has("create") && !has("change") {
        return Some(report);
    }
    let hosts = super::machines::machines(words, "s");
    let at = if hosts.is_empty() { At::Child } else { At::Hosts(hosts) };
    match words.iter().position(|word| switch(word).as_deref() == Some("tr")).map(|at| words.get(at + 1)) {
        Some(Some(text)) => report.effects.push(Effect::Runs(Run {
            what: What::Other { language: Language::Cmd, code: Code::Text(text.clone()) },
            at,
            stdin: Stdin::Nothing,
        })),
        None if has("change") => {}
        _ => report.effects.push(Effect::Unknown("what the task runs is not seen".into())),
    }
    Some(report)
}

/// `evil-winrm -i machine`: a session that reads PowerShell.
fn evil_winrm(words: &[Word], stdin: &Stdin) -> Report {
    let mut hosts = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match word.known() {
            Some("-i" | "--ip") => hosts.push(rest.next().map_or_else(|| machine(&Word::unknown()), machine)),
            Some("-h" | "--help" | "-V" | "--version") => return Report::reads(),
            Some(text) if text.starts_with("--ip=") => {
                hosts.push(machine(&Word::known_as(text.get(5..).unwrap_or_default())))
            }
            Some("-S" | "-n" | "-l" | "-N" | "--ssl" | "--no-colors" | "--log" | "--no-rpath-completion") => {}
            Some(text) if text.starts_with('-') => {
                rest.next();
            }
            _ => return Report::unknown("its options are not understood"),
        }
    }
    if hosts.is_empty() {
        return Report::unknown("which machine it reaches is not given");
    }
    runs(Language::PowerShell, Code::Stdin, At::Hosts(hosts), stdin.clone())
}
