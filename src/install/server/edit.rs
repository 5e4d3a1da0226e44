//! The server's entry put into a text, or taken out, with every other byte as it was.

use super::super::change::Change;
use super::super::entry::{inline, object};
use super::super::splice::{Layout, Splice, apply, has_comment, line_indent, put, stood_empty, take};
use super::super::tree::{Node, Tree};
use super::{NAME, PROGRAM};
use serde_json::Value;
use std::path::Path;

/// Puts the entry in, or brings the one that stands there up to date. No text: there is no such file.
///
/// # Errors
/// The settings can't be read, something else stands where the servers belong, or another server has our name.
pub fn add(text: Option<&str>, keys: &[&str], entry: &Value) -> Result<Change, String> {
    let Some(text) = text else {
        return Ok(Change::Write(format!("{}\n", nested(keys, entry, "", "  ", "\n"))));
    };
    let tree = Tree::parse(text)?;
    let layout = Layout::of(&tree);
    let path = path(&tree, keys)?;
    let Some(deepest) = path.last() else { return Err("the whole is no object".into()) };
    if path.len() > keys.len()
        && let Some(there) = deepest.get(NAME)
    {
        if !is_ours(there) {
            return Err(format!("line {}: another server is called {NAME} there", tree.line(there.start)));
        }
        if there.value() == *entry {
            return Ok(Change::None);
        }
        let new = rendered(entry, line_indent(text, there.start), &layout.unit, layout.newline);
        return checked(text, vec![Splice::new(there.start, there.end, new)]);
    }
    let rest: Vec<&str> = keys.iter().skip(path.len().saturating_sub(1)).copied().chain([NAME]).collect();
    let (name, inner) = rest.split_first().map_or((NAME, &[][..]), |(name, inner)| (*name, inner));
    let splices = put(&tree, deepest, &layout, |indent| {
        let value = match inner.split_last() {
            // The last name is our own, which `nested` writes.
            Some((_, keys)) => nested(keys, entry, indent, &layout.unit, layout.newline),
            None => rendered(entry, indent, &layout.unit, layout.newline),
        };
        format!("\"{name}\": {value}")
    });
    checked(text, splices)
}

/// Takes the entry out, with the objects that `add` had to make for it.
///
/// # Errors
/// The settings can't be read.
pub fn remove(text: &str, keys: &[&str]) -> Result<Change, String> {
    let tree = Tree::parse(text)?;
    let layout = Layout::of(&tree);
    let path = path(&tree, keys)?;
    let ours = path.last().filter(|_| path.len() > keys.len()).and_then(|servers| servers.get(NAME));
    if !ours.is_some_and(is_ours) {
        return Ok(Change::None);
    }
    let goes = |container: &Node| {
        container.spans().len() == 1 && !stood_empty(&tree, container) && !has_comment(&tree, container)
    };
    let names = keys.iter().copied().chain([NAME]);
    let mut outward = path.iter().zip(names).collect::<Vec<_>>().into_iter().rev();
    let outside = tree.marks.iter().any(|mark| mark.start < tree.root.start || mark.end > tree.root.end);
    let (container, name) = match outward.find(|(container, _)| !goes(container)) {
        Some(found) => found,
        None if !outside => return Ok(Change::Remove),
        None => match path.first().zip(keys.first().copied().or(Some(NAME))) {
            Some(root) => root,
            None => return Ok(Change::None),
        },
    };
    let Some(at) = container.members().iter().position(|member| member.name == name) else { return Ok(Change::None) };
    checked(text, take(&tree, container, &layout, at))
}

/// The objects that lead to the servers, as far as they are there; the root first.
fn path<'t>(tree: &'t Tree<'_>, keys: &[&str]) -> Result<Vec<&'t Node>, String> {
    let mut path = vec![&tree.root];
    if !tree.root.is_object() {
        return Err(format!("line {}: the whole is no object", tree.line(tree.root.start)));
    }
    for key in keys {
        let Some(inner) = path.last().and_then(|outer| outer.get(key)) else { break };
        if !inner.is_object() {
            return Err(format!("line {}: `{key}` is no object", tree.line(inner.start)));
        }
        path.push(inner);
    }
    Ok(path)
}

/// Whether an entry starts our server, from wherever.
fn is_ours(entry: &Node) -> bool {
    let command = entry.get("command").map(Node::value);
    let program = match &command {
        Some(Value::String(program)) => Some(program.as_str()),
        Some(Value::Array(words)) => words.first().and_then(Value::as_str),
        _ => None,
    };
    program.is_some_and(|program| Path::new(program).file_name().is_some_and(|name| name == PROGRAM))
}

/// The entry's text, its first line not indented.
fn rendered(entry: &Value, indent: &str, unit: &str, newline: &str) -> String {
    let members = entry.as_object().into_iter().flatten();
    // As people write it: what kind it is, what is started, with what.
    let mut members: Vec<(&str, String)> = members.map(|(name, value)| (name.as_str(), inline(value))).collect();
    members.sort_by_key(|(name, _)| ["type", "command", "args"].iter().position(|known| known == name));
    object(members, indent, unit, newline)
}

/// The objects of these names, one in the other, with the entry under our name in the innermost.
fn nested(keys: &[&str], entry: &Value, indent: &str, unit: &str, newline: &str) -> String {
    let deeper = format!("{indent}{unit}");
    match keys.split_first() {
        Some((key, keys)) => object([(*key, nested(keys, entry, &deeper, unit, newline))], indent, unit, newline),
        None => object([(NAME, rendered(entry, &deeper, unit, newline))], indent, unit, newline),
    }
}

/// The new text, if it can be read again.
fn checked(text: &str, splices: Vec<Splice>) -> Result<Change, String> {
    let new = apply(text, splices);
    Tree::parse(&new).map_err(|why| format!("the new text would not be valid ({why}); nothing was changed"))?;
    Ok(if new == text { Change::None } else { Change::Write(new) })
}

#[cfg(test)]
#[path = "../tests/server.rs"]
mod tests;
