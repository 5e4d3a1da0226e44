//! Calls that only a human may make: the guard's own commands, and whatever holds a question's id. Pure.
//!
//! A command of ours that stands alone, in the plain form that is read here word by word, can be put to a human; every other
//! text that runs one is stopped. Where a text was not understood as a whole, all that looks like one counts.

use super::Classification;
use super::meant::rules;
use super::word::Word;
use crate::call::{Tool, ToolCall};
use crate::catalog::Catalog;
use crate::catalog::glob::matches;
use crate::catalog::model::Rule;
use crate::json::Json;

/// What is found of our own in a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Own {
    /// One of our commands and nothing else. A human may let it run at the host's own prompt.
    Alone(Alone),
    /// Nothing that a prompt could make sense of; why.
    Never(String),
    /// It holds what may be a question's id; it is one if such a question is open.
    HoldsIds(Vec<String>),
}

/// One of our commands, read as it will be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alone {
    /// The program as it is called; empty for a tool of our MCP server.
    pub program: String,
    /// All of it, for a human to read.
    pub shown: String,
    /// What it does.
    pub command: Command,
    /// `--config`, `--catalog` and `--state-dir`, as they were given.
    pub places: Vec<(String, String)>,
}

/// What one of our commands does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Answers a question.
    Answer {
        /// The question's id.
        id: String,
        /// Guarded, or not.
        guard: bool,
        /// `--vm`.
        vms: Vec<String>,
        /// `--remember`.
        remember: bool,
    },
    /// Changes the user's catalog.
    Catalog,
    /// Changes the host's settings.
    Install,
    /// Mounts a guest's disk, or ends a session, or starts or stops something at the ZVM.
    Rewind(String),
    /// A tool of our MCP server, which does the same as a command.
    Tool(&'static Confirming),
}

/// Commands that change what the guard lets through, or mount a guest's disk; and those that never run for an agent.
const COMMANDS: &[(&str, &[&str])] = &[
    ("answer", &[]),
    ("catalog", &["add", "remove"]),
    ("install", &[]),
    ("uninstall", &[]),
    ("rewind", &["ls", "cat", "diff", "recover", "end-session", "clone", "test-failover", "stop-test"]),
    ("pause", &[]),
    ("trust", &[]),
    ("hook", &[]),
];

/// Of these, the ones that need a human's terminal, or are the hook itself.
const NEVER: &[&str] = &["pause", "trust", "hook"];

/// A tool of our MCP server that acts on a human's word.
#[derive(Debug, PartialEq, Eq)]
pub struct Confirming {
    /// Its name.
    pub name: &'static str,
    /// The words behind `zerto-guard` with which a human does the same.
    pub by_hand: &'static [&'static str],
}

/// All of them.
pub static CONFIRMING_TOOLS: &[Confirming] = &[
    Confirming { name: "zerto_recover_file", by_hand: &["rewind", "recover"] },
    Confirming { name: "zerto_end_flr_session", by_hand: &["rewind", "end-session"] },
    Confirming { name: "zerto_offsite_clone", by_hand: &["rewind", "clone"] },
    Confirming { name: "zerto_start_failover_test", by_hand: &["rewind", "test-failover"] },
    Confirming { name: "zerto_stop_failover_test", by_hand: &["rewind", "stop-test"] },
    Confirming { name: "zerto_add_mutating_tool", by_hand: &["catalog", "add"] },
    Confirming { name: "zerto_add_read_only_tool", by_hand: &["catalog", "add"] },
];

/// The host's tools that only talk to the human: they may hold an id, since that is how a question reaches him.
const TALKING: &[&str] = &[
    "AskUserQuestion",
    "EnterPlanMode",
    "ExitPlanMode",
    "TodoWrite",
    "TaskCreate",
    "TaskUpdate",
    "ask_user",
    "ask_user_question",
    "ask_followup_question",
    "question",
    "enter_plan_mode",
    "exit_plan_mode",
    "plan_mode_respond",
    "attempt_completion",
    "write_todos",
    "todo_write",
    "todowrite",
    "todo_list",
    "update_todo",
    "manage_todo_list",
    "focus_chain",
    "task_create",
    "task_update",
];

