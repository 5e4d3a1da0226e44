//! Lists, pipelines, and which kind of command stands next.

use super::cursor::Reader;
use super::redirect;
use super::tree::{Item, Joint, Node, Redirect, Redirection, Script, Simple, Source};
use super::{Fault, Read};

/// The words that end a list of commands: none of them can begin a command.
const CLOSING: &[&str] = &["then", "elif", "else", "fi", "do", "done", "esac", "}"];

impl Reader<'_, '_> {
    /// Commands up to what ends them: a closing word or bracket, the end of a `case` arm, the end of the text.
    pub(super) fn list(&mut self) -> Read<Script> {
        let mut items = vec![];
        loop {
            self.newlines()?;
            if self.list_ends() {
                return Ok(Script(items));
            }
            let (first, then) = self.and_or()?;
            self.blanks();
            let mut background = false;
            let mut go_on = true;
            match self.peek() {
                Some(b'&') => {
                    self.bump();
                    background = true;
                }
                Some(b';') if !matches!(self.second(), Some(b';' | b'&' | b'|')) => self.bump(),
                Some(b'\n') => {}
                _ => go_on = false,
            }
            items.push(Item { first, then, background });
            if !go_on {
                if self.list_ends() {
                    return Ok(Script(items));
                }
                return Err(self.unexpected());
            }
        }
    }

    /// A list that has to hold something, as in every compound command.
    pub(super) fn some_list(&mut self) -> Read<Script> {
        let script = self.list()?;
        if script.0.is_empty() { Err(self.unexpected()) } else { Ok(script) }
    }

    fn list_ends(&mut self) -> bool {
        match self.peek() {
            None | Some(b')') => true,
            Some(b';') => matches!(self.second(), Some(b';' | b'&' | b'|')),
            _ => CLOSING.contains(&self.reserved()),
        }
    }

    fn and_or(&mut self) -> Read<(Node, Vec<(Joint, Node)>)> {
        let first = self.pipeline()?;
        let mut then = vec![];
        loop {
            self.blanks();
            let joint = match (self.peek(), self.second()) {
                (Some(b'&'), Some(b'&')) => Joint::And,
                (Some(b'|'), Some(b'|')) => Joint::Or,
                _ => return Ok((first, then)),
            };
            self.eat_text(if joint == Joint::And { "&&" } else { "||" });
            self.newlines()?;
            then.push((joint, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Read<Node> {
        let mut marked = false;
        loop {
            self.blanks();
            match self.reserved() {
                "!" => {
                    self.eat_word("!");
                }
                "time" if self.is_time_of_the_shell() => {
                    self.eat_word("time");
                    self.blanks();
                    // `time -p`, `time --`
                    while self.peek() == Some(b'-') {
                        self.bump();
                        while matches!(self.peek(), Some(b'p' | b'-')) {
                            self.bump();
                        }
                        self.blanks();
                    }
                }
                _ => break,
            }
            marked = true;
        }
        // `!` and `time` may stand alone.
        if marked && (self.list_ends() || matches!(self.peek(), Some(b'\n' | b';' | b'&'))) {
            return Ok(Node::Simple(Simple::default()));
        }
        let mut commands = vec![self.command()?];
        loop {
            self.blanks();
            if self.peek() != Some(b'|') || self.second() == Some(b'|') {
                break;
            }
            self.bump();
            if self.eat(b'&') {
                let Some(command) = commands.last_mut() else { break };
                if !also_errors(command) {
                    return Err(self.fault("`|&` stands behind something that takes no redirection here"));
                }
            }
            self.newlines()?;
            if self.reserved() == "!" {
                return Err(self.unexpected());
            }
            commands.push(self.command()?);
        }
        match commands.pop() {
            Some(only) if commands.is_empty() => Ok(only),
            Some(last) => {
                commands.push(last);
                Ok(Node::Pipeline(commands))
            }
            None => Err(self.unexpected()),
        }
    }

    /// Whether `time` is the shell's own word here: with other options it is the program of that name.
    fn is_time_of_the_shell(&mut self) -> bool {
        let start = self.at;
        self.eat_word("time");
        self.blanks();
        let own = self.peek() != Some(b'-') || {
            self.bump();
            let at = self.at;
            matches!(self.raw(), Some(b'p' | b'-')) && self.ends_word(at + 1)
        };
        self.at = start;
        own
    }

    /// One command with its redirections.
    pub(super) fn command(&mut self) -> Read<Node> {
        self.deeper(|reader| {
            reader.blanks();
            if let Some(mut node) = reader.compound()? {
                let redirects = reader.redirects()?;
                if !redirects.is_empty() && !redirect::add(&mut node, redirects) {
                    return Err(reader.fault("a redirection can't stand here"));
                }
                return Ok(node);
            }
            reader.simple()
        })
    }

    /// Counts a simple command.
    pub(super) fn count(&mut self) -> Read<()> {
        match self.budget.commands.checked_sub(1) {
            Some(left) => {
                self.budget.commands = left;
                Ok(())
            }
            None => Err(Fault::whole("the shell text holds more than 4,000 commands")),
        }
    }
}

/// `|&`: what the command writes on stderr goes into the pipe too.
fn also_errors(command: &mut Node) -> bool {
    let word = Source { raw: "1".into(), pieces: vec![super::tree::Piece::Text("1".into())] };
    redirect::add(command, vec![Redirect { descriptor: Some(2), what: Redirection::Copy(word) }])
}
