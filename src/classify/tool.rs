//! Judges a tool's call by the catalog's entry for it. Pure.

use super::disks::{Disks, Owners};
use super::script::{self, Seen};
use super::targets::Places;
use super::walk::Place;
use super::{Classification, DecidedBy, Part, Surroundings, Verdict, effect, prompt};
use crate::call::{Tool, ToolCall};
use crate::catalog::model::{Entry, Language, Rule};
use crate::catalog::{Catalog, Found, Hit, Project};
use crate::json::Json;
use crate::path::{joined, normal};

/// What one entry makes of the call.
#[derive(Debug, Clone)]
struct Judged {
    verdict: Verdict,
    reason: String,
    targets: Vec<String>,
    /// What is known of the shell text that it runs, if it runs one.
    seen: Option<Seen>,
}

impl Judged {
    fn new(verdict: Verdict, reason: String, targets: Vec<String>) -> Self {
        Self { verdict, reason, targets, seen: None }
    }

    fn of_script(seen: Seen) -> Self {
        Self { verdict: seen.verdict, reason: seen.reason.clone(), targets: seen.targets.clone(), seen: Some(seen) }
    }
}

/// Judges a call.
#[must_use]
pub fn classify(call: &ToolCall, catalog: &Catalog, places: &Places, around: &dyn Surroundings) -> Classification {
    let (base, project) = match find(catalog, &call.tool) {
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
                Judged::of_script(ground.script(&texts, Language::Sh, &[Place::default()], call.cwd.as_deref()))
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
        let reason = format!("the project's catalog {path} is broken ({fault}), so no verdict can be trusted");
        // What is a change and what may be one are asked about alike.
        let more = judged.seen.iter().filter_map(|seen| seen.doubt.as_ref()).flat_map(|doubt| doubt.targets.clone());
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
    fn script(&self, texts: &[&str], language: Language, at: &[Place], cwd: Option<&str>) -> Seen {
        let language = match language {
            Language::PowerShell => Some(effect::Language::PowerShell),
            Language::Cmd => Some(effect::Language::Cmd),
            _ => None,
        };
        script::judge_in(language, texts, at, cwd, self.catalog, self.places, self.around)
    }
}

fn whole(call: &ToolCall, judged: Judged, decided: Option<Hit>) -> Classification {
    let action = action(call, decided);
    let by = decided.map(|hit| DecidedBy { layer: hit.layer, entry: hit.describe(), key: hit.entry.rule.key() });
    let Judged { verdict, reason, targets, seen } = judged;
    match seen {
        Some(seen) => Classification {
            // What makes the whole call unknown is no part's matter.
            doubt: seen.doubt.filter(|_| verdict == Verdict::Mutating),
            parts: seen.parts,
            // It was not the entry for the tool that decided, but what is known of the text's programs.
            decided_by: seen.by,
            open: seen.open,
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
            }],
            decided_by: by,
            action,
            ..Classification::of(verdict, reason, targets)
        },
    }
}

/// What the layers say of the tool, however the host named it.
fn find<'c>(catalog: &'c Catalog, tool: &Tool) -> Result<Found<'c>, String> {
    agreeing(candidates(catalog, tool).into_iter()).map_err(|()| match tool {
        Tool::OfSomeServer(tool) => format!(
            "the host does not say which server's `{tool}` this is, and the servers that have one are judged differently"
        ),
        Tool::Own(name) | Tool::Joined(name) | Tool::OfServer { tool: name, .. } => {
            format!("`{name}` can be parted into server and tool in several ways that are judged differently")
        }
    })
}

/// Everything that the layers say of the tools that the call can mean.
pub(super) fn candidates<'c>(catalog: &'c Catalog, tool: &Tool) -> Vec<Found<'c>> {
    match tool {
        Tool::Own(name) => vec![catalog.find("", name)],
        Tool::OfServer { server, tool } => vec![catalog.find(server, tool)],
        // `_` may be part of either name: every way to part them is tried.
        Tool::Joined(joined) => {
            let places = joined.char_indices().map(|(at, _)| at);
            let named = places.filter_map(|at| Some((joined.get(..at)?, joined.get(at..)?.strip_prefix("__")?)));
            let known = named.flat_map(|(server, tool)| plugin_names(server).map(move |server| (server, tool)));
            known.map(|(server, tool)| catalog.find(server, tool)).collect()
        }
        Tool::OfSomeServer(tool) => {
            catalog.servers_with(tool).iter().map(|server| catalog.find(server, tool)).collect()
        }
    }
}