/// No prompt shows more, and what it does not show nobody has allowed.
const LONGEST: usize = 400;

/// What is of our own in the call, if anything.
#[must_use]
pub fn own(call: &ToolCall, catalog: &Catalog, known: &Classification) -> Option<Own> {
    if let Some(tool) = confirming_tool(call) {
        let shown = format!("{} {}", call.name, call.input.shown());
        return Some(alone(String::new(), shown, Command::Tool(tool), vec![]));
    }
    let talks = matches!(&call.tool, Tool::Own(name) if TALKING.contains(&name.as_str()));
    let (mut held, mut named) = (Vec::new(), false);
    texts(&call.input, &mut |text| {
        held.extend(ids(text).map(str::to_owned));
        named |= text.contains("zerto") || text.contains(['\'', '"', '\\', '*', '?', '[', '$']);
    });
    let texts = if named || !known.ours.is_empty() { scripts(call, catalog) } else { vec![] };
    // Only a text that is run can be a command; elsewhere it only speaks of one.
    if let Some(found) = texts.iter().find_map(|text| alone_in(call, text)) {
        return found;
    }
    if let Some(command) = known.ours.iter().find_map(|words| command_of(words)) {
        return Some(beside(&command));
    }
    if !known.is_understood()
        && let Some(found) = texts.into_iter().find_map(looks_like)
    {
        return Some(found);
    }
    (!held.is_empty() && !talks).then_some(Own::HoldsIds(held))
}

fn alone(program: String, shown: String, command: Command, places: Vec<(String, String)>) -> Own {
    if shown.chars().count() > LONGEST || crate::text::clean(&shown, LONGEST) != shown {
        return Own::Never("it is one of the guard's own commands, and too long or odd to be shown to a human".into());
    }
    Own::Alone(Alone { program, shown, command, places })
}

/// The tool of our own MCP server that acts on a human's word. Whoever configures the server calls it as he likes, so that the
/// tool's name decides, which is odd enough to be ours whoever has it.
fn confirming_tool(call: &ToolCall) -> Option<&'static Confirming> {
    CONFIRMING_TOOLS.iter().find(|ours| match &call.tool {
        Tool::OfServer { tool, .. } | Tool::OfSomeServer(tool) | Tool::Own(tool) => tool == ours.name,
        Tool::Joined(joined) => joined.rsplit_once("__").is_some_and(|(_, tool)| tool == ours.name),
        Tool::Underscored(joined) => joined.strip_suffix(ours.name).is_some_and(|server| server.ends_with('_')),
    })
}

/// What a text that is one of our commands and nothing else makes of the call; `Some(None)`: one that does nothing.
fn alone_in(call: &ToolCall, text: &str) -> Option<Option<Own>> {
    let words = simple_words(text)?;
    let (program, arguments) = words.split_first()?;
    if !is_us(program) {
        return None;
    }
    let first = arguments.first()?;
    if arguments.iter().any(|word| matches!(word.as_str(), "-h" | "--help")) {
        return Some(None);
    }
    if NEVER.contains(&first.as_str()) {
        return Some(Some(Own::Never(format!("`zerto-guard {first}` is not for an agent to run"))));
    }
    // A text of another tool may run elsewhere, with arguments beside it: no prompt could tell what it does.
    match (&call.tool, read(arguments)) {
        (Tool::Own(_), Some((command, places))) => {
            Some(Some(alone(program.clone(), text.trim().to_owned(), command, places)))
        }
        _ => None,
    }
}

fn beside(command: &str) -> Own {
    Own::Never(format!("it runs `zerto-guard {command}` beside or inside something else, or with odd arguments"))
}

/// The command of ours that these words are, as far as they are known when they run.
fn command_of(words: &[Word]) -> Option<String> {
    let known: Option<Vec<String>> = words.iter().map(|word| word.known().map(str::to_owned)).collect();
    match known {
        Some(mut known) => {
            if let Some(program) = known.first_mut() {
                *program = "zerto-guard".to_owned();
            }
            command_in(&known)
        }
        // Behind a first word that only reads, whatever comes is no command.
        None => {
            let first = words.get(1).and_then(Word::known);
            let harmless =
                first.is_some_and(|first| !first.starts_with('-') && !COMMANDS.iter().any(|(name, _)| *name == first));
            (!harmless).then(|| "…".to_owned())
        }
    }
}

