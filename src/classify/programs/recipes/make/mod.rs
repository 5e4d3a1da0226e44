//! `make`: the recipes of a target, with those of everything that it needs, and what runs while a Makefile is read. Pure.
//!
//! All that may run counts: of a conditional each branch, of rules that fit each one. Whether a target is up to date is not
//! asked.

mod file;
mod functions;
mod goals;
mod lines;
mod values;

use super::{elsewhere, folder, judged, line, program, sets};
use crate::classify::effect::{Command, Effect, Facts, Report};
use crate::classify::programs::options::{Parsed, Spec, parse};
use crate::classify::word::Word;
use crate::text::shell_word;
use file::Makefile;
use values::{HOLE, Scope};

const SPEC: Spec = Spec {
    flags: "bBdeikmnpqrRsStvwh",
    values: "CfIoWE",
    glued: "jlO",
    long_flags: &[
        "always-make",
        "debug",
        "environment-overrides",
        "ignore-errors",
        "jobs",
        "jobserver-style",
        "keep-going",
        "load-average",
        "max-load",
        "check-symlink-times",
        "just-print",
        "dry-run",
        "recon",
        "output-sync",
        "print-data-base",
        "question",
        "no-builtin-rules",
        "no-builtin-variables",
        "silent",
        "quiet",
        "no-silent",
        "no-keep-going",
        "stop",
        "touch",
        "trace",
        "version",
        "print-directory",
        "no-print-directory",
        "warn-undefined-variables",
        "help",
        "shuffle",
        "print-targets",
    ],
    long_values: &[
        "directory",
        "file",
        "makefile",
        "include-dir",
        "old-file",
        "assume-old",
        "what-if",
        "new-file",
        "assume-new",
        "eval",
    ],
    stops: false,
    single_dash: false,
};

/// What stands in a line for something that is not known.
const OPEN: &str = "${_not_known}";

/// Under this name what runs below finds the words that make passes on to make.
const PASSED_ON: &str = "words of make";

/// Judges `make`.
#[must_use]
pub fn judge(command: &Command, facts: &Facts) -> Report {
    make(command, facts).unwrap_or_else(Report::unknown)
}

fn make(command: &Command, facts: &Facts) -> Result<Report, String> {
    let mut words: Vec<Word> = vec![];
    let mut passed_on = String::new();
    if let Some(passed) = facts.variables.variable(PASSED_ON) {
        passed_on = passed.known().ok_or("what the make above it passes on is not known")?.to_owned();
        words.extend(flags(&passed_on)?);
    }
    if facts.variables.variable("MAKEFILES").is_some() {
        return Err("the text sets `MAKEFILES`, which are read before the Makefile".into());
    }
    for name in ["MAKEFLAGS", "GNUMAKEFLAGS"] {
        if let Some(value) = facts.variables.variable(name) {
            let value = value.known().ok_or_else(|| format!("what `{name}` holds is not known"))?.to_owned();
            // A first word without a dash is letters of options.
            let dash = value
                .split(' ')
                .next()
                .is_some_and(|first| !first.is_empty() && !first.starts_with('-') && !first.contains('='));
            words.extend(flags(&format!("{}{value}", if dash { "-" } else { "" }))?);
        }
    }
    let mut own = command.arguments().iter().peekable();
    while let Some(word) = own.next() {
        words.push(word.clone());
        // Their numbers may stand in a word of their own.
        let counts = matches!(word.known(), Some("-j" | "-l" | "--jobs" | "--load-average" | "--max-load"));
        let number =
            |word: &&Word| word.known().is_none_or(|text| text.chars().all(|c| c.is_ascii_digit() || c == '.'));
        if counts && own.peek().is_some_and(number) {
            own.next();
        }
    }
    let parsed = parse(&words, &SPEC)?;
    if parsed.has(&["version", "v", "help", "h"]) {
        return Ok(Report::reads());
    }
    if !facts.own {
        return Ok(elsewhere(command));
    }
    let here = folder(facts, parsed.values(&["C", "directory"]))?;
    let mut file = Makefile::new(facts, here);
    for word in &parsed.operands {
        let text =
            word.known().ok_or_else(|| format!("which target `{}` is can only be told when it runs", word.shown()))?;
        match text.split_once('=') {
            // The name's last character may belong to the operator.
            Some((name, value)) => {
                let name = name.trim_end_matches([':', '+', '?', '!']);
                file.given.push((name.to_owned(), value.to_owned()));
            }
            None => file.goals.push(text.to_owned()),
        }
    }
    passes_on(&parsed, &mut file, &passed_on)?;
    if parsed.has(&["e", "environment-overrides"]) {
        return Err("by `-e` any variable of the environment comes before the Makefile's".into());
    }
    let folders = parsed.values(&["I", "include-dir"]).map(|word| word.known().map(str::to_owned));
    file.folders = folders.collect::<Option<_>>().ok_or("which folders it looks in is not known")?;
    load(&parsed, &mut file)?;
    let dry = parsed.has(&["n", "just-print", "dry-run", "recon", "q", "question", "t", "touch"]);
    let mut effects = goals::effects(&mut file, command, dry)?;
    let before = std::mem::take(&mut effects);
    let commands = std::mem::take(&mut file.commands);
    // What it exports is there for all that it runs.
    exports(&mut file, &mut effects)?;
    effects.append(&mut file.effects);
    for text in commands {
        let text = shown(&text);
        effects.extend(shell(&mut file, text, command)?);
    }
    effects.extend(before);
    Ok(judged(effects, command))
}

