//! `kubectl`, `oc` and `virtctl`: commands in pods, rehearsals, copies from pods, and virtual machines of a cluster. What a
//! cluster's objects become is none of Zerto's, so a change of them is asked about. Pure.

use super::azure::by_ssh;
use super::verbs::{self, Names, Verb};
use super::{carried_to, is_session, named, unknown_in, vm};
use crate::classify::effect::{At, Command, Effect, Facts, Host, Report, Stdin};
use crate::classify::programs::carry::{self, first, name, report};
use crate::classify::programs::dry_runs;
use crate::classify::programs::options::{Spec, parse};
use crate::classify::word::Word;

/// The options of all commands of kubectl.
const GLOBAL: Spec = Spec {
    flags: "h",
    values: "nsv",
    long_flags: &[
        "insecure-skip-tls-verify",
        "match-server-version",
        "warnings-as-errors",
        "disable-compression",
        "help",
    ],
    long_values: &[
        "namespace",
        "context",
        "cluster",
        "user",
        "server",
        "kubeconfig",
        "token",
        "as",
        "as-group",
        "as-uid",
        "certificate-authority",
        "client-certificate",
        "client-key",
        "tls-server-name",
        "request-timeout",
        "v",
    ],
    ..Spec::CARRIER
};

/// Judges `kubectl` and `oc`.
#[must_use]
pub fn kubectl(command: &Command, facts: &Facts) -> Report {
    let Ok(parsed) = parse(command.arguments(), &GLOBAL) else { return Report::of(Effect::Table) };
    let (Some(verb), rest) = first(&parsed.operands) else { return Report::of(Effect::Table) };
    match verb.known() {
        Some("exec") => exec(command, rest).unwrap_or_else(Report::unknown),
        Some("rsh") if name(command) == "oc" => rsh(command, rest).unwrap_or_else(Report::unknown),
        Some("cp") => copy(rest),
        Some("port-forward" | "proxy") => Report::of(Effect::Forwards {
            hosts: vec![Host::Unknown("a pod is no virtual machine of Zerto's".into())],
            why: "what goes through the port that it opens into the cluster can't be seen".into(),
        }),
        _ => dry_runs::judge(command, facts),
    }
}

fn pod() -> At {
    At::Hosts(vec![Host::Unknown("a pod is no virtual machine of Zerto's".into())])
}

const EXEC: Spec = Spec {
    flags: "ith",
    values: "ncfsv",
    long_flags: &["stdin", "tty", "quiet", "help", "insecure-skip-tls-verify", "no-tty"],
    long_values: &[
        "namespace",
        "container",
        "filename",
        "context",
        "cluster",
        "user",
        "server",
        "kubeconfig",
        "token",
        "as",
        "as-group",
        "pod-running-timeout",
        "request-timeout",
        "shell",
        "timeout",
        "v",
    ],
    stops: false,
    ..Spec::CARRIER
};

/// `exec POD -- WORDS`; without the dashes the first word is the pod.
fn exec(command: &Command, rest: &[Word]) -> Result<Report, String> {
    let at = rest.iter().position(|word| word.known() == Some("--"));
    let own = rest.get(..at.unwrap_or(rest.len())).unwrap_or_default();
    let parsed = parse(own, &EXEC)?;
    if parsed.has(&["help", "h"]) {
        return Ok(Report::reads());
    }
    let carried = match at {
        Some(at) => rest.get(at + 1..).unwrap_or_default(),
        None if parsed.operands.len() > 1 => {
            return Err("where its command begins can't be told without `--`".into());
        }
        None => return Ok(Report::reads()),
    };
    let stdin = if parsed.has(&["i", "stdin"]) { command.stdin.clone() } else { Stdin::Nothing };
    if stdin == Stdin::Inherited && is_session(carried) {
        return Err("what is typed into the session can't be seen".into());
    }
    Ok(report(carry::words(carried, pod(), stdin)))
}

/// `oc rsh POD WORDS`; without words, a shell.
fn rsh(command: &Command, rest: &[Word]) -> Result<Report, String> {
    let parsed = parse(rest, &Spec { stops: true, flags: "Tth", ..EXEC })?;
    let (Some(_), carried) = first(&parsed.operands) else { return Ok(Report::reads()) };
    let stdin = command.stdin.clone();
    Ok(Report::of(carry::words(carried, pod(), stdin.clone()).unwrap_or_else(|| carry::shell_on_stdin(pod(), stdin))))
}

