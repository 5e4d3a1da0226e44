//! Judges a tool's call by the catalog's entry for it. Pure.

#[path = "tool_data.rs"]
mod data;

use super::disks::{Disks, Owners};
use super::script::{self, Kind, Seen};
use super::targets::Places;
use super::walk::Place;
use super::{Classification, DecidedBy, Doubt, Part, Surroundings, Verdict, action, effect, meant, prompt, sessions};
use crate::call::{FOLDER, Tool, ToolCall};
use crate::catalog::model::{Language, Rule};
use crate::catalog::{Catalog, Hit, Project};
use crate::json::Json;
use crate::path::{joined, normal};
use crate::text::clean;

/// What one entry makes of the call.
#[derive(Debug, Clone)]
struct Judged {
    verdict: Verdict,
    reason: String,
    targets: Vec<String>,
    /// What of a change is not known.
    doubt: Option<Doubt>,
    /// What is known of the shell text that it runs, if it runs one.
    seen: Option<Seen>,
}

impl Judged {
    fn new(verdict: Verdict, reason: String, targets: Vec<String>) -> Self {
        Self { verdict, reason, targets, doubt: None, seen: None }
    }

    fn of_script(seen: Seen) -> Self {
        let (reason, targets) = (seen.reason.clone(), seen.targets.clone());
        Self { verdict: seen.verdict, reason, targets, doubt: seen.doubt.clone(), seen: Some(seen) }
    }
}

/// Judges a call.
#[must_use]
pub fn classify(call: &ToolCall, catalog: &Catalog, places: &Places, around: &dyn Surroundings) -> Classification {
    let (base, project) = match meant::find(catalog, &call.tool) {
        Ok(found) => (found.base, found.project),
        Err(reason) => return whole(call, Judged::new(Verdict::Unknown, reason, vec![]), None),
    };
    let mut decided = base;
    let ground = Ground { catalog, places, around };
    let mut judged = judge(call, base, &ground);
    let mut scripts = vec![];
    if let (None, Some(files)) = (base, &call.prompt) {
        let read = prompt::judge(files, &call.input, around);
        scripts = read.files;
        judged = match (read.fault, read.commands.as_slice()) {
            (Some(reason), _) => Judged::new(Verdict::Unknown, reason, vec![]),
            (None, []) => read_only("the file that it expands runs nothing by itself".into()),
            (None, commands) => {
                let texts: Vec<&str> = commands.iter().map(String::as_str).collect();
                Judged::of_script(ground.script(&texts, Language::Sh, false, &[Place::default()], call.cwd.as_deref()))
            }
        };
    }
    // The project's layer may only make a call stricter that the other layers let through, and what it says of the
    // guest counts only where they say nothing: a project can't point a change at another VM.
    if let Some(hit) = project
        && judged.verdict == Verdict::ReadOnly
    {
        let stricter = judge(call, Some(hit), &ground);
        if stricter.verdict > judged.verdict {
            judged = stricter;
            decided = Some(hit);
        }
    }
    if let Project::Broken { path, fault } = &catalog.project
        && !touches_only(call, base, path, around)
    {
        let reason = format!("the project's catalog {path} {fault}, so no verdict can be trusted");
        // What is a change and what may be one are asked about alike.
        let more = judged.doubt.iter().flat_map(|doubt| doubt.targets.clone());
        let targets = judged.targets.iter().cloned().chain(more.collect::<Vec<_>>()).collect();
        judged = Judged { verdict: Verdict::Unknown, reason, targets, ..judged };
    }
    let mut known = whole(call, judged, decided);
    known.scripts.append(&mut scripts);
    known
}

/// What everything is judged on.
struct Ground<'a> {
    catalog: &'a Catalog,
    places: &'a Places,
    around: &'a dyn Surroundings,
}

impl Ground<'_> {
    fn guests(&self, call: &ToolCall, argument: &str) -> Result<Vec<String>, String> {
        sessions::guests(call, argument, self.catalog, self.around)
    }

    fn script(&self, texts: &[&str], language: Language, typed: bool, at: &[Place], cwd: Option<&str>) -> Seen {
        let language = match language {
            Language::PowerShell => Some(effect::Language::PowerShell),
            Language::Cmd => Some(effect::Language::Cmd),
            Language::Python => Some(effect::Language::Python),
            Language::JavaScript => Some(effect::Language::JavaScript),
            Language::Ruby => Some(effect::Language::Ruby),
            Language::Perl => Some(effect::Language::Perl),
            Language::Php => Some(effect::Language::Php),
            _ => None,
        };
        script::judge_kind(Kind { language, typed }, texts, at, cwd, self.catalog, self.places, self.around)
    }
}

