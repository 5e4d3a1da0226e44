//! What the parameters of the text's own functions and blocks get when they are called.

use super::arguments::Item;
use super::commands::Met;
use super::follow::Follow;
use super::tree::{Block, Expr, Parameter};
use super::value::Value;

/// What an attribute may say that changes which parameter gets what.
const CHOOSING: &[&str] = &["position", "alias", "parameterset", "valuefrom", "dynamicparam", "defaultparameter"];

impl Follow<'_> {
    /// What each parameter of a block gets; none if that can't be told.
    pub(super) fn bound_parameters(&mut self, block: &Block, met: &Met) -> Option<Vec<(String, Value)>> {
        if block.parameters.is_empty() {
            return Some(vec![]);
        }
        let raw = block.raw.get(..block.raw.len().min(HEAD)).unwrap_or(&block.raw).to_lowercase();
        self.spend(raw.len() / 32);
        if met.given.unsure || met.input.is_some() || CHOOSING.iter().any(|word| raw.contains(word)) {
            return None;
        }
        let mut left: Vec<&Parameter> = block.parameters.iter().collect();
        let mut values = Vec::new();
        let mut waiting: Option<String> = None;
        for item in &met.given.items {
            match item {
                Item::Named(name, value) => {
                    if waiting.is_some() {
                        return None;
                    }
                    let lower = name.to_lowercase();
                    let exact = left.iter().position(|parameter| parameter.name == lower);
                    let mut fitting = left.iter().enumerate().filter(|(_, known)| known.name.starts_with(&lower));
                    let at = match (exact, fitting.next(), fitting.next()) {
                        (Some(at), ..) | (None, Some((at, _)), None) => at,
                        _ => return None,
                    };
                    let parameter = left.remove(at);
                    match value {
                        Some(value) => values.push((parameter.name.clone(), value.clone())),
                        None if is_switch(parameter) => values.push((parameter.name.clone(), Value::text("true"))),
                        None => waiting = Some(parameter.name.clone()),
                    }
                }
                Item::Value(value) => match waiting.take() {
                    Some(name) => values.push((name, value.clone())),
                    // What is left over is `$args`.
                    None => {
                        if let Some(at) = left.iter().position(|parameter| !is_switch(parameter)) {
                            values.push((left.remove(at).name.clone(), value.clone()));
                        }
                    }
                },
                Item::Raw(_) => return None,
            }
        }
        waiting.is_none().then_some(values)
    }
}

/// So much of a block is searched for what its parameters' attributes say.
const HEAD: usize = 16 * 1024;

fn is_switch(parameter: &Parameter) -> bool {
    parameter
        .runs
        .iter()
        .any(|expr| matches!(expr, Expr::Type(kind) if kind.ends_with("switch") || kind.ends_with("switchparameter")))
}
