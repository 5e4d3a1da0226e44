//! Scripts of `package.json`: `npm run X`, `npm test`, `yarn X`, `pnpm X`, `bun run X`, with those that run before and after
//! them, in the packages of a workspace as well. Pure.

mod bun;
mod npm;
mod pnpm;
mod yarn;

use super::{above, elsewhere, folder, found_above, inside, judged, program, read, shell_line};
use crate::classify::effect::{Command, Effect, Facts, Report};
use crate::classify::programs::{carry, runners};
use crate::classify::word::Word;
use crate::json::Json;
use crate::text::shell_word;

/// How many packages of a workspace are looked at.
const MOST_PACKAGES: usize = 100;

/// What runs under a name.
struct Call {
    /// The folder from which the package is looked for.
    from: String,
    script: String,
    arguments: Vec<Word>,
    /// Whether packages of the workspace are meant: by these names, or, without any, all of them.
    packages: Option<Vec<Word>>,
    /// Whether nothing is wrong where there is no such script.
    if_present: bool,
}

/// Judges `npm`, `pnpm`, `yarn` and `bun`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let report = match carry::name(command) {
        "npm" => npm::npm(command, facts),
        "pnpm" => pnpm::pnpm(command, facts),
        "yarn" | "yarnpkg" => yarn::yarn(command, facts),
        _ => bun::bun(command, facts),
    };
    match report {
        Ok(Some(report)) => report,
        Ok(None) => runners::judge(command, facts),
        Err(why) => Report::unknown(why),
    }
}

/// Judges `node --run X`; all else that node does is no matter of a package's scripts.
#[must_use]
pub fn node(command: &Command, facts: &Facts) -> Report {
    let words = command.arguments();
    let (name, behind) = match words.first().map(|word| (word.known(), word)) {
        Some((Some("--run"), _)) => (words.get(1).cloned(), words.get(2..)),
        Some((_, word)) => (word.strip_prefix("--run="), words.get(1..)),
        None => (None, None),
    };
    let Some(name) = name else { return Report::of(Effect::Table) };
    let mut behind = behind.unwrap_or_default().iter();
    let arguments = match behind.next() {
        None => vec![],
        Some(dashes) if dashes.known() == Some("--") => behind.cloned().collect(),
        Some(word) => return Report::unknown(format!("what `{}` means to node is not known", word.shown())),
    };
    call(facts, &[], &name, arguments).and_then(|call| report(&call, command, facts)).unwrap_or_else(Report::unknown)
}

fn call(facts: &Facts, folders: &[&Word], name: &Word, arguments: Vec<Word>) -> Result<Call, String> {
    let script =
        name.known().ok_or_else(|| format!("which script `{}` is can only be told when it runs", name.shown()))?;
    let from = if facts.own { folder(facts, folders.iter().copied())? } else { String::new() };
    Ok(Call { from, script: script.to_owned(), arguments, packages: None, if_present: false })
}

/// What a script runs, in each package that is meant.
fn report(call: &Call, command: &Command, facts: &Facts) -> Result<Report, String> {
    if !facts.own {
        return Ok(elsewhere(command));
    }
    let Some((root, _, text)) = found_above(facts, &call.from, &["package.json"])? else {
        return Err(format!("no package.json is in {} or above it", call.from));
    };
    own_shell(call, command, facts)?;
    let mut effects = vec![];
    let Some(wanted) = &call.packages else {
        let found = scripts(call, &root, &text, command, &mut effects)?;
        if !found && !call.if_present {
            effects.push(without_script(call, &root, command)?);
        }
        return Ok(judged(effects, command));
    };
    // A package is meant by its name or its folder; where that is a pattern, any may be.
    let packages = members(facts, &root, &text)?;
    let named: Option<Vec<&str>> = wanted.iter().map(Word::known).collect();
    let one = |(folder, text): &&(String, String)| {
        let name = Json::parse(text.as_bytes()).ok().and_then(|json| json.text("name").map(str::to_owned));
        let named = named.iter().flatten().map(|name| name.trim_start_matches("./").trim_end_matches('/'));
        named.clone().any(|wanted| Some(wanted) == name.as_deref() || inside(&root, wanted) == *folder)
    };
    let meant: Vec<&(String, String)> = packages.iter().filter(one).collect();
    let all: Vec<&(String, String)> = packages.iter().collect();
    let mut any = false;
    for (folder, text) in if meant.is_empty() { all } else { meant } {
        any |= scripts(call, folder, text, command, &mut effects)?;
    }
    if !any && !call.if_present {
        return Err(format!("no package of the workspace in {root} has a script `{}`", call.script));
    }
    Ok(judged(effects, command))
}

/// Another shell than the system's reads the scripts where a setting says so.
fn own_shell(call: &Call, command: &Command, facts: &Facts) -> Result<(), String> {
    let files: &[&str] = match carry::name(command) {
        "npm" => &[".npmrc"],
        "pnpm" => &[".npmrc", "pnpm-workspace.yaml"],
        "yarn" | "yarnpkg" => &[".npmrc", ".yarnrc"],
        _ => &[],
    };
    let folders = above(&call.from).chain(facts.home.filter(|home| !above(&call.from).any(|folder| folder == *home)));
    for folder in folders {
        for name in files {
            let path = inside(folder, name);
            let text = read(facts, &path)?.unwrap_or_default();
            let plain = text.to_ascii_lowercase().replace(['-', '_'], "");
            if plain.lines().any(|line| !line.trim_start().starts_with(['#', ';']) && line.contains("scriptshell")) {
                return Err(format!("{path} names another shell for scripts"));
            }
        }
    }
    Ok(())
}

