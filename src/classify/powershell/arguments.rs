//! A command's arguments, and which parameters they are for. Pure.

use super::follow::Follow;
use super::tree::Argument;
use super::value::Value;
use crate::classify::word::Word;

/// One argument.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    /// `-Name`, with what was glued to it.
    Named(String, Option<Value>),
    /// A value.
    Value(Value),
    /// What stands behind `--%`.
    Raw(String),
}

/// All arguments.
#[derive(Debug, Clone, Default)]
pub(super) struct Given {
    pub items: Vec<Item>,
    /// Whether there may be more that don't show (`@parameters`).
    pub unsure: bool,
}

/// Parameters of nearly every cmdlet: those with a `!` take no value. Behind a comma stands what else it is called.
const COMMON: &str = "Verbose,vb! Debug,db! ErrorAction,ea WarningAction,wa InformationAction,infa ProgressAction,proga ErrorVariable,ev \
    WarningVariable,wv InformationVariable,iv OutVariable,ov OutBuffer,ob PipelineVariable,pv WhatIf,wi! Confirm,cf!";

/// No cmdlet has more parameters.
const MOST_NAMED: usize = 100;

/// No command is given more of what looks like parameters.
const MOST_OPTIONS: usize = 1_000;

/// Arguments that were told apart.
#[derive(Debug, Clone, Default)]
pub(super) struct Bound {
    /// Parameters by their full names in lower case; a switch without a value is on.
    pub named: Vec<(String, Option<Value>)>,
    /// The rest, in its order.
    pub positional: Vec<Value>,
    /// Why they can't all be told apart.
    pub fault: Option<String>,
}

impl Bound {
    /// The value of a parameter.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.named.iter().find(|(known, _)| known == name).and_then(|(_, value)| value.as_ref())
    }

    /// The value of a parameter, or what stands at this place.
    pub fn at(&self, name: &str, place: usize) -> Option<&Value> {
        self.get(name).or_else(|| self.positional.get(place))
    }

    /// Whether a parameter is given, and not as `:$false`.
    pub fn has(&self, name: &str) -> bool {
        self.named.iter().any(|(known, value)| known == name && value.as_ref().and_then(Value::known) != Some("false"))
    }
}

impl Given {
    /// Tells them apart by the parameters that a cmdlet has, written as in `COMMON`.
    pub fn bind(&self, parameters: &str) -> Bound {
        let mut bound = Bound::default();
        if self.unsure {
            bound.fault = Some("what its parameters are is not known before it runs".into());
        }
        let mut waiting: Option<String> = None;
        for item in &self.items {
            if bound.named.len() > MOST_NAMED {
                bound.fault.get_or_insert("it is given more parameters than any cmdlet has".into());
                break;
            }
            match item {
                Item::Named(name, value) => {
                    if let Some(name) = waiting.take() {
                        bound.fault.get_or_insert(format!("its parameter `-{name}` has no value"));
                        bound.named.push((name, Some(Value::Unknown)));
                    }
                    let Some((full, is_switch)) = parameter(parameters, &name.to_lowercase()) else {
                        bound.fault.get_or_insert(format!("its parameter `-{name}` is not known"));
                        bound.named.push(("?".into(), value.clone()));
                        continue;
                    };
                    match (value, is_switch) {
                        (Some(value), _) => bound.named.push((full, Some(value.clone()))),
                        (None, true) => bound.named.push((full, None)),
                        (None, false) => waiting = Some(full),
                    }
                }
                Item::Value(value) => match waiting.take() {
                    Some(name) => bound.named.push((name, Some(value.clone()))),
                    None => bound.positional.push(value.clone()),
                },
                Item::Raw(_) => {
                    bound.fault.get_or_insert("it is given text that is not read".into());
                }
            }
        }
        if let Some(name) = waiting {
            bound.fault.get_or_insert(format!("its parameter `-{name}` has no value"));
        }
        bound
    }

    /// Every value, whichever parameter it is for.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.items.iter().filter_map(|item| match item {
            Item::Named(_, value) => value.as_ref(),
            Item::Value(value) => Some(value),
            Item::Raw(_) => None,
        })
    }

    /// The value behind each parameter whose name, or a beginning of it of this length, is given.
    pub fn named<'g>(&'g self, full: &'g str, least: usize) -> impl Iterator<Item = &'g Value> {
        const NOTHING: &Value = &Value::Unknown;
        self.items.iter().enumerate().filter_map(move |(nr, item)| match item {
            Item::Named(name, value) if short_for(name, full, least) => match (value, self.items.get(nr + 1)) {
                (Some(value), _) | (None, Some(Item::Value(value))) => Some(value),
                _ => Some(NOTHING),
            },
            _ => None,
        })
    }

    /// Whether a parameter of that name is there.
    pub fn has(&self, full: &str, least: usize) -> bool {
        self.items.iter().any(|item| {
            matches!(item, Item::Named(name, value)
            if short_for(name, full, least) && value.as_ref().and_then(Value::known) != Some("false"))
        })
    }

    /// Whether it only says what it would do.
    pub fn what_if(&self) -> bool {
        self.items.iter().any(|item| match item {
            Item::Named(name, value) => {
                (short_for(name, "whatif", 2) || name.eq_ignore_ascii_case("wi"))
                    && value.as_ref().is_none_or(|value| value.known() == Some("true"))
            }
            _ => false,
        })
    }

    /// As words of a program.
    pub fn words(&self) -> Vec<Word> {
        let mut words = Vec::new();
        for item in &self.items {
            match item {
                Item::Named(name, None) => words.push(Word::known_as(format!("-{name}"))),
                Item::Named(name, Some(value)) => {
                    let mut word = Word::known_as(format!("-{name}:"));
                    word.push_word(&value.word());
                    words.push(word);
                }
                Item::Value(value) => words.extend(value.words()),
                Item::Raw(text) => words.extend(raw_words(text)),
            }
        }
        if self.unsure {
            words.push(Word::unknown_many());
        }
        words
    }
}

