//! Which variables a loop's body may set: before its second round they are not what they were. Pure.

use super::env::Env;
use crate::classify::shell::tree::{Assigned as Value, Form, Name, Node, Piece, Script, Simple, Source};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a body may set.
#[derive(Default)]
pub(super) struct Assigned<'s> {
    names: BTreeSet<&'s str>,
    functions: Vec<(&'s str, Rc<Node>)>,
    /// It runs something whose effect on the shell is not seen here.
    anything: bool,
    /// It goes to another folder.
    moves: bool,
}

/// Builtins whose words are names that they set.
const SETTING: &[&str] = &[
    "read",
    "mapfile",
    "readarray",
    "getopts",
    "export",
    "declare",
    "typeset",
    "local",
    "readonly",
    "unset",
    "let",
    "printf",
    "wait",
    "integer",
    "float",
];

/// What may set anything.
const OPAQUE: &[&str] = &["eval", "source", ".", "set", "shift", "builtin", "command", "vared"];

impl<'s> Assigned<'s> {
    /// What these bodies may set, in a shell that knows this.
    pub fn of(bodies: &[&'s Script], env: &Env) -> Self {
        let mut found = Self::default();
        for body in bodies {
            found.script(body, env);
        }
        found
    }

    /// Makes that unknown, and its functions possible.
    pub fn forget(&self, env: &mut Env) {
        for (name, body) in &self.functions {
            env.define_too(name, body);
            env.doubt_function(name);
        }
        if self.anything {
            env.forget_all();
            return;
        }
        if self.moves {
            env.cwd = None;
        }
        for name in &self.names {
            env.forget(name);
        }
    }

    /// The same for good: it may be set again at any time.
    pub fn keep_unknown(&self, env: &mut Env) {
        self.forget(env);
        for name in &self.names {
            env.make_odd(name, false);
        }
    }

    fn script(&mut self, script: &'s Script, env: &Env) {
        for item in &script.0 {
            self.node(&item.first, env);
            for (_, node) in &item.then {
                self.node(node, env);
            }
        }
    }

    fn node(&mut self, node: &'s Node, env: &Env) {
        match node {
            Node::Simple(simple) => self.simple(simple, env),
            Node::Pipeline(nodes) => nodes.iter().for_each(|node| self.node(node, env)),
            Node::Group { body, .. } => self.script(body, env),
            Node::For { name, values, body, .. } => {
                self.names.insert(name);
                self.sources(values.iter().flatten());
                self.script(body, env);
            }
            Node::Loop { arithmetic, condition, body, .. } => {
                arithmetic.iter().for_each(|text| self.arithmetic(text));
                self.script(condition, env);
                self.script(body, env);
            }
            Node::If { arms, .. } => {
                for (condition, body) in arms {
                    self.script(condition, env);
                    self.script(body, env);
                }
            }
            Node::Case { word, arms, .. } => {
                self.sources(std::iter::once(word));
                arms.iter().for_each(|(_, body)| self.script(body, env));
            }
            // A function of the body may be called in it.
            Node::Function { name, body } => {
                self.functions.push((name, body.clone()));
                self.anything = true;
            }
            Node::Test { words, .. } => self.sources(words.iter()),
            Node::Arithmetic { text, .. } => self.arithmetic(text),
            Node::Coprocess(node) => self.node(node, env),
        }
    }

    fn simple(&mut self, simple: &'s Simple, env: &Env) {
        for assignment in &simple.assignments {
            self.names.insert(&assignment.name);
            match &assignment.value {
                Value::One(source) => self.sources(std::iter::once(source)),
                Value::Array(sources) => self.sources(sources.iter()),
            }
        }
        self.sources(simple.words.iter());
        let Some(first) = simple.words.first() else { return };
        let name = match first.pieces.as_slice() {
            [Piece::Text(name) | Piece::Quoted(name)] => name.as_str(),
            _ => {
                self.anything = true;
                return;
            }
        };
        if env.function(name).is_some() || !env.aliases(name).is_empty() || OPAQUE.contains(&name) {
            self.anything = true;
        }
        self.moves |= matches!(name, "cd" | "pushd" | "popd" | "chdir");
        // A name for another variable: what is set under one is set under the other.
        let refers = |word: &Source| {
            matches!(word.pieces.first(), Some(Piece::Text(text) | Piece::Quoted(text))
                if text.starts_with('-') && text.contains('n'))
        };
        if matches!(name, "declare" | "typeset" | "local") && simple.words.iter().any(refers) {
            self.anything = true;
        }
        if SETTING.contains(&name) {
            for word in simple.words.iter().skip(1) {
                match word.pieces.first() {
                    Some(Piece::Text(text) | Piece::Quoted(text)) => {
                        let name = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next();
                        self.names.extend(name.filter(|name| !name.is_empty()));
                    }
                    _ => self.anything = true,
                }
            }
            self.names.insert("REPLY");
            self.names.insert("MAPFILE");
        }
    }

    /// `${x:=y}` sets too.
    fn sources(&mut self, sources: impl Iterator<Item = &'s Source>) {
        for source in sources {
            for piece in &source.pieces {
                match piece {
                    Piece::Variable { name, form, .. } => {
                        match (name, form) {
                            (Name::Named(name), Form::Assign(_)) => {
                                self.names.insert(name);
                            }
                            (Name::Element { index, .. }, _) => self.arithmetic(index),
                            _ => {}
                        }
                        match form {
                            Form::Default(word) | Form::Assign(word) | Form::Alternative(word) | Form::Error(word) => {
                                self.sources(std::iter::once(word));
                            }
                            Form::Other(words) => self.sources(words.iter()),
                            Form::Plain | Form::Length => {}
                        }
                    }
                    Piece::Arithmetic(text) => self.arithmetic(text),
                    _ => {}
                }
            }
        }
    }

    fn arithmetic(&mut self, text: &'s Source) {
        let names = text.raw.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        self.names.extend(names.filter(|name| !name.is_empty()));
    }
}
