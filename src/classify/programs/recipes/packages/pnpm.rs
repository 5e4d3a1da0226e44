//! Words of `pnpm`: which script of which package it is to run. Pure.

use super::super::elsewhere;
use super::{call, report};
use crate::classify::effect::{Command, Facts, Report};
use crate::classify::programs::options::{self, Spec};
use crate::classify::word::Word;

const PNPM: Spec = Spec {
    flags: "rws",
    values: "CF",
    long_flags: &[
        "recursive",
        "workspace-root",
        "silent",
        "parallel",
        "stream",
        "if-present",
        "no-bail",
        "offline",
        "aggregate-output",
        "prefer-offline",
        "no-sort",
        "color",
        "no-color",
        "include-workspace-root",
        "sequential",
    ],
    long_values: &["dir", "filter", "filter-prod", "reporter", "loglevel", "workspace-concurrency", "resume-from"],
    stops: true,
    glued: "",
    single_dash: false,
};

/// What pnpm does by these words itself.
const PNPM_OWN: &[&str] = &[
    "add",
    "approve-builds",
    "audit",
    "bin",
    "bugs",
    "c",
    "cache",
    "cat-file",
    "cat-index",
    "ci",
    "config",
    "create",
    "dedupe",
    "deploy",
    "deprecate",
    "dist-tag",
    "dlx",
    "docs",
    "doctor",
    "edit",
    "env",
    "exec",
    "fetch",
    "find-hash",
    "get",
    "help",
    "i",
    "ignored-builds",
    "import",
    "info",
    "init",
    "install",
    "install-test",
    "it",
    "la",
    "licenses",
    "link",
    "list",
    "ll",
    "ln",
    "login",
    "logout",
    "ls",
    "outdated",
    "owner",
    "pack",
    "patch",
    "patch-commit",
    "patch-remove",
    "ping",
    "pkg",
    "prefix",
    "profile",
    "prune",
    "publish",
    "rb",
    "rebuild",
    "remove",
    "repo",
    "rm",
    "root",
    "s",
    "se",
    "search",
    "self-update",
    "server",
    "set",
    "set-script",
    "setup",
    "show",
    "star",
    "stars",
    "store",
    "team",
    "token",
    "un",
    "uninstall",
    "unlink",
    "unpublish",
    "up",
    "update",
    "upgrade",
    "version",
    "view",
    "whoami",
    "why",
    "x",
];

pub(super) fn pnpm(command: &Command, facts: &Facts) -> Result<Option<Report>, String> {
    let Ok(parsed) = options::parse(command.arguments(), &PNPM) else { return Ok(None) };
    let Some((verb, rest)) = parsed.operands.split_first() else { return Ok(None) };
    let Some(verb) = verb.known() else { return Ok(None) };
    if PNPM_OWN.contains(&verb) {
        return Ok(None);
    }
    if !facts.own {
        return Ok(Some(elsewhere(command)));
    }
    let mut inner = options::Parsed::default();
    let (name, arguments) = match verb {
        "run" | "run-script" => {
            inner = options::parse(rest, &PNPM)?;
            let Some((name, arguments)) = inner.operands.split_first() else { return Ok(None) };
            (name.clone(), arguments.to_vec())
        }
        "t" | "tst" => (Word::from("test"), rest.to_vec()),
        verb => (Word::from(verb), rest.to_vec()),
    };
    let folders: Vec<&Word> = parsed.values(&["C", "dir"]).chain(inner.values(&["C", "dir"])).collect();
    let mut call = call(facts, &folders, &name, arguments)?;
    let has = |names: &[&str]| parsed.has(names) || inner.has(names);
    call.if_present = has(&["if-present"]);
    if has(&["r", "recursive", "F", "filter", "filter-prod"]) {
        call.packages = Some(vec![]);
    }
    report(&call, command, facts).map(Some)
}
