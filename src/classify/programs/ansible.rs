//! `ansible` and its sisters: one module or a playbook for many machines. Pure.

mod machines;
mod playbook;
mod plays;
mod settings;

use settings::Settings;

pub use playbook::{inventory, playbook, sisters};

use super::ansible_inventory;
use super::copied;
use super::options::{self, Parsed, Spec};
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Run, Stdin, What};
use crate::classify::word::Word;

#[rustfmt::skip]
const SPEC: Spec = Spec {
    flags: "bCDhkKJovR",
    values: "abBcefiIlmMPtTuUsS",
    long_flags: &[
        "become", "ask-become-pass", "check", "diff", "help", "ask-pass", "connection-password-x", "list-hosts", "one-line", "verbose", "version", "syntax-check",
        "list-tasks", "list-tags", "step", "flush-cache", "force-handlers", "ask-vault-password", "ask-vault-pass", "task-timeout-x",
    ],
    long_values: &[
        "args", "background", "become-method", "become-user", "connection", "extra-vars", "forks", "inventory", "inventory-file", "limit",
        "module-name", "module-path", "playbook-dir", "poll", "private-key", "key-file", "scp-extra-args", "sftp-extra-args", "ssh-common-args",
        "ssh-extra-args", "task-timeout", "timeout", "tree", "user", "vault-id", "vault-password-file", "vault-pass-file", "tags", "skip-tags",
        "start-at-task", "become-password-file", "become-pass-file", "connection-password-file", "conn-pass-file",
    ],
    ..Spec::MIXED
};

/// Modules that only look.
#[rustfmt::skip]
const READS: &[&str] = &[
    "ping", "win_ping", "setup", "gather_facts", "stat", "win_stat", "find", "win_find", "slurp", "debug", "assert", "getent", "wait_for",
    "wait_for_connection", "win_wait_for", "package_facts", "service_facts", "mount_facts", "fail", "pause", "validate_argument_spec",
    "win_whoami", "win_reg_stat", "win_disk_facts", "win_product_facts", "docker_container_info", "docker_host_info", "docker_image_info", "listen_ports_facts",
    "k8s_info", "mysql_info", "postgresql_info", "postgresql_ping", "redis_info", "systemd_info",
];

/// Modules that change nothing but the machine on which they run, whatever they are given.
#[rustfmt::skip]
const STAYS: &[&str] = &[
    "acl", "apt", "apt_key", "apt_repository", "assemble", "authorized_key", "blockinfile", "copy", "deb822_repository", "debconf", "dnf", "dnf5",
    "dpkg_selections", "file", "firewalld", "get_url", "group", "hostname", "iptables", "known_hosts", "lineinfile", "package", "pip", "reboot",
    "replace", "rpm_key", "seboolean", "selinux", "service", "sysctl", "systemd", "systemd_service", "sysvinit", "tempfile",
    "unarchive", "user", "win_acl", "win_chocolatey", "win_copy", "win_environment", "win_feature", "win_file", "win_group", "win_lineinfile",
    "win_package", "win_reboot", "win_regedit", "win_service", "win_template", "win_unzip", "win_updates", "win_user", "yum", "yum_repository",
];

/// Judges a command of `ansible`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    copied::from_here(module(command, facts), facts, "what it reaches from this machine can't be told")
}