fn whole(call: &ToolCall, judged: Judged, decided: Option<Hit>) -> Classification {
    let action = action::of(call, decided);
    let by = decided.map(|hit| DecidedBy { layer: hit.layer, entry: hit.describe(), key: hit.entry.rule.key() });
    let Judged { verdict, reason, targets, doubt, seen } = judged;
    // What makes the whole call unknown is no part's matter.
    let doubt = doubt.filter(|_| verdict == Verdict::Mutating);
    match seen {
        Some(seen) => Classification {
            doubt,
            parts: seen.parts,
            // It was not the entry for the tool that decided, but what is known of the text's programs.
            decided_by: seen.by,
            open: seen.open,
            mend: seen.mend,
            scripts: seen.scripts,
            touched: seen.touched,
            acts_here: seen.acts_here,
            ours: seen.ours,
            verdict,
            reason,
            targets,
            action,
        },
        None => Classification {
            parts: vec![Part {
                text: call.name.clone(),
                location: targets.join(","),
                verdict,
                reason: reason.clone(),
                targets: targets.clone(),
                by: by.clone(),
                depth: 0,
                missing: None,
                open: false,
                mend: None,
            }],
            decided_by: by,
            action,
            open: doubt.is_some(),
            doubt,
            ..Classification::of(verdict, reason, targets)
        },
    }
}

fn judge(call: &ToolCall, hit: Option<Hit>, ground: &Ground) -> Judged {
    let places = ground.places;
    let unknown = |reason: String, targets| Judged::new(Verdict::Unknown, reason, targets);
    let Some(hit) = hit else {
        return unknown("no catalog has an entry for it".into(), vec![]);
    };
    let says = hit.describe();
    match hit.entry.rule {
        Rule::ReadOnly | Rule::Opens { .. } => match option_for_a_host(call) {
            Some(name) => unknown(
                format!(
                    "its argument `{name}` names a host that begins with `-`, which a program may take for an option"
                ),
                vec![],
            ),
            None => read_only(format!("{says} says that it changes no guest")),
        },
        // The last three stand in tables of programs only.
        Rule::Unknown | Rule::DryRun | Rule::Value | Rule::Manner(_) => {
            unknown(format!("{says} says to ask about it"), vec![])
        }
        Rule::Mutating { vm, .. } => match ground.guests(call, vm) {
            Ok(targets) => reaching_on(call, changes(&says, targets, places), ground),
            Err(why) => unknown(format!("{says} says that it changes a guest, but {why}"), vec![]),
        },
        Rule::Script {
            vm,
            script,
            language:
                language @ (Language::Sh
                | Language::PowerShell
                | Language::Cmd
                | Language::Python
                | Language::JavaScript
                | Language::Ruby
                | Language::Perl
                | Language::Php),
        } => shell_text(call, vm, script, language, &says, ground),
        Rule::Script { vm, script, language: language @ (Language::Sql | Language::Redis | Language::MongoDb) } => {
            data::judge(call, vm, script, language, &says, ground)
        }
        Rule::Script { vm, language, .. } => {
            let targets = if vm.is_empty() { vec![] } else { ground.guests(call, vm).unwrap_or_default() };
            unknown(
                format!("{says} says to judge its {} text, which this version can't do yet", language.name()),
                targets,
            )
        }
        Rule::Local => local(&says, places),
        Rule::Writes { path } => writes(call, path, &says, places, ground.around),
    }
}

/// Text of a shell, or of one of those of Windows: judged command by command, where it runs.
fn shell_text(call: &ToolCall, vm: &str, argument: &str, language: Language, says: &str, ground: &Ground) -> Judged {
    let values = call.input.at(argument);
    let texts: Vec<&str> = values.iter().filter_map(|value| value.as_text()).collect();
    if texts.is_empty() || texts.len() < values.len() {
        let reason = format!("{says} says that its argument `{argument}` holds what it runs, and there is no text");
        let targets = if vm.is_empty() { vec![] } else { ground.guests(call, vm).unwrap_or_default() };
        return Judged::new(Verdict::Unknown, reason, targets);
    }
    let at = match (&call.tool, vm) {
        (Tool::Own(_), "") => vec![Place::default()],
        // A server's own shell may run anywhere.
        (_, "") => vec![Place::of_unknown(&format!("{says} does not say which argument names it"))],
        (_, vm) => match ground.guests(call, vm) {
            Ok(names) => names.iter().map(|name| Place::of_guest(name)).collect(),
            Err(why) => vec![Place::of_unknown(&why)],
        },
    };
    if let Some(name) = option_for_a_host(call) {
        let reason =
            format!("its argument `{name}` names a host that begins with `-`, which a program may take for an option");
        return Judged::new(Verdict::Unknown, reason, vec![]);
    }
    let typed = call.shell_lives_on() || sessions::is_id(call, vm, ground.catalog);
    Judged::of_script(ground.script(&texts, language, typed, &at, folder(call).as_deref()))
}