/// The words of a text that make splits at blanks.
fn flags(text: &str) -> Result<Vec<Word>, String> {
    let words = crate::classify::own::simple_words(text).ok_or("what it is told by `MAKEFLAGS` is not read")?;
    Ok(words.iter().filter(|word| *word != "--").map(|word| Word::from(word.as_str())).collect())
}

/// Notes what a make that this one runs is told as well.
fn passes_on(parsed: &Parsed, file: &mut Makefile, before: &str) -> Result<(), String> {
    let mut words = String::new();
    if parsed.has(&["n", "just-print", "dry-run", "recon"]) {
        words.push_str(" -n");
    } else if parsed.has(&["q", "question", "t", "touch"]) {
        words.push_str(" -q");
    }
    for value in parsed.values(&["eval", "E"]) {
        let text = value.known().ok_or("what it is told to read can only be told when it runs")?;
        words.push_str(&format!(" --eval={}", shell_word(text)));
    }
    for (name, value) in &file.given {
        words.push_str(&format!(" {}", shell_word(&format!("{name}={value}"))));
    }
    // A make below gets what this one got, which is among its words already.
    let words = words.trim();
    if !words.is_empty() || !before.is_empty() {
        file.effects.push(Effect::Sets { name: PASSED_ON.into(), value: Word::from(words) });
    }
    Ok(())
}

fn load(parsed: &Parsed, file: &mut Makefile) -> Result<(), String> {
    for value in parsed.values(&["eval", "E"]) {
        let text = value.known().unwrap_or_default();
        file.parse(text, 0)?;
    }
    let mut any = false;
    for word in parsed.values(&["f", "file", "makefile"]) {
        any = true;
        let name = word.known().ok_or("which Makefile it reads can only be told when it runs")?;
        if name == "-" || name.starts_with("/dev/") {
            return Err("it reads its Makefile on stdin".into());
        }
        if !file.load(name, 0)? {
            return Err(format!("{} is not there", super::inside(&file.folder, name)));
        }
    }
    if any {
        return Ok(());
    }
    for name in ["GNUmakefile", "makefile", "Makefile"] {
        // The one that most projects have is the one to speak of.
        if file.load(name, 0).map_err(|why| why.replace("/GNUmakefile", "/Makefile"))? {
            return Ok(());
        }
    }
    if parsed.values(&["eval", "E"]).next().is_some() {
        Ok(())
    } else {
        Err(format!("no Makefile is in {}", file.folder))
    }
}

