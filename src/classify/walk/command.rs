//! One simple command: what it sets, which of the text's own definitions it may mean, and the program else.

use super::builtins::is_declaration;
use super::daemon::reads_daemon;
use super::env::Env;
use super::finding::{Why, written_out};
use super::{Shell, Walk, indices};
use crate::classify::effect::{Command, Stdin};
use crate::classify::shell::tree::{Assigned, Assignment, Piece, Simple, Source};
use crate::classify::word::Word;
use crate::text::shell_word;

impl Walk<'_> {
    pub(super) fn simple(&mut self, simple: &Simple, shell: &mut Shell) {
        if !self.count(&simple.text) {
            return;
        }
        let declaration = match simple.words.first().map(|word| word.pieces.as_slice()) {
            // Their assignments are not split. A function of that name comes first.
            Some([Piece::Text(name)]) if is_declaration(name) && !shell.env.is_own(name) => Some(name.as_str()),
            _ => None,
        };
        let before = self.parts.len();
        if let Some(name) = declaration {
            for assignment in &simple.assignments {
                self.assign(assignment, false, shell);
            }
            self.redirects(&simple.redirects, shell);
            self.declare(name, simple.words.get(1..).unwrap_or_default(), simple, shell);
            self.output = Stdin::Unknown;
            if self.parts.len() == before {
                self.quiet(&simple.text, shell);
            }
            return;
        }
        let words = self.fields(&simple.words, shell);
        let input = shell.stdin.clone();
        let stdin = self.redirects(&simple.redirects, shell);
        if words.is_empty() {
            for assignment in &simple.assignments {
                self.assign(assignment, false, shell);
            }
            if !simple.words.is_empty() {
                // Nothing came of the words, so nothing runs.
                self.output = Stdin::Unknown;
            }
            if self.parts.len() == before {
                self.quiet(&simple.text, shell);
            }
            return;
        }
        let command = Command { words, stdin };
        // What the text itself calls by that name writes something else.
        let known = command.program().filter(|name| !shell.env.is_own(name));
        let output = known.map_or(Stdin::Unknown, |_| output(&command));
        if command.stdin == input.get() {
            input.read_by(known);
        }
        if simple.assignments.is_empty() {
            self.named(&command, &simple.text, shell);
        } else {
            let mut inner = shell.clone();
            for assignment in &simple.assignments {
                self.assign(assignment, true, &mut inner);
            }
            self.named(&command, &simple.text, &mut inner);
            // A function or builtin may have set more; whether the variables stay set differs between shells.
            let before = shell.env.clone();
            shell.env.join(&inner.env);
            if known.is_some_and(reads_daemon) {
                shell.env.drop_daemon(&before);
            }
            shell.traps = inner.traps;
            shell.stdin = inner.stdin;
        }
        let redirected = simple.redirects.iter().any(|redirect| !matches!(redirect.descriptor, Some(0 | 2)));
        self.output = if redirected && !reads_only(simple) { Stdin::Unknown } else { output };
    }

    /// A command whose name may be one that the text has defined.
    fn named(&mut self, command: &Command, text: &str, shell: &mut Shell) {
        let Some(name) = command.program() else {
            let what = command.words.first().map(Word::shown).unwrap_or_default();
            let why = format!("which program `{what}` is can only be told when it runs");
            return self.doubt(text, Why::new(why, written_out(&command.words)), shell);
        };
        let (aliases, function) = (shell.env.aliases(name), shell.env.function(name));
        if aliases.is_empty() && function.is_none() {
            return self.plain(command, text, shell);
        }
        // Whatever it means, it means one of these: each begins with what is known now.
        let before = shell.env.clone();
        let mut after: Option<Env> = None;
        for alias in aliases {
            // Whether aliases are followed depends on the shell: both count.
            self.alias(name, alias.as_deref(), command, text, shell);
            super::join(&mut after, &shell.env);
            shell.env = before.clone();
        }
        let sure = function.as_ref().is_some_and(|function| function.sure);
        for body in function.iter().flat_map(|function| &function.bodies) {
            self.call(name, body, command, text, shell);
            super::join(&mut after, &shell.env);
            shell.env = before.clone();
        }
        if !sure {
            self.plain(command, text, shell);
            super::join(&mut after, &shell.env);
        }
        shell.env = after.unwrap_or(before);
    }

    /// What an alias stands for, with the words behind it.
    fn alias(&mut self, name: &str, alias: Option<&str>, command: &Command, text: &str, shell: &mut Shell) {
        let Some(alias) = alias else {
            return self.doubt(text, format!("what the alias `{name}` stands for is not known"), shell);
        };
        let words: Option<Vec<&str>> = command.arguments().iter().map(Word::known).collect();
        // Behind a blank at its end the next word may be an alias too.
        let next = words.as_ref().and_then(|words| words.first()).copied().unwrap_or_default();
        let goes_on = alias.ends_with([' ', '\t']) && !shell.env.aliases(next).is_empty();
        match words {
            Some(words) if !alias.trim().is_empty() && !goes_on => {
                let words: String = words.into_iter().map(|word| format!(" {}", shell_word(word))).collect();
                let line = format!("{alias}{words}");
                self.aside(name, shell, |walk, shell| walk.text(&line, shell));
            }
            _ => self.doubt(text, format!("what the alias `{name}` gets is not known"), shell),
        }
    }

    /// A builtin or a program, whatever functions there are.
    pub(super) fn plain(&mut self, command: &Command, text: &str, shell: &mut Shell) {
        if !self.builtin(command, text, shell) {
            self.program(command, text, shell);
        }
    }

    fn call(
        &mut self,
        name: &str,
        body: &std::rc::Rc<crate::classify::shell::tree::Node>,
        command: &Command,
        text: &str,
        shell: &mut Shell,
    ) {
        if self.calling.iter().any(|calling| calling == name) || self.calling.len() >= super::DEEPEST {
            return self.doubt(text, format!("the function `{name}` calls itself, which is not followed"), shell);
        }
        self.locals.push(vec![]);
        self.aside(name, shell, |walk, shell| {
            let outer = shell.env.positional.replace(command.arguments().to_vec().into());
            let fed = shell.feed(command.stdin.clone());
            // A word that may be several leaves it open which parameter is which.
            if command.arguments().iter().any(Word::is_many) {
                shell.env.positional = None;
            }
            walk.exits.push(vec![]);
            walk.node(body, shell);
            for left in walk.exits.pop().unwrap_or_default() {
                shell.env.join(&left);
            }
            shell.env.positional = outer;
            shell.fed(fed);
        });
        // What was the function's own is what it was before; it may have been set both ways.
        for (name, before) in self.locals.pop().unwrap_or_default() {
            shell.env.join_variable(&name, &before);
        }
    }

    /// Follows what a name stands for, which may name it again: then the program is meant, or it never ends.
    fn aside(&mut self, name: &str, shell: &mut Shell, run: impl FnOnce(&mut Self, &mut Shell)) {
        if self.calling.iter().any(|calling| calling == name) {
            return;
        }
        self.calling.push(name.to_owned());
        run(self, shell);
        self.calling.pop();
    }

    /// Sets a variable, and judges the value if the variable chooses what runs.
    fn assign(&mut self, assignment: &Assignment, exported: bool, shell: &mut Shell) {
        if let Some(index) = &assignment.index {
            self.arithmetic(index, shell);
        }
        match &assignment.value {
            Assigned::Array(sources) => {
                let values = self.fields(sources, shell);
                // bash takes the first element for the value, zsh ties `path` to `PATH`.
                self.fills(if assignment.name == "path" { "PATH" } else { &assignment.name }, shell);
                let known = !assignment.append && !values.iter().any(Word::is_many);
                if known {
                    shell.env.set_list(&assignment.name, values);
                } else {
                    shell.env.forget(&assignment.name);
                }
            }
            Assigned::One(source) => {
                let value = self.one(source, shell);
                self.chooses(&assignment.name, &value, source, shell);
                // Arithmetic works out what a variable holds, and an index in it may run a command.
                if indices::runs(&value) {
                    self.doubt(&source.raw, "what it holds may run where it is counted with", shell);
                }
                let value = match (assignment.append, assignment.index.is_some()) {
                    (_, true) => Word::unknown(),
                    (true, _) => {
                        let mut whole = shell.env.variable(&assignment.name).unwrap_or_else(Word::unknown);
                        whole.push_word(&value);
                        whole
                    }
                    (false, false) => value,
                };
                shell.env.set(&assignment.name, value);
            }
        }
        if exported {
            shell.env.export(&assignment.name);
        }
    }

    /// `export`, `declare` and the like.
    fn declare(&mut self, builtin: &str, sources: &[Source], simple: &Simple, shell: &mut Shell) {
        let mut functions = false;
        // Whether what is set later is something else than what is written, or stays what it was.
        let mut odd = builtin == "readonly";
        let mut reference = false;
        for source in sources {
            if let Some((name, value)) = assignment_in(source) {
                self.own_to_function(builtin, &name, shell);
                if reference {
                    let other = self.one(&value, shell);
                    self.refers(&other, &simple.text, shell);
                }
                let assignment = Assignment { name, index: None, value: Assigned::One(value), append: false };
                let before = shell.env.clone();
                self.assign(&assignment, builtin == "export", shell);
                // Outside of a function bash refuses `local`, and others don't; dash knows some of them not at all.
                let elsewhere = matches!(builtin, "declare" | "typeset") && before.variable(&assignment.name).is_some();
                if elsewhere || (builtin == "local" && self.locals.is_empty()) {
                    shell.env.join_variable(&assignment.name, &before);
                }
                if odd {
                    shell.env.make_odd(&assignment.name, builtin == "readonly");
                }
                continue;
            }
            for word in self.fields(std::slice::from_ref(source), shell) {
                if indices::runs(&word) {
                    self.doubt(&source.raw, "an index in it may run a command", shell);
                }
                match word.known() {
                    Some(option) if option.starts_with(['-', '+']) => {
                        functions |= option.contains('f');
                        odd |= option.contains(|c: char| c.is_ascii_alphabetic() && !"xgaApfFt".contains(c));
                        // A name for another variable: what is set under one is set under the other.
                        if option.contains('n') && builtin != "export" {
                            reference = true;
                            shell.env.forget_all();
                        }
                    }
                    Some(name) if functions => shell.env.doubt_function(name),
                    Some(name)
                        if builtin == "export" && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') =>
                    {
                        shell.env.export(name);
                    }
                    Some(name) => {
                        let plain = name.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_');
                        let name: String = plain.collect();
                        self.own_to_function(builtin, &name, shell);
                        // `readonly x` leaves what it holds.
                        if builtin != "readonly" {
                            shell.env.forget(&name);
                        }
                        if odd {
                            shell.env.make_odd(&name, builtin == "readonly");
                        }
                    }
                    None => shell.env.forget_all(),
                }
            }
        }
    }

    /// Within a function most of them make a variable that is the function's own.
    fn own_to_function(&mut self, builtin: &str, name: &str, shell: &Shell) {
        if let Some(locals) = self.locals.last_mut()
            && !matches!(builtin, "export" | "readonly")
            && !locals.iter().any(|(known, _)| known == name)
        {
            locals.push((name.to_owned(), shell.env.clone()));
        }
    }

    /// A name for another variable: whatever is set under it later may choose what runs.
    fn refers(&mut self, other: &Word, text: &str, shell: &mut Shell) {
        match other.known() {
            Some(name) => self.fills(name, shell),
            None => self.doubt(text, "it is another name for a variable that may choose what runs", shell),
        }
    }
}

