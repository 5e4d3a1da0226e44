//! What stands in a settings file, as far as a guard's life depends on it. Text in, values out.
//!
//! Must not: judge what it finds.

use super::change::{Content, Started};
use super::entry::{self, Kin};
use super::recipe::{Event, Recipe, When};
use super::settings::{Json, Place, handlers};
use super::tree::{Node, Tree};
use super::{Kind, requirements, schema, script};
use serde_json::Value;

/// What stands there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inspection {
    /// Our entries, those before a call and those after.
    pub ours: Vec<Found>,
    /// Those that start our program before a tool call, but not as `hook`.
    pub misused: Vec<Found>,
    /// Other hooks before a tool call.
    pub others: Vec<Found>,
    /// What switches all hooks off, or ours.
    pub disabled: Option<&'static str>,
    /// `allowManagedHooksOnly` is true, which counts in managed settings.
    pub managed_only: bool,
    /// The names in `env`.
    pub env: Vec<String>,
    /// Entries for which the host drops the whole file in silence.
    pub faults: Vec<String>,
}

impl Inspection {
    /// Our entries of that moment.
    pub fn at(&self, when: When) -> impl Iterator<Item = &Found> {
        self.ours.iter().filter(move |found| found.event.when == when)
    }

    /// Whether there is one that guards.
    #[must_use]
    pub fn guards(&self) -> bool {
        self.at(When::Before).next().is_some()
    }
}

/// A hook's entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// At which event it is called.
    pub event: &'static Event,
    /// Which tools it is called for.
    pub matcher: Option<String>,
    /// Its command line, or the program.
    pub command: String,
    /// `args`: it is started without a shell.
    pub args: Option<Vec<String>>,
    /// The time limit, in seconds.
    pub timeout: Option<f64>,
    /// What `install` always writes, and what is missing or has another value here.
    pub missing: Vec<&'static str>,
    /// What `install` never writes, in words: another type, another field.
    pub strange: Vec<String>,
    /// The line in which it begins.
    pub line: usize,
    /// Where it stands among the groups of its event, and in its group.
    pub position: (usize, usize),
    /// All of it; nothing where it is no JSON.
    pub value: Value,
}

impl Found {
    /// Whether it is called for every tool.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.event.is_met_by(self.matcher.as_deref())
    }

    /// Whether an entry of Claude Code's says that a failing hook stops the call.
    #[must_use]
    pub fn blocks_on_failure(&self) -> bool {
        !self.missing.contains(&"onFailure")
    }

    /// The program and its arguments, where the entry is of a kind that `install` writes.
    #[must_use]
    pub fn words(&self) -> Option<Vec<String>> {
        match &self.args {
            Some(args) => Some(std::iter::once(&self.command).chain(args).cloned().collect()),
            None => entry::shell_words(&self.command),
        }
    }

    /// Whether its shell text stops the call whatever becomes of the hook.
    #[must_use]
    pub fn falls_back(&self) -> bool {
        self.args.is_none() && self.command.ends_with(entry::STOPS)
    }
}

/// Looks at a settings file.
///
/// # Errors
/// As for [`super::change::add`].
pub fn inspect(text: &str, recipe: &'static Recipe, kind: Kind, own: &str) -> Result<Inspection, String> {
    match kind {
        Kind::Toml => return requirements::inspect(text, recipe, own),
        Kind::Script => return Ok(script::inspect(text, recipe)),
        Kind::Grouped | Kind::Flat | Kind::Listed => {}
    }
    let json = Json { recipe, kind };
    let tree = json.parse(text)?;
    let places = json.all(&tree)?;
    json.version_fault(&tree).map_or(Ok(()), Err)?;
    let is_true = |name: &str| tree.root.get(name).is_some_and(|node| node.value() == true);
    let mut seen = Inspection {
        disabled: if is_true("disableAllHooks") { Some("`disableAllHooks` is true") } else { off(&tree, own) },
        managed_only: is_true("allowManagedHooksOnly"),
        env: tree
            .root
            .get("env")
            .map(|env| env.members().iter().map(|member| member.name.clone()).collect())
            .unwrap_or_default(),
        ..Inspection::default()
    };
    if recipe.host == crate::hosts::Host::ClaudeCode {
        seen.faults = faults(&tree);
    }
    for place in &places {
        let found = || found(&tree, json, place);
        match (json.kin(place.node, own), place.event.when) {
            (Kin::Ours, _) => seen.ours.push(found()),
            (Kin::Misused, When::Before) => seen.misused.push(found()),
            (Kin::Foreign, When::Before) => seen.others.push(found()),
            _ => {}
        }
    }
    Ok(seen)
}

