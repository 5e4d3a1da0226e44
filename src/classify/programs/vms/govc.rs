//! `govc`: machines by `-vm`, by operands, by the variable that the text has set, and programs in them. Pure.

use super::{by_tools, changes, last_part, shell_in, unknown_in, vm};
use crate::classify::effect::{Command, Effect, Facts, Host, Report, Stdin};
use crate::classify::programs::carry::{self, first};
use crate::classify::programs::options::Parsed;
use crate::classify::word::Word;

/// Options without a value, of all its commands that are read here.
const FLAGS: &[&str] = &[
    "debug",
    "trace",
    "verbose",
    "dump",
    "json",
    "xml",
    "k",
    "persist-session",
    "h",
    "on",
    "off",
    "reset",
    "s",
    "r",
    "suspend",
    "force",
    "wait",
    "M",
    "m",
    "q",
    "i",
    "f",
    "p",
    "c",
    "d",
    "t",
    "v",
    "mount",
    "unmount",
    "upgrade",
    "options",
    "capture",
    "profile",
    "standby",
    "thin",
    "eager",
    "shared",
    "keep",
    "children",
    "recursive",
    "soft",
    "hard",
];

/// Options with a value.
const VALUES: &[&str] = &[
    "cert",
    "key",
    "tls-ca-certs",
    "tls-known-hosts",
    "u",
    "vim-namespace",
    "vim-version",
    "dc",
    "host.dns",
    "host.ip",
    "host.ipath",
    "host.uuid",
    "vm",
    "vm.dns",
    "vm.ip",
    "vm.ipath",
    "vm.path",
    "vm.uuid",
    "l",
    "C",
    "e",
    "host",
    "pool",
    "ds",
    "folder",
    "net",
    "net.adapter",
    "net.address",
    "cluster",
    "name",
    "size",
    "disk",
    "controller",
    "mode",
    "sharing",
    "file",
    "link",
    "cpu",
    "annotation",
    "g",
    "priority",
    "answer",
    "version",
    "order",
    "delay",
    "device",
    "iso",
    "label",
    "cpu.reservation",
    "cpu.limit",
    "cpu.shares",
    "mem.reservation",
    "mem.limit",
    "mem.shares",
    "memory-pin",
    "nested-hv-enabled",
    "uuid",
    "scheduled-hw-upgrade-policy",
    "latency",
    "tpm",
    "D",
];

/// Commands that act on the machine of `-vm`.
const BY_OPTION: &[&str] = &[
    "device.boot",
    "device.cdrom.add",
    "device.cdrom.eject",
    "device.cdrom.insert",
    "device.clock.add",
    "device.connect",
    "device.disconnect",
    "device.floppy.add",
    "device.floppy.eject",
    "device.floppy.insert",
    "device.pci.add",
    "device.pci.remove",
    "device.remove",
    "device.sata.add",
    "device.scsi.add",
    "device.serial.add",
    "device.serial.connect",
    "device.serial.disconnect",
    "device.usb.add",
    "disk.attach",
    "disk.detach",
    "gpu.vm.add",
    "gpu.vm.remove",
    "guest.chmod",
    "guest.chown",
    "guest.kill",
    "guest.mkdir",
    "guest.mktemp",
    "guest.mv",
    "guest.rm",
    "guest.rmdir",
    "guest.touch",
    "guest.upload",
    "snapshot.create",
    "snapshot.remove",
    "snapshot.revert",
    "vm.change",
    "vm.customize",
    "vm.dataset.create",
    "vm.dataset.entry.rm",
    "vm.dataset.entry.set",
    "vm.dataset.rm",
    "vm.dataset.update",
    "vm.disk.attach",
    "vm.disk.change",
    "vm.disk.create",
    "vm.disk.promote",
    "vm.keystrokes",
    "vm.network.add",
    "vm.network.change",
    "vm.question",
    "vm.rdm.attach",
    "vm.upgrade",
];

/// Commands that act on the machines that are their operands.
const BY_OPERAND: &[&str] =
    &["vm.destroy", "vm.guest.tools", "vm.markastemplate", "vm.markasvm", "vm.migrate", "vm.power", "vm.unregister"];

