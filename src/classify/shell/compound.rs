//! Compound commands: groups, loops, `if`, `case`, functions, `coproc`.

use super::Read;
use super::cursor::{Reader, is_name, is_name_start};
use super::tree::{Node, Piece, Script, Source};
use super::word::Inside;
use std::rc::Rc;

impl Reader<'_, '_> {
    /// The compound command that stands here, without its redirections; none: a simple command does.
    pub(super) fn compound(&mut self) -> Read<Option<Node>> {
        if self.peek() == Some(b'(') {
            return self.in_round_brackets().map(Some);
        }
        let node = match self.reserved() {
            "{" => {
                self.eat_word("{");
                let body = self.some_list()?;
                self.expect_word("}")?;
                Node::Group { body, subshell: false, redirects: vec![] }
            }
            "if" => self.if_command()?,
            "while" | "until" => {
                self.eat_letters();
                let condition = self.some_list()?;
                let body = self.do_group()?;
                Node::Loop { arithmetic: vec![], condition, body, redirects: vec![] }
            }
            "for" => self.for_command()?,
            "case" => self.case_command()?,
            "function" => {
                self.eat_word("function");
                self.blanks();
                let name = self.function_name()?;
                self.blanks();
                if self.peek() == Some(b'(') && self.second() == Some(b')') {
                    self.eat_text("()");
                } else if self.peek() == Some(b'(') {
                    let start = self.at;
                    self.bump();
                    self.blanks();
                    if !self.eat(b')') {
                        self.back_to(start)?;
                    }
                }
                self.function(name)?
            }
            "[[" => {
                self.eat_word("[[");
                self.conditional()?
            }
            "coproc" => self.coprocess()?,
            "select" => return Err(self.fault("`select` asks somebody at a terminal")),
            "then" | "elif" | "else" | "fi" | "do" | "done" | "esac" | "}" | "!" | "]]" => {
                let word = self.reserved();
                return Err(self.fault(format!("`{word}` can't stand here")));
            }
            _ => return Ok(None),
        };
        Ok(Some(node))
    }

