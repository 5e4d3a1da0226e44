//! How two files differ: a unified diff of texts, sizes and digests of everything else. Pure, but for the clock that bounds
//! how long a diff is looked for.
//!
//! Owns: what counts as text, how much of it is compared, and the form of the answer: what `patch` takes. Must not: know where
//! the files are from, or write anything.
//!
//! The `similar` crate finds the lines, since it is told when to stop: it takes the shortcuts that git takes, and once its time
//! is over it gives a diff that is right and longer than need be. imara-diff, which makes neater hunks, was measured at more
//! than 100 s for two files of 1 MB with twenty different lines in them (similar: 5 s with that limit, 75 MB for 4 MB).

use sha2::{Digest as _, Sha256};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline, group_diff_ops};
use std::io;
use std::time::{Duration, Instant};

/// The longest file that is compared line by line, in bytes. Nobody reads a diff of more, and both have to be kept.
pub const LONGEST: usize = 16 * 1024 * 1024;

/// The most lines that are compared: each of them costs some 60 bytes, however short it is.
pub const MOST_LINES: usize = 500_000;

/// How many lines are shown around a change.
const CONTEXT: usize = 3;

/// What is in a file: all of it, or its size and digest where it is too long to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Its length in bytes.
    pub size: u64,
    /// In lower-case hex.
    pub sha256: String,
    /// None if it is longer than [`LONGEST`].
    bytes: Option<Vec<u8>>,
}

impl Content {
    /// Reads a file to its end. Of one that is longer than [`LONGEST`] nothing is kept.
    ///
    /// # Errors
    /// It can't be read.
    pub fn read(mut from: impl io::Read) -> io::Result<Self> {
        let mut buffer = vec![0; 128 * 1024];
        let mut digest = Sha256::new();
        let (mut size, mut bytes) = (0_u64, Some(Vec::new()));
        loop {
            let piece = match from.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => buffer.get(..count).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            digest.update(piece);
            size = size.saturating_add(u64::try_from(piece.len()).unwrap_or(u64::MAX));
            bytes = bytes.filter(|kept| kept.len().saturating_add(piece.len()) <= LONGEST);
            if let Some(kept) = &mut bytes {
                kept.extend_from_slice(piece);
            }
        }
        let sha256 = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { size, sha256, bytes })
    }

    /// What this is. Text is UTF-8 without a NUL.
    fn kind(&self) -> Kind<'_> {
        let Some(bytes) = &self.bytes else { return Kind::TooLong };
        if bytes.contains(&0) || std::str::from_utf8(bytes).is_err() {
            return Kind::Binary;
        }
        let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').take(MOST_LINES + 1).collect();
        if lines.len() > MOST_LINES { Kind::TooLong } else { Kind::Text(lines) }
    }
}

enum Kind<'a> {
    /// Its lines, each with the line break that ends it.
    Text(Vec<&'a [u8]>),
    Binary,
    TooLong,
}

/// One of two files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// What the file is called: `web01:/etc/app.yaml`.
    pub name: String,
    /// Of when it is: a tag, or a time.
    pub when: String,
    /// What is in it; none where there is no such file.
    pub content: Option<Content>,
}

impl Side {
    /// A file that is not there has no lines.
    fn kind(&self) -> Kind<'_> {
        self.content.as_ref().map_or(Kind::Text(vec![]), Content::kind)
    }
}

/// How two files differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// What kind of answer it is.
    pub outcome: Outcome,
    /// The answer, line by line; empty where the files are the same.
    pub lines: Vec<Line>,
    /// Whether the time was over, so that it may be longer than need be.
    pub hurried: bool,
}

/// What comparing two files has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The same bytes, or neither file is there.
    Same,
    /// Lines differ.
    Text {
        /// How many lines only the first has.
        removed: usize,
        /// How many lines only the second has.
        added: usize,
    },
    /// One of them is no text.
    Binary,
    /// One of them is too long to be compared line by line.
    TooLong,
}

impl Outcome {
    /// The word for it in JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Text { .. } => "text",
            Self::Binary => "binary",
            Self::TooLong => "too_long",
        }
    }
}

/// A line of the answer, with its line break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it is for.
    pub kind: LineKind,
    /// The bytes, those of the files as they are.
    pub bytes: Vec<u8>,
}

/// What a line of the answer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// Which files.
    Head,
    /// Which lines.
    Place,
    /// A line that both have.
    Both,
    /// A line that only the first has.
    Removed,
    /// A line that only the second has.
    Added,
    /// What is said about a file or the line before.
    Note,
}

