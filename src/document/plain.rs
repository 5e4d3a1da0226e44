//! Reads TOML as people write it by hand, many times faster than the toml crate, and leaves everything else to that.
//!
//! The config and the catalogs are read at every call of every agent. The crate takes some 100 instructions a byte for
//! them, which would be most of what a call costs. Must not: accept what the crate refuses, or understand it otherwise
//! (a test compares the two); say what is wrong with a text.

use super::{Field, Item, Node};
use std::borrow::Cow;

/// Lists in lists: none of our files has any.
const DEEPEST: usize = 4;

/// Few lists and tables hold more: room for so many is made at once.
const USUAL: usize = 6;

/// What each byte may be part of. One look at a table is a third of what the comparisons take, and all bytes of a catalog
/// are looked at at each call.
static KINDS: [u8; 256] = kinds();
const KEY: u8 = 1;
const COMMENT: u8 = 2;
/// Of a string between `"`, and between `'`, as far as it is ASCII.
const DOUBLE: u8 = 4;
const SINGLE: u8 = 8;
/// A part of a character that is not ASCII.
const BEYOND: u8 = 16;

#[allow(clippy::indexing_slicing, reason = "no other way in a constant, and the index is below the length")]
const fn kinds() -> [u8; 256] {
    let mut kinds = [0; 256];
    let mut at = 0;
    while at < kinds.len() {
        let byte = at as u8;
        if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') {
            kinds[at] |= KEY;
        }
        if matches!(byte, b'\t' | b' '..=b'~' | 0x80..) {
            kinds[at] |= COMMENT;
        }
        if byte >= 0x80 {
            kinds[at] |= BEYOND;
        }
        if matches!(byte, b' '..=b'~') {
            kinds[at] |= if matches!(byte, b'"' | b'\\') { 0 } else { DOUBLE };
            kinds[at] |= if byte == b'\'' { 0 } else { SINGLE };
        }
        at += 1;
    }
    kinds
}

/// Reads a text: comments, `[a]`, `[a.b]`, `[[a]]`, `key = value`, where values are strings without escapes, whole
/// numbers, truth values, lists and inline tables of those. None where there is anything else in it, or any doubt.
pub(super) fn read(text: &str) -> Option<Vec<Field<'_>>> {
    let mut reader = Reader { text, at: 0 };
    let mut root: Vec<Field> = Vec::new();
    let mut places: Vec<Place> = Vec::new();
    // Which table the next lines belong to: the root, or one of its tables, or one of theirs.
    let mut here: Option<(usize, Option<usize>)> = None;
    loop {
        reader.skip_lines()?;
        let Some(byte) = reader.peek() else { break };
        if byte == b'[' {
            here = Some(reader.header(&mut root, &mut places)?);
        } else {
            let field = reader.field(0)?;
            match here {
                None => {
                    // A table that is written so can't be added to later, unlike one with a header.
                    if matches!(field.item.node, Node::Table(_)) {
                        return None;
                    }
                    root.push(field);
                    places.push(Place::Value);
                }
                Some((at, inner)) => fields(&mut root.get_mut(at)?.item, inner)?.push(field),
            }
        }
        reader.end_of_line()?;
    }
    for field in &mut root {
        match &mut field.item.node {
            Node::Table(inner) => {
                for field in inner.iter_mut() {
                    if let Node::Table(fields) = &mut field.item.node {
                        sorted(fields)?;
                    }
                }
                sorted(inner)?;
            }
            Node::List(items) => {
                for item in items {
                    if let Node::Table(fields) = &mut item.node {
                        sorted(fields)?;
                    }
                }
            }
            _ => {}
        }
    }
    sorted(&mut root)?;
    Some(root)
}

/// How a key of the root came to be, which decides whether more may be added to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Value,
    Table,
    Tables,
}

