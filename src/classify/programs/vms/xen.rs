//! `xe` of XenServer: what it acts on stands in words like `vm=NAME`. Pure.

use super::{changes, named};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::programs::options::{Spec, parse};
use crate::classify::word::Word;

/// Commands that act on the machine that is named; those that make another one of it are not among them.
const VERBS: &[&str] = &[
    "vm-cd-add",
    "vm-cd-eject",
    "vm-cd-insert",
    "vm-cd-remove",
    "vm-checkpoint",
    "vm-crashdump",
    "vm-destroy",
    "vm-disk-add",
    "vm-disk-remove",
    "vm-memory-dynamic-range-set",
    "vm-memory-limits-set",
    "vm-memory-static-range-set",
    "vm-memory-target-set",
    "vm-migrate",
    "vm-param-add",
    "vm-param-clear",
    "vm-param-remove",
    "vm-param-set",
    "vm-pause",
    "vm-pool-migrate",
    "vm-reboot",
    "vm-reset-powerstate",
    "vm-resume",
    "vm-set-uefi-mode",
    "vm-shutdown",
    "vm-snapshot",
    "vm-snapshot-with-quiesce",
    "vm-start",
    "vm-suspend",
    "vm-uninstall",
    "vm-unpause",
    "vm-vcpu-hotplug",
    "vm-vif-add",
];

/// Judges `xe`.
#[must_use]
pub fn xe(command: &Command, _: &Facts) -> Report {
    const SPEC: Spec = Spec { long_values: &["s", "p", "u", "pw", "pwf"], single_dash: true, ..Spec::CARRIER };
    let Ok(parsed) = parse(command.arguments(), &SPEC) else { return Report::of(Effect::Table) };
    let Some(verb) = parsed.operands.first().and_then(Word::known) else { return Report::of(Effect::Table) };
    if !VERBS.contains(&verb) {
        return Report::of(Effect::Table);
    }
    let vm = machine(parsed.operands.get(1..).unwrap_or_default());
    Report::of(changes(vec![vm], verb))
}

/// The one machine that the words select.
fn machine(words: &[Word]) -> Host {
    let mut found = None;
    for word in words {
        let pair = word.split_once('=').map(|(name, value)| (name.shown(), value));
        match pair.as_ref().map(|(name, value)| (name.as_str(), value.known())) {
            Some(("vm" | "uuid" | "vm-name" | "vm-id" | "vm-uuid", Some(value))) => found = Some(named(value)),
            Some(("multiple", _)) => return Host::Unknown("it may act on several".into()),
            // Another value may be anything, as long as it stays one word.
            Some((name, _)) if !name.is_empty() && word.is_fitting() => {}
            _ if word.known() == Some("--force") || word.known() == Some("--live") => {}
            _ => return Host::Unknown(format!("what `{}` selects can't be told", word.shown())),
        }
    }
    found.unwrap_or_else(|| Host::Unknown("no word of it names one".into()))
}
