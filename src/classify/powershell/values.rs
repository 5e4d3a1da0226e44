//! Works out values, and sets variables to them.

use super::follow::{Follow, LONGEST_TEXT, MOST_PARTS};
use super::tree::{Expr, Piece};
use super::value::{DEFAULTS, Value, add};
use crate::classify::effect::{Effect, Host};
use crate::classify::word::Word;
use std::rc::Rc;

/// Variables that hold a folder of the machine on which the text runs.
const FOLDERS: &[&str] = &[
    "pwd",
    "psscriptroot",
    "pscommandpath",
    "pshome",
    "env:temp",
    "env:tmp",
    "env:appdata",
    "env:localappdata",
    "env:programdata",
    "env:programfiles",
    "env:programfiles(x86)",
    "env:public",
    "env:userprofile",
    "env:home",
    "home",
    "env:tmpdir",
    "profile",
    "env:allusersprofile",
    "env:homedrive",
    "env:homepath",
    "env:systemdrive",
];

impl Follow<'_> {
    pub(super) fn assign(&mut self, targets: &[Expr], plain: bool, value: &Value, text: &str) {
        let (one, value) = match targets {
            [one] => (Some(one), value.clone()),
            _ => (None, Value::Unknown),
        };
        for target in one.map_or(targets, std::slice::from_ref) {
            let value = if plain { value.clone() } else { Value::Unknown };
            self.assign_to(target, value, text);
        }
    }

    pub(super) fn assign_to(&mut self, target: &Expr, value: Value, text: &str) {
        match target {
            Expr::Variable(name) => self.set(name, value, text),
            Expr::Cast { value: inner, kind } => {
                let kept =
                    matches!(kind.as_str(), "string" | "array" | "string[]" | "hashtable" | "object" | "object[]");
                let value = if kept { value } else { Value::Unknown };
                self.cast(kind, &value, text);
                self.assign_to(inner, value, text);
            }
            Expr::Operators { operands, .. } => {
                // Attributes in front of a variable.
                for operand in operands {
                    match operand {
                        Expr::Attribute(runs) => {
                            for run in runs {
                                let value = self.value(run);
                                self.settle(&value, text);
                            }
                        }
                        target => self.assign_to(target, Value::Unknown, text),
                    }
                }
            }
            Expr::List(targets) => targets.iter().for_each(|target| self.assign_to(target, Value::Unknown, text)),
            Expr::Nested(_) => self.doubt(text, "what it sets is worked out"),
            Expr::Member { base, name: Some(name), is_static: false, arguments: None, .. } => {
                self.set_member(base, Some(name.clone()), value, text);
            }
            Expr::Index { base, index } => {
                let index = self.statements(index);
                let key = index.known().map(str::to_lowercase);
                self.set_member(base, key, value, text);
            }
            _ => self.doubt(text, "what it sets can't be told"),
        }
    }

    pub(super) fn set(&mut self, name: &str, value: Value, text: &str) {
        match name.split_once(':') {
            // Programs run where they run, whatever it says.
            Some(("env", variable)) if variable.eq_ignore_ascii_case(super::FOLDER) => {}
            Some(("env", variable)) => {
                let effect = self.sets_in_environment(variable, &value);
                self.say(text, vec![effect]);
            }
            // Nothing sets these: they are what the text that sends code elsewhere knew.
            Some(("using", _)) => {}
            Some(("function" | "alias", command)) => {
                self.env.shadowed.insert(command.to_owned());
            }
            Some(_) => {
                let effects = self.writes(&Value::text(name));
                self.say(text, effects);
            }
            None if name == DEFAULTS => {
                self.env.defaults = true;
                self.doubt(text, "it sets parameters of commands that don't show them");
            }
            None => {}
        }
        const MOST: usize = 500;
        if self.env.variables.len() >= MOST && !self.env.variables.contains_key(name) {
            return self.doubt(text, "it sets more variables than are followed");
        }
        self.env.variables.insert(name.to_owned(), value);
    }

    /// A variable of the environment is set.
    pub(super) fn sets_in_environment(&mut self, name: &str, value: &Value) -> Effect {
        let lower = name.to_lowercase();
        if lower == "psmodulepath" {
            self.env.all_shadowed = Some("commands may come from modules of another folder".into());
        }
        self.env.variables.insert(format!("env:{lower}"), value.clone());
        let value = match value {
            Value::Nothing => Word::known_as(""),
            value => value.word(),
        };
        Effect::Sets { name: name.to_uppercase(), value }
    }

    /// Sets a part of a value.
    pub(super) fn set_member(&mut self, base: &Expr, key: Option<String>, value: Value, text: &str) {
        if let Expr::Variable(name) = base {
            if name == DEFAULTS {
                self.env.defaults = true;
                return self.doubt(text, "it sets parameters of commands that don't show them");
            }
            if let Some(held) = self.env.variables.get(name).cloned() {
                self.forget_same(&held, Some(name));
                if matches!(held, Value::Text(_)) {
                    // A list of one, since a text has no parts that can be set.
                    self.env.forget(name);
                }
            }
            // A number is a place, whatever its name.
            let key = key.filter(|key| key.parse::<i64>().is_err());
            match (self.env.variables.get_mut(name), key) {
                (Some(Value::Hash(entries)), Some(key)) if entries.len() < MOST_PARTS => {
                    let entries = Rc::make_mut(entries);
                    match entries.iter_mut().find(|(known, _)| *known == key) {
                        Some(entry) => entry.1 = value,
                        None => entries.push((key, value)),
                    }
                    let held = self.env.variables.get(name).cloned().unwrap_or(Value::Unknown);
                    let held = self.bounded(held);
                    self.env.variables.insert(name.clone(), held);
                    return;
                }
                (Some(held @ (Value::Hash(_) | Value::List(_))), _) => {
                    *held = Value::Data;
                    return;
                }
                _ => {}
            }
        }
        let object = self.value(base);
        if !matches!(base, Expr::Variable(_)) {
            self.forget_same(&object, None);
            self.forget_root(base);
        }
        self.acts_on(&object, "sets a property of an object", text);
    }

    /// Forgets the variable to which a value belongs.
    fn forget_root(&mut self, expr: &Expr) {
        let mut expr = expr;
        loop {
            expr = match expr {
                Expr::Variable(name) => return self.env.forget(name),
                Expr::Member { base, .. } | Expr::Index { base, .. } => base,
                Expr::Cast { value, .. } => value,
                _ => return,
            };
        }
    }

    /// Forgets the variables that hold this very table or list, which changes; but this one. A text may be a list of one.
    pub(super) fn forget_same(&mut self, value: &Value, but: Option<&str>) {
        if !matches!(value, Value::Hash(_) | Value::List(_) | Value::Text(_)) {
            return;
        }
        self.spend(self.env.size());
        for (name, held) in &mut self.env.variables {
            if held.holds(value) && but != Some(name.as_str()) {
                *held = Value::Unknown;
            }
        }
    }

    /// Something is done to an object that stands for something on a machine.
    pub fn acts_on(&mut self, object: &Value, how: &str, text: &str) {
        let mut effects = Vec::new();
        for one in object.each() {
            effects.push(match one {
                Value::Data | Value::Text(_) | Value::Hash(_) | Value::Nothing => continue,
                Value::Object(hosts, vms) if hosts.is_empty() && vms.is_empty() => Effect::Changes(how.to_owned()),
                Value::Object(hosts, vms) => {
                    let mut all: Vec<Host> = vms.clone();
                    hosts.iter().for_each(|host| add(&mut all, host.clone()));
                    Effect::ChangesAt { hosts: all, how: how.to_owned() }
                }
                _ => Effect::Unknown(format!("it {how} that can't be told")),
            });
        }
        self.say(text, effects);
    }

    /// Works out a value.
    pub fn value(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Text(pieces) => {
                let mut word = Word::default();
                for piece in pieces {
                    match piece {
                        Piece::Known(text) => word.push_text(text),
                        Piece::Worked(expr) => match self.value(expr) {
                            Value::Text(text) if word.len() + text.len() <= LONGEST_TEXT => {
                                word.push_word(&text.as_one())
                            }
                            other => {
                                self.settle(&other, "a text");
                                word.push_hole();
                            }
                        },
                    }
                }
                Value::Text(word)
            }
            Expr::Variable(name) => self.variable(name),
            Expr::Block(block) => Value::Block(block.clone()),
            Expr::Nested(statements) => {
                let mut value = Value::Unknown;
                self.within("(…)", |follow| value = follow.statements(statements));
                value
            }
            Expr::Hash(entries) => {
                let mut all = Vec::new();
                for (key, value) in entries {
                    let key = self.value(key).known().map(str::to_lowercase).unwrap_or_else(|| "?".into());
                    all.push((key, self.statement(value)));
                }
                self.bounded(Value::Hash(Rc::new(all)))
            }
            Expr::List(values) => {
                let all = values.iter().map(|value| self.value(value)).collect();
                self.bounded(Value::list(all))
            }
            Expr::Operators { operands, adds } => self.operators(operands, *adds),
            Expr::Cast { kind, value } => {
                let inner = self.value(value);
                if kind == "ref" {
                    // Whoever gets it sets it.
                    self.forget_root(value);
                    self.forget_same(&inner, None);
                }
                self.cast(kind, &inner, kind)
            }
            Expr::Type(_) => Value::Data,
            Expr::Attribute(runs) => {
                for run in runs {
                    let value = self.value(run);
                    self.settle(&value, "[…]");
                }
                Value::Data
            }
            Expr::Member { base, name, works_out, is_static, arguments, text } => {
                if let Some(works_out) = works_out {
                    let name = self.value(works_out);
                    self.settle(&name, text);
                }
                self.member(base, name.as_deref(), *is_static, arguments.as_deref(), text)
            }
            Expr::Index { base, index } => {
                let base = self.value(base);
                let index = self.statements(index);
                self.settle(&index, "[…]");
                element_at(&base, &index)
            }
            Expr::Counts(inner) => {
                if let Expr::Variable(name) = inner.as_ref() {
                    self.env.forget(name);
                }
                Value::Data
            }
        }
    }

    pub(super) fn operators(&mut self, operands: &[Expr], adds: bool) -> Value {
        let values: Vec<Value> = operands.iter().map(|operand| self.value(operand)).collect();
        if adds && values.iter().all(|value| matches!(value, Value::Text(_))) {
            let mut word = Word::default();
            for value in &values {
                match value.word() {
                    text if word.len() + text.len() <= LONGEST_TEXT => word.push_word(&text),
                    _ => word.push_hole(),
                }
            }
            return Value::Text(word);
        }
        for value in &values {
            self.settle(value, "an operator");
        }
        if values.iter().any(|value| !matches!(value, Value::Text(_) | Value::Data | Value::Nothing)) {
            return Value::Unknown;
        }
        Value::Data
    }

    pub(super) fn variable(&mut self, name: &str) -> Value {
        if let Some(value) = self.env.variables.get(name) {
            return value.clone();
        }
        if name == DEFAULTS {
            // Whoever has it can fill it.
            self.env.defaults = true;
        }
        match name {
            "null" => Value::Nothing,
            "true" | "false" => Value::text(name),
            "env:computername" | "env:hostname" => Value::text("localhost"),
            "env:comspec" => Value::text("C:\\Windows\\System32\\cmd.exe"),
            "env:windir" | "env:systemroot" => Value::text("C:\\Windows"),
            "error"
            | "lastexitcode"
            | "psversiontable"
            | "iswindows"
            | "islinux"
            | "ismacos"
            | "host"
            | "pid"
            | "?"
            | "^"
            | "env:username"
            | "env:userdomain"
            | "psedition"
            | "matches"
            | "env:path"
            | "env:os"
            | "env:processor_architecture"
            | "env:number_of_processors"
            | "psculture" => Value::Data,
            "home" | "env:home" | "env:userprofile" if self.facts.own && self.facts.home.is_some() => {
                Value::text(self.facts.home.unwrap_or_default())
            }
            name if FOLDERS.contains(&name) => {
                // A folder of this machine, whichever it is.
                let mut word = Word::known_as("./");
                word.push_hole();
                Value::Text(word)
            }
            _ => Value::Unknown,
        }
    }
}

/// What stands at a place of a value.
fn element_at(base: &Value, index: &Value) -> Value {
    match base {
        Value::List(values) => {
            let at = index.known().and_then(|text| text.parse::<usize>().ok());
            match at.and_then(|at| values.get(at)) {
                Some(value) => value.clone(),
                None => Value::Any(values.clone()),
            }
        }
        Value::Hash(entries) => {
            let key = index.known().map(str::to_lowercase);
            let found = entries.iter().find(|(name, _)| Some(name) == key.as_ref());
            found.map_or(Value::Unknown, |(_, value)| value.clone())
        }
        Value::Text(_) | Value::Data => Value::Data,
        Value::Any(_) => Value::Unknown,
        other => other.clone(),
    }
}
