//! Puts an element into a list or object of a text, or takes one out, and leaves every other byte as it was.
//!
//! Putting in and taking out are each other's opposite, byte for byte, in any layout. jsonc-parser's own editing keeps
//! what it does not touch, but takes comments beside a removed element with it and closes up a list that gets empty;
//! hence these.
//!
//! Must not: know what a hook is.

use super::tree::{Mark, MarkKind, Node, Tree};

/// A stretch of the text and what takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Splice {
    start: usize,
    end: usize,
    new: String,
}

impl Splice {
    pub fn new(start: usize, end: usize, new: impl Into<String>) -> Self {
        Self { start, end, new: new.into() }
    }
}

/// The text with these changes, which don't overlap.
pub(super) fn apply(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|splice| (splice.start, splice.end));
    let mut new = String::with_capacity(text.len().saturating_add(1024));
    let mut done = 0;
    for splice in splices {
        new.push_str(text.get(done..splice.start).unwrap_or_default());
        new.push_str(&splice.new);
        done = splice.end;
    }
    new.push_str(text.get(done..).unwrap_or_default());
    new
}

/// How a text is laid out.
pub(super) struct Layout {
    /// Its line end.
    pub newline: &'static str,
    /// One step of indentation.
    pub unit: String,
}

impl Layout {
    pub fn of(tree: &Tree) -> Self {
        let crlf = tree.text.find('\n').is_some_and(|at| tree.text.get(..at).is_some_and(|line| line.ends_with('\r')));
        let first = tree.root.spans().first().and_then(|(start, _)| own_indent(tree.text, *start));
        let unit = first.filter(|indent| !indent.is_empty()).unwrap_or("  ");
        Self { newline: if crlf { "\r\n" } else { "\n" }, unit: unit.to_owned() }
    }

    /// The indentation of what is put into this container.
    fn inner(&self, tree: &Tree, container: &Node) -> String {
        let last = container.spans().last().and_then(|(start, _)| own_indent(tree.text, *start));
        last.map_or_else(|| format!("{}{}", line_indent(tree.text, container.start), self.unit), str::to_owned)
    }
}

/// Puts an element in as the last one; `render` writes it, given its indentation.
pub(super) fn put(tree: &Tree, container: &Node, layout: &Layout, render: impl Fn(&str) -> String) -> Vec<Splice> {
    let indent = layout.inner(tree, container);
    let (newline, text) = (layout.newline, tree.text);
    let element = render(&indent);
    let close = container.end.saturating_sub(1);
    let Some((_, last)) = container.spans().last().copied() else {
        let open = container.start.saturating_add(1);
        // After the comments, should there be any.
        if let Some(comment) = tree.marks_between(open, close).last() {
            return vec![Splice::new(comment.end, comment.end, format!("{newline}{indent}{element}"))];
        }
        let outer = line_indent(text, container.start);
        return vec![Splice::new(open, open, format!("{STOOD_EMPTY}{newline}{indent}{element}{newline}{outer}"))];
    };
    let comma = tree.marks_between(last, close).find(|mark| mark.kind == MarkKind::Comma);
    // After what is said in the same line of the element before.
    let mut after = comma.map_or(last, |comma| comma.end);
    for mark in tree.marks_between(after, close) {
        if text.get(after..mark.start).is_some_and(|gap| gap.contains('\n')) {
            break;
        }
        after = mark.end;
    }
    match comma {
        Some(_) => vec![Splice::new(after, after, format!("{newline}{indent}{element},"))],
        None if after == last => vec![Splice::new(last, last, format!(",{newline}{indent}{element}"))],
        None => vec![Splice::new(last, last, ","), Splice::new(after, after, format!("{newline}{indent}{element}"))],
    }
}

