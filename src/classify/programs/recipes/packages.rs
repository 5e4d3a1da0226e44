//! Scripts of `package.json`: `npm run X`, `npm test`, `yarn X`, `pnpm X`, `bun run X`, with those that run before and after
//! them, in the packages of a workspace as well. Pure.

use super::{above, elsewhere, folder, found_above, inside, judged, program, read, shell_line};
use crate::classify::effect::{Command, Effect, Facts, Report};
use crate::classify::programs::options::{self, Spec};
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
        "npm" => npm(command, facts),
        "pnpm" => pnpm(command, facts),
        "yarn" | "yarnpkg" => yarn(command, facts),
        _ => bun(command, facts),
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

const NPM: Spec = Spec {
    flags: "sdgq",
    values: "wC",
    long_flags: &[
        "silent",
        "quiet",
        "verbose",
        "workspaces",
        "ws",
        "include-workspace-root",
        "if-present",
        "ignore-scripts",
        "foreground-scripts",
        "no-color",
        "color",
        "no-audit",
        "no-fund",
        "offline",
        "prefer-offline",
        "json",
        "yes",
        "no-update-notifier",
        "no-progress",
        "progress",
        "timing",
        "force",
    ],
    long_values: &["workspace", "prefix", "loglevel", "cache", "registry", "omit", "include"],
    stops: true,
    glued: "",
    single_dash: false,
};

/// Settings of npm's that name a program to run, or other settings; npm takes a shorter form of each as well.
const NPM_CHOOSES: &[&str] =
    &["script-shell", "shell", "node-options", "userconfig", "globalconfig", "git", "editor", "viewer", "browser"];

fn npm(command: &Command, facts: &Facts) -> Result<Option<Report>, String> {
    let Ok(parsed) = options::parse(command.arguments(), &NPM) else { return Ok(None) };
    let Some((verb, rest)) = parsed.operands.split_first() else { return Ok(None) };
    let Some(verb) = verb.known() else { return Ok(None) };
    let (mut operands, mut ws, mut all, mut if_present): (Vec<Word>, Vec<Word>, bool, bool) =
        (vec![], vec![], parsed.has(&["workspaces", "ws"]), parsed.has(&["if-present"]));
    ws.extend(parsed.values(&["w", "workspace"]).cloned());
    let mut folders: Vec<Word> = parsed.values(&["C", "prefix"]).cloned().collect();
    match verb {
        "run" | "run-script" | "rum" | "urn" | "test" | "t" | "tst" | "start" | "stop" | "restart" => {}
        _ => return Ok(None),
    }
    if !facts.own {
        return Ok(Some(elsewhere(command)));
    }
    let mut words = rest.iter();
    let mut behind = vec![];
    while let Some(word) = words.next() {
        let Some(text) = word.known() else {
            if word.may_be_option() {
                return Err(format!("whether `{}` is an option of npm's can't be told before it runs", word.shown()));
            }
            operands.push(word.clone());
            continue;
        };
        if text == "--" {
            behind.extend(words.by_ref().cloned());
            break;
        }
        let Some(name) = text.strip_prefix('-').filter(|name| !name.is_empty()) else {
            operands.push(word.clone());
            continue;
        };
        let name = name.trim_start_matches('-');
        let (name, glued) = match name.split_once('=') {
            Some((name, value)) => (name, Some(Word::from(value))),
            None => (name, None),
        };
        let mut value = || glued.clone().or_else(|| words.next().cloned()).ok_or("its last option has no value");
        match name.replace('_', "-").as_str() {
            "w" | "workspace" => ws.push(value()?),
            "C" | "prefix" => folders.push(value()?),
            "workspaces" | "ws" => all = true,
            "if-present" => if_present = true,
            "loglevel" | "cache" | "registry" | "omit" | "include" => {
                value()?;
            }
            flag if NPM.long_flags.contains(&flag) || matches!(flag, "s" | "d" | "q") => {}
            other => {
                let chooses = NPM_CHOOSES.iter().any(|setting| setting.starts_with(other));
                // npm takes what it doesn't know for a setting, perhaps with the next word as its value.
                let followed = glued.is_none() && words.clone().next().is_some_and(|next| !next.begins_with("-"));
                if chooses || followed {
                    return Err(format!("whether `{}` is meant for npm itself can't be told", word.shown()));
                }
            }
        }
    }
    let runs = matches!(verb, "run" | "run-script" | "rum" | "urn");
    let name = match (runs, verb) {
        (true, _) if operands.is_empty() => return Ok(None),
        (true, _) => operands.remove(0),
        (_, "t" | "tst") => Word::from("test"),
        (_, verb) => Word::from(verb),
    };
    operands.extend(behind);
    let folders: Vec<&Word> = folders.iter().collect();
    let mut call = call(facts, &folders, &name, operands)?;
    call.if_present = if_present || verb == "restart";
    if all || !ws.is_empty() {
        call.packages = Some(ws);
    }
    let mut done = report(&call, command, facts)?;
    if verb == "restart" && done.effects.len() <= 1 {
        for name in ["stop", "start"] {
            let call = Call {
                script: name.into(),
                if_present: true,
                arguments: vec![],
                ..self::call(facts, &folders, &"x".into(), vec![])?
            };
            done.effects.extend(report(&call, command, facts)?.effects);
        }
    }
    Ok(Some(done))
}

