//! Follows the statements of a PowerShell text: what variables hold, and which commands are met.

use super::tree::{Block, Element, Expr, Pipeline, Statement, Step};
use super::value::{Env, Value};
use crate::classify::Found;
use crate::classify::effect::{Effect, Facts, Host, Report};
use crate::classify::word::Word;
use std::rc::Rc;

/// What is copied and searched while a text is followed, in values and in stretches of 32 bytes.
const MOST_WORK: usize = 2_000_000;

/// A value of more parts is not followed.
pub(super) const MOST_PARTS: usize = 1_000;

/// Nor is a longer text.
pub(super) const LONGEST_TEXT: usize = 16 * 1024;

/// Functions that PowerShell calls by itself.
const CALLED_UNASKED: &[&str] = &["prompt", "out-default", "tabexpansion", "tabexpansion2", "psconsolehostreadline"];

/// Functions and texts are followed no deeper within each other.
const DEEPEST: usize = 16;

/// A text at work.
pub(super) struct Follow<'f> {
    pub facts: &'f Facts<'f>,
    pub found: Vec<(String, Report)>,
    pub env: Env,
    left: usize,
    /// How much may still be copied and searched: what is known is copied at every branch.
    work: usize,
    depth: usize,
    /// How often what is followed now is followed for other elements of lists.
    pub rounds: usize,
    pub calling: Vec<String>,
    /// The folder in which what was noted last runs.
    pub told: Option<Word>,
    /// The machines that `Enter-PSSession` has gone to.
    pub entered: Option<Vec<Host>>,
}

/// Follows a text from its beginning to its end.
pub(super) fn follow(block: &Block, facts: &Facts) -> Vec<(String, Report)> {
    let mut follow = Follow {
        facts,
        found: vec![],
        env: Env::default(),
        left: super::MOST_COMMANDS,
        work: MOST_WORK,
        depth: 0,
        rounds: 1,
        calling: vec![],
        told: None,
        entered: None,
    };
    follow.parameters(block, None);
    follow.block(block);
    follow.found
}