/// The rules of the tools that the call can mean, but for the project's layer.
pub fn rules<'c>(catalog: &'c Catalog, tool: &Tool) -> Vec<Rule<'c>> {
    candidates(catalog, tool).into_iter().filter_map(|found| Some(found.base?.entry.rule)).collect()
}

/// The names that a joined server name can mean: a plugin's servers are written `plugin_<plugin>_<server>`
/// (Claude Code), and `_` may be part of the plugin's name too.
fn plugin_names(server: &str) -> impl Iterator<Item = &str> {
    let inner = server.strip_prefix("plugin_").into_iter().flat_map(|rest| {
        rest.match_indices('_').filter_map(move |(at, _)| rest.get(at + 1..)).filter(|name| !name.is_empty())
    });
    std::iter::once(server).filter(|name| !name.is_empty()).chain(inner)
}

/// The one thing that all that was found says; nothing if nothing was found.
fn agreeing<'c>(found: impl Iterator<Item = Found<'c>>) -> Result<Found<'c>, ()> {
    let mut one: Option<Found<'c>> = None;
    for next in found.filter(|found| found.base.is_some() || found.project.is_some()) {
        match one {
            None => one = Some(next),
            Some(first) => {
                let rule = |hit: Option<Hit<'c>>| hit.map(|hit| hit.entry.rule);
                if rule(first.base) != rule(next.base) || rule(first.project) != rule(next.project) {
                    return Err(());
                }
            }
        }
    }
    Ok(one.unwrap_or_default())
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
        Rule::Mutating { vm, .. } => match guests(call, vm) {
            Ok(targets) => changes(&says, targets, places),
            Err(why) => unknown(format!("{says} says that it changes a guest, but {why}"), vec![]),
        },
        Rule::Script { vm, script, language: language @ (Language::Sh | Language::PowerShell | Language::Cmd) } => {
            shell_text(call, vm, script, language, &says, ground)
        }
        Rule::Script { vm, language, .. } => {
            let targets = if vm.is_empty() { vec![] } else { guests(call, vm).unwrap_or_default() };
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
        let targets = if vm.is_empty() { vec![] } else { guests(call, vm).unwrap_or_default() };
        return Judged::new(Verdict::Unknown, reason, targets);
    }
    let at = match (&call.tool, vm) {
        (Tool::Own(_), "") => vec![Place::default()],
        // A server's own shell may run anywhere.
        (_, "") => vec![Place::of_unknown(&format!("{says} does not say which argument names it"))],
        (_, vm) => match guests(call, vm) {
            Ok(names) => names.iter().map(|name| Place::of_guest(name)).collect(),
            Err(why) => vec![Place::of_unknown(&why)],
        },
    };
    if let Some(name) = option_for_a_host(call) {
        let reason =
            format!("its argument `{name}` names a host that begins with `-`, which a program may take for an option");
        return Judged::new(Verdict::Unknown, reason, vec![]);
    }
    Judged::of_script(ground.script(&texts, language, &at, folder(call).as_deref()))
}

