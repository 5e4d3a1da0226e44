//! `az`: machines by `--name`, `--vm-name` and `--ids`, and scripts in them. Pure.

use super::arguments::{self, Arguments};
use super::{changes, is_session, other_in, shell_in, unknown_in, vm};
use crate::classify::effect::{At, Command, Effect, Facts, Host, Language, Report, Run, Stdin, What};
use crate::classify::programs::carry::report;
use crate::classify::programs::copied;
use crate::classify::programs::host;
use crate::classify::word::Word;

/// Commands behind `vm` that act on the machine.
const VERBS: &[&str] = &[
    "aem delete",
    "aem set",
    "assess-patches",
    "auto-shutdown",
    "boot-diagnostics disable",
    "boot-diagnostics enable",
    "capture",
    "convert",
    "deallocate",
    "delete",
    "disk attach",
    "disk detach",
    "encryption disable",
    "encryption enable",
    "extension delete",
    "extension set",
    "generalize",
    "identity assign",
    "identity remove",
    "install-patches",
    "nic add",
    "nic remove",
    "nic set",
    "open-port",
    "perform-maintenance",
    "reapply",
    "redeploy",
    "reimage",
    "repair reset-nic",
    "repair restore",
    "resize",
    "restart",
    "run-command delete",
    "run-command update",
    "secret add",
    "secret remove",
    "simulate-eviction",
    "start",
    "stop",
    "unmanaged-disk attach",
    "unmanaged-disk detach",
    "update",
    "user delete",
    "user reset-ssh",
    "user update",
];

const NAMES: &[&str] = &["--name", "--vm-name", "--ids", "--vm", "--instance-ids"];

/// Judges `az`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let Ok(all) = arguments::read(command.arguments(), &["--subscription", "-o", "--output", "--query"]) else {
        return Report::of(Effect::Table);
    };
    match all.path.as_slice() {
        ["vm", "run-command", "invoke" | "create"] => run_command(&all, facts),
        ["vm", rest @ ..] if VERBS.contains(&rest.join(" ").as_str()) => {
            Report::of(changes(machines(&all, rest.len()), &format!("az vm {}", rest.join(" "))))
        }
        ["ssh", "vm"] => ssh(command, &all),
        _ => Report::of(Effect::Table),
    }
}

/// The machines that the options name. Behind a longer command `--name` is that of an extension or a disk.
fn machines(all: &Arguments, length: usize) -> Vec<Host> {
    if let Some(option) = all.short_for(NAMES) {
        return vec![Host::Unknown(format!("what `{option}` is short for can't be told"))];
    }
    // Words without quotes may turn out to hold options.
    if let Some(word) = all.options.iter().flat_map(|(_, values)| values).find(|word| !word.is_fitting()) {
        return vec![Host::Unknown(format!("what `{}` holds is only known when it runs", word.shown()))];
    }
    let by_id: Vec<Host> = all.values(&["--ids"]).map(by_id).collect();
    if !by_id.is_empty() {
        return by_id;
    }
    let own: Vec<Host> = all.values(&["--vm-name", "--vm"]).map(vm).collect();
    if !own.is_empty() {
        return own;
    }
    if all.path.get(1) == Some(&"extension") {
        return vec![Host::Unknown("no --vm-name names it".into())];
    }
    let named: Vec<Host> = all.values(&["--name", "-n"]).map(vm).collect();
    match named.len() {
        1 => named,
        0 if length > 0 => vec![Host::Unknown("it is not named".into())],
        _ => vec![Host::Unknown("it is named more than once".into())],
    }
}

/// The name in an identifier: `/subscriptions/…/virtualMachines/NAME`.
fn by_id(word: &Word) -> Host {
    let Some(text) = word.known() else { return vm(word) };
    let lower = text.to_ascii_lowercase();
    let mark = "/virtualmachines/";
    match lower.find(mark).and_then(|at| text.get(at + mark.len()..)) {
        Some(rest) => super::named(rest.split('/').next().unwrap_or_default()),
        None => Host::Unknown(format!("`{text}` is no identifier of a virtual machine")),
    }
}

