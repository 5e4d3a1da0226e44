//! Which rules a target needs, and what their recipes run. Pure.

use super::file::{Makefile, Rule};
use super::functions::stem;
use super::values::{HOLE, Scope};
use super::{shell, shown};
use crate::classify::Found;
use crate::classify::effect::{Command, Effect};
use crate::classify::word::Word;
use crate::path::absolute;
use std::collections::BTreeMap;

/// No target stands deeper in what others need.
const DEEPEST: usize = 60;

/// No more targets are followed.
const MOST_TARGETS: usize = 2_000;

/// Sources from which make's own rules build something.
const SOURCES: &[&str] = &["c", "cc", "cpp", "C", "f", "F", "s", "S", "p", "y", "l", "r"];

struct Goals<'g, 'm> {
    file: &'g mut Makefile<'m>,
    rules: Vec<Rule>,
    /// Which rules name a target; `open`: those with one of which not all is known.
    index: BTreeMap<String, Vec<usize>>,
    open: Vec<usize>,
    command: &'g Command,
    effects: Vec<Effect>,
    /// What was made, and which of the targets' own variables held then.
    seen: Vec<(String, Vec<usize>)>,
    /// Which of the targets' own variables hold.
    active: Vec<usize>,
    dry: bool,
    /// Whether it is make's own files that are made.
    remaking: bool,
}

/// What the goals run.
pub(super) fn effects(file: &mut Makefile, command: &Command, dry: bool) -> Result<Vec<Effect>, String> {
    let rules = file.rules.clone();
    let (mut index, mut open): (BTreeMap<String, Vec<usize>>, Vec<usize>) = (BTreeMap::new(), vec![]);
    for (nr, rule) in rules.iter().enumerate() {
        for target in &rule.targets {
            if target.contains(HOLE) {
                open.push(nr);
            } else {
                index.entry(target.clone()).or_default().push(nr);
            }
        }
    }
    // Files of make's own are made anew first, whatever else it is told.
    let made: Vec<String> = file.read.iter().chain(&file.wanted).cloned().collect();
    let mut goals = Goals {
        file,
        rules,
        index,
        open,
        command,
        effects: vec![],
        seen: vec![],
        active: vec![],
        dry: false,
        remaking: true,
    };
    for name in made {
        goals.target(&name, 1)?;
    }
    goals.dry = dry;
    goals.remaking = false;
    goals.seen.clear();
    let wanted = goals.file.goals.clone();
    let wanted = if wanted.is_empty() { goals.defaults()? } else { wanted };
    for name in wanted {
        goals.target(&name, 0)?;
    }
    Ok(goals.effects)
}

impl Goals<'_, '_> {
    /// What is made where nothing is named: the first target, and each that may come first.
    fn defaults(&mut self) -> Result<Vec<String>, String> {
        if self.file.values(".DEFAULT_GOAL")?.is_some() {
            let names = self.file.variable(".DEFAULT_GOAL", &Scope::default(), 0)?;
            let names: Vec<String> = names.into_iter().filter(|name| !name.trim().is_empty()).collect();
            if names.iter().any(|name| name.contains(HOLE)) {
                return Err("which target is the Makefile's default is not known".into());
            }
            if !names.is_empty() {
                return Ok(names);
            }
        }
        let mut all = vec![];
        for rule in &self.rules {
            let first =
                rule.targets.iter().find(|name| !name.contains('%') && (!name.starts_with('.') || name.contains('/')));
            if let Some(first) = first {
                all.push(first.clone());
                if !rule.unsure && !first.contains(HOLE) {
                    break;
                }
            }
        }
        if all.is_empty() { Err("the Makefile has no target".into()) } else { Ok(all) }
    }

    fn target(&mut self, name: &str, depth: usize) -> Result<(), String> {
        let name = name.trim_start_matches("./");
        if depth > DEEPEST || self.seen.len() > MOST_TARGETS {
            return Err("its targets need more targets than are followed".into());
        }
        self.file.spend(64)?;
        // What a target sets for itself holds for all that it needs.
        let fits = |target: &str| may_be(name, target) || fitting(target, name).is_some();
        let own: Vec<usize> = (0..self.file.own.len())
            .filter(|nr| self.file.own.get(*nr).is_some_and(|(target, _)| fits(target)))
            .filter(|nr| !self.active.contains(nr))
            .collect();
        if own.is_empty() {
            return self.once(name, depth);
        }
        let before = self.file.variables.clone();
        self.file.spend(before.len() * 16)?;
        let active = self.active.len();
        for nr in own {
            let Some((_, own)) = self.file.own.get(nr).cloned() else { continue };
            let kept = if own.unsure { self.file.values(own.name.trim())?.unwrap_or_default() } else { vec![] };
            self.file.assign(&own.name, own.operator, &own.value, 0)?;
            self.file.variables.entry(own.name.trim().to_owned()).or_default().extend(kept);
            self.active.push(nr);
        }
        let done = self.once(name, depth);
        self.active.truncate(active);
        self.file.variables = before;
        done
    }

