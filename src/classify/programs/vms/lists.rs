//! The programs of which nothing more is to be said than which verbs act on a virtual machine that is named, and which one
//! runs a command there: `xl`, `vim-cmd`, `acli`, `multipass`, `limactl`, `prlctl`. Pure.

use super::verbs::{self, Names, Verb, next};
use super::{by_tools, carried_to, exec, vm};
use crate::classify::effect::{Command, Effect, Facts, Report};
use crate::classify::programs::Judge;
use crate::classify::programs::carry::{self, first};
use crate::classify::programs::options::{Spec, parse};
use crate::classify::word::Word;

/// The judge of one of these programs.
#[must_use]
pub fn of(program: &str) -> Option<Judge> {
    Some(match program {
        "acli" => acli,
        "limactl" => lima,
        "multipass" => multipass,
        "prlctl" => parallels,
        "vim-cmd" => vim_cmd,
        "xl" => xl,
        _ => return super::clouds::of(program),
    })
}

/// The words from the verb on; none if the options before it are not known.
fn words(command: &Command, flags: &'static str, long_flags: &'static [&'static str]) -> Option<Vec<Word>> {
    let spec = Spec { flags, long_flags, ..Spec::CARRIER };
    parse(command.arguments(), &spec).ok().map(|parsed| parsed.operands)
}

fn listed(command: &Command, verbs: &[Verb]) -> Report {
    verbs::judge(verbs, command.arguments()).unwrap_or_else(|| Report::of(Effect::Table))
}

/// Judges `xl`.
#[must_use]
fn xl(command: &Command, _: &Facts) -> Report {
    const WAIT: Names = Names::Next(&["-w", "-F", "-c", "-p", "-b"]);
    const VERBS: &[Verb] = &[
        Verb { words: "destroy", names: Names::Next(&["-f"]) },
        Verb { words: "shutdown", names: WAIT },
        Verb { words: "reboot", names: WAIT },
        Verb { words: "save", names: WAIT },
        Verb { words: "console", names: Names::Next(&[]) },
        Verb { words: "migrate", names: Names::Next(&["--live", "--debug", "-e"]) },
    ];
    const OTHERS: &[Verb] = next!(
        "pause",
        "unpause",
        "rename",
        "sysrq",
        "mem-set",
        "mem-max",
        "vcpu-set",
        "vcpu-pin",
        "trigger",
        "block-attach",
        "block-detach",
        "network-attach",
        "network-detach",
        "cd-insert",
        "cd-eject",
        "pci-attach",
        "pci-detach",
        "usbctrl-attach",
        "usbctrl-detach",
        "usbdev-attach",
        "usbdev-detach",
        "vtpm-attach",
        "vtpm-detach",
        "config-update",
        "qemu-monitor-command",
        "remus",
        "suspend",
        "resume",
    );
    let Some(words) = words(command, "vNftT", &["help", "version"]) else { return Report::of(Effect::Table) };
    let judged = verbs::judge(VERBS, &words).or_else(|| verbs::judge(OTHERS, &words));
    judged.unwrap_or_else(|| Report::of(Effect::Table))
}

/// Judges `vim-cmd`: a virtual machine goes by its number.
#[must_use]
fn vim_cmd(command: &Command, _: &Facts) -> Report {
    const SHOWN: &[&str] = &["vmsvc/power.getstate", "vmsvc/snapshot.get", "vmsvc/getallvms"];
    const OTHERS: &[&str] = &["vmsvc/createdummyvm", "vmsvc/convert.toTemplate"];
    let (Some(verb), rest) = first(command.arguments()) else { return Report::of(Effect::Table) };
    match verb.known() {
        Some(text)
            if text.starts_with("vmsvc/")
                && !text.starts_with("vmsvc/get.")
                && !SHOWN.contains(&text)
                && !OTHERS.contains(&text) =>
        {
            match first(rest) {
                (Some(number), _) => Report::of(super::changes(vec![vm(number)], text)),
                (None, _) => Report::reads(),
            }
        }
        _ => Report::of(Effect::Table),
    }
}

/// Judges Nutanix's `acli`: names are parted by commas.
#[must_use]
fn acli(command: &Command, _: &Facts) -> Report {
    const SHOWN: &[&str] = &[
        "vm.get",
        "vm.list",
        "vm.disk_get",
        "vm.disk_list",
        "vm.nic_get",
        "vm.nic_list",
        "vm.snapshot_list",
        "vm.snapshot_get_tree",
    ];
    const NEW: &[&str] = &["vm.create", "vm.clone"];
    let spec = Spec { flags: "hy", values: "Ho", long_flags: &["help"], ..Spec::CARRIER };
    let Ok(parsed) = parse(command.arguments(), &spec) else { return Report::of(Effect::Table) };
    let (Some(verb), rest) = first(&parsed.operands) else { return Report::of(Effect::Table) };
    match verb.known() {
        Some(text) if text.starts_with("vm.") && !SHOWN.contains(&text) && !NEW.contains(&text) => {
            let vms = match first(rest) {
                (Some(names), _) => match names.known() {
                    Some(names) => names.split(',').map(super::named).collect(),
                    None => vec![vm(names)],
                },
                (None, _) => return Report::reads(),
            };
            Report::of(super::changes(vms, text))
        }
        _ => Report::of(Effect::Table),
    }
}

/// Judges `multipass`.
#[must_use]
fn multipass(command: &Command, _: &Facts) -> Report {
    const SPEC: Spec = Spec {
        flags: "phv",
        values: "tn",
        long_flags: &["all", "purge", "cancel", "help", "verbose", "force", "destructive"],
        long_values: &["timeout", "time", "name", "comment"],
        ..Spec::MIXED
    };
    const ALL: Names = Names::All(&SPEC);
    const VERBS: &[Verb] = &[
        Verb { words: "start", names: ALL },
        Verb { words: "stop", names: ALL },
        Verb { words: "restart", names: ALL },
        Verb { words: "suspend", names: ALL },
        Verb { words: "delete", names: ALL },
        Verb { words: "recover", names: ALL },
        Verb { words: "snapshot", names: Names::First(&SPEC) },
        Verb { words: "restore", names: Names::First(&SPEC) },
    ];
    let (Some(verb), rest) = first(command.arguments()) else { return Report::of(Effect::Table) };
    match verb.known() {
        Some("exec" | "shell" | "sh" | "connect") => {
            let spec = Spec {
                flags: "nhv",
                values: "dt",
                long_flags: &["no-map-working-directory", "help", "verbose"],
                long_values: &["working-directory", "timeout"],
                ..Spec::CARRIER
            };
            exec(command, rest, &spec)
        }
        Some("transfer" | "copy-files") => transfer(rest),
        _ => listed(command, VERBS),
    }
}

/// `transfer SOURCE… TARGET`: a name with a colon is a machine's.
fn transfer(rest: &[Word]) -> Report {
    const SPEC: Spec = Spec { flags: "rph", long_flags: &["recursive", "parents", "help"], ..Spec::MIXED };
    match parse(rest, &SPEC) {
        Ok(parsed) => match parsed.operands.last() {
            None => Report::reads(),
            Some(target) => match target.split_once(':') {
                Some((name, _)) => Report::of(super::changes(vec![vm(&name)], "transfer")),
                None if target.known().is_some() => Report::of(Effect::Writes(target.clone())),
                None => Report::unknown(format!("which machine `{}` is on can't be told", target.shown())),
            },
        },
        Err(why) => Report::unknown(why),
    }
}

/// Judges `limactl`.
#[must_use]
fn lima(command: &Command, _: &Facts) -> Report {
    const SPEC: Spec = Spec { flags: "fy", long_flags: &["force", "yes", "help", "debug"], ..Spec::MIXED };
    const ALL: Names = Names::All(&SPEC);
    const VERBS: &[Verb] = &[
        Verb { words: "stop", names: ALL },
        Verb { words: "restart", names: ALL },
        Verb { words: "delete", names: ALL },
        Verb { words: "remove", names: ALL },
        Verb { words: "rm", names: ALL },
        Verb { words: "factory-reset", names: ALL },
        Verb { words: "protect", names: ALL },
        Verb { words: "unprotect", names: ALL },
        Verb { words: "edit", names: Names::Next(&[]) },
        Verb { words: "snapshot create", names: Names::Next(&[]) },
        Verb { words: "snapshot apply", names: Names::Next(&[]) },
        Verb { words: "snapshot delete", names: Names::Next(&[]) },
    ];
    let (Some(verb), rest) = first(command.arguments()) else { return Report::of(Effect::Table) };
    match verb.known() {
        Some("shell") => {
            let spec = Spec {
                flags: "hy",
                long_flags: &["help", "debug", "tty", "reconnect", "preserve-env", "yes"],
                long_values: &["shell", "workdir"],
                ..Spec::CARRIER
            };
            exec(command, rest, &spec)
        }
        Some("copy" | "cp") => transfer(rest),
        _ => listed(command, VERBS),
    }
}

/// Judges `prlctl`.
#[must_use]
fn parallels(command: &Command, _: &Facts) -> Report {
    const VERBS: &[Verb] = next!(
        "start",
        "stop",
        "restart",
        "reset",
        "suspend",
        "resume",
        "pause",
        "delete",
        "set",
        "snapshot",
        "snapshot-switch",
        "snapshot-delete",
        "unregister",
        "encrypt",
        "decrypt",
        "installtools",
        "umount",
        "mount",
        "move",
        "migrate",
        "reset-uptime",
        "send-key-event",
        "change-sid",
    );
    let (Some(verb), rest) = first(command.arguments()) else { return Report::of(Effect::Table) };
    match (verb.known(), first(rest)) {
        (Some("exec"), (Some(machine), carried)) if !carried.is_empty() => {
            let carried = if carried.first().is_some_and(|word| word.may_begin_with("-")) {
                return carried_to(command, vm(machine), carried);
            } else {
                carried
            };
            carry::report(by_tools(vm(machine), carried, command.stdin.clone()))
        }
        (Some("enter"), (Some(machine), _)) => carried_to(command, vm(machine), &[]),
        _ => listed(command, VERBS),
    }
}
