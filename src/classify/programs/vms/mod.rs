//! Hypervisors, clouds and clusters: which virtual machine their programs act on, and what they carry into one. Pure.
//!
//! What they only show is in the catalog's tables, and so is, by not being there, what changes anything but a virtual
//! machine: that is asked about. Here stand the verbs that act on one that is named, and those that run a command in it.

mod arguments;
mod aws;
mod azure;
mod clouds;
mod clusters;
mod disks;
mod google;
mod govc;
mod guest_agent;
mod lists;
mod lxd;
mod proxmox;
mod vagrant;
mod verbs;
mod virsh;
mod virtualbox;
mod vmware;
mod xen;

pub use clusters::kubectl;
pub use virsh::is_plain_address;

use super::Judge;
use super::carry::{self, first};
use super::options::{Spec, parse};
use super::shells::is_shell;
use crate::classify::effect::{At, Code, Command, Effect, Host, Language, Report, Run, Stdin, What};
use crate::classify::word::Word;

/// The judge of one of these programs.
#[must_use]
pub fn of(program: &str) -> Option<Judge> {
    Some(match program {
        "VBoxManage" | "vboxmanage" => virtualbox::judge,
        "aws" => aws::judge,
        "az" => azure::judge,
        "gcloud" => google::judge,
        "govc" => govc::judge,
        "guestfish" => disks::guestfish,
        "incus" | "lxc" => lxd::judge,
        "pct" | "qm" => proxmox::judge,
        "pvesh" => proxmox::pvesh,
        "vagrant" => vagrant::judge,
        "virsh" => virsh::judge,
        "virt-copy-in" | "virt-customize" | "virt-edit" | "virt-sysprep" | "virt-tar-in" | "virt-win-reg" => {
            disks::on_disks
        }
        "virt-clone" | "virt-install" => disks::new_machine,
        "virt-xml" => disks::xml,
        "virtctl" => clusters::virtctl,
        "vmrun" => vmware::vmrun,
        "xe" => xen::xe,
        program => return lists::of(program),
    })
}

/// The virtual machine that a word names.
#[must_use]
pub(super) fn vm(word: &Word) -> Host {
    match word.known() {
        Some(name) => named(name),
        None => Host::Unknown(format!("which virtual machine `{}` names is only known when it runs", word.shown())),
    }
}

/// The virtual machine of that name; a pattern may stand for any number of them.
#[must_use]
pub(super) fn named(name: &str) -> Host {
    let plain =
        !name.trim().is_empty() && !name.starts_with(['-', '/']) && !name.contains(['*', '?', '[', '\n', '\\', '=']);
    if plain { Host::named(name) } else { Host::Unknown(format!("`{name}` is no name of one virtual machine")) }
}

/// What stands behind the last slash of a path in an inventory or of a cloud's long identifier.
#[must_use]
pub(super) fn last_part(word: &Word) -> Host {
    match word.known() {
        Some(path) => named(path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()),
        None => vm(word),
    }
}

/// It changes these virtual machines.
#[must_use]
pub(super) fn changes(vms: Vec<Host>, verb: &str) -> Effect {
    Effect::ChangesVm { vms, how: format!("does `{verb}`") }
}

/// It may change the virtual machine in a way that can't be seen.
#[must_use]
pub(super) fn unknown_in(vm: Host, why: impl Into<String>) -> Effect {
    Effect::UnknownAt { hosts: vec![vm], why: why.into() }
}

/// A text that the virtual machine's shell reads.
#[must_use]
pub(super) fn shell_in(vm: Host, text: Word, stdin: Stdin) -> Effect {
    carry::shell(text, At::Hosts(vec![vm]), stdin)
}

/// A text that PowerShell, or the command processor of Windows, reads in the virtual machine.
#[must_use]
pub(super) fn other_in(vm: Host, language: Language, text: Word) -> Effect {
    let what = What::Other { language, code: Code::Text(text) };
    Effect::Runs(Run { what, at: At::Hosts(vec![vm]), stdin: Stdin::Nothing })
}

/// A program that the tools in the virtual machine start: most hand its words to a shell as one text, some as they are, so
/// both are judged. On Windows the text is in another language, which shows by the program's path.
#[must_use]
pub(super) fn by_tools(vm: Host, words: &[Word], stdin: Stdin) -> Vec<Effect> {
    let text = Word::joined(words);
    if words.first().is_some_and(is_windows) {
        return vec![other_in(vm, Language::Cmd, text)];
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    let same = words.iter().all(|word| word.known().is_some_and(|text| !text.is_empty() && text.chars().all(plain)));
    let mut effects = vec![shell_in(vm.clone(), text, stdin.clone())];
    if !same {
        effects.extend(carry::words(words, At::Hosts(vec![vm]), stdin));
    }
    effects
}

/// Whether a path is one of Windows.
#[must_use]
pub(super) fn is_windows(path: &Word) -> bool {
    let text = path.beginning().to_ascii_lowercase();
    let drive = matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    drive || text.ends_with(".exe") || text.starts_with("%systemroot%")
}

/// `exec [options] NAME [--] WORDS…`, or a shell on stdin without words.
#[must_use]
pub(super) fn exec(command: &Command, rest: &[Word], spec: &Spec) -> Report {
    let parsed = match parse(rest, spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["help", "h"]) {
        return Report::reads();
    }
    let (Some(name), carried) = first(&parsed.operands) else { return Report::reads() };
    // A variable may choose what the program loads there.
    if parsed.has(&["env"]) {
        return Report::of(unknown_in(vm(name), "what its environment makes of the program is not known"));
    }
    carried_to(command, vm(name), carried)
}

/// The words that stand behind a virtual machine's name, run in it.
#[must_use]
pub(super) fn carried_to(command: &Command, vm: Host, carried: &[Word]) -> Report {
    let carried = match first(carried) {
        (Some(word), rest) if word.known() == Some("--") => rest,
        // Further options may stand behind the name.
        (Some(word), _) if word.may_be_option() => {
            return Report::of(unknown_in(vm, format!("what `{}` is can't be told", word.shown())));
        }
        _ => carried,
    };
    let stdin = command.stdin.clone();
    if stdin == Stdin::Inherited && is_session(carried) {
        return Report::of(unknown_in(vm, "what is typed into the session can't be seen"));
    }
    let at = At::Hosts(vec![vm]);
    let run = carry::words(carried, at.clone(), stdin.clone()).unwrap_or_else(|| carry::shell_on_stdin(at, stdin));
    Report::of(run)
}

/// Whether words open a shell and give it nothing to do.
#[must_use]
pub(super) fn is_session(words: &[Word]) -> bool {
    match words {
        [] => true,
        [shell, options @ ..] => {
            shell.known().is_some_and(|shell| is_shell(carry::base(shell)))
                && options.iter().all(|word| matches!(word.known(), Some("-i" | "-l" | "-il" | "-li" | "--login")))
        }
    }
}
