//! An agent host's settings in JSON: the entry put in or taken out. Text in, text out.
//!
//! Owns: where in `hooks` an entry belongs, and which empty lists and objects go with it. Must not: read or write a file, or
//! know a host but by its recipe.

use super::change::Change;
use super::entry::{Entry, Kin, inline, list, object};
use super::recipe::{Event, Kind, Recipe};
use super::splice::{self, Layout, Splice, apply, has_comment, put, stood_empty, take};
use super::strict;
use super::tree::{Node, Tree};
use serde_json::json;

/// Puts the entries into the settings, or brings those that stand there up to date. No text: there is no such file.
///
/// # Errors
/// The settings can't be read, or not be understood where an entry belongs; nothing is guessed then.
pub(super) fn add(text: Option<&str>, kind: Kind, entries: &[Entry]) -> Result<Change, String> {
    let mut new = text.map(str::to_owned);
    if let (Some(text), Some(entry)) = (text, entries.first()) {
        let json = Json { recipe: entry.recipe, kind };
        json.version_fault(&json.parse(text)?).map_or(Ok(()), Err)?;
    }
    for entry in entries {
        if let Some(text) = (Json { recipe: entry.recipe, kind }).add_one(new.as_deref(), entry)? {
            new = Some(text);
        }
    }
    Ok(match new {
        Some(new) if text != Some(new.as_str()) => Change::Write(new),
        _ => Change::None,
    })
}

/// Takes all entries that are ours out of the settings, with the lists and objects that `add` had to make for them.
///
/// # Errors
/// As for [`add`].
pub(super) fn remove(text: &str, recipe: &'static Recipe, kind: Kind, own: &str) -> Result<Change, String> {
    match (Json { recipe, kind }).remove_of(text, own, None)? {
        None => Ok(Change::Remove),
        Some(new) if new == text => Ok(Change::None),
        Some(new) => Ok(Change::Write(new)),
    }
}

/// Where an entry stands.
pub(super) struct Place<'t> {
    pub event: &'static Event,
    /// The group or, where there are none, the entry among those of its list.
    pub element: usize,
    /// The entry among those of its group.
    pub handler: usize,
    /// The group, or the entry.
    pub group: &'t Node,
    /// What holds the command line.
    pub node: &'t Node,
}

/// The settings of one host.
#[derive(Clone, Copy)]
pub(super) struct Json {
    pub recipe: &'static Recipe,
    pub kind: Kind,
}