/// Whether a variable has only the value that make gives it, or none.
fn is_built_in_only(file: &Makefile, name: &str) -> bool {
    !file.variables.contains_key(name)
        && !file.given.iter().any(|(known, _)| known == name)
        && file.facts.variables.variable(name).is_none()
}

/// Sets what it exports; what is in the environment already is exported in any case.
fn exports(file: &mut Makefile, effects: &mut Vec<Effect>) -> Result<(), String> {
    const ALWAYS: &[&str] = &["PATH", "HOME", "LANG", "TERM", "USER", "EDITOR", "PAGER", "TMPDIR", "LD_LIBRARY_PATH"];
    let odd = |name: &str| matches!(name, "MAKEFLAGS" | "GNUMAKEFLAGS" | "MAKEFILES");
    if let Some((name, _)) = file.given.iter().find(|(name, _)| odd(name)) {
        return Err(format!("what it is told by `{name}` is not read"));
    }
    let mut names: Vec<String> = file.exported.clone();
    names.extend(file.given.iter().map(|(name, _)| name.clone()));
    if file.exports_all {
        names.extend(file.variables.keys().cloned());
    }
    let of_text = |name: &&String| file.facts.variables.variable(name).is_some() || ALWAYS.contains(&name.as_str());
    names.extend(file.variables.keys().filter(of_text).cloned());
    names.sort();
    names.dedup();
    for name in names {
        if name.is_empty() || matches!(name.as_str(), "MAKEFLAGS" | "MAKE" | "MAKELEVEL" | "SHELL") {
            continue;
        }
        if name.contains(HOLE) {
            return Err("which variables the Makefile exports is not known".into());
        }
        let Some(_) = file.values(&name)? else { continue };
        for value in file.variable(&name, &Scope::default(), 0)? {
            let value = if value.contains(HOLE) { with_holes(&value) } else { Word::known_as(value) };
            sets(effects, &name, value);
        }
    }
    let flags = file.variable("MAKEFLAGS", &Scope::default(), 0)?;
    if file.variables.contains_key("MAKEFLAGS")
        && flags.iter().any(|text| text.contains("eval") || text.contains("-f") || text.contains("-E"))
    {
        return Err("what the Makefile tells each make by `MAKEFLAGS` is not followed".into());
    }
    Ok(())
}

fn with_holes(text: &str) -> Word {
    let mut word = Word::default();
    for (nr, part) in text.split(HOLE).enumerate() {
        if nr > 0 {
            word.push_hole();
        }
        word.push_text(part);
    }
    word
}

/// A text as a shell's reader gets it.
fn shown(text: &str) -> String {
    text.replace(HOLE, OPEN)
}

/// A line in the shell that the Makefile names.
fn shell(file: &mut Makefile, text: String, command: &Command) -> Result<Vec<Effect>, String> {
    // What runs reads a path of the Makefile's own; the rest of PATH is as it was.
    if text.trim().is_empty() {
        return Ok(vec![]);
    }
    let shells = file.variable("SHELL", &Scope::default(), 0)?;
    let flags = file.variable(".SHELLFLAGS", &Scope::default(), 0)?;
    let mut all = vec![];
    for shell in &shells {
        for flags in &flags {
            if shell.contains(HOLE) || flags.contains(HOLE) {
                return Err("which shell the Makefile uses is not known".into());
            }
            if matches!(shell.trim(), "/bin/sh" | "sh") && flags.trim() == "-c" {
                all.push(line(text.clone(), &file.folder, command));
                continue;
            }
            let words = shell.split_whitespace().chain(flags.split_whitespace()).map(Word::from);
            all.push(program(words.chain([Word::known_as(text.as_str())]).collect(), &file.folder, command));
        }
    }
    Ok(all)
}