    /// Passes the letters of a reserved word.
    fn eat_letters(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_lowercase()) {
            self.bump();
        }
    }

    /// `(( … ))` or `( … )`
    fn in_round_brackets(&mut self) -> Read<Node> {
        let start = self.at;
        self.bump();
        // Only if nothing stands between the two is it arithmetic, and only if two close it.
        if self.peek() == Some(b'(') {
            self.bump();
            if let Some(text) = self.arithmetic()? {
                return Ok(Node::Arithmetic { text, redirects: vec![] });
            }
            self.back_to(start)?;
            self.bump();
        }
        let body = self.some_list()?;
        self.expect(b')', "`(` isn't closed")?;
        Ok(Node::Group { body, subshell: true, redirects: vec![] })
    }

    fn if_command(&mut self) -> Read<Node> {
        self.eat_word("if");
        let mut arms = vec![];
        loop {
            let condition = self.some_list()?;
            self.expect_word("then")?;
            arms.push((condition, self.some_list()?));
            if !self.eat_word("elif") {
                break;
            }
        }
        if self.eat_word("else") {
            arms.push((Script::default(), self.some_list()?));
        }
        self.expect_word("fi")?;
        Ok(Node::If { arms, redirects: vec![] })
    }

    fn do_group(&mut self) -> Read<Script> {
        self.expect_word("do")?;
        let body = self.some_list()?;
        self.expect_word("done")?;
        Ok(body)
    }

    /// `do … done`, and `{ … }`, which bash takes behind `for` too.
    fn for_body(&mut self) -> Read<Script> {
        self.newlines()?;
        if !self.eat_word("{") {
            return self.do_group();
        }
        let body = self.some_list()?;
        self.expect_word("}")?;
        Ok(body)
    }

    fn for_command(&mut self) -> Read<Node> {
        self.eat_word("for");
        self.blanks();
        if self.eat_text("((") {
            let Some(text) = self.arithmetic()? else {
                return Err(self.fault("`for ((` isn't closed"));
            };
            self.blanks();
            self.eat(b';');
            let body = self.for_body()?;
            return Ok(Node::Loop { arithmetic: vec![text], condition: Script::default(), body, redirects: vec![] });
        }
        let name = self.name()?;
        let mut values = None;
        self.blanks();
        if !self.eat(b';') {
            self.newlines()?;
            if self.eat_word("in") {
                values = Some(self.values()?);
            }
        }
        let body = self.for_body()?;
        Ok(Node::For { name, values, body, redirects: vec![] })
    }

    /// The words behind `in`.
    fn values(&mut self) -> Read<Vec<Source>> {
        let mut values = vec![];
        loop {
            self.blanks();
            match self.peek() {
                Some(b';') if self.second() != Some(b';') => {
                    self.bump();
                    return Ok(values);
                }
                Some(b'\n') => return Ok(values),
                _ => values.push(self.word()?),
            }
        }
    }

    /// A variable's name.
    fn name(&mut self) -> Read<String> {
        let mut name = String::new();
        while let Some(byte) = self.peek()
            && is_name(byte)
        {
            name.push(char::from(byte));
            self.bump();
        }
        if name.bytes().next().is_some_and(is_name_start) && self.ends_word(self.at) {
            Ok(name)
        } else {
            Err(self.fault("a variable's name is missing"))
        }
    }

    fn case_command(&mut self) -> Read<Node> {
        self.eat_word("case");
        self.blanks();
        let word = self.word()?;
        self.newlines()?;
        self.expect_word("in")?;
        let mut arms = vec![];
        loop {
            self.newlines()?;
            if self.eat_word("esac") {
                return Ok(Node::Case { word, arms, redirects: vec![] });
            }
            if self.eat(b'(') {
                self.blanks();
            }
            let mut patterns = vec![];
            loop {
                self.blanks();
                patterns.push(self.word()?);
                self.blanks();
                if !self.eat(b'|') {
                    break;
                }
            }
            self.expect(b')', "`)` is missing behind a pattern")?;
            let body = self.list()?;
            arms.push((patterns, body));
            if self.peek() == Some(b';') {
                if !self.eat_text(";;") || self.peek() == Some(b'&') {
                    // The next arm's commands would run too, whatever its patterns are.
                    return Err(self.fault("an arm of `case` goes on with the next one"));
                }
            } else if self.reserved() != "esac" {
                return Err(self.unexpected());
            }
        }
    }

    fn function_name(&mut self) -> Read<String> {
        let word = self.word()?;
        match word.pieces.as_slice() {
            [Piece::Text(name)] => Ok(name.clone()),
            _ => Err(self.fault("a function's name can't be told")),
        }
    }

    /// A function of which name and brackets were read.
    pub(super) fn function(&mut self, name: String) -> Read<Node> {
        self.newlines()?;
        let body = self.deeper(|reader| {
            let Some(mut body) = reader.compound()? else {
                return Err(reader.fault("a function's body is missing"));
            };
            let redirects = reader.redirects()?;
            if matches!(body, Node::Function { .. } | Node::Coprocess(_)) || !super::redirect::add(&mut body, redirects)
            {
                return Err(reader.fault("a function's body is missing"));
            }
            Ok(body)
        })?;
        Ok(Node::Function { name, body: Rc::new(body) })
    }

    /// `coproc command`, `coproc NAME compound-command`
    fn coprocess(&mut self) -> Read<Node> {
        self.eat_word("coproc");
        self.blanks();
        let start = self.at;
        if self.compound_begins() {
            return Ok(Node::Coprocess(Box::new(self.command()?)));
        }
        let mut end = self.at;
        while self.byte(end).is_some_and(is_name) {
            end += 1;
        }
        self.at = end;
        self.blanks();
        if end == start || !self.compound_begins() {
            self.back_to(start)?;
        }
        Ok(Node::Coprocess(Box::new(self.command()?)))
    }

    fn compound_begins(&mut self) -> bool {
        self.peek() == Some(b'(') || matches!(self.reserved(), "{" | "if" | "while" | "until" | "for" | "case" | "[[")
    }

    /// Arithmetic behind `((`, up to the `))` that closes it; none: one bracket closes alone, so it was none.
    pub(super) fn arithmetic(&mut self) -> Read<Option<Source>> {
        let start = self.at;
        let pieces = self.deeper(|reader| reader.pieces(Inside::Arithmetic))?;
        let raw = self.since(start).to_owned();
        Ok(self.eat_text("))").then_some(Source { raw, pieces }))
    }
}
