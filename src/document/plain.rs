//! Reads TOML as people write it by hand, many times faster than the toml crate, and leaves everything else to that.
//!
//! The config and the catalogs are read at every call of every agent. The crate takes some 100 instructions a byte for
//! them, which would be most of what a call costs. Must not: accept what the crate refuses, or understand it otherwise
//! (a test compares the two); say what is wrong with a text.

use super::tree::{Node, Part, Row, Tree};

/// Lists in lists: none of our files has any.
const DEEPEST: usize = 4;

/// Keys at the top, which each header is looked for among: none of our files knows a tenth as many.
const MOST_AT_TOP: usize = 100;

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
pub(super) fn read(text: &str) -> Option<Tree<'_>> {
    let mut reader = Reader { text, at: 0, tree: Tree::of(text)? };
    let mut root = Row::EMPTY;
    // How each key of the root came to be.
    let mut origins: Vec<(usize, Origin)> = Vec::new();
    // Which table the next lines belong to; the root without one.
    let mut here: Option<usize> = None;
    loop {
        reader.skip_lines()?;
        let Some(byte) = reader.peek() else { break };
        if byte == b'[' {
            here = Some(reader.header(&mut root, &mut origins)?);
        } else {
            let (at, name, node) = reader.field(0)?;
            match here {
                None => {
                    // A table that is written so can't be added to later, unlike one with a header.
                    if matches!(node, Node::Table(_)) {
                        return None;
                    }
                    let place = reader.tree.push(&mut root, name, at, node);
                    origins.push((place, Origin::Value));
                }
                Some(table) => {
                    reader.add(table, name, at, node)?;
                }
            }
        }
        reader.end_of_line()?;
        if origins.len() > MOST_AT_TOP {
            return None;
        }
    }
    let mut tree = reader.tree;
    if tree.has_twice(root) || origins.iter().any(|(place, _)| has_twice_below(&tree, *place, 2)) {
        return None;
    }
    tree.root = root;
    Some(tree)
}

/// How a key of the root came to be, which decides whether more may be added to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Value,
    Table,
    Tables,
}

/// Whether a key stands twice in a table, so many steps below a place: in those that have headers. (Others are looked at where they
/// are read.)
fn has_twice_below(tree: &Tree, place: usize, steps: usize) -> bool {
    let Some(node) = tree.at(place).map(|entry| entry.node) else { return false };
    let (Node::Table(row) | Node::List(row)) = node else { return false };
    matches!(node, Node::Table(_)) && tree.has_twice(row)
        || steps > 1 && tree.places(row).any(|(below, _)| has_twice_below(tree, below, steps - 1))
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    tree: Tree<'t>,
}

