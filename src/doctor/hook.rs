//! The hook in the agent hosts' settings: for which hosts, in which scopes, and what could get round it.

use super::{Check, Patient, answers, entry};
use crate::agent_host::{Known, only_roots};
use crate::config::Config;
use crate::config::trusted_file::{Whose, read};
use crate::hosts::Host;
use crate::install::inspect::{Inspection, inspect};
use crate::install::{Kind, Recipe, Scope, When, recipes};
use crate::text::clean;
use std::path::{Path, PathBuf};

/// A settings file that was read.
pub(super) struct Settings {
    pub recipe: &'static Recipe,
    pub scope: Scope,
    pub kind: Kind,
    pub file: PathBuf,
    pub seen: Inspection,
}

impl Settings {
    /// What the checks of its entries are called.
    pub fn name(&self) -> String {
        match self.recipe.host {
            Host::ClaudeCode => format!("hook {}", self.scope.name()),
            host => format!("hook {} {}", host.name(), self.scope.name()),
        }
    }
}

pub(super) fn all(patient: &Patient, config: Option<&Config>) -> Vec<Check> {
    let mut faults = Vec::new();
    let mut read_files: Vec<Settings> = Vec::new();
    for recipe in recipes() {
        // The home folder as a project; files that two hosts read.
        let files = files(patient, recipe, &mut faults);
        for (scope, kind, file) in files {
            if !read_files.iter().any(|settings| settings.file == file) {
                read_files.extend(settings(patient, recipe, scope, kind, file, &mut faults));
            }
        }
    }
    let claude = |settings: &&Settings| settings.recipe.host == Host::ClaudeCode;
    let elsewhere = read_files.iter().any(|settings| !claude(&settings) && settings.seen.guards());
    // Who works with another host need not have this one.
    let has_claude = read_files.iter().any(|settings| claude(&settings)) || *patient.known != Known::NotFound;
    let mut checks = Vec::new();
    if has_claude || !elsewhere {
        checks.push(version(patient.known));
    }
    checks.extend(faults);
    for recipe in recipes() {
        let files: Vec<&Settings> = read_files.iter().filter(|settings| settings.recipe.host == recipe.host).collect();
        if recipe.host == Host::ClaudeCode && (has_claude || !elsewhere) {
            checks.extend(installed(patient, config, recipe, &files, elsewhere));
        } else if files.iter().any(|settings| !settings.seen.ours.is_empty()) {
            checks.extend(installed(patient, config, recipe, &files, true));
        } else if let Some(folder) = in_use(patient, recipe, &read_files) {
            checks.push(Check::warning(
                format!("hook {}", recipe.host.name()),
                format!("{} is there, and {} has no hook: what it does is not guarded", folder.display(), recipe.title),
                format!("{}, if you use it.", recipe.again(Scope::User)),
            ));
        }
    }
    for settings in &read_files {
        checks.extend(around(settings));
    }
    checks
}

/// The files in which a host's hooks may stand, the strongest first.
fn files(patient: &Patient, recipe: &'static Recipe, faults: &mut Vec<Check>) -> Vec<(Scope, Kind, PathBuf)> {
    let place = |scope| Some((scope, (recipe.kind)(scope), (recipe.place)(patient.places, scope).ok()?));
    let mut files: Vec<_> = Scope::ALL.into_iter().filter_map(place).collect();
    match recipe.host {
        Host::ClaudeCode => {
            let more = drop_ins(&patient.places.managed_drop_ins()).unwrap_or_else(|fault| {
                faults.push(fault);
                Vec::new()
            });
            files.extend(more.into_iter().map(|file| (Scope::Managed, Kind::Grouped, file)));
            files.push((Scope::Project, Kind::Grouped, patient.places.project_local()));
        }
        Host::Cline => {
            let after = files.iter().map(|(scope, kind, file)| (*scope, *kind, file.with_file_name("PostToolUse")));
            let after: Vec<_> = after.collect();
            files.extend(after);
        }
        _ => {}
    }
    files
}

/// Reads one of them; none if it isn't there.
fn settings(
    patient: &Patient,
    recipe: &'static Recipe,
    scope: Scope,
    kind: Kind,
    file: PathBuf,
    faults: &mut Vec<Check>,
) -> Option<Settings> {
    let mend = match recipe.host {
        Host::ClaudeCode => "Mend it: Claude Code can't read the file as it is, and runs none of its hooks.".to_owned(),
        _ => format!("Mend it: as it is, {} may run none of its hooks.", recipe.title),
    };
    let text = match read(&file, Whose::Projects) {
        Ok(text) => text?,
        Err(fault) => {
            faults.push(Check::fault("settings", fault.to_string(), mend));
            return None;
        }
    };
    match inspect(&text, recipe, kind, patient.own) {
        Ok(seen) => Some(Settings { recipe, scope, kind, file, seen }),
        Err(why) => {
            faults.push(Check::fault("settings", format!("{}, {why}", file.display()), mend));
            None
        }
    }
}

