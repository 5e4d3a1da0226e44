//! `docker`, `podman`, `nerdctl` and their compose: what runs in a container, and on which machine the containers are. What
//! else they do is in the catalog. Pure.

use super::carry::{assignment, first, name, report, words};
use super::daemon::{self, By};
use super::options::{Spec, parse};
use super::shells::is_shell;
use crate::classify::effect::{At, Command, Effect, Facts, Report, Run, Stdin, What};
use crate::classify::word::Word;

const DOCKER: Spec = Spec {
    flags: "Dvh",
    values: "cHl",
    long_flags: &["debug", "tls", "tlsverify", "help", "version"],
    long_values: &["config", "context", "host", "log-level", "tlscacert", "tlscert", "tlskey"],
    ..Spec::CARRIER
};

const PODMAN: Spec = Spec {
    flags: "rvh",
    values: "c",
    long_flags: &["help", "version", "remote", "syslog", "noout", "transient-store"],
    long_values: &[
        "connection",
        "url",
        "identity",
        "log-level",
        "root",
        "runroot",
        "storage-driver",
        "storage-opt",
        "tmpdir",
        "cgroup-manager",
        "events-backend",
        "namespace",
    ],
    ..Spec::CARRIER
};

const NERDCTL: Spec = Spec {
    flags: "hv",
    values: "aHn",
    long_flags: &["debug", "debug-full", "experimental", "insecure-registry", "help", "version"],
    long_values: &[
        "address",
        "host",
        "namespace",
        "snapshotter",
        "cni-path",
        "cni-netconfpath",
        "data-root",
        "cgroup-manager",
        "hosts-dir",
        "storage-driver",
    ],
    ..Spec::CARRIER
};

const COMPOSE: Spec = Spec {
    flags: "hv",
    values: "fp",
    long_flags: &["all-resources", "compatibility", "dry-run", "verbose", "help", "version"],
    long_values: &["file", "project-name", "profile", "env-file", "project-directory", "ansi", "parallel", "progress"],
    ..Spec::CARRIER
};

/// The program of its own may be told on which machine.
const COMPOSE_ON: &[&str] = &[
    "file",
    "project-name",
    "profile",
    "env-file",
    "project-directory",
    "ansi",
    "parallel",
    "progress",
    "host",
    "context",
    "tlscacert",
    "tlscert",
    "tlskey",
];

const EXEC: Spec = Spec {
    flags: "ditT",
    values: "euw",
    long_flags: &["detach", "interactive", "tty", "privileged", "no-TTY", "no-tty", "help"],
    long_values: &["detach-keys", "env", "user", "workdir", "index", "preserve-fds"],
    ..Spec::CARRIER
};

const RUN: Spec = Spec {
    flags: "ditPqT",
    values: "aceuwhlmvp",
    long_flags: &[
        "build",
        "detach",
        "disable-content-trust",
        "init",
        "interactive",
        "no-healthcheck",
        "no-deps",
        "no-TTY",
        "oom-kill-disable",
        "privileged",
        "publish-all",
        "quiet",
        "quiet-pull",
        "read-only",
        "remove-orphans",
        "replace",
        "rm",
        "service-ports",
        "sig-proxy",
        "tty",
        "use-aliases",
        "help",
    ],
    long_values: &[
        "add-host",
        "annotation",
        "attach",
        "blkio-weight",
        "cap-add",
        "cap-drop",
        "cgroup-parent",
        "cgroupns",
        "cidfile",
        "cpu-period",
        "cpu-quota",
        "cpu-shares",
        "cpus",
        "cpuset-cpus",
        "cpuset-mems",
        "device",
        "device-cgroup-rule",
        "dns",
        "dns-option",
        "dns-search",
        "domainname",
        "entrypoint",
        "env",
        "expose",
        "gpus",
        "group-add",
        "health-cmd",
        "health-interval",
        "health-retries",
        "health-start-period",
        "health-timeout",
        "hostname",
        "ip",
        "ip6",
        "ipc",
        "isolation",
        "label",
        "link",
        "log-driver",
        "log-opt",
        "mac-address",
        "memory",
        "memory-reservation",
        "memory-swap",
        "memory-swappiness",
        "mount",
        "name",
        "net",
        "network",
        "network-alias",
        "oom-score-adj",
        "pid",
        "pids-limit",
        "platform",
        "publish",
        "pull",
        "restart",
        "runtime",
        "security-opt",
        "shm-size",
        "stop-signal",
        "stop-timeout",
        "sysctl",
        "tmpfs",
        "ulimit",
        "user",
        "userns",
        "uts",
        "volume",
        "volumes-from",
        "workdir",
    ],
    ..Spec::CARRIER
};

