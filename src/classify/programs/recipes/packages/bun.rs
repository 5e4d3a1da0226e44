//! Words of `bun`: which script it is to run. Pure.

use super::super::elsewhere;
use super::{call, report};
use crate::classify::effect::{Command, Facts, Report};
use crate::classify::programs::options::{self, Spec};
use crate::classify::word::Word;

/// What bun does by these words itself.
const BUN_OWN: &[&str] = &[
    "a",
    "add",
    "audit",
    "build",
    "c",
    "ci",
    "completions",
    "create",
    "exec",
    "feedback",
    "getcompletes",
    "help",
    "i",
    "info",
    "init",
    "install",
    "link",
    "outdated",
    "patch",
    "patch-commit",
    "pm",
    "publish",
    "remove",
    "repl",
    "rm",
    "test",
    "unlink",
    "update",
    "upgrade",
    "why",
    "x",
];

const BUN: Spec = Spec {
    flags: "b",
    values: "",
    long_flags: &["bun", "silent", "if-present", "watch", "hot", "smol", "no-install"],
    long_values: &["cwd", "filter"],
    stops: true,
    glued: "",
    single_dash: false,
};

pub(super) fn bun(command: &Command, facts: &Facts) -> Result<Option<Report>, String> {
    let Ok(parsed) = options::parse(command.arguments(), &BUN) else { return Ok(None) };
    let Some((verb, rest)) = parsed.operands.split_first() else { return Ok(None) };
    let Some(verb) = verb.known() else { return Ok(None) };
    let mut inner = options::Parsed::default();
    let (name, arguments) = match verb {
        "run" => {
            inner = options::parse(rest, &BUN)?;
            let Some((name, arguments)) = inner.operands.split_first() else { return Ok(Some(Report::reads())) };
            (name.clone(), arguments.to_vec())
        }
        verb if BUN_OWN.contains(&verb) => return Ok(None),
        verb => (Word::from(verb), rest.to_vec()),
    };
    if !facts.own {
        return Ok(Some(elsewhere(command)));
    }
    let folders: Vec<&Word> = parsed.values(&["cwd"]).chain(inner.values(&["cwd"])).collect();
    let mut call = call(facts, &folders, &name, arguments)?;
    let has = |names: &[&str]| parsed.has(names) || inner.has(names);
    call.if_present = has(&["if-present"]);
    if has(&["filter"]) {
        call.packages = Some(vec![]);
    }
    report(&call, command, facts).map(Some)
}