    /// The same, unless it was made already with the same variables.
    fn once(&mut self, name: &str, depth: usize) -> Result<(), String> {
        let key = (name.to_owned(), self.active.clone());
        if self.seen.contains(&key) {
            return Ok(());
        }
        self.seen.push(key);
        let mut has_recipe = false;
        let mut has_rule = false;
        let open = name.contains(HOLE);
        let candidates: Vec<usize> = if open {
            (0..self.rules.len()).collect()
        } else {
            // What the disk or a command lists is hardly a file of make's own.
            let unknown: &[usize] = if self.remaking && depth == 1 { &[] } else { &self.open };
            let mut some: Vec<usize> = self.index.get(name).into_iter().flatten().chain(unknown).copied().collect();
            some.sort_unstable();
            some.dedup();
            some
        };
        for nr in candidates {
            let Some(rule) = self.rules.get(nr) else { break };
            self.file.spend(rule.targets.len() + 1)?;
            let phony = &self.file.phony;
            let fits = |target: &&String| {
                !target.contains('%')
                    && may_be(name, target)
                    && !(open && phony.contains(target) || target.starts_with('.') && name != **target)
            };
            let Some(target) = rule.targets.iter().find(fits).cloned() else { continue };
            let rule = rule.clone();
            has_rule = true;
            has_recipe |= !rule.recipe.is_empty();
            let target = if open { name.to_owned() } else { target };
            let target = if target.contains(HOLE) && !open { name.to_owned() } else { target };
            let stem = rule.pattern.as_deref().map(|pattern| stem(pattern, &target).unwrap_or("\u{1}").to_owned());
            self.rule(&rule, &target, stem.as_deref(), depth)?;
        }
        if has_recipe {
            return Ok(());
        }
        for nr in 0..self.rules.len() {
            let Some(rule) = self.rules.get(nr) else { break };
            if rule.recipe.is_empty() || rule.pattern.is_some() || self.file.phony.iter().any(|phony| phony == name) {
                continue;
            }
            let patterns = rule.targets.iter().filter(|target| target.contains('%'));
            let found = patterns.filter_map(|pattern| fitting(pattern, name)).next();
            let Some(stem) = found else { continue };
            let rule = rule.clone();
            if self.applies(&rule, &stem) {
                has_rule = true;
                self.rule(&rule, name, Some(&stem), depth)?;
            }
        }
        if has_rule || name.contains(HOLE) || self.exists(name) {
            return Ok(());
        }
        if let Some(rule) =
            self.rules.iter().find(|rule| rule.targets.iter().any(|target| target == ".DEFAULT")).cloned()
        {
            return self.rule(&rule, name, None, depth);
        }
        if let Some(source) = SOURCES
            .iter()
            .map(|end| format!("{}.{end}", name.trim_end_matches(".o")))
            .find(|source| self.exists(source))
        {
            let words = ["cc", "-o", name, &source].into_iter().map(Word::from).collect();
            self.effects.push(super::program(words, &self.file.folder, self.command));
            return Ok(());
        }
        // What something else needs and nobody makes ends it all, or is found elsewhere: nothing runs for it.
        if depth == 0 { Err(format!("the Makefile has no rule for `{name}`")) } else { Ok(()) }
    }

    fn exists(&self, name: &str) -> bool {
        absolute(name, Some(&self.file.folder)).is_none_or(|path| self.file.facts.around.file(&path) != Found::Nothing)
    }

    /// Whether what a pattern rule needs may be there.
    fn applies(&self, rule: &Rule, stem: &str) -> bool {
        rule.needs.iter().all(|need| {
            let need = need.replacen('%', stem, 1);
            let explicit = || {
                self.rules
                    .iter()
                    .any(|rule| rule.targets.iter().any(|target| !target.contains('%') && may_be(&need, target)))
            };
            let patterned = || {
                let targets = self.rules.iter().filter(|rule| !rule.recipe.is_empty()).flat_map(|rule| &rule.targets);
                targets.clone().any(|target| target.contains('%') && target != "%" && fitting(target, &need).is_some())
            };
            self.file.searches || need.contains([HOLE, '$']) || self.exists(&need) || explicit() || patterned()
        })
    }