/// Judges `govc`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let (Some(verb), rest) = first(command.arguments()) else { return Report::of(Effect::Table) };
    let Some(name) = verb.known() else { return Report::of(Effect::Table) };
    let runs = matches!(name, "guest.run" | "guest.start");
    let (option, operand) = (BY_OPTION.contains(&name), BY_OPERAND.contains(&name));
    if !runs && !option && !operand {
        return Report::of(Effect::Table);
    }
    // `-d` is stdin of guest.run, and a flag of others.
    let mut values = VALUES.to_vec();
    if runs {
        values.push("d");
    }
    if name == "vm.change" || name == "vm.disk.change" {
        values.extend(["m", "c"]);
    }
    if name.starts_with("snapshot.") {
        values.extend(["d"]);
    }
    if name == "vm.keystrokes" {
        values.extend(["s", "r", "c"]);
    }
    if name.starts_with("vm.network.") || name == "disk.attach" {
        values.extend(["m", "dvs"]);
    }
    let parsed = match read(rest, &values) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["h"]) {
        return Report::reads();
    }
    if operand {
        let mut vms: Vec<Host> = parsed.operands.iter().map(last_part).collect();
        vms.extend(by_search(&parsed));
        return match vms.is_empty() {
            true => Report::unknown("the virtual machine that it changes is not named"),
            false => Report::of(changes(vms, name)),
        };
    }
    let vm = by_search(&parsed).unwrap_or_else(|| by_variable(facts));
    if !runs {
        return Report::of(changes(vec![vm], name));
    }
    if let Some(variable) = parsed.values(&["e"]).next() {
        return Report::of(unknown_in(vm, format!("what `{}` makes of the program is not known", variable.shown())));
    }
    let stdin = match parsed.values(&["d"]).last() {
        Some(text) if text.known() == Some("-") => command.stdin.clone(),
        Some(text) => Stdin::Text(text.clone()),
        None => Stdin::Nothing,
    };
    match parsed.operands.first() {
        None => Report::reads(),
        Some(path) if path.begins_with("/") || super::is_windows(path) => {
            carry::report(by_tools(vm, &parsed.operands, stdin))
        }
        // What is no path is handed to the guest's own shell.
        Some(_) => Report::of(shell_in(vm, Word::joined(&parsed.operands), stdin)),
    }
}

/// Reads its options, of which these have values.
fn read(rest: &[Word], values: &[&'static str]) -> Result<Parsed, String> {
    let mut parsed = Parsed::default();
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        if word.known() == Some("-") || !word.may_be_option() {
            parsed.operands.push(word.clone());
            break;
        }
        if word.known() == Some("--") {
            break;
        }
        let dashes = if word.begins_with("--") { 2 } else { 1 };
        let name = word.known().and_then(|text| text.get(dashes..)).unwrap_or_default();
        if values.contains(&name) {
            let Some(value) = words.next().filter(|value| !value.is_many()) else {
                return Err(format!("the value of `{}` can't be told before it runs", word.shown()));
            };
            parsed.options.push((name.to_owned(), Some(value.clone())));
            continue;
        }
        if let Some((name, value)) = word.split_once('=')
            && let Some(name) = name.known().and_then(|text| text.get(dashes..))
            && values.contains(&name)
        {
            parsed.options.push((name.to_owned(), Some(value)));
            continue;
        }
        // It takes no short forms.
        let flag = name.split('=').next().unwrap_or_default();
        if !FLAGS.contains(&flag) {
            return Err(format!("its option `{}` is not known", word.shown()));
        }
        parsed.options.push((flag.to_owned(), None));
    }
    parsed.operands.extend(words.cloned());
    Ok(parsed)
}

/// The machine that an option names.
fn by_search(parsed: &Parsed) -> Option<Host> {
    parsed.options.iter().rev().find_map(|(name, value)| {
        let value = value.as_ref()?;
        match name.as_str() {
            "vm" | "vm.ipath" => Some(last_part(value)),
            "vm.ip" | "vm.dns" => Some(vm(value)),
            "vm.uuid" | "vm.path" => {
                Some(Host::Unknown(format!("which virtual machine `{}` is can't be told", value.shown())))
            }
            _ => None,
        }
    })
}

/// The machine that the text has put into the variable.
fn by_variable(facts: &Facts) -> Host {
    match facts.variables.variable("GOVC_VM") {
        Some(value) => last_part(&value),
        None => Host::Unknown("no -vm names it, and what GOVC_VM holds can't be seen".into()),
    }
}
