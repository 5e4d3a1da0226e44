//! A shell at work: what it knows, where it runs, what it reads on stdin. Pure.

use super::Place;
use super::env::Env;
use crate::classify::effect::Stdin;
use crate::classify::word::Word;
use std::cell::Cell;
use std::rc::Rc;

/// Commands that never read from stdin: what stands there is still whole behind them.
const LEAVING: &[&str] = &[
    ":", "alias", "break", "cd", "chdir", "continue", "declare", "echo", "export", "false", "printf", "pwd", "set",
    "shift", "true", "test", "[", "trap", "umask", "unset",
];

/// A shell at work.
#[derive(Clone)]
pub(in crate::classify) struct Shell {
    pub(super) env: Env,
    pub(super) place: Place,
    pub(super) stdin: Input,
    /// Texts that run when it ends, or on a signal.
    pub(super) traps: Vec<Word>,
}

impl Shell {
    /// A shell that starts in this folder.
    pub(in crate::classify) fn new(place: Place, cwd: Option<&str>) -> Self {
        Self { env: Env::new(Some(vec![]), cwd), place, stdin: Input::new(Stdin::Inherited), traps: vec![] }
    }

    /// A shell that stays open: what stands on its stdin are the texts of later calls.
    pub(in crate::classify) fn typed_into(self) -> Self {
        Self { stdin: Input::new(Stdin::Unknown), ..self }
    }

    /// A shell of its own that knows the same: what it sets is lost.
    pub(super) fn sub(&self) -> Self {
        Self { traps: vec![], ..self.clone() }
    }

    /// Gives it another stdin for a while; what it had.
    pub(super) fn feed(&mut self, stdin: Stdin) -> Fed {
        let outer = std::mem::replace(&mut self.stdin, Input::new(stdin));
        Fed { outer, given: self.stdin.clone() }
    }

    /// Takes back what it was given, unless it has opened another one for good since (`exec < file`).
    pub(super) fn fed(&mut self, fed: Fed) {
        self.stdin = if self.stdin.is(&fed.given) { fed.outer } else { Input::new(Stdin::Unknown) };
    }

    /// Opens another stdin for good. Whether a branch has done so is not followed.
    pub(super) fn reopen(&mut self, stdin: Stdin) {
        if stdin == self.stdin.get() {
            return;
        }
        let known = self.stdin.what == Stdin::Inherited && stdin == Stdin::Nothing;
        self.stdin = Input::new(if known { stdin } else { Stdin::Unknown });
    }
}

/// A stdin that was given for a while.
pub(super) struct Fed {
    outer: Input,
    given: Input,
}

/// What a shell and all that it starts read on stdin, one after another from where the last one stopped.
#[derive(Clone)]
pub(super) struct Input {
    what: Stdin,
    /// Whether something may have read from it.
    taken: Rc<Cell<bool>>,
}

impl Input {
    pub(super) fn new(what: Stdin) -> Self {
        Self { what, taken: Rc::default() }
    }

    /// Whether the other one is the same.
    pub(super) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.taken, &other.taken)
    }

    /// What the next command finds there.
    pub(super) fn get(&self) -> Stdin {
        match &self.what {
            Stdin::Text(_) | Stdin::File(_) if self.taken.get() => Stdin::Unknown,
            what => what.clone(),
        }
    }

    /// Notes a command that may read from it; none: one that is not known by its name.
    pub(super) fn read_by(&self, name: Option<&str>) {
        if !name.is_some_and(|name| LEAVING.contains(&name)) {
            self.taken.set(true);
        }
    }
}
