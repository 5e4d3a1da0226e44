//! `qm`, `pct` and `pvesh`: machines and containers by their numbers, and commands in them. Pure.

use super::guest_agent::started;
use super::{carried_to, changes, unknown_in, vm};
use crate::classify::effect::{Command, Effect, Facts, Host, Report, Stdin};
use crate::classify::programs::carry::{self, first, name};
use crate::classify::word::Word;

/// Verbs that act on the machine behind them; those that make another one of it are not among them.
const VERBS: &[&str] = &[
    "delsnapshot",
    "destroy",
    "fsck",
    "fstrim",
    "importdisk",
    "migrate",
    "monitor",
    "mount",
    "move-disk",
    "move-volume",
    "move_disk",
    "move_volume",
    "nbdstop",
    "reboot",
    "remote-migrate",
    "reset",
    "resize",
    "resume",
    "rollback",
    "sendkey",
    "set",
    "shutdown",
    "snapshot",
    "start",
    "stop",
    "suspend",
    "template",
    "unlink",
    "unlock",
    "unmount",
    "push",
];

/// Judges `qm` and `pct`.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let words = command.arguments();
    let text = |nr: usize| words.get(nr).and_then(Word::known);
    let rest = |nr: usize| words.get(nr..).unwrap_or_default();
    match (name(command), text(0), text(1)) {
        ("pct", Some("exec"), _) => match first(rest(1)) {
            (Some(number), _) if number.may_be_option() => doubt(number),
            (Some(number), carried) => exec(command, number, carried),
            (None, _) => Report::reads(),
        },
        ("pct", Some("enter"), _) | (_, Some("terminal"), _) | ("pct", Some("console"), _) => match first(rest(1)) {
            (Some(number), _) => carried_to(command, vm(number), &[]),
            (None, _) => Report::reads(),
        },
        ("pct", Some("pull"), _) => Report::changes("writes a file that it fetches"),
        ("qm", Some("guest"), Some("exec")) => match first(rest(2)) {
            (Some(number), _) if number.may_be_option() => doubt(number),
            (Some(number), carried) => guest_exec(command, number, carried),
            (None, _) => Report::reads(),
        },
        ("qm", Some("guest"), Some("passwd")) => on(rest(2), "guest passwd"),
        ("qm", Some("guest"), Some("cmd")) => agent(rest(2)),
        ("qm", Some("agent"), _) => agent(rest(1)),
        ("qm", Some("disk"), Some(verb @ ("import" | "move" | "resize" | "unlink"))) => on(rest(2), verb),
        ("qm", Some("cloudinit"), Some("update")) => on(rest(2), "cloudinit update"),
        (_, Some(verb), _) if VERBS.contains(&verb) => on(rest(1), verb),
        _ => Report::of(Effect::Table),
    }
}

/// A verb that acts on the machine behind it.
fn on(rest: &[Word], verb: &str) -> Report {
    match first(rest) {
        (Some(number), _) if number.may_be_option() => doubt(number),
        (Some(number), _) => Report::of(changes(vec![vm(number)], verb)),
        (None, _) => Report::reads(),
    }
}

fn doubt(word: &Word) -> Report {
    Report::unknown(format!("whether `{}` is a machine's number can't be told", word.shown()))
}

/// `pct exec NUMBER [--keep-env …] [--] WORDS`.
fn exec(command: &Command, number: &Word, rest: &[Word]) -> Report {
    let mut rest = rest;
    while let [option, value, behind @ ..] = rest
        && matches!(option.known(), Some("--keep-env" | "-keep-env"))
        && value.known().is_some()
    {
        rest = behind;
    }
    carried_to(command, vm(number), rest)
}

/// `qm guest exec NUMBER [--timeout N] … [--] WORDS`.
fn guest_exec(command: &Command, number: &Word, rest: &[Word]) -> Report {
    const OPTIONS: &[&str] = &["timeout", "synchronous", "pass-stdin"];
    let mut rest = rest;
    let mut stdin = Stdin::Nothing;
    loop {
        let (Some(word), behind) = first(rest) else { return Report::reads() };
        if word.known() == Some("--") {
            rest = behind;
            break;
        }
        if !word.may_be_option() {
            break;
        }
        let option = word.known().map(|text| text.trim_start_matches('-').split('=').next().unwrap_or_default());
        match option {
            Some(option) if OPTIONS.contains(&option) => {
                if option == "pass-stdin" {
                    stdin = command.stdin.clone();
                }
                let glued = word.known().is_some_and(|text| text.contains('='));
                let number = behind.first().and_then(Word::known).is_some_and(|text| text.parse::<u32>().is_ok());
                rest = if !glued && number { behind.get(1..).unwrap_or_default() } else { behind };
            }
            _ => return Report::of(unknown_in(vm(number), format!("what `{}` does is not known", word.shown()))),
        }
    }
    if rest.is_empty() {
        return Report::reads();
    }
    carry::report(started(vm(number), rest, stdin))
}

/// What the agent in a machine is asked.
fn agent(rest: &[Word]) -> Report {
    let (Some(number), rest) = first(rest) else { return Report::reads() };
    match rest.first().map(Word::known) {
        None => Report::reads(),
        Some(Some(verb)) if verb.starts_with("get-") => Report::reads(),
        Some(Some("info" | "ping" | "network-get-interfaces" | "fsfreeze-status")) => Report::reads(),
        Some(Some(verb)) => Report::of(changes(vec![vm(number)], verb)),
        Some(None) => Report::of(unknown_in(vm(number), "what its agent is asked is only known when it runs")),
    }
}

/// Judges `pvesh`: a path names the machine; what is made of it is another one.
#[must_use]
pub fn pvesh(command: &Command, _: &Facts) -> Report {
    let words = command.arguments();
    let (Some(verb), Some(path)) = (words.first().and_then(Word::known), words.get(1)) else {
        return Report::of(Effect::Table);
    };
    if !matches!(verb, "create" | "set" | "delete") {
        return Report::of(Effect::Table);
    }
    let parts: Vec<&str> = path.known().unwrap_or_default().trim_matches('/').split('/').collect();
    match parts.as_slice() {
        parts if parts.contains(&"..") => Report::of(Effect::Table),
        ["nodes", _, "qemu" | "lxc", _, "clone"] => Report::of(Effect::Table),
        ["nodes", _, "qemu" | "lxc", number, ..] => Report::of(changes(vec![Host::named(*number)], verb)),
        _ => Report::of(Effect::Table),
    }
}
