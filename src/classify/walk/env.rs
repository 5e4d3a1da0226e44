//! What a shell knows while it runs a text: variables, functions, aliases, its folder. Pure.
//!
//! Owns: joining what is known after branches. A variable that is not in here is whatever the shell was started with.

use crate::classify::effect::Variables;
use crate::classify::shell::tree::Node;
use crate::classify::word::Word;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// More variables than a text of a person's sets; further ones are not followed.
const MOST_VARIABLES: usize = 200;

/// A longer value is not followed.
const LONGEST_VALUE: usize = 8 * 1024;

/// Nor is an array of more elements.
const LONGEST_LIST: usize = 1_000;

/// A variable that the text has set.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Variable {
    value: Rc<Word>,
    /// The elements, if it is an array that is known.
    list: Option<Rc<[Word]>>,
    exported: bool,
    /// Whether it holds something else than what it is set to: a number, other letters, always the same.
    odd: bool,
    /// Whether the text has taken it away: a program finds nothing in it.
    gone: bool,
}

/// A function that the text has defined.
#[derive(Debug, Clone)]
pub(super) struct Function {
    /// What it may be: several after branches.
    pub bodies: Vec<Rc<Node>>,
    /// Whether a call is surely one of it, and not of a program of that name.
    pub sure: bool,
}

/// What a shell knows.
#[derive(Debug, Clone)]
pub(super) struct Env {
    variables: Rc<BTreeMap<Rc<str>, Variable>>,
    functions: Rc<BTreeMap<String, Function>>,
    aliases: Rc<BTreeMap<String, BTreeSet<Option<String>>>>,
    /// `$1`, `$2` and so on; none: not known.
    pub positional: Option<Rc<[Word]>>,
    /// The folder it is in, if that is known.
    pub cwd: Option<Rc<str>>,
    /// Whether a word is split where the text says, and not at blanks.
    pub odd_splitting: bool,
    /// Whether more was set than is followed: then nothing is known.
    overflown: bool,
}

impl Variables for Env {
    fn variable(&self, name: &str) -> Option<Word> {
        if self.overflown {
            return Some(Word::unknown());
        }
        self.by_name(name)
    }

    fn by_name(&self, name: &str) -> Option<Word> {
        let known = self.variables.get(name)?;
        // What was in the environment already stays in it, so one that isn't exported by the text may be there all the same.
        Some(match known {
            _ if self.overflown => Word::unknown(),
            Variable { gone: true, odd: false, .. } => Word::known_as(""),
            Variable { exported: true, value, .. } => value.as_ref().clone(),
            _ => Word::unknown(),
        })
    }
}

impl Env {
    /// A shell that has just been started, with these arguments, in this folder.
    pub fn new(positional: Option<Vec<Word>>, cwd: Option<&str>) -> Self {
        Self {
            variables: Rc::default(),
            functions: Rc::default(),
            aliases: Rc::default(),
            positional: positional.map(Into::into),
            cwd: cwd.map(Into::into),
            odd_splitting: false,
            overflown: false,
        }
    }

    /// A shell that this one starts: it has what is exported, and perhaps the functions.
    pub fn child(&self, positional: Vec<Word>) -> Self {
        let mut child = Self::new(Some(positional), self.cwd.as_deref());
        child.overflown = self.overflown;
        // What is not exported is not what it was here; nor is it known to be unset, since the process may have it.
        let inherited = self.variables.iter().map(|(name, variable)| {
            let value = if variable.exported { variable.value.clone() } else { Rc::new(Word::unknown()) };
            (name.clone(), Variable { value, list: None, ..variable.clone() })
        });
        child.variables = Rc::new(inherited.collect());
        let functions = self
            .functions
            .iter()
            .map(|(name, function)| (name.clone(), Function { bodies: function.bodies.clone(), sure: false }));
        child.functions = Rc::new(functions.collect());
        child
    }

    /// The value of a variable that the text has set; none: it has not.
    pub fn variable(&self, name: &str) -> Option<Word> {
        if self.overflown {
            return Some(Word::unknown());
        }
        self.variables.get(name).map(|variable| variable.value.as_ref().clone())
    }

