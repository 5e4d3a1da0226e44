//! Reads pipelines, assignments and redirections of PowerShell. Pure.

use super::reader::{Read, Reader};
use super::statements::ends_pipeline;
use super::tree::{Element, Expr, Pipeline, Statement, Step};

impl Reader<'_> {
    /// Pipelines joined by `&&` and `||`, or an assignment.
    pub fn chain(&mut self) -> Read<Statement> {
        let start = self.at;
        let first = match self.pipeline()? {
            Ok(pipeline) => pipeline,
            Err((target, plain)) => {
                self.lines()?;
                let value = Box::new(self.deeper(Self::statement)?);
                let targets = match target {
                    Expr::List(targets) => targets,
                    one => vec![one],
                };
                return Ok(Statement::Assign { targets, plain, value, text: self.shown(start) });
            }
        };
        let mut chain = vec![first];
        loop {
            self.blanks()?;
            if !self.take("&&") && !self.take("||") {
                return Ok(Statement::Chain(chain));
            }
            self.lines()?;
            // What ends a block may stand last.
            let word = self.word_ahead().to_ascii_lowercase();
            if matches!(word.as_str(), "return" | "throw" | "exit" | "break" | "continue") {
                let begun = self.at;
                let ends = self.deeper(Self::statement)?;
                let what = Step::Value(Expr::Nested(vec![ends]));
                let text = self.shown(begun);
                let element = Element { what, redirects: vec![], text: text.clone() };
                chain.push(Pipeline { elements: vec![element], text, background: false });
                return Ok(Statement::Chain(chain));
            }
            match self.pipeline()? {
                Ok(pipeline) => chain.push(pipeline),
                Err(_) => return Err(self.fault("an assignment stands where none can")),
            }
        }
    }

    /// A pipeline; or, if it turns out to be the left side of an assignment, that, and whether it is a plain one.
    pub(super) fn pipeline(&mut self) -> Read<Result<Pipeline, (Expr, bool)>> {
        let start = self.at;
        let mut elements = Vec::new();
        let mut background = false;
        loop {
            let begun = self.at;
            let what = if self.begins_value() {
                let value = self.deeper(Self::expression)?;
                self.blanks()?;
                if elements.is_empty()
                    && let Some(plain) = self.assigns()
                {
                    return Ok(Err((value, plain)));
                }
                Step::Value(value)
            } else {
                self.deeper(Self::command)?
            };
            let redirects = self.redirects()?;
            elements.push(Element { what, redirects, text: self.shown(begun) });
            self.blanks()?;
            match self.peek() {
                None => break,
                Some(c) if ends_pipeline(c) => {
                    if !self.goes_on()? {
                        break;
                    }
                }
                Some('|') if self.starts("||") => break,
                Some('|') => self.at += 1,
                Some('&') if self.starts("&&") => break,
                Some('&') => {
                    self.at += 1;
                    background = true;
                    break;
                }
                Some(_) => return Err(self.fault("what stands behind a value or command is not known")),
            }
            self.lines()?;
        }
        Ok(Ok(Pipeline { elements, text: self.shown(start), background }))
    }

    /// Whether the next line begins with a `|`, which is read then.
    pub(super) fn goes_on(&mut self) -> Read<bool> {
        let start = self.at;
        if matches!(self.peek(), Some('\n' | '\r')) {
            self.lines()?;
            if self.peek() == Some('|') && !self.starts("||") {
                self.at += 1;
                return Ok(true);
            }
        }
        self.at = start;
        Ok(false)
    }

    /// Reads the sign of an assignment; whether it is a plain one.
    pub(super) fn assigns(&mut self) -> Option<bool> {
        for sign in ["??=", "+=", "-=", "*=", "/=", "%="] {
            if self.take(sign) {
                return Some(false);
            }
        }
        (self.peek() == Some('=') && self.second() != Some('=')).then(|| {
            self.at += 1;
            true
        })
    }

    /// `> file`, as many as there are.
    pub fn redirects(&mut self) -> Read<Vec<Expr>> {
        let mut files = Vec::new();
        loop {
            self.blanks()?;
            let (first, second) = (self.peek(), self.second());
            let numbered = matches!(first, Some('1'..='6' | '*')) && second == Some('>');
            if !numbered && first != Some('>') {
                return Ok(files);
            }
            files.extend(self.redirect()?);
        }
    }

    /// One redirection; none if it goes to another stream.
    pub fn redirect(&mut self) -> Read<Option<Expr>> {
        if self.peek() != Some('>') {
            self.next();
        }
        self.next();
        self.take(">");
        if self.take("&") {
            if !matches!(self.next(), Some('1' | '2')) {
                return Err(self.fault("a redirection goes nowhere"));
            }
            return Ok(None);
        }
        self.blanks()?;
        Ok(Some(self.deeper(Self::argument_value)?))
    }
}
