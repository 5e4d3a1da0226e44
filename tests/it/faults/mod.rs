//! The fault matrix: what this program does about each fault that a ZVM, a network or the machine can have.
//!
//! Owns: what a row of `docs/faults.md` is, and the comparison with that page. The faults themselves are in the files
//! below. Must not: know a fault.

mod guard;
mod listed;
mod machine;
mod network;
mod page;
mod plain;
mod recovery;
mod trying;

pub use page::{page, page_but};
pub use plain::first_line;

use crate::env::{Env, Ran};
use crate::search::found_in;
use std::time::Duration;
use zvm_sim::Sim;

/// One fault, tried: a row of docs/faults.md.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Where: the step of the guard or the recovery, or which part of the machine.
    pub at: String,
    pub fault: String,
    pub code: Option<i32>,
    /// "nothing", or its kind ("the pass's JSON", "the file's JSON", "an error's JSON").
    pub stdout: String,
    /// Its first line, with what differs from run to run (ports, paths, ids, spans) replaced: [`first_line`].
    pub stderr: String,
    pub took: Took,
    /// What the ZVM saw: how many inserts, mounts and ends, and the steps (no counts: polls differ).
    pub zvm: String,
    /// What stands afterwards: tags, files, sessions.
    pub left: String,
    /// What may never be, and was: each of them fails the test.
    pub wrong: Vec<(Wrong, String)>,
}

/// What may never be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// `hook` let a change through whose guard was not complete.
    FailOpen,
    /// It was not over by its deadline.
    Hang,
    /// A part of a file, or a file with another's name or content.
    PartialFile,
    /// A secret where none belongs.
    Secret,
    /// Whatever else the contract forbids: stdout of a deny, a second insert, a session that nobody is told of.
    Contract,
}

/// How long it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Took {
    /// It did not wait for the deadline.
    AtOnce,
    AtTheDeadline,
    /// There is no deadline; it took no longer than its parts may take together.
    Within(Duration),
    Late,
}

impl Took {
    /// `limit` is the deadline, or what takes its place. What lies behind it belongs to the machine: starting a process takes
    /// time, on a busy one more.
    pub fn of(took: Duration, limit: Duration) -> Self {
        const MARGIN: Duration = Duration::from_secs(8);
        match took {
            // The hook keeps a tenth of its deadline for its last words.
            _ if took < limit.mul_f64(0.85) => Self::AtOnce,
            _ if took <= limit + MARGIN => Self::AtTheDeadline,
            _ => Self::Late,
        }
    }

    fn text(self) -> String {
        match self {
            Self::AtOnce => "at once".to_owned(),
            Self::AtTheDeadline => "at the deadline".to_owned(),
            Self::Within(limit) => format!("within {} s", limit.as_secs()),
            Self::Late => "LATE".to_owned(),
        }
    }
}

/// What stdout held, in a word.
pub fn kind_of_stdout(ran: &Ran) -> String {
    if ran.stdout.is_empty() {
        return "nothing".to_owned();
    }
    let Ok(json) = serde_json::from_str::<serde_json::Value>(&ran.stdout) else { return "text".to_owned() };
    let has = |field: &str| json.get(field).is_some();
    match () {
        () if has("hookSpecificOutput") => "the pass's JSON",
        () if has("sha256") => "the file's JSON",
        () if json["ok"] == false && has("exit_code") => "an error's JSON",
        () => "JSON",
    }
    .to_owned()
}

/// How far something came, in the steps that it has taken, of those that it usually takes.
pub fn way(steps: &[&str], usual: &[&str]) -> String {
    match steps {
        all if all == usual => "all steps".to_owned(),
        [.., last] if usual.starts_with(steps) => format!("all to the {last}"),
        some => some.join(", "),
    }
}

/// The secrets that a run has left, sent or said where none belongs.
pub fn secrets_of(env: &Env, sims: &[&Sim], ran: &Ran) -> Vec<(Wrong, String)> {
    let found = found_in(env, sims, &[("stdout", &ran.stdout), ("stderr", &ran.stderr)]);
    found.into_iter().map(|what| (Wrong::Secret, what)).collect()
}

/// What breaks the contract of `hook`, whatever happened: the code, its stdout, the first words of its stderr.
pub fn wrong_of_hook(ran: &Ran, complete: bool) -> Vec<(Wrong, String)> {
    let mut wrong = Vec::new();
    match ran.code {
        Some(0) if complete => {}
        Some(0) => wrong.push((Wrong::FailOpen, "it passed, and the guard was not complete".to_owned())),
        Some(2) => {
            if !ran.stdout.is_empty() {
                wrong.push((Wrong::Contract, format!("stdout of a deny: {}", ran.stdout)));
            }
            if !ran.stderr.starts_with("zerto-guard: ") {
                wrong.push((Wrong::Contract, format!("stderr of a deny: {}", ran.stderr)));
            }
        }
        // A host lets the call run on every end but 2.
        other => wrong.push((Wrong::FailOpen, format!("it ended with {other:?}"))),
    }
    wrong
}

#[test]
fn a_pass_without_a_complete_guard_is_seen() {
    let ran = |code, stdout: &str, stderr: &str| Ran { code, stdout: stdout.to_owned(), stderr: stderr.to_owned() };
    let deny = "zerto-guard: stopped";
    assert!(wrong_of_hook(&ran(Some(2), "", deny), false).is_empty());
    assert!(wrong_of_hook(&ran(Some(0), "{}", ""), true).is_empty());
    for (ran, wrong) in [
        (ran(Some(0), "{}", ""), Wrong::FailOpen),
        (ran(Some(1), "", deny), Wrong::FailOpen),
        (ran(None, "", ""), Wrong::FailOpen),
        (ran(Some(2), "{}", deny), Wrong::Contract),
        (ran(Some(2), "", "error"), Wrong::Contract),
    ] {
        assert_eq!(wrong_of_hook(&ran, false)[0].0, wrong, "{:?}", ran.code);
    }
}
