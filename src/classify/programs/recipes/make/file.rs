//! The statements of a Makefile: variables, rules, `conditionals`, files that it includes. Pure.
//!
//! Of a conditional both branches are read, as if each may be the one. Rules keep their recipes unread until a target is
//! asked for.

mod conditionals;

use super::super::{inside, read};
use super::lines::{Kind, defines, ends_open, first_word_off, kind, split_recipe, without_comment};
use super::values::{HOLE, Scope, Value, few};
use crate::classify::effect::{Effect, Facts};
use crate::classify::word::Word;
use crate::path::absolute;
use conditionals::Branches;
use std::collections::BTreeMap;

/// No file is included deeper.
const DEEPEST: usize = 16;

/// No Makefile makes more text, or is longer with all that it includes.
const MOST_BYTES: usize = 1 << 20;

/// A rule.
#[derive(Debug, Clone, Default)]
pub(super) struct Rule {
    pub targets: Vec<String>,
    /// Of a static pattern rule, what its targets have to fit.
    pub pattern: Option<String>,
    pub needs: Vec<String>,
    /// Lines as they stand there.
    pub recipe: Vec<String>,
    /// Whether another one may come first in its place.
    pub unsure: bool,
}

/// A variable that a target sets.
#[derive(Debug, Clone)]
pub(super) struct Own {
    pub name: String,
    pub operator: &'static str,
    pub value: String,
    /// Whether a condition may leave it as it is.
    pub unsure: bool,
}

/// What is known of a Makefile.
pub(super) struct Makefile<'m> {
    pub facts: &'m Facts<'m>,
    /// The folder in which make works.
    pub folder: String,
    /// What the command line sets.
    pub given: Vec<(String, String)>,
    pub goals: Vec<String>,
    pub variables: BTreeMap<String, Vec<Value>>,
    pub rules: Vec<Rule>,
    /// Variables of targets.
    pub own: Vec<(String, Own)>,
    pub exported: Vec<String>,
    pub exports_all: bool,
    pub phony: Vec<String>,
    pub one_shell: bool,
    pub expands_twice: bool,
    /// Whether files may be found in other folders.
    pub searches: bool,
    /// The files that were read, as make knows them.
    pub read: Vec<String>,
    /// Files that are included if they are there.
    pub wanted: Vec<String>,
    /// Folders in which included files are looked for.
    pub folders: Vec<String>,
    /// What runs, and is written, while it is read.
    pub effects: Vec<Effect>,
    /// What runs while it is read, with its holes.
    pub commands: Vec<String>,
    budget: usize,
    /// Variables that depend on nothing but the system.
    system: Vec<String>,
    /// The open conditionals: what was known before, and what each branch came to.
    open: Vec<Branches>,
    /// Whether the last statement was a rule, so that lines of a recipe may follow.
    in_rule: usize,
}

pub(super) const OPERATORS: &[&str] = &[":::=", "::=", ":=", "+=", "?=", "!=", "="];

impl<'m> Makefile<'m> {
    pub fn new(facts: &'m Facts<'m>, folder: String) -> Self {
        Self {
            facts,
            folder,
            given: vec![],
            goals: vec![],
            variables: BTreeMap::new(),
            rules: vec![],
            own: vec![],
            exported: vec![],
            exports_all: false,
            phony: vec![],
            one_shell: false,
            expands_twice: false,
            searches: false,
            read: vec![],
            wanted: vec![],
            folders: vec![],
            effects: vec![],
            commands: vec![],
            budget: MOST_BYTES,
            system: vec![],
            open: vec![],
            in_rule: 0,
        }
    }

    pub fn budget(&self) -> usize {
        self.budget
    }

    /// Counts text that was made.
    pub fn spend(&mut self, bytes: usize) -> Result<(), String> {
        self.budget = self.budget.saturating_sub(bytes.max(1));
        if self.budget == 0 { Err("the Makefile makes more text than is followed".into()) } else { Ok(()) }
    }

    /// Notes a command that runs while the Makefile is read.
    pub fn runs(&mut self, text: &str) {
        if !self.commands.iter().any(|known| known == text) {
            self.commands.push(text.to_owned());
        }
    }

    pub fn writes(&mut self, path: &str) {
        let path = if path.contains(HOLE) { Word::unknown() } else { Word::known_as(path) };
        self.effects.push(Effect::Writes(path));
    }

