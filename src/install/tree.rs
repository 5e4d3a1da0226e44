//! A settings file as a tree of spans: where each value, comma and comment stands in its text.
//!
//! jsonc-parser ends here. Owns: which texts are read (JSON with comments and trailing commas, nothing laxer). Must not:
//! change a byte, or know what a hook is.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};
use serde_json::Value;

/// The text of a settings file, read.
pub(super) struct Tree<'t> {
    pub text: &'t str,
    pub root: Node,
    /// Commas and comments, in their order.
    pub marks: Vec<Mark>,
}

/// A comma or comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub start: usize,
    pub end: usize,
    pub kind: MarkKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkKind {
    Comma,
    LineComment,
    BlockComment,
}

/// A value and where it stands.
pub(super) struct Node {
    pub start: usize,
    pub end: usize,
    pub kind: Kind,
}

pub(super) enum Kind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Scalar(Value),
}

/// `"name": value`.
pub(super) struct Member {
    pub start: usize,
    pub name: String,
    pub value: Node,
}

impl<'t> Tree<'t> {
    /// Reads the text.
    ///
    /// # Errors
    /// What is wrong, and in which line and column.
    pub fn parse(text: &'t str) -> Result<Self, String> {
        let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let body = text.get(bom..).unwrap_or_default();
        let collect = CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
        let parsed = parse_to_ast(body, &collect, &strict()).map_err(|error| {
            let (line, column) = (error.line_display(), error.column_display());
            format!("line {line}, column {column}: {}", error.kind())
        })?;
        let mut marks = Vec::new();
        for token in parsed.tokens.iter().flatten() {
            let kind = match token.token {
                Token::Comma => MarkKind::Comma,
                Token::CommentLine(_) => MarkKind::LineComment,
                Token::CommentBlock(_) => MarkKind::BlockComment,
                _ => continue,
            };
            let range = token.range();
            marks.push(Mark { start: bom.saturating_add(range.start), end: bom.saturating_add(range.end), kind });
        }
        marks.sort_by_key(|mark| mark.start);
        let value = parsed.value.ok_or("line 1, column 1: it holds no value at all")?;
        let root = node(&value, bom);
        root.no_name_twice(text)?;
        Ok(Self { text, root, marks })
    }

    /// The line of a place, counted from 1.
    pub fn line(&self, at: usize) -> usize {
        line(self.text, at)
    }

    /// The marks that lie within.
    pub fn marks_between(&self, start: usize, end: usize) -> impl Iterator<Item = Mark> + '_ {
        self.marks.iter().copied().filter(move |mark| mark.start >= start && mark.end <= end)
    }
}

impl Node {
    /// The value of the member with this name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.members().iter().find(|member| member.name == name).map(|member| &member.value)
    }

    /// An object's members; none of anything else.
    pub fn members(&self) -> &[Member] {
        match &self.kind {
            Kind::Object(members) => members,
            _ => &[],
        }
    }

    /// An array's elements; none of anything else.
    pub fn elements(&self) -> &[Self] {
        match &self.kind {
            Kind::Array(elements) => elements,
            _ => &[],
        }
    }

    pub fn is_object(&self) -> bool {
        matches!(self.kind, Kind::Object(_))
    }

    pub fn is_array(&self) -> bool {
        matches!(self.kind, Kind::Array(_))
    }

    /// Where the members or elements stand.
    pub fn spans(&self) -> Vec<(usize, usize)> {
        match &self.kind {
            Kind::Object(members) => members.iter().map(|member| (member.start, member.value.end)).collect(),
            Kind::Array(elements) => elements.iter().map(|element| (element.start, element.end)).collect(),
            Kind::Scalar(_) => Vec::new(),
        }
    }

    /// The value itself.
    pub fn value(&self) -> Value {
        match &self.kind {
            Kind::Object(members) => {
                members.iter().map(|member| (member.name.clone(), member.value.value())).collect::<Value>()
            }
            Kind::Array(elements) => elements.iter().map(Self::value).collect::<Value>(),
            Kind::Scalar(value) => value.clone(),
        }
    }

    /// A name that stands twice has one value for us and maybe another for the host.
    fn no_name_twice(&self, text: &str) -> Result<(), String> {
        let members = self.members();
        for (at, member) in members.iter().enumerate() {
            if members.iter().take(at).any(|earlier| earlier.name == member.name) {
                let name = crate::text::clean(&member.name, 80);
                return Err(format!("line {}: `{name}` stands there a second time", line(text, member.start)));
            }
            member.value.no_name_twice(text)?;
        }
        self.elements().iter().try_for_each(|element| element.no_name_twice(text))
    }
}

fn line(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or(text);
    before.bytes().filter(|byte| *byte == b'\n').count().saturating_add(1)
}

/// JSON with comments and trailing commas. What is laxer, an agent host would not read as we do.
fn strict() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn node(value: &ast::Value<'_>, bom: usize) -> Node {
    let range = value.range();
    let kind = match value {
        ast::Value::Object(object) => Kind::Object(
            object
                .properties
                .iter()
                .map(|property| Member {
                    start: bom.saturating_add(property.range.start),
                    name: property.name.as_str().to_owned(),
                    value: node(&property.value, bom),
                })
                .collect(),
        ),
        ast::Value::Array(array) => Kind::Array(array.elements.iter().map(|element| node(element, bom)).collect()),
        ast::Value::StringLit(text) => Kind::Scalar(Value::String(text.value.to_string())),
        ast::Value::BooleanLit(flag) => Kind::Scalar(Value::Bool(flag.value)),
        ast::Value::NullKeyword(_) => Kind::Scalar(Value::Null),
        // A number that JSON can't hold stays what it was: its text.
        ast::Value::NumberLit(number) => {
            Kind::Scalar(serde_json::from_str(number.value).unwrap_or_else(|_| Value::String(number.value.to_owned())))
        }
    };
    Node { start: bom.saturating_add(range.start), end: bom.saturating_add(range.end), kind }
}
