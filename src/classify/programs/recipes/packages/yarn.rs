//! Words of `yarn`, of any release: which script of which package it is to run. Pure.

use super::super::elsewhere;
use super::{call, report};
use crate::classify::effect::{Command, Facts, Report};
use crate::classify::programs::options::{self, Spec};
use crate::classify::word::Word;

/// What yarn, of either kind, does by these words itself.
const YARN_OWN: &[&str] = &[
    "add",
    "audit",
    "autoclean",
    "bin",
    "cache",
    "check",
    "config",
    "constraints",
    "create",
    "dedupe",
    "dlx",
    "exec",
    "explain",
    "generate-lock-entry",
    "global",
    "help",
    "import",
    "info",
    "init",
    "install",
    "licenses",
    "link",
    "list",
    "login",
    "logout",
    "node",
    "npm",
    "outdated",
    "owner",
    "pack",
    "patch",
    "patch-commit",
    "plugin",
    "policies",
    "publish",
    "rebuild",
    "remove",
    "search",
    "set",
    "stage",
    "tag",
    "team",
    "unlink",
    "unplug",
    "up",
    "upgrade",
    "upgrade-interactive",
    "version",
    "versions",
    "why",
];

const YARN: Spec = Spec {
    flags: "s",
    long_flags: &["silent", "json", "verbose", "offline", "non-interactive", "no-progress"],
    long_values: &["cwd"],
    stops: true,
    values: "",
    glued: "",
    single_dash: false,
};

const YARN_EACH: Spec = Spec {
    flags: "Apivt",
    values: "j",
    long_flags: &[
        "all",
        "parallel",
        "interlaced",
        "verbose",
        "topological",
        "topological-dev",
        "no-private",
        "since",
        "worktree",
        "recursive",
    ],
    long_values: &["jobs", "include", "exclude", "from"],
    ..YARN
};

pub(super) fn yarn(command: &Command, facts: &Facts) -> Result<Option<Report>, String> {
    let Ok(parsed) = options::parse(command.arguments(), &YARN) else { return Ok(None) };
    let mut words = parsed.operands.as_slice();
    let mut packages = None;
    match words.first().and_then(Word::known) {
        None => return Ok(None),
        Some("workspace") => {
            let [_, name, rest @ ..] = words else { return Ok(None) };
            (packages, words) = (Some(vec![name.clone()]), rest);
        }
        Some("workspaces") => {
            let rest = match words.get(1).and_then(Word::known) {
                Some("run") => words.get(1..).unwrap_or_default().to_vec(),
                Some("foreach") => options::parse(words.get(2..).unwrap_or_default(), &YARN_EACH)?.operands,
                _ => return Ok(None),
            };
            return match rest.split_first() {
                Some((verb, rest)) if verb.known() == Some("run") => {
                    yarn_run(rest, Some(vec![]), &parsed, command, facts)
                }
                _ => Err("what it does in each package of the workspace is not known".into()),
            };
        }
        _ => {}
    }
    match words.split_first() {
        Some((verb, rest)) if verb.known() == Some("run") => yarn_run(rest, packages, &parsed, command, facts),
        Some((verb, _)) if verb.known().is_some_and(|verb| YARN_OWN.contains(&verb)) && packages.is_none() => Ok(None),
        Some((verb, _)) if verb.known().is_some_and(|verb| YARN_OWN.contains(&verb)) => {
            Err("what it does in a package of the workspace is not known".into())
        }
        _ => yarn_run(words, packages, &parsed, command, facts),
    }
}

fn yarn_run(
    words: &[Word],
    packages: Option<Vec<Word>>,
    parsed: &options::Parsed,
    command: &Command,
    facts: &Facts,
) -> Result<Option<Report>, String> {
    let mut words = words;
    // Options of `run` itself that only say how much is told, and that a script of the root is meant.
    while words
        .first()
        .and_then(Word::known)
        .is_some_and(|word| matches!(word, "-s" | "--silent" | "-T" | "--top-level"))
    {
        words = words.get(1..).unwrap_or_default();
    }
    let Some((name, arguments)) = words.split_first() else { return Ok(None) };
    if name.may_be_option() {
        return Err(format!("what `{}` means to yarn is not known", name.shown()));
    }
    if !facts.own {
        return Ok(Some(elsewhere(command)));
    }
    // The first `--` is yarn's own.
    let mut arguments = arguments.to_vec();
    if let Some(at) = arguments.iter().position(|word| word.known() == Some("--")) {
        arguments.remove(at);
    }
    let folders: Vec<&Word> = parsed.values(&["cwd"]).collect();
    let mut call = call(facts, &folders, name, arguments)?;
    call.packages = packages;
    report(&call, command, facts).map(Some)
}
