//! One entry in a host's settings: which holes it leaves, what it is told, and whether it does its work.

use super::hook::Settings;
use super::trial::{self, Start};
use super::{Check, Patient};
use crate::agent_host::{Known, only_roots};
use crate::config::Config;
use crate::config::files::{Files, Given, Place};
use crate::config::trusted_file::{Whose, read};
use crate::hook::args::Args;
use crate::hook::below;
use crate::hosts::Host;
use crate::install::inspect::Found;
use crate::install::trust::{self, Trust};
use crate::install::{Kind, Scope, Version, When};
use crate::text::clean;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One entry.
pub(super) fn all(patient: &Patient, config: Option<&Config>, settings: &Settings, found: &Found) -> Vec<Check> {
    let recipe = settings.recipe;
    let name = settings.name();
    let place = format!("{}, line {}", settings.file.display(), found.line);
    let again = recipe.again(settings.scope);
    let fault = |text: &str| Check::fault(name.clone(), format!("{place}: {text}"), again.clone());
    let warning = |text: &str| Check::warning(name.clone(), format!("{place}: {text}"), again.clone());
    let mut checks = Vec::new();
    if !found.is_met() {
        let matcher = clean(found.matcher.as_deref().unwrap_or_default(), 80);
        checks.push(fault(&format!("it is called for `{matcher}` only; every other tool runs unguarded")));
    }
    for strange in &found.strange {
        checks.push(fault(&format!("{strange}, which `install` never writes: with it calls may run unguarded")));
    }
    checks.extend(form(patient.known, settings, found, &fault, &warning));
    checks.extend(trusted(patient, settings, found));
    let words = found.words();
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
            checks.extend(host(settings, args).map(|text| fault(&text)));
            checks.extend(limits(admins.as_ref().or(config), settings, found, args, &fault, &warning));
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
        let holds = match (recipe.host, settings.scope) {
            (Host::ClaudeCode, Scope::Managed) => "neither an agent nor a user can switch it off",
            (Host::ClaudeCode, _) => {
                "whoever edits this file or starts `claude --bare` has no hook; the managed one stays"
            }
            _ => recipe.holes,
        };
        let form = match (settings.kind, &found.args) {
            (Kind::Script, _) => "in a file of its own",
            (_, Some(_)) => "started without a shell",
            (_, None) => "started by a shell",
        };
        let limit = waits(settings, found).map_or("not known".to_owned(), |limit| format!("{limit} s"));
        checks.push(Check::ok(name.clone(), format!("{place}: for every tool, {form}, time limit {limit}; {holds}")));
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
fn form(
    known: &Known,
    settings: &Settings,
    found: &Found,
    fault: &dyn Fn(&str) -> Check,
    warning: &dyn Fn(&str) -> Check,
) -> Option<Check> {
    if settings.recipe.host != Host::ClaudeCode {
        return form_of_others(settings, found, fault);
    }
    let since = Version::ON_FAILURE;
    let heeded = known.version().map(|version| version >= since);
    match (&found.args, heeded) {
        (Some(_), _) if !found.blocks_on_failure() => {
            Some(fault("without onFailure = \"block\" a missing, killed or slow hook lets the call run"))
        }
        (Some(_), Some(true)) => None,
        (Some(_), Some(false)) => Some(fault(&format!(
            "this version is older than {since} and ignores onFailure: a missing, killed or slow hook lets the call run"
        ))),
        (Some(_), None) => Some(warning(&format!(
            "a version older than {since} ignores onFailure, and then a missing, killed or slow hook lets the call run"
        ))),
        (None, _) if !found.falls_back() => {
            Some(fault("without `|| exit 2` a missing or killed hook lets the call run"))
        }
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

/// What keeps an entry of any other host from stopping a call when the hook fails.
fn form_of_others(settings: &Settings, found: &Found, fault: &dyn Fn(&str) -> Check) -> Option<Check> {
    use std::os::unix::fs::PermissionsExt as _;
    if settings.kind == Kind::Script {
        let runs = settings.file.metadata().is_ok_and(|about| about.permissions().mode() & 0o100 != 0);
        return (settings.recipe.host == Host::Cline && !runs)
            .then(|| fault("it can't be executed, so that the host does not start it"));
    }
    if !found.falls_back() {
        return Some(fault("without `|| exit 2` a missing or killed hook lets the call run"));
    }
    let open = found.missing.contains(&"failClosed");
    open.then(|| fault("without \"failClosed\": true a hook that is held up lets the call run"))
}

/// Codex skips an entry that nobody has trusted, or that is another one since.
fn trusted(patient: &Patient, settings: &Settings, found: &Found) -> Option<Check> {
    if settings.recipe.host != Host::Codex || settings.kind == Kind::Toml {
        return None;
    }
    let config = patient.places.folder("CODEX_HOME", ".codex").ok()?.join("config.toml");
    let text = read(&config, Whose::Projects).ok().flatten();
    // Codex may name the file by what a link leads to.
    let real = settings.file.canonicalize().ok();
    let paths = [settings.file.to_str(), real.as_deref().and_then(Path::to_str)].into_iter().flatten();
    let mut told = paths.map(|path| trust::of(text.as_deref(), path, found));
    let first = told.next()?;
    let told = if first == Trust::Untrusted { told.next().unwrap_or(first) } else { first };
    let why = match told {
        Trust::Trusted => return None,
        Trust::Untrusted => "nobody has trusted it yet, so that Codex skips it",
        Trust::Changed => "it is another one than was trusted, so that Codex skips it",
        Trust::Off => "it was switched off in Codex, which skips it",
        Trust::AllOff => "[features] hooks is false in Codex's config.toml, so that it runs no hook",
    };
    let text = format!("{}, line {}: {why}", settings.file.display(), found.line);
    let remedy = "Start codex, type /hooks, and trust zerto-guard's entries.";
    Some(match found.event.when {
        When::Before => Check::fault(settings.name(), format!("{text}: no call is guarded"), remedy),
        _ => Check::warning(settings.name(), format!("{text}: how calls end is not noted"), remedy),
    })
}

/// What is wrong with the host that the hook was told.
fn host(settings: &Settings, args: &Args) -> Option<String> {
    let recipe = settings.recipe;
    match args.host {
        Some(host) if recipe.says_host && host != recipe.host => {
            Some(format!("it is told that {} calls, which is not so: every call is stopped", host.name()))
        }
        Some(host) if !recipe.says_host => {
            Some(format!("it is told that {} calls, but others read this file too", host.name()))
        }
        _ => None,
    }
}

/// How long the host waits for this entry, in seconds, as far as that is known.
fn waits(settings: &Settings, found: &Found) -> Option<f64> {
    #[allow(clippy::cast_precision_loss, reason = "no time limit is that long")]
    let default = settings.recipe.default_wait().filter(|seconds| *seconds > 0).map(|seconds| seconds as f64);
    match settings.kind {
        Kind::Script => default,
        _ => found.timeout.or(default),
    }
}

/// The host's time limit, what the hook was told of it, and the guard's deadline.
fn limits(
    config: Option<&Config>,
    settings: &Settings,
    found: &Found,
    args: &Args,
    fault: &dyn Fn(&str) -> Check,
    warning: &dyn Fn(&str) -> Check,
) -> Option<Check> {
    let told = args.host_timeout.unwrap_or(Duration::from_secs(settings.recipe.host.default_timeout()));
    if let Some(waits) = waits(settings, found).filter(|waits| told.as_secs_f64() > *waits) {
        return Some(fault(&format!(
            "{} waits {waits} s, but the hook was told {} s: it may still be at work when the call is let run",
            settings.recipe.title,
            told.as_secs()
        )));
    }
    let deadline = config?.guard.deadline;
    // Where the time limit can't be set, there is nothing to mend.
    let can_be_set = matches!(settings.recipe.waits, crate::install::Waits::AsSet(_));
    (can_be_set && deadline > below(told)).then(|| {
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
    let again = settings.recipe.again(settings.scope);
    let not_run = |why: String, remedy: &str| Some(Check::warning(name, format!("{why}, and was not run"), remedy));
    if !program.is_absolute() {
        return not_run(format!("it starts whatever `{shown}` means to the host"), &again);
    }
    let real = match program.canonicalize() {
        Ok(real) => real,
        Err(error) => return Some(Check::fault(name, format!("the entry can't be started: {shown}: {error}"), again)),
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
        None if settings.kind == Kind::Script => {
            let (program, arguments) = words.split_first()?;
            Start::Exec(program, arguments)
        }
        None if found.falls_back() => Start::Shell(&found.command),
        // It is a fault already.
        None => return None,
    };
    Some(trial::run(name, settings, &start, &patient.places.project))
}