    /// The elements of an array that the text has set, if they are known.
    pub fn list(&self, name: &str) -> Option<Rc<[Word]>> {
        if self.overflown { None } else { self.variables.get(name)?.list.clone() }
    }

    /// Sets an array.
    pub fn set_list(&mut self, name: &str, values: Vec<Word>) {
        self.set(name, values.first().cloned().unwrap_or_default());
        let bytes: usize = values.iter().map(Word::len).sum();
        let followed = bytes <= LONGEST_VALUE && values.len() <= LONGEST_LIST;
        if followed
            && let Some(variable) = Rc::make_mut(&mut self.variables).get_mut(name)
            && !variable.odd
        {
            variable.list = Some(values.into());
        }
    }

    /// Sets a variable.
    pub fn set(&mut self, name: &str, value: Word) {
        if name == "IFS" {
            self.odd_splitting = true;
        }
        let value = if value.len() > LONGEST_VALUE { Word::unknown() } else { value };
        if self.variables.len() >= MOST_VARIABLES && !self.variables.contains_key(name) {
            self.overflown = true;
            return;
        }
        let variables = Rc::make_mut(&mut self.variables);
        let (exported, odd) = variables.get(name).map_or((false, false), |known| (known.exported, known.odd));
        // A value is one word, however it came about.
        let value = if odd { Word::unknown() } else { value.as_one() };
        variables.insert(name.into(), Variable { value: Rc::new(value), list: None, exported, odd, gone: false });
    }

    /// Says that a variable does not hold what it is set to from now on, and what it holds now only if that stays.
    pub fn make_odd(&mut self, name: &str, stays: bool) {
        if !stays || !self.variables.contains_key(name) {
            self.forget(name);
        }
        if let Some(variable) = Rc::make_mut(&mut self.variables).get_mut(name) {
            variable.odd = true;
        }
    }

    /// Says that a variable is not known any more.
    pub fn forget(&mut self, name: &str) {
        self.set(name, Word::unknown());
    }

    /// Says that a variable has been taken away: what the shell itself makes of it is not followed.
    pub fn unset(&mut self, name: &str) {
        self.forget(name);
        if let Some(variable) = Rc::make_mut(&mut self.variables).get_mut(name) {
            variable.gone = true;
        }
    }

    /// Takes a variable back to what it was in another environment.
    pub fn restore(&mut self, name: &str, other: &Self) {
        let variables = Rc::make_mut(&mut self.variables);
        match other.variables.get(name) {
            Some(known) => variables.insert(name.into(), known.clone()),
            None => variables.remove(name),
        };
    }

    /// Says that anything may have been set or defined.
    pub fn forget_all(&mut self) {
        for function in Rc::make_mut(&mut self.functions).values_mut() {
            function.sure = false;
        }
        self.forget_values();
    }

    /// Says that no variable is known any more.
    pub fn forget_values(&mut self) {
        self.overflown = true;
        self.odd_splitting = true;
        self.cwd = None;
        self.positional = None;
    }

    /// Exports a variable that is set.
    pub fn export(&mut self, name: &str) {
        if self.variables.contains_key(name)
            && let Some(variable) = Rc::make_mut(&mut self.variables).get_mut(name)
        {
            variable.exported = true;
        }
    }

    /// Defines a function.
    pub fn define(&mut self, name: &str, body: Rc<Node>) {
        Rc::make_mut(&mut self.functions).insert(name.to_owned(), Function { bodies: vec![body], sure: true });
    }

    /// Defines a function beside what its name may mean already.
    pub fn define_too(&mut self, name: &str, body: &Rc<Node>) {
        let functions = Rc::make_mut(&mut self.functions);
        let function = functions.entry(name.to_owned()).or_insert(Function { bodies: vec![], sure: true });
        if !function.bodies.iter().any(|known| Rc::ptr_eq(known, body)) {
            function.bodies.push(body.clone());
        }
    }

    /// Whether the text has defined that name itself.
    pub fn is_own(&self, name: &str) -> bool {
        self.functions.contains_key(name) || self.aliases.contains_key(name)
    }

