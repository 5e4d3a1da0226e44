//! Loops: what a round sets and defines, the next ones meet.

use super::assigned::Assigned;
use super::env::Env;
use super::{Shell, Walk};
use crate::classify::shell::tree::{Script, Source};
use crate::classify::word::Word;

/// A loop that defines something new in every round is not followed further.
const MOST_ROUNDS: usize = 3;

impl Walk<'_> {
    pub(super) fn each(&mut self, name: &str, values: Option<&[Source]>, body: &Script, shell: &mut Shell) {
        let values = match (values, &shell.env.positional) {
            (Some(sources), _) => self.fields(sources, shell),
            (None, Some(list)) => list.to_vec(),
            (None, None) => vec![Word::unknown_many()],
        };
        if values.iter().any(Word::is_many) {
            self.files.in_loop();
            Assigned::of(&[body], &shell.env).forget(&mut shell.env);
        }
        // Which of the values a variable like `PATH` holds is not told apart.
        self.fills(name, shell);
        let before = shell.env.clone();
        for value in &values {
            if self.stopped {
                return;
            }
            shell.env.set(name, value.as_one());
            self.round(body, shell);
            if value.is_many() {
                self.again(&before, body, shell);
            }
        }
        // `for x in $list` may do nothing, and any round may be the last.
        if values.iter().all(Word::is_many) {
            shell.env.join(&before);
        }
    }

    pub(super) fn while_(&mut self, arithmetic: &[Source], condition: &Script, body: &Script, shell: &mut Shell) {
        self.files.in_loop();
        for text in arithmetic {
            self.arithmetic(text, shell);
        }
        Assigned::of(&[condition, body], &shell.env).forget(&mut shell.env);
        self.exits.push(vec![]);
        self.script(condition, shell);
        let before = shell.env.clone();
        self.script(body, shell);
        shell.env.join(&before);
        for left in self.exits.pop().unwrap_or_default() {
            shell.env.join(&left);
        }
        if !before.defines_the_same(&shell.env) {
            self.round(condition, shell);
            self.again(&before, body, shell);
        }
    }

    /// One round of a loop.
    fn round(&mut self, body: &Script, shell: &mut Shell) {
        self.exits.push(vec![]);
        self.script(body, shell);
        for left in self.exits.pop().unwrap_or_default() {
            shell.env.join(&left);
        }
    }

    /// What one round has defined, the next ones may call.
    fn again(&mut self, before: &Env, body: &Script, shell: &mut Shell) {
        let mut before = before.clone();
        for _ in 0..MOST_ROUNDS {
            if before.defines_the_same(&shell.env) || self.stopped {
                return;
            }
            before = shell.env.clone();
            self.round(body, shell);
        }
    }
}
