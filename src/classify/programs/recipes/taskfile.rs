//! `task`: the commands of a Taskfile, with the tasks that they depend on and call. Pure.
//!
//! Templates are filled in where a variable is written down or given; what else stands in `{{…}}` is a stretch that is not
//! known.

use super::yaml::{self, Yaml};
use super::{elsewhere, folder, found_above, inside, judged, line, read, sets};
use crate::classify::effect::{Command, Effect, Facts, Report};
use crate::classify::programs::options::{Spec, parse};
use crate::classify::word::Word;
use crate::path::absolute;
use crate::text::shell_word;

const FILES: &[&str] = &[
    "Taskfile.yml",
    "taskfile.yml",
    "Taskfile.yaml",
    "taskfile.yaml",
    "Taskfile.dist.yml",
    "taskfile.dist.yml",
    "Taskfile.dist.yaml",
    "taskfile.dist.yaml",
];

const SPEC: Spec = Spec {
    flags: "fnpsvxwy",
    values: "dtCoI",
    long_flags: &[
        "color",
        "concurrency",
        "dry",
        "exit-code",
        "force",
        "list",
        "list-all",
        "json",
        "parallel",
        "silent",
        "sort",
        "summary",
        "status",
        "verbose",
        "version",
        "help",
        "watch",
        "yes",
        "init",
        "no-status",
        "insecure",
        "offline",
        "download",
    ],
    long_values: &["dir", "taskfile", "output", "interval"],
    stops: false,
    glued: "lahi",
    single_dash: false,
};

/// A variable of the shell that no text sets: what is not known of a line.
const HOLE: &str = "${_not_known}";

/// No task stands deeper in others.
const DEEPEST: usize = 24;

/// Judges `task`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    task(command, facts).unwrap_or_else(Report::unknown)
}

fn task(command: &Command, facts: &Facts) -> Result<Report, String> {
    let words = command.arguments();
    let end = words.iter().position(|word| word.known() == Some("--")).unwrap_or(words.len());
    let (own, behind) = words.split_at(end);
    let parsed = parse(own, &SPEC)?;
    if parsed.has(&["help", "h", "version", "list", "l", "list-all", "a", "summary"]) && !parsed.has(&["json"]) {
        return Ok(Report::reads());
    }
    if parsed.has(&["init", "i"]) {
        return Ok(Report::changes("writes a Taskfile"));
    }
    if !facts.own {
        return Ok(elsewhere(command));
    }
    let from = folder(facts, parsed.values(&["d", "dir"]))?;
    let (base, name, text) = match parsed.values(&["t", "taskfile"]).last() {
        Some(path) => {
            let path = path.known().ok_or("which Taskfile it reads can only be told when it runs")?;
            let path = absolute(path, facts.cwd).ok_or("in which folder its Taskfile lies is not known")?;
            let text = read(facts, &path)?.ok_or_else(|| format!("{path} is not there"))?;
            let base = path.rsplit_once('/').map_or("/", |(base, _)| base).to_owned();
            (if parsed.has(&["d", "dir"]) { from } else { base }, path, text)
        }
        None => match found_above(facts, &from, FILES)? {
            Some((base, name, text)) => (base.clone(), inside(&base, &name), text),
            None => return Err(format!("no Taskfile is in {from} or above it")),
        },
    };
    let file = yaml::read(&text).map_err(|why| format!("{name}: {why}"))?;
    for (key, _) in file.items() {
        if !matches!(
            key.as_str(),
            "version"
                | "vars"
                | "env"
                | "tasks"
                | "output"
                | "silent"
                | "set"
                | "shopt"
                | "run"
                | "method"
                | "dotenv"
                | "interval"
        ) {
            return Err(format!("what {name} says under `{key}` is not read"));
        }
    }
    // What the environment holds fills templates, too, and as text: it may be more than a word.
    for (at, _) in text.match_indices("{{") {
        let inner = text.get(at + 2..).unwrap_or_default();
        let inner = inner.split("}}").next().unwrap_or_default();
        for name in inner.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|name| !name.is_empty()) {
            if facts.variables.variable(name).is_some() {
                return Err(format!("the text sets `{name}`, which fills a template of {name}"));
            }
        }
    }
    let mut given = vec![];
    let mut goals = vec![];
    for word in &parsed.operands {
        let text =
            word.known().ok_or_else(|| format!("what `{}` names can only be told when it runs", word.shown()))?;
        match text.split_once('=') {
            Some((name, value)) => given.push((name.to_owned(), value.to_owned())),
            None => goals.push(text.to_owned()),
        }
    }
    let behind: Option<Vec<String>> = behind.iter().skip(1).map(|word| word.known().map(shell_word)).collect();
    given.push(("CLI_ARGS".into(), behind.map_or_else(|| HOLE.to_owned(), |words| words.join(" "))));
    if goals.is_empty() {
        goals.push("default".into());
    }
    let mut reader =
        Reader { file: &file, base: &base, command, effects: vec![], dry: parsed.has(&["n", "dry"]), left: 400 };
    reader.dotenv(file.get("dotenv"), &given, facts)?;
    for (task, body) in file.get("tasks").map_or(&[][..], Yaml::items) {
        if let Some((key, _)) = body.items().iter().find(|(key, _)| !KEYS.contains(&key.as_str())) {
            return Err(format!("what {name} says under `{key}` of the task `{task}` is not read"));
        }
        reader.dotenv(body.get("dotenv"), &given, facts)?;
    }
    reader.environment(file.get("env"), &given)?;
    let vars = reader.variables(file.get("vars"), &given, &base)?;
    for goal in goals {
        reader.goal(&goal, &vars, 0)?;
    }
    let effects = reader.effects;
    Ok(judged(effects, command))
}