    /// Whether the same functions and aliases are known to both.
    pub fn defines_the_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.functions, &other.functions) && Rc::ptr_eq(&self.aliases, &other.aliases)
    }

    /// Says that a name may not be a function any more.
    pub fn doubt_function(&mut self, name: &str) {
        if let Some(function) = Rc::make_mut(&mut self.functions).get_mut(name) {
            function.sure = false;
        }
    }

    /// The function of that name.
    pub fn function(&self, name: &str) -> Option<Function> {
        self.functions.get(name).cloned()
    }

    /// Defines an alias; none: one that is not known.
    pub fn alias(&mut self, name: &str, text: Option<&str>) {
        let aliases = Rc::make_mut(&mut self.aliases);
        aliases.entry(name.to_owned()).or_default().insert(text.map(str::to_owned));
    }

    /// What a name may be short for.
    pub fn aliases(&self, name: &str) -> Vec<Option<String>> {
        self.aliases.get(name).into_iter().flatten().cloned().collect()
    }

    /// What is known of one variable if it may be what it is here or there.
    pub fn join_variable(&mut self, name: &str, other: &Self) {
        let there = other.variables.get(name);
        if self.variables.get(name) == there {
            return;
        }
        let odd = there.is_some_and(|variable| variable.odd);
        self.forget(name);
        if odd {
            self.make_odd(name, false);
        }
    }

    /// What is known if the text may have come here on either way.
    pub fn join(&mut self, other: &Self) {
        self.overflown |= other.overflown;
        self.odd_splitting |= other.odd_splitting;
        if self.cwd != other.cwd {
            self.cwd = None;
        }
        if self.positional != other.positional {
            self.positional = None;
        }
        if !Rc::ptr_eq(&self.variables, &other.variables) {
            let names: Vec<Rc<str>> = self.variables.keys().chain(other.variables.keys()).cloned().collect();
            for name in names {
                self.join_variable(&name, other);
            }
        }
        if !Rc::ptr_eq(&self.functions, &other.functions) {
            let both: BTreeSet<&String> = self.functions.keys().chain(other.functions.keys()).collect();
            let joined = both.into_iter().map(|name| {
                let (one, two) = (self.functions.get(name), other.functions.get(name));
                let mut bodies: Vec<Rc<Node>> = Vec::new();
                for body in one.into_iter().chain(two).flat_map(|function| &function.bodies) {
                    if !bodies.iter().any(|known| Rc::ptr_eq(known, body)) {
                        bodies.push(body.clone());
                    }
                }
                let sure = one.is_some_and(|function| function.sure) && two.is_some_and(|function| function.sure);
                (name.clone(), Function { bodies, sure })
            });
            self.functions = Rc::new(joined.collect());
        }
        if !Rc::ptr_eq(&self.aliases, &other.aliases) {
            for (name, texts) in other.aliases.iter() {
                let aliases = Rc::make_mut(&mut self.aliases);
                aliases.entry(name.clone()).or_default().extend(texts.iter().cloned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_branch_only_what_both_ways_agree_on_is_known() {
        let mut one = Env::new(None, Some("/srv"));
        one.set("a", "x".into());
        one.set("b", "x".into());
        let mut two = one.clone();
        two.set("b", "y".into());
        two.set("c", "z".into());
        one.join(&two);
        assert_eq!(one.variable("a"), Some("x".into()));
        assert_eq!(one.variable("b"), Some(Word::unknown()));
        assert_eq!(one.variable("c"), Some(Word::unknown()));
        assert_eq!(one.variable("d"), None);
        assert_eq!(one.cwd.as_deref(), Some("/srv"));
    }

    #[test]
    fn a_child_has_what_is_exported() {
        let mut env = Env::new(None, None);
        env.set("a", "x".into());
        env.set("b", "y".into());
        env.export("a");
        let child = env.child(vec![]);
        assert_eq!(child.variable("a"), Some("x".into()));
        assert_eq!(child.variable("b"), Some(Word::unknown()));
    }

    #[test]
    fn more_than_is_followed_is_not_known() {
        let mut env = Env::new(None, None);
        env.set("host", "web01".into());
        for nr in 0..MOST_VARIABLES {
            env.set(&format!("v{nr}"), "x".into());
        }
        assert_eq!(env.variable("host"), Some(Word::unknown()));
    }
}
