//! What code takes along to where it runs: `$using:name`, and the values that it is given.

use super::follow::Follow;
use super::value::Value;
use crate::classify::word::Word;

/// A longer value that code takes along is not followed.
const LONGEST_VALUE: usize = 1_000;

/// So many values that code is given are followed.
const MOST_VALUES: usize = 20;

/// No block takes more variables along.
const MOST_USED: usize = 50;

impl Follow<'_> {
    /// The variables that code takes along to where it runs, as `$using:name`.
    pub fn used_elsewhere(&mut self, raw: &str) -> Vec<(String, Value)> {
        const MARK: &str = "using:";
        self.spend(raw.len() / 32);
        let lower = raw.to_lowercase();
        let mut known: Vec<(String, Value)> = Vec::new();
        for (at, _) in lower.match_indices(MARK).take(MOST_USED) {
            let rest = lower.get(at + MARK.len()..).unwrap_or_default();
            let name: String = rest.chars().take_while(|c| super::reader::in_name(*c)).collect();
            let full = format!("{MARK}{name}");
            if let Some(value) = self.env.variables.get(&name)
                && !known.iter().any(|(known, _)| *known == full)
            {
                known.push((full, value.clone()));
            }
        }
        known
    }

    /// The text of code that runs elsewhere, with the values that it takes along and those that it is given.
    pub(super) fn sent(&mut self, code: &Value, given: Option<&Value>) -> Word {
        let Value::Block(block) = code else { return Word::unknown() };
        let quoted = |value: &Value| {
            let known = value.known().filter(|known| known.len() < LONGEST_VALUE)?;
            let twice = |c| 1 + usize::from(super::reader::is_single(c));
            let inner: String = known.chars().flat_map(|c| std::iter::repeat_n(c, twice(c))).collect();
            Some(format!("'{inner}'"))
        };
        let mut text = String::new();
        for (name, value) in self.used_elsewhere(&block.raw) {
            if let Some(value) = quoted(&value) {
                text.push_str(&format!("${{{name}}} = {value}\n"));
            }
        }
        let values = match given {
            None => vec![],
            Some(Value::List(values)) => values.to_vec(),
            Some(one) => vec![one.clone()],
        };
        if block.parameters.is_empty() || values.len() > MOST_VALUES {
            // What has parameters has to begin with them.
            let alone = text.is_empty() || block.parameters.is_empty();
            text.push_str(&block.raw);
            return if alone { Word::known_as(text) } else { Word::known_as(block.raw.as_str()) };
        }
        text.push_str("& {");
        text.push_str(&block.raw);
        text.push_str("\n}");
        for value in &values {
            text.push(' ');
            text.push_str(quoted(value).as_deref().unwrap_or("$using:nothing"));
        }
        Word::known_as(text)
    }
}