/// What looks like a command of ours in a text that was not understood.
fn looks_like(text: &str) -> Option<Own> {
    // Quotes, backslashes and wildcards within a word are no part of what runs.
    let bare = without_quoting(text);
    let set = with_variables(&bare);
    let words = [loose_words(text), loose_words(&bare), guessed(&bare), loose_words(&set)];
    words.iter().find_map(|words| command_in(words)).map(|command| beside(&command))
}

/// Reads our own command's words; none if they are not exactly of its form, or it is none that asks.
fn read(arguments: &[String]) -> Option<(Command, Vec<(String, String)>)> {
    let (mut plain, mut options, mut places) = (Vec::new(), Vec::new(), Vec::new());
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--config" | "--catalog" | "--state-dir" => places.push((word.clone(), words.next()?.clone())),
            "--vm" | "--server" | "--tool" | "--program" | "--script" | "--language" | "--scope" | "--vpg"
            | "--output" | "--datastore" => options.push((word.as_str(), words.next()?.as_str())),
            "--remember" | "--read-only" | "--mutating" | "--dry-run" | "--json" | "--yes" | "--force"
            | "--recursive" => {
                options.push((word.as_str(), ""));
            }
            // `--option=value`, abbreviations, and whatever else could be read in two ways.
            option if option.starts_with('-') => return None,
            _ => plain.push(word.as_str()),
        }
    }
    let only = |known: &[&str]| options.iter().all(|(option, _)| known.contains(option));
    let command = match plain.as_slice() {
        ["answer", id, answer @ ("guard" | "unguarded")]
            if ids(id).next() == Some(*id) && only(&["--vm", "--remember"]) =>
        {
            Command::Answer {
                id: (*id).to_owned(),
                guard: *answer == "guard",
                vms: options.iter().filter(|(option, _)| *option == "--vm").map(|(_, vm)| (*vm).to_owned()).collect(),
                remember: options.iter().any(|(option, _)| *option == "--remember"),
            }
        }
        ["catalog", "add" | "remove", ..] => Command::Catalog,
        ["install" | "uninstall", ..] if only(&["--scope", "--dry-run", "--json"]) => Command::Install,
        ["rewind", what, ..] if COMMANDS.iter().any(|(name, subs)| *name == "rewind" && subs.contains(what)) => {
            Command::Rewind((*what).to_owned())
        }
        _ => return None,
    };
    Some((command, places))
}

/// The questions' ids in a text: `zgq-` and 13 letters and digits.
pub fn ids(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("zgq-").filter_map(move |(at, _)| {
        let id = text.get(at..at + 17)?;
        id.bytes().skip(4).all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()).then_some(id)
    })
}

/// Every string of the input, keys included.
fn texts<'j>(json: &'j Json, see: &mut impl FnMut(&'j str)) {
    match json {
        Json::Text(text) => see(text),
        Json::List(items) => items.iter().for_each(|item| texts(item, see)),
        Json::Object(fields) => {
            for (key, value) in fields {
                see(key);
                texts(value, see);
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

/// The texts that the call runs, by the catalog's entries for the tool, however the host named it.
#[must_use]
pub fn scripts<'j>(call: &'j ToolCall, catalog: &Catalog) -> Vec<&'j str> {
    scripts_of(call, &rules(catalog, &call.tool))
}

/// The same, where the rules for the tool are known.
#[must_use]
pub fn scripts_of<'j>(call: &'j ToolCall, rules: &[Rule]) -> Vec<&'j str> {
    let paths = rules.iter().filter_map(|rule| match rule {
        Rule::Script { script, .. } => Some(*script),
        _ => None,
    });
    paths.flat_map(|path| call.input.at(path)).filter_map(Json::as_text).collect()
}

/// Whether a program is called by our name.
#[must_use]
pub fn is_us(word: &str) -> bool {
    word.rsplit('/').next() == Some("zerto-guard")
}

