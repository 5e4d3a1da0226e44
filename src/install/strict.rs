//! What Codex CLI drops a whole `hooks.json` for, measured on 0.171.0 (`hooks/list` of its app server): comments, trailing commas,
//! a byte-order mark, a field of the file other than `description` and `hooks`, an entry of a type that it doesn't know, a time
//! limit that is no whole number. What is laxer would guard nobody. Must not: know which entry is ours.

use super::settings::handlers;
use super::tree::{MarkKind, Node, Tree};
use crate::text::clean;

const ROOT: &[&str] = &["description", "hooks"];
const TYPES: &[&str] = &["command", "mcp_tool", "prompt", "agent"];

/// The first thing for which the file is dropped.
pub(super) fn fault(tree: &Tree<'_>) -> Option<String> {
    if tree.text.starts_with('\u{feff}') {
        return Some("line 1: it begins with a byte-order mark, which Codex CLI does not take".into());
    }
    if let Some(mark) = tree.marks.iter().find(|mark| mark.kind != MarkKind::Comma) {
        return Some(format!("line {}: Codex CLI takes no comments", tree.line(mark.start)));
    }
    if serde_json::from_str::<serde::de::IgnoredAny>(tree.text).is_err() {
        return Some("it has a trailing comma, which Codex CLI does not take".into());
    }
    if let Some(member) = tree.root.members().iter().find(|member| !ROOT.contains(&member.name.as_str())) {
        let (line, name) = (tree.line(member.start), clean(&member.name, 60));
        return Some(format!(
            "line {line}: Codex CLI drops the whole file for `{name}`; it takes description and hooks alone"
        ));
    }
    let events = tree.root.get("hooks").map_or(&[][..], Node::members);
    let entries = events.iter().flat_map(|event| event.value.elements()).flat_map(handlers);
    entries.into_iter().find_map(|entry| of_entry(tree, entry))
}

fn of_entry(tree: &Tree<'_>, entry: &Node) -> Option<String> {
    let line = tree.line(entry.start);
    let kind = entry.get("type").map(Node::value);
    if !kind.as_ref().and_then(|kind| kind.as_str()).is_some_and(|kind| TYPES.contains(&kind)) {
        let known = TYPES.join(", ");
        return Some(format!(
            "line {line}: Codex CLI drops the whole file for an entry whose `type` is none of {known}"
        ));
    }
    let timeout = entry.get("timeout").map(Node::value)?;
    (timeout.as_u64().is_none() && !timeout.is_null())
        .then(|| format!("line {line}: Codex CLI drops the whole file for a `timeout` that is no whole number"))
}
