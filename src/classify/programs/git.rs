//! `git`: what its options run, write and set; what its sub-commands do is in the catalog. Pure.

use super::carry::{base, first, report, shell, words, writes};
use super::git_settings::{Setting, setting};
use super::options::{Parsed, Spec, parse};
use crate::classify::effect::{At, Command, Effect, Facts, Report, Run, Stdin, What};
use crate::classify::word::Word;

const GIT: Spec = Spec {
    flags: "pPhv",
    values: "Cc",
    long_flags: &[
        "bare",
        "exec-path",
        "glob-pathspecs",
        "help",
        "html-path",
        "icase-pathspecs",
        "info-path",
        "list-cmds",
        "literal-pathspecs",
        "man-path",
        "no-advice",
        "no-lazy-fetch",
        "no-optional-locks",
        "no-pager",
        "no-replace-objects",
        "noglob-pathspecs",
        "paginate",
        "version",
    ],
    long_values: &["attr-source", "config-env", "git-dir", "namespace", "work-tree"],
    ..Spec::CARRIER
};

/// How often an alias may stand for another one.
const DEPTH: usize = 4;

/// Judges `git`.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    read(command, DEPTH).unwrap_or_else(Report::unknown)
}

fn read(command: &Command, depth: usize) -> Result<Report, String> {
    let parsed = parse(command.arguments(), &GIT)?;
    if parsed.values(&["exec-path"]).next().is_some() {
        return Err("it is told where its own programs are".into());
    }
    if parsed.has(&["help", "version", "h", "v", "exec-path", "html-path", "man-path", "info-path", "list-cmds"]) {
        return Ok(Report::reads());
    }
    let at = parsed.values(&["C"]).last().map_or(At::Child, |folder| At::Folder(folder.clone()));
    let (verb, rest) = first(&parsed.operands);
    let Some(verb) = verb else { return Ok(Report::reads()) };
    let Some(verb) = verb.known() else {
        return Err("what git is to do can't be told before it runs".into());
    };
    let mut effects = vec![];
    if let Some(value) = parsed.values(&["config-env"]).next() {
        return Err(format!("what it sets by `{}` can't be told", value.shown()));
    }
    for value in parsed.values(&["c"]) {
        let (name, value) = match value.split_once('=') {
            Some((name, value)) => (name.known().unwrap_or_default().to_owned(), value),
            None => (value.known().ok_or("what it sets can't be told before it runs")?.to_owned(), "true".into()),
        };
        match setting(&name, &value)? {
            Setting::Harmless => {}
            Setting::Runs(text) => effects.push(shell(text, at.clone(), Stdin::Unknown)),
            Setting::Alias(alias) if alias.eq_ignore_ascii_case(verb) => {
                return aliased(command, &parsed, &value, rest, at, effects, depth);
            }
            // One that isn't called.
            Setting::Alias(_) => {}
        }
    }
    if verb == "lfs" {
        // A program of its own.
        let all: Vec<Word> = std::iter::once(Word::from("git-lfs")).chain(rest.iter().cloned()).collect();
        effects.extend(words(&all, at, command.stdin.clone()));
        return Ok(report(effects));
    }
    effects.extend(sub(verb, rest, &at, command)?);
    // What else the sub-command does.
    if !matches!(verb, "config" | "archive" | "bundle") && !lists(verb, rest) {
        effects.push(Effect::Table);
    }
    Ok(report(effects))
}

/// An alias that the same words define.
fn aliased(
    command: &Command,
    parsed: &Parsed,
    value: &Word,
    rest: &[Word],
    at: At,
    mut effects: Vec<Effect>,
    depth: usize,
) -> Result<Report, String> {
    if let Some(text) = value.strip_prefix("!") {
        let mut all = text.clone();
        all.push_text(" \"$@\"");
        let mut arguments = vec![text];
        arguments.extend(rest.iter().cloned());
        let what = What::Shell { text: all, arguments };
        // It runs at the top of the repository.
        let at = if at == At::Child { At::Folder(Word::unknown()) } else { at };
        effects.push(Effect::Runs(Run { what, at, stdin: command.stdin.clone() }));
        return Ok(report(effects));
    }
    let text = value.known().filter(|text| !text.contains(['\'', '"', '\\']));
    let Some(text) = text.filter(|_| depth > 0) else { return Err("what its alias stands for can't be told".into()) };
    let mut words: Vec<Word> = vec!["git".into()];
    for (name, value) in &parsed.options {
        let dashes = if name.chars().count() == 1 { "-" } else { "--" };
        words.push(Word::known_as(format!("{dashes}{name}")));
        words.extend(value.clone());
    }
    words.extend(text.split_ascii_whitespace().map(Word::from));
    words.extend(rest.iter().cloned());
    let meant = Command { words, stdin: command.stdin.clone() };
    let mut judged = read(&meant, depth - 1)?;
    if judged.effects.contains(&Effect::Table) {
        // What the catalog says is said of what the alias stands for.
        let what = What::Words(meant.words);
        judged.effects = vec![Effect::Runs(Run { what, at: At::Child, stdin: meant.stdin })];
    }
    judged.effects.extend(effects);
    Ok(judged)
}