impl<'t> Reader<'t> {
    /// Adds a key to the table at a place, or to the last of the list of tables there; where it is then.
    fn add(&mut self, table: usize, name: Part, at: usize, node: Node) -> Option<usize> {
        let Node::Table(mut row) = self.tree.entry(table)?.node else { return None };
        let place = self.tree.push(&mut row, name, at, node);
        self.tree.entry(table)?.node = Node::Table(row);
        Some(place)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Over bytes of a kind; where they begin.
    fn skip_all(&mut self, kind: u8) -> usize {
        let is_such = |byte: &u8| KINDS.get(usize::from(*byte)).is_some_and(|kinds| kinds & kind != 0);
        let (from, rest) = (self.at, self.text.as_bytes().get(self.at..).unwrap_or_default());
        self.at += rest.iter().position(|byte| !is_such(byte)).unwrap_or(rest.len());
        from
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

    /// `[a]`, `[a.b]` or `[[a]]`; the place of the table.
    fn header(&mut self, root: &mut Row, origins: &mut Vec<(usize, Origin)>) -> Option<usize> {
        let begin = self.at;
        self.eat(b'[')?;
        let is_list = self.eat(b'[').is_some();
        self.skip();
        let (at, name) = (self.at, self.key()?);
        self.skip();
        // The one before is the most likely.
        let said = self.tree.said(name);
        let named = |(place, _): &&(usize, Origin)| {
            self.tree.at(*place).is_some_and(|entry| self.tree.said(entry.name) == said)
        };
        let known = origins.iter().rev().find(named).copied();
        if is_list {
            self.eat(b']')?;
            self.eat(b']')?;
            let list = match known {
                Some((list, Origin::Tables)) => list,
                Some(_) => return None,
                None => {
                    let list = self.tree.push(root, name, at, Node::List(Row::EMPTY));
                    origins.push((list, Origin::Tables));
                    list
                }
            };
            let Node::List(mut row) = self.tree.entry(list)?.node else { return None };
            let table = self.tree.push(&mut row, self.tree.part(0..0), begin, Node::Table(Row::EMPTY));
            self.tree.entry(list)?.node = Node::List(row);
            return Some(table);
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
        let table = match known {
            // `[a]` behind `[a.b]` is allowed, but nobody writes it.
            Some((table, Origin::Table)) if inner.is_some() => table,
            Some(_) => return None,
            None => {
                let table = self.tree.push(root, name, at, Node::Table(Row::EMPTY));
                origins.push((table, Origin::Table));
                table
            }
        };
        match inner {
            None => Some(table),
            Some((at, name)) => self.add(table, name, at, Node::Table(Row::EMPTY)),
        }
    }

    /// `key = value`: where it stands, the key, and the value.
    fn field(&mut self, depth: usize) -> Option<(usize, Part, Node)> {
        let (at, name) = (self.at, self.key()?);
        self.skip();
        self.eat(b'=')?;
        self.skip();
        Some((at, name, self.value(depth)?))
    }

    fn key(&mut self) -> Option<Part> {
        if let Some(quote @ (b'"' | b'\'')) = self.peek() {
            return self.string(quote);
        }
        let from = self.skip_all(KEY);
        (from < self.at).then(|| self.tree.part(from..self.at))
    }

    fn value(&mut self, depth: usize) -> Option<Node> {
        if depth > DEEPEST {
            return None;
        }
        match self.peek()? {
            quote @ (b'"' | b'\'') => self.string(quote).map(Node::Text),
            b'[' => self.list(depth),
            b'{' => self.table(depth),
            b't' => self.word("true", Node::Flag(true)),
            b'f' => self.word("false", Node::Flag(false)),
            b'0'..=b'9' => self.integer(),
            _ => None,
        }
    }

    /// A string of one line in which nothing stands for something else.
    fn string(&mut self, quote: u8) -> Option<Part> {
        self.eat(quote)?;
        let kind = if quote == b'"' { DOUBLE } else { SINGLE };
        let from = self.skip_all(kind);
        if self.peek()? >= 0x80 {
            self.skip_all(kind | BEYOND);
            // Some of the characters that are not ASCII are control characters too.
            if self.text.get(from..self.at)?.chars().any(char::is_control) {
                return None;
            }
        }
        let to = self.at;
        self.eat(quote)?;
        // Three quotes begin a string of several lines.
        if from == to && self.peek() == Some(quote) { None } else { Some(self.tree.part(from..to)) }
    }

    fn word(&mut self, word: &str, node: Node) -> Option<Node> {
        self.text.get(self.at..)?.starts_with(word).then_some(())?;
        self.at += word.len();
        self.ends().then_some(node)
    }

    fn integer(&mut self) -> Option<Node> {
        // Letters end it: a number that is written otherwise.
        let from = self.skip_all(KEY);
        let digits = self.text.get(from..self.at)?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        // No number begins with a zero, a date may.
        if !self.ends() || digits.len() > 1 && digits.starts_with('0') {
            return None;
        }
        digits.parse::<i64>().ok()?;
        Some(Node::Integer(self.tree.part(from..self.at)))
    }

    /// Whether a word or number is over here.
    fn ends(&self) -> bool {
        matches!(self.peek(), None | Some(b' ' | b'\t' | b'\n' | b',' | b']' | b'}' | b'#'))
    }

    fn list(&mut self, depth: usize) -> Option<Node> {
        self.eat(b'[')?;
        let (mut row, nameless) = (Row::EMPTY, self.tree.part(0..0));
        loop {
            self.skip_lines()?;
            if self.eat(b']').is_some() {
                return Some(Node::List(row));
            }
            let at = self.at;
            let node = self.value(depth + 1)?;
            self.tree.push(&mut row, nameless, at, node);
            self.skip_lines()?;
            if self.eat(b',').is_none() {
                self.eat(b']')?;
                return Some(Node::List(row));
            }
        }
    }

    fn table(&mut self, depth: usize) -> Option<Node> {
        self.eat(b'{')?;
        self.skip();
        let mut row = Row::EMPTY;
        if self.eat(b'}').is_some() {
            return Some(Node::Table(row));
        }
        loop {
            self.skip();
            let (at, name, node) = self.field(depth + 1)?;
            self.tree.push(&mut row, name, at, node);
            self.skip();
            if self.eat(b',').is_none() {
                self.eat(b'}')?;
                return (!self.tree.has_twice(row)).then_some(Node::Table(row));
            }
        }
    }
}

#[cfg(test)]
#[path = "tests/plain.rs"]
mod tests;
