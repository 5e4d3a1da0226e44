//! The hook in the agent host's settings: in which scopes, in which form, and what could get round it.

use super::trial::{self, Start};
use super::{Check, Patient, answers};
use crate::agent_host::{Known, only_roots};
use crate::config::Config;
use crate::config::files::{Files, Given, Place};
use crate::config::trusted_file::{Whose, read};
use crate::hook::args::Args;
use crate::hook::below;
use crate::install::settings::{Found, Inspection, inspect};
use crate::install::{Scope, Version, When, shell_words};
use crate::text::clean;
use std::path::{Path, PathBuf};
use std::time::Duration;

const AGAIN: &str = "Run: zerto-guard install claude-code";

/// How long Claude Code waits where an entry has no `timeout` (by its documents).
const HOSTS_TIMEOUT: f64 = 600.0;

/// A settings file that was read.
pub(super) struct Settings {
    pub scope: Scope,
    pub file: PathBuf,
    pub seen: Inspection,
}

pub(super) fn all(patient: &Patient, config: Option<&Config>) -> Vec<Check> {
    let mut checks = vec![version(patient.known)];
    let mut read_files = Vec::new();
    let more = drop_ins(&patient.places.managed_drop_ins()).unwrap_or_else(|fault| {
        checks.push(fault);
        Vec::new()
    });
    let local = (Scope::Project, patient.places.project_local());
    let more = more.into_iter().map(|file| (Scope::Managed, file)).chain([local]);
    let files = Scope::ALL.into_iter().map(|scope| (scope, patient.places.file(scope))).chain(more);
    for (scope, file) in files {
        if read_files.iter().any(|settings: &Settings| settings.file == file) {
            // The home folder as a project.
            continue;
        }
        let shown = file.display();
        let mend = "Mend it: Claude Code can't read the file as it is, and runs none of its hooks.";
        match read(&file, Whose::Projects) {
            Ok(None) => {}
            Err(fault) => checks.push(Check::fault("settings", fault.to_string(), mend)),
            Ok(Some(text)) => match inspect(&text, patient.own) {
                Err(why) => checks.push(Check::fault("settings", format!("{shown}, {why}"), mend)),
                Ok(seen) => read_files.push(Settings { scope, file, seen }),
            },
        }
    }
    checks.extend(installed(patient, config, &read_files));
    for settings in &read_files {
        checks.extend(around(settings));
    }
    checks
}

/// The administrator's further settings, in the order in which they are read.
fn drop_ins(folder: &Path) -> Result<Vec<PathBuf>, Check> {
    let unread = |error: std::io::Error| {
        let text = format!("{} can't be read: {error}", folder.display());
        Check::warning("settings", text, "See that everybody can read it: Claude Code looks there too.")
    };
    let entries = match folder.read_dir() {
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        entries => entries.map_err(unread)?,
    };
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>().map_err(unread)?;
    let hidden = |path: &Path| path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
    files.retain(|path| path.extension().is_some_and(|end| end == "json") && !hidden(path));
    files.sort();
    Ok(files)
}

fn version(known: &Known) -> Check {
    let unknown = "Which holes remain depends on it. See that `claude --version` works here.";
    match known {
        Known::Version(version) => Check::ok("claude-code", format!("version {version}")),
        Known::NotFound => Check::warning("claude-code", "no `claude` was found on PATH", unknown),
        Known::Silent(program) => {
            Check::warning("claude-code", format!("{} --version told no version", program.display()), unknown)
        }
    }
}

