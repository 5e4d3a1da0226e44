//! Programs of Node's world that scripts of `package.json` stand behind: `cross-env`, `concurrently`, `npm-run-all`, `nodemon`
//! and their like. Pure.

use super::{folder, found_above, judged};
use crate::catalog::glob;
use crate::classify::effect::{At, Command, Effect, Facts, Report, Stdin, What};
use crate::classify::programs::carry::{self, assignment, report, shell};
use crate::classify::programs::options::{Parsed, Spec, parse};
use crate::classify::word::Word;
use crate::json::Json;

/// Whether it is one of them.
#[must_use]
pub fn knows(program: &str) -> bool {
    matches!(
        program,
        "cross-env"
            | "cross-env-shell"
            | "dotenv"
            | "env-cmd"
            | "concurrently"
            | "npm-run-all"
            | "run-s"
            | "run-p"
            | "nodemon"
    )
}

/// Judges one of them.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    let done = match carry::name(command) {
        "cross-env" | "cross-env-shell" => cross_env(command),
        "dotenv" => dotenv(command),
        "env-cmd" => env_cmd(command),
        "concurrently" => concurrently(command, facts),
        "nodemon" => nodemon(command),
        _ => run_all(command, facts),
    };
    done.unwrap_or_else(Report::unknown)
}

fn child(words: &[Word], stdin: &Stdin) -> Result<Effect, String> {
    carry::words(words, At::Child, stdin.clone()).ok_or_else(|| "it names no program to run".into())
}

fn cross_env(command: &Command) -> Result<Report, String> {
    let mut effects = vec![];
    let mut words = command.arguments();
    while let Some((first, rest)) = words.split_first() {
        match assignment(first)? {
            Some((name, value)) => effects.push(Effect::Sets { name, value }),
            None => break,
        }
        words = rest;
    }
    if carry::name(command) == "cross-env-shell" {
        effects.push(shell(Word::joined(words), At::Child, command.stdin.clone()));
    } else if !words.is_empty() {
        effects.push(child(words, &command.stdin)?);
    }
    Ok(report(effects))
}

fn dotenv(command: &Command) -> Result<Report, String> {
    const SPEC: Spec =
        Spec { flags: "oc", values: "evp", long_flags: &["override", "debug", "quiet", "help"], ..Spec::CARRIER };
    let parsed = parse(command.arguments(), &SPEC)?;
    if parsed.has(&["p", "help"]) {
        return Ok(Report::reads());
    }
    let mut effects = vec![];
    for value in parsed.values(&["v"]) {
        let (name, value) = assignment(value)?.ok_or("what it sets is not known")?;
        effects.push(Effect::Sets { name, value });
    }
    effects.push(child(&parsed.operands, &command.stdin)?);
    Ok(report(effects))
}

fn env_cmd(command: &Command) -> Result<Report, String> {
    const SPEC: Spec = Spec {
        values: "fr",
        long_flags: &["fallback", "no-override", "silent", "verbose", "expand-envs", "help", "version"],
        long_values: &["file", "rc-file", "environments"],
        ..Spec::CARRIER
    };
    let parsed = parse(command.arguments(), &SPEC)?;
    Ok(report([child(&parsed.operands, &command.stdin)?]))
}

const CONCURRENTLY: Spec = Spec {
    flags: "krgh",
    values: "nscptlm",
    long_flags: &[
        "kill-others",
        "kill-others-on-fail",
        "raw",
        "no-color",
        "group",
        "hide-help",
        "help",
        "handle-input",
        "timings",
        "pad-prefix",
    ],
    long_values: &[
        "names",
        "success",
        "prefix",
        "prefix-colors",
        "prefix-length",
        "max-processes",
        "restart-tries",
        "restart-after",
        "hide",
        "default-input-target",
        "timestamp-format",
        "name-separator",
        "kill-signal",
        "cwd",
    ],
    ..Spec::MIXED
};

