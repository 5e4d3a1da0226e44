//! `vmrun`: a machine goes by the file that describes it, and its tools start programs. Pure.

use super::{by_tools, changes, other_in, shell_in, unknown_in, vm};
use crate::classify::effect::{Command, Effect, Facts, Host, Language, Report, Stdin};
use crate::classify::programs::carry::{self, base, first};
use crate::classify::programs::options::{Spec, parse};
use crate::classify::programs::shells::is_shell;
use crate::classify::word::Word;

const SPEC: Spec =
    Spec { long_values: &["T", "h", "P", "u", "p", "vp", "gu", "gp"], single_dash: true, ..Spec::CARRIER };

/// Verbs that act on the machine behind them.
const VERBS: &[&str] = &[
    "CopyFileFromHostToGuest",
    "addNetworkAdapter",
    "addSharedFolder",
    "beginReplay",
    "beginRecording",
    "connectNamedDevice",
    "createDirectoryInGuest",
    "createTempfileInGuest",
    "deleteDirectoryInGuest",
    "deleteFileInGuest",
    "deleteNetworkAdapter",
    "deleteSnapshot",
    "deleteVM",
    "disableSharedFolders",
    "disconnectNamedDevice",
    "enableSharedFolders",
    "installTools",
    "killProcessInGuest",
    "pause",
    "removeSharedFolder",
    "renameFileInGuest",
    "reset",
    "revertToSnapshot",
    "setNetworkAdapter",
    "setSharedFolderState",
    "snapshot",
    "start",
    "stop",
    "suspend",
    "typeKeystrokesInGuest",
    "unpause",
    "upgradevm",
    "writeVariable",
];

/// Judges `vmrun`.
#[must_use]
pub fn vmrun(command: &Command, _: &Facts) -> Report {
    let Ok(parsed) = parse(command.arguments(), &SPEC) else { return Report::of(Effect::Table) };
    let (Some(verb), rest) = first(&parsed.operands) else { return Report::of(Effect::Table) };
    let (Some(file), rest) = first(rest) else { return Report::of(Effect::Table) };
    let vm = machine(file);
    match verb.known() {
        Some("runProgramInGuest") => match started(rest) {
            [] => Report::reads(),
            words => carry::report(by_tools(vm, words, Stdin::Nothing)),
        },
        Some("runScriptInGuest") => match started(rest) {
            [interpreter, text] => Report::of(script(vm, interpreter, text)),
            _ => Report::of(unknown_in(vm, "the script that it runs can't be told from its words")),
        },
        Some(verb) if VERBS.contains(&verb) => Report::of(changes(vec![vm], verb)),
        _ => Report::of(Effect::Table),
    }
}

/// The machine of a description: its file has the machine's name.
fn machine(file: &Word) -> Host {
    let Some(path) = file.known() else { return vm(file) };
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    super::named(name.strip_suffix(".vmx").unwrap_or(name).rsplit("] ").next().unwrap_or_default())
}

/// The words behind the options that say how something is started.
fn started(rest: &[Word]) -> &[Word] {
    let how = ["-noWait", "-activeWindow", "-interactive"];
    let flags = rest.iter().take_while(|word| word.known().is_some_and(|text| how.contains(&text))).count();
    rest.get(flags..).unwrap_or_default()
}

/// A script in a guest: for the shell that is named, or for the guest's own.
fn script(vm: Host, interpreter: &Word, text: &Word) -> Effect {
    let Some(path) = interpreter.known() else {
        return unknown_in(vm, "which interpreter it uses is only known when it runs");
    };
    let name = base(path).rsplit('\\').next().unwrap_or_default().to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    match name {
        "powershell" | "pwsh" => other_in(vm, Language::PowerShell, text.clone()),
        "cmd" => other_in(vm, Language::Cmd, text.clone()),
        name if is_shell(name) => shell_in(vm, text.clone(), Stdin::Nothing),
        _ => unknown_in(vm, format!("what `{path}` makes of the script is not known")),
    }
}