const PNPM: Spec = Spec {
    flags: "rws",
    values: "CF",
    long_flags: &[
        "recursive",
        "workspace-root",
        "silent",
        "parallel",
        "stream",
        "if-present",
        "no-bail",
        "offline",
        "aggregate-output",
        "prefer-offline",
        "no-sort",
        "color",
        "no-color",
        "include-workspace-root",
        "sequential",
    ],
    long_values: &["dir", "filter", "filter-prod", "reporter", "loglevel", "workspace-concurrency", "resume-from"],
    stops: true,
    glued: "",
    single_dash: false,
};

/// What pnpm does by these words itself.
const PNPM_OWN: &[&str] = &[
    "add",
    "approve-builds",
    "audit",
    "bin",
    "bugs",
    "c",
    "cache",
    "cat-file",
    "cat-index",
    "ci",
    "config",
    "create",
    "dedupe",
    "deploy",
    "deprecate",
    "dist-tag",
    "dlx",
    "docs",
    "doctor",
    "edit",
    "env",
    "exec",
    "fetch",
    "find-hash",
    "get",
    "help",
    "i",
    "ignored-builds",
    "import",
    "info",
    "init",
    "install",
    "install-test",
    "it",
    "la",
    "licenses",
    "link",
    "list",
    "ll",
    "ln",
    "login",
    "logout",
    "ls",
    "outdated",
    "owner",
    "pack",
    "patch",
    "patch-commit",
    "patch-remove",
    "ping",
    "pkg",
    "prefix",
    "profile",
    "prune",
    "publish",
    "rb",
    "rebuild",
    "remove",
    "repo",
    "rm",
    "root",
    "s",
    "se",
    "search",
    "self-update",
    "server",
    "set",
    "set-script",
    "setup",
    "show",
    "star",
    "stars",
    "store",
    "team",
    "token",
    "un",
    "uninstall",
    "unlink",
    "unpublish",
    "up",
    "update",
    "upgrade",
    "version",
    "view",
    "whoami",
    "why",
    "x",
];

fn pnpm(command: &Command, facts: &Facts) -> Result<Option<Report>, String> {
    let Ok(parsed) = options::parse(command.arguments(), &PNPM) else { return Ok(None) };
    let Some((verb, rest)) = parsed.operands.split_first() else { return Ok(None) };
    let Some(verb) = verb.known() else { return Ok(None) };
    if PNPM_OWN.contains(&verb) {
        return Ok(None);
    }
    if !facts.own {
        return Ok(Some(elsewhere(command)));
    }
    let mut inner = options::Parsed::default();
    let (name, arguments) = match verb {
        "run" | "run-script" => {
            inner = options::parse(rest, &PNPM)?;
            let Some((name, arguments)) = inner.operands.split_first() else { return Ok(None) };
            (name.clone(), arguments.to_vec())
        }
        "t" | "tst" => (Word::from("test"), rest.to_vec()),
        verb => (Word::from(verb), rest.to_vec()),
    };
    let folders: Vec<&Word> = parsed.values(&["C", "dir"]).chain(inner.values(&["C", "dir"])).collect();
    let mut call = call(facts, &folders, &name, arguments)?;
    let has = |names: &[&str]| parsed.has(names) || inner.has(names);
    call.if_present = has(&["if-present"]);
    if has(&["r", "recursive", "F", "filter", "filter-prod"]) {
        call.packages = Some(vec![]);
    }
    report(&call, command, facts).map(Some)
}

/// What yarn, of either kind, does by these words itself.
const YARN_OWN: &[&str] = &[
    "add",
    "audit",
    "autoclean",
    "bin",
    "cache",
    "check",
    "config",
    "constraints",
    "create",
    "dedupe",
    "dlx",
    "exec",
    "explain",
    "generate-lock-entry",
    "global",
    "help",
    "import",
    "info",
    "init",
    "install",
    "licenses",
    "link",
    "list",
    "login",
    "logout",
    "node",
    "npm",
    "outdated",
    "owner",
    "pack",
    "patch",
    "patch-commit",
    "plugin",
    "policies",
    "publish",
    "rebuild",
    "remove",
    "search",
    "set",
    "stage",
    "tag",
    "team",
    "unlink",
    "unplug",
    "up",
    "upgrade",
    "upgrade-interactive",
    "version",
    "versions",
    "why",
];

const YARN: Spec = Spec {
    flags: "s",
    long_flags: &["silent", "json", "verbose", "offline", "non-interactive", "no-progress"],
    long_values: &["cwd"],
    stops: true,
    values: "",
    glued: "",
    single_dash: false,
};

const YARN_EACH: Spec = Spec {
    flags: "Apivt",
    values: "j",
    long_flags: &[
        "all",
        "parallel",
        "interlaced",
        "verbose",
        "topological",
        "topological-dev",
        "no-private",
        "since",
        "worktree",
        "recursive",
    ],
    long_values: &["jobs", "include", "exclude", "from"],
    ..YARN
};