fn module(command: &Command, facts: &Facts) -> Report {
    // `-b` is a flag here.
    let spec = Spec { values: "aBcefiIlmMPtTuU", ..SPEC };
    let parsed = match options::parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    if parsed.has(&["h", "help", "version"]) {
        return Report::reads();
    }
    if parsed.has(&["list-hosts"]) {
        return machines::inventory_only(&parsed, facts);
    }
    let mut effects = vec![];
    let hosts = machines::hosts(&parsed, parsed.operands.first(), facts, &mut effects);
    if let Some(why) = odd_option(&parsed, facts) {
        effects.push(Effect::Unknown(why));
    }
    if let Some(folder) = parsed.values(&["t", "tree"]).last() {
        effects.push(Effect::Writes(folder.clone()));
    }
    let module = parsed.values(&["m", "module-name"]).last().cloned().unwrap_or_else(|| "command".into());
    let arguments = parsed.values(&["a", "args"]).last().cloned().unwrap_or_default();
    let checks = parsed.has(&["C", "check"]);
    let Some(name) = module.known() else {
        effects.push(Effect::UnknownAt { hosts, why: "which module it runs is only known then".into() });
        return Report { effects, by: None };
    };
    let short = ["ansible.builtin.", "ansible.windows.", "ansible.posix.", "community.windows.", "ansible.legacy."]
        .iter()
        .find_map(|start| name.strip_prefix(start))
        .unwrap_or(name);
    match short {
        // Arguments in JSON.
        "shell" | "command" | "raw" | "script" if arguments.begins_with("{") => {
            effects.push(Effect::UnknownAt { hosts, why: "what it runs is written in JSON".into() });
        }
        "shell" | "command" | "raw" if templated(&arguments) => {
            effects.push(Effect::UnknownAt { hosts, why: "what it runs is filled in by Ansible".into() });
        }
        // In a check these are left out.
        "shell" | "command" | "win_shell" | "win_command" if checks => {}
        "shell" | "raw" => effects.push(copied::shell_there(without_parameters(&arguments), hosts)),
        "command" => effects.push(words_there(&arguments, hosts)),
        "script" => {
            let path = match arguments.known().and_then(|text| text.split_whitespace().next().map(str::to_owned)) {
                Some(path) if !arguments.beginning().contains(['\'', '"', '=']) => path,
                _ => {
                    effects.push(Effect::UnknownAt { hosts, why: "which script it sends can't be told".into() });
                    return Report { effects, by: None };
                }
            };
            match copied::text_of(&path.as_str().into(), facts) {
                Ok(text) if shell_script(&text) => effects.push(copied::shell_there(Word::known_as(text), hosts)),
                Ok(_) => {
                    effects.push(Effect::UnknownAt { hosts, why: format!("the script {path} is none for a shell") })
                }
                Err(why) => effects.push(Effect::UnknownAt { hosts, why }),
            }
        }
        "win_shell" | "win_command" | "win_powershell" | "powershell" | "expect" | "telnet" => {
            effects.push(Effect::UnknownAt { hosts, why: format!("what the module `{short}` runs is not read") });
        }
        "fetch" => effects.push(Effect::Writes(parameter(&arguments, "dest"))),
        // Templates are filled in here, and may run programs.
        _ if templated(&arguments) => {
            effects.push(Effect::UnknownAt { hosts, why: "what it is given is filled in by Ansible".into() });
        }
        // Their tasks may say that they run in a check too.
        "include_role" | "import_role" | "include_tasks" | "import_tasks" => {
            effects.push(Effect::UnknownAt { hosts, why: format!("what the module `{short}` does can't be told") });
        }
        // Without braces too these take an expression, which may run programs here.
        "debug" | "assert" if expression(&arguments) => {
            effects.push(Effect::Unknown("what its expression runs can't be told".into()));
        }
        // Facts of a folder's own are programs.
        "setup" | "gather_facts" if arguments.stretches().any(|text| text.contains("fact_path")) => {
            effects.push(Effect::UnknownAt { hosts, why: "the programs that give it facts are not read".into() });
        }
        _ if READS.contains(&short) || short.ends_with("_info") || short.ends_with("_facts") => {}
        _ if checks && !short.contains('.') => {}
        "add_host" | "group_by" | "include_vars" | "set_fact" | "meta" => {}
        "uri" | "async_status" => {
            effects.push(Effect::UnknownAt { hosts, why: format!("what the module `{short}` does can't be told") });
        }
        "template" => {
            // It is filled in here, and may run programs for that.
            let text = copied::text_of(&parameter(&arguments, "src"), facts);
            if !text.is_ok_and(|text| ["lookup", "query", "q("].iter().all(|word| !text.contains(word))) {
                effects.push(Effect::Unknown("what its template runs can't be told".into()));
            }
            effects.extend(stays(hosts, "is changed with the module `template`".to_owned()));
        }
        _ => {
            let how = format!("is changed with the module `{short}`");
            if STAYS.contains(&short) && !runs_more(&arguments) {
                effects.extend(stays(hosts, how));
            } else {
                effects.push(Effect::ChangesAt { hosts, how });
                if leads(&arguments) {
                    effects.push(Effect::Unknown(format!("the module `{short}` is given another machine's name")));
                }
            }
        }
    }
    Report { effects, by: None }
}