/// `NAME=value` as an argument.
fn assignment_in(source: &Source) -> Option<(String, Source)> {
    let (first, rest) = source.pieces.split_first()?;
    let Piece::Text(text) = first else { return None };
    let (name, start) = text.split_once('=')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(plain) || start.starts_with('(') {
        return None;
    }
    let pieces = std::iter::once(Piece::Text(start.to_owned())).chain(rest.iter().cloned()).collect();
    let raw = source.raw.split_once('=').map(|(_, raw)| raw.to_owned()).unwrap_or_default();
    Some((name.to_owned(), Source { raw, pieces }))
}

/// Whether all its redirections only read.
fn reads_only(simple: &Simple) -> bool {
    use crate::classify::shell::tree::Redirection::{HereDocument, HereString, Read};
    simple.redirects.iter().all(|redirect| matches!(redirect.what, Read(_) | HereDocument(_) | HereString(_)))
}

/// What a command writes, if that can be told: what comes to a shell through a pipe is a script.
fn output(command: &Command) -> Stdin {
    let words: Option<Vec<&str>> = command.words.iter().map(Word::known).collect();
    let Some((name, arguments)) = words.as_ref().and_then(|words| words.split_first()) else {
        return Stdin::Unknown;
    };
    match (*name, arguments) {
        ("echo", arguments) => {
            let option = |text: &&str| text.starts_with('-') && text.len() > 1;
            let rest = match arguments {
                ["-n", rest @ ..] => rest,
                rest => rest,
            };
            if !rest.first().is_some_and(option) && !rest.iter().any(|text| text.contains('\\')) {
                Stdin::Text(Word::known_as(format!("{}\n", rest.join(" "))))
            } else {
                Stdin::Unknown
            }
        }
        ("printf", [format, rest @ ..]) => match *format {
            "%s\\n" | "%s\n" => Stdin::Text(Word::known_as(format!("{}\n", rest.join("\n")))),
            "%s" => Stdin::Text(Word::known_as(rest.concat())),
            text if rest.is_empty() && !text.contains(['%', '-']) => {
                let text = text.replace("\\n", "\n");
                if text.contains('\\') { Stdin::Unknown } else { Stdin::Text(Word::known_as(text)) }
            }
            _ => Stdin::Unknown,
        },
        ("cat", [] | ["-"]) => command.stdin.clone(),
        ("cat", [file]) if !file.starts_with('-') => Stdin::File(Word::known_as(*file)),
        _ => Stdin::Unknown,
    }
}