fn yarn(command: &Command, facts: &Facts) -> Result<Option<Report>, String> {
    let Ok(parsed) = options::parse(command.arguments(), &YARN) else { return Ok(None) };
    let mut words = parsed.operands.as_slice();
    let mut packages = None;
    match words.first().and_then(Word::known) {
        None => return Ok(None),
        Some("workspace") => {
            let [_, name, rest @ ..] = words else { return Ok(None) };
            (packages, words) = (Some(vec![name.clone()]), rest);
        }
        Some("workspaces") => {
            let rest = match words.get(1).and_then(Word::known) {
                Some("run") => words.get(1..).unwrap_or_default().to_vec(),
                Some("foreach") => options::parse(words.get(2..).unwrap_or_default(), &YARN_EACH)?.operands,
                _ => return Ok(None),
            };
            return match rest.split_first() {
                Some((verb, rest)) if verb.known() == Some("run") => {
                    yarn_run(rest, Some(vec![]), &parsed, command, facts)
                }
                _ => Err("what it does in each package of the workspace is not known".into()),
            };
        }
        _ => {}
    }
    match words.split_first() {
        Some((verb, rest)) if verb.known() == Some("run") => yarn_run(rest, packages, &parsed, command, facts),
        Some((verb, _)) if verb.known().is_some_and(|verb| YARN_OWN.contains(&verb)) && packages.is_none() => Ok(None),
        Some((verb, _)) if verb.known().is_some_and(|verb| YARN_OWN.contains(&verb)) => {
            Err("what it does in a package of the workspace is not known".into())
        }
        _ => yarn_run(words, packages, &parsed, command, facts),
    }
}

fn yarn_run(
    words: &[Word],
    packages: Option<Vec<Word>>,
    parsed: &options::Parsed,
    command: &Command,
    facts: &Facts,
) -> Result<Option<Report>, String> {
    let mut words = words;
    // Options of `run` itself that only say how much is told, and that a script of the root is meant.
    while words
        .first()
        .and_then(Word::known)
        .is_some_and(|word| matches!(word, "-s" | "--silent" | "-T" | "--top-level"))
    {
        words = words.get(1..).unwrap_or_default();
    }
    let Some((name, arguments)) = words.split_first() else { return Ok(None) };
    if name.may_be_option() {
        return Err(format!("what `{}` means to yarn is not known", name.shown()));
    }
    if !facts.own {
        return Ok(Some(elsewhere(command)));
    }
    // The first `--` is yarn's own.
    let mut arguments = arguments.to_vec();
    if let Some(at) = arguments.iter().position(|word| word.known() == Some("--")) {
        arguments.remove(at);
    }
    let folders: Vec<&Word> = parsed.values(&["cwd"]).collect();
    let mut call = call(facts, &folders, name, arguments)?;
    call.packages = packages;
    report(&call, command, facts).map(Some)
}

/// What bun does by these words itself.
const BUN_OWN: &[&str] = &[
    "a",
    "add",
    "audit",
    "build",
    "c",
    "ci",
    "completions",
    "create",
    "exec",
    "feedback",
    "getcompletes",
    "help",
    "i",
    "info",
    "init",
    "install",
    "link",
    "outdated",
    "patch",
    "patch-commit",
    "pm",
    "publish",
    "remove",
    "repl",
    "rm",
    "test",
    "unlink",
    "update",
    "upgrade",
    "why",
    "x",
];

const BUN: Spec = Spec {
    flags: "b",
    values: "",
    long_flags: &["bun", "silent", "if-present", "watch", "hot", "smol", "no-install"],
    long_values: &["cwd", "filter"],
    stops: true,
    glued: "",
    single_dash: false,
};

fn bun(command: &Command, facts: &Facts) -> Result<Option<Report>, String> {
    let Ok(parsed) = options::parse(command.arguments(), &BUN) else { return Ok(None) };
    let Some((verb, rest)) = parsed.operands.split_first() else { return Ok(None) };
    let Some(verb) = verb.known() else { return Ok(None) };
    let mut inner = options::Parsed::default();
    let (name, arguments) = match verb {
        "run" => {
            inner = options::parse(rest, &BUN)?;
            let Some((name, arguments)) = inner.operands.split_first() else { return Ok(Some(Report::reads())) };
            (name.clone(), arguments.to_vec())
        }
        verb if BUN_OWN.contains(&verb) => return Ok(None),
        verb => (Word::from(verb), rest.to_vec()),
    };
    if !facts.own {
        return Ok(Some(elsewhere(command)));
    }
    let folders: Vec<&Word> = parsed.values(&["cwd"]).chain(inner.values(&["cwd"])).collect();
    let mut call = call(facts, &folders, &name, arguments)?;
    let has = |names: &[&str]| parsed.has(names) || inner.has(names);
    call.if_present = has(&["if-present"]);
    if has(&["filter"]) {
        call.packages = Some(vec![]);
    }
    report(&call, command, facts).map(Some)
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
