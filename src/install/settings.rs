//! Claude Code's settings: the entry put in or taken out, and what else stands there. Text in, text out.
//!
//! Owns: where in `hooks` an entry belongs, and which empty lists and objects go with it. Must not: read or write a file.

use super::entry::{Entry, Kin, When, list, object};
use super::schema;
use super::splice::{self, Layout, apply, has_comment, put, stood_empty, take};
use super::tree::{Node, Tree};

/// What becomes of a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Nothing: it is as it should be.
    None,
    /// This is its new text.
    Write(String),
    /// It held nothing else, and goes.
    Remove,
}

/// Puts the entries into the settings, or brings those that stand there up to date. No text: there is no such file.
///
/// # Errors
/// The settings can't be read, or not be understood where an entry belongs; nothing is guessed then.
pub fn add(text: Option<&str>, entries: &[Entry]) -> Result<Change, String> {
    let mut new = text.map(str::to_owned);
    for entry in entries {
        match add_one(new.as_deref(), entry)? {
            Change::None => {}
            Change::Write(text) => new = Some(text),
            Change::Remove => return Err("an entry could not be put in".into()),
        }
    }
    Ok(match new {
        Some(new) if text != Some(new.as_str()) => Change::Write(new),
        _ => Change::None,
    })
}

fn add_one(text: Option<&str>, entry: &Entry) -> Result<Change, String> {
    let Some(text) = text else {
        return Ok(Change::Write(format!("{}\n", all(entry, "", "  ", "\n"))));
    };
    let tree = Tree::parse(text)?;
    let layout = Layout::of(&tree);
    let mut places = check(&tree, &entry.command)?;
    places.retain(|place| place.when == entry.when);
    if let [only] = places.as_slice()
        && let Some(group) = group(&tree, only)
        && let Some(handler) = handlers(group).get(only.handler)
    {
        if is_met(entry.when, group.get("matcher")) {
            if handler.value() == entry.value() {
                return Ok(Change::None);
            }
            let indent = splice::line_indent(text, handler.start);
            let new = entry.text(indent, &layout.unit, layout.newline);
            return changed(text, apply(text, vec![splice::Splice::new(handler.start, handler.end, new)]));
        }
        if handlers(group).len() == 1 {
            let indent = splice::line_indent(text, group.start);
            let new = one_group(entry, indent, &layout.unit, layout.newline);
            return changed(text, apply(text, vec![splice::Splice::new(group.start, group.end, new)]));
        }
    }
    if !places.is_empty() {
        // Several, or one that shares its group with another matcher: all go, and one comes.
        return match remove_of(text, &entry.command, &[entry.when])? {
            Change::Write(without) => add_one(Some(&without), entry),
            Change::Remove => add_one(None, entry),
            Change::None => Err("an older entry could not be taken out".into()),
        };
    }
    let (unit, newline) = (layout.unit.as_str(), layout.newline);
    let event = entry.when.event();
    let splices = match (tree.root.get("hooks"), tree.root.get("hooks").and_then(|hooks| hooks.get(event))) {
        (_, Some(list)) => put(&tree, list, &layout, |indent| one_group(entry, indent, unit, newline)),
        (Some(hooks), None) => {
            put(&tree, hooks, &layout, |indent| format!("\"{event}\": {}", groups(entry, indent, unit, newline)))
        }
        (None, None) => {
            put(&tree, &tree.root, &layout, |indent| format!("\"hooks\": {}", events(entry, indent, unit, newline)))
        }
    };
    changed(text, apply(text, splices))
}

/// Takes all entries that are ours out of the settings, with the lists and objects that `add` had to make for them.
///
/// # Errors
/// As for [`add`].
pub fn remove(text: &str, own: &str) -> Result<Change, String> {
    // In the opposite order in which they are put in.
    remove_of(text, own, &[When::After, When::Before])
}

fn remove_of(text: &str, own: &str, events: &[When]) -> Result<Change, String> {
    let mut new = text.to_owned();
    loop {
        let tree = Tree::parse(&new)?;
        let places = check(&tree, own)?;
        let first = events.iter().find_map(|when| places.iter().find(|place| place.when == *when));
        let Some(place) = first.copied() else { break };
        match take_out(&tree, &place) {
            Some(splices) => {
                let next = apply(&new, splices);
                if next == new {
                    return Err("an entry could not be taken out".into());
                }
                new = next;
            }
            None => return Ok(Change::Remove),
        }
    }
    changed(text, new)
}

/// A last look: the new text has to be one that can be read again.
fn changed(old: &str, new: String) -> Result<Change, String> {
    if old == new {
        return Ok(Change::None);
    }
    Tree::parse(&new).map_err(|why| format!("the new text would not be valid ({why}); nothing was changed"))?;
    Ok(Change::Write(new))
}