/// Where the lines below a header go.
fn fields<'r, 't>(item: &'r mut Item<'t>, inner: Option<usize>) -> Option<&'r mut Vec<Field<'t>>> {
    match (&mut item.node, inner) {
        (Node::Table(fields), None) => Some(fields),
        (Node::Table(fields), Some(at)) => match &mut fields.get_mut(at)?.item.node {
            Node::Table(fields) => Some(fields),
            _ => None,
        },
        (Node::List(items), None) => match &mut items.last_mut()?.node {
            Node::Table(fields) => Some(fields),
            _ => None,
        },
        _ => None,
    }
}

/// Sorts a table by its keys; none where one stands twice.
fn sorted(fields: &mut [Field]) -> Option<()> {
    if fields.len() > 1 {
        fields.sort_by(|one, two| one.name.cmp(&two.name));
        let twice = fields.iter().zip(fields.iter().skip(1)).any(|(one, two)| one.name == two.name);
        if twice {
            return None;
        }
    }
    Some(())
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Over bytes of a kind; what was passed over.
    fn skip_all(&mut self, kind: u8) -> &'t str {
        let is_such = |byte: &u8| KINDS.get(usize::from(*byte)).is_some_and(|kinds| kinds & kind != 0);
        let (from, rest) = (self.at, self.text.as_bytes().get(self.at..).unwrap_or_default());
        self.at += rest.iter().position(|byte| !is_such(byte)).unwrap_or(rest.len());
        self.text.get(from..self.at).unwrap_or_default()
    }

    /// Over blanks.
    fn skip(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Over blanks, line breaks and comments.
    fn skip_lines(&mut self) -> Option<()> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n') => self.at += 1,
                Some(b'#') => self.comment()?,
                _ => return Some(()),
            }
        }
    }

    /// Over a comment, up to its line break.
    fn comment(&mut self) -> Option<()> {
        self.skip_all(COMMENT);
        matches!(self.peek(), None | Some(b'\n')).then_some(())
    }

    fn end_of_line(&mut self) -> Option<()> {
        self.skip();
        match self.peek() {
            None | Some(b'\n') => Some(()),
            Some(b'#') => self.comment(),
            Some(_) => None,
        }
    }

    /// `[a]`, `[a.b]` or `[[a]]`; the place of the table in the root, and in that table.
    fn header(&mut self, root: &mut Vec<Field<'t>>, places: &mut Vec<Place>) -> Option<(usize, Option<usize>)> {
        let begin = self.at;
        self.eat(b'[')?;
        let is_list = self.eat(b'[').is_some();
        self.skip();
        let (at, name) = (self.at, self.key()?);
        self.skip();
        // The one before is the most likely.
        let known = root.iter().rposition(|field| field.name == name);
        let place = |position: usize| places.get(position).copied();
        if is_list {
            self.eat(b']')?;
            self.eat(b']')?;
            let position = match known {
                Some(position) if place(position)? == Place::Tables => position,
                Some(_) => return None,
                None => {
                    root.push(Field { name, at, item: Item { at, node: Node::List(vec![]) } });
                    places.push(Place::Tables);
                    root.len() - 1
                }
            };
            let Node::List(items) = &mut root.get_mut(position)?.item.node else { return None };
            items.push(Item { at: begin, node: Node::Table(Vec::with_capacity(USUAL)) });
            return Some((position, None));
        }
        let inner = match self.eat(b'.') {
            None => None,
            Some(()) => {
                self.skip();
                let key = (self.at, self.key()?);
                self.skip();
                Some(key)
            }
        };
        self.eat(b']')?;
        let position = match known {
            // `[a]` behind `[a.b]` is allowed, but nobody writes it.
            Some(position) if inner.is_some() && place(position)? == Place::Table => position,
            Some(_) => return None,
            None => {
                root.push(Field { name, at, item: Item { at, node: Node::Table(Vec::with_capacity(USUAL)) } });
                places.push(Place::Table);
                root.len() - 1
            }
        };
        let Some((at, name)) = inner else { return Some((position, None)) };
        let Node::Table(fields) = &mut root.get_mut(position)?.item.node else { return None };
        fields.push(Field { name, at, item: Item { at, node: Node::Table(Vec::with_capacity(USUAL)) } });
        Some((position, Some(fields.len() - 1)))
    }

    /// `key = value`.
    fn field(&mut self, depth: usize) -> Option<Field<'t>> {
        let (at, name) = (self.at, self.key()?);
        self.skip();
        self.eat(b'=')?;
        self.skip();
        Some(Field { name, at, item: self.value(depth)? })
    }

    fn key(&mut self) -> Option<Cow<'t, str>> {
        if let Some(quote @ (b'"' | b'\'')) = self.peek() {
            return self.string(quote).map(Cow::Borrowed);
        }
        let key = self.skip_all(KEY);
        (!key.is_empty()).then_some(Cow::Borrowed(key))
    }

    fn value(&mut self, depth: usize) -> Option<Item<'t>> {
        if depth > DEEPEST {
            return None;
        }
        let at = self.at;
        let node = match self.peek()? {
            quote @ (b'"' | b'\'') => Node::Text(Cow::Borrowed(self.string(quote)?)),
            b'[' => self.list(depth)?,
            b'{' => self.table(depth)?,
            b't' => self.word("true", Node::Flag(true))?,
            b'f' => self.word("false", Node::Flag(false))?,
            b'0'..=b'9' => self.integer()?,
            _ => return None,
        };
        Some(Item { at, node })
    }

    /// A string of one line in which nothing stands for something else.
    fn string(&mut self, quote: u8) -> Option<&'t str> {
        self.eat(quote)?;
        let (from, kind) = (self.at, if quote == b'"' { DOUBLE } else { SINGLE });
        let mut text = self.skip_all(kind);
        if self.peek()? >= 0x80 {
            self.skip_all(kind | BEYOND);
            text = self.text.get(from..self.at)?;
            // Some of the characters that are not ASCII are control characters too.
            if text.chars().any(char::is_control) {
                return None;
            }
        }
        self.eat(quote)?;
        // Three quotes begin a string of several lines.
        if text.is_empty() && self.peek() == Some(quote) { None } else { Some(text) }
    }

    fn word(&mut self, word: &str, node: Node<'t>) -> Option<Node<'t>> {
        self.text.get(self.at..)?.starts_with(word).then_some(())?;
        self.at += word.len();
        self.ends().then_some(node)
    }

    fn integer(&mut self) -> Option<Node<'t>> {
        // Letters end it: a number that is written otherwise.
        let digits = self.skip_all(KEY);
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        // No number begins with a zero, a date may.
        if !self.ends() || digits.len() > 1 && digits.starts_with('0') {
            return None;
        }
        Some(Node::Integer(Some(digits.parse().ok()?)))
    }

    /// Whether a word or number is over here.
    fn ends(&self) -> bool {
        matches!(self.peek(), None | Some(b' ' | b'\t' | b'\n' | b',' | b']' | b'}' | b'#'))
    }

    fn list(&mut self, depth: usize) -> Option<Node<'t>> {
        self.eat(b'[')?;
        let mut items = Vec::with_capacity(USUAL);
        loop {
            self.skip_lines()?;
            if self.eat(b']').is_some() {
                return Some(Node::List(items));
            }
            // Most are lists of strings.
            let at = self.at;
            items.push(match self.peek()? {
                quote @ (b'"' | b'\'') => Item { at, node: Node::Text(Cow::Borrowed(self.string(quote)?)) },
                _ => self.value(depth + 1)?,
            });
            self.skip_lines()?;
            if self.eat(b',').is_none() {
                self.eat(b']')?;
                return Some(Node::List(items));
            }
        }
    }

    fn table(&mut self, depth: usize) -> Option<Node<'t>> {
        self.eat(b'{')?;
        self.skip();
        let mut fields = Vec::with_capacity(USUAL);
        if self.eat(b'}').is_some() {
            return Some(Node::Table(fields));
        }
        loop {
            self.skip();
            fields.push(self.field(depth + 1)?);
            self.skip();
            if self.eat(b',').is_none() {
                self.eat(b'}')?;
                sorted(&mut fields)?;
                return Some(Node::Table(fields));
            }
        }
    }
}

#[cfg(test)]
#[path = "tests/plain.rs"]
mod tests;