/// Takes the element at `index` out.
pub(super) fn take(tree: &Tree, container: &Node, layout: &Layout, index: usize) -> Vec<Splice> {
    let text = tree.text;
    let spans = container.spans();
    let Some((start, end)) = spans.get(index).copied() else { return Vec::new() };
    let open = container.start.saturating_add(1);
    let from = index.checked_sub(1).and_then(|before| spans.get(before)).map_or(open, |(_, end)| *end);
    let until = spans.get(index.saturating_add(1)).map_or(container.end.saturating_sub(1), |(start, _)| *start);
    let comma = |from, until| tree.marks_between(from, until).find(|mark: &Mark| mark.kind == MarkKind::Comma);
    let (comma_before, comma_after) = (comma(from, start), comma(end, until));
    if spans.len() == 1 && stood_empty(tree, container) && comma_after.is_none() {
        let tail = format!("{}{}", layout.newline, line_indent(text, container.start));
        let tail = if text.get(end..).is_some_and(|rest| rest.starts_with(&tail)) { tail.len() } else { 0 };
        return vec![Splice::new(open, end.saturating_add(tail), "")];
    }
    let mut begin = from.saturating_add(text.get(from..start).map_or(0, |gap| gap.trim_end().len()));
    let rest = comma_after.map_or(end, |comma| comma.end);
    let after_line_comment =
        tree.marks_between(from, start).any(|mark| mark.kind == MarkKind::LineComment && mark.end == begin);
    if after_line_comment && !ends_line(text, rest) {
        // The comment must not swallow what follows.
        let gap = text.get(begin..start).unwrap_or_default();
        begin = begin.saturating_add(gap.find('\n').map_or(0, |at| at.saturating_add(1)));
    }
    match (comma_after, comma_before) {
        (Some(comma), _) if comma.start == end => vec![Splice::new(begin, comma.end, "")],
        (Some(comma), _) => vec![Splice::new(begin, end, ""), Splice::new(comma.start, comma.end, "")],
        (None, Some(comma)) if comma.end == begin => vec![Splice::new(comma.start, end, "")],
        (None, Some(comma)) => vec![Splice::new(comma.start, comma.end, ""), Splice::new(begin, end, "")],
        (None, None) => vec![Splice::new(begin, end, "")],
    }
}

/// What `put` leaves behind the bracket of a list or object that was there, and empty. It tells `take` that the
/// brackets were not put there with the element. Without it, `{}` before and nothing before would look alike after.
const STOOD_EMPTY: &str = " ";

/// Whether a container whose only element is to be taken out was there before that was put in.
pub(super) fn stood_empty(tree: &Tree, container: &Node) -> bool {
    let Some((start, _)) = container.spans().first().copied() else { return true };
    let open = container.start.saturating_add(1);
    let gap = tree.text.get(open..start).unwrap_or_default();
    gap.strip_prefix(STOOD_EMPTY).is_some_and(|rest| rest.starts_with(['\r', '\n']))
}

/// Whether a comment stands in it, outside of its elements.
pub(super) fn has_comment(tree: &Tree, container: &Node) -> bool {
    let spans = container.spans();
    let inside = |mark: &Mark| spans.iter().any(|(start, end)| mark.start >= *start && mark.end <= *end);
    tree.marks_between(container.start, container.end).any(|mark| mark.kind != MarkKind::Comma && !inside(&mark))
}

/// Whether nothing but spaces stands between this place and the end of its line.
fn ends_line(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default().trim_start_matches([' ', '\t']);
    rest.is_empty() || rest.starts_with(['\r', '\n'])
}

/// The white space before this place, if nothing else stands before it in its line.
fn own_indent(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?;
    let line = before.get(before.rfind('\n')?.saturating_add(1)..)?;
    line.chars().all(char::is_whitespace).then_some(line)
}

/// The white space at the beginning of the line in which this place is.
pub(super) fn line_indent(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or(text);
    let line = before.get(before.rfind('\n').map_or(0, |at| at.saturating_add(1))..).unwrap_or_default();
    let line = line.trim_start_matches('\u{feff}');
    line.get(..line.len().saturating_sub(line.trim_start().len())).unwrap_or_default()
}