/// Adds what a package's script runs; false: it has none of that name.
fn scripts(
    call: &Call,
    folder: &str,
    text: &str,
    command: &Command,
    effects: &mut Vec<Effect>,
) -> Result<bool, String> {
    let path = inside(folder, "package.json");
    let json = Json::parse(text.trim_start_matches('\u{feff}').as_bytes())
        .map_err(|error| format!("{path} can't be read: {error}"))?;
    let Some(all) = json.get("scripts") else { return Ok(false) };
    if !all.is_object() {
        return Err(format!("what {path} says of scripts can't be read"));
    }
    let Some(script) = all.get(&call.script) else { return Ok(false) };
    let Some(script) = script.as_text() else { return Err(format!("`{}` in {path} is no text", call.script)) };
    let around = |when: &str| all.text(&format!("{when}{}", call.script)).filter(|text| !text.trim().is_empty());
    if let Some(before) = around("pre") {
        effects.push(shell_line(before.into(), vec![], folder, command));
    }
    effects.push(with_arguments(script, &call.arguments, folder, command)?);
    if let Some(after) = around("post") {
        effects.push(shell_line(after.into(), vec![], folder, command));
    }
    Ok(true)
}

/// A script with what is put behind it.
fn with_arguments(script: &str, arguments: &[Word], folder: &str, command: &Command) -> Result<Effect, String> {
    if let Some(known) = arguments.iter().map(Word::known).collect::<Option<Vec<&str>>>() {
        let behind: String = known.into_iter().map(|word| format!(" {}", shell_word(word))).collect();
        return Ok(shell_line(Word::known_as(format!("{script}{behind}")), vec![], folder, command));
    }
    if script.contains("$@") || script.contains("$*") || script.contains("$1") || script.contains("${") {
        return Err("what is put behind the script can only be told when it runs".into());
    }
    let words = std::iter::once(Word::from("sh")).chain(arguments.iter().cloned()).collect();
    Ok(shell_line(Word::known_as(format!("{script} \"$@\"")), words, folder, command))
}

/// Where a package has no script of that name, all but npm look for a program of that name among its packages.
fn without_script(call: &Call, root: &str, command: &Command) -> Result<Effect, String> {
    let name = &call.script;
    if carry::name(command) == "npm" || carry::name(command) == "node" || name.contains(['/', '.']) {
        return Err(format!("{} has no script `{name}`", inside(root, "package.json")));
    }
    let words = std::iter::once(Word::from(name.as_str())).chain(call.arguments.iter().cloned()).collect();
    Ok(program(words, root, command))
}

/// The packages of a workspace: folder and text of each package.json.
fn members(facts: &Facts, root: &str, text: &str) -> Result<Vec<(String, String)>, String> {
    let json = Json::parse(text.as_bytes()).map_err(|error| format!("{root}/package.json can't be read: {error}"))?;
    let listed = match json.get("workspaces") {
        Some(Json::Object(items)) => items.iter().find(|(name, _)| name == "packages").map(|(_, list)| list.clone()),
        Some(list) => Some(list.clone()),
        None => None,
    };
    let mut patterns: Vec<String> = match listed {
        Some(Json::List(list)) => list.iter().filter_map(|item| item.as_text().map(str::to_owned)).collect(),
        _ => vec![],
    };
    if let Some(yaml) = read(facts, &inside(root, "pnpm-workspace.yaml"))? {
        let items = yaml.lines().filter_map(|line| line.trim().strip_prefix("- "));
        patterns.extend(items.map(|item| item.trim().trim_matches(['\'', '"']).to_owned()));
    }
    if patterns.is_empty() {
        return Err(format!("which packages the workspace in {root} has is not known"));
    }
    let mut found: Vec<(String, String)> = vec![(root.to_owned(), text.to_owned())];
    for pattern in patterns.iter().filter(|pattern| !pattern.starts_with('!')) {
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
        let folders = match pattern.strip_suffix("/*") {
            Some(parent) if !parent.contains('*') => {
                let parent = inside(root, parent);
                let names =
                    facts.around.folder(&parent).ok_or_else(|| format!("what lies in {parent} is not known"))?;
                names.iter().map(|name| inside(&parent, name)).collect()
            }
            _ if pattern.contains('*') => {
                return Err(format!("which packages `{pattern}` of the workspace finds is not known"));
            }
            _ => vec![inside(root, pattern)],
        };
        for folder in folders {
            if found.len() > MOST_PACKAGES {
                return Err("the workspace has more packages than are looked at".into());
            }
            // What is no folder holds no package.
            if let Some(text) = read(facts, &inside(&folder, "package.json"))? {
                found.push((folder, text));
            }
        }
    }
    Ok(found)
}