/// Where it is installed, and what switches it off there.
fn installed(patient: &Patient, config: Option<&Config>, files: &[Settings]) -> Vec<Check> {
    let mut checks = Vec::new();
    let count: usize = files.iter().map(|settings| settings.seen.ours.len()).sum();
    if count == 0 {
        checks.push(Check::fault("hook", "it is installed in none of the settings: no call is guarded", AGAIN));
        return checks;
    }
    let managed = files.iter().any(|settings| settings.scope == Scope::Managed && !settings.seen.ours.is_empty());
    let managed_only = files.iter().any(|settings| settings.scope == Scope::Managed && settings.seen.managed_only);
    if managed_only && !managed {
        checks.push(Check::fault(
            "hook",
            "the managed settings allow managed hooks only (allowManagedHooksOnly), and it is not among them",
            "Run: sudo zerto-guard install claude-code --scope managed",
        ));
    }
    for settings in files.iter().filter(|settings| settings.seen.disabled) {
        let text = format!("{}: `disableAllHooks` is true", settings.file.display());
        let remedy = "Take it away.";
        checks.push(if managed && settings.scope != Scope::Managed {
            Check::warning("hook", format!("{text}; the managed hook runs all the same"), remedy)
        } else {
            Check::fault("hook", format!("{text}: no call is guarded"), remedy)
        });
    }
    if count > 1 {
        checks.push(Check::warning(
            "hook",
            format!("it is installed {count} times: each call is judged that often, and each change tagged that often"),
            "Run zerto-guard uninstall claude-code, with --scope, for all but one.",
        ));
    }
    for settings in files {
        for found in &settings.seen.ours {
            checks.extend(entry(patient, config, settings, found));
        }
    }
    checks.extend(answers::all(files));
    checks
}

/// The command that writes an entry of this scope anew.
pub(super) fn again(scope: Scope) -> String {
    match scope {
        Scope::User => AGAIN.to_owned(),
        Scope::Project => format!("{AGAIN} --scope project"),
        Scope::Managed => "Run: sudo zerto-guard install claude-code --scope managed".to_owned(),
    }
}

/// One entry.
fn entry(patient: &Patient, config: Option<&Config>, settings: &Settings, found: &Found) -> Vec<Check> {
    let name = format!("hook {}", settings.scope.name());
    let place = format!("{}, line {}", settings.file.display(), found.line);
    let again = again(settings.scope);
    let fault = |text: &str| Check::fault(name.clone(), format!("{place}: {text}"), again.clone());
    let warning = |text: &str| Check::warning(name.clone(), format!("{place}: {text}"), again.clone());
    let mut checks = Vec::new();
    if !found.is_met(When::Before) {
        let matcher = clean(found.matcher.as_deref().unwrap_or_default(), 80);
        checks.push(fault(&format!("it is called for `{matcher}` only; every other tool runs unguarded")));
    }
    for strange in &found.strange {
        checks.push(fault(&format!("{strange}, which `install` never writes: with it calls may run unguarded")));
    }
    checks.extend(form(patient.known, found, &fault, &warning));
    let words = words(found);
    let args = match &words {
        None => {
            Err("it was not written by `install`: what its shell text does is not known, and it was not run".into())
        }
        Some(words) => hook_args(words).map_err(|why| format!("{why}; it was not run")),
    };
    match &args {
        Err(why) => checks.push(fault(why)),
        Ok(args) => {
            let alone = Files { config: Place::Nowhere, catalog: Place::Nowhere, ..patient.files.clone() };
            let admins = args.given.managed.then(|| alone.config().ok()).flatten();
            if admins.as_ref().is_some_and(|config| !config.zvms.iter().any(|zvm| zvm.guards)) {
                checks.push(Check::fault(
                    name.clone(),
                    format!(
                        "{place}: it reads {} alone, where no ZVM is configured: every change is refused",
                        alone.admin.display()
                    ),
                    format!("Write a [[zvm]] into {}.", alone.admin.join("config.toml").display()),
                ));
            }
            checks.extend(limits(admins.as_ref().or(config), found, args, &fault, &warning));
            checks.extend(paths(patient.files, settings.scope, args).map(|text| warning(&text)));
        }
    }
    let program = words.as_ref().and_then(|words| words.first());
    if let Some(program) = program.filter(|program| settings.scope == Scope::Managed && !only_roots(Path::new(program)))
    {
        checks.push(Check::warning(
            name.clone(),
            format!(
                "{program} can be replaced by somebody who is not root, so this is no stronger than the user's own hook"
            ),
            "Put the program where only root writes, such as /usr/local/bin, and install again.",
        ));
    }
    if checks.is_empty() {
        let holds = match settings.scope {
            Scope::Managed => "neither an agent nor a user can switch it off",
            _ => "whoever edits this file or starts `claude --bare` has no hook; the managed one stays",
        };
        let form = if found.args.is_some() { "started without a shell" } else { "started by a shell" };
        let limit = found.timeout.unwrap_or(HOSTS_TIMEOUT);
        checks.push(Check::ok(name.clone(), format!("{place}: for every tool, {form}, time limit {limit} s; {holds}")));
    }
    if let (Some(words), Ok(args)) = (&words, &args) {
        checks.extend(tried(patient, settings, found, words, args, &name));
    }
    checks
}

