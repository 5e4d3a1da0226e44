//! Programs that run something in another root, other namespaces or another unit of the same machine, or hand it to a
//! machine that they name: `chroot`, `unshare`, `nsenter`, `proot`, `systemd-run`, `machinectl shell`. Pure.

use super::carry::{self, assignment, first, only_tells, report, shell_on_stdin, words, writes};
use super::options::{Parsed, Spec, parse};
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Stdin};
use crate::classify::word::Word;

const CHROOT: Spec =
    Spec { long_flags: &["skip-chdir", "help", "version"], long_values: &["groups", "userspec"], ..Spec::CARRIER };

const UNSHARE: Spec = Spec {
    flags: "fcr",
    values: "RwSG",
    glued: "imnpuUCT",
    long_flags: &[
        "fork",
        "keep-caps",
        "kill-child",
        "map-auto",
        "map-root-user",
        "map-current-user",
        "mount-proc",
        "ipc",
        "mount",
        "net",
        "pid",
        "uts",
        "user",
        "cgroup",
        "time",
        "help",
        "version",
    ],
    long_values: &[
        "root",
        "wd",
        "setuid",
        "setgid",
        "map-user",
        "map-users",
        "map-group",
        "map-groups",
        "propagation",
        "setgroups",
        "monotonic",
        "boottime",
    ],
    ..Spec::CARRIER
};

const NSENTER: Spec = Spec {
    flags: "aFZe",
    values: "tGSW",
    glued: "imnpuUCTrw",
    long_flags: &[
        "all",
        "no-fork",
        "follow-context",
        "preserve-credentials",
        "env",
        "ipc",
        "mount",
        "net",
        "pid",
        "uts",
        "user",
        "cgroup",
        "time",
        "root",
        "wd",
        "help",
        "version",
    ],
    long_values: &["target", "setgid", "setuid", "wdns"],
    ..Spec::CARRIER
};

const SYSTEMD_RUN: Spec = Spec {
    flags: "rdtPSqGh",
    values: "upEHM",
    long_flags: &[
        "no-ask-password",
        "scope",
        "slice-inherit",
        "remain-after-exit",
        "send-sighup",
        "same-dir",
        "pty",
        "pipe",
        "shell",
        "quiet",
        "on-clock-change",
        "on-timezone-change",
        "no-block",
        "wait",
        "collect",
        "user",
        "system",
        "help",
        "version",
    ],
    long_values: &[
        "unit",
        "property",
        "description",
        "slice",
        "service-type",
        "uid",
        "gid",
        "nice",
        "working-directory",
        "setenv",
        "on-active",
        "on-boot",
        "on-startup",
        "on-unit-active",
        "on-unit-inactive",
        "on-calendar",
        "host",
        "machine",
    ],
    ..Spec::CARRIER
};

/// Properties of a unit that only bound what it may use or say who it is.
const PROPERTIES: &[&str] = &[
    "CPU",
    "IO",
    "Memory",
    "Tasks",
    "Limit",
    "Nice=",
    "User=",
    "Group=",
    "Description=",
    "RuntimeMaxSec=",
    "TimeoutS",
    "OOM",
    "Private",
    "Protect",
    "NoNewPrivileges=",
    "DynamicUser=",
    "AllowedCPUs=",
    "Type=",
    "KillMode=",
];

/// The command, or a shell on stdin without one.
fn or_shell(parsed: &Parsed, carried: &[Word], at: At, command: &Command) -> Report {
    if only_tells(parsed) {
        return Report::reads();
    }
    let stdin = command.stdin.clone();
    report([words(carried, at.clone(), stdin.clone()).unwrap_or_else(|| shell_on_stdin(at, stdin))])
}

/// Judges `chroot`.
#[must_use]
pub fn chroot(command: &Command, facts: &Facts) -> Report {
    match parse(command.arguments(), &CHROOT) {
        Ok(parsed) if parsed.operands.is_empty() => Report::reads(),
        Ok(parsed) => match first(&parsed.operands) {
            (Some(root), _) if root.is_many() => Report::unknown("its words can't be told before it runs"),
            (root, carried) => within(root, facts, or_shell(&parsed, carried, At::Inside, command)),
        },
        Err(why) => Report::unknown(why),
    }
}