/// A change of guests by a tool that, as the names of its arguments show, runs a text of a shell there: what that does on
/// other machines is added.
fn reaching_on(call: &ToolCall, mut judged: Judged, ground: &Ground) -> Judged {
    const ARGUMENTS: &[&str] = &["command", "commands", "cmd"];
    let (Verdict::Mutating, false) = (judged.verdict, matches!(call.tool, Tool::Own(_))) else {
        return judged;
    };
    let values = ARGUMENTS.iter().filter_map(|name| call.input.get(name));
    let flat = values.flat_map(|value| match value {
        Json::List(items) => items.iter().collect::<Vec<_>>(),
        value => vec![value],
    });
    let texts: Vec<&str> = flat.filter_map(Json::as_text).collect();
    let at: Vec<Place> = judged.targets.iter().map(|name| Place::of_guest(name)).collect();
    let seen = ground.script(&texts, Language::Sh, true, &at, None);
    // What is not understood on these guests themselves is guarded with the rest.
    let further = |part: &&Part| part.open || part.targets.iter().any(|target| !judged.targets.contains(target));
    let unknown = seen.parts.iter().filter(|part| part.verdict == Verdict::Unknown).find(further);
    judged.doubt = unknown.map(|part| Doubt {
        reason: format!("in `{}`, {}", clean(&part.text, 80), part.reason),
        targets: part.targets.clone(),
    });
    let changed = seen.parts.into_iter().filter(|part| part.verdict == Verdict::Mutating);
    for target in changed.flat_map(|part| part.targets).collect::<Vec<_>>() {
        if !judged.targets.contains(&target) {
            judged.targets.push(target);
        }
    }
    judged
}

/// The arguments in which tools take the folder in which their text runs.
const FOLDERS: &[&str] =
    &[FOLDER, "workdir", "working_dir", "working_directory", "workingDirectory", "directory", "dir_path"];

/// Which of them a host's own shell heeds, by its documents (see the catalog). It ignores all others, and not every host
/// refuses a call that holds one: what the agent puts there would show the guard a script in another folder.
const HEEDED: &[(&str, &[&str])] = &[
    // Gemini CLI, older ones of it and Qwen Code
    ("run_shell_command", &["dir_path", "directory"]),
    // OpenCode
    ("bash", &["workdir"]),
    // Cursor
    ("Shell", &["working_directory"]),
];

/// The folder in which a shell tool runs its text: some take it as an argument. Not known where that can't be told.
fn folder(call: &ToolCall) -> Option<String> {
    let named = || FOLDERS.iter().filter_map(|name| Some((*name, call.input.get(name)?)));
    let (name, value) = match (named().next(), named().nth(1)) {
        (None, _) => return call.cwd.clone(),
        (Some(only), None) => only,
        (Some(_), Some(_)) => return None,
    };
    let heeded = match &call.tool {
        Tool::Own(tool) => HEEDED.iter().any(|(shell, names)| shell == tool && names.contains(&name)),
        // A server's tool has whatever arguments it has.
        _ => true,
    };
    joined(value.as_text().filter(|_| heeded)?, call.cwd.as_deref()).map(|path| normal(&path))
}

/// The argument of a server's tool that names a host which is none: `-oProxyCommand=…` in a host's place runs a program on
/// the way to it.
fn option_for_a_host(call: &ToolCall) -> Option<&str> {
    let (Json::Object(fields), false) = (&call.input, matches!(call.tool, Tool::Own(_))) else {
        return None;
    };
    let hostlike = |name: &str| ["host", "server", "target", "address", "node"].iter().any(|part| name.contains(part));
    let odd = |value: &Json| value.as_text().is_some_and(|text| text.trim_start().starts_with('-'));
    fields
        .iter()
        .find(|(name, value)| odd(value) && hostlike(&name.to_ascii_lowercase()))
        .map(|(name, _)| name.as_str())
}

