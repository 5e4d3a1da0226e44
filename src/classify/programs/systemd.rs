//! `systemctl` and its relatives, told to act on another machine or in a container. Pure.

use super::copied;
use super::host::{self, Place};
use super::ssh_settings::Settings;
use crate::classify::effect::{At, Command, Effect, Facts, Report, Run, What};
use crate::classify::word::Word;

/// Where an option sends a command.
enum Sent {
    /// `-H`.
    Host(Word),
    /// `-M`.
    Container(Word),
}

/// Judges a command of `systemctl`, `journalctl`, `loginctl`, `hostnamectl`, `timedatectl`, `localectl`, `busctl` or
/// `systemd-analyze`: with `-H` or `-M` the same command runs somewhere else, without those options.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let Some(program) = command.program() else {
        return Report::of(Effect::Table);
    };
    let (sent, rest) = match sent(program, command.arguments()) {
        Ok((Some(sent), rest)) => (sent, rest),
        Ok((None, _)) => return Report::of(Effect::Table),
        Err(why) => return Report::unknown(why),
    };
    let words: Vec<Word> = std::iter::once(Word::from(program)).chain(rest).collect();
    let mut effects = Vec::new();
    let at = match sent {
        Sent::Host(word) => At::Hosts(vec![copied::reach(&place(&word), &Settings::default(), facts, &mut effects)]),
        Sent::Container(word) => match word.known() {
            // Another user's manager on the same machine.
            Some(text) if text.ends_with('@') || text.ends_with("@.host") || text == ".host" => At::Child,
            _ => At::Inside,
        },
    };
    effects.push(Effect::Runs(Run { what: What::Words(words), at, stdin: command.stdin.clone() }));
    Report { effects, by: None }
}

/// `user@host:port/container`.
fn place(word: &Word) -> Place {
    let word = word.split_once('/').map_or_else(|| word.clone(), |(machine, _)| machine);
    host::with_port(&word)
}

/// Letters of each program's options that take a value, `-H` and `-M` among them.
fn letters_with_values(program: &str) -> &'static str {
    match program {
        "systemctl" => "tpPnosHM",
        "journalctl" => "nouptSUcgDMF",
        "loginctl" => "pPnosHM",
        _ => "HM",
    }
}

/// Long options whose value may stand in the next word.
#[rustfmt::skip]
const LONG_WITH_VALUES: &[&str] = &[
    "type", "state", "property", "root", "image", "lines", "output", "job-mode", "kill-who", "kill-whom", "kill-value",
    "signal", "what", "preset-mode", "boot-loader-menu", "boot-loader-entry", "reboot-argument", "message", "timestamp",
    "when", "drop-in", "unit", "user-unit", "priority", "since", "until", "identifier", "grep", "facility", "cursor",
    "after-cursor", "cursor-file", "directory", "file", "namespace", "field", "output-fields", "value", "match",
    "address", "size", "timeout", "vacuum-size", "vacuum-time", "vacuum-files", "order", "require",
    "from-pattern", "to-pattern", "fuzz", "iterations", "base-time", "security-policy", "threshold", "profile",
];

