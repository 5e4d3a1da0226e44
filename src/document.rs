//! A TOML text with the line of everything in it: what the config and the catalogs are read through.
//!
//! Owns: finding keys, refusing unknown ones, and errors that name the line. Must not: know what any key means.
//! It is pure, and the build script uses it too (for the built-in catalog).

use std::fmt;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A mistake in a TOML text, and the line it is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Counted from 1.
    pub line: usize,
    /// A sentence without the file's name, which the caller knows.
    pub message: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Mistake {}

/// A parsed TOML text.
#[derive(Debug)]
pub struct Document<'t> {
    text: &'t str,
    root: Spanned<DeTable<'t>>,
}

impl<'t> Document<'t> {
    /// Parses the text.
    ///
    /// # Errors
    /// The first mistake of syntax, or a key given twice.
    pub fn parse(text: &'t str) -> Result<Self, Mistake> {
        match DeTable::parse(text) {
            Ok(root) => Ok(Self { text, root }),
            Err(error) => {
                let start = error.span().map_or(0, |span| span.start);
                Err(Mistake { line: line_of(text, start), message: error.message().to_owned() })
            }
        }
    }

    /// The table that is the whole document.
    #[must_use]
    pub fn root(&self) -> Table<'_, 't> {
        Table { text: self.text, table: self.root.get_ref(), at: 0 }
    }
}

/// A table of the document.
#[derive(Debug, Clone, Copy)]
pub struct Table<'d, 't> {
    text: &'t str,
    table: &'d DeTable<'t>,
    at: usize,
}

impl<'d, 't> Table<'d, 't> {
    /// Its keys and values, in alphabetical order.
    pub fn items(&self) -> impl Iterator<Item = (Key<'d, 't>, Value<'d, 't>)> + use<'d, 't> {
        let text = self.text;
        self.table.iter().map(move |(key, value)| {
            let at = key.span().start;
            (Key { text, name: key.get_ref(), at }, Value { text, value, at })
        })
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Value<'d, 't>> {
        let (key, value) = self.table.get_key_value(name)?;
        Some(Value { text: self.text, value, at: key.span().start })
    }

    /// Refuses every key that is not among `known`.
    ///
    /// # Errors
    /// The first unknown key, with the known ones.
    pub fn only(&self, known: &[&str]) -> Result<(), Mistake> {
        match self.items().find(|(key, _)| !known.contains(&key.name)) {
            None => Ok(()),
            Some((key, _)) => Err(key.mistake(format!("unknown key `{}`; known here: {}", key.name, known.join(", ")))),
        }
    }

    /// A mistake at the place of this table.
    #[must_use]
    pub fn mistake(&self, message: impl Into<String>) -> Mistake {
        Mistake { line: line_of(self.text, self.at), message: message.into() }
    }

    /// A string that may be absent.
    ///
    /// # Errors
    /// If it is there and no string.
    pub fn text(&self, name: &str) -> Result<Option<&'d str>, Mistake> {
        self.get(name).map(|value| value.string(name)).transpose()
    }

    /// A truth value that may be absent.
    ///
    /// # Errors
    /// If it is there and neither `true` nor `false`.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, Mistake> {
        self.get(name)
            .map(|value| {
                value.value.get_ref().as_bool().ok_or_else(|| value.mistake(format!("`{name}` must be true or false")))
            })
            .transpose()
    }
}

/// A key of a table.
#[derive(Debug, Clone, Copy)]
pub struct Key<'d, 't> {
    text: &'t str,
    /// The key itself.
    pub name: &'d str,
    at: usize,
}

impl Key<'_, '_> {
    /// A mistake at the place of this key.
    #[must_use]
    pub fn mistake(&self, message: impl Into<String>) -> Mistake {
        Mistake { line: line_of(self.text, self.at), message: message.into() }
    }
}

/// A value of a table or list.
#[derive(Debug, Clone, Copy)]
pub struct Value<'d, 't> {
    text: &'t str,
    value: &'d Spanned<DeValue<'t>>,
    at: usize,
}

