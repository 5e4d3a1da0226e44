//! Loops over the elements of a list, or over what comes through the pipeline.

use super::commands::Met;
use super::follow::Follow;
use super::value::Value;
use crate::classify::effect::Effect;

/// Loops over lists are followed for each element if that makes no more rounds.
const MOST_ROUNDS: usize = 24;

impl Follow<'_> {
    /// Does something for each element of a list: one after another if they are few texts, else for any of them at once.
    pub fn each(&mut self, list: &Value, mut run: impl FnMut(&mut Self, Value)) {
        let few = match list {
            Value::List(values) if values.iter().all(|value| value.known().is_some()) => Some(values.clone()),
            _ => None,
        };
        match few.filter(|values| self.rounds.saturating_mul(values.len()) <= MOST_ROUNDS) {
            Some(values) => {
                let before = self.rounds;
                self.rounds *= values.len().max(1);
                for value in values.iter() {
                    run(self, value.clone());
                }
                self.rounds = before;
            }
            None => run(self, list.element()),
        }
    }

    /// `ForEach-Object`
    pub(super) fn for_each(&mut self, met: &Met) -> Value {
        let bound = met.given.bind(
            "Process Begin End RemainingScripts MemberName ArgumentList,Args Parallel ThrottleLimit TimeoutSeconds AsJob! InputObject UseNewRunspace!",
        );
        let item = match &met.input {
            Some(Value::List(values)) => Value::Any(values.clone()),
            Some(Value::Text(word)) => Value::Text(word.clone()),
            Some(input) => input.element(),
            None => Value::Unknown,
        };
        let mut value = Value::Unknown;
        let mut faults = bound.fault.clone();
        let named = ["process", "begin", "end", "remainingscripts", "parallel"];
        let all: Vec<Value> =
            bound.positional.iter().chain(named.iter().filter_map(|name| bound.get(name))).cloned().collect();
        if all.is_empty() && bound.get("membername").is_none() {
            faults.get_or_insert("what it runs is not seen".into());
        }
        self.say(met.text, faults.into_iter().map(Effect::Unknown).collect());
        for code in all {
            match code {
                Value::Block(block) => {
                    let before = bound.get("parallel").map(|_| self.snapshot());
                    if before.is_some() {
                        let known = self.used_elsewhere(&block.raw);
                        self.env.forget_all();
                        self.env.variables.extend(known);
                    }
                    let mut values = Vec::new();
                    self.each(met.input.as_ref().unwrap_or(&Value::Unknown), |follow, item| {
                        values.push(follow.run_block(&block, item, met.text));
                    });
                    value = match <[Value; 1]>::try_from(values) {
                        Ok([one]) => one,
                        Err(values) => self.bounded(Value::Any(values.into())),
                    };
                    if let Some(before) = before {
                        self.env = before;
                    }
                }
                Value::List(values) if values.iter().all(|value| matches!(value, Value::Block(_))) => {
                    for block in values.iter().flat_map(Value::blocks) {
                        self.run_block(&block, item.clone(), met.text);
                    }
                }
                Value::Text(word) if word.known().is_some_and(|name| is_property(&name.to_lowercase())) => {
                    value = super::dotnet::property(&item, &word.known().unwrap_or_default().to_lowercase());
                }
                // What is no object has no methods that change anything.
                Value::Text(word)
                    if matches!(item, Value::Data | Value::Hash(_))
                        && word.known().is_some_and(|name| !super::dotnet::changes(&name.to_lowercase())) =>
                {
                    value = super::dotnet::property(&item, &word.known().unwrap_or_default().to_lowercase());
                }
                Value::Text(word) if word.known().is_some() => {
                    self.method(&item, word.known().unwrap_or_default(), &[], met.text);
                }
                _ => {
                    self.unknown(met, "what it runs is only known when it runs");
                }
            }
        }
        if let Some(name) = bound.get("membername") {
            match name.known() {
                Some(name) => {
                    let name = name.to_lowercase();
                    self.method(&item, &name, &[], met.text);
                }
                None => {
                    self.unknown(met, "which method it calls is only known when it runs");
                }
            }
        }
        value
    }
}

/// Whether a name is that of a property of many objects, and of no method.
fn is_property(name: &str) -> bool {
    super::dotnet::is_text_property(name)
        || matches!(name, "name" | "fullname" | "path" | "directoryname" | "processname")
}
