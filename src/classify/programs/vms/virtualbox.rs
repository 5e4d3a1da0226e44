//! `VBoxManage`: machines that are named behind the verb, and programs in them by `guestcontrol`. Pure.

use super::verbs::{self, Names, Verb};
use super::{by_tools, changes, unknown_in, vm};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::programs::carry::{base, first};
use crate::classify::programs::options::{Spec, parse};
use crate::classify::word::Word;

/// Judges `VBoxManage`.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    const VERBS: &[Verb] = super::verbs::next!(
        "adoptstate",
        "controlvm",
        "debugvm",
        "discardstate",
        "encryptvm",
        "guestproperty delete",
        "guestproperty set",
        "guestproperty unset",
        "modifyvm",
        "movevm",
        "sharedfolder add",
        "sharedfolder remove",
        "startvm",
        "storageattach",
        "storagectl",
        "unregistervm",
    );
    let spec = Spec { flags: "q", long_flags: &["nologo", "help", "version"], ..Spec::CARRIER };
    let Ok(parsed) = parse(command.arguments(), &spec) else { return Report::of(Effect::Table) };
    let words = parsed.operands;
    let text = |nr: usize| words.get(nr).and_then(Word::known);
    match (text(0), words.get(1), text(2)) {
        (Some("guestcontrol"), Some(machine), Some("run" | "start" | "execute" | "exec")) => {
            guest_control(command, vm(machine), words.get(3..).unwrap_or_default())
        }
        (Some("guestcontrol"), Some(_), Some("list" | "stat")) => Report::of(Effect::Table),
        (Some("guestcontrol"), Some(_), Some("copyfrom")) => Report::changes("writes files that it fetches"),
        (Some("guestcontrol"), Some(machine), Some(verb)) => Report::of(changes(vec![vm(machine)], verb)),
        (Some("snapshot"), Some(machine), Some("take" | "restore" | "restorecurrent" | "delete" | "edit")) => {
            Report::of(changes(vec![vm(machine)], "snapshot"))
        }
        (Some("bandwidthctl"), Some(machine), Some("add" | "set" | "remove")) => {
            Report::of(changes(vec![vm(machine)], "bandwidthctl"))
        }
        (Some("startvm"), Some(_), _) => startvm(&words),
        (Some("setextradata"), Some(machine), _) if machine.known() != Some("global") => {
            Report::of(changes(vec![vm(machine)], "setextradata"))
        }
        _ => verbs::judge(VERBS, &words).unwrap_or_else(|| Report::of(Effect::Table)),
    }
}

/// `startvm` takes several names.
fn startvm(words: &[Word]) -> Report {
    const SPEC: Spec = Spec { values: "E", long_values: &["type", "putenv", "password", "password-id"], ..Spec::MIXED };
    const VERBS: &[Verb] = &[Verb { words: "startvm", names: Names::All(&SPEC) }];
    verbs::judge(VERBS, words).unwrap_or_else(|| Report::of(Effect::Table))
}

/// `guestcontrol VM run`: the program stands behind `--exe`, and behind `--` its words, the first of which it is called by.
fn guest_control(command: &Command, vm: Host, rest: &[Word]) -> Report {
    let spec = Spec {
        flags: "vq",
        values: "E",
        long_flags: &[
            "dos2unix",
            "unix2dos",
            "verbose",
            "quiet",
            "wait-stdout",
            "wait-stderr",
            "no-wait-stdout",
            "no-wait-stderr",
            "wait-exit",
            "profile",
            "ignore-orphaned-processes",
            "ignore-operhaned-processes",
            "unquoted-args",
        ],
        long_values: &[
            "exe",
            "image",
            "username",
            "password",
            "passwordfile",
            "domain",
            "timeout",
            "putenv",
            "environment",
            "cwd",
            "arg0",
        ],
        ..Spec::CARRIER
    };
    let parsed = match parse(rest, &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::of(unknown_in(vm, why)),
    };
    // A variable may choose what the program loads there.
    if parsed.has(&["E", "putenv", "environment"]) {
        return Report::of(unknown_in(vm, "what its environment makes of the program is not known"));
    }
    let exe = parsed.values(&["exe", "image"]).last().cloned();
    let (called, arguments) = first(&parsed.operands);
    let Some(program) = exe.clone().or_else(|| called.cloned()) else { return Report::reads() };
    let whole = |arguments: &[Word]| {
        let words: Vec<Word> = std::iter::once(program.clone()).chain(arguments.iter().cloned()).collect();
        by_tools(vm.clone(), &words, command.stdin.clone())
    };
    let mut effects = whole(arguments);
    // Older releases take every word for an argument.
    let same = called.and_then(Word::known).map(base) == program.known().map(base);
    if exe.is_some() && called.is_some() && !same {
        effects.extend(whole(&parsed.operands));
    }
    Report { effects, by: None }
}