impl Follow<'_> {
    /// Notes what a command does.
    pub fn say(&mut self, text: &str, effects: Vec<Effect>) {
        let mut effects = effects;
        if self.env.folder != self.told {
            self.told = self.env.folder.clone();
            let start = || self.facts.cwd.map_or_else(Word::unknown, Word::known_as);
            let value = self.told.clone().unwrap_or_else(start);
            effects.push(Effect::Sets { name: super::FOLDER.into(), value });
        }
        self.found.push((text.to_owned(), Report { effects, by: None }));
    }

    /// Notes that it can't be told what something does.
    pub fn doubt(&mut self, text: &str, why: impl Into<String>) {
        self.say(text, vec![Effect::Unknown(why.into())]);
    }

    /// The folder in which a program runs now, if that is known.
    pub fn folder(&self) -> Option<String> {
        match &self.env.folder {
            Some(folder) => folder.known().map(str::to_owned),
            None => self.facts.cwd.map(str::to_owned),
        }
    }

    /// The text of a file of the agent's own machine.
    pub fn file(&self, path: &Word) -> Option<String> {
        let path = path.known().filter(|_| self.facts.own)?.replace('\\', "/");
        let cwd = self.folder();
        let whole = crate::path::joined(&path, cwd.as_deref()).map(|path| crate::path::normal(&path))?;
        match self.facts.around.file(&whole) {
            Found::File(bytes) => String::from_utf8(bytes).ok(),
            Found::Nothing | Found::Unreadable => None,
        }
    }

    /// Counts what is copied or searched.
    pub fn spend(&mut self, amount: usize) {
        self.work = self.work.saturating_sub(amount);
        if self.work == 0 && self.left > 0 {
            self.left = 0;
            self.doubt("…", "it takes longer to follow than is spent on it");
        }
    }

    /// What is known now.
    pub fn snapshot(&mut self) -> Env {
        self.spend(self.env.size());
        self.env.clone()
    }

    /// Forgets what a block that runs again and again may set.
    pub fn forget_set_in(&mut self, block: &Block) {
        self.spend(block.raw.len() / 32 * (1 + self.env.variables.len()));
        if self.left > 0 {
            self.env.forget_set_in(&block.raw);
        } else {
            self.env.forget_all();
        }
    }

    /// The same value, if it has not too many parts.
    pub(super) fn bounded(&mut self, value: Value) -> Value {
        let mut parts = 0;
        value.parts(&mut parts, MOST_PARTS);
        self.spend(parts / 8);
        if parts < MOST_PARTS {
            return value;
        }
        self.doubt("…", "it holds a value of more parts than are followed");
        Value::Unknown
    }

    /// Counts one more command; false: there are more than are followed.
    pub fn count(&mut self, text: &str) -> bool {
        match self.left {
            0 => return false,
            1 => self.doubt(text, "it runs more commands than are followed"),
            _ => {}
        }
        self.left -= 1;
        self.left > 0
    }

    /// Follows something within something.
    pub fn within(&mut self, text: &str, run: impl FnOnce(&mut Self)) {
        if self.depth >= DEEPEST {
            return self.doubt(text, "it is nested more deeply than is followed");
        }
        self.depth += 1;
        run(self);
        self.depth -= 1;
    }

    /// Follows a block's statements.
    pub fn block(&mut self, block: &Block) -> Value {
        self.all(&block.statements, Some(block))
    }

    pub fn statements(&mut self, statements: &[Statement]) -> Value {
        self.all(statements, None)
    }

    fn all(&mut self, statements: &[Statement], block: Option<&Block>) -> Value {
        let mut value = Value::Nothing;
        for (nr, statement) in statements.iter().enumerate() {
            if self.left == 0 {
                return Value::Unknown;
            }
            let one = self.statement(statement);
            if let Some(hosts) = self.entered.take() {
                let end = block.and_then(|block| block.ends.get(nr).and_then(|end| block.raw.get(*end..)));
                self.elsewhere(end, hosts);
            }
            value = match (value, one) {
                (Value::Nothing, one) | (one, Value::Nothing) => one,
                (Value::List(all), _) if all.len() >= MOST_PARTS => Value::Unknown,
                (Value::List(mut all), one) => {
                    std::rc::Rc::make_mut(&mut all).push(one);
                    Value::List(all)
                }
                (Value::Unknown, _) => Value::Unknown,
                (first, one) => Value::list(vec![first, one]),
            };
        }
        value
    }

    /// What stands behind `Enter-PSSession` runs here or there, depending on how the text is run.
    fn elsewhere(&mut self, rest: Option<&str>, hosts: Vec<Host>) {
        let text = match rest.map(|rest| rest.trim_start_matches([';', ' ', '\r', '\n', '\t'])) {
            Some("") => return,
            Some(rest) => {
                let end = rest.to_lowercase().find("exit-pssession").unwrap_or(rest.len());
                Word::known_as(rest.get(..end).unwrap_or(rest))
            }
            None => Word::unknown(),
        };
        self.say("Enter-PSSession", vec![super::remote::runs_there(text, hosts)]);
    }

    /// Follows one statement.
    pub(super) fn statement(&mut self, statement: &Statement) -> Value {
        match statement {
            Statement::Chain(pipelines) => {
                let mut value = Value::Nothing;
                for (nr, pipeline) in pipelines.iter().enumerate() {
                    // It may not run.
                    let before = (nr > 0).then(|| self.snapshot());
                    value = self.pipeline(pipeline);
                    if let Some(before) = before {
                        self.env.join(&before);
                    }
                }
                value
            }
            Statement::Assign { targets, plain, value, text } => {
                let value = match (targets.as_slice(), lone_value(value)) {
                    // Code in a variable is followed when it is used, and by nobody else before that.
                    ([Expr::Variable(name)], Some(expr)) if *plain && !name.contains(':') => self.value(expr),
                    _ => self.statement(value),
                };
                self.assign(targets, *plain, &value, text);
                Value::Nothing
            }
            Statement::Flow { heads, bodies, loops } => {
                if *loops {
                    for body in bodies {
                        self.forget_set_in(body);
                    }
                }
                let mut last = Value::Nothing;
                for head in heads {
                    last = self.statement(head);
                }
                if bodies.is_empty() {
                    return last;
                }
                if *loops {
                    self.env.forget("_");
                }
                for body in bodies {
                    let before = self.snapshot();
                    self.parameters(body, None);
                    self.block(body);
                    self.env.join(&before);
                }
                Value::Unknown
            }
            Statement::Each { name, list, body } => {
                let list = self.statement(list);
                self.each(&list, |follow, item| {
                    follow.forget_set_in(body);
                    let before = follow.snapshot();
                    follow.env.variables.insert(name.clone(), item);
                    follow.block(body);
                    follow.env.join(&before);
                });
                Value::Unknown
            }
            Statement::Function { name, body } => {
                let head = body.raw.to_lowercase();
                let head = head.split_once("param").map_or("", |(head, _)| head);
                if head.contains("alias(") {
                    self.env.all_shadowed = Some("a function has another name as well".into());
                }
                if CALLED_UNASKED.contains(&name.as_str()) {
                    self.settle(&Value::Block(body.clone()), name);
                }
                self.env.functions.insert(name.clone(), (body.clone(), true));
                Value::Nothing
            }
            Statement::Ends(value) => value.as_ref().map_or(Value::Nothing, |value| self.statement(value)),
            Statement::Odd(text, why) => {
                self.doubt(text, *why);
                Value::Unknown
            }
        }
    }

    pub fn pipeline(&mut self, pipeline: &Pipeline) -> Value {
        let before = pipeline.background.then(|| self.snapshot());
        let mut value = Value::Nothing;
        for (nr, element) in pipeline.elements.iter().enumerate() {
            value = self.element(element, value, nr > 0);
            for file in &element.redirects {
                let file = self.value(file);
                if !matches!(file, Value::Nothing) {
                    let effects = self.writes(&file);
                    self.say(&format!("> {}", file.word().shown()), effects);
                }
            }
        }
        if let Some(before) = before {
            self.env = before;
        }
        value
    }

    fn element(&mut self, element: &Element, input: Value, piped: bool) -> Value {
        match &element.what {
            Step::Value(expr) => {
                let value = self.value(expr);
                // A bare `$x = …` in parentheses is no output, and code that is only written down may be run by what follows.
                self.settle(&value, &element.text);
                value
            }
            Step::Command { call, name, arguments } => {
                let input = piped.then_some(input);
                self.command(*call, name, arguments, input, &element.text)
            }
        }
    }

    /// Judges code that is written down here, and may be run by whoever has it, when nothing of what is known now holds any more.
    pub fn settle(&mut self, value: &Value, text: &str) {
        for block in value.blocks() {
            let before = self.snapshot();
            let known = self.used_elsewhere(&block.raw);
            self.env.forget_all();
            self.env.variables.extend(known);
            self.within(text, |follow| {
                follow.parameters(&block, None);
                follow.block(&block);
            });
            let after = std::mem::replace(&mut self.env, before);
            // What it sets it may set at any time.
            for name in after.variables.keys().filter(|name| may_be_set(&block.raw, name)) {
                self.env.forget(name);
            }
            self.env.functions.extend(after.functions.into_iter().map(|(name, (body, _))| (name, (body, false))));
            self.env.shadowed.extend(after.shadowed);
            self.env.all_shadowed = self.env.all_shadowed.take().or(after.all_shadowed);
        }
    }

    /// Runs a block in place, perhaps again and again, with `$_` being this.
    pub fn run_block(&mut self, block: &Rc<Block>, item: Value, text: &str) -> Value {
        let mut value = Value::Unknown;
        self.within(text, |follow| {
            follow.forget_set_in(block);
            let before = follow.snapshot();
            follow.env.variables.insert("_".into(), item.clone());
            follow.env.variables.insert("psitem".into(), item);
            follow.parameters(block, None);
            value = follow.block(block);
            follow.env.join(&before);
        });
        value
    }

    /// Sets a block's parameters to what it is given, in their order; what it isn't given, or nobody knows whether it is, is
    /// not known.
    pub fn parameters(&mut self, block: &Block, given: Option<&[(String, Value)]>) {
        for parameter in &block.parameters {
            for expr in &parameter.runs {
                let value = self.value(expr);
                self.settle(&value, &parameter.name);
            }
            let default = parameter.default.as_ref().map(|expr| self.value(expr));
            if let Some(default) = &default {
                self.settle(default, &parameter.name);
            }
            let value = given.map_or(Value::Unknown, |given| {
                let value = given.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| value.clone());
                value.or(default).unwrap_or(Value::Unknown)
            });
            self.env.variables.insert(parameter.name.clone(), value);
        }
    }
}

/// The block that a statement is, if it is nothing else.
fn lone_value(statement: &Statement) -> Option<&Expr> {
    let Statement::Chain(pipelines) = statement else { return None };
    let [Pipeline { elements, .. }] = pipelines.as_slice() else { return None };
    match elements.as_slice() {
        [Element { what: Step::Value(expr @ Expr::Block(_)), redirects, .. }] if redirects.is_empty() => Some(expr),
        _ => None,
    }
}

fn may_be_set(raw: &str, name: &str) -> bool {
    let raw = raw.to_lowercase();
    // `$script:name`, `Set-Variable name -Scope 1`
    raw.contains(name) && ["script:", "global:", "-sc", "variable"].iter().any(|word| raw.contains(word))
}