/// What may stand in a task.
const KEYS: &[&str] = &[
    "cmds",
    "cmd",
    "deps",
    "desc",
    "summary",
    "vars",
    "env",
    "dotenv",
    "dir",
    "sources",
    "generates",
    "method",
    "status",
    "preconditions",
    "requires",
    "internal",
    "prompt",
    "silent",
    "ignore_error",
    "interactive",
    "platforms",
    "aliases",
    "label",
    "run",
    "watch",
    "set",
    "shopt",
    "prefix",
    "if",
];

type Vars = Vec<(String, String)>;

struct Reader<'r> {
    file: &'r Yaml,
    base: &'r str,
    command: &'r Command,
    effects: Vec<Effect>,
    dry: bool,
    left: usize,
}

impl Reader<'_> {
    /// What is known of variables when these are set; those that were given win. What a command prints is not known.
    fn variables(&mut self, block: Option<&Yaml>, given: &[(String, String)], folder: &str) -> Result<Vars, String> {
        let mut vars = given.to_vec();
        for (name, value) in block.map_or(&[][..], Yaml::items) {
            if given.iter().any(|(known, _)| known == name) {
                continue;
            }
            let value = match value {
                Yaml::Text(text) => filled(text, &vars)?,
                Yaml::List(_) => HOLE.to_owned(),
                Yaml::Map(_) => {
                    if let Some(script) = value.get("sh").and_then(Yaml::as_text) {
                        self.effects.push(line(filled(script, &vars)?, folder, self.command));
                    } else if value.get("sh").is_some() {
                        return Err(format!("what its variable {name} runs can't be read"));
                    }
                    HOLE.to_owned()
                }
            };
            vars.push((name.clone(), value));
        }
        Ok(vars)
    }

    /// What files of variables set.
    fn dotenv(&mut self, list: Option<&Yaml>, vars: &[(String, String)], facts: &Facts) -> Result<(), String> {
        let Some(list) = list else { return Ok(()) };
        let Yaml::List(items) = list else { return Err("which files of variables it reads is not known".into()) };
        for item in items {
            let path = filled(item.as_text().unwrap_or(HOLE), vars)?;
            if path.contains(HOLE) {
                return Err("which files of variables it reads is not known".into());
            }
            let path = absolute(&path, Some(self.base)).ok_or("where a file of variables lies is not known")?;
            super::dotenv(facts, &path, &mut self.effects)?;
        }
        Ok(())
    }

    fn environment(&mut self, block: Option<&Yaml>, vars: &[(String, String)]) -> Result<(), String> {
        for (name, value) in block.map_or(&[][..], Yaml::items) {
            let value = match value {
                Yaml::Text(text) => filled(text, vars)?,
                Yaml::List(_) => HOLE.to_owned(),
                Yaml::Map(_) => {
                    let script = value.get("sh").and_then(Yaml::as_text);
                    let script = script.ok_or_else(|| format!("what its variable {name} is can't be read"))?;
                    self.effects.push(line(filled(script, vars)?, self.base, self.command));
                    HOLE.to_owned()
                }
            };
            let value = if value.contains(HOLE) { Word::unknown() } else { Word::known_as(value) };
            sets(&mut self.effects, name, value);
        }
        Ok(())
    }

    fn goal(&mut self, name: &str, vars: &Vars, depth: usize) -> Result<(), String> {
        self.left = self.left.checked_sub(1).ok_or("its tasks call more tasks than are followed")?;
        if depth > DEEPEST {
            return Err("its tasks call each other deeper than is followed".into());
        }
        let tasks = self.file.get("tasks").ok_or("the Taskfile has no tasks")?;
        let aliased = |task: &Yaml| matches!(task.get("aliases"), Some(Yaml::List(list)) if list.iter().any(|one| one.as_text() == Some(name)));
        let found =
            tasks.get(name).or_else(|| tasks.items().iter().find(|(_, task)| aliased(task)).map(|(_, task)| task));
        let task = found.ok_or_else(|| format!("the Taskfile has no task `{name}`"))?;
        let vars = &{
            let mut vars = vars.clone();
            vars.retain(|(known, _)| known != "TASK");
            vars.push(("TASK".into(), name.into()));
            vars
        };
        let folder = match task.get("dir").map(|dir| dir.as_text().unwrap_or(HOLE)) {
            Some(dir) => {
                let dir = filled(dir, vars)?;
                if dir.contains(HOLE) {
                    return Err(format!("in which folder the task `{name}` runs is not known"));
                }
                absolute(&dir, Some(self.base)).ok_or("in which folder a task runs is not known")?
            }
            None => self.base.to_owned(),
        };
        let vars = &self.variables(task.get("vars"), vars, &folder)?;
        if let Yaml::Map(_) = task {
            self.environment(task.get("env"), vars)?;
            if let Some(text) = task.get("if").and_then(Yaml::as_text) {
                self.effects.push(line(filled(text, vars)?, &folder, self.command));
            }
            for key in ["status", "preconditions"] {
                if let Some(list) = task.get(key) {
                    self.checks(list, vars, &folder)?;
                }
            }
            if let Some(deps) = task.get("deps") {
                self.commands(deps, vars, &folder, true, depth)?;
            }
        }
        match task {
            Yaml::Map(_) => {
                for key in ["cmds", "cmd"] {
                    if let Some(commands) = task.get(key) {
                        self.commands(commands, vars, &folder, false, depth)?;
                    }
                }
                Ok(())
            }
            other => self.commands(other, vars, &folder, false, depth),
        }
    }

    /// Commands that are run to see whether a task has to be.
    fn checks(&mut self, list: &Yaml, vars: &Vars, folder: &str) -> Result<(), String> {
        let Yaml::List(items) = list else { return Err("what a task checks can't be read".into()) };
        for item in items {
            let text = item.as_text().or_else(|| item.get("sh").and_then(Yaml::as_text));
            let text = text.ok_or("what a task checks can't be read")?;
            self.effects.push(line(filled(text, vars)?, folder, self.command));
        }
        Ok(())
    }

    fn commands(&mut self, list: &Yaml, vars: &Vars, folder: &str, names: bool, depth: usize) -> Result<(), String> {
        let items = match list {
            Yaml::List(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        for item in items {
            match item {
                Yaml::Text(text) if names => self.goal(&filled(text, vars)?, vars, depth + 1)?,
                Yaml::Text(text) => self.shell(text, vars, folder)?,
                Yaml::List(_) => return Err("what a task runs can't be read".into()),
                Yaml::Map(_) => {
                    let mut vars = vars.clone();
                    // What stands for each round of a loop is not known.
                    if let Some(each) = item.get("for") {
                        let name = each.get("as").and_then(Yaml::as_text).unwrap_or("ITEM");
                        vars.retain(|(known, _)| known != name && known != "KEY");
                        vars.push((name.to_owned(), HOLE.to_owned()));
                    }
                    if let Some(text) = item.get("if").and_then(Yaml::as_text) {
                        self.effects.push(line(filled(text, &vars)?, folder, self.command));
                    }
                    let inner = item.get("defer").filter(|inner| inner.as_text().is_none()).unwrap_or(item);
                    if let Some(text) = item.get("defer").and_then(Yaml::as_text) {
                        self.shell(text, &vars, folder)?;
                    } else if let Some(text) = inner.get("cmd").and_then(Yaml::as_text) {
                        self.shell(text, &vars, folder)?;
                    } else if let Some(name) = inner.get("task").and_then(Yaml::as_text) {
                        let name = filled(name, &vars)?;
                        let given = self.variables(inner.get("vars"), &[], folder)?;
                        let mut own = vec![];
                        for (name, value) in given {
                            own.push((name, filled(&value, &vars)?));
                        }
                        own.extend(vars.iter().filter(|(name, _)| name == "CLI_ARGS").cloned());
                        let rest: Vars = vars
                            .iter()
                            .filter(|(name, _)| !own.iter().any(|(known, _)| known == name))
                            .cloned()
                            .collect();
                        own.extend(rest);
                        self.goal(&name, &own, depth + 1)?;
                    } else {
                        return Err("what a task runs can't be read".into());
                    }
                }
            }
        }
        Ok(())
    }

    fn shell(&mut self, text: &str, vars: &Vars, folder: &str) -> Result<(), String> {
        let text = filled(text, vars)?;
        if !self.dry {
            self.effects.push(line(text, folder, self.command));
        }
        Ok(())
    }
}

/// A text with its templates filled in.
fn filled(text: &str, vars: &[(String, String)]) -> Result<String, String> {
    let mut done = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{{") {
        let (inner, after) = behind.split_once("}}").ok_or("a template in it has no end")?;
        done.push_str(before);
        let inner = inner.trim_matches(['-', ' ']).trim();
        let word = inner.split_whitespace().next().unwrap_or_default();
        if matches!(
            word,
            "if" | "else" | "end" | "range" | "with" | "define" | "template" | "block" | "break" | "continue"
        ) {
            return Err(format!("what `{{{{{inner}}}}}` of its template makes of the text is not followed"));
        }
        let value = inner.strip_prefix('.').and_then(|name| vars.iter().find(|(known, _)| known == name));
        done.push_str(value.map_or(HOLE, |(_, value)| value));
        rest = after;
        if done.len() > 1 << 16 {
            return Err("its templates make more text than is followed".into());
        }
    }
    done.push_str(rest);
    Ok(done)
}
