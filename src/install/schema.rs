//! Which fields of Claude Code's settings have to be what, for the host to take the file at all.
//!
//! For one value of another kind it drops a whole file, and says nothing (measured: a timeout that is text or 0, a type that
//! it doesn't know, a command that is none). So this is strict with the fields it knows, and silent on the others. Must
//! not: know which entry is ours.

use super::tree::{Node, Tree};
use crate::text::clean;
use serde_json::Value;

/// What a field has to be.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Text,
    Flag,
    Number,
    AboveZero,
    Texts,
    List,
    Object,
}

impl Kind {
    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Flag => value.is_boolean(),
            Self::Number => value.is_number(),
            Self::AboveZero => value.as_f64().is_some_and(|number| number > 0.0),
            Self::Texts => value.as_array().is_some_and(|values| values.iter().all(Value::is_string)),
            Self::List => value.is_array(),
            Self::Object => value.is_object(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Flag => "true or false",
            Self::Number => "number",
            Self::AboveZero => "number above 0",
            Self::Texts => "list of texts",
            Self::List => "list",
            Self::Object => "object",
        }
    }
}

type Fields = &'static [(&'static str, Kind)];

/// Of the whole file, `hooks` apart.
const SETTINGS: Fields = &[
    ("env", Kind::Object),
    ("permissions", Kind::Object),
    ("sandbox", Kind::Object),
    ("statusLine", Kind::Object),
    ("enabledPlugins", Kind::Object),
    ("disableAllHooks", Kind::Flag),
    ("allowManagedHooksOnly", Kind::Flag),
    ("model", Kind::Text),
    ("apiKeyHelper", Kind::Text),
    ("outputStyle", Kind::Text),
    ("cleanupPeriodDays", Kind::Number),
    ("includeCoAuthoredBy", Kind::Flag),
];

const PERMISSIONS: Fields = &[
    ("allow", Kind::List),
    ("deny", Kind::List),
    ("ask", Kind::List),
    ("additionalDirectories", Kind::List),
    ("defaultMode", Kind::Text),
];

const GROUP: Fields = &[("matcher", Kind::Text)];

/// Of a hook's entry, whatever its type.
const HANDLER: Fields = &[
    ("type", Kind::Text),
    ("command", Kind::Text),
    ("args", Kind::Texts),
    ("timeout", Kind::AboveZero),
    ("onFailure", Kind::Text),
    ("statusMessage", Kind::Text),
    ("if", Kind::Text),
    ("async", Kind::Flag),
    ("asyncRewake", Kind::Flag),
    ("once", Kind::Flag),
    ("shell", Kind::Text),
    ("prompt", Kind::Text),
    ("model", Kind::Text),
    ("url", Kind::Text),
    ("headers", Kind::Object),
    ("allowedEnvVars", Kind::Texts),
    ("server", Kind::Text),
    ("tool", Kind::Text),
];

/// The types of hooks, and which fields each has to have.
const TYPES: &[(&str, &[&str])] = &[
    ("command", &["command"]),
    ("prompt", &["prompt"]),
    ("agent", &["prompt"]),
    ("http", &["url"]),
    ("mcp_tool", &["server", "tool"]),
];

/// The faults of the file's own fields.
pub(super) fn of_settings(tree: &Tree) -> Vec<String> {
    let mut faults = wrong(tree, &tree.root, SETTINGS, "");
    if let Some(permissions) = tree.root.get("permissions") {
        faults.extend(wrong(tree, permissions, PERMISSIONS, "permissions."));
    }
    faults
}

/// Those of a matcher and its list.
pub(super) fn of_group(tree: &Tree, group: &Node) -> Vec<String> {
    wrong(tree, group, GROUP, "a hook's ")
}

/// Those of a hook's entry.
pub(super) fn of_handler(tree: &Tree, handler: &Node) -> Vec<String> {
    let line = tree.line(handler.start);
    if !handler.is_object() {
        return vec![format!("line {line}: a hook's entry is no object")];
    }
    let mut faults = wrong(tree, handler, HANDLER, "a hook's ");
    match handler.get("type").map(Node::value) {
        None => faults.push(format!("line {line}: a hook's entry has no `type`")),
        Some(Value::String(kind)) => match TYPES.iter().find(|(known, _)| *known == kind) {
            None => {
                let known = TYPES.iter().map(|(known, _)| *known).collect::<Vec<_>>().join(", ");
                faults.push(format!("line {line}: a hook's `type` is `{}`, none of {known}", clean(&kind, 60)));
            }
            Some((_, needed)) => {
                let missing = needed.iter().filter(|name| handler.get(name).is_none());
                faults.extend(missing.map(|name| format!("line {line}: a hook of type {kind} has no `{name}`")));
            }
        },
        Some(_) => {}
    }
    faults
}

