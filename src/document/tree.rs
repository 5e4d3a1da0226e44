//! A parsed TOML text as one list: of a value that has others the first and the last are named, and each of them names the next.
//!
//! The config and the catalogs are read at every call of every agent. With a list of its own for each table and array most of
//! that time would go into getting and giving back memory. Must not: know TOML.

use std::ops::Range;

/// A part of the document's text, or of the texts that had to be put together because they are written otherwise there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    from: u32,
    to: u32,
}

/// What stands in a table or list: in a row, each with the place of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    first: u32,
    last: u32,
}

/// No place.
const NONE: u32 = u32::MAX;

impl Row {
    /// Of nothing.
    pub const EMPTY: Self = Self { first: NONE, last: NONE };
}

/// A value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Node {
    /// Without control characters.
    Text(Part),
    /// With some.
    TextWithControls(Part),
    /// A whole number in decimal digits, which may be one that fits nowhere.
    Integer(Part),
    /// A truth value.
    Flag(bool),
    /// A list.
    List(Row),
    /// A table, in the order of the text.
    Table(Row),
    /// What none of our files has a use for.
    Other(Other),
}

/// A value of another kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    /// A number that is not whole.
    Number,
    /// A date or a time.
    Date,
}

/// A key and its value, or an element of a list.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Nothing for an element.
    pub name: Part,
    /// Where it stands in the text; a value with a key stands where that does.
    pub at: u32,
    /// The value.
    pub node: Node,
    next: u32,
}

/// The document.
#[derive(Debug)]
pub struct Tree<'t> {
    /// As it was read.
    pub text: &'t str,
    /// What does not stand in the text as it is meant, such as a string with escapes.
    own: String,
    entries: Vec<Entry>,
    /// What stands at the top.
    pub root: Row,
}

impl<'t> Tree<'t> {
    /// An empty one; none for a text that is longer than its places can count.
    pub fn of(text: &'t str) -> Option<Self> {
        u32::try_from(text.len()).ok().filter(|length| *length < NONE / 2)?;
        // What people write takes a dozen bytes a value.
        let entries = Vec::with_capacity(text.len() / 10);
        Some(Self { text, own: String::new(), entries, root: Row::EMPTY })
    }

    /// A part of the text.
    pub fn part(&self, range: Range<usize>) -> Part {
        Part { from: place(range.start), to: place(range.end) }
    }

    /// A text that does not stand there.
    pub fn own(&mut self, text: &str) -> Part {
        let from = self.text.len() + self.own.len();
        self.own.push_str(text);
        self.part(from..from + text.len())
    }

    /// What a part says.
    pub fn said(&self, part: Part) -> &str {
        let (from, to) = (part.from as usize, part.to as usize);
        let length = self.text.len();
        let found = if from < length { self.text.get(from..to) } else { self.own.get(from - length..to - length) };
        found.unwrap_or_default()
    }

    /// Puts a value behind the others of a row; where it is.
    pub fn push(&mut self, row: &mut Row, name: Part, at: usize, node: Node) -> usize {
        let here = self.entries.len();
        self.entries.push(Entry { name, at: place(at), node, next: NONE });
        match self.entries.get_mut(row.last as usize) {
            Some(last) => last.next = place(here),
            None => row.first = place(here),
        }
        row.last = place(here);
        here
    }

    /// The value at a place.
    pub fn at(&self, place: usize) -> Option<&Entry> {
        self.entries.get(place)
    }

    /// The same, to change it.
    pub fn entry(&mut self, place: usize) -> Option<&mut Entry> {
        self.entries.get_mut(place)
    }

    /// All of a row, each with its place.
    pub fn places(&self, row: Row) -> impl Iterator<Item = (usize, &Entry)> {
        let at = |place: u32| Some((place as usize, self.entries.get(place as usize)?));
        std::iter::successors(at(row.first), move |(_, entry)| at(entry.next))
    }

    /// All of a row.
    pub fn row(&self, row: Row) -> impl Iterator<Item = &Entry> {
        self.places(row).map(|(_, entry)| entry)
    }

    /// Whether a key stands twice in a table.
    pub fn has_twice(&self, row: Row) -> bool {
        /// With more of them it is quicker to sort them.
        const FEW: usize = 12;
        let (mut count, mut marks) = (0, 0_u64);
        for (place, entry) in self.places(row) {
            let name = self.said(entry.name);
            // Names that are alike have the same mark, and few others have.
            let middle = name.as_bytes().get(name.len() / 2).copied().unwrap_or_default();
            let last = name.as_bytes().last().copied().unwrap_or_default();
            let mark = 1 << ((name.len() * 13 + usize::from(middle) * 5 + usize::from(last)) % 64);
            count += 1;
            if marks & mark == 0 {
                marks |= mark;
                continue;
            }
            if count > FEW {
                let mut names: Vec<&str> = self.row(row).map(|entry| self.said(entry.name)).collect();
                names.sort_unstable();
                return names.iter().zip(names.iter().skip(1)).any(|(one, two)| one == two);
            }
            let before = self.places(row).take_while(|(other, _)| *other != place);
            if before.map(|(_, other)| self.said(other.name)).any(|other| other == name) {
                return true;
            }
        }
        false
    }
}

/// No text is that long; see [`Tree::of`].
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_kept_and_a_key_that_stands_twice_is_found() {
        let text = "abcdefghijklmnopqrst";
        let mut tree = Tree::of(text).unwrap();
        let mut row = Row::EMPTY;
        assert!(!tree.has_twice(row));
        let own = tree.own("äb");
        tree.push(&mut row, own, 5, Node::Text(own));
        for at in (0..20).rev() {
            let name = tree.part(at..at + 1);
            tree.push(&mut row, name, at, Node::Flag(true));
            let names: Vec<_> = tree.row(row).map(|entry| tree.said(entry.name)).collect();
            assert!(names.len() == 21 - at && names.starts_with(&["äb", "t"]), "{names:?}");
            assert!(!tree.has_twice(row), "{names:?}");
            // The same key once more, in a tree of its own.
            let mut other = Tree::of(text).unwrap();
            let mut twice = Row::EMPTY;
            for name in names.iter().chain(names.first()) {
                let name = other.own(name);
                other.push(&mut twice, name, 0, Node::Flag(true));
            }
            assert!(other.has_twice(twice));
        }
    }
}
