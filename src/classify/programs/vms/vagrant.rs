//! `vagrant`: machines by the names that its file gives them, and commands in them. Pure.

use super::verbs::{self, Names, Verb};
use super::{carried_to, changes, named, other_in, shell_in, vm};
use crate::classify::effect::{Command, Effect, Facts, Host, Language, Report};
use crate::classify::programs::carry::report;
use crate::classify::programs::options::{Parsed, Spec, parse};
use crate::classify::word::Word;

const SPEC: Spec = Spec {
    flags: "fghtp",
    long_flags: &[
        "force",
        "graceful",
        "parallel",
        "provision",
        "no-provision",
        "destroy-on-error",
        "no-destroy-on-error",
        "install-provider",
        "no-install-provider",
        "no-parallel",
        "no-delete",
        "no-start",
        "help",
        "color",
        "no-color",
        "debug",
        "no-tty",
        "machine-readable",
    ],
    long_values: &["provision-with", "provider"],
    ..Spec::MIXED
};

const ALL: Names = Names::All(&SPEC);

const VERBS: &[Verb] = &[
    Verb { words: "up", names: ALL },
    Verb { words: "halt", names: ALL },
    Verb { words: "destroy", names: ALL },
    Verb { words: "reload", names: ALL },
    Verb { words: "suspend", names: ALL },
    Verb { words: "resume", names: ALL },
    Verb { words: "provision", names: ALL },
    Verb { words: "rsync", names: ALL },
    Verb { words: "snapshot push", names: ALL },
    Verb { words: "snapshot pop", names: ALL },
];

/// Judges `vagrant`.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let words = command.arguments();
    let text = |nr: usize| words.get(nr).and_then(Word::known);
    let rest = words.get(1..).unwrap_or_default();
    match (text(0), text(1)) {
        (Some("ssh"), _) => ssh(command, rest).unwrap_or_else(Report::unknown),
        (Some(verb @ ("winrm" | "powershell")), _) => winrm(verb, rest).unwrap_or_else(Report::unknown),
        (Some("snapshot"), Some("save" | "restore" | "delete")) => snapshot(words.get(2..).unwrap_or_default()),
        (Some("upload"), _) => upload(rest),
        _ => verbs::judge(VERBS, words).unwrap_or_else(|| Report::of(Effect::Table)),
    }
}

/// The machine that is named, if one is.
fn machine(parsed: &Parsed) -> Result<Host, String> {
    match parsed.operands.as_slice() {
        [] => Ok(Host::Unknown("its file says which machine is meant".into())),
        [name] => match name.known() {
            // Between slashes stands a pattern.
            Some(text) if text.starts_with('/') => Ok(Host::Unknown(format!("`{text}` may be several machines"))),
            _ => Ok(vm(name)),
        },
        _ => Err("it names more than one machine".into()),
    }
}

/// `ssh [NAME] [-c TEXT] [-- words for ssh]`.
fn ssh(command: &Command, rest: &[Word]) -> Result<Report, String> {
    const SSH: Spec = Spec {
        flags: "pth",
        values: "c",
        long_flags: &["plain", "tty", "no-tty", "help", "color", "no-color"],
        long_values: &["command"],
        ..Spec::MIXED
    };
    let at = rest.iter().position(|word| word.known() == Some("--"));
    let (own, behind) = rest.split_at_checked(at.unwrap_or(rest.len())).unwrap_or_default();
    let parsed = parse(own, &SSH)?;
    if parsed.has(&["h", "help"]) {
        return Ok(Report::reads());
    }
    let vm = machine(&parsed)?;
    if behind.len() > 1 {
        // They go to ssh behind the machine's name.
        let plain = behind.get(1).is_some_and(|word| !word.may_be_option());
        if !plain || parsed.has(&["c", "command"]) {
            return Err("what ssh is given besides can't be told".into());
        }
        let text = Word::joined(behind.get(1..).unwrap_or_default());
        return Ok(Report::of(shell_in(vm, text, command.stdin.clone())));
    }
    let texts: Vec<&Word> = parsed.values(&["c", "command"]).collect();
    Ok(match texts.last() {
        Some(text) => Report::of(shell_in(vm, (*text).clone(), command.stdin.clone())),
        None => carried_to(command, vm, &[]),
    })
}

/// `winrm -c TEXT [NAME]`, `powershell -c TEXT [NAME]`.
fn winrm(verb: &str, rest: &[Word]) -> Result<Report, String> {
    const WINRM: Spec = Spec {
        flags: "eh",
        values: "cs",
        long_flags: &["elevated", "help"],
        long_values: &["command", "shell"],
        ..Spec::MIXED
    };
    let parsed = parse(rest, &WINRM)?;
    let vm = machine(&parsed)?;
    let shell = parsed.values(&["s", "shell"]).last().map(Word::known);
    let language = match (verb, shell) {
        ("powershell", None) | (_, None | Some(Some("powershell" | "elevated"))) => Language::PowerShell,
        (_, Some(Some("cmd"))) => Language::Cmd,
        _ => return Err("for which shell the text is can't be told".into()),
    };
    let texts = parsed.values(&["c", "command"]).map(|text| other_in(vm.clone(), language, text.clone()));
    Ok(report(texts))
}

/// `snapshot save [MACHINE] NAME`.
fn snapshot(rest: &[Word]) -> Report {
    let vm = match parse(rest, &SPEC) {
        Ok(parsed) => match parsed.operands.as_slice() {
            [machine, _] => vm(machine),
            _ => Host::Unknown("its file says which machine is meant".into()),
        },
        Err(why) => Host::Unknown(why),
    };
    Report::of(changes(vec![vm], "snapshot"))
}

/// `upload SOURCE [TARGET] [MACHINE]`.
fn upload(rest: &[Word]) -> Report {
    const UPLOAD: Spec = Spec {
        flags: "th",
        values: "c",
        long_flags: &["temporary", "compress", "help"],
        long_values: &["compression-type"],
        ..Spec::MIXED
    };
    let vm = match parse(rest, &UPLOAD).map(|parsed| parsed.operands) {
        Ok(operands) => match operands.as_slice() {
            [_, _, machine] => machine.known().map_or_else(|| vm(machine), named),
            _ => Host::Unknown("its file says which machine is meant".into()),
        },
        Err(why) => Host::Unknown(why),
    };
    Report::of(changes(vec![vm], "upload"))
}