/// Judges them.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let program = name(command);
    let spec = match program {
        "podman" => PODMAN,
        "nerdctl" => NERDCTL,
        "docker-compose" => Spec { values: "fpHc", long_values: COMPOSE_ON, ..COMPOSE },
        "podman-compose" => COMPOSE,
        _ => DOCKER,
    };
    let Ok(parsed) = parse(command.arguments(), &spec) else { return elsewhere_or_table(command) };
    if parsed.has(&["h", "v", "help", "version"]) && !program.ends_with("compose") {
        return Report::of(Effect::Table);
    }
    let compose = program.ends_with("compose");
    let by = parsed.options.iter().rev().find_map(|(name, value)| {
        Some(match (name.as_str(), value) {
            ("H" | "host" | "url", Some(value)) => By::Address(value),
            ("c" | "context" | "connection", Some(value)) => By::Context(value),
            ("r" | "remote", _) => By::Settings("--remote"),
            _ => return None,
        })
    });
    let by = by.unwrap_or(By::Nothing);
    if by != By::Nothing && parsed.has(&["config"]) {
        return Report::unknown("what its other settings say is not known");
    }
    let machine = match program {
        "podman" | "podman-compose" => daemon::of_podman(by, facts),
        // Its daemon is always on the same machine.
        "nerdctl" => None,
        _ => daemon::of_docker(by, facts),
    };
    let Some(host) = machine else {
        return match by {
            By::Nothing => sub(command, &parsed.operands, compose),
            _ if program == "nerdctl" => sub(command, &parsed.operands, compose),
            _ => here(command, program, &parsed.operands),
        };
    };
    if let Some(report) = here_all_the_same(&parsed.operands) {
        return report;
    }
    // The same there, without the options that say where; what they say of the local side means nothing there.
    let mut there = vec![Word::from(program)];
    there.extend(parsed.operands.iter().cloned());
    report([Effect::Runs(Run { what: What::Words(there), at: At::Hosts(vec![host]), stdin: command.stdin.clone() })])
}

/// The same on this machine, which its options have named: no variable and no context says otherwise then.
fn here(command: &Command, program: &str, operands: &[Word]) -> Report {
    let variable = if program.starts_with("podman") { "CONTAINER_HOST" } else { "DOCKER_HOST" };
    let words = std::iter::once(Word::from(program)).chain(operands.iter().cloned()).collect();
    let own = Effect::Sets { name: variable.into(), value: "unix:///var/run/docker.sock".into() };
    report([own, Effect::Runs(Run { what: What::Words(words), at: At::Child, stdin: command.stdin.clone() })])
}

/// What a command does on this side, wherever the containers are: settings, and files that come from a container.
fn here_all_the_same(operands: &[Word]) -> Option<Report> {
    let rest = operands.get(1..).unwrap_or_default();
    match operands.first()?.known()? {
        "context" | "login" | "logout" | "help" | "version" => Some(Report::of(Effect::Table)),
        "cp" => {
            match parse(rest, &Spec { flags: "aLq", long_flags: &["archive", "follow-link", "quiet"], ..Spec::MIXED }) {
                Ok(parsed) => match parsed.operands.as_slice() {
                    [from, to] if from.beginning().contains(':') && to.known().is_some_and(|to| !to.contains(':')) => {
                        Some(if to.known() == Some("-") {
                            Report::reads()
                        } else {
                            report([Effect::Writes(to.clone())])
                        })
                    }
                    _ => None,
                },
                Err(_) => None,
            }
        }
        _ => None,
    }
}

/// Options that can't be read: the catalog may know them, but not if they say on which machine the containers are.
fn elsewhere_or_table(command: &Command) -> Report {
    const PLACES: &[&str] = &["-H", "-c", "-r", "--h", "--cont", "--conn", "--remote", "--url", "--identity"];
    let doubtful = command.arguments().iter().find(|word| {
        !word.is_fitting() || PLACES.iter().any(|place| word.may_begin_with(place) && word.may_begin_with("-"))
    });
    match doubtful {
        Some(word) => Report::unknown(format!("what `{}` means can't be told", word.shown())),
        None => Report::of(Effect::Table),
    }
}

/// The sub-command on this machine.
fn sub(command: &Command, operands: &[Word], compose: bool) -> Report {
    let (Some(verb), rest) = first(operands) else { return Report::of(Effect::Table) };
    let verb = verb.known().unwrap_or_default();
    if !compose && let Some(words) = with_names(command, operands) {
        return report([Effect::Runs(Run { what: What::Words(words), at: At::Child, stdin: command.stdin.clone() })]);
    }
    match (verb, compose) {
        ("compose", false) => match parse(rest, &COMPOSE) {
            Ok(parsed) => sub(command, &parsed.operands, true),
            Err(_) => elsewhere_or_table(command),
        },
        ("container", false) => match first(rest) {
            (Some(verb), rest) if verb.known() == Some("exec") => exec(command, rest),
            (Some(verb), rest) if matches!(verb.known(), Some("run" | "create")) => run(command, rest),
            _ => table(command, rest),
        },
        ("exec", _) => exec(command, rest),
        ("run", _) => run(command, rest),
        ("create", false) => run(command, rest),
        _ => table(command, rest),
    }
}