impl<'d, 't> Value<'d, 't> {
    /// A mistake at the place of this value.
    #[must_use]
    pub fn mistake(&self, message: impl Into<String>) -> Mistake {
        Mistake { line: line_of(self.text, self.at), message: message.into() }
    }

    /// The value as a string; `what` names it in the error.
    ///
    /// # Errors
    /// If it is no string, or holds a control character.
    pub fn string(&self, what: &str) -> Result<&'d str, Mistake> {
        let text = self
            .value
            .get_ref()
            .as_str()
            .ok_or_else(|| self.mistake(format!("`{what}` must be a string, not {}", self.kind())))?;
        if text.chars().any(char::is_control) {
            return Err(self.mistake(format!("`{what}` must not hold control characters")));
        }
        Ok(text)
    }

    /// The value as a whole number; `what` names it in the error.
    ///
    /// # Errors
    /// If it is no whole number that fits.
    pub fn integer(&self, what: &str) -> Result<i64, Mistake> {
        self.value
            .get_ref()
            .as_integer()
            .and_then(|number| i64::from_str_radix(number.as_str(), number.radix()).ok())
            .ok_or_else(|| self.mistake(format!("`{what}` must be a whole number")))
    }

    /// The value as a table; `what` names it in the error.
    ///
    /// # Errors
    /// If it is no table.
    pub fn table(&self, what: &str) -> Result<Table<'d, 't>, Mistake> {
        match self.value.get_ref().as_table() {
            Some(table) => Ok(Table { text: self.text, table, at: self.at }),
            None => Err(self.mistake(format!("`{what}` must be a table, not {}", self.kind()))),
        }
    }

    /// The value as a list; `what` names it in the error.
    ///
    /// # Errors
    /// If it is no list.
    pub fn list(&self, what: &str) -> Result<Vec<Value<'d, 't>>, Mistake> {
        match self.value.get_ref().as_array() {
            Some(list) => {
                Ok(list.iter().map(|value| Value { text: self.text, value, at: value.span().start }).collect())
            }
            None => Err(self.mistake(format!("`{what}` must be a list, not {}", self.kind()))),
        }
    }

    /// Whether it is a string.
    #[must_use]
    pub fn is_string(&self) -> bool {
        self.value.get_ref().is_str()
    }

    /// A list of strings; `what` names it in the error.
    ///
    /// # Errors
    /// If it is no list, or one of its elements is no string.
    pub fn strings(&self, what: &str) -> Result<Vec<String>, Mistake> {
        self.list(what)?.iter().map(|value| value.string(what).map(str::to_owned)).collect()
    }

    fn kind(&self) -> &'static str {
        match self.value.get_ref() {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        }
    }
}

/// The line, counted from 1, that the byte at `at` is on.
fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mistake_names_its_line() {
        let syntax = Document::parse("a = 1\nb = \n").unwrap_err();
        assert_eq!(syntax.line, 2, "{syntax}");
        let twice = Document::parse("a = 1\n\na = 2\n").unwrap_err();
        assert_eq!(twice.line, 3, "{twice}");
        let document = Document::parse("a = 1\n[t]\nb = 'x'\nc = [1]\n").unwrap();
        let table = document.root().get("t").unwrap().table("t").unwrap();
        assert_eq!(
            table.only(&["b"]).unwrap_err(),
            Mistake { line: 4, message: "unknown key `c`; known here: b".into() }
        );
        assert_eq!(table.get("c").unwrap().strings("c").unwrap_err().line, 4);
        assert_eq!(table.flag("b").unwrap_err().line, 3);
        assert_eq!(
            document.root().get("a").unwrap().string("a").unwrap_err().to_string(),
            "line 1: `a` must be a string, not a number"
        );
    }

    #[test]
    fn control_characters_are_refused() {
        let document = Document::parse("a = \"x\\u001b[31m\"\n").unwrap();
        assert!(document.root().text("a").is_err());
    }
}