/// Where an entry stands among those of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    when: When,
    group: usize,
    handler: usize,
}

/// Looks at the whole of `hooks`: where our entries are.
fn check(tree: &Tree, own: &str) -> Result<Vec<Place>, String> {
    let wrong =
        |node: &Node, what: &str, kind: &str| Err(format!("line {}: {what} is no {kind}", tree.line(node.start)));
    if !tree.root.is_object() {
        return wrong(&tree.root, "the whole", "object");
    }
    let Some(hooks) = tree.root.get("hooks") else { return Ok(Vec::new()) };
    if !hooks.is_object() {
        return wrong(hooks, "`hooks`", "object");
    }
    let mut places = Vec::new();
    for member in hooks.members() {
        let event = crate::text::clean(&member.name, 60);
        if !member.value.is_array() {
            return wrong(&member.value, &format!("`hooks.{event}`"), "list");
        }
        for (at, group) in member.value.elements().iter().enumerate() {
            if !group.is_object() {
                return wrong(group, &format!("`hooks.{event}[{at}]`"), "object");
            }
            match group.get("hooks") {
                Some(list) if list.is_array() => {}
                Some(list) => return wrong(list, &format!("`hooks.{event}[{at}].hooks`"), "list"),
                None => {
                    return Err(format!("line {}: `hooks.{event}[{at}]` has no list `hooks`", tree.line(group.start)));
                }
            }
            for (handler, node) in handlers(group).iter().enumerate() {
                if let Some(when) = event_of(&member.name)
                    && Kin::of(node, own) == Kin::Ours
                {
                    places.push(Place { when, group: at, handler });
                }
            }
        }
    }
    Ok(places)
}

/// Takes one entry out; none if that leaves nothing of the file.
fn take_out(tree: &Tree, place: &Place) -> Option<Vec<splice::Splice>> {
    let layout = Layout::of(tree);
    let group = group(tree, place)?;
    let list = group.get("hooks")?;
    if list.elements().len() > 1 {
        return Some(take(tree, list, &layout, place.handler));
    }
    let hooks = tree.root.get("hooks")?;
    let event = hooks.get(place.when.event())?;
    let goes = |container: &Node| {
        container.spans().len() == 1 && !stood_empty(tree, container) && !has_comment(tree, container)
    };
    if !goes(event) {
        return Some(take(tree, event, &layout, place.group));
    }
    if !goes(hooks) {
        let at = hooks.members().iter().position(|member| member.name == place.when.event())?;
        return Some(take(tree, hooks, &layout, at));
    }
    let outside = tree.marks.iter().any(|mark| mark.start < tree.root.start || mark.end > tree.root.end);
    if !goes(&tree.root) || outside {
        let at = tree.root.members().iter().position(|member| member.name == "hooks")?;
        return Some(take(tree, &tree.root, &layout, at));
    }
    None
}

fn group<'t>(tree: &'t Tree, place: &Place) -> Option<&'t Node> {
    tree.root.get("hooks")?.get(place.when.event())?.elements().get(place.group)
}

fn handlers(group: &Node) -> &[Node] {
    group.get("hooks").map_or(&[], Node::elements)
}

/// The event of ours that has this name.
fn event_of(name: &str) -> Option<When> {
    When::ALL.into_iter().find(|when| when.event() == name)
}

/// Whether a group's matcher stands for the tools for which the hook has to be called.
fn is_met(when: When, matcher: Option<&Node>) -> bool {
    let value = matcher.map(Node::value);
    value.as_ref().is_none_or(|value| value.as_str().is_some_and(|matcher| when.is_met_by(Some(matcher))))
}

fn one_group(entry: &Entry, indent: &str, unit: &str, newline: &str) -> String {
    let inner = format!("{indent}{unit}");
    let handler = entry.text(&format!("{inner}{unit}"), unit, newline);
    let matcher = format!("\"{}\"", entry.when.matcher());
    let members = [("matcher", matcher), ("hooks", list(&handler, &inner, unit, newline))];
    object(members, indent, unit, newline)
}

fn groups(entry: &Entry, indent: &str, unit: &str, newline: &str) -> String {
    list(&one_group(entry, &format!("{indent}{unit}"), unit, newline), indent, unit, newline)
}

fn events(entry: &Entry, indent: &str, unit: &str, newline: &str) -> String {
    object([(entry.when.event(), groups(entry, &format!("{indent}{unit}"), unit, newline))], indent, unit, newline)
}

fn all(entry: &Entry, indent: &str, unit: &str, newline: &str) -> String {
    object([("hooks", events(entry, &format!("{indent}{unit}"), unit, newline))], indent, unit, newline)
}