/// What runs in another root may write there, which matters where that is a disk of another machine.
fn within(root: Option<&Word>, facts: &Facts, mut judged: Report) -> Report {
    if facts.own && !judged.effects.is_empty() {
        judged.effects.extend(root.filter(|root| root.known() != Some("/")).cloned().map(Effect::Writes));
    }
    judged
}

/// Judges `unshare`: new namespaces that show the same files, unless it changes the root.
#[must_use]
pub fn unshare(command: &Command, facts: &Facts) -> Report {
    let parsed = match parse(command.arguments(), &UNSHARE) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let root = parsed.values(&["R", "root"]).last();
    let at = match (root, parsed.values(&["w", "wd"]).last()) {
        (Some(_), _) => At::Inside,
        (None, Some(folder)) => At::Folder(folder.clone()),
        (None, None) => At::Child,
    };
    let mut judged = within(root, facts, or_shell(&parsed, &parsed.operands, at, command));
    let kept = ["i", "m", "n", "p", "u", "U", "C", "T", "ipc", "mount", "net", "pid", "uts", "user", "cgroup", "time"];
    if parsed.values(&kept).next().is_some() {
        judged.effects.push(Effect::Changes("binds a new namespace to a file".into()));
    }
    judged
}

/// Judges `nsenter`.
#[must_use]
pub fn nsenter(command: &Command, _: &Facts) -> Report {
    let parsed = match parse(command.arguments(), &NSENTER) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    // The first process of all is the machine itself.
    let own = parsed.values(&["t", "target"]).last().and_then(Word::known) == Some("1");
    let moved = parsed.has(&["r", "root", "w", "wd", "W", "wdns"]);
    let at = if own && !moved { At::Child } else { At::Inside };
    or_shell(&parsed, &parsed.operands, at, command)
}

/// Judges `proot`.
#[must_use]
pub fn proot(command: &Command, facts: &Facts) -> Report {
    let spec = Spec {
        flags: "0hVl",
        values: "rbmwvkiRS",
        long_flags: &["root-id", "link2symlink", "help", "version", "about", "usage"],
        long_values: &["rootfs", "bind", "mount", "pwd", "cwd", "verbose", "kernel-release", "change-id"],
        ..Spec::CARRIER
    };
    match parse(command.arguments(), &spec) {
        Ok(parsed) if parsed.has(&["h", "V", "about", "usage"]) => Report::reads(),
        Ok(parsed) => {
            let root = parsed.values(&["r", "R", "S", "rootfs"]).last();
            within(root, facts, or_shell(&parsed, &parsed.operands, At::Inside, command))
        }
        Err(why) => Report::unknown(why),
    }
}

/// Judges `systemd-run`: the command runs as a unit, perhaps later.
#[must_use]
pub fn systemd_run(command: &Command, _: &Facts) -> Report {
    read_systemd_run(command).unwrap_or_else(Report::unknown)
}

fn read_systemd_run(command: &Command) -> Result<Report, String> {
    let parsed = parse(command.arguments(), &SYSTEMD_RUN)?;
    if only_tells(&parsed) || parsed.has(&["h"]) {
        return Ok(Report::reads());
    }
    for property in parsed.values(&["p", "property"]) {
        let known = PROPERTIES.iter().any(|start| property.begins_with(start));
        if !known {
            return Err(format!("what the property `{}` does is not known", property.shown()));
        }
    }
    let mut effects = vec![];
    for word in parsed.values(&["E", "setenv"]) {
        if let Some((name, value)) = assignment(word)? {
            effects.push(Effect::Sets { name, value });
        }
    }
    let here = parsed.has(&["scope", "d", "same-dir"]);
    let at = match (parsed.values(&["H", "host"]).last(), parsed.values(&["M", "machine"]).last()) {
        (Some(host), _) => At::Hosts(vec![host_of(host)]),
        (None, Some(_)) => At::Inside,
        (None, None) if here => At::Child,
        (None, None) => At::Folder(parsed.values(&["working-directory"]).last().cloned().unwrap_or_else(|| "/".into())),
    };
    let passes = parsed.has(&["scope", "P", "pipe", "t", "pty", "S", "shell"]);
    let stdin = if passes { command.stdin.clone() } else { Stdin::Nothing };
    match words(&parsed.operands, at.clone(), stdin.clone()) {
        Some(run) => effects.push(run),
        None if parsed.has(&["S", "shell"]) => effects.push(shell_on_stdin(at, stdin)),
        None => return Err("which unit it starts can't be told".into()),
    }
    Ok(report(effects))
}

