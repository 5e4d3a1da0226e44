//! Reads what stands behind a value: members, indexes, calls. Pure.

use super::reader::{Read, Reader};
use super::tree::{Expr, Step};
use std::rc::Rc;

impl Reader<'_> {
    /// Members, indexes and calls behind a value.
    pub(super) fn postfix(&mut self, base: Expr, start: usize) -> Read<Expr> {
        let mut base = base;
        let mut links = 0;
        loop {
            links += 1;
            if links > 200 {
                return Err(self.fault("it is nested more deeply than is followed"));
            }
            let optional = self.starts("?.") || self.starts("?[");
            let at = self.at;
            if optional {
                self.at += 1;
            }
            match self.peek() {
                Some('.') if self.second() != Some('.') => {
                    self.at += 1;
                    base = self.member(base, false, start)?;
                }
                Some(':') if self.starts("::") => {
                    self.at += 2;
                    base = self.member(base, true, start)?;
                }
                Some('[') => {
                    self.at += 1;
                    let index = self.deeper(|reader| reader.block_until_bracket())?;
                    self.expect("]")?;
                    base = Expr::Index { base: Box::new(base), index };
                }
                Some('+') if self.starts("++") => {
                    self.at += 2;
                    base = Expr::Counts(Box::new(base));
                }
                Some('-') if self.starts("--") => {
                    self.at += 2;
                    base = Expr::Counts(Box::new(base));
                }
                _ => {
                    self.at = at;
                    return Ok(base);
                }
            }
        }
    }

    /// What stands in `[ ]` behind a value.
    fn block_until_bracket(&mut self) -> Read<Vec<super::tree::Statement>> {
        self.lines()?;
        let value = self.expression()?;
        self.lines()?;
        let step = Step::Value(value);
        let element = super::tree::Element { what: step, redirects: vec![], text: String::new() };
        let pipeline = super::tree::Pipeline { elements: vec![element], text: String::new(), background: false };
        Ok(vec![super::tree::Statement::Chain(vec![pipeline])])
    }

    fn member(&mut self, base: Expr, is_static: bool, start: usize) -> Read<Expr> {
        let start_of_name = self.at;
        let word = self.word_ahead();
        let (name, works_out) = if !word.is_empty() {
            self.at += word.len();
            (Some(self.since(start_of_name).to_lowercase()), None)
        } else {
            let expr = self.deeper(Self::primary)?;
            match expr.known() {
                Some(text) => (Some(text.to_lowercase()), None),
                None => (None, Some(Box::new(expr))),
            }
        };
        let arguments = match self.peek() {
            Some('(') => Some(self.deeper(Self::call_arguments)?),
            Some('{') if matches!(name.as_deref(), Some("foreach" | "where")) => {
                Some(vec![Expr::Block(Rc::new(self.braces()?))])
            }
            _ => None,
        };
        let text = self.shown(start);
        Ok(Expr::Member { base: Box::new(base), name, works_out, is_static, arguments, text })
    }

    fn call_arguments(&mut self) -> Read<Vec<Expr>> {
        self.expect("(")?;
        let mut all = Vec::new();
        loop {
            self.lines()?;
            if self.take(")") {
                return Ok(all);
            }
            match self.expression()? {
                Expr::List(several) => all.extend(several),
                one => all.push(one),
            }
            self.lines()?;
            self.take(",");
        }
    }
}