/// What stands in a settings file, as far as a guard's life depends on it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inspection {
    /// Our entries before a tool call.
    pub ours: Vec<Found>,
    /// Our entries after one.
    pub after: Vec<Found>,
    /// Those that start our program before a tool call, but not as `hook`.
    pub misused: Vec<Found>,
    /// Other hooks before a tool call.
    pub others: Vec<Found>,
    /// `disableAllHooks` is true.
    pub disabled: bool,
    /// `allowManagedHooksOnly` is true, which counts in managed settings.
    pub managed_only: bool,
    /// The names in `env`.
    pub env: Vec<String>,
    /// Entries for which the host drops the whole file in silence.
    pub faults: Vec<String>,
}

/// A hook's entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Which tools it is called for.
    pub matcher: Option<String>,
    /// `command`.
    pub command: String,
    /// `args`: it is started without a shell.
    pub args: Option<Vec<String>>,
    /// `timeout`, in seconds.
    pub timeout: Option<f64>,
    /// `onFailure` is `block`.
    pub blocks_on_failure: bool,
    /// What `install` never writes, in words: another type, another field.
    pub strange: Vec<String>,
    /// The line in which it begins.
    pub line: usize,
}

impl Found {
    /// Whether it is called for every tool for which it has to be.
    #[must_use]
    pub fn is_met(&self, when: When) -> bool {
        when.is_met_by(self.matcher.as_deref())
    }
}

/// Looks at a settings file.
///
/// # Errors
/// As for [`add`].
pub fn inspect(text: &str, own: &str) -> Result<Inspection, String> {
    let tree = Tree::parse(text)?;
    check(&tree, own)?;
    let is_true = |name: &str| tree.root.get(name).is_some_and(|node| node.value() == true);
    let mut seen = Inspection {
        faults: schema::of_settings(&tree),
        disabled: is_true("disableAllHooks"),
        managed_only: is_true("allowManagedHooksOnly"),
        env: tree
            .root
            .get("env")
            .map(|env| env.members().iter().map(|member| member.name.clone()).collect())
            .unwrap_or_default(),
        ..Inspection::default()
    };
    for member in tree.root.get("hooks").map_or(&[][..], Node::members) {
        for group in member.value.elements() {
            seen.faults.extend(schema::of_group(&tree, group));
            for handler in handlers(group) {
                seen.faults.extend(schema::of_handler(&tree, handler));
                let found = || found(&tree, group, handler);
                match (event_of(&member.name), Kin::of(handler, own)) {
                    (Some(When::Before), Kin::Ours) => seen.ours.push(found()),
                    (Some(When::Before), Kin::Misused) => seen.misused.push(found()),
                    (Some(When::Before), Kin::Foreign) => seen.others.push(found()),
                    (Some(When::After), Kin::Ours) => seen.after.push(found()),
                    (Some(When::After), _) | (None, _) => {}
                }
            }
        }
    }
    Ok(seen)
}

fn found(tree: &Tree, group: &Node, handler: &Node) -> Found {
    let text = |node: &Node, name: &str| node.get(name).map(Node::value).and_then(|v| v.as_str().map(str::to_owned));
    let word = |node: &Node| node.value().as_str().unwrap_or_default().to_owned();
    Found {
        // One that is no text matches who knows what.
        matcher: text(group, "matcher").or_else(|| group.get("matcher").map(|matcher| matcher.value().to_string())),
        command: text(handler, "command").unwrap_or_default(),
        args: handler.get("args").filter(|args| args.is_array()).map(|args| args.elements().iter().map(word).collect()),
        timeout: handler.get("timeout").and_then(|timeout| timeout.value().as_f64()),
        blocks_on_failure: handler.get("onFailure").is_some_and(|node| node.value() == "block"),
        strange: strange(handler),
        line: tree.line(handler.start),
    }
}

/// What of an entry `install` never writes. Some of it keeps the host from calling the hook, or from heeding it.
fn strange(handler: &Node) -> Vec<String> {
    let mut strange = Vec::new();
    if let Some(kind) = handler.get("type").map(Node::value).filter(|kind| kind != "command") {
        strange.push(format!("its type is {}, not \"command\"", crate::text::clean(&kind.to_string(), 60)));
    }
    for member in handler.members().iter().filter(|member| !Entry::NAMES.contains(&member.name.as_str())) {
        let (name, value) = (&member.name, member.value.value());
        strange.push(format!("`{}` is {}", crate::text::clean(name, 60), crate::text::clean(&value.to_string(), 80)));
    }
    strange
}

#[cfg(test)]
#[path = "tests/settings.rs"]
mod tests;
