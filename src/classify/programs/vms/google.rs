//! `gcloud compute`: instances that are named, and commands and files that go to them by ssh. Pure.

use super::azure::by_ssh;
use super::verbs::{self, Names, Verb};
use super::vm;
use crate::classify::effect::{At, Command, Effect, Facts, Report, Run, What};
use crate::classify::programs::options::{Parsed, Spec, parse};
use crate::classify::word::Word;

/// Options of all commands, and those of the verbs that are read here.
const SPEC: Spec = Spec {
    flags: "qh",
    long_flags: &[
        "async",
        "no-async",
        "discard-local-ssd",
        "keep-disks",
        "delete-disks",
        "quiet",
        "help",
        "log-http",
        "user-output-enabled",
        "no-user-output-enabled",
        "all",
        "can-ip-forward",
        "deletion-protection",
        "no-deletion-protection",
        "preemptible",
        "tunnel-through-iap",
        "internal-ip",
        "dry-run",
        "plain",
        "troubleshoot",
        "force-key-file-overwrite",
        "no-force-key-file-overwrite",
        "recurse",
        "compress",
    ],
    long_values: &[
        "zone",
        "project",
        "region",
        "account",
        "configuration",
        "format",
        "verbosity",
        "impersonate-service-account",
        "billing-project",
        "access-token-file",
        "flatten",
        "metadata",
        "metadata-from-file",
        "labels",
        "update-labels",
        "remove-labels",
        "tags",
        "keys",
        "machine-type",
        "disk",
        "device-name",
        "mode",
        "boot",
        "csek-key-file",
        "custom-cpu",
        "custom-memory",
        "min-cpu-platform",
        "service-account",
        "scopes",
        "maintenance-policy",
        "command",
        "ssh-flag",
        "scp-flag",
        "ssh-key-file",
        "ssh-key-expiration",
        "ssh-key-expire-after",
        "strict-host-key-checking",
        "container",
        "network",
        "port",
        "user",
        "new-name",
        "access-config-name",
        "network-interface",
    ],
    ..Spec::MIXED
};

const ALL: Names = Names::All(&SPEC);
const FIRST: Names = Names::First(&SPEC);

const VERBS: &[Verb] = &[
    Verb { words: "compute instances start", names: ALL },
    Verb { words: "compute instances stop", names: ALL },
    Verb { words: "compute instances reset", names: ALL },
    Verb { words: "compute instances delete", names: ALL },
    Verb { words: "compute instances suspend", names: ALL },
    Verb { words: "compute instances resume", names: ALL },
    Verb { words: "compute instances perform-maintenance", names: ALL },
    Verb { words: "compute instances simulate-maintenance-event", names: ALL },
    Verb { words: "compute instances update", names: FIRST },
    Verb { words: "compute instances update-container", names: FIRST },
    Verb { words: "compute instances add-metadata", names: FIRST },
    Verb { words: "compute instances remove-metadata", names: FIRST },
    Verb { words: "compute instances add-labels", names: FIRST },
    Verb { words: "compute instances remove-labels", names: FIRST },
    Verb { words: "compute instances update-labels", names: FIRST },
    Verb { words: "compute instances add-tags", names: FIRST },
    Verb { words: "compute instances remove-tags", names: FIRST },
    Verb { words: "compute instances attach-disk", names: FIRST },
    Verb { words: "compute instances detach-disk", names: FIRST },
    Verb { words: "compute instances add-access-config", names: FIRST },
    Verb { words: "compute instances delete-access-config", names: FIRST },
    Verb { words: "compute instances set-disk-auto-delete", names: FIRST },
    Verb { words: "compute instances set-machine-type", names: FIRST },
    Verb { words: "compute instances set-min-cpu-platform", names: FIRST },
    Verb { words: "compute instances set-name", names: FIRST },
    Verb { words: "compute instances set-scheduling", names: FIRST },
    Verb { words: "compute instances set-service-account", names: FIRST },
    Verb { words: "compute reset-windows-password", names: FIRST },
];

/// Judges `gcloud`.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    const CARRIER: Spec = Spec { stops: true, ..SPEC };
    let Ok(parsed) = parse(command.arguments(), &CARRIER) else { return Report::of(Effect::Table) };
    let words = parsed.operands.as_slice();
    let words = match words {
        [track, rest @ ..] if matches!(track.known(), Some("alpha" | "beta" | "preview")) => rest,
        words => words,
    };
    let text = |nr: usize| words.get(nr).and_then(Word::known);
    if let (Some("compute"), Some(verb @ ("ssh" | "scp" | "copy-files"))) = (text(0), text(1)) {
        let rest = words.get(2..).unwrap_or_default();
        let judged = if verb == "ssh" { ssh(command, rest) } else { scp(command, rest) };
        return judged.unwrap_or_else(Report::unknown);
    }
    verbs::judge(VERBS, words).unwrap_or_else(|| Report::of(Effect::Table))
}

/// What one of its flags hands to ssh or scp; more than one word in it is left to a person.
fn passed(parsed: &Parsed, flag: &str) -> Result<Vec<Word>, String> {
    let plain = |word: &Word| match word.known() {
        Some(text) if !text.contains(char::is_whitespace) => Ok(word.clone()),
        _ => Err(format!("what `{}` is to ssh can't be told", word.shown())),
    };
    parsed.values(&[flag]).map(plain).collect()
}

fn split(rest: &[Word]) -> (&[Word], &[Word]) {
    let at = rest.iter().position(|word| word.known() == Some("--")).unwrap_or(rest.len());
    (rest.get(..at).unwrap_or_default(), rest.get(at + 1..).unwrap_or_default())
}

/// `compute ssh [USER@]NAME [--command=TEXT] [-- words for ssh]`.
fn ssh(command: &Command, rest: &[Word]) -> Result<Report, String> {
    let (own, behind) = split(rest);
    let parsed = parse(own, &SPEC)?;
    if parsed.has(&["dry-run", "help", "h"]) {
        return Ok(Report::reads());
    }
    let [name] = parsed.operands.as_slice() else { return Err("which instance is meant can't be told".into()) };
    let mut words = passed(&parsed, "ssh-flag")?;
    words.extend(behind.iter().cloned());
    words.extend(parsed.values(&["command"]).last().cloned());
    let host = match name.known() {
        Some(text) => vm(&text.rsplit('@').next().unwrap_or_default().into()),
        None => vm(name),
    };
    Ok(Report::of(by_ssh(host, name, &words, &command.stdin)))
}

/// `compute scp [NAME:]FILE… [NAME:]TARGET`.
fn scp(command: &Command, rest: &[Word]) -> Result<Report, String> {
    let (own, behind) = split(rest);
    let parsed = parse(own, &SPEC)?;
    if parsed.has(&["dry-run", "help", "h"]) {
        return Ok(Report::reads());
    }
    let mut words: Vec<Word> = ["scp", "-F", "/dev/null"].map(Word::known_as).into();
    if parsed.has(&["recurse"]) {
        words.push("-r".into());
    }
    words.extend(passed(&parsed, "scp-flag")?);
    words.extend(behind.iter().cloned());
    words.extend(parsed.operands.iter().cloned());
    let run = Run { what: What::Words(words), at: At::Child, stdin: command.stdin.clone() };
    Ok(Report::of(Effect::Runs(run)))
}
