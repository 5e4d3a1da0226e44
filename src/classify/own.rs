//! Calls that only a human may make: the guard's own commands, and whatever holds a question's id. Pure.
//!
//! Until shell text is read as a shell reads it, a command of ours is found by its words, wherever they stand: such a text
//! is stopped a little too often rather than let through once.

use crate::call::{Tool, ToolCall};
use crate::catalog::Catalog;
use crate::catalog::model::Rule;
use crate::json::Json;

/// What is found of our own in a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Own {
    /// One of our commands and nothing else: its words. A human may let it run at the host's own prompt.
    Alone(Vec<String>),
    /// Nothing that a prompt could make sense of; why.
    Never(String),
}

/// Commands that change what the guard lets through, or mount a guest's disk.
const ASKING: &[&[&str]] = &[
    &["answer"],
    &["catalog", "add"],
    &["catalog", "remove"],
    &["install"],
    &["uninstall"],
    &["rewind", "ls"],
    &["rewind", "cat"],
    &["rewind", "diff"],
    &["rewind", "recover"],
    &["rewind", "end-session"],
    &["rewind", "clone"],
    &["rewind", "test-failover"],
    &["rewind", "stop-test"],
];

/// Commands that are never run for an agent: they need a human's terminal, or are the hook itself.
const NEVER: &[&[&str]] = &[&["pause"], &["trust"], &["hook"]];

/// Tools of our MCP server that act on a human's word.
const CONFIRMING_TOOLS: &[&str] = &[
    "zerto_recover_file",
    "zerto_end_flr_session",
    "zerto_offsite_clone",
    "zerto_start_failover_test",
    "zerto_stop_failover_test",
    "zerto_add_mutating_tool",
    "zerto_add_read_only_tool",
];

/// The host's tools that only talk to the human: they may hold an id, since that is how a question reaches him.
const TALKING: &[&str] = &["AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "TodoWrite", "TaskCreate", "TaskUpdate"];

/// What is of our own in the call, if anything.
#[must_use]
pub fn own(call: &ToolCall, catalog: &Catalog) -> Option<Own> {
    if let Tool::OfServer { tool, .. } | Tool::OfSomeServer(tool) = &call.tool
        && CONFIRMING_TOOLS.contains(&tool.as_str())
    {
        return Some(Own::Alone(vec![tool.clone()]));
    }
    let talks = matches!(&call.tool, Tool::Own(name) if TALKING.contains(&name.as_str()));
    let (mut id, mut named) = (false, false);
    texts(&call.input, &mut |text| {
        id |= holds_id(text);
        named |= text.contains("zerto-guard");
    });
    if (!id || talks) && !named {
        return None;
    }
    // Only a text that is run can be a command; elsewhere it only speaks of one.
    let script = script(call, catalog);
    if let Some(text) = script {
        if let Some(words) = simple_words(text)
            && words.first().is_some_and(|word| is_us(word))
        {
            if let Some(command) = command_in(&words, NEVER) {
                return Some(Own::Never(format!("`zerto-guard {command}` is not for an agent to run")));
            }
            if command_in(&words, ASKING).is_some() {
                return Some(Own::Alone(words));
            }
        }
        let words = loose_words(text);
        if words.iter().any(|word| is_us(word))
            && let Some(command) = command_in(&words, NEVER).or_else(|| command_in(&words, ASKING))
        {
            return Some(Own::Never(format!("it runs `zerto-guard {command}` beside or inside something else")));
        }
    }
    (id && !talks).then(|| Own::Never("it holds the id of a question that is put to a human".into()))
}

/// Whether a question's id stands in the text: `zgq-` and 13 letters and digits.
#[must_use]
pub fn holds_id(text: &str) -> bool {
    ids(text).next().is_some()
}

/// The questions' ids in a text.
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

/// The text that the call runs, by the catalog's entry for the tool.
#[must_use]
pub fn script<'j>(call: &'j ToolCall, catalog: &Catalog) -> Option<&'j str> {
    let found = match &call.tool {
        Tool::Own(name) => catalog.find("", name),
        Tool::OfServer { server, tool } => catalog.find(server, tool),
        Tool::Joined(_) | Tool::OfSomeServer(_) => return None,
    };
    match found.base?.entry.rule {
        Rule::Script { script, .. } => call.input.at(script).first().and_then(|value| value.as_text()),
        _ => None,
    }
}

fn is_us(word: &str) -> bool {
    word.rsplit('/').next() == Some("zerto-guard")
}