/// The folder that tells that somebody works with a host that has no hook.
fn in_use(patient: &Patient, recipe: &Recipe, read_files: &[Settings]) -> Option<PathBuf> {
    let home = patient.places.home.as_ref()?;
    let file = (recipe.place)(patient.places, Scope::User).ok()?;
    if read_files.iter().any(|settings| settings.file == file && settings.seen.guards()) {
        return None;
    }
    // Folders of everybody's.
    let common = [home.clone(), home.join("Documents"), home.join(".config"), home.join(".codeium")];
    let own = file
        .ancestors()
        .skip(1)
        .filter(|folder| folder.starts_with(home))
        .filter(|folder| !common.iter().any(|common| common == folder) && folder.is_dir());
    own.map(Path::to_owned).last()
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

/// Where it is installed for one host, and what switches it off there.
fn installed(
    patient: &Patient,
    config: Option<&Config>,
    recipe: &'static Recipe,
    files: &[&Settings],
    elsewhere: bool,
) -> Vec<Check> {
    let mut checks = Vec::new();
    let claude = recipe.host == Host::ClaudeCode;
    let name = if claude { "hook".to_owned() } else { format!("hook {}", recipe.host.name()) };
    let count: usize = files.iter().map(|settings| times(settings)).sum();
    if count == 0 && claude {
        let text = "it is installed in none of the settings of Claude Code: no call of it is guarded";
        let remedy = recipe.again(Scope::User);
        checks.push(if elsewhere {
            Check::warning(name, text, format!("{remedy}, if you use it."))
        } else {
            Check::fault(name, "it is installed in none of the settings: no call is guarded", remedy)
        });
        return checks;
    }
    if let Some((rival, what)) = [Scope::User, Scope::Project]
        .into_iter()
        .filter_map(|scope| (recipe.rival)(patient.places, scope))
        .find(|(rival, _)| rival.exists())
    {
        checks.push(Check::fault(
            name.clone(),
            format!("{} is there: the entry may guard nothing", rival.display()),
            what,
        ));
    }
    let guards = |scope: Scope| files.iter().any(|settings| settings.scope == scope && settings.seen.guards());
    let managed = guards(Scope::Managed);
    let managed_only = files.iter().any(|settings| settings.scope == Scope::Managed && settings.seen.managed_only);
    if managed_only && !managed {
        checks.push(Check::fault(
            name.clone(),
            "the managed settings allow managed hooks only (allowManagedHooksOnly), and it is not among them",
            recipe.again(Scope::Managed),
        ));
    }
    for (settings, off) in files.iter().filter_map(|settings| Some((settings, settings.seen.disabled?))) {
        let text = format!("{}: {off}", settings.file.display());
        let remedy = "Take it away.";
        checks.push(if managed && settings.scope != Scope::Managed {
            Check::warning(name.clone(), format!("{text}; the managed hook runs all the same"), remedy)
        } else {
            Check::fault(name.clone(), format!("{text}: no call is guarded"), remedy)
        });
    }
    if count > 1 {
        checks.push(Check::warning(
            name,
            format!("it is installed {count} times: each call is judged that often, and each change tagged that often"),
            format!("Run zerto-guard uninstall {}, with --scope, for all but one.", recipe.host.name()),
        ));
    }
    for settings in files {
        checks.extend(missing(settings));
        for found in settings.seen.at(When::Before) {
            checks.extend(entry::all(patient, config, settings, found));
        }
    }
    checks.extend(answers::all(recipe, files));
    checks
}

/// How often a call is judged by the entries of one file.
fn times(settings: &Settings) -> usize {
    let of = |name: &str| settings.seen.at(When::Before).filter(|found| found.event.name == name).count();
    settings.recipe.at(When::Before).map(|event| of(event.name)).max().unwrap_or_default()
}

/// Events before a call at which a host with several of them does not start the hook.
fn missing(settings: &Settings) -> Option<Check> {
    if !settings.seen.guards() {
        return None;
    }
    let there = |name: &str| settings.seen.at(When::Before).any(|found| found.event.name == name);
    let missing: Vec<&str> =
        settings.recipe.at(When::Before).map(|event| event.name).filter(|name| !there(name)).collect();
    (!missing.is_empty()).then(|| {
        let text =
            format!("{}: no entry at {}: such calls are not guarded", settings.file.display(), missing.join(", "));
        Check::fault(settings.name(), text, settings.recipe.again(settings.scope))
    })
}

/// What else in a settings file bears on the guard.
fn around(settings: &Settings) -> Vec<Check> {
    let file = settings.file.display();
    let mut checks = Vec::new();
    match settings.scope {
        _ if !settings.seen.guards() => {}
        Scope::Managed if !only_roots(&settings.file) => checks.push(Check::warning(
            "settings",
            format!("{file} can be changed by somebody who is not root"),
            format!("Run: sudo chown root '{file}' && sudo chmod 644 '{file}', and see to its folders."),
        )),
        Scope::User => {
            if let Err(fault) = read(&settings.file, Whose::Ours) {
                checks.push(Check::warning("settings", fault.to_string(), "Run what it names."));
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
            format!("Take it out, unless you know what it is for. {}", settings.recipe.again(settings.scope)),
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
