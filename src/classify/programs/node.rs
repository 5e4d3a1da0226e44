//! `node`, `deno`, `bun`, `tsx` and `ts-node`: where their program is. Pure.

use super::options::{Spec, parse};
use super::python::{file_or_stdin, program};
use super::{recipes, versions};
use crate::classify::Found;
use crate::classify::effect::{Code, Command, Effect, Facts, Language, Report};
use crate::classify::word::Word;

/// Options with a value stand glued with `=` or in the next word; an operand ends them.
const NODE: Spec = Spec {
    flags: "hvic",
    values: "er",
    glued: "p",
    long_flags: &[
        "abort-on-uncaught-exception",
        "check",
        "completion-bash",
        "enable-source-maps",
        "experimental-default-type",
        "experimental-json-modules",
        "experimental-strip-types",
        "experimental-test-coverage",
        "experimental-transform-types",
        "experimental-vm-modules",
        "expose-gc",
        "expose_gc",
        "force-color",
        "harmony",
        "help",
        "inspect",
        "inspect-brk",
        "interactive",
        "max-old-space-size",
        "max_old_space_size",
        "no-deprecation",
        "no-experimental-strip-types",
        "no-warnings",
        "pending-deprecation",
        "preserve-symlinks",
        "stack-size",
        "stack-trace-limit",
        "stack_size",
        "test",
        "test-concurrency",
        "test-only",
        "throw-deprecation",
        "trace-deprecation",
        "trace-uncaught",
        "trace-warnings",
        "unhandled-rejections",
        "v8-options",
        "version",
        "watch",
        "zero-fill-buffers",
    ],
    long_values: &[
        "disable-warning",
        "eval",
        "import",
        "input-type",
        "loader",
        "require",
        "test-name-pattern",
        "test-reporter",
        "test-timeout",
    ],
    ..Spec::CARRIER
};

/// Judges `node`, and what is called like it with TypeScript.
#[must_use]
pub fn node(command: &Command, facts: &Facts) -> Report {
    if command.arguments().first().is_some_and(|word| word.begins_with("--run")) {
        return recipes::packages::node(command, facts);
    }
    let told = versions::judge(command, facts);
    if told == Report::reads() {
        return told;
    }
    read(command).unwrap_or_else(Report::unknown)
}

fn read(command: &Command) -> Result<Report, String> {
    let name = super::carry::name(command);
    // `-p TEXT`, `-pe TEXT`: what is printed is the text behind them.
    let words: Vec<Word> = command
        .arguments()
        .iter()
        .map(|word| match word.known() {
            Some("-p" | "-pe" | "--print") => Word::from("-e"),
            _ => word.clone(),
        })
        .collect();
    // Behind the program's file options are the program's own.
    let parsed = parse(&words, &NODE)?;
    if parsed.has(&["help", "version", "h", "v", "v8-options", "completion-bash"]) {
        return Ok(Report::reads());
    }
    if parsed.has(&["p"]) {
        return Err("its options are not understood".into());
    }
    for module in parsed.values(&["r", "require", "import", "loader"]) {
        // What TypeScript needs.
        let known = [
            "dotenv/config",
            "source-map-support/register",
            "ts-node/register",
            "tsx",
            "tsx/cjs",
            "tsx/esm",
            "ts-node/esm",
        ];
        if !module.known().is_some_and(|module| known.contains(&module)) {
            return Err(format!("it loads `{}`, which is not read", module.shown()));
        }
    }
    if parsed.has(&["test"]) || (name == "tsx" && parsed.operands.first().and_then(Word::known) == Some("test")) {
        return Ok(Report::of(Effect::Works("runs the project's tests".into())));
    }
    if parsed.has(&["c", "check"]) {
        return Ok(Report::reads());
    }
    if parsed.has(&["i", "interactive"]) {
        return Err("it runs what comes on stdin".into());
    }
    let runs = |code: Code| Ok(program(Language::JavaScript, code, command.stdin.clone()));
    let mut texts = parsed.values(&["e", "eval"]);
    match (texts.next(), texts.next()) {
        (Some(text), None) => return runs(Code::Text(text.clone())),
        (Some(_), Some(_)) => return Err("it is given two programs".into()),
        _ => {}
    }
    match parsed.operands.split_first() {
        None => runs(Code::Stdin),
        Some((first, rest)) => match (first.known(), name) {
            (Some("inspect"), "node" | "nodejs") if !rest.is_empty() => {
                Err("what its debugger runs is not read".into())
            }
            (Some("watch"), "tsx") => rest.first().map_or_else(|| runs(Code::Stdin), |file| runs(file_or_stdin(file))),
            _ => runs(script(first)),
        },
    }
}

