//! `lxc` and `incus`: instances that are named behind the verb, and commands in them. Pure.

use super::verbs::{self, Names, Verb};
use super::{changes, exec, unknown_in, vm};
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Run};
use crate::classify::programs::carry::first;
use crate::classify::programs::options::{Spec, parse};
use crate::classify::word::Word;

/// Judges `lxc` and `incus`.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    const SPEC: Spec = Spec {
        flags: "fhqv",
        long_flags: &["force", "stateless", "stateful", "all", "help", "debug", "quiet", "verbose", "console", "reuse"],
        long_values: &["timeout", "project"],
        ..Spec::MIXED
    };
    const ALL: Names = Names::All(&SPEC);
    const FIRST: Names = Names::First(&SPEC);
    const VERBS: &[Verb] = &[
        Verb { words: "start", names: ALL },
        Verb { words: "stop", names: ALL },
        Verb { words: "restart", names: ALL },
        Verb { words: "pause", names: ALL },
        Verb { words: "resume", names: ALL },
        Verb { words: "restore", names: FIRST },
        Verb { words: "snapshot", names: FIRST },
        Verb { words: "snapshot create", names: FIRST },
        Verb { words: "snapshot delete", names: FIRST },
        Verb { words: "snapshot restore", names: FIRST },
        Verb { words: "snapshot rename", names: FIRST },
        Verb { words: "rebuild", names: Names::Next(&[]) },
        Verb { words: "config set", names: FIRST },
        Verb { words: "config unset", names: FIRST },
        Verb { words: "config edit", names: FIRST },
        Verb { words: "config device add", names: FIRST },
        Verb { words: "config device remove", names: FIRST },
        Verb { words: "config device set", names: FIRST },
        Verb { words: "config device unset", names: FIRST },
        Verb { words: "config device override", names: FIRST },
        Verb { words: "config template", names: Names::Next(&[]) },
    ];
    let spec = Spec {
        flags: "qvh",
        long_flags: &["debug", "verbose", "quiet", "force-local", "help", "version"],
        long_values: &["project"],
        ..Spec::CARRIER
    };
    let Ok(parsed) = parse(command.arguments(), &spec) else { return Report::of(Effect::Table) };
    let words = &parsed.operands;
    let text = |nr: usize| words.get(nr).and_then(Word::known);
    let rest = words.get(1..).unwrap_or_default();
    let mut judged = match (text(0), text(1)) {
        (Some("exec"), _) => exec(command, rest, &EXEC),
        (Some("shell"), _) => exec(command, rest, &EXEC),
        (Some("console"), _) => Report::of(named_only(rest, "what is typed there can't be seen")),
        (Some("delete"), _) => delete(rest),
        (Some("file"), Some("push" | "delete" | "edit" | "create")) => files(words),
        (Some("file"), Some("pull")) => Report::changes("writes files that it fetches"),
        (Some("snapshot"), Some("list" | "show" | "ls")) => return Report::of(Effect::Table),
        _ => match verbs::judge(VERBS, words) {
            Some(judged) => judged,
            None => return Report::of(Effect::Table),
        },
    };
    judged.effects.iter_mut().for_each(without_remote);
    judged
}

const EXEC: Spec = Spec {
    flags: "tTnh",
    long_flags: &["force-interactive", "force-noninteractive", "disable-stdin", "help"],
    long_values: &["cwd", "env", "group", "mode", "user", "project"],
    ..Spec::CARRIER
};

/// `delete` of an instance, or of a snapshot of it.
fn delete(rest: &[Word]) -> Report {
    const SPEC: Spec = Spec { flags: "fi", long_flags: &["force", "interactive", "help"], ..Spec::MIXED };
    match parse(rest, &SPEC) {
        Ok(parsed) => Report::of(changes(parsed.operands.iter().map(of_path).collect(), "delete")),
        Err(why) => Report::unknown(why),
    }
}

/// `file push SOURCE… INSTANCE/PATH`, `file delete INSTANCE/PATH…`.
fn files(words: &[Word]) -> Report {
    const SPEC: Spec = Spec {
        flags: "pr",
        long_flags: &["create-dirs", "recursive", "force"],
        long_values: &["gid", "uid", "mode", "type"],
        ..Spec::MIXED
    };
    match parse(words.get(2..).unwrap_or_default(), &SPEC) {
        Ok(parsed) => {
            let all = words.get(1).and_then(Word::known) != Some("push");
            let skip = if all { 0 } else { parsed.operands.len().saturating_sub(1) };
            Report::of(changes(parsed.operands.iter().skip(skip).map(of_path).collect(), "file"))
        }
        Err(why) => Report::unknown(why),
    }
}

/// The instance before the first slash.
fn of_path(word: &Word) -> Host {
    match word.split_once('/') {
        Some((name, _)) => vm(&name),
        None => vm(word),
    }
}

/// A name with a colon is one of another server's, which may be any.
fn without_remote(effect: &mut Effect) {
    let hosts = match effect {
        Effect::ChangesVm { vms, .. } => vms,
        Effect::UnknownAt { hosts, .. } | Effect::Runs(Run { at: At::Hosts(hosts), .. }) => hosts,
        _ => return,
    };
    for host in hosts {
        if let Host::Named { typed, .. } = host
            && typed.contains(':')
        {
            *host = Host::Unknown(format!("on which server `{typed}` is can't be told"));
        }
    }
}

fn named_only(rest: &[Word], why: &str) -> Effect {
    match first(rest) {
        (Some(name), _) => unknown_in(vm(name), why),
        (None, _) => Effect::Unknown(why.into()),
    }
}