/// What a program of ours is told by these words, if that is to be the hook: nothing else of it may be run here.
pub(super) fn hook_args(words: &[String]) -> Result<Args, String> {
    if words.get(1).is_none_or(|word| word != "hook") {
        return Err("it is no hook's entry: the first argument is not `hook`".into());
    }
    let arguments: Vec<_> = words.iter().skip(1).map(std::ffi::OsString::from).collect();
    Args::parse(&arguments)
}

/// Which of the measured holes are open in this form with that version.
fn form(known: &Known, found: &Found, fault: &dyn Fn(&str) -> Check, warning: &dyn Fn(&str) -> Check) -> Option<Check> {
    let since = Version::ON_FAILURE;
    let heeded = known.version().map(|version| version >= since);
    let falls_back = found.command.ends_with(FALLS_BACK);
    match (&found.args, heeded) {
        (Some(_), _) if !found.blocks_on_failure => {
            Some(fault("without onFailure = \"block\" a missing, killed or slow hook lets the call run"))
        }
        (Some(_), Some(true)) => None,
        (Some(_), Some(false)) => Some(fault(&format!(
            "this version is older than {since} and ignores onFailure: a missing, killed or slow hook lets the call run"
        ))),
        (Some(_), None) => Some(warning(&format!(
            "a version older than {since} ignores onFailure, and then a missing, killed or slow hook lets the call run"
        ))),
        (None, _) if !falls_back => Some(fault("without `|| exit 2` a missing or killed hook lets the call run")),
        (None, Some(true)) => Some(warning(&format!(
            "it has the form for versions before {since}; this version heeds a stronger one, without a shell"
        ))),
        (None, Some(false)) => Some(Check {
            remedy: Some(format!("Update Claude Code to {since} or newer, then install again.")),
            ..warning("a hook that is held up past its time limit lets the call run")
        }),
        (None, None) => Some(Check {
            remedy: Some("Once `claude --version` works here, install again.".into()),
            ..warning(&format!("a hook that is held up past its time limit lets the call run, before {since}"))
        }),
    }
}

/// The host's time limit, what the hook was told of it, and the guard's deadline.
fn limits(
    config: Option<&Config>,
    found: &Found,
    args: &Args,
    fault: &dyn Fn(&str) -> Check,
    warning: &dyn Fn(&str) -> Check,
) -> Option<Check> {
    let waits = found.timeout.unwrap_or(HOSTS_TIMEOUT);
    let told = args.host_timeout.unwrap_or(Duration::from_secs_f64(HOSTS_TIMEOUT));
    if told.as_secs_f64() > waits {
        return Some(fault(&format!(
            "Claude Code waits {waits} s, but the hook was told {} s: it may still be at work when the call is let run",
            told.as_secs()
        )));
    }
    let deadline = config?.guard.deadline;
    (deadline > below(told)).then(|| {
        warning(&format!(
            "guard.deadline is {} s, but the host waits {} s, so it is cut to {} s",
            deadline.as_secs(),
            told.as_secs(),
            below(told).as_secs()
        ))
    })
}

/// Whether the hook reads other files than this command.
fn paths(files: &Files, scope: Scope, args: &Args) -> Option<String> {
    if scope == Scope::Managed {
        let text = "it has no --managed, so it reads the config and catalog of whoever runs the agent";
        return (!args.given.managed).then(|| text.to_owned());
    }
    let theirs = Files::find(Given { home: files.home.clone(), ..args.given.clone() }).ok()?;
    let other = |what: &str, theirs: Option<&Path>, ours: Option<&Path>| {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let (theirs, ours) = (theirs.map(absolute), ours.map(absolute));
        let shown = |path: Option<PathBuf>| path.map_or("none".to_owned(), |path| path.display().to_string());
        (theirs != ours).then(|| format!("the hook's {what} is {}, this command's is {}", shown(theirs), shown(ours)))
    };
    other("config", theirs.config.path(), files.config.path())
        .or_else(|| other("catalog", theirs.catalog.path(), files.catalog.path()))
        .or_else(|| other("state folder", Some(&theirs.state), Some(&files.state)))
}

/// The program and its arguments, where the entry is of a kind that `install` writes.
pub(super) fn words(found: &Found) -> Option<Vec<String>> {
    match &found.args {
        Some(args) => Some(std::iter::once(&found.command).chain(args).cloned().collect()),
        None => shell_words(&found.command),
    }
}