/// The first of these commands whose words stand in this order behind our name; options may stand between.
fn command_in(words: &[String], commands: &[&[&str]]) -> Option<String> {
    let behind = words.iter().skip_while(|word| !is_us(word)).skip(1);
    let behind: Vec<&str> = behind.map(String::as_str).collect();
    let found = commands.iter().find(|command| {
        let mut rest = behind.iter();
        command.iter().all(|part| rest.any(|word| word == part))
    });
    found.map(|command| command.join(" "))
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
                        '$' | '`' | '\\' if c == '"' => return None,
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

/// Everything in a text that could be a word of a command, whatever stands around it.
#[must_use]
pub fn loose_words(text: &str) -> Vec<String> {
    let part = |c: char| !(c.is_alphanumeric() || "-_./~+".contains(c));
    text.split(part).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(tool: Tool, input: &str) -> Option<Own> {
        let call = ToolCall {
            name: "x".into(),
            tool,
            input: Json::parse(input.as_bytes()).unwrap(),
            cwd: None,
            session: None,
            id: None,
            prompt: None,
            asks_human: true,
        };
        own(&call, &Catalog::default())
    }

    fn bash(text: &str) -> Option<Own> {
        found(Tool::Own("Bash".into()), &serde_json::json!({"command": text}).to_string())
    }

    const ID: &str = "zgq-0123456789abc";

    #[test]
    fn our_commands_alone_can_be_put_to_a_human() {
        for text in [
            format!("zerto-guard answer {ID} guard"),
            format!("  /usr/local/bin/zerto-guard answer '{ID}' guard --vm \"web 01\" "),
            "zerto-guard --config /a catalog add --server x --tool y --read-only".into(),
            "zerto-guard rewind recover 'latest:/etc/app.yaml'".into(),
            "zerto-guard uninstall claude-code".into(),
        ] {
            assert!(matches!(bash(&text), Some(Own::Alone(_))), "{text}");
        }
    }

    #[test]
    fn every_disguise_is_seen() {
        for text in [
            format!("sh -c 'zerto-guard answer {ID} guard'"),
            format!("env zerto-guard answer {ID} guard"),
            format!("cp /usr/bin/zerto-guard /tmp/x; /tmp/x answer {ID} guard"),
            format!("echo {ID} > /tmp/id"),
            format!("x={ID}; ./run $x"),
            format!("zerto-guard answer {ID} guard && rm -rf /"),
            format!("zerto-guard answer {ID} guard\nid"),
            format!("npm run answer -- {ID}"),
            "zerto-guard catalog add --server x --tool y --read-only; true".into(),
            "true | zerto-guard install claude-code".into(),
            "$(zerto-guard pause --for 1h)".into(),
            "zerto-guard pause --for 1h --reason x".into(),
            "zerto-guard trust https://evil".into(),
            "zerto-guard hook".into(),
            "bash -c \"exec ./zerto-guard  hook\"".into(),
        ] {
            assert!(matches!(bash(&text), Some(Own::Never(_))), "{text}: {:?}", bash(&text));
        }
        let write = serde_json::json!({"file_path": "/tmp/x.sh", "content": format!("zerto-guard answer {ID} guard")});
        assert!(matches!(found(Tool::Own("Write".into()), &write.to_string()), Some(Own::Never(_))));
        let nested = serde_json::json!({"a": [{ID: 1}]});
        let tool = Tool::OfServer { server: "s".into(), tool: "t".into() };
        assert!(matches!(found(tool, &nested.to_string()), Some(Own::Never(_))));
    }

    #[test]
    fn what_only_speaks_of_us_or_reads_is_left_in_peace() {
        for text in
            ["cargo test", "zerto-guard find web01", "zerto-guard rewind log web01", "ls zgq-short", "zgq-0123456789AB"]
        {
            assert_eq!(bash(text), None, "{text}");
        }
        let docs = serde_json::json!({"file_path": "README.md", "content": "run `zerto-guard answer ID guard`"});
        assert_eq!(found(Tool::Own("Write".into()), &docs.to_string()), None);
        let asks = serde_json::json!({"questions": [{"question": format!("zerto-guard answer {ID} guard?")}]});
        assert_eq!(found(Tool::Own("AskUserQuestion".into()), &asks.to_string()), None);
    }

    #[test]
    fn the_confirming_tools_of_our_server_are_ours() {
        let tool = Tool::OfServer { server: "zerto".into(), tool: "zerto_recover_file".into() };
        assert_eq!(found(tool, "{}"), Some(Own::Alone(vec!["zerto_recover_file".into()])));
    }
}