    fn rule(&mut self, rule: &Rule, target: &str, stem: Option<&str>, depth: usize) -> Result<(), String> {
        let mut needs = vec![];
        for need in &rule.needs {
            let need = stem.map_or_else(|| need.clone(), |stem| need.replacen('%', stem, 1));
            if need.contains('$') && self.file.expands_twice {
                let scope = automatic(target, stem.unwrap_or_default(), &[]);
                for text in self.file.expand(&need, &scope, 0)? {
                    needs.extend(text.split_whitespace().map(str::to_owned));
                }
            } else if need.contains('*') {
                needs.push(need.replace('*', &HOLE.to_string()));
            } else {
                needs.push(need);
            }
        }
        for need in &needs {
            self.target(need, depth + 1)?;
        }
        if rule.recipe.is_empty() {
            return Ok(());
        }
        let scope = automatic(target, stem.unwrap_or_default(), &needs);
        let mut one_shell: Vec<String> = vec![];
        for raw in &rule.recipe {
            // These run in a dry run, too.
            let calls_make = raw.contains("$(MAKE)") || raw.contains("${MAKE}");
            for text in self.file.expand(raw, &scope, 0)? {
                // A `define` may hold several lines.
                let parts: Vec<String> = if raw.contains('\n') { vec![text] } else { lines(&text) };
                for part in parts {
                    let bare = part.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '@' | '-' | '+'));
                    let marks = part.len() - bare.len();
                    let plus = part.get(..marks).is_some_and(|marks| marks.contains('+'));
                    if self.file.one_shell {
                        one_shell.push(bare.to_owned());
                    }
                    if self.file.one_shell || (self.dry && !plus && !calls_make && !raw.trim_start().starts_with('+')) {
                        continue;
                    }
                    let more = shell(self.file, shown(bare), self.command)?;
                    self.effects.extend(more);
                }
            }
        }
        let runs_anyway = rule.recipe.iter().any(|raw| raw.contains("MAKE") || raw.contains('+'));
        if self.file.one_shell && (!self.dry || runs_anyway) {
            let more = shell(self.file, shown(&one_shell.join("\n")), self.command)?;
            self.effects.extend(more);
        }
        if self.effects.len() > 2_000 {
            return Err("its recipes have more lines than are followed".into());
        }
        Ok(())
    }
}

/// The lines of a text, those that go on behind a backslash together.
fn lines(text: &str) -> Vec<String> {
    let mut all: Vec<String> = vec![];
    let mut open = false;
    for line in text.split('\n') {
        match all.last_mut().filter(|_| open) {
            Some(last) => {
                last.push('\n');
                last.push_str(line);
            }
            None => all.push(line.to_owned()),
        }
        open = (line.len() - line.trim_end_matches('\\').len()) % 2 == 1;
    }
    all
}

/// What a pattern stands for in a name.
fn fitting(pattern: &str, name: &str) -> Option<String> {
    if let Some(found) = stem(pattern, name) {
        return (!found.is_empty()).then(|| found.to_owned());
    }
    // A pattern without a slash is about the name behind the last one.
    if let Some((folder, last)) = name.rsplit_once('/')
        && !pattern.contains('/')
        && let Some(found) = stem(pattern, last)
    {
        return Some(format!("{folder}/{found}"));
    }
    if name.contains(HOLE) {
        let (start, end) = pattern.split_once('%')?;
        let known = (name.split(HOLE).next().unwrap_or_default(), name.rsplit(HOLE).next().unwrap_or_default());
        let starts = known.0.starts_with(start) || start.starts_with(known.0);
        let ends = known.1.ends_with(end) || end.ends_with(known.1);
        return (starts && ends).then(|| HOLE.to_string());
    }
    None
}

/// Whether two names, of which stretches may not be known, can be the same.
fn may_be(one: &str, other: &str) -> bool {
    if !one.contains(HOLE) && !other.contains(HOLE) {
        return one == other;
    }
    let ends = |text: &str| {
        (
            text.split(HOLE).next().unwrap_or_default().to_owned(),
            text.rsplit(HOLE).next().unwrap_or_default().to_owned(),
        )
    };
    let whole = |text: &str| if text.contains(HOLE) { ends(text) } else { (text.to_owned(), text.to_owned()) };
    let (a, b) = (whole(one), whole(other));
    (a.0.starts_with(&b.0) || b.0.starts_with(&a.0)) && (a.1.ends_with(&b.1) || b.1.ends_with(&a.1))
}

/// `$@`, `$<` and the others.
fn automatic(target: &str, stem: &str, needs: &[String]) -> Scope {
    let all = needs.join(" ");
    let first = needs.first().cloned().unwrap_or_default();
    let folder = |path: &str| path.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned();
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut scope = Scope::default();
    for (key, value) in [("@", target), ("<", &first), ("*", stem)] {
        scope.names.push((key.into(), value.into()));
        scope.names.push((format!("{key}D"), folder(value)));
        scope.names.push((format!("{key}F"), name(value)));
    }
    for key in ["^", "+", "?", "|"] {
        scope.names.push((key.into(), all.clone()));
        for (end, each) in [("D", &folder as &dyn Fn(&str) -> String), ("F", &name)] {
            scope
                .names
                .push((format!("{key}{end}"), needs.iter().map(|need| each(need)).collect::<Vec<_>>().join(" ")));
        }
    }
    scope.names.push(("%".into(), String::new()));
    scope
}
