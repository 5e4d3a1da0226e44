//! A TOML text with the line of everything in it: what the config and the catalogs are read through.
//!
//! Owns: finding keys, refusing unknown ones, and errors that name the line. Must not: know what any key means.
//! It is pure, and the build script uses it too (for the built-in catalog).

// Where they lie from the build script too.
#[path = "document/plain.rs"]
mod plain;
#[path = "document/tree.rs"]
mod tree;

use std::fmt;
use toml::de::{DeTable, DeValue};
use tree::{Entry, Node, Other, Row, Tree};

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
pub struct Document<'t>(Tree<'t>);

impl<'t> Document<'t> {
    /// Parses the text.
    ///
    /// # Errors
    /// The first mistake of syntax, or a key given twice.
    pub fn parse(text: &'t str) -> Result<Self, Mistake> {
        match plain::read(text) {
            Some(tree) => Ok(Self(tree)),
            None => Self::parse_any(text),
        }
    }

    /// The same by the toml crate, which knows all of TOML and what is wrong with a text.
    fn parse_any(text: &'t str) -> Result<Self, Mistake> {
        let too_long = || Mistake { line: 1, message: "the text is too long".into() };
        let mut tree = Tree::of(text).ok_or_else(too_long)?;
        match DeTable::parse(text) {
            Ok(root) => {
                tree.root = fields(&mut tree, root.into_inner());
                Ok(Self(tree))
            }
            Err(error) => {
                let start = error.span().map_or(0, |span| span.start);
                Err(Mistake { line: line_of(text, start), message: error.message().to_owned() })
            }
        }
    }

    /// The table that is the whole document.
    #[must_use]
    pub fn root(&self) -> Table<'_, 't> {
        Table { tree: &self.0, row: self.0.root, at: 0 }
    }
}

fn fields(tree: &mut Tree, table: DeTable) -> Row {
    let mut row = Row::EMPTY;
    // They come sorted by the keys.
    let mut table: Vec<_> = table.into_iter().collect();
    table.sort_by_key(|(key, _)| key.span().start);
    for (key, value) in table {
        let at = key.span().start;
        let name = tree.own(&key.into_inner());
        let node = node(tree, value.into_inner());
        tree.push(&mut row, name, at, node);
    }
    row
}

fn node(tree: &mut Tree, value: DeValue) -> Node {
    match value {
        DeValue::String(text) if text.chars().any(char::is_control) => Node::TextWithControls(tree.own(&text)),
        DeValue::String(text) => Node::Text(tree.own(&text)),
        DeValue::Integer(number) => {
            let digits = i64::from_str_radix(number.as_str(), number.radix()).map(|number| number.to_string());
            Node::Integer(tree.own(&digits.unwrap_or_default()))
        }
        DeValue::Boolean(flag) => Node::Flag(flag),
        DeValue::Array(list) => {
            let mut row = Row::EMPTY;
            for value in list {
                let at = value.span().start;
                let node = node(tree, value.into_inner());
                let name = tree.part(0..0);
                tree.push(&mut row, name, at, node);
            }
            Node::List(row)
        }
        DeValue::Table(table) => Node::Table(fields(tree, table)),
        DeValue::Float(_) => Node::Other(Other::Number),
        DeValue::Datetime(_) => Node::Other(Other::Date),
    }
}

/// A table of the document.
#[derive(Debug, Clone, Copy)]
pub struct Table<'d, 't> {
    tree: &'d Tree<'t>,
    row: Row,
    at: u32,
}