/// What a sub-command's words run and write besides what the catalog says of it.
fn sub(verb: &str, rest: &[Word], at: &At, command: &Command) -> Result<Vec<Effect>, String> {
    let mut effects = vec![];
    // Behind `--` there are no options.
    let end = rest.iter().position(|word| word.known() == Some("--")).unwrap_or(rest.len());
    let options = rest.get(..end).unwrap_or_default();
    let reaches =
        ["archive", "clone", "fetch", "fetch-pack", "ls-remote", "pull", "push", "remote", "send-pack", "submodule"];
    if reaches.contains(&verb) {
        // `--upload-pack` and its like name the program at the other end, which for a local path is this machine;
        // `ext::` is a command in place of an address.
        let programs = ["--upload-pack", "--receive-pack", "--exec"];
        let odd = options.iter().find(|word| {
            programs.iter().any(|option| may_be_option(word, option))
                || (matches!(verb, "clone" | "ls-remote") && letters(word, 'u'))
        });
        if let Some(word) = odd {
            return Err(format!("what `{}` runs is not known", word.shown()));
        }
        if let Some(word) =
            rest.iter().find(|word| word.stretches().any(|text| text.contains("::")) && !word.begins_with("-"))
        {
            return Err(format!("what `{}` reaches is not known", word.shown()));
        }
    }
    match verb {
        "clone" => {
            let odd =
                ["--template", "--config"].iter().any(|option| options.iter().any(|word| may_be_option(word, option)));
            if odd || options.iter().any(|word| letters(word, 'c')) {
                return Err("what it sets in the new repository is not known".into());
            }
        }
        "init" if options.iter().any(|word| may_be_option(word, "--template")) => {
            return Err("what its template puts into the repository is not known".into());
        }
        "grep" => {
            let pager = |word: &&Word| may_be_option(word, "--open-files-in-pager") || letters(word, 'O');
            if let Some(word) = options.iter().find(pager) {
                return Err(format!("`{}` opens what is found in a program", word.shown()));
            }
        }
        "bisect" if is(rest, "run") => {
            effects.push(Effect::Works("bisects".into()));
            effects.extend(words(rest.get(1..).unwrap_or_default(), at.clone(), command.stdin.clone()));
        }
        "submodule" if rest.iter().any(|word| word.may_be("foreach")) => {
            let place = rest.iter().position(|word| word.known() == Some("foreach"));
            let place = place.ok_or("what its submodules are to do can't be told")?;
            let spec = Spec { flags: "q", long_flags: &["quiet", "recursive"], ..Spec::CARRIER };
            let foreach = parse(rest.get(place + 1..).unwrap_or_default(), &spec)?;
            if !foreach.operands.is_empty() {
                // In the folder of each.
                effects.push(shell(Word::joined(&foreach.operands), At::Folder(Word::unknown()), Stdin::Unknown));
            }
            effects.push(Effect::Works("runs something in each submodule".into()));
        }
        "rebase" => {
            for (nr, word) in options.iter().enumerate() {
                let text = if may_be_option(word, "--exec") {
                    match word.split_once('=') {
                        Some((_, text)) => text,
                        None => options.get(nr + 1).cloned().unwrap_or_else(Word::unknown),
                    }
                } else if let Some(text) = word.strip_prefix("-x") {
                    if text.known() == Some("") {
                        options.get(nr + 1).cloned().unwrap_or_else(Word::unknown)
                    } else {
                        text
                    }
                } else if letters(word, 'x') {
                    Word::unknown()
                } else {
                    continue;
                };
                effects.push(shell(text, at.clone(), Stdin::Unknown));
            }
        }
        "difftool" | "mergetool" | "instaweb" => {
            // The program is one that the person has set, or one of a list.
            if let Some(word) = options.iter().find(|word| may_be_option(word, "--extcmd") || letters(word, 'x')) {
                return Err(format!("what `{}` runs is not known", word.shown()));
            }
            effects.push(Effect::Works(format!("opens what is set for `git {verb}`")));
        }
        "filter-branch" => effects.extend(filters(rest, at)?),
        "send-email" | "daemon" | "shell" | "http-backend" | "receive-pack" | "upload-pack" | "remote-ext"
        | "remote-fd" | "cvsserver" | "hook" => {
            return Err(format!("what `git {verb}` runs is not known"));
        }
        "archive" => effects.extend(archive(rest)?),
        "bundle" => match rest.first().and_then(Word::known) {
            Some("create") => {
                let file = rest.iter().skip(1).find(|word| !word.begins_with("-"));
                effects.extend(file.filter(|file| file.known() != Some("-")).and_then(writes));
            }
            Some("verify" | "list-heads") => {}
            _ => return Ok(vec![Effect::Table]),
        },
        "config" => return config(rest),
        _ => {}
    }
    if let Some(word) = options.iter().find(|word| compares(verb) && hides_output(word)) {
        // All that it could do is to write a file.
        let why = format!("`{}` may turn out to be `--output` of git {verb}", word.shown());
        effects.push(Effect::UnknownOnGuest(why));
        return Ok(effects);
    }
    for (nr, word) in options.iter().enumerate() {
        if let Some(file) = word.strip_prefix("--output=") {
            effects.extend(writes(&file));
        } else if may_be_option(word, "--output") && word.beginning().len() > "--o".len() && verb != "archive" {
            effects.extend(writes(&options.get(nr + 1).cloned().unwrap_or_else(Word::unknown)));
        }
    }
    Ok(effects)
}