/// The option that sends the command away, and the words without it.
fn sent(program: &str, words: &[Word]) -> Result<(Option<Sent>, Vec<Word>), String> {
    let with_values = letters_with_values(program);
    let mut sent = None;
    let mut rest = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let beginning = word.beginning();
        if word.known() == Some("--") {
            rest.push(word.clone());
            rest.extend(words.cloned());
            break;
        }
        if let Some(name) = beginning.strip_prefix("--") {
            let (name, value) = name.split_once('=').map_or((name, None), |(name, _)| (name, word.split_once('=')));
            // What is short for one of them; `--ma` may be short for another option too, which then names nothing.
            let host = name.len() >= 2 && "host".starts_with(name);
            let machine = name.len() >= 3 && "machine".starts_with(name);
            if (host || machine) && !(host && program == "journalctl") {
                let value = match value {
                    Some((_, value)) => value,
                    None => taken(words.next(), beginning)?,
                };
                set(&mut sent, if host { Sent::Host(value) } else { Sent::Container(value) })?;
                continue;
            }
            rest.push(word.clone());
            if value.is_none() && LONG_WITH_VALUES.contains(&name) {
                rest.extend(words.next().cloned());
            }
            continue;
        }
        let Some(letters) = beginning.strip_prefix('-') else {
            rest.push(word.clone());
            continue;
        };
        let Some((at, letter)) = letters.char_indices().find(|(_, letter)| with_values.contains(*letter)) else {
            rest.push(word.clone());
            continue;
        };
        let front = beginning.get(..=at).unwrap_or_default();
        let head = beginning.get(..=at + 1).unwrap_or_default();
        let glued = word.strip_prefix(head).filter(|value| value.known() != Some(""));
        if matches!(letter, 'H' | 'M') {
            let value = match glued {
                Some(value) => value,
                None => taken(words.next(), head)?,
            };
            set(&mut sent, if letter == 'H' { Sent::Host(value) } else { Sent::Container(value) })?;
            if front != "-" {
                rest.push(front.into());
            }
        } else {
            rest.push(word.clone());
            if glued.is_none() {
                rest.extend(words.next().cloned());
            }
        }
    }
    Ok((sent, rest))
}

fn set(sent: &mut Option<Sent>, value: Sent) -> Result<(), String> {
    match sent.replace(value) {
        None => Ok(()),
        Some(_) => Err("it is sent to more than one machine".to_owned()),
    }
}

fn taken(word: Option<&Word>, option: &str) -> Result<Word, String> {
    match word {
        Some(word) if !word.is_many() => Ok(word.clone()),
        _ => Err(format!("the value of `{option}` can't be told")),
    }
}

/// Whether a program is one of them.
#[must_use]
pub fn of(program: &str) -> Option<super::Judge> {
    #[rustfmt::skip]
    let names = [
        "systemctl", "journalctl", "loginctl", "hostnamectl", "timedatectl", "localectl", "busctl", "systemd-analyze",
    ];
    names.contains(&program).then_some(judge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::programs::remote_cases::check;

    #[test]
    fn here_there_and_inside() {
        check(
            judge,
            &[
                ("systemctl restart nginx", "table"),
                ("systemctl -H root@web01 restart nginx", "web01[words:systemctl|restart|nginx]"),
                ("systemctl restart nginx --host=web01", "web01[words:systemctl|restart|nginx]"),
                ("systemctl --host web01 status", "web01[words:systemctl|status]"),
                ("systemctl --ho web01 status", "web01[words:systemctl|status]"),
                ("systemctl -qHweb01 stop x", "web01[words:systemctl|-q|stop|x]"),
                ("systemctl -t service -H web01:2222/box list-units", "web01[words:systemctl|-t|service|list-units]"),
                ("systemctl -t -H list-units", "table"),
                ("systemctl -H localhost stop x", "same[words:systemctl|stop|x]"),
                ("systemctl -H localhost:2222 stop x", "?[words:systemctl|stop|x]"),
                ("systemctl -H root@… stop x", "?[words:systemctl|stop|x]"),
                ("systemctl -H …* stop x", "unknown"),
                ("systemctl stop -- -H", "table"),
                ("systemctl --property --host=x stop y", "table"),
                ("systemctl -H prod --what-is-this --host=localhost stop y", "unknown"),
                ("systemctl -M box stop x", "inside[words:systemctl|stop|x]"),
                ("systemctl --user -M joe@ stop x", "local[words:systemctl|--user|stop|x]"),
                ("systemctl -M .host stop x", "local[words:systemctl|stop|x]"),
                ("journalctl -M box -n 5", "inside[words:journalctl|-n|5]"),
                ("journalctl --vacuum-size=1G", "table"),
                ("hostnamectl -H web01 set-hostname x", "web01[words:hostnamectl|set-hostname|x]"),
            ],
        );
    }
}
