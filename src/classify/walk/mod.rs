//! Follows a shell text command by command, wherever each runs, and collects what is known of each.
//!
//! Owns: the order in which a shell runs things, what its variables, functions and folder are then, and the bounds of all
//! that. What a program does with its words is said in `programs`; what that means for a verdict in `judge`. Must not read a
//! file but through `Surroundings`.

mod arithmetic;
mod assigned;
mod braces;
mod builtins;
mod carried;
mod choosing;
mod command;
mod daemon;
mod disks;
mod env;
mod expand;
mod finding;
mod indices;
mod judge;
mod languages;
mod likely;
mod loops;
mod place;
mod projects;
mod redirects;
mod scripts;
mod shell;
mod variables;
mod watched;

pub(super) use place::{Changed, Place};
pub(super) use shell::Shell;

use super::effect::Stdin;
use super::shell::tree::{Item, Joint, Node, Script};
use super::targets::Places;
use super::word::Word;
use super::{Part, Surroundings, Touched, Verdict};
use crate::catalog::Catalog;
use env::Env;
use shell::Input;
use std::rc::Rc;

/// No text has more commands, those of its functions, loops and payloads counted each time they run.
const MOST_COMMANDS: usize = 4_000;

/// No text makes more bytes of words.
const MOST_BYTES: usize = 1 << 20;

/// No text is deeper: texts within texts, and functions within functions.
const DEEPEST: usize = 16;

/// No command or word stands deeper in others, functions and texts that are followed included: each takes some stack.
const MOST_NESTED: usize = 250;

