//! The conditionals of a Makefile: which of their branches may be taken, and what the variables are after them. Pure.

use super::super::lines::sides;
use super::super::values::{HOLE, Scope, Value};
use super::Makefile;
use std::collections::BTreeMap;

/// A conditional that is open.
#[derive(Default)]
pub(super) struct Branches {
    before: BTreeMap<String, Vec<Value>>,
    done: Vec<BTreeMap<String, Vec<Value>>>,
    complete: bool,
    /// Whether the branch that is being read is one that is never taken.
    pub skips: bool,
    /// Whether a branch was surely taken.
    taken: bool,
}

impl Makefile<'_> {
    pub(super) fn conditional(&mut self, word: &str, rest: &str, line: &str, depth: usize) -> Result<bool, String> {
        let word = word.split('(').next().unwrap_or_default();
        match word {
            "ifeq" | "ifneq" | "ifdef" | "ifndef" => {
                let sure = self.condition(word, line, depth)?;
                let skips = sure == Some(false);
                let before = self.variables.clone();
                self.spend(before.len() * 16)?;
                self.open.push(Branches { before, done: vec![], complete: false, skips, taken: sure == Some(true) });
            }
            "else" => {
                let Some(mut branches) = self.open.pop() else {
                    return Err("an `else` of the Makefile stands alone".into());
                };
                let current = std::mem::replace(&mut self.variables, branches.before.clone());
                self.spend(current.len() * 16)?;
                if !branches.skips {
                    branches.done.push(current);
                }
                branches.complete = rest.is_empty();
                branches.skips = branches.taken;
                if !rest.is_empty() {
                    let word = rest.split([' ', '\t', '(']).next().unwrap_or_default();
                    if !matches!(word, "ifeq" | "ifneq" | "ifdef" | "ifndef") {
                        return Err("an `else` of the Makefile is not read".into());
                    }
                    if !branches.taken {
                        match self.condition(word, rest, depth)? {
                            Some(true) => branches.taken = true,
                            Some(false) => branches.skips = true,
                            None => {}
                        }
                    }
                }
                self.open.push(branches);
            }
            "endif" => {
                let Some(mut branches) = self.open.pop() else {
                    return Err("an `endif` of the Makefile stands alone".into());
                };
                let current = std::mem::take(&mut self.variables);
                if !branches.skips {
                    branches.done.push(current);
                }
                if !branches.complete && !branches.taken || branches.done.is_empty() {
                    branches.done.push(branches.before);
                }
                self.variables = joined(branches.done);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether a condition holds, if that can be told: what it asks runs in any case.
    fn condition(&mut self, word: &str, line: &str, depth: usize) -> Result<Option<bool>, String> {
        if self.skips() {
            return Ok(Some(false));
        }
        let rest = line.trim_start().strip_prefix(word).unwrap_or_default().trim();
        if word.ends_with("def") {
            self.expand(rest, &Scope::default(), depth)?;
            return Ok(None);
        }
        let (one, other) = sides(rest).ok_or("a conditional of the Makefile is not read")?;
        let ones = self.expand_or_hole(one.trim(), &Scope::default(), depth)?;
        let others = self.expand_or_hole(other.trim(), &Scope::default(), depth)?;
        // Only what the system is can be told: whatever else it asks may be set in the environment.
        let about_system = self.asks_system(one) && self.asks_system(other);
        match (ones.as_slice(), others.as_slice()) {
            ([one], [other]) if about_system && !one.contains(HOLE) && !other.contains(HOLE) => {
                Ok(Some((one.trim() == other.trim()) == (word == "ifeq")))
            }
            _ => Ok(None),
        }
    }

    /// Whether a text depends on nothing but which system this is.
    pub(super) fn asks_system(&self, text: &str) -> bool {
        text.match_indices('$').all(|(at, _)| {
            let Some(inner) = text.get(at + 1..).and_then(|rest| rest.strip_prefix(['(', '{'])) else { return false };
            let name = inner.split(|c: char| c.is_whitespace() || matches!(c, ')' | '}')).next().unwrap_or_default();
            match name {
                "OS" => self
                    .values("OS")
                    .is_ok_and(|values| values.is_some_and(|values| values.iter().all(|one| one.text.is_empty()))),
                "shell" => ["uname)", "uname -s)", "uname 2>/dev/null)"]
                    .iter()
                    .any(|end| inner.get(6..).is_some_and(|rest| rest.starts_with(end))),
                "findstring" | "filter" | "strip" | "firstword" | "word" => true,
                name => {
                    self.system.iter().any(|known| known == name)
                        && self.values(name).is_ok_and(|values| values.is_some_and(|one| one.len() == 1))
                }
            }
        })
    }
}

/// The variables of several branches, one of which was taken.
fn joined(branches: Vec<BTreeMap<String, Vec<Value>>>) -> BTreeMap<String, Vec<Value>> {
    let mut branches = branches.into_iter();
    let mut all = branches.next().unwrap_or_default();
    for branch in branches {
        for (name, values) in &mut all {
            let there = branch.get(name).cloned().unwrap_or_else(|| vec![Value::plain("")]);
            for value in there {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        for (name, values) in branch {
            all.entry(name).or_insert_with(|| [values, vec![Value::plain("")]].concat());
        }
    }
    for values in all.values_mut().filter(|values| values.len() > 12) {
        *values = vec![Value::plain(&HOLE.to_string())];
    }
    all
}