/// The machine of systemd's `-H`: `user@host:port/container`.
fn host_of(word: &Word) -> Host {
    let Some(text) = word.known() else {
        return Host::Unknown("its name can't be told before it runs".into());
    };
    let name = text.rsplit('@').next().unwrap_or_default();
    let name = name.split(['/', ':']).next().unwrap_or_default();
    let plain = !name.is_empty() && !name.starts_with('-');
    if plain && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_')) {
        Host::named(name)
    } else {
        Host::Unknown(format!("`{text}` is more than a name"))
    }
}

/// Judges `machinectl`: `shell` runs a command in a container, the rest is in the catalog.
#[must_use]
pub fn machinectl(command: &Command, _: &Facts) -> Report {
    let spec = Spec {
        flags: "alqh",
        values: "pHMnoE",
        long_flags: &["all", "full", "quiet", "no-pager", "no-legend", "no-ask-password", "help", "version"],
        long_values: &["host", "machine", "uid", "setenv", "lines", "output", "property", "value"],
        ..Spec::CARRIER
    };
    let Ok(parsed) = parse(command.arguments(), &spec) else {
        let elsewhere = |word: &&Word| ["-H", "--h"].iter().any(|option| word.may_begin_with(option));
        return match command.arguments().iter().find(elsewhere) {
            Some(word) => Report::unknown(format!("on which machine it is can't be told from `{}`", word.shown())),
            None => Report::of(Effect::Table),
        };
    };
    if let Some(host) = parsed.values(&["H", "host"]).last() {
        let words =
            std::iter::once(Word::from("machinectl")).chain(parsed.operands.iter().cloned()).collect::<Vec<_>>();
        return report(carry::words(&words, At::Hosts(vec![host_of(host)]), command.stdin.clone()));
    }
    match first(&parsed.operands) {
        (Some(verb), rest) if verb.known() == Some("shell") => {
            if parsed.has(&["M", "machine"]) {
                return Report::unknown("on which machine it is can't be told");
            }
            // Options of its own may stand before the container's name.
            match parse(rest, &spec) {
                Ok(own) => match first(&own.operands) {
                    (Some(machine), _) if machine.is_many() => {
                        Report::unknown("its words can't be told before it runs")
                    }
                    (_, carried) => or_shell(&own, carried, At::Inside, command),
                },
                Err(why) => Report::unknown(why),
            }
        }
        _ => Report::of(Effect::Table),
    }
}

/// Judges `flock`, which makes the file that it locks.
#[must_use]
pub fn flock(command: &Command, _: &Facts) -> Report {
    let spec = Spec {
        flags: "sxeunoFhV",
        values: "wE",
        long_flags: &[
            "shared",
            "exclusive",
            "unlock",
            "nonblock",
            "nb",
            "nonblocking",
            "close",
            "no-fork",
            "verbose",
            "help",
            "version",
        ],
        long_values: &["wait", "timeout", "conflict-exit-code"],
        ..Spec::CARRIER
    };
    let parsed = match parse(command.arguments(), &spec) {
        Ok(parsed) => parsed,
        Err(why) => return Report::unknown(why),
    };
    let (Some(file), carried) = first(&parsed.operands) else { return Report::reads() };
    if file.is_many() {
        return Report::unknown("its words can't be told before it runs");
    }
    let (Some(word), rest) = first(carried) else {
        // Only a descriptor that is open.
        let number = file.known().is_some_and(|text| text.bytes().all(|b| b.is_ascii_digit()));
        return if number { Report::reads() } else { report(writes(file)) };
    };
    let run = match (word.known(), rest) {
        (Some("-c" | "--command"), [text]) => Some(super::carry::shell(text.clone(), At::Child, command.stdin.clone())),
        (Some("-c" | "--command"), _) => return Report::unknown("its text can't be told from its words"),
        _ => words(carried, At::Child, command.stdin.clone()),
    };
    report(writes(file).into_iter().chain(run))
}

#[cfg(test)]
#[path = "tests/places.rs"]
mod tests;
