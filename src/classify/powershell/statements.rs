//! Reads statements of PowerShell: pipelines, assignments, conditions, loops, functions. Pure.

use super::reader::{Read, Reader};
use super::tree::{Block, Element, Expr, Parameter, Pipeline, Statement, Step};
use std::rc::Rc;

/// What ends a pipeline.
pub(super) fn ends_pipeline(c: char) -> bool {
    matches!(c, '\n' | '\r' | ';' | ')' | '}')
}

impl Reader<'_> {
    /// Statements up to this mark, which is left, or up to the end of the text.
    pub fn block_until(&mut self, end: Option<char>) -> Read<Block> {
        let start = self.at;
        let mut block = Block::default();
        self.gaps()?;
        self.parameters(&mut block)?;
        loop {
            self.gaps()?;
            match self.peek() {
                None if end.is_none() => break,
                None => return Err(self.fault("a bracket has no end")),
                Some(c) if Some(c) == end => break,
                Some('}' | ')') => return Err(self.fault("a bracket closes what was not opened")),
                Some(_) => {}
            }
            self.deeper(|reader| reader.sections(&mut block))?;
            block.ends.push(self.at - start);
        }
        block.raw = self.since(start).to_owned();
        Ok(block)
    }

    /// `begin { }` and its like, which are statements as any other here; else one statement.
    fn sections(&mut self, block: &mut Block) -> Read<()> {
        const SECTIONS: &[&str] = &["begin", "process", "end", "clean", "dynamicparam"];
        let word = self.word_ahead().to_ascii_lowercase();
        if SECTIONS.contains(&word.as_str()) {
            let start = self.at;
            self.at += word.len();
            self.lines()?;
            if self.peek() == Some('{') {
                let body = self.braces()?;
                block.statements.push(Statement::Flow { heads: vec![], bodies: vec![body], loops: word == "process" });
                return Ok(());
            }
            self.at = start;
        }
        let statement = self.statement()?;
        block.statements.push(statement);
        Ok(())
    }

    /// `{ … }`
    pub fn braces(&mut self) -> Read<Block> {
        self.lines()?;
        self.expect("{")?;
        let block = self.deeper(|reader| reader.block_until(Some('}')))?;
        self.expect("}")?;
        Ok(block)
    }

    /// `param(…)`, with the attributes in front of it.
    fn parameters(&mut self, block: &mut Block) -> Read<()> {
        let start = self.at;
        let mut attributes = Vec::new();
        while self.peek() == Some('[') {
            let Ok(bracket) = self.bracket() else { break };
            attributes.push(bracket);
            self.gaps()?;
        }
        if !self.word_ahead().eq_ignore_ascii_case("param") {
            self.at = start;
            return Ok(());
        }
        self.at += "param".len();
        self.lines()?;
        if self.peek() != Some('(') {
            self.at = start;
            return Ok(());
        }
        self.parameter_list(block)?;
        if let Some(first) = block.parameters.first_mut() {
            first.runs.append(&mut attributes);
        }
        Ok(())
    }

    fn parameter_list(&mut self, block: &mut Block) -> Read<()> {
        self.expect("(")?;
        loop {
            self.lines()?;
            if self.take(")") {
                return Ok(());
            }
            let mut runs = Vec::new();
            while self.peek() == Some('[') {
                runs.push(self.bracket()?);
                self.lines()?;
            }
            let name = match self.peek() {
                Some('$') => match self.variable()? {
                    Some(Expr::Variable(name)) => name,
                    _ => return Err(self.fault("a parameter has no name")),
                },
                _ => return Err(self.fault("a parameter is missing")),
            };
            self.lines()?;
            let mut default = None;
            if self.take("=") {
                self.lines()?;
                default = Some(self.deeper(Self::expression)?);
                self.lines()?;
            }
            block.parameters.push(Parameter { name, runs, default });
            if !self.take(",") && self.peek() != Some(')') {
                return Err(self.fault("what stands behind a parameter is not known"));
            }
        }
    }

    /// One statement.
    pub fn statement(&mut self) -> Read<Statement> {
        if self.peek() == Some(':') {
            // A label.
            self.next();
            self.at += self.word_ahead().len();
            self.lines()?;
        }
        let word = self.word_ahead().to_ascii_lowercase();
        let behind = self.rest().chars().nth(word.chars().count());
        // `if-not-a-keyword` is a command's name.
        let alone = behind.is_none_or(|c| {
            c.is_whitespace()
                || matches!(c, '(' | '{' | ';' | '}' | ')' | '\'' | '"' | '$' | '#' | '|' | '&' | '`' | '[')
        });
        if alone && let Some(read) = self.keyword(&word) {
            return read;
        }
        self.chain()
    }

    fn keyword(&mut self, word: &str) -> Option<Read<Statement>> {
        let start = self.at;
        let odd = |reader: &mut Self, why| {
            let rest = reader.rest();
            reader.at += rest.len();
            Ok(Statement::Odd(rest.lines().next().unwrap_or_default().chars().take(200).collect(), why))
        };
        self.at += word.len();
        let read = match word {
            "if" => self.if_(),
            "while" => self.while_(),
            "do" => self.do_(),
            "for" => self.for_(),
            "foreach" => self.foreach(),
            "switch" => self.switch(),
            "try" => self.try_(),
            "trap" => self.trap(),
            "function" | "filter" => self.function(),
            "return" | "throw" | "exit" => self.ends(),
            "break" | "continue" => {
                self.at += self.rest().find(|c: char| ends_pipeline(c) || c == '#').unwrap_or(self.rest().len());
                Ok(Statement::Ends(None))
            }
            "using" => return Some(self.using(start)),
            "class" | "enum" | "workflow" | "configuration" | "data" | "parallel" | "sequence" | "inlinescript"
            | "define" | "var" => odd(self, "classes, workflows and configurations are not followed"),
            _ => {
                self.at = start;
                return None;
            }
        };
        Some(read)
    }

    fn condition(&mut self) -> Read<Statement> {
        self.lines()?;
        if self.peek() != Some('(') {
            return Err(self.fault("a condition is missing"));
        }
        self.at += 1;
        let block = self.deeper(|reader| reader.block_until(Some(')')))?;
        self.expect(")")?;
        Ok(Statement::Flow { heads: block.statements, bodies: vec![], loops: false })
    }

    /// Whether this keyword comes next, behind line breaks.
    fn follows(&mut self, word: &str) -> Read<bool> {
        let start = self.at;
        self.lines()?;
        if self.word_ahead().eq_ignore_ascii_case(word) {
            self.at += word.len();
            return Ok(true);
        }
        self.at = start;
        Ok(false)
    }

    fn if_(&mut self) -> Read<Statement> {
        let mut heads = vec![self.condition()?];
        let mut bodies = vec![self.braces()?];
        loop {
            if self.follows("elseif")? {
                heads.push(self.condition()?);
                bodies.push(self.braces()?);
            } else if self.follows("else")? {
                bodies.push(self.braces()?);
                break;
            } else {
                break;
            }
        }
        Ok(Statement::Flow { heads, bodies, loops: false })
    }

    fn while_(&mut self) -> Read<Statement> {
        let heads = vec![self.condition()?];
        Ok(Statement::Flow { heads, bodies: vec![self.braces()?], loops: true })
    }

    fn do_(&mut self) -> Read<Statement> {
        let bodies = vec![self.braces()?];
        if !self.follows("while")? && !self.follows("until")? {
            return Err(self.fault("`while` is missing"));
        }
        Ok(Statement::Flow { heads: vec![self.condition()?], bodies, loops: true })
    }

    fn for_(&mut self) -> Read<Statement> {
        let heads = vec![self.condition()?];
        Ok(Statement::Flow { heads, bodies: vec![self.braces()?], loops: true })
    }

    fn foreach(&mut self) -> Read<Statement> {
        self.lines()?;
        while self.peek() == Some('-') {
            // `-parallel`, of workflows.
            self.next();
            self.at += self.word_ahead().len();
            self.lines()?;
        }
        self.expect("(")?;
        self.lines()?;
        let name = match self.peek() {
            Some('$') => self.variable()?,
            _ => None,
        };
        let Some(Expr::Variable(name)) = name else { return Err(self.fault("a loop has no variable")) };
        if !self.follows("in")? {
            return Err(self.fault("`in` is missing"));
        }
        self.lines()?;
        let list = Box::new(self.deeper(Self::statement)?);
        self.lines()?;
        self.expect(")")?;
        let body = self.braces()?;
        Ok(Statement::Each { name, list, body })
    }

    fn switch(&mut self) -> Read<Statement> {
        self.lines()?;
        let mut heads = vec![];
        while self.peek() == Some('-') {
            self.next();
            let option = self.word_ahead().to_ascii_lowercase();
            self.at += option.len();
            self.lines()?;
            if option.starts_with('f') {
                self.argument_value()?;
                self.lines()?;
            }
        }
        if self.peek() == Some('(') {
            heads.push(self.condition()?);
        }
        self.lines()?;
        self.expect("{")?;
        let mut bodies = vec![];
        loop {
            self.gaps()?;
            if self.take("}") {
                break;
            }
            if self.peek() == Some('{') {
                // A clause that is worked out.
                bodies.push(self.braces()?);
            } else {
                let clause = self.deeper(Self::argument_value)?;
                heads.push(value_statement(clause));
            }
            bodies.push(self.braces()?);
        }
        // It runs for each element of a list.
        Ok(Statement::Flow { heads, bodies, loops: true })
    }

    fn try_(&mut self) -> Read<Statement> {
        let mut bodies = vec![self.braces()?];
        loop {
            if self.follows("catch")? {
                self.lines()?;
                while self.peek() == Some('[') {
                    self.bracket()?;
                    self.lines()?;
                    self.take(",");
                    self.lines()?;
                }
                bodies.push(self.braces()?);
            } else if self.follows("finally")? {
                bodies.push(self.braces()?);
            } else {
                break;
            }
        }
        if bodies.len() < 2 {
            return Err(self.fault("`catch` is missing"));
        }
        Ok(Statement::Flow { heads: vec![], bodies, loops: false })
    }

    fn trap(&mut self) -> Read<Statement> {
        self.lines()?;
        if self.peek() == Some('[') {
            self.bracket()?;
        }
        let body = self.braces()?;
        Ok(Statement::Flow { heads: vec![], bodies: vec![body], loops: true })
    }

    fn function(&mut self) -> Read<Statement> {
        self.blanks()?;
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '{' | '(' | ';')).unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default();
        if name.is_empty() || name.contains(['$', '`', '\'', '"']) {
            return Err(self.fault("a function's name is not plain"));
        }
        self.at += end;
        self.lines()?;
        let mut given = Block::default();
        if self.peek() == Some('(') {
            self.parameter_list(&mut given)?;
        }
        let mut body = self.braces()?;
        given.parameters.append(&mut body.parameters);
        body.parameters = given.parameters;
        let name = name.to_lowercase();
        let name = ["global:", "script:", "local:", "private:"]
            .iter()
            .find_map(|scope| name.strip_prefix(scope))
            .unwrap_or(&name)
            .to_owned();
        Ok(Statement::Function { name, body: Rc::new(body) })
    }

    fn ends(&mut self) -> Read<Statement> {
        self.blanks()?;
        if self.peek().is_none_or(ends_pipeline) {
            return Ok(Statement::Ends(None));
        }
        Ok(Statement::Ends(Some(Box::new(self.chain()?))))
    }

    fn using(&mut self, start: usize) -> Read<Statement> {
        self.blanks()?;
        let what = self.word_ahead().to_ascii_lowercase();
        self.at += self.rest().find(['\n', '\r', ';']).unwrap_or(self.rest().len());
        if what == "namespace" {
            return Ok(Statement::Ends(None));
        }
        Ok(Statement::Odd(self.shown(start), "it loads code of a module or an assembly"))
    }
}

/// A value that is worked out and not used.
fn value_statement(value: Expr) -> Statement {
    let element = Element { what: Step::Value(value), redirects: vec![], text: String::new() };
    Statement::Chain(vec![Pipeline { elements: vec![element], text: String::new(), background: false }])
}