impl<'d, 't> Table<'d, 't> {
    /// Its keys and values, in the order of the text.
    pub fn items(&self) -> impl Iterator<Item = (Key<'d, 't>, Value<'d, 't>)> + use<'d, 't> {
        let tree = self.tree;
        tree.row(self.row)
            .map(move |entry| (Key { tree, name: tree.said(entry.name), at: entry.at }, Value { tree, entry }))
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Value<'d, 't>> {
        let tree = self.tree;
        let entry = tree.row(self.row).find(|entry| tree.said(entry.name) == name)?;
        Some(Value { tree, entry })
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
        Mistake { line: line_of(self.tree.text, self.at as usize), message: message.into() }
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
            .map(|value| match value.entry.node {
                Node::Flag(flag) => Ok(flag),
                _ => Err(value.mistake(format!("`{name}` must be true or false"))),
            })
            .transpose()
    }
}

/// A key of a table.
#[derive(Debug, Clone, Copy)]
pub struct Key<'d, 't> {
    tree: &'d Tree<'t>,
    /// The key itself.
    pub name: &'d str,
    at: u32,
}

impl Key<'_, '_> {
    /// A mistake at the place of this key.
    #[must_use]
    pub fn mistake(&self, message: impl Into<String>) -> Mistake {
        Mistake { line: line_of(self.tree.text, self.at as usize), message: message.into() }
    }
}

/// A value of a table or list.
#[derive(Debug, Clone, Copy)]
pub struct Value<'d, 't> {
    tree: &'d Tree<'t>,
    entry: &'d Entry,
}

impl<'d, 't> Value<'d, 't> {
    /// A mistake at the place of this value.
    #[must_use]
    pub fn mistake(&self, message: impl Into<String>) -> Mistake {
        Mistake { line: line_of(self.tree.text, self.entry.at as usize), message: message.into() }
    }

    /// The value as a string; `what` names it in the error.
    ///
    /// # Errors
    /// If it is no string, or holds a control character.
    pub fn string(&self, what: &str) -> Result<&'d str, Mistake> {
        match self.entry.node {
            Node::Text(text) => Ok(self.tree.said(text)),
            Node::TextWithControls(_) => Err(self.mistake(format!("`{what}` must not hold control characters"))),
            _ => Err(self.mistake(format!("`{what}` must be a string, not {}", self.kind()))),
        }
    }

    /// The value as a whole number; `what` names it in the error.
    ///
    /// # Errors
    /// If it is no whole number that fits.
    pub fn integer(&self, what: &str) -> Result<i64, Mistake> {
        let number = match self.entry.node {
            Node::Integer(digits) => self.tree.said(digits).parse().ok(),
            _ => None,
        };
        number.ok_or_else(|| self.mistake(format!("`{what}` must be a whole number")))
    }

    /// The value as a table; `what` names it in the error.
    ///
    /// # Errors
    /// If it is no table.
    pub fn table(&self, what: &str) -> Result<Table<'d, 't>, Mistake> {
        match self.entry.node {
            Node::Table(row) => Ok(Table { tree: self.tree, row, at: self.entry.at }),
            _ => Err(self.mistake(format!("`{what}` must be a table, not {}", self.kind()))),
        }
    }

    /// The value as a list; `what` names it in the error.
    ///
    /// # Errors
    /// If it is no list.
    pub fn list(&self, what: &str) -> Result<impl Iterator<Item = Value<'d, 't>> + use<'d, 't>, Mistake> {
        let tree = self.tree;
        match self.entry.node {
            Node::List(row) => Ok(tree.row(row).map(move |entry| Value { tree, entry })),
            _ => Err(self.mistake(format!("`{what}` must be a list, not {}", self.kind()))),
        }
    }

    /// Whether it is a string.
    #[must_use]
    pub fn is_string(&self) -> bool {
        matches!(self.entry.node, Node::Text(_) | Node::TextWithControls(_))
    }

    /// A list of strings; `what` names it in the error.
    ///
    /// # Errors
    /// If it is no list, or one of its elements is no string.
    pub fn strings(&self, what: &str) -> Result<Vec<String>, Mistake> {
        self.list(what)?.map(|value| value.string(what).map(str::to_owned)).collect()
    }

    fn kind(&self) -> &'static str {
        match self.entry.node {
            Node::Text(_) | Node::TextWithControls(_) => "a string",
            Node::Integer(_) => "a number",
            Node::Flag(_) => "true or false",
            Node::List(_) => "a list",
            Node::Table(_) => "a table",
            Node::Other(Other::Number) => "a number",
            Node::Other(Other::Date) => "a date",
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