impl Json {
    /// Reads the text as the host would.
    pub fn parse(self, text: &str) -> Result<Tree<'_>, String> {
        let tree = Tree::parse(text)?;
        match strict::fault(&tree).filter(|_| self.recipe.strict) {
            Some(fault) => Err(fault),
            None => Ok(tree),
        }
    }

    /// Our entries, and all others of events at which ours may stand.
    pub fn all<'t>(self, tree: &'t Tree<'_>) -> Result<Vec<Place<'t>>, String> {
        let wrong =
            |node: &Node, what: &str, kind: &str| Err(format!("line {}: {what} is no {kind}", tree.line(node.start)));
        if !tree.root.is_object() {
            return wrong(&tree.root, "the whole", "object");
        }
        let Some(hooks) = tree.root.get("hooks") else { return Ok(Vec::new()) };
        let mut places = Vec::new();
        if self.kind == Kind::Listed {
            if !hooks.is_array() {
                return wrong(hooks, "`hooks`", "list");
            }
            for (element, group) in hooks.elements().iter().enumerate() {
                let trigger = group.get("trigger").map(Node::value);
                let event =
                    trigger.as_ref().and_then(|trigger| trigger.as_str()).and_then(|name| self.recipe.event(name));
                if let (Some(event), Some(node)) = (event, group.get("action")) {
                    places.push(Place { event, element, handler: 0, group, node });
                }
            }
            return Ok(places);
        }
        if !hooks.is_object() {
            return wrong(hooks, "`hooks`", "object");
        }
        for member in hooks.members() {
            let name = crate::text::clean(&member.name, 60);
            let event = self.recipe.event(&member.name);
            // Some hosts keep other things there as well; Claude Code drops a whole file for one.
            if event.is_none() && self.recipe.host != crate::hosts::Host::ClaudeCode {
                continue;
            }
            if !member.value.is_array() {
                return wrong(&member.value, &format!("`hooks.{name}`"), "list");
            }
            for (element, group) in member.value.elements().iter().enumerate() {
                if !group.is_object() {
                    return wrong(group, &format!("`hooks.{name}[{element}]`"), "object");
                }
                if self.kind == Kind::Flat {
                    places.extend(event.map(|event| Place { event, element, handler: 0, group, node: group }));
                    continue;
                }
                match group.get("hooks") {
                    Some(list) if list.is_array() => {}
                    Some(list) => return wrong(list, &format!("`hooks.{name}[{element}].hooks`"), "list"),
                    None => {
                        let line = tree.line(group.start);
                        return Err(format!("line {line}: `hooks.{name}[{element}]` has no list `hooks`"));
                    }
                }
                let handlers = handlers(group).iter().enumerate();
                places.extend(event.into_iter().flat_map(|event| {
                    handlers.clone().map(move |(handler, node)| Place { event, element, handler, group, node })
                }));
            }
        }
        Ok(places)
    }

    /// What an entry is to us.
    pub fn kin(self, node: &Node, own: &str) -> Kin {
        Kin::of(node, self.recipe.fields.command, own)
    }

    fn ours<'t>(self, tree: &'t Tree<'_>, own: &str) -> Result<Vec<Place<'t>>, String> {
        let mut places = self.all(tree)?;
        places.retain(|place| self.kin(place.node, own) == Kin::Ours);
        Ok(places)
    }

    /// A host drops a file that doesn't say the version it asks for.
    pub fn version_fault(self, tree: &Tree<'_>) -> Option<String> {
        let wanted = self.version()?;
        let title = self.recipe.title;
        match tree.root.get("version") {
            Some(node) if node.value() == wanted => None,
            Some(node) => {
                Some(format!("line {}: `version` is not {wanted}, as {title} wants it", tree.line(node.start)))
            }
            None if tree.root.get("hooks").is_some() => {
                Some(format!("it has `hooks` and no `version`: {title} wants \"version\": {wanted} beside it"))
            }
            None => None,
        }
    }

    /// What the file has to hold as its `version`.
    fn version(self) -> Option<serde_json::Value> {
        match self.kind {
            Kind::Listed => Some(json!("v1")),
            _ => self.recipe.version.map(|version| json!(version)),
        }
    }

    /// The new text; none if nothing changes.
    fn add_one(self, text: Option<&str>, entry: &Entry) -> Result<Option<String>, String> {
        let Some(text) = text else {
            return Ok(Some(format!("{}\n", self.whole(entry, "  ", "\n"))));
        };
        let tree = self.parse(text)?;
        let layout = Layout::of(&tree);
        let (unit, newline) = (layout.unit.as_str(), layout.newline);
        let mut places = self.ours(&tree, &entry.command)?;
        places.retain(|place| place.event.name == entry.event.name);
        if let [only] = places.as_slice() {
            if self.is_as_written(only, entry) {
                return Ok(None);
            }
            let keeps_group = self.kind == Kind::Grouped && is_met(entry.event, only.group.get("matcher"));
            if keeps_group {
                let indent = splice::line_indent(text, only.node.start);
                let new = entry.text(indent, unit, newline);
                return self.checked(text, vec![Splice::new(only.node.start, only.node.end, new)]).map(Some);
            }
            if self.kind != Kind::Grouped || handlers(only.group).len() == 1 {
                let indent = splice::line_indent(text, only.group.start);
                let new = self.element(entry, indent, unit, newline);
                return self.checked(text, vec![Splice::new(only.group.start, only.group.end, new)]).map(Some);
            }
        }
        if !places.is_empty() {
            // Several, or one that shares its group with another matcher: all go, and one comes.
            let without = self.remove_of(text, &entry.command, Some(entry.event))?;
            return self.add_one(without.as_deref(), entry);
        }
        let name = entry.event.name;
        let splices = match tree.root.get("hooks") {
            Some(hooks) if self.kind == Kind::Listed => {
                put(&tree, hooks, &layout, |indent| self.element(entry, indent, unit, newline))
            }
            Some(hooks) => match hooks.get(name) {
                Some(list) => put(&tree, list, &layout, |indent| self.element(entry, indent, unit, newline)),
                None => put(&tree, hooks, &layout, |indent| {
                    format!("\"{name}\": {}", self.elements(entry, indent, unit, newline))
                }),
            },
            None => {
                let new = self.checked(
                    text,
                    put(&tree, &tree.root, &layout, |indent| {
                        format!("\"hooks\": {}", self.hooks(entry, indent, unit, newline))
                    }),
                )?;
                return self.with_version(&new).map(Some);
            }
        };
        self.checked(text, splices).map(Some)
    }

    /// Behind `hooks` that were put there, the version that belongs to them: there it tells that it came with them.
    fn with_version(self, text: &str) -> Result<String, String> {
        let tree = self.parse(text)?;
        let Some(version) = self.version().filter(|_| tree.root.get("version").is_none()) else {
            return Ok(text.to_owned());
        };
        let layout = Layout::of(&tree);
        self.checked(text, put(&tree, &tree.root, &layout, |_| format!("\"version\": {version}")))
    }

    /// Takes out our entries, of that event or of all; none if that leaves nothing of the file.
    fn remove_of(self, text: &str, own: &str, event: Option<&Event>) -> Result<Option<String>, String> {
        let mut new = text.to_owned();
        loop {
            let tree = self.parse(&new)?;
            let places = self.ours(&tree, own)?;
            // In the opposite order in which they are put in.
            let order = |place: &&Place| self.recipe.events.iter().position(|event| event.name == place.event.name);
            let asked = places.iter().filter(|place| event.is_none_or(|event| event.name == place.event.name));
            let Some(place) = asked.max_by_key(order) else { break };
            match self.take_out(&tree, place) {
                Some(splices) => {
                    let next = apply(&new, splices);
                    if next == new {
                        return Err("an entry could not be taken out".into());
                    }
                    new = next;
                }
                None => return Ok(None),
            }
        }
        self.parse(&new).map_err(unreadable)?;
        Ok(Some(new))
    }

    /// Takes one entry out; none if that leaves nothing of the file.
    fn take_out(self, tree: &Tree<'_>, place: &Place<'_>) -> Option<Vec<Splice>> {
        let layout = Layout::of(tree);
        if self.kind == Kind::Grouped && handlers(place.group).len() > 1 {
            return Some(take(tree, place.group.get("hooks")?, &layout, place.handler));
        }
        let goes = |container: &Node| {
            container.spans().len() == 1 && !stood_empty(tree, container) && !has_comment(tree, container)
        };
        let hooks = tree.root.get("hooks")?;
        let list = if self.kind == Kind::Listed { hooks } else { hooks.get(place.event.name)? };
        if !goes(list) {
            return Some(take(tree, list, &layout, place.element));
        }
        if self.kind != Kind::Listed && !goes(hooks) {
            return Some(take(tree, hooks, &layout, position(hooks, place.event.name)?));
        }
        let at = position(&tree.root, "hooks")?;
        let last = tree.root.members().len().saturating_sub(1);
        if self.version().is_some() && tree.root.members().last()?.name == "version" && at.saturating_add(1) == last {
            return Some(take(tree, &tree.root, &layout, last));
        }
        let outside = tree.marks.iter().any(|mark| mark.start < tree.root.start || mark.end > tree.root.end);
        (!goes(&tree.root) || outside).then(|| take(tree, &tree.root, &layout, at))
    }

    /// The new text, if it can be read again.
    fn checked(self, text: &str, splices: Vec<Splice>) -> Result<String, String> {
        let new = apply(text, splices);
        self.parse(&new).map_err(unreadable)?;
        Ok(new)
    }

    /// Whether the entry stands there as `add` would write it.
    fn is_as_written(self, place: &Place<'_>, entry: &Entry) -> bool {
        match self.kind {
            Kind::Grouped => is_met(entry.event, place.group.get("matcher")) && place.node.value() == entry.value(),
            _ => {
                Tree::parse(&self.element(entry, "", "", "")).is_ok_and(|tree| tree.root.value() == place.group.value())
            }
        }
    }

    /// What stands in an event's list: the entry, in a group if there are groups.
    fn element(self, entry: &Entry, indent: &str, unit: &str, newline: &str) -> String {
        let inner = format!("{indent}{unit}");
        match self.kind {
            Kind::Grouped => {
                let handler = entry.text(&format!("{inner}{unit}"), unit, newline);
                let matcher = entry.event.matcher.map(|matcher| ("matcher", format!("\"{matcher}\"")));
                let hooks = ("hooks", list(&handler, &inner, unit, newline));
                object(matcher.into_iter().chain([hooks]), indent, unit, newline)
            }
            Kind::Listed => {
                let (mut outer, mut action) = (Vec::new(), Vec::new());
                for (name, value) in entry.members() {
                    let timeout = self.recipe.fields.timeout.contains(&name);
                    (if timeout { &mut outer } else { &mut action }).push((name, inline(&value)));
                }
                let mut members = vec![
                    ("name", format!("\"zerto-guard {}\"", entry.event.name)),
                    ("trigger", format!("\"{}\"", entry.event.name)),
                    ("action", object(action, &inner, unit, newline)),
                ];
                members.extend(outer);
                members.push(("enabled", "true".to_owned()));
                object(members, indent, unit, newline)
            }
            _ => entry.text(indent, unit, newline),
        }
    }

    fn elements(self, entry: &Entry, indent: &str, unit: &str, newline: &str) -> String {
        list(&self.element(entry, &format!("{indent}{unit}"), unit, newline), indent, unit, newline)
    }

    fn hooks(self, entry: &Entry, indent: &str, unit: &str, newline: &str) -> String {
        if self.kind == Kind::Listed {
            return self.elements(entry, indent, unit, newline);
        }
        let elements = self.elements(entry, &format!("{indent}{unit}"), unit, newline);
        object([(entry.event.name, elements)], indent, unit, newline)
    }

    fn whole(self, entry: &Entry, unit: &str, newline: &str) -> String {
        let hooks = ("hooks", self.hooks(entry, unit, unit, newline));
        let version = self.version().map(|version| ("version", version.to_string()));
        object([hooks].into_iter().chain(version), "", unit, newline)
    }
}

fn unreadable(why: String) -> String {
    format!("the new text would not be valid ({why}); nothing was changed")
}

fn position(container: &Node, name: &str) -> Option<usize> {
    container.members().iter().position(|member| member.name == name)
}

pub(super) fn handlers(group: &Node) -> &[Node] {
    group.get("hooks").map_or(&[], Node::elements)
}

/// Whether a group's matcher stands for all tools.
fn is_met(event: &Event, matcher: Option<&Node>) -> bool {
    let value = matcher.map(Node::value);
    value.as_ref().is_none_or(|value| value.as_str().is_some_and(|matcher| event.is_met_by(Some(matcher))))
}

#[cfg(test)]
#[path = "tests/settings.rs"]
mod tests;
