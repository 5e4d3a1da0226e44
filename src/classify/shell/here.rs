//! Here-documents: their bodies stand behind the line on which they are asked for, and are put into the tree afterwards.

use super::Read;
use super::cursor::{Budget, Reader};
use super::tree::{Node, Piece, Redirect, Redirection, Script, Source};
use super::word::Inside;
use std::rc::Rc;

/// A here-document whose body is still to come.
pub(super) struct Pending {
    /// The line that ends it.
    mark: String,
    /// Whether nothing in it is expanded.
    quoted: bool,
    /// `<<-`
    tabs: bool,
    /// Which of the bodies it is.
    number: usize,
}

/// What stands in the tree until the body is known; no text that is read holds it.
const PLACE: char = '\0';

impl Reader<'_, '_> {
    /// The mark behind `<<`; what stands for the body is put into the tree.
    pub(super) fn here_mark(&mut self, tabs: bool) -> Read<Source> {
        self.blanks();
        let word = self.word()?;
        let mut mark = String::new();
        for piece in &word.pieces {
            match piece {
                Piece::Text(text) | Piece::Quoted(text) => mark.push_str(text),
                _ => return Err(self.fault("the end mark of a here-document can't be told")),
            }
        }
        // Shells differ about `$'…'` here, and a mark of several lines is none.
        if mark.contains('\n') || word.raw.contains('$') || word.raw.contains('`') {
            return Err(self.fault("the end mark of a here-document can't be told"));
        }
        let quoted = word.raw.contains(['\'', '"', '\\']);
        let number = self.bodies.len();
        self.bodies.push(None);
        self.pending.push(Pending { mark, quoted, tabs, number });
        Ok(Source { raw: format!("{PLACE}{number}"), pieces: vec![] })
    }

    /// Reads the bodies that begin here.
    pub(super) fn take_bodies(&mut self) -> Read<()> {
        for pending in std::mem::take(&mut self.pending) {
            let start = self.at;
            let raw = self.body(&pending)?;
            let pieces = if pending.quoted {
                vec![Piece::Quoted(raw.clone())]
            } else {
                inner(&raw, self.budget, |reader| reader.pieces(Inside::HereDocument))
                    .map_err(|fault| fault.within(start))?
            };
            if let Some(place) = self.bodies.get_mut(pending.number) {
                *place = Some(Source { raw, pieces });
            }
        }
        Ok(())
    }

    /// The lines up to the mark.
    fn body(&mut self, pending: &Pending) -> Read<String> {
        let mut body = String::new();
        loop {
            if self.raw().is_none() {
                // Shells take the end of the text for the mark, but not that of a substitution.
                if self.nested {
                    return Err(self.fault("a here-document isn't closed"));
                }
                return Ok(body);
            }
            while pending.tabs && self.raw() == Some(b'\t') {
                self.bump();
            }
            let from = body.len();
            let ended = self.line(&mut body, !pending.quoted);
            if body.get(from..) == Some(pending.mark.as_str()) {
                body.truncate(from);
                return Ok(body);
            }
            if ended {
                body.push('\n');
            }
        }
    }

    /// Adds a line without its end, and says whether it had one. Where the body is expanded, a backslash joins lines, so
    /// that what looks like the mark may be none.
    fn line(&mut self, body: &mut String, joins: bool) -> bool {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let (line, ended) = rest.split_once('\n').map_or((rest, false), |(line, _)| (line, true));
            self.at += line.len() + usize::from(ended);
            let backslashes = line.bytes().rev().take_while(|byte| *byte == b'\\').count();
            if joins && ended && backslashes % 2 == 1 {
                body.push_str(line.get(..line.len() - 1).unwrap_or_default());
                continue;
            }
            body.push_str(line);
            return ended;
        }
    }

    /// Puts the bodies where they belong.
    pub(super) fn fill(&mut self, script: &mut Script) -> Read<()> {
        if self.bodies.is_empty() {
            return Ok(());
        }
        let mut bodies = std::mem::take(&mut self.bodies);
        fill_script(script, &mut bodies);
        if bodies.iter().any(Option::is_some) {
            return Err(self.fault("a here-document stands where it can't be followed"));
        }
        Ok(())
    }
}

/// Reads another text as part of this one.
pub(super) fn inner<T>(text: &str, budget: &mut Budget, read: impl FnOnce(&mut Reader<'_, '_>) -> Read<T>) -> Read<T> {
    let mut reader = Reader::new(text, budget);
    reader.nested = true;
    reader.deeper(read)
}

fn fill_script(script: &mut Script, bodies: &mut [Option<Source>]) {
    for item in &mut script.0 {
        fill_node(&mut item.first, bodies);
        for (_, node) in &mut item.then {
            fill_node(node, bodies);
        }
    }
}

fn fill_redirects(redirects: &mut [Redirect], bodies: &mut [Option<Source>]) {
    for redirect in redirects {
        if let Redirection::HereDocument(source) = &mut redirect.what
            && let Some(number) = source.raw.strip_prefix(PLACE).and_then(|number| number.parse::<usize>().ok())
            && let Some(body) = bodies.get_mut(number).and_then(Option::take)
        {
            *source = body;
        }
    }
}

fn fill_node(node: &mut Node, bodies: &mut [Option<Source>]) {
    match node {
        Node::Simple(simple) => fill_redirects(&mut simple.redirects, bodies),
        Node::Pipeline(nodes) => nodes.iter_mut().for_each(|node| fill_node(node, bodies)),
        Node::Group { body, redirects, .. } | Node::For { body, redirects, .. } => {
            fill_script(body, bodies);
            fill_redirects(redirects, bodies);
        }
        Node::Loop { condition, body, redirects, .. } => {
            fill_script(condition, bodies);
            fill_script(body, bodies);
            fill_redirects(redirects, bodies);
        }
        Node::If { arms, redirects } => {
            for (condition, body) in arms {
                fill_script(condition, bodies);
                fill_script(body, bodies);
            }
            fill_redirects(redirects, bodies);
        }
        Node::Case { arms, redirects, .. } => {
            arms.iter_mut().for_each(|(_, body)| fill_script(body, bodies));
            fill_redirects(redirects, bodies);
        }
        Node::Function { body, .. } => {
            if let Some(body) = Rc::get_mut(body) {
                fill_node(body, bodies);
            }
        }
        Node::Test { redirects, .. } | Node::Arithmetic { redirects, .. } => fill_redirects(redirects, bodies),
        Node::Coprocess(node) => fill_node(node, bodies),
    }
}