/// Runs the entry, if that starts this very program as `hook` and does nothing else. Any settings could name any program,
/// and a project's could name any files.
fn tried(
    patient: &Patient,
    settings: &Settings,
    found: &Found,
    words: &[String],
    args: &Args,
    name: &str,
) -> Option<Check> {
    let program = Path::new(words.first()?);
    let shown = clean(words.first()?, 200);
    let not_run = |why: String, remedy: &str| Some(Check::warning(name, format!("{why}, and was not run"), remedy));
    if !program.is_absolute() {
        return not_run(format!("it starts whatever `{shown}` means to the host"), AGAIN);
    }
    let real = match program.canonicalize() {
        Ok(real) => real,
        Err(error) => return Some(Check::fault(name, format!("the entry can't be started: {shown}: {error}"), AGAIN)),
    };
    if Path::new(patient.own).canonicalize().ok() != Some(real) {
        return not_run(
            format!("it starts {shown}, which is not this program"),
            "If that is a zerto-guard that you trust, run its own doctor; else install again with this one.",
        );
    }
    if settings.scope == Scope::Project && paths(patient.files, settings.scope, args).is_some() {
        return not_run("it reads other files than this command".into(), "Run doctor with those, if they are yours.");
    }
    let start = match &found.args {
        Some(args) => Start::Exec(&found.command, args),
        None if found.command.ends_with(FALLS_BACK) => Start::Shell(&found.command),
        // It is a fault already.
        None => return None,
    };
    Some(trial::run(name, &start, &patient.places.project))
}

/// How shell text of ours ends.
const FALLS_BACK: &str = " || exit 2";

/// What else in a settings file bears on the guard.
fn around(settings: &Settings) -> Vec<Check> {
    let file = settings.file.display();
    let mut checks = Vec::new();
    match settings.scope {
        _ if settings.seen.ours.is_empty() => {}
        Scope::Managed if !only_roots(&settings.file) => checks.push(Check::warning(
            "settings",
            format!("{file} can be changed by somebody who is not root"),
            format!("Run: sudo chown root '{file}' && sudo chmod 644 '{file}', and see to its folders."),
        )),
        Scope::User => {
            if let Err(fault) = read(&settings.file, Whose::Ours) {
                checks.push(Check::warning(
                    "settings",
                    format!("{}: {}", fault.path, fault.fault),
                    "Run what it names.",
                ));
            }
        }
        _ => {}
    }
    for fault in &settings.seen.faults {
        let text = format!("{file}, {fault}: Claude Code drops a whole file for such a thing, and says nothing");
        checks.push(Check::fault("settings", text, "Mend it."));
    }
    for misused in &settings.seen.misused {
        checks.push(Check::fault(
            "hook",
            format!(
                "{file}, line {}: it is no hook's entry: it starts zerto-guard, but not as `hook`; it guards nothing, \
                 and was not run",
                misused.line
            ),
            format!("Take it out, unless you know what it is for. {AGAIN}"),
        ));
    }
    for other in &settings.seen.others {
        let command = clean(&other.command, 120);
        let command = if command.is_empty() { "a hook without a command".to_owned() } else { format!("`{command}`") };
        checks.push(Check::warning(
            "other hooks",
            format!(
                "{file}, line {}: {command} is called before a tool too, and can rewrite a call after it was judged",
                other.line
            ),
            "See that it does not (updatedInput).",
        ));
    }
    let reaching: Vec<String> =
        settings.seen.env.iter().filter(|name| matters(name)).map(|name| clean(name, 60)).collect();
    if !reaching.is_empty() {
        checks.push(Check::warning(
            "env",
            format!("{file} sets {} in the hook's environment", reaching.join(", ")),
            "Take it out of `env`, unless you put it there for the hook.",
        ));
    }
    checks
}

/// Variables that the hook heeds, or that decide which code runs in its place.
fn matters(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    ["ZERTO_GUARD_", "LD_", "DYLD_"].iter().any(|start| upper.starts_with(start))
        || ["HOME", "PATH", "BASH_ENV", "ENV", "IFS", "SHELLOPTS", "GCONV_PATH", "GLIBC_TUNABLES"]
            .contains(&upper.as_str())
        || upper.starts_with("BASH_FUNC_")
}