    /// Reads a file; false: it is not there.
    pub fn load(&mut self, name: &str, depth: usize) -> Result<bool, String> {
        let path = absolute(name, Some(&self.folder)).ok_or("where an included file lies is not known")?;
        let Some(text) = read(self.facts, &path)? else { return Ok(false) };
        if self.read.iter().filter(|known| *known == name).count() > 2 || depth > DEEPEST {
            return Err("the Makefile includes files deeper than is followed".into());
        }
        self.read.push(name.to_owned());
        self.spend(text.len())?;
        self.parse(&text, depth + 1)?;
        Ok(true)
    }

    /// Reads statements.
    pub fn parse(&mut self, text: &str, depth: usize) -> Result<(), String> {
        if depth > 40 {
            return Err("the Makefile is deeper in itself than is followed".into());
        }
        let (outer, open) = (std::mem::take(&mut self.in_rule), self.open.len());
        let text = text.replace("\r\n", "\n");
        let mut lines = text.split('\n');
        while let Some(first) = lines.next() {
            self.spend(first.len() / 4 + 4)?;
            let prefix = self.recipe_prefix();
            if self.in_rule > 0 && first.starts_with(prefix) {
                let mut whole = first.get(prefix.len_utf8()..).unwrap_or_default().to_owned();
                while ends_open(&whole) {
                    let Some(next) = lines.next() else { break };
                    whole.push('\n');
                    whole.push_str(next.strip_prefix(prefix).unwrap_or(next));
                }
                if !self.skips() {
                    self.add_line(&whole);
                }
                continue;
            }
            let mut whole = first.to_owned();
            while ends_open(&whole) {
                whole.pop();
                let Some(next) = lines.next() else { break };
                whole = format!("{} {}", whole.trim_end(), next.trim_start());
                self.spend(whole.len() / 16 + 1)?;
            }
            let line = whole.trim();
            if let Some((name, operator)) = defines(line) {
                let mut body: Vec<&str> = vec![];
                let mut deep = 1;
                loop {
                    let Some(next) = lines.next() else { return Err("a `define` of the Makefile has no end".into()) };
                    deep += usize::from(defines(next.trim()).is_some());
                    deep -= usize::from(
                        next.split_whitespace()
                            .next()
                            .is_some_and(|word| word == "endef" || word.starts_with("endef#")),
                    );
                    if deep == 0 {
                        break;
                    }
                    body.push(next);
                }
                if !self.skips() {
                    self.assign(&name, operator, &body.join("\n"), depth)?;
                }
                continue;
            }
            self.statement(line, depth)?;
        }
        if self.open.len() != open {
            return Err("a conditional of the Makefile has no end".into());
        }
        self.in_rule = outer;
        Ok(())
    }

    fn recipe_prefix(&self) -> char {
        let set = self.variables.get(".RECIPEPREFIX").and_then(|values| values.last());
        set.and_then(|value| value.text.chars().next()).unwrap_or('\t')
    }

    fn skips(&self) -> bool {
        self.open.iter().any(|branches| branches.skips)
    }

    fn add_line(&mut self, line: &str) {
        for rule in self.rules.iter_mut().rev().take(self.in_rule) {
            rule.recipe.push(line.to_owned());
        }
    }

    fn statement(&mut self, line: &str, depth: usize) -> Result<(), String> {
        let line = without_comment(line);
        let line = line.trim();
        if line.is_empty() {
            return Ok(());
        }
        let (word, rest) = line.split_once([' ', '\t']).map_or((line, ""), |(word, rest)| (word, rest.trim()));
        if self.conditional(word, rest, line, depth)? {
            return Ok(());
        }
        if self.skips() {
            return Ok(());
        }
        // A word of make's is one only if it isn't assigned to.
        let own = !OPERATORS.iter().any(|operator| rest.starts_with(operator)) && !rest.starts_with(':');
        match word {
            "include" | "-include" | "sinclude" if own => {
                self.in_rule = 0;
                return self.include(word, rest, depth);
            }
            "export" | "unexport" | "override" | "private" if own => {
                self.in_rule = 0;
                return self.modified(word, rest, depth);
            }
            "undefine" if own => {
                self.in_rule = 0;
                for name in self.one(rest, depth)?.split_whitespace() {
                    self.variables.remove(name);
                }
                return Ok(());
            }
            "vpath" if own => {
                self.in_rule = 0;
                self.searches = true;
                self.expand(rest, &Scope::default(), depth)?;
                return Ok(());
            }
            "load" | "-load" if own => return Err("the Makefile loads a program".into()),
            _ => {}
        }
        match kind(line) {
            Kind::Assignment(name, operator, value) => {
                self.in_rule = 0;
                self.assign(name, operator, value, depth)
            }
            Kind::Rule(targets, rest) => self.rule(targets, rest, depth),
            Kind::Other => {
                // What a call of a template or a condition comes to is read in its place.
                for text in self.expand(line, &Scope::default(), depth)? {
                    let text = text.trim().to_owned();
                    // A command that stands alone is there for what it does; what it prints would seldom be a statement.
                    let printed = line.contains("$(shell") && text.trim_matches(HOLE).trim().is_empty();
                    if text.is_empty() || printed {
                        continue;
                    }
                    match text.split_once(':') {
                        Some((targets, rest)) if !text.contains('$') => self.rule(targets, rest, depth)?,
                        _ => {
                            return Err(format!(
                                "what `{}` makes of the Makefile is not known",
                                line.replace(HOLE, "…")
                            ));
                        }
                    }
                }
                Ok(())
            }
        }
    }

