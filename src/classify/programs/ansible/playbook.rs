//! `ansible-playbook`, and the sisters that reach no machine. Pure.

use super::super::copied;
use super::super::options::{self, Parsed, Spec};
use super::machines::{hosts, inventory_only};
use super::{SPEC, odd_option, plays};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::word::Word;
use crate::path::joined;

/// Judges a command of `ansible-playbook`.
#[must_use]
pub fn playbook(command: &Command, facts: &Facts) -> Report {
    let spec = Spec { flags: "bCDhkKJv", values: "cefilMtTu", ..SPEC };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["h", "help", "version"]) {
        return Report::reads();
    }
    if parsed.has(&["syntax-check", "list-hosts", "list-tasks", "list-tags"]) {
        return inventory_only(&parsed, facts);
    }
    let mut texts = vec![];
    for path in &parsed.operands {
        match copied::text_of(path, facts) {
            Ok(text) => texts.push(text),
            Err(why) => return Report::unknown(why),
        }
    }
    let odd = odd_option(&parsed, facts).or_else(|| own_code(&parsed, facts));
    if parsed.has(&["C", "check"]) {
        // A task may say that it runs in a check too, and what a playbook includes is not read.
        let runs = texts.iter().find_map(|text| plays::in_check(text));
        return match (odd, runs) {
            (Some(why), _) => Report::unknown(why),
            (None, Some(word)) => {
                Report::unknown(format!("its playbook holds `{word}`, which may run in a check as well"))
            }
            (None, None) if texts.is_empty() => Report::unknown("it is given no playbook"),
            (None, None) => Report::reads(),
        };
    }
    let mut effects = vec![];
    let mut found: Vec<Host> = vec![];
    for text in &texts {
        let more = match plays::patterns(text, &parsed) {
            Ok(patterns) => {
                let hosts =
                    patterns.iter().map(|pattern| hosts(&parsed, Some(&pattern.as_str().into()), facts, &mut effects));
                hosts.collect::<Vec<_>>().concat()
            }
            Err(why) => vec![Host::Unknown(why)],
        };
        for host in more {
            if !found.contains(&host) {
                found.push(host);
            }
        }
    }
    if found.is_empty() {
        return Report::unknown("which machines its plays are for can't be told");
    }
    effects.push(Effect::ChangesAt { hosts: found, how: "is changed by a playbook".into() });
    // Tasks may run here and on machines that no play names.
    if let Some(word) = texts.iter().find_map(|text| plays::elsewhere(text)) {
        effects.push(Effect::Unknown(format!("its playbook holds `{word}`, which may lead elsewhere")));
    }
    effects.extend(odd.map(Effect::Unknown));
    let report = Report { effects, by: None };
    copied::from_here(report, facts, "what its playbook's tasks reach from this machine is not read")
}

/// Folders beside a playbook whose programs Ansible runs as modules and plugins.
fn own_code(parsed: &Parsed, facts: &Facts) -> Option<String> {
    const FOLDERS: &[&str] = &[
        "action_plugins",
        "cache_plugins",
        "callback_plugins",
        "connection_plugins",
        "filter_plugins",
        "inventory_plugins",
        "library",
        "lookup_plugins",
        "module_utils",
        "strategy_plugins",
        "test_plugins",
        "vars_plugins",
    ];
    for path in parsed.operands.iter().filter_map(Word::known) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for name in FOLDERS {
            let whole = joined(&format!("{folder}{}{name}", if folder.is_empty() { "" } else { "/" }), facts.cwd)?;
            if facts.around.folder(&whole).is_none_or(|inside| !inside.is_empty()) {
                return Some(format!("the programs in {whole} are not read"));
            }
        }
    }
    None
}

/// Judges `ansible-inventory`, which runs the programs of an inventory.
#[must_use]
pub fn inventory(command: &Command, facts: &Facts) -> Report {
    let spec = Spec {
        flags: "hvyJ",
        values: "elip",
        long_flags: &[
            "help",
            "version",
            "verbose",
            "list",
            "graph",
            "vars",
            "yaml",
            "toml",
            "export",
            "ask-vault-password",
            "ask-vault-pass",
            "flush-cache",
        ],
        long_values: &[
            "host",
            "inventory",
            "inventory-file",
            "limit",
            "output",
            "playbook-dir",
            "vault-id",
            "vault-password-file",
            "extra-vars",
        ],
        ..Spec::MIXED
    };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let mut report = inventory_only(&parsed, facts);
    report.effects.extend(parsed.values(&["output"]).map(|path| Effect::Writes(path.clone())));
    report
}

/// Judges the sisters that reach no machine.
#[must_use]
pub fn sisters(command: &Command, _: &Facts) -> Report {
    let words: Vec<&str> =
        command.arguments().iter().filter_map(Word::known).filter(|word| !word.starts_with('-')).collect();
    let asks = command.arguments().iter().any(|word| matches!(word.known(), Some("-h" | "--help" | "--version")));
    match (command.program().unwrap_or_default(), words.as_slice()) {
        _ if asks => Report::reads(),
        ("ansible-doc" | "ansible-lint", _) => Report::reads(),
        ("ansible-config", ["dump" | "list" | "view" | "validate", ..]) => Report::reads(),
        ("ansible-config", ["init", ..]) => Report::reads(),
        ("ansible-vault", ["view", ..]) => Report::reads(),
        ("ansible-vault", ["encrypt" | "decrypt" | "rekey" | "create" | "encrypt_string", ..]) => {
            Report::changes("rewrites files of secrets")
        }
        (
            "ansible-galaxy",
            ["collection" | "role", "list" | "verify" | "search" | "info", ..] | ["list" | "search" | "info", ..],
        ) => Report::reads(),
        (
            "ansible-galaxy",
            ["collection" | "role", "install" | "init" | "download" | "build" | "remove", ..]
            | ["install" | "init" | "remove", ..],
        ) => Report::of(Effect::Works("installs or makes roles".into())),
        (name, _) => Report::unknown(format!("what `{name}` does can't be told")),
    }
}