/// A change of the guests named, but for those that a human has left out.
fn changes(says: &str, targets: Vec<String>, places: &Places) -> Judged {
    let (out, guarded): (Vec<_>, Vec<_>) = targets.into_iter().partition(|target| places.is_unguarded(target));
    if guarded.is_empty() {
        return unguarded(&out);
    }
    let reason = format!("{says} says that it changes {}", guarded.join(", "));
    Judged::new(Verdict::Mutating, reason, guarded)
}

fn unguarded(out: &[String]) -> Judged {
    let reason = format!("`unguarded` of the config leaves out {}", out.join(", "));
    Judged::new(Verdict::ReadOnly, reason, vec![])
}

/// Something done on the agent's own machine, which may be a guest itself.
fn local(says: &str, places: &Places) -> Judged {
    match &places.this_vm {
        Some(vm) => changes(says, vec![vm.clone()], places),
        None => read_only(format!("{says} says that it acts on the agent's own machine")),
    }
}

/// A file written on the agent's own machine, which may be a guest's disk or the guest itself.
fn writes(call: &ToolCall, argument: &str, says: &str, places: &Places, around: &dyn Surroundings) -> Judged {
    let own = matches!(call.tool, Tool::Own(_));
    let paths = call.input.at_any(argument);
    // Where these lead is the tool's own affair: another home, another scheme, another folder to begin in.
    let elsewhere = |path: &str| path.starts_with('~') || path.contains("://") || !(own || path.starts_with('/'));
    let is_own = |value: &&Json| {
        let path = value.as_text().filter(|path| !path.is_empty() && !elsewhere(path));
        path.and_then(|path| joined(path, call.cwd.as_deref())).is_some_and(|path| around.is_own_file(&path))
    };
    if places.mounts.is_empty() && !paths.is_empty() && paths.iter().all(is_own) {
        return local(says, places);
    }
    let mut disks = Disks::of(places, around);
    if disks.none(places) {
        return local(says, places);
    }
    let any = disks.any(places);
    let unknown = |why: String| {
        let argument = argument.replace('|', "` or `");
        let reason = format!("{says} says that it writes the file named by `{argument}`, and {why}");
        Judged::new(Verdict::Unknown, reason, vec![])
    };
    // Where no folder is known to be a guest's disk, one that can't be told is none either.
    let unclear = |why: String| if any { unknown(why) } else { local(says, places) };
    if paths.is_empty() {
        return unclear("the call has no such argument".into());
    }
    let mut owners = Owners::default();
    for value in paths {
        let Some(path) = value.as_text().filter(|path| !path.is_empty()) else {
            return unclear("that is no path".into());
        };
        if elsewhere(path) {
            return unclear(format!("where `{path}` leads can't be told, with guests' disks mounted here"));
        }
        let Some(whole) = joined(path, call.cwd.as_deref()) else {
            return unclear(format!("`{path}` begins in a folder that is not known"));
        };
        // As it is written and as it really is: a link may lead into a mount or out of it.
        let real = around.real_path(&whole);
        if disks.is_automatic(&real) {
            disks = Disks::of(places, around);
        }
        let written = normal(&whole);
        // Many tools first take out each `..` with the name before it, which may be a link's.
        let plain = whole.contains("..").then(|| around.real_path(&written));
        for path in [written, real].into_iter().chain(plain) {
            disks.add(&path, places, around, &mut owners);
        }
    }
    match owners {
        Owners { guests, doubt: Some(why) } => Judged { targets: guests, ..unknown(why) },
        Owners { guests, .. } if guests.is_empty() => {
            read_only(format!("{says} says that it writes on the agent's own machine, and on no guest's disk"))
        }
        Owners { guests, .. } => changes(says, guests, places),
    }
}

fn read_only(reason: String) -> Judged {
    Judged::new(Verdict::ReadOnly, reason, vec![])
}

/// Whether the call reads or writes the one file and nothing else, by the entry for it.
fn touches_only(call: &ToolCall, base: Option<Hit>, file: &str, around: &dyn Surroundings) -> bool {
    let is_file = |value: &Json| {
        let path = value.as_text().and_then(|path| joined(path, call.cwd.as_deref()));
        path.is_some_and(|path| normal(&path) == file || around.real_path(&path) == around.real_path(file))
    };
    let values = match base.map(|hit| hit.entry.rule) {
        Some(Rule::Writes { path }) => call.input.at_any(path),
        // The arguments under which hosts' reading tools take their file.
        Some(Rule::ReadOnly) => {
            ["file_path", "path", "absolute_path", "filePath"].iter().filter_map(|key| call.input.get(key)).collect()
        }
        _ => vec![],
    };
    matches!(call.tool, Tool::Own(_)) && !values.is_empty() && values.into_iter().all(is_file)
}