/// What switches hooks off in Gemini CLI (its documents, `docs/reference/configuration.md`).
fn off(tree: &Tree<'_>, own: &str) -> Option<&'static str> {
    let config = tree.root.get("hooksConfig")?;
    if config.get("enabled").is_some_and(|enabled| enabled.value() == false) {
        return Some("`hooksConfig.enabled` is false");
    }
    let listed = config
        .get("disabled")?
        .elements()
        .iter()
        .any(|name| name.value().as_str().is_some_and(|command| Kin::of_text(command, own) == Kin::Ours));
    listed.then_some("`hooksConfig.disabled` lists it")
}

/// What Claude Code drops a file for.
fn faults(tree: &Tree<'_>) -> Vec<String> {
    let mut faults = schema::of_settings(tree);
    for member in tree.root.get("hooks").map_or(&[][..], Node::members) {
        for group in member.value.elements() {
            faults.extend(schema::of_group(tree, group));
            faults.extend(handlers(group).iter().flat_map(|handler| schema::of_handler(tree, handler)));
        }
    }
    faults
}

fn found(tree: &Tree<'_>, json: Json, place: &Place<'_>) -> Found {
    let fields = &json.recipe.fields;
    let text = |node: &Node, name: &str| node.get(name).map(Node::value).and_then(|v| v.as_str().map(str::to_owned));
    let word = |node: &Node| node.value().as_str().unwrap_or_default().to_owned();
    let (group, node) = (place.group, place.node);
    let holder = if json.kind == Kind::Listed { group } else { node };
    let timeout = fields.timeout.first().and_then(|name| holder.get(name)).and_then(|node| node.value().as_f64());
    let known = entry::names(fields);
    let around = ["name", "trigger", "action", "enabled", "matcher", "hooks"];
    let mut strange = Vec::new();
    if let Some(kind) = node.get("type").map(Node::value).filter(|kind| kind != "command") {
        strange.push(format!("its type is {}, not \"command\"", crate::text::clean(&kind.to_string(), 60)));
    }
    if group.get("enabled").is_some_and(|enabled| enabled.value() != true) {
        strange.push("`enabled` is not true".to_owned());
    }
    for member in node.members().iter().chain(if json.kind == Kind::Listed { group.members() } else { &[] }) {
        let is_around =
            (json.kind == Kind::Listed || json.kind == Kind::Flat) && around.contains(&member.name.as_str());
        if !known.contains(&member.name.as_str()) && !is_around {
            let (name, value) = (&member.name, member.value.value());
            strange.push(format!(
                "`{}` is {}",
                crate::text::clean(name, 60),
                crate::text::clean(&value.to_string(), 80)
            ));
        }
    }
    let fixed = fields.more.iter().filter(|_| place.event.when == When::Before);
    let missing = fixed.filter(|(name, value)| node.get(name).is_none_or(|node| node.value() != value.value()));
    Found {
        event: place.event,
        // One that is no text matches who knows what.
        matcher: text(group, "matcher").or_else(|| group.get("matcher").map(|matcher| matcher.value().to_string())),
        command: text(node, fields.command).unwrap_or_default(),
        args: node.get("args").filter(|args| args.is_array()).map(|args| args.elements().iter().map(word).collect()),
        timeout: timeout.map(|number| fields.unit.in_seconds(number)),
        missing: missing.map(|(name, _)| *name).collect(),
        strange,
        line: tree.line(node.start),
        position: (place.element, place.handler),
        value: node.value(),
    }
}

/// The entries of a file that is all ours or holds a block of ours.
pub(super) fn of_content(content: Option<Content>, recipe: &'static Recipe) -> Inspection {
    let entries = content.into_iter().flat_map(|content| content.0);
    let found = entries.filter_map(|Started { event, command, timeout, strange, line }| {
        Some(Found {
            event: recipe.event(&event)?,
            matcher: None,
            command,
            args: None,
            timeout,
            missing: Vec::new(),
            strange,
            line,
            position: (0, 0),
            value: Value::Null,
        })
    });
    Inspection { ours: found.collect(), ..Inspection::default() }
}