/// What `filter-branch` runs for each commit: the texts of its filters.
fn filters(rest: &[Word], at: &At) -> Result<Vec<Effect>, String> {
    let mut effects = vec![Effect::Works("rewrites the history of the project".into())];
    let mut words = rest.iter().take_while(|word| word.known() != Some("--"));
    while let Some(word) = words.next() {
        let Some(text) = word.known() else {
            if word.may_be_option() {
                return Err(format!("what `{}` runs is not known", word.shown()));
            }
            continue;
        };
        let (name, glued) = match text.split_once('=') {
            Some((name, value)) => (name, Some(Word::known_as(value))),
            None => (text, None),
        };
        let runs = name == "--setup" || name.ends_with("-filter") && name != "--subdirectory-filter";
        if text.starts_with("--") && runs {
            let text = glued.or_else(|| words.next().cloned()).unwrap_or_else(Word::unknown);
            effects.push(shell(text, at.clone(), Stdin::Unknown));
        }
    }
    Ok(effects)
}

/// Whether a sub-command takes the options of a diff, of which `--output` writes a file.
fn compares(verb: &str) -> bool {
    matches!(
        verb,
        "diff"
            | "diff-files"
            | "diff-index"
            | "diff-pairs"
            | "diff-tree"
            | "format-patch"
            | "log"
            | "range-diff"
            | "reflog"
            | "rev-list"
            | "shortlog"
            | "show"
            | "stash"
            | "whatchanged"
    )
}

/// Whether a word of which too little is known may turn out to be `--output`.
fn hides_output(word: &Word) -> bool {
    !word.is_fitting() || word.known().is_none() && word.may_begin_with("--output")
}

/// Whether `branch` or `tag` only lists.
fn lists(verb: &str, rest: &[Word]) -> bool {
    let mut spec = Spec {
        long_flags: &[
            "contains",
            "merged",
            "no-contains",
            "no-merged",
            "all",
            "color",
            "column",
            "ignore-case",
            "list",
            "no-color",
            "no-column",
            "omit-empty",
            "remotes",
            "show-current",
            "verbose",
        ],
        long_values: &["format", "points-at", "sort"],
        ..Spec::MIXED
    };
    match verb {
        "branch" => spec.flags = "ailrv",
        "tag" => {
            spec.flags = "il";
            spec.glued = "n";
        }
        _ => return false,
    }
    // What isn't among these is left to the catalog.
    let Ok(parsed) = parse(rest, &spec) else { return false };
    let asks = ["l", "list", "n", "contains", "no-contains", "merged", "no-merged", "points-at", "show-current"];
    parsed.operands.is_empty() || parsed.has(&asks)
}

/// Whether the first word is this one.
fn is(words: &[Word], text: &str) -> bool {
    words.first().and_then(Word::known) == Some(text)
}