    /// What a text comes to, if it has one reading only.
    fn one(&mut self, text: &str, depth: usize) -> Result<String, String> {
        match self.expand(text, &Scope::default(), depth)?.as_slice() {
            [one] => Ok(one.clone()),
            _ => Err(format!("what `{text}` in the Makefile comes to depends on its conditions")),
        }
    }

    fn include(&mut self, word: &str, rest: &str, depth: usize) -> Result<(), String> {
        for names in self.expand(rest, &Scope::default(), depth)? {
            if names.contains(HOLE) && names.split_whitespace().any(|name| name.trim_matches(HOLE).is_empty()) {
                return Err("which files the Makefile includes is not known".into());
            }
            for name in names.split_whitespace() {
                // Lists of what a compiler has seen say only what depends on what.
                if name.contains([HOLE, '*', '?', '[']) {
                    if name.ends_with(".d") {
                        self.wanted.push(name.to_owned());
                        continue;
                    }
                    return Err(format!(
                        "which files `{}` of the Makefile includes is not known",
                        name.replace(HOLE, "…")
                    ));
                }
                let home = name.strip_prefix("~/").map(|rest| (self.facts.home, rest));
                let name = match home {
                    Some((Some(home), rest)) => inside(home, rest),
                    None if !name.starts_with('~') => name.to_owned(),
                    _ => return Err(format!("where {name} lies, which the Makefile includes, is not known")),
                };
                let name = name.as_str();
                let mut found = self.load(name, depth)?;
                if !found && !name.starts_with('/') {
                    let usual = ["/usr/gnu/include", "/usr/local/include", "/usr/include"].map(str::to_owned);
                    for folder in self.folders.clone().into_iter().chain(usual) {
                        found = found || self.load(&inside(&folder, name), depth)?;
                    }
                }
                if !found {
                    self.wanted.push(name.to_owned());
                    // Unless a rule makes it, make ends here: what such a rule runs counts.
                    if word == "include" {
                        continue;
                    }
                }
            }
        }
        Ok(())
    }

    /// `export X = y`, `override X = y` and the like.
    fn modified(&mut self, word: &str, rest: &str, depth: usize) -> Result<(), String> {
        if rest.is_empty() {
            self.exports_all |= word == "export";
            return Ok(());
        }
        let first = rest.split_whitespace().next().unwrap_or_default();
        if matches!(first, "export" | "override" | "private" | "unexport") {
            let inner = rest.strip_prefix(first).unwrap_or_default().trim();
            if word == "export" || first == "export" {
                let name = inner.split(|c: char| c.is_whitespace() || ":+?!=".contains(c)).next().unwrap_or_default();
                self.exported.push(name.to_owned());
            }
            return self.modified(first, inner, depth);
        }
        if let Kind::Assignment(name, operator, value) = kind(rest) {
            if word == "export" {
                self.exported.push(name.trim().to_owned());
            }
            return self.assign(name, operator, value, depth);
        }
        for names in self.expand(rest, &Scope::default(), depth)? {
            if word == "export" {
                self.exported.extend(names.split_whitespace().map(str::to_owned));
            }
        }
        Ok(())
    }

