//! A TOML text with the line of everything in it: what the config and the catalogs are read through.
//!
//! Owns: finding keys, refusing unknown ones, and errors that name the line. Must not: know what any key means.
//! It is pure, and the build script uses it too (for the built-in catalog).

// Where it lies from the build script too.
#[path = "document/plain.rs"]
mod plain;

use std::borrow::Cow;
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
    root: Vec<Field<'t>>,
}

/// A key of a table, and what it has.
#[derive(Debug, PartialEq)]
struct Field<'t> {
    name: Cow<'t, str>,
    /// Where the key stands.
    at: usize,
    item: Item<'t>,
}

/// A value.
#[derive(Debug, PartialEq)]
struct Item<'t> {
    /// Where it stands.
    at: usize,
    node: Node<'t>,
}

#[derive(Debug, PartialEq)]
enum Node<'t> {
    /// Without control characters.
    Text(Cow<'t, str>),
    TextWithControls(Cow<'t, str>),
    /// None if it does not fit.
    Integer(Option<i64>),
    Flag(bool),
    List(Vec<Item<'t>>),
    /// Sorted by the keys.
    Table(Vec<Field<'t>>),
    /// What none of our files has a use for, and what it is called.
    Other(&'static str),
}

impl<'t> Document<'t> {
    /// Parses the text.
    ///
    /// # Errors
    /// The first mistake of syntax, or a key given twice.
    pub fn parse(text: &'t str) -> Result<Self, Mistake> {
        match plain::read(text) {
            Some(root) => Ok(Self { text, root }),
            None => Self::parse_any(text),
        }
    }

    /// The same by the toml crate, which knows all of TOML and what is wrong with a text.
    fn parse_any(text: &'t str) -> Result<Self, Mistake> {
        match DeTable::parse(text) {
            Ok(root) => Ok(Self { text, root: fields(root.into_inner()) }),
            Err(error) => {
                let start = error.span().map_or(0, |span| span.start);
                Err(Mistake { line: line_of(text, start), message: error.message().to_owned() })
            }
        }
    }

    /// The table that is the whole document.
    #[must_use]
    pub fn root(&self) -> Table<'_, 't> {
        Table { text: self.text, fields: &self.root, at: 0 }
    }
}

fn fields<'t>(table: DeTable<'t>) -> Vec<Field<'t>> {
    let field = |(key, value): (Spanned<Cow<'t, str>>, Spanned<DeValue<'t>>)| {
        let at = key.span().start;
        Field { name: key.into_inner(), at, item: item(value) }
    };
    table.into_iter().map(field).collect()
}

fn item(value: Spanned<DeValue>) -> Item {
    let at = value.span().start;
    let node = match value.into_inner() {
        DeValue::String(text) if text.chars().any(char::is_control) => Node::TextWithControls(text),
        DeValue::String(text) => Node::Text(text),
        DeValue::Integer(number) => Node::Integer(i64::from_str_radix(number.as_str(), number.radix()).ok()),
        DeValue::Boolean(flag) => Node::Flag(flag),
        DeValue::Array(list) => Node::List(list.into_iter().map(item).collect()),
        DeValue::Table(table) => Node::Table(fields(table)),
        DeValue::Float(_) => Node::Other("a number"),
        DeValue::Datetime(_) => Node::Other("a date"),
    };
    Item { at, node }
}

/// A table of the document.
#[derive(Debug, Clone, Copy)]
pub struct Table<'d, 't> {
    text: &'t str,
    fields: &'d [Field<'t>],
    at: usize,
}

impl<'d, 't> Table<'d, 't> {
    /// Its keys and values, in alphabetical order.
    pub fn items(&self) -> impl Iterator<Item = (Key<'d, 't>, Value<'d, 't>)> + use<'d, 't> {
        let text = self.text;
        self.fields.iter().map(move |field| {
            let Field { name, at, item } = field;
            (Key { text, name, at: *at }, Value { text, node: &item.node, at: *at })
        })
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Value<'d, 't>> {
        let field = self.fields.iter().find(|field| field.name == name)?;
        Some(Value { text: self.text, node: &field.item.node, at: field.at })
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
            .map(|value| match value.node {
                Node::Flag(flag) => Ok(*flag),
                _ => Err(value.mistake(format!("`{name}` must be true or false"))),
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
    node: &'d Node<'t>,
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
        match self.node {
            Node::Text(text) => Ok(text),
            Node::TextWithControls(_) => Err(self.mistake(format!("`{what}` must not hold control characters"))),
            _ => Err(self.mistake(format!("`{what}` must be a string, not {}", self.kind()))),
        }
    }

    /// The value as a whole number; `what` names it in the error.
    ///
    /// # Errors
    /// If it is no whole number that fits.
    pub fn integer(&self, what: &str) -> Result<i64, Mistake> {
        match self.node {
            Node::Integer(Some(number)) => Ok(*number),
            _ => Err(self.mistake(format!("`{what}` must be a whole number"))),
        }
    }

    /// The value as a table; `what` names it in the error.
    ///
    /// # Errors
    /// If it is no table.
    pub fn table(&self, what: &str) -> Result<Table<'d, 't>, Mistake> {
        match self.node {
            Node::Table(fields) => Ok(Table { text: self.text, fields, at: self.at }),
            _ => Err(self.mistake(format!("`{what}` must be a table, not {}", self.kind()))),
        }
    }

    /// The value as a list; `what` names it in the error.
    ///
    /// # Errors
    /// If it is no list.
    pub fn list(&self, what: &str) -> Result<impl Iterator<Item = Value<'d, 't>> + use<'d, 't>, Mistake> {
        let text = self.text;
        match self.node {
            Node::List(items) => Ok(items.iter().map(move |item| Value { text, node: &item.node, at: item.at })),
            _ => Err(self.mistake(format!("`{what}` must be a list, not {}", self.kind()))),
        }
    }

    /// Whether it is a string.
    #[must_use]
    pub fn is_string(&self) -> bool {
        matches!(self.node, Node::Text(_) | Node::TextWithControls(_))
    }

    /// A list of strings; `what` names it in the error.
    ///
    /// # Errors
    /// If it is no list, or one of its elements is no string.
    pub fn strings(&self, what: &str) -> Result<Vec<String>, Mistake> {
        self.list(what)?.map(|value| value.string(what).map(str::to_owned)).collect()
    }

    fn kind(&self) -> &'static str {
        match self.node {
            Node::Text(_) | Node::TextWithControls(_) => "a string",
            Node::Integer(_) => "a number",
            Node::Flag(_) => "true or false",
            Node::List(_) => "a list",
            Node::Table(_) => "a table",
            Node::Other(kind) => kind,
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