/// What the catalog says, unless an option behind the sub-command says on which machine it is: podman takes them there.
fn table(command: &Command, rest: &[Word]) -> Report {
    let places = ["--url", "--connection", "--remote", "--identity"];
    let elsewhere = |word: &&Word| places.iter().any(|place| word.begins_with(place));
    match rest.iter().find(elsewhere) {
        Some(word) if name(command) == "podman" => {
            Report::unknown(format!("on which machine it is can't be told from `{}`", word.shown()))
        }
        _ => Report::of(Effect::Table),
    }
}

/// Verbs of docker of which no option reaches further than the verb itself.
const ON_NAMES: &[&str] = &["inspect", "kill", "pause", "restart", "rm", "rmi", "stop", "unpause", "wait"];

/// The words with a name in the place of each that is not known, where names stand: docker takes the options that say where
/// it is in front of the verb only, so `docker rm -f $(docker ps -aq)` is no more than it looks.
fn with_names(command: &Command, operands: &[Word]) -> Option<Vec<Word>> {
    let verbs = match operands {
        [kind, ..] if matches!(kind.known(), Some("container" | "image" | "network" | "volume")) => 2,
        _ => 1,
    };
    let on_names = operands.get(verbs - 1).and_then(Word::known).is_some_and(|verb| ON_NAMES.contains(&verb));
    let loose = |word: &Word| word.known().is_none() && word.may_be_option() && !word.begins_with("-");
    if name(command) != "docker" || !on_names || !operands.iter().skip(verbs).any(loose) {
        return None;
    }
    let named = |word: &Word| {
        if !loose(word) {
            return word.clone();
        }
        let mut named = Word::known_as("name");
        named.push_hole();
        named
    };
    let own = command.arguments().len().saturating_sub(operands.len());
    let before = command.words.iter().take(own + 1 + verbs).cloned();
    Some(before.chain(operands.iter().skip(verbs).map(named)).collect())
}

/// Variables that are set in the container.
fn variables<'w>(values: impl Iterator<Item = &'w Word>) -> Result<Vec<Effect>, String> {
    let mut effects = vec![];
    for word in values {
        if let Some((name, value)) = assignment(word)? {
            effects.push(Effect::Sets { name, value });
        }
    }
    Ok(effects)
}

fn exec(command: &Command, rest: &[Word]) -> Report {
    let judged = parse(rest, &EXEC).and_then(|parsed| {
        if parsed.has(&["help"]) {
            return Ok(Report::reads());
        }
        let (Some(container), carried) = first(&parsed.operands) else { return Ok(Report::reads()) };
        if container.is_many() {
            return Err("what it runs can't be told before it runs".into());
        }
        // What is typed into a shell that is opened is not in the text.
        let opens = matches!(carried, [shell] if shell.known().is_some_and(is_shell));
        if opens && command.stdin == Stdin::Inherited {
            return Ok(Report::of(Effect::UnknownOnGuest(
                "what is typed into the shell that it opens can't be seen".into(),
            )));
        }
        let stdin = if parsed.has(&["d", "detach"]) { Stdin::Nothing } else { command.stdin.clone() };
        let mut effects = variables(parsed.values(&["e", "env"]))?;
        effects.extend(words(carried, At::Inside, stdin));
        Ok(report(effects))
    });
    judged.unwrap_or_else(Report::unknown)
}

/// A new container is a change, and what runs in it counts besides.
fn run(command: &Command, rest: &[Word]) -> Report {
    let judged = parse(rest, &RUN).and_then(|parsed| {
        if parsed.has(&["help"]) {
            return Ok(Report::reads());
        }
        let mut effects = vec![Effect::Table];
        let (Some(image), arguments) = first(&parsed.operands) else { return Ok(report(effects)) };
        if image.is_many() {
            return Err("what it runs can't be told before it runs".into());
        }
        effects.extend(variables(parsed.values(&["e", "env"]))?);
        let mut carried: Vec<Word> = parsed.values(&["entrypoint"]).last().cloned().into_iter().collect();
        if carried.is_empty() && arguments.first().is_some_and(|word| word.may_begin_with("-")) {
            return Err("what the image does with its options is not known".into());
        }
        carried.extend(arguments.iter().cloned());
        effects.extend(words(&carried, At::Inside, command.stdin.clone()));
        Ok(report(effects))
    });
    judged.unwrap_or_else(|why| report([Effect::Table, Effect::Unknown(why)]))
}

#[cfg(test)]
#[path = "tests/containers.rs"]
mod tests;