/// A change of these machines and of no other.
fn stays(hosts: Vec<Host>, how: String) -> Vec<Effect> {
    let (here, others): (Vec<Host>, Vec<Host>) = hosts.into_iter().partition(|host| *host == Host::Same);
    let mut effects = vec![];
    if !others.is_empty() {
        effects.push(Effect::ChangesAt { hosts: others, how: how.clone() });
    }
    if !here.is_empty() {
        effects.push(Effect::Changes(how));
    }
    effects
}

/// Whether what a module is given holds a program that it runs besides.
fn runs_more(arguments: &Word) -> bool {
    arguments.known().is_none()
        || arguments
            .stretches()
            .any(|text| ["validate", "executable", "command"].iter().any(|word| text.contains(word)))
}

/// Whether what a module is given names the machine of a service that it changes, which need not be where it runs.
fn leads(arguments: &Word) -> bool {
    const KEYS: &[&str] = &["host=", "hostname=", "url=", "uri=", "server=", "endpoint=", "address=", "://"];
    arguments.stretches().any(|text| KEYS.iter().any(|key| text.contains(key)) || text.starts_with('{'))
}

/// Options under which something else may run, or elsewhere.
fn odd_option(parsed: &Parsed, facts: &Facts) -> Option<String> {
    if !parsed.values(&["e", "extra-vars"]).all(|value| value.known().is_some_and(plain_variables)) {
        return Some("its variables may choose other machines, or run something".into());
    }
    if parsed.has(&["M", "module-path", "playbook-dir"]) {
        return Some("its modules come from another folder".into());
    }
    let mut arguments = parsed.values(&["ssh-common-args", "ssh-extra-args", "scp-extra-args", "sftp-extra-args"]);
    let safe = |word: &Word| word.known().is_some_and(plain_for_ssh);
    if !arguments.all(safe) {
        return Some("what its options for ssh do can't be told".into());
    }
    let settings = Settings::of(facts);
    let of_settings = settings.secrets.iter().map(|path| Word::from(path.as_str()));
    let given = parsed.values(&[
        "vault-password-file",
        "vault-pass-file",
        "become-password-file",
        "become-pass-file",
        "connection-password-file",
        "conn-pass-file",
    ]);
    let labelled = parsed.values(&["vault-id"]).map(|word| word.split_once('@').map_or(word.clone(), |(_, path)| path));
    let set = facts.variables.variable("ANSIBLE_VAULT_PASSWORD_FILE");
    let mut secrets = given.cloned().chain(labelled).chain(set).chain(of_settings);
    settings.odd.or_else(|| secrets.find_map(|path| program_of_secrets(&path, facts)))
}

/// Why the file of a password may be a program: Ansible runs those that are.
fn program_of_secrets(path: &Word, facts: &Facts) -> Option<String> {
    if path.known() == Some("prompt") {
        return None;
    }
    match copied::text_of(path, facts) {
        Ok(text) if !text.starts_with("#!") => None,
        Ok(_) => Some(format!("the program {} gives it a password", path.shown())),
        Err(why) => Some(why),
    }
}

/// Whether variables that are set for a run say nothing of how machines are reached, and run nothing.
fn plain_variables(text: &str) -> bool {
    if text.starts_with(['{', '[']) {
        return !text.contains("ansible_") && !text.contains("{{") && !text.contains('\\');
    }
    let plain = |pair: &str| {
        pair.split_once('=').is_none_or(|(key, _)| !ansible_inventory::redirects(key) && !key.contains(['"', '\'']))
    };
    !text.starts_with('@')
        && !text.contains("{{")
        && !text.contains("{%")
        && !text.contains('\\')
        && text.split_whitespace().all(plain)
}