/// `vm run-command invoke --command-id RunShellScript --scripts LINE…`, `vm run-command create --script TEXT`.
fn run_command(all: &Arguments, facts: &Facts) -> Report {
    let machines = machines(all, 0);
    let machines = match machines.is_empty() {
        true => vec![Host::Unknown("it is not named".into())],
        false => machines,
    };
    let scripts: Vec<&Word> = all.values(&["--scripts", "--script"]).collect();
    let id = all.values(&["--command-id"]).last().and_then(Word::known).unwrap_or_default();
    let windows = id.eq_ignore_ascii_case("RunPowerShellScript");
    let creates = all.path.last() == Some(&"create");
    let known = windows || creates || id.eq_ignore_ascii_case("RunShellScript");
    let other = all.short_for(&["--scripts", "--script", "--command-id", "--script-uri"]).is_some()
        // What they put into the script can't be seen in it.
        || all.has(&["--script-uri", "--parameters", "--protected-parameters"]);
    if other || !known || scripts.is_empty() {
        let why = "what it runs there can't be read";
        return report(machines.into_iter().map(|vm| unknown_in(vm, why)));
    }
    let mut text = Word::default();
    for script in scripts {
        match file(script, facts) {
            Ok(read) => text.push_word(&read),
            Err(why) => return report(machines.into_iter().map(|vm| unknown_in(vm, why.clone()))),
        }
        text.push_text("\n");
    }
    let text = text.as_one();
    // The agent in the machine installs what runs the script, and keeps the script.
    let mut effects = vec![changes(machines.clone(), "vm run-command")];
    for vm in machines {
        effects.push(match windows {
            true => other_in(vm, Language::PowerShell, text.clone()),
            false => shell_in(vm, text.clone(), Stdin::Nothing),
        });
    }
    report(effects)
}

/// A value, or the file that `@FILE` names.
pub(super) fn file(word: &Word, facts: &Facts) -> Result<Word, String> {
    match word.strip_prefix("@") {
        Some(path) => copied::text_of(&path, facts).map(|text| Word::known_as(text.as_str())),
        None if word.may_begin_with("@") => Err(format!("whether `{}` is a file can't be told", word.shown())),
        None => Ok(word.clone()),
    }
}

/// `ssh vm -n NAME [-- words for ssh]`: what stands behind goes to ssh behind the machine's name.
fn ssh(command: &Command, all: &Arguments) -> Report {
    let named = machines(all, 0).into_iter().next();
    let host = all.values(&["--ip", "--hostname"]).last().map(|word| (word.clone(), vm(word)));
    let (word, vm) = match (named, host) {
        (_, Some(host)) => host,
        (Some(Host::Named { typed, .. }), None) => (Word::known_as(typed.as_str()), Host::named(typed)),
        (Some(host), None) => (Word::unknown(), host),
        (None, None) => (Word::unknown(), Host::Unknown("it is not named".into())),
    };
    Report::of(by_ssh(vm, &word, &all.behind, &command.stdin))
}

/// What ssh does with these words behind the machine's name; a machine that is not known stays so.
pub(super) fn by_ssh(vm: Host, name: &Word, behind: &[Word], stdin: &Stdin) -> Effect {
    let vm = match vm {
        // It may be the near end of a tunnel.
        Host::Named { typed, .. } if host::loopback(&typed) => Host::Unknown(format!("`{typed}` may be any machine")),
        vm => vm,
    };
    if *stdin == Stdin::Inherited && is_session(behind) {
        return unknown_in(vm, "what is typed into the session can't be seen");
    }
    if let Host::Unknown(why) = vm {
        if behind.iter().any(Word::may_be_option) {
            return Effect::Unknown(why);
        }
        let vm = Host::Unknown(why);
        return match behind {
            [] => crate::classify::programs::carry::shell_on_stdin(At::Hosts(vec![vm]), stdin.clone()),
            words => shell_in(vm, Word::joined(words), stdin.clone()),
        };
    }
    // The user's settings of ssh speak of other names.
    let ssh = ["ssh", "-F", "/dev/null"].map(Word::known_as);
    let words = ssh.into_iter().chain([name.clone()]).chain(behind.iter().cloned()).collect();
    Effect::Runs(Run { what: What::Words(words), at: At::Child, stdin: stdin.clone() })
}