fn wrong(tree: &Tree, node: &Node, fields: Fields, of: &str) -> Vec<String> {
    let known = fields.iter().filter_map(|(name, kind)| Some((name, kind, node.get(name)?)));
    let wrong = known.filter(|(_, kind, value)| !kind.fits(&value.value()));
    wrong.map(|(name, kind, value)| format!("line {}: {}", tree.line(value.start), said(of, name, *kind))).collect()
}

fn said(of: &str, name: &str, kind: Kind) -> String {
    let name = if of.ends_with('.') { format!("`{of}{name}`") } else { format!("{of}`{name}`") };
    match kind {
        Kind::Flag => format!("{name} is neither true nor false"),
        kind => format!("{name} is no {}", kind.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::inspect::inspect;
    use super::super::{Kind, recipe};
    use crate::hosts::Host;

    #[track_caller]
    fn faults(text: &str) -> Vec<String> {
        inspect(text, recipe(Host::ClaudeCode), Kind::Grouped, "").unwrap().faults
    }

    fn with(handler: &str) -> String {
        format!("{{\"hooks\": {{\"Stop\": [\n{{\"hooks\": [{handler}]}}]}}}}")
    }

    #[test]
    fn what_the_host_takes_has_no_fault() {
        for handler in [
            r#"{"type": "command", "command": "x", "args": [], "timeout": 0.5, "async": true, "once": false}"#,
            r#"{"type": "command", "command": "x", "if": "Bash(git *)", "statusMessage": "", "shell": "bash", "new": 5}"#,
            r#"{"type": "prompt", "prompt": "x", "model": "y"}"#,
            r#"{"type": "agent", "prompt": "x", "timeout": 60}"#,
            r#"{"type": "http", "url": "https://x", "headers": {}, "allowedEnvVars": ["A"]}"#,
            r#"{"type": "mcp_tool", "server": "x", "tool": "y", "input": {}}"#,
        ] {
            assert!(faults(&with(handler)).is_empty(), "{handler}: {:?}", faults(&with(handler)));
        }
        let all = r#"{"env": {}, "permissions": {"allow": [], "defaultMode": "plan"}, "disableAllHooks": false, "model": "x",
            "hooks": {"Stop": [{"matcher": "x", "hooks": []}, {"hooks": []}]}, "cleanupPeriodDays": 0, "whatever": 5}"#;
        assert!(faults(all).is_empty(), "{:?}", faults(all));
    }

    #[test]
    fn each_wrong_field_is_named_with_its_line() {
        for (handler, part) in [
            ("7", "a hook's entry is no object"),
            ("{}", "has no `type`"),
            (r#"{"type": 5}"#, "a hook's `type` is no text"),
            (r#"{"type": "comand", "command": "x"}"#, "`comand`, none of command, prompt,"),
            (r#"{"type": "command"}"#, "of type command has no `command`"),
            (r#"{"type": "command", "command": 7}"#, "a hook's `command` is no text"),
            (r#"{"type": "command", "command": null}"#, "a hook's `command` is no text"),
            (r#"{"type": "command", "command": "x", "args": "hook"}"#, "`args` is no list of texts"),
            (r#"{"type": "command", "command": "x", "args": ["a", 1]}"#, "`args` is no list of texts"),
            (r#"{"type": "command", "command": "x", "timeout": "5"}"#, "`timeout` is no number above 0"),
            (r#"{"type": "command", "command": "x", "timeout": 0}"#, "`timeout` is no number above 0"),
            (r#"{"type": "command", "command": "x", "timeout": 1e400}"#, "`timeout` is no number above 0"),
            (r#"{"type": "command", "command": "x", "statusMessage": 5}"#, "`statusMessage` is no text"),
            (r#"{"type": "command", "command": "x", "async": "true"}"#, "`async` is neither true nor false"),
            (r#"{"type": "command", "command": "x", "if": []}"#, "`if` is no text"),
            (r#"{"type": "prompt"}"#, "of type prompt has no `prompt`"),
            (r#"{"type": "mcp_tool", "server": "x"}"#, "has no `tool`"),
        ] {
            let faults = faults(&with(handler));
            assert_eq!(faults.len(), 1, "{handler}: {faults:?}");
            assert!(faults[0].starts_with("line 2: ") && faults[0].contains(part), "{handler}: {faults:?}");
        }
        for (text, part) in [
            (r#"{"hooks": {"Stop": [{"matcher": 5, "hooks": []}]}}"#, "a hook's `matcher` is no text"),
            (r#"{"env": 5}"#, "line 1: `env` is no object"),
            (r#"{"permissions": 5}"#, "`permissions` is no object"),
            (r#"{"permissions": {"allow": "Bash"}}"#, "`permissions.allow` is no list"),
            (r#"{"disableAllHooks": "true"}"#, "`disableAllHooks` is neither true nor false"),
        ] {
            let faults = faults(text);
            assert!(faults.len() == 1 && faults[0].contains(part), "{text}: {faults:?}");
        }
    }
}