/// What follows a text.
pub(super) struct Walk<'a> {
    catalog: &'a Catalog,
    places: &'a Places,
    around: &'a dyn Surroundings,
    home: Option<String>,
    /// What was found so far.
    pub parts: Vec<Part>,
    /// The bytes of each file that was read.
    pub scripts: Vec<Vec<u8>>,
    /// What of the agent's own machine its commands may change.
    pub touched: Vec<Touched>,
    /// Whether anything but reading happens on the agent's own machine.
    pub acts_here: bool,
    /// The words of each command of this program.
    pub ours: Vec<Vec<Word>>,
    files: scripts::Files,
    reached: disks::Reached,
    parsed: Vec<(String, Rc<Script>)>,
    commands: usize,
    bytes: usize,
    /// How deep the part is that is being judged, for the tree.
    depth: usize,
    /// How many commands and words are being followed within one another.
    nested: usize,
    /// How many texts are being read within one another.
    texts: usize,
    /// The functions that are being called.
    calling: Vec<String>,
    /// Of each function that is being called the variables that are its own, with what was known before.
    locals: Vec<Vec<(String, Env)>>,
    /// What is known where a loop or a function may be left early.
    exits: Vec<Vec<Env>>,
    /// What the last simple command wrote, if that is known.
    output: Stdin,
    stopped: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(catalog: &'a Catalog, places: &'a Places, around: &'a dyn Surroundings) -> Self {
        Self {
            catalog,
            places,
            around,
            home: around.home(),
            parts: vec![],
            scripts: vec![],
            touched: vec![],
            acts_here: false,
            ours: vec![],
            files: scripts::Files::default(),
            reached: disks::Reached::default(),
            parsed: vec![],
            commands: MOST_COMMANDS,
            bytes: MOST_BYTES,
            depth: 0,
            nested: 0,
            texts: 0,
            calling: vec![],
            locals: vec![],
            exits: vec![],
            output: Stdin::Unknown,
            stopped: false,
        }
    }

    /// Follows a text as a shell of its own at that place runs it, to its end.
    pub(super) fn whole(&mut self, text: &str, shell: &mut Shell) {
        self.text(text, shell);
        self.traps(shell);
    }

    /// Follows a text as a shell runs it that goes on behind it.
    fn text(&mut self, text: &str, shell: &mut Shell) {
        if self.texts >= DEEPEST {
            self.unread(text, "it is a text within more texts than are followed", shell);
            return;
        }
        let script = match self.parse(text) {
            Ok(script) => script,
            Err(why) => {
                self.unread(text, &why, shell);
                return;
            }
        };
        self.texts += 1;
        self.script(&script, shell);
        self.texts -= 1;
    }

    /// What a shell's traps run: at its end, on a signal, or behind any of its commands.
    fn traps(&mut self, shell: &mut Shell) {
        self.texts += 1;
        for trap in std::mem::take(&mut shell.traps) {
            let mut inner = shell.sub();
            // Nothing of what is known now holds when one runs, but the functions.
            inner.env.forget_values();
            match trap.known() {
                Some(text) => self.whole(text, &mut inner),
                None => self.doubt("trap", "what the trap runs is only known when it is set", shell),
            }
        }
        self.texts -= 1;
    }

    /// Follows something in a shell of its own, to that one's end; what it has set is lost.
    fn apart(&mut self, mut inner: Shell, run: impl FnOnce(&mut Self, &mut Shell)) -> Shell {
        run(self, &mut inner);
        if !inner.traps.is_empty() {
            self.traps(&mut inner);
            self.output = Stdin::Unknown;
        }
        inner
    }

    /// The tree of a text; a payload that several machines get is read once.
    fn parse(&mut self, text: &str) -> Result<Rc<Script>, String> {
        const KEPT: usize = 8;
        if let Some((_, script)) = self.parsed.iter().find(|(known, _)| known == text) {
            return Ok(script.clone());
        }
        // What is parsed costs much more than what is expanded.
        self.spend(text.len().saturating_mul(8));
        if self.bytes == 0 {
            return Err("it holds more texts than are followed".into());
        }
        let script = Rc::new(super::shell::read(text)?);
        if self.parsed.len() < KEPT {
            self.parsed.push((text.to_owned(), script.clone()));
        }
        Ok(script)
    }

    fn script(&mut self, script: &Script, shell: &mut Shell) {
        for item in &script.0 {
            if self.stopped {
                return;
            }
            if item.background {
                let inner = self.apart(shell.sub(), |walk, inner| walk.list(item, inner));
                // zsh opens what a lone `exec < file &` asks for in the shell itself.
                if !inner.stdin.is(&shell.stdin) {
                    shell.reopen(Stdin::Unknown);
                }
            } else {
                self.list(item, shell);
            }
        }
    }

    fn list(&mut self, item: &Item, shell: &mut Shell) {
        self.node(&item.first, shell);
        if item.then.is_empty() {
            return;
        }
        // Whatever came last may be where it ended.
        let mut all = shell.env.clone();
        let mut branched = false;
        for (joint, node) in &item.then {
            // Behind a `||` even `&&` may be reached without what stands before it.
            branched |= *joint == Joint::Or;
            if branched {
                shell.env = all.clone();
            }
            self.node(node, shell);
            all.join(&shell.env);
        }
        shell.env = all;
    }

    fn node(&mut self, node: &Node, shell: &mut Shell) {
        if self.stopped {
            return;
        }
        if self.nested >= MOST_NESTED {
            return self.too_deep();
        }
        self.nested += 1;
        self.command(node, shell);
        self.nested -= 1;
    }

    /// Ends it all where commands and words stand deeper in one another than the stack has room for.
    fn too_deep(&mut self) {
        if !self.stopped {
            self.stopped = true;
            self.not_followed("", "its commands stand deeper in one another than is followed");
        }
    }

    fn command(&mut self, node: &Node, shell: &mut Shell) {
        match node {
            Node::Simple(simple) => self.simple(simple, shell),
            Node::Pipeline(nodes) => self.pipeline(nodes, shell),
            Node::Group { body, subshell, redirects } => self.with_redirects(redirects, shell, |walk, shell| {
                if *subshell {
                    walk.apart(shell.sub(), |walk, inner| walk.script(body, inner));
                } else {
                    walk.script(body, shell);
                }
            }),
            Node::For { name, values, body, redirects } => self.with_redirects(redirects, shell, |walk, shell| {
                walk.each(name, values.as_deref(), body, shell);
            }),
            Node::Loop { arithmetic, condition, body, redirects } => {
                self.with_redirects(redirects, shell, |walk, shell| {
                    walk.while_(arithmetic, condition, body, shell);
                });
            }
            Node::If { arms, redirects } => self.with_redirects(redirects, shell, |walk, shell| {
                let mut after: Option<Env> = None;
                let mut complete = false;
                for (condition, body) in arms {
                    complete = condition.0.is_empty();
                    walk.script(condition, shell);
                    let before = shell.env.clone();
                    walk.script(body, shell);
                    join(&mut after, &shell.env);
                    shell.env = before;
                }
                if let Some(mut after) = after {
                    if !complete {
                        after.join(&shell.env);
                    }
                    shell.env = after;
                }
            }),
            Node::Case { word, arms, redirects } => self.with_redirects(redirects, shell, |walk, shell| {
                walk.one(word, shell);
                let mut after = shell.env.clone();
                for (patterns, body) in arms {
                    for pattern in patterns {
                        walk.one(pattern, shell);
                    }
                    // `;&` falls through: what an arm has set may hold in the next.
                    shell.env = after.clone();
                    walk.script(body, shell);
                    after.join(&shell.env);
                }
                shell.env = after;
            }),
            Node::Function { name, body } => self.define(name, body, shell),
            Node::Test { words, redirects } => self.with_redirects(redirects, shell, |walk, shell| {
                for word in words {
                    // Which of them is counted with is not told apart.
                    if indices::runs(&walk.one(word, shell)) {
                        walk.doubt(&word.raw, "an index in it may run a command", shell);
                    }
                }
            }),
            Node::Arithmetic { text, redirects } => self.with_redirects(redirects, shell, |walk, shell| {
                walk.arithmetic(text, shell);
                if !arithmetic::is_plain(&text.raw) {
                    // Where `((` is not known (dash), two shells within each other run it.
                    walk.doubt(
                        &text.raw,
                        "some shells take `((` for two parentheses, and run what stands in them",
                        shell,
                    );
                }
            }),
            Node::Coprocess(inner) => {
                let mut sub = shell.sub();
                // The text can write to it whatever it likes.
                sub.feed(Stdin::Unknown);
                self.apart(sub, |walk, sub| walk.node(inner, sub));
            }
        }
        if !matches!(node, Node::Simple(_)) {
            self.output = Stdin::Unknown;
        }
    }

    fn pipeline(&mut self, nodes: &[Node], shell: &mut Shell) {
        let mut stdin = shell.stdin.clone();
        for (nr, node) in nodes.iter().enumerate() {
            let mut sub = shell.sub();
            sub.stdin = stdin;
            let sub = self.apart(sub, |walk, sub| walk.node(node, sub));
            stdin = Input::new(std::mem::replace(&mut self.output, Stdin::Unknown));
            // Some shells run the last one themselves (zsh, and bash if told to).
            if nr + 1 == nodes.len() {
                shell.env.join(&sub.env);
            }
        }
    }

    /// Defines a function.
    fn define(&mut self, name: &str, body: &Rc<Node>, shell: &mut Shell) {
        if shell.traps.is_empty() {
            shell.env.define(name, body.clone());
        } else {
            // A trap may have called what stood under that name before.
            shell.env.define_too(name, body);
        }
        if is_called_by_itself(name) {
            let mut inner = shell.sub();
            inner.env.forget_values();
            self.apart(inner, |walk, inner| walk.node(body, inner));
        }
    }

    /// Counts one more command; false: there are more than are followed.
    fn count(&mut self, text: &str) -> bool {
        if self.stopped {
            return false;
        }
        match self.commands.checked_sub(1) {
            Some(left) => self.commands = left,
            None => self.stop(text),
        }
        !self.stopped
    }

    /// Counts bytes that were made of words.
    fn spend(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
        if self.bytes == 0 && !self.stopped {
            self.commands = 0;
        }
    }

    /// Follows nothing more. What is left may run anywhere, whoever has left out the machine it stopped at.
    fn stop(&mut self, text: &str) {
        if !self.stopped {
            self.stopped = true;
            self.not_followed(text, "it runs more commands than are followed");
        }
    }

    /// A text that can't be read. Whoever has left out a machine has not left out what can be reached from there.
    fn unread(&mut self, text: &str, why: &str, shell: &Shell) {
        match shell.place.changed(self.places) {
            place::Changed::Nothing(_) => self.not_followed(text, why),
            _ => self.doubt(text, why, shell),
        }
    }

    /// Something that may change any guest.
    fn not_followed(&mut self, text: &str, why: &str) {
        self.push(Part {
            text: text.to_owned(),
            location: String::new(),
            verdict: Verdict::Unknown,
            reason: why.to_owned(),
            targets: vec![],
            by: None,
            depth: self.depth,
            missing: None,
            open: true,
            mend: None,
        });
    }

    /// What is known when all has been followed: what the text itself may have changed under way is not what was read.
    pub(super) fn finish(&mut self) {
        if let Some(why) = self.files.fault() {
            self.not_followed("", &why);
        }
    }
}

/// Functions that a shell calls without being told to: zsh's hooks, and what is called for a program that is not there.
fn is_called_by_itself(name: &str) -> bool {
    const HOOKS: &[&str] =
        &["command_not_found_handle", "command_not_found_handler", "chpwd", "periodic", "precmd", "preexec", "zshexit"];
    HOOKS.contains(&name) || name.starts_with("TRAP") || name.starts_with("zshaddhistory")
}

fn join(all: &mut Option<Env>, env: &Env) {
    match all {
        None => *all = Some(env.clone()),
        Some(all) => all.join(env),
    }
}