/// A file, by its name or without its ending.
fn script(word: &Word) -> Code {
    match word.known() {
        // Which file that is only the program finds out.
        Some(name) if name != "-" && !name.rsplit('/').next().unwrap_or_default().contains('.') => {
            Code::File(Word::known_as(format!("{name}.js")))
        }
        _ => file_or_stdin(word),
    }
}

/// Judges `bun`: a file, a text, or a target of the project.
#[must_use]
pub fn bun(command: &Command, facts: &Facts) -> Report {
    let words = command.arguments();
    let first = words.first().and_then(Word::known);
    let (word, rest) = match first {
        Some("run") => (words.get(1), words.get(2..).unwrap_or_default()),
        _ => (words.first(), words.get(1..).unwrap_or_default()),
    };
    let preloads = match facts.cwd.filter(|_| facts.own).map(|cwd| facts.around.file(&format!("{cwd}/bunfig.toml"))) {
        Some(Found::File(bytes)) => String::from_utf8_lossy(&bytes).contains("preload"),
        Some(Found::Unreadable) => true,
        Some(Found::Nothing) | None => false,
    };
    let code = match (word.and_then(Word::known), rest) {
        (Some("-e" | "--eval" | "-p" | "--print"), [text]) if first != Some("run") => Code::Text(text.clone()),
        (Some(name), _) if is_script(name) => Code::File(Word::known_as(name)),
        (None, _) if word.is_some_and(|word| !word.may_be_option()) => Code::File(word.cloned().unwrap_or_default()),
        _ => return recipes::packages::judge(command, facts),
    };
    if preloads {
        return Report::unknown("bunfig.toml may load something before it");
    }
    program(Language::JavaScript, code, command.stdin.clone())
}

/// Judges `deno`: a file or a text; other sub-commands are in the catalog.
#[must_use]
pub fn deno(command: &Command, _: &Facts) -> Report {
    let words = command.arguments();
    let (sub, rest) = match words.first().and_then(Word::known) {
        Some("eval") => ("eval", words.get(1..).unwrap_or_default()),
        Some("run") => ("run", words.get(1..).unwrap_or_default()),
        Some(name) if is_script(name) => ("run", words),
        _ => return Report::of(Effect::Table),
    };
    // What it is allowed, and how much it says.
    let flag = |word: &&Word| {
        word.known().is_some_and(|word| {
            let name = word.split('=').next().unwrap_or_default();
            name.starts_with("--allow-")
                || name.starts_with("--deny-")
                || [
                    "-A",
                    "-R",
                    "-W",
                    "-E",
                    "-N",
                    "-q",
                    "-p",
                    "--quiet",
                    "--print",
                    "--no-check",
                    "--check",
                    "--cached-only",
                    "--no-prompt",
                ]
                .contains(&name)
        })
    };
    let from = rest.iter().take_while(flag).count();
    match (sub, rest.get(from)) {
        (_, Some(word)) if word.may_be_option() && word.known() != Some("-") => {
            Report::unknown("its options are not understood")
        }
        ("eval", Some(text)) => program(Language::JavaScript, Code::Text(text.clone()), command.stdin.clone()),
        ("run", Some(file)) if file.known().is_none_or(|file| is_script(file) || file == "-") => {
            program(Language::JavaScript, file_or_stdin(file), command.stdin.clone())
        }
        _ => Report::of(Effect::Table),
    }
}

fn is_script(name: &str) -> bool {
    let ends = [".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".jsx", ".tsx"];
    !name.starts_with('-') && !name.contains("://") && ends.iter().any(|end| name.ends_with(end))
}