    pub fn assign(&mut self, name: &str, operator: &str, value: &str, depth: usize) -> Result<(), String> {
        let names = self.expand(name.trim(), &Scope::default(), depth)?;
        let name = match names.as_slice() {
            [name] if !name.contains(HOLE) && !name.trim().is_empty() => name.trim().to_owned(),
            _ => return Err(format!("which variable `{}` of the Makefile is, is not known", name.replace(HOLE, "…"))),
        };
        // What only depends on the system is remembered as such; what may come from elsewhere is not.
        self.system.retain(|known| *known != name);
        if matches!(operator, "=" | ":=" | "::=")
            && value.contains('$')
            && self.asks_system(value)
            && self.open.is_empty()
        {
            self.system.push(name.clone());
        }
        let simple = |texts: Vec<String>| texts.iter().map(|text| Value::plain(text)).collect::<Vec<_>>();
        let new = match operator {
            "?=" if self.values(&name)?.is_some() && !super::is_built_in_only(self, &name) => return Ok(()),
            "=" | "?=" => vec![Value { text: value.into(), recursive: true }],
            "!=" => {
                for text in self.expand(value, &Scope::default(), depth)? {
                    self.runs(&text);
                }
                vec![Value::plain(&HOLE.to_string())]
            }
            "+=" => {
                let mut all = vec![];
                for old in self.values(&name)?.unwrap_or_default() {
                    let more = if old.recursive {
                        vec![value.to_owned()]
                    } else {
                        self.expand_or_hole(value, &Scope::default(), depth)?
                    };
                    for more in more {
                        self.spend(old.text.len() / 4 + more.len())?;
                        all.push(Value {
                            text: format!("{} {more}", old.text).trim_start().into(),
                            recursive: old.recursive,
                        });
                    }
                }
                if all.is_empty() {
                    all.push(Value { text: value.into(), recursive: true });
                }
                all
            }
            _ => simple(self.expand_or_hole(value, &Scope::default(), depth)?),
        };
        self.variables.insert(name, if new.len() > 12 { vec![Value::plain(&HOLE.to_string())] } else { new });
        Ok(())
    }

    fn rule(&mut self, targets: &str, rest: &str, depth: usize) -> Result<(), String> {
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        // A variable that a target has for itself and for all that it needs.
        if let Kind::Assignment(name, operator, value) = kind(first_word_off(rest)) {
            self.in_rule = 0;
            if rest.trim_start().starts_with("export") {
                self.exported.push(name.trim().to_owned());
            }
            let own = Own { name: name.to_owned(), operator, value: value.to_owned(), unsure: !self.open.is_empty() };
            for targets in self.expand(targets, &Scope::default(), depth)? {
                self.own.extend(targets.split_whitespace().map(|target| (target.to_owned(), own.clone())));
            }
            return Ok(());
        }
        let (needs, first) = match split_recipe(rest) {
            Some((needs, first)) => (needs, Some(first)),
            None => (rest, None),
        };
        let targets_read = few(self.expand(targets, &Scope::default(), depth)?)?;
        let needs = self.expand(needs, &Scope::default(), depth)?;
        let unsure = !self.open.is_empty() || targets_read.len() > 1;
        self.in_rule = 0;
        for targets in &targets_read {
            for needs in &needs {
                self.add_rule(targets, needs, unsure);
            }
        }
        if let Some(first) = first {
            self.add_line(first.trim_start());
        }
        Ok(())
    }

    fn add_rule(&mut self, targets: &str, needs: &str, unsure: bool) {
        let targets = targets.trim().trim_end_matches('&').replace("\\#", "#");
        let mut rule = Rule { unsure, ..Rule::default() };
        rule.targets = targets.split_whitespace().map(|word| word.trim_start_matches("./").to_owned()).collect();
        let (pattern, needs) = match needs.split_once(':') {
            Some((pattern, needs)) if pattern.contains('%') => (Some(pattern.trim().to_owned()), needs),
            _ => (None, needs),
        };
        rule.pattern = pattern;
        let needs = needs.replace('|', " ");
        rule.needs = needs.split_whitespace().filter(|word| *word != ".WAIT").map(str::to_owned).collect();
        match rule.targets.first().map(String::as_str) {
            Some(".PHONY") => self.phony.extend(rule.needs.iter().cloned()),
            Some(".ONESHELL") => self.one_shell = true,
            Some(".SECONDEXPANSION") => self.expands_twice = true,
            Some(".EXPORT_ALL_VARIABLES") => self.exports_all = true,
            _ => {}
        }
        // `.c.o:` is how `%.o: %.c` was written once.
        if let [one] = rule.targets.as_slice()
            && let Some(suffixes) =
                one.strip_prefix('.').filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
            && !suffixes.contains('/')
            && rule.needs.is_empty()
        {
            let (from, to) =
                suffixes.split_once('.').map_or((suffixes, String::new()), |(from, to)| (from, format!(".{to}")));
            rule.needs = vec![format!("%.{from}")];
            rule.targets = vec![format!("%{to}")];
        }
        self.rules.push(rule);
        self.in_rule += 1;
    }
}