fn concurrently(command: &Command, facts: &Facts) -> Result<Report, String> {
    let parsed = parse(command.arguments(), &CONCURRENTLY)?;
    let mut effects = vec![];
    for text in &parsed.operands {
        let known = text.known().ok_or("what it runs can only be told when it runs")?;
        let short =
            known.split_once(':').filter(|(manager, _)| matches!(*manager, "npm" | "yarn" | "pnpm" | "bun" | "node"));
        let Some((manager, rest)) = short else {
            effects.push(shell(text.clone(), At::Child, Stdin::Nothing));
            continue;
        };
        let (pattern, behind) = rest.split_once(' ').unwrap_or((rest, ""));
        let run = if manager == "node" { "node --run" } else { &format!("{manager} run") };
        for name in names(pattern, facts)? {
            effects.push(shell(Word::known_as(format!("{run} {name} {behind}")), At::Child, Stdin::Nothing));
        }
    }
    Ok(report(effects))
}

/// The scripts that a pattern means.
fn names(pattern: &str, facts: &Facts) -> Result<Vec<String>, String> {
    if !pattern.contains(['*', '(', '!']) {
        return Ok(vec![pattern.to_owned()]);
    }
    if !facts.own || pattern.contains(['(', '!']) {
        return Err(format!("which scripts `{pattern}` means is not known"));
    }
    let from = folder(facts, [])?;
    let (_, _, text) = found_above(facts, &from, &["package.json"])?.ok_or("no package.json is there")?;
    let json = Json::parse(text.as_bytes()).map_err(|error| format!("package.json can't be read: {error}"))?;
    let Some(Json::Object(scripts)) = json.get("scripts") else { return Ok(vec![]) };
    Ok(scripts.iter().map(|(name, _)| name).filter(|name| glob::matches(pattern, name)).cloned().collect())
}

fn run_all(command: &Command, facts: &Facts) -> Result<Report, String> {
    const SPEC: Spec = Spec {
        flags: "cglnprs",
        long_flags: &[
            "aggregate-output",
            "continue-on-error",
            "max-parallel",
            "npm-path",
            "print-label",
            "print-name",
            "parallel",
            "race",
            "sequential",
            "serial",
            "silent",
        ],
        ..Spec::MIXED
    };
    let parsed: Parsed = parse(command.arguments(), &SPEC)?;
    if parsed.options.iter().any(|(name, _)| name == "npm-path") {
        return Err("it is told which npm to run".into());
    }
    let mut effects = vec![];
    for word in &parsed.operands {
        // What a wildcard finds in the folder is seldom meant.
        let wild = word.is_many() && word.is_fitting();
        let pattern = wild.then(|| word.stretches().collect::<Vec<_>>().join("*"));
        let text = pattern.as_deref().or(word.known()).ok_or("which scripts it runs can only be told when it runs")?;
        let (pattern, behind) = text.split_once(' ').unwrap_or((text, ""));
        if behind.contains('{') || parsed.ended {
            return Err("what it puts behind the scripts is not known".into());
        }
        for name in names(pattern, facts)? {
            effects.push(shell(Word::known_as(format!("npm run {name} {behind}")), At::Child, command.stdin.clone()));
        }
    }
    Ok(judged(effects, command))
}

fn nodemon(command: &Command) -> Result<Report, String> {
    const SPEC: Spec = Spec {
        flags: "qVLIC",
        values: "xewid",
        long_flags: &[
            "quiet",
            "verbose",
            "legacy-watch",
            "no-stdin",
            "exitcrash",
            "help",
            "version",
            "on-change-only",
            "no-colours",
        ],
        long_values: &["exec", "ext", "watch", "ignore", "delay", "signal", "cwd"],
        ..Spec::CARRIER
    };
    let parsed = parse(command.arguments(), &SPEC)?;
    if let Some(text) = parsed.values(&["x", "exec"]).last() {
        let mut all = vec![text.clone()];
        all.extend(parsed.operands.iter().cloned());
        return Ok(report([shell(Word::joined(&all), At::Child, Stdin::Nothing)]));
    }
    let words: Vec<Word> = std::iter::once(Word::from("node")).chain(parsed.operands.iter().cloned()).collect();
    let run = crate::classify::effect::Run { what: What::Words(words), at: At::Child, stdin: Stdin::Nothing };
    Ok(report([Effect::Runs(run)]))
}