/// Compares two files; `patience` is how long the shortest diff is looked for.
#[must_use]
pub fn compare(old: &Side, new: &Side, patience: Duration) -> Diff {
    let same = |one: &Content, other: &Content| one.size == other.size && one.sha256 == other.sha256;
    match (&old.content, &new.content) {
        (None, None) => return Diff { outcome: Outcome::Same, lines: vec![], hurried: false },
        (Some(one), Some(other)) if same(one, other) => {
            return Diff { outcome: Outcome::Same, lines: vec![], hurried: false };
        }
        _ => {}
    }
    match (old.kind(), new.kind()) {
        (Kind::Text(old_lines), Kind::Text(new_lines)) => {
            unified(&[head("---", old), head("+++", new)], &old_lines, &new_lines, patience)
        }
        (Kind::TooLong, _) | (_, Kind::TooLong) => by_digest(old, new, Outcome::TooLong),
        _ => by_digest(old, new, Outcome::Binary),
    }
}

fn line(kind: LineKind, text: String) -> Line {
    Line { kind, bytes: text.into_bytes() }
}

/// Which file, as git and diff write it: what follows the tab is no part of the name.
fn head(mark: &str, side: &Side) -> Line {
    let text = match side.content {
        Some(_) if side.when.is_empty() => format!("{mark} {}\n", quoted(&side.name)),
        Some(_) => format!("{mark} {}\t{}\n", quoted(&side.name), crate::text::clean(&side.when, 300)),
        None => format!("{mark} /dev/null\n"),
    };
    line(LineKind::Head, text)
}

/// A name as git quotes it where it holds what would end it, or break the line.
fn quoted(name: &str) -> String {
    let plain = |letter: char| !letter.is_control() && letter != '"';
    if name.chars().all(plain) && crate::text::is_clean(name, usize::MAX) {
        return name.to_owned();
    }
    let mut out = String::from("\"");
    for letter in name.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            letter if plain(letter) && crate::text::is_clean(letter.encode_utf8(&mut [0; 4]), 1) => out.push(letter),
            letter => {
                let mut bytes = [0; 4];
                letter.encode_utf8(&mut bytes).bytes().for_each(|byte| out.push_str(&format!("\\{byte:03o}")));
            }
        }
    }
    out.push('"');
    out
}

fn unified(heads: &[Line; 2], old: &[&[u8]], new: &[&[u8]], patience: Duration) -> Diff {
    let until = Instant::now().checked_add(patience);
    let operations = capture_diff_slices_deadline(Algorithm::Myers, old, new, until);
    let hurried = until.is_some_and(|until| Instant::now() >= until);
    let mut lines = heads.to_vec();
    let (mut removed, mut added) = (0, 0);
    for group in group_diff_ops(operations, CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let (from, to) = (first.old_range().start..last.old_range().end, first.new_range().start..last.new_range().end);
        lines.push(line(LineKind::Place, format!("@@ -{} +{} @@\n", span(&from), span(&to))));
        for operation in &group {
            let mut push = |kind: LineKind, mark: u8, of: &[&[u8]], range: std::ops::Range<usize>| {
                let count = range.len();
                of.get(range).unwrap_or_default().iter().for_each(|text| marked(&mut lines, kind, mark, text));
                count
            };
            match operation {
                DiffOp::Equal { .. } => drop(push(LineKind::Both, b' ', old, operation.old_range())),
                DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                    removed += push(LineKind::Removed, b'-', old, operation.old_range());
                    added += push(LineKind::Added, b'+', new, operation.new_range());
                }
            }
        }
    }
    Diff { outcome: Outcome::Text { removed, added }, lines, hurried }
}

/// A line of a file behind its mark; one that no line break ends gets one, and a note that says so.
fn marked(lines: &mut Vec<Line>, kind: LineKind, mark: u8, text: &[u8]) {
    let mut bytes = Vec::with_capacity(text.len() + 2);
    bytes.push(mark);
    bytes.extend_from_slice(text);
    if text.ends_with(b"\n") {
        return lines.push(Line { kind, bytes });
    }
    bytes.push(b'\n');
    lines.push(Line { kind, bytes });
    lines.push(line(LineKind::Note, "\\ No newline at end of file\n".to_owned()));
}

/// Lines as a hunk's head counts them: from 1, and an empty span stands behind the line before it.
fn span(range: &std::ops::Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        count => format!("{},{count}", range.start + 1),
    }
}

/// Two files of which at least one is not compared line by line.
fn by_digest(old: &Side, new: &Side, outcome: Outcome) -> Diff {
    let what = match outcome {
        Outcome::TooLong => "Files too long to be compared line by line differ",
        _ => "Binary files differ",
    };
    let described = |side: &Side| match &side.content {
        Some(content) => format!("  {} bytes, SHA-256 {}\n", content.size, content.sha256),
        None => "  (there is no such file)\n".to_owned(),
    };
    let lines = vec![
        line(LineKind::Note, format!("{what}:\n")),
        head("---", old),
        line(LineKind::Note, described(old)),
        head("+++", new),
        line(LineKind::Note, described(new)),
    ];
    Diff { outcome, lines, hurried: false }
}

#[cfg(test)]
#[path = "tests/diff.rs"]
mod tests;