/// Whether options for ssh lead nowhere else and run nothing: those of a list, since ssh takes names in any case.
fn plain_for_ssh(text: &str) -> bool {
    const KEYS: &[&str] = &[
        "addressfamily",
        "batchmode",
        "compression",
        "connectionattempts",
        "connecttimeout",
        "controlmaster",
        "controlpersist",
        "forwardagent",
        "globalknownhostsfile",
        "gssapiauthentication",
        "hostkeyalgorithms",
        "identitiesonly",
        "identityfile",
        "kexalgorithms",
        "loglevel",
        "passwordauthentication",
        "preferredauthentications",
        "pubkeyacceptedalgorithms",
        "pubkeyacceptedkeytypes",
        "pubkeyauthentication",
        "serveralivecountmax",
        "serveraliveinterval",
        "stricthostkeychecking",
        "tcpkeepalive",
        "userknownhostsfile",
    ];
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let setting = match word {
            "-4" | "-6" | "-A" | "-a" | "-C" | "-q" | "-v" | "-vv" | "-vvv" => continue,
            "-o" => words.next().unwrap_or_default(),
            other => other.strip_prefix("-o").unwrap_or_default(),
        };
        let known = setting.split_once('=').is_some_and(|(key, value)| {
            KEYS.contains(&key.to_ascii_lowercase().as_str()) && !value.contains(['"', '\'', '\\'])
        });
        if !known {
            return false;
        }
    }
    true
}

/// Whether arguments hold an expression that calls something, or that is only known when it runs.
fn expression(arguments: &Word) -> bool {
    let takes = arguments.stretches().any(|text| text.contains("var") || text.contains("that"));
    takes && (arguments.known().is_none() || arguments.stretches().any(|text| text.contains('(')))
}

/// Whether Ansible fills something in, which may run programs here.
fn templated(word: &Word) -> bool {
    word.stretches().any(|text| text.contains("{{") || text.contains("{%") || text.contains("{#"))
}

/// A shell's text without what is meant for the module.
fn without_parameters(text: &Word) -> Word {
    const KEYS: &[&str] = &[
        "chdir=",
        "creates=",
        "removes=",
        "executable=",
        "warn=",
        "stdin=",
        "_raw_params=",
        "cmd=",
        "argv=",
        "stdin_add_newline=",
        "strip_empty_ends=",
        "_uses_shell=",
    ];
    // What they do to the text is not followed: a hole is left for them.
    if KEYS.iter().any(|key| text.stretches().any(|part| part.contains(key))) { Word::unknown() } else { text.clone() }
}

/// The words of `command`, which no shell reads.
fn words_there(arguments: &Word, hosts: Vec<Host>) -> Effect {
    let plain = |text: &str| !text.contains(['\'', '"', '\\', '$', '`', '~', '*', '?', '[', '\n']);
    let known = arguments
        .known()
        .filter(|text| plain(text))
        .filter(|text| !text.split_whitespace().any(|word| word.contains('=') && !word.starts_with('-')));
    match known {
        Some(text) => {
            let words = text.split_whitespace().map(Word::from).collect();
            Effect::Runs(Run { what: What::Words(words), at: At::Hosts(hosts), stdin: Stdin::Nothing })
        }
        // For it these are words as any other, and a shell may read less behind them.
        None if arguments.stretches().any(|text| text.contains(['|', '&', ';', '<', '>', '(', ')', '#', '\n'])) => {
            Effect::UnknownAt { hosts, why: "its words are no text for a shell".into() }
        }
        // Quotes mean the same to it as to a shell, and a shell does more with the rest, never less.
        None => copied::shell_there(without_parameters(arguments), hosts),
    }
}

fn shell_script(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.starts_with("#!")
        && ["/sh", "/bash", "/dash", " sh", " bash"].iter().any(|shell| first.trim_end().ends_with(shell))
}

fn parameter(arguments: &Word, key: &str) -> Word {
    let found = arguments.known().and_then(|text| {
        text.split_whitespace().find_map(|word| {
            word.strip_prefix(key)?.strip_prefix('=').map(|value| value.trim_matches(['\'', '"']).to_owned())
        })
    });
    found.map_or_else(Word::unknown, Word::known_as)
}

#[cfg(test)]
#[path = "tests/ansible.rs"]
mod tests;