/// Whether a name is short for a parameter.
fn short_for(name: &str, full: &str, least: usize) -> bool {
    name.len() >= least && full.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// The parameter that a name is short for, and whether it takes no value.
fn parameter(parameters: &str, name: &str) -> Option<(String, bool)> {
    let mut found: Option<(String, bool)> = None;
    for entry in parameters.split_ascii_whitespace().chain(COMMON.split_ascii_whitespace()) {
        let is_switch = entry.ends_with('!');
        let entry = entry.trim_end_matches('!').to_lowercase();
        let full = entry.split(',').next().unwrap_or_default();
        if entry.split(',').any(|known| known == name) {
            return Some((full.to_owned(), is_switch));
        }
        if !name.is_empty() && entry.split(',').any(|known| known.starts_with(name)) {
            if found.as_ref().is_some_and(|(known, _)| known != full) {
                // Short for two: taken for the first, which is one of the cmdlet's own.
                continue;
            }
            found = Some((full.to_owned(), is_switch));
        }
    }
    found
}

/// The words of a line that a program gets as it is.
pub(super) fn raw_words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut quoted = false;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
                after
            }
            ' ' | '\t' if !quoted => {
                words.extend(word.take());
                after
            }
            '%' => match after.split_once('%') {
                Some((name, behind)) if !name.is_empty() && !name.contains(char::is_whitespace) => {
                    word.get_or_insert_default().push_hole();
                    behind
                }
                _ => {
                    word.get_or_insert_default().push_text("%");
                    after
                }
            },
            c => {
                word.get_or_insert_default().push_text(c.encode_utf8(&mut [0; 4]));
                after
            }
        };
    }
    words.extend(word);
    words
}

impl Follow<'_> {
    /// Works out what a command is given.
    pub(super) fn given(&mut self, arguments: &[Argument]) -> Given {
        let mut given = Given::default();
        for argument in arguments {
            match argument {
                Argument::Named { name, value } => {
                    let value = value.as_ref().map(|value| self.value(value));
                    given.items.push(Item::Named(name.clone(), value));
                }
                Argument::Value(expr) => {
                    let value = self.value(expr);
                    given.items.push(Item::Value(value));
                }
                Argument::Raw(text) => given.items.push(Item::Raw(text.clone())),
                Argument::Splat(name) => match self.env.variables.get(name) {
                    Some(Value::Hash(entries)) => {
                        given.unsure |= entries.iter().any(|(name, _)| name == "?");
                        let named = entries.iter().map(|(name, value)| Item::Named(name.clone(), Some(value.clone())));
                        given.items.extend(named);
                    }
                    Some(value @ Value::Text(_)) => given.items.push(Item::Value(value.clone())),
                    Some(Value::List(values)) => given.items.extend(values.iter().cloned().map(Item::Value)),
                    _ => given.unsure = true,
                },
            }
        }
        if given.items.iter().filter(|item| matches!(item, Item::Named(..))).count() > MOST_OPTIONS {
            // Each cmdlet looks through them many times.
            given.items.truncate(MOST_OPTIONS);
            given.unsure = true;
        }
        self.variables_of_parameters(&given);
        given.unsure |= self.env.defaults;
        given
    }

    /// `-OutVariable x` and its like set variables.
    fn variables_of_parameters(&mut self, given: &Given) {
        let mut names = Vec::new();
        for full in ["outvariable", "errorvariable", "warningvariable", "informationvariable", "pipelinevariable"] {
            names.extend(given.named(full, 4).cloned());
        }
        for short in ["ov", "ev", "wv", "iv", "pv"] {
            names.extend(given.named(short, 2).cloned());
        }
        for name in names {
            match name.known() {
                Some(name) => self.env.forget(name.trim_start_matches('+')),
                None => self.env.forget_any(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_may_be_short() {
        let given = Given {
            items: vec![
                Item::Named("Comp".into(), None),
                Item::Value(Value::text("web01")),
                Item::Named("Force".into(), None),
                Item::Value(Value::text("x")),
                Item::Named("Wh".into(), None),
            ],
            unsure: false,
        };
        let bound = given.bind("ComputerName,Cn Force!");
        assert_eq!(bound.get("computername").and_then(Value::known), Some("web01"));
        assert!(bound.has("force") && bound.has("whatif") && bound.fault.is_none());
        assert_eq!(bound.positional.len(), 1);
        assert!(given.what_if());
        assert!(given.bind("Name").fault.is_some());
    }

    #[test]
    fn raw_text_has_words_too() {
        let shown: Vec<String> = raw_words("a \"b c\" %X%d").iter().map(Word::shown).collect();
        assert_eq!(shown, ["a", "b c", "…d"]);
    }
}