/// `cp POD:FILE FILE`: a name with a colon is a pod's.
fn copy(rest: &[Word]) -> Report {
    const COPY: Spec = Spec {
        flags: "h",
        values: "nc",
        long_flags: &["no-preserve", "help"],
        long_values: &["namespace", "container", "retries", "context", "kubeconfig", "cluster", "user"],
        ..Spec::MIXED
    };
    match parse(rest, &COPY) {
        Ok(parsed) if parsed.has(&["help", "h"]) => Report::reads(),
        Ok(parsed) => match parsed.operands.as_slice() {
            [from, to] if from.beginning().contains(':') && to.known().is_some_and(|to| !to.contains(':')) => {
                Report::of(Effect::Writes(to.clone()))
            }
            _ => Report::unknown("it copies into a pod"),
        },
        Err(why) => Report::unknown(why),
    }
}

/// Judges `virtctl` of KubeVirt.
#[must_use]
pub fn virtctl(command: &Command, _: &Facts) -> Report {
    const SPEC: Spec = Spec {
        flags: "h",
        values: "nsv",
        long_flags: &["force", "paused", "dry-run", "help", "insecure-skip-tls-verify"],
        long_values: &[
            "namespace",
            "context",
            "kubeconfig",
            "grace-period",
            "volume-name",
            "serial",
            "claim-name",
            "v",
        ],
        ..Spec::MIXED
    };
    const FIRST: Names = Names::First(&SPEC);
    const VERBS: &[Verb] = &[
        Verb { words: "start", names: FIRST },
        Verb { words: "stop", names: FIRST },
        Verb { words: "restart", names: FIRST },
        Verb { words: "migrate", names: FIRST },
        Verb { words: "migrate-cancel", names: FIRST },
        Verb { words: "soft-reboot", names: FIRST },
        Verb { words: "reset", names: FIRST },
        Verb { words: "addvolume", names: FIRST },
        Verb { words: "removevolume", names: FIRST },
        Verb { words: "pause vm", names: FIRST },
        Verb { words: "pause vmi", names: FIRST },
        Verb { words: "unpause vm", names: FIRST },
        Verb { words: "unpause vmi", names: FIRST },
    ];
    let Ok(parsed) = parse(command.arguments(), &GLOBAL) else { return Report::of(Effect::Table) };
    let (Some(verb), rest) = first(&parsed.operands) else { return Report::of(Effect::Table) };
    match verb.known() {
        Some("ssh") => ssh(command, rest).unwrap_or_else(Report::unknown),
        Some("console" | "vnc") => match first(rest) {
            (Some(name), _) => Report::of(unknown_in(vm(name), "what is typed there can't be seen")),
            (None, _) => Report::reads(),
        },
        _ => verbs::judge(VERBS, &parsed.operands).unwrap_or_else(|| Report::of(Effect::Table)),
    }
}

/// `ssh [USER@][KIND/]NAME[.NAMESPACE] [-c TEXT]`.
fn ssh(command: &Command, rest: &[Word]) -> Result<Report, String> {
    const SSH: Spec = Spec {
        flags: "h",
        values: "inlptc",
        long_flags: &["help", "local-ssh"],
        long_values: &[
            "command",
            "identity-file",
            "namespace",
            "username",
            "port",
            "known-hosts",
            "local-ssh-opts",
            "context",
            "kubeconfig",
        ],
        ..Spec::MIXED
    };
    let parsed = parse(rest, &SSH)?;
    if parsed.has(&["t", "local-ssh-opts"]) {
        return Err("what its options are to ssh can't be told".into());
    }
    let [target] = parsed.operands.as_slice() else { return Err("which machine is meant can't be told".into()) };
    let host = match target.known() {
        Some(text) => {
            let name = text.rsplit('@').next().unwrap_or_default();
            let name = name.split_once('/').map_or(name, |(_, name)| name);
            named(name.split(['.', '/']).next().unwrap_or_default())
        }
        None => vm(target),
    };
    let texts: Vec<&Word> = parsed.values(&["c", "command"]).collect();
    Ok(match (texts.last(), host) {
        (None, host) => carried_to(command, host, &[]),
        (Some(text), Host::Named { typed, .. }) => {
            let word = Word::known_as(typed.as_str());
            Report::of(by_ssh(Host::named(typed), &word, &[(*text).clone()], &command.stdin))
        }
        (Some(text), host) => Report::of(by_ssh(host, &Word::unknown(), &[(*text).clone()], &command.stdin)),
    })
}
