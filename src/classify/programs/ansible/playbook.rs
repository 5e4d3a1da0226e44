//! `ansible-playbook`, and the sisters that reach no machine. Pure.

use super::super::copied;
use super::super::options::{self, Spec};
use super::machines::{hosts, inventory_only};
use super::{SPEC, odd_option};
use crate::classify::effect::{Command, Effect, Facts, Host, Report};
use crate::classify::word::Word;

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
    if parsed.has(&["C", "check"]) {
        // A task may say that it runs in a check too, and what a playbook includes is not read.
        let runs = |text: &String| {
            [
                "check_mode",
                "raw",
                "script",
                "include",
                "import_",
                "roles",
                "delegate_to",
                "local_action",
                "lookup",
                "query",
                "q(",
                "with_",
                "always_run",
            ]
            .iter()
            .any(|word| text.contains(word))
        };
        if odd_option(&parsed).is_none() && !texts.is_empty() && !texts.iter().any(runs) {
            return Report::reads();
        }
        return Report::unknown("what a playbook does in a check depends on its tasks, roles and variables");
    }
    let mut effects = vec![];
    let mut found: Vec<Host> = vec![];
    for text in &texts {
        for pattern in plays(text) {
            match pattern {
                Ok(pattern) => {
                    for host in hosts(&parsed, Some(&pattern.as_str().into()), facts, &mut effects) {
                        if !found.contains(&host) {
                            found.push(host);
                        }
                    }
                }
                Err(why) => found.push(Host::Unknown(why)),
            }
        }
    }
    if found.is_empty() {
        return Report::unknown("which machines its plays are for can't be told");
    }
    effects.push(Effect::ChangesAt { hosts: found, how: "is changed by a playbook".into() });
    // Tasks may run here and on machines that no play names.
    let elsewhere = |text: &String| {
        [
            "delegate_to",
            "local_action",
            "connection:",
            "add_host",
            "import_playbook",
            "lookup",
            "query(",
            "roles",
            "include",
            "import_",
            "ansible_",
        ]
        .iter()
        .any(|word| text.contains(word))
    };
    if texts.iter().any(elsewhere) {
        effects.push(Effect::Unknown("its playbook may run tasks elsewhere, which is not followed".into()));
    }
    if let Some(why) = odd_option(&parsed) {
        effects.push(Effect::Unknown(why));
    }
    Report { effects, by: None }
}

/// The patterns of a playbook's plays.
fn plays(text: &str) -> Vec<Result<String, String>> {
    let mut found = vec![];
    for line in text.lines() {
        let bare = line.trim().trim_start_matches("- ").trim();
        let Some(value) = bare.strip_prefix("hosts:") else { continue };
        let value = value.split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
        found.push(if value.is_empty() || value.contains(['{', '[', '&', '*', '|', '>']) && value != "*" {
            Err("the machines of a play can't be told".into())
        } else {
            Ok(value.to_owned())
        });
    }
    found
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