/// Whether a word may be this long option, perhaps shortened and with a value.
fn may_be_option(word: &Word, option: &str) -> bool {
    match word.known() {
        Some(text) => {
            let name = text.split('=').next().unwrap_or_default();
            name.len() > 2 && option.starts_with(name)
        }
        None if word.is_fitting() => match word.split_once('=') {
            Some((name, _)) => name.known().is_some_and(|name| name.len() > 2 && option.starts_with(name)),
            None => word.may_begin_with(option),
        },
        None => true,
    }
}

/// Whether a word is a group of letters with this one in it.
fn letters(word: &Word, letter: char) -> bool {
    let text = word.beginning();
    text.starts_with('-') && !text.starts_with("--") && text.contains(letter)
}

fn archive(rest: &[Word]) -> Result<Vec<Effect>, String> {
    let spec = Spec {
        flags: "lv0123456789",
        values: "o",
        long_flags: &["list", "verbose", "worktree-attributes"],
        long_values: &["add-file", "add-virtual-file", "format", "mtime", "output", "prefix", "remote"],
        ..Spec::MIXED
    };
    let parsed = parse(rest, &spec)?;
    Ok(parsed.values(&["o", "output"]).filter_map(writes).collect())
}

/// `git config` reads or sets; what is set may later run.
fn config(rest: &[Word]) -> Result<Vec<Effect>, String> {
    let spec = Spec {
        flags: "lez",
        values: "ft",
        long_flags: &[
            "add",
            "all",
            "append",
            "bool",
            "bool-or-int",
            "bool-or-str",
            "edit",
            "expiry-date",
            "fixed-value",
            "get",
            "get-all",
            "get-color",
            "get-colorbool",
            "get-regexp",
            "get-urlmatch",
            "global",
            "includes",
            "int",
            "list",
            "local",
            "name-only",
            "no-includes",
            "null",
            "path",
            "regexp",
            "remove-section",
            "rename-section",
            "replace-all",
            "show-names",
            "show-origin",
            "show-scope",
            "system",
            "unset",
            "unset-all",
            "worktree",
        ],
        long_values: &["blob", "comment", "default", "file", "type", "url", "value"],
        ..Spec::MIXED
    };
    let parsed = parse(rest, &spec)?;
    let looks = ["l", "list", "get", "get-all", "get-color", "get-colorbool", "get-regexp", "get-urlmatch"];
    let changes =
        ["add", "append", "edit", "e", "remove-section", "rename-section", "replace-all", "unset", "unset-all"];
    if parsed.operands.iter().any(Word::is_many) {
        return Err("what it sets can't be told before it runs".into());
    }
    let (verb, more) = first(&parsed.operands);
    let verb = verb.and_then(Word::known);
    if !parsed.has(&changes) && (parsed.has(&looks) || matches!(verb, Some("list" | "get"))) {
        return Ok(vec![]);
    }
    let pair = match verb {
        Some("set") => more,
        Some("unset" | "rename-section" | "remove-section" | "edit") => return Ok(vec![works()]),
        _ => &parsed.operands,
    };
    let removes = ["unset", "unset-all", "remove-section", "rename-section", "edit", "e"];
    match pair {
        _ if parsed.has(&removes) => Ok(vec![works()]),
        [] => Ok(vec![]),
        // A name alone is looked up.
        [name] if name.known().is_some() && verb != Some("set") && !parsed.has(&changes) => Ok(vec![]),
        [name, value, ..] => {
            let name = name.known().ok_or("which setting it sets can't be told before it runs")?;
            match setting(name, value)? {
                Setting::Harmless => Ok(vec![works()]),
                _ => Err(format!("the setting `{name}` names a program that git runs later")),
            }
        }
        _ => Err("what it sets can't be told".into()),
    }
}

fn works() -> Effect {
    Effect::Works("changes git's settings".into())
}

/// Whether these are the words of a plain `ssh` with options that only say who and how.
pub(super) fn plain_ssh(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    if !text.bytes().all(|b| b.is_ascii_alphanumeric() || b" -_./~=@:".contains(&b))
        || words.next().map(base) != Some("ssh")
    {
        return false;
    }
    while let Some(word) = words.next() {
        match word {
            "-4" | "-6" | "-a" | "-q" | "-T" | "-v" | "-x" => {}
            "-i" | "-p" | "-l" => {
                words.next();
            }
            "-o" => match words.next() {
                Some(option)
                    if !option.to_ascii_lowercase().contains("command")
                        && !option.to_ascii_lowercase().contains("hostname")
                        && !option.to_ascii_lowercase().contains("pkcs11")
                        && !option.to_ascii_lowercase().contains("provider") => {}
                _ => return false,
            },
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
#[path = "tests/git.rs"]
mod tests;