/// The folder in which a shell tool runs its text: some take it as an argument.
fn folder(call: &ToolCall) -> Option<String> {
    const ARGUMENTS: &[&str] =
        &["cwd", "workdir", "working_dir", "working_directory", "workingDirectory", "directory", "dir_path"];
    match ARGUMENTS.iter().find_map(|name| call.input.get(name)) {
        None => call.cwd.clone(),
        Some(value) => joined(value.as_text()?, call.cwd.as_deref()).map(|path| normal(&path)),
    }
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
    let mut disks = Disks::of(places, around);
    if disks.none(places) {
        return local(says, places);
    }
    let any = disks.any(places);
    let unknown = |why: String| {
        let reason = format!("{says} says that it writes the file named by `{argument}`, and {why}");
        Judged::new(Verdict::Unknown, reason, vec![])
    };
    // Where no folder is known to be a guest's disk, one that can't be told is none either.
    let unclear = |why: String| if any { unknown(why) } else { local(says, places) };
    let paths = call.input.at(argument);
    if paths.is_empty() {
        return unclear("the call has no such argument".into());
    }
    let own = matches!(call.tool, Tool::Own(_));
    let mut owners = Owners::default();
    for value in paths {
        let Some(path) = value.as_text().filter(|path| !path.is_empty()) else {
            return unclear("that is no path".into());
        };
        // Where these lead is the tool's own affair: another home, another scheme, another folder to begin in.
        if path.starts_with('~') || path.contains("://") || !(own || path.starts_with('/')) {
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
        for path in [normal(&whole), real] {
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

/// The guests that an argument names.
fn guests(call: &ToolCall, path: &str) -> Result<Vec<String>, String> {
    if path.is_empty() {
        return Err("does not say which argument names it".into());
    }
    let values = call.input.at(path);
    let flat = values.into_iter().flat_map(|value| match value {
        Json::List(items) => items.iter().collect::<Vec<_>>(),
        value => vec![value],
    });
    let mut names: Vec<String> = Vec::new();
    for value in flat {
        let name = match value {
            Json::Text(text) => text.trim().to_owned(),
            Json::Number(number) => number.to_string(),
            _ => String::new(),
        };
        // One that can't be named makes the whole call unknown: to guard the others only would leave it unguarded.
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(format!("its argument `{path}` names none"));
        }
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() { Err(format!("its argument `{path}` names none")) } else { Ok(names) }
}

/// What the call does, for the tag: the entry's text, else the caller's own description, else the text that it runs, else
/// the tool's name.
fn action(call: &ToolCall, decided: Option<Hit>) -> String {
    if let Some(Hit { entry, .. }) = decided
        && let Rule::Mutating { action, .. } = entry.rule
        && !action.is_empty()
    {
        return fill(action, &call.input);
    }
    let described = call.input.text("description").map(str::trim).filter(|text| !text.is_empty());
    if let Some(text) = described {
        return text.to_owned();
    }
    if let Some(Hit { entry: Entry { rule: Rule::Script { script, .. }, .. }, .. }) = decided
        && let Some(text) = call.input.at(script).into_iter().find_map(Json::as_text)
    {
        return text.trim().to_owned();
    }
    match &call.tool {
        Tool::OfServer { server, tool } => format!("{server} {tool}"),
        Tool::Own(name) | Tool::OfSomeServer(name) => name.clone(),
        Tool::Joined(name) => name.replace("__", " "),
    }
}

/// Puts the call's arguments into an action's text; one that is absent leaves its braces.
fn fill(template: &str, input: &Json) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, from)) = rest.split_once('{') {
        text.push_str(before);
        let Some((path, after)) = from.split_once('}') else {
            rest = from;
            break;
        };
        let values: Vec<String> = input.at(path).into_iter().filter_map(shown).collect();
        if values.is_empty() {
            text.push('{');
            text.push_str(path);
            text.push('}');
        } else {
            text.push_str(&values.join(","));
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

fn shown(value: &Json) -> Option<String> {
    match value {
        Json::Text(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(flag) => Some(flag.to_string()),
        Json::List(items) => Some(items.iter().filter_map(shown).collect::<Vec<_>>().join(",")),
        Json::Null | Json::Object(_) => None,
    }
}

/// Whether the call reads or writes the one file and nothing else, by the entry for it.
fn touches_only(call: &ToolCall, base: Option<Hit>, file: &str, around: &dyn Surroundings) -> bool {
    let is_file = |value: &Json| {
        let path = value.as_text().and_then(|path| joined(path, call.cwd.as_deref()));
        path.is_some_and(|path| normal(&path) == file || around.real_path(&path) == around.real_path(file))
    };
    let values = match base.map(|hit| hit.entry.rule) {
        Some(Rule::Writes { path }) => call.input.at(path),
        // The arguments under which hosts' reading tools take their file.
        Some(Rule::ReadOnly) => {
            ["file_path", "path", "absolute_path"].iter().filter_map(|key| call.input.get(key)).collect()
        }
        _ => vec![],
    };
    matches!(call.tool, Tool::Own(_)) && !values.is_empty() && values.into_iter().all(is_file)
}