/// The command of ours whose words stand directly behind our name, options between them skipped.
fn command_in(words: &[String]) -> Option<String> {
    // Behind these a name is that of a package or a folder.
    const NAMES: &[&str] = &["-p", "--package", "--bin", "--example", "cd", "-C", "--path", "--manifest-path"];
    words.iter().enumerate().filter(|(_, word)| is_us(word)).find_map(|(at, _)| {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        if before.is_some_and(|word| NAMES.contains(&word.as_str())) {
            return None;
        }
        let mut behind = words.iter().skip(at + 1).filter(|word| !word.starts_with('-')).map(String::as_str);
        let first = behind.next()?;
        // The value of one option may stand between.
        let second = behind.next();
        let third = behind.next();
        [(Some(first), second), (second, third)].into_iter().find_map(|(first, second)| {
            let (name, subs) = COMMANDS.iter().find(|(name, _)| Some(*name) == first)?;
            if subs.is_empty() {
                return Some((*name).to_owned());
            }
            subs.iter().find(|sub| Some(**sub) == second).map(|sub| format!("{name} {sub}"))
        })
    })
}

/// The words of a text that is one simple command without anything that a shell would expand or run; else none.
#[must_use]
pub fn simple_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.trim().chars();
    while let Some(c) = characters.next() {
        match c {
            ' ' | '\t' => words.extend(word.take()),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        end if end == c => break,
                        '$' | '`' | '\\' | '!' if c == '"' => return None,
                        inner => word.push(inner),
                    }
                }
            }
            c if c.is_alphanumeric() || "-_./:=@%+,~".contains(c) => word.get_or_insert_default().push(c),
            _ => return None,
        }
    }
    words.extend(word.take());
    Some(words)
}

/// The text without what a shell takes away within a word: quotes, backslashes, and a line's end behind one.
#[must_use]
pub fn without_quoting(text: &str) -> String {
    text.replace("\\\n", "").replace(['\'', '"', '\\'], "")
}

/// The text with each variable that it sets itself, to a plain word, in the place of its name.
#[must_use]
pub fn with_variables(bare: &str) -> String {
    const LONGEST_TEXT: usize = 64 * 1024;
    const LONGEST_VALUE: usize = 256;
    let mut text = bare.to_owned();
    if text.len() > LONGEST_TEXT {
        return text;
    }
    let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let set = bare.split(|c: char| c.is_whitespace() || ";|&()`".contains(c)).filter_map(|word| word.split_once('='));
    // More than a person writes: a text full of them must not take long.
    let usable = |(variable, value): &(&str, &str)| {
        !variable.is_empty() && variable.chars().all(name) && value.len() <= LONGEST_VALUE
    };
    for (variable, value) in set.filter(usable).take(32) {
        text = text.replace(&format!("${{{variable}}}"), value);
        let mut parts = text.split(&format!("${variable}")).map(str::to_owned).collect::<Vec<_>>().into_iter();
        let mut whole = parts.next().unwrap_or_default();
        for part in parts {
            // `$ab` is no `$a`.
            let longer = part.chars().next().is_some_and(name);
            whole.push_str(if longer { "$" } else { value });
            whole.push_str(if longer { variable } else { "" });
            whole.push_str(&part);
        }
        text = whole;
        if text.len() > LONGEST_TEXT {
            return bare.to_owned();
        }
    }
    text
}

/// The words of a text, our name in place of each wildcard that could stand for it.
fn guessed(text: &str) -> Vec<String> {
    let ends = |c: char| c.is_whitespace() || ";|&()<>`".contains(c);
    let words = text.split(ends).filter(|word| !word.is_empty());
    words
        .map(|word| {
            let name = word.rsplit('/').next().unwrap_or(word).replace(['[', ']'], "?");
            // One that stands for anything is no sign of us.
            let odd = name.contains(['*', '?']) && name.len() > 4 && matches(&name, "zerto-guard");
            if odd { "zerto-guard".to_owned() } else { word.to_owned() }
        })
        .collect()
}

/// Everything in a text that could be a word of a command, whatever stands around it.
#[must_use]
pub fn loose_words(text: &str) -> Vec<String> {
    let part = |c: char| !(c.is_alphanumeric() || "-_./~+".contains(c));
    text.split(part).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
#[path = "tests/own.rs"]
mod tests;
