//! `env`: variables, then a command; also a string that it splits into words itself. Pure.

use super::carry::{assignment, only_tells, report, words};
use super::options::{Spec, parse};
use crate::classify::effect::{At, Command, Effect, Facts, Report};
use crate::classify::word::Word;

const ENV: Spec = Spec {
    flags: "i0v",
    values: "uC",
    long_flags: &[
        "ignore-environment",
        "null",
        "debug",
        "help",
        "version",
        "block-signal",
        "default-signal",
        "ignore-signal",
        "list-signal-handling",
    ],
    long_values: &["unset", "chdir"],
    ..Spec::CARRIER
};

/// How often a split string may hold another one.
const DEPTH: usize = 8;

/// Judges `env`.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    read(command).unwrap_or_else(Report::unknown)
}

fn read(command: &Command) -> Result<Report, String> {
    let arguments = with_split_strings(command.arguments().to_vec())?;
    let parsed = parse(&arguments, &ENV)?;
    if only_tells(&parsed) {
        return Ok(Report::reads());
    }
    let mut operands = parsed.operands.as_slice();
    // A lone dash is -i.
    if let Some((word, rest)) = operands.split_first()
        && word.known() == Some("-")
    {
        operands = rest;
    }
    let mut effects = vec![];
    while let Some((word, rest)) = operands.split_first() {
        if word.is_many() {
            return Err(format!("what `{}` is can't be told before it runs", word.shown()));
        }
        let Some((name, value)) = assignment(word)? else { break };
        effects.push(Effect::Sets { name, value });
        operands = rest;
    }
    let at = parsed.values(&["C", "chdir"]).last().map_or(At::Child, |folder| At::Folder(folder.clone()));
    effects.extend(words(operands, at, command.stdin.clone()));
    // Without a command the variables are only printed.
    if operands.is_empty() { Ok(Report::reads()) } else { Ok(report(effects)) }
}

/// The words with those of `-S` in its place.
fn with_split_strings(mut words: Vec<Word>) -> Result<Vec<Word>, String> {
    for _ in 0..DEPTH {
        let Some((at, before, text, taken)) = split_string(&words)? else { return Ok(words) };
        let Some(text) = text.known() else {
            return Err("the string that it splits can't be told before it runs".into());
        };
        let mut split = before.into_iter().collect::<Vec<_>>();
        split.extend(split_words(text)?);
        words.splice(at..at + taken, split);
    }
    Err("its strings to split are nested too deeply".into())
}

/// Where the first `-S` is, the letters that stand before it in its word, its value, and how many words it takes.
#[allow(clippy::type_complexity)]
fn split_string(words: &[Word]) -> Result<Option<(usize, Option<Word>, Word, usize)>, String> {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let text = word.beginning();
        if !text.starts_with('-') || matches!(word.known(), Some("-" | "--")) {
            break;
        }
        let next = || words.get(at + 1).cloned().ok_or_else(|| format!("its option `{text}` has no value"));
        if let Some(long) = text.strip_prefix("--") {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => {
                    (name.known().unwrap_or_default().trim_start_matches('-').to_owned(), Some(value))
                }
                None => (long.to_owned(), None),
            };
            if !name.is_empty() && "split-string".starts_with(&name) {
                let taken = if value.is_some() { 1 } else { 2 };
                return Ok(Some((at, None, value.map_or_else(next, Ok)?, taken)));
            }
            let takes_next =
                value.is_none() && name.len() > 1 && ["unset", "chdir"].iter().any(|l| l.starts_with(&name));
            at += if takes_next { 2 } else { 1 };
            continue;
        }
        let mut step = 1;
        for (nr, letter) in text.char_indices().skip(1) {
            let head = text.get(..nr + letter.len_utf8()).unwrap_or_default();
            let rest = word.strip_prefix(head).filter(|rest| rest.known() != Some(""));
            match letter {
                'S' => {
                    let letters = text.get(..nr).filter(|letters| *letters != "-").map(Word::known_as);
                    let taken = if rest.is_some() { 1 } else { 2 };
                    return Ok(Some((at, letters, rest.map_or_else(next, Ok)?, taken)));
                }
                'u' | 'C' => {
                    step = if rest.is_some() { 1 } else { 2 };
                    break;
                }
                _ => {}
            }
        }
        at += step;
    }
    Ok(None)
}

/// Splits a string the way `env -S` does.
fn split_words(text: &str) -> Result<Vec<Word>, String> {
    let odd = || Err("the string that it splits can't be read".to_owned());
    let mut words = vec![];
    let mut word: Option<Word> = None;
    let mut quote: Option<char> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c') => words.extend(word.take()),
            // A comment, but only where a word begins.
            (None, '#') if word.is_none() => break,
            (Some('\''), '\\') => {
                let word = word.get_or_insert_default();
                match chars.next() {
                    Some(c @ ('\'' | '\\')) => word.push_text(c.encode_utf8(&mut [0; 4])),
                    Some(c) => {
                        word.push_text("\\");
                        word.push_text(c.encode_utf8(&mut [0; 4]));
                    }
                    None => return odd(),
                }
            }
            (_, '\\') => {
                let text = match chars.next() {
                    Some(c @ ('"' | '#' | '$' | '\'' | '\\')) => c,
                    Some('_') if quote.is_none() => {
                        words.extend(word.take());
                        continue;
                    }
                    Some('_') => ' ',
                    Some('c') if quote.is_none() => break,
                    Some('f') => '\x0c',
                    Some('n') => '\n',
                    Some('r') => '\r',
                    Some('t') => '\t',
                    Some('v') => '\x0b',
                    _ => return odd(),
                };
                word.get_or_insert_default().push_text(text.encode_utf8(&mut [0; 4]));
            }
            (None | Some('"'), '$') => {
                if chars.next() != Some('{') || !chars.by_ref().any(|c| c == '}') {
                    return odd();
                }
                word.get_or_insert_default().push_hole();
            }
            (_, c) => word.get_or_insert_default().push_text(c.encode_utf8(&mut [0; 4])),
        }
    }
    if quote.is_some() {
        return odd();
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::*;

    #[test]
    fn variables_then_a_command() {
        check(
            judge,
            &[
                ("env", "reads"),
                ("env A=b", "reads"),
                ("env -0", "reads"),
                ("env A=b LD_PRELOAD=… ls -l", "sets A=b; sets LD_PRELOAD=…; [ls|-l]"),
                ("env -i PATH=/x rm x", "sets PATH=/x; [rm|x]"),
                ("env - rm x", "[rm|x]"),
                ("env -u HOME -u X rm x <<< y", "[rm|x] <<< y"),
                ("env -uHOME rm x", "[rm|x]"),
                ("env -C /srv ./x", "[./x] in /srv"),
                ("env -iv rm x", "[rm|x]"),
                ("env -- A=b rm x", "sets A=b; [rm|x]"),
                ("env --help rm x", "reads"),
                ("/usr/bin/env bash -c 'rm x'", "[bash|-c|rm x]"),
            ],
        );
    }

    #[test]
    fn a_string_that_is_split() {
        check(
            judge,
            &[
                ("env -S 'sh -c \"rm x\"'", "[sh|-c|rm x]"),
                ("env -S \"sh -c 'rm x'\" y", "[sh|-c|rm x|y]"),
                ("env '-Srm x' y", "[rm|x|y]"),
                ("env -vS 'A=b rm' x", "sets A=b; [rm|x]"),
                ("env --split-string='-i rm x'", "[rm|x]"),
                ("env --split 'rm x'", "[rm|x]"),
                ("env -u X -S 'rm x'", "[rm|x]"),
                ("env -S 'rm ${HOME}/x # y'", "[rm|…/x]"),
                ("env -S 'rm\\_x'", "[rm|x]"),
                ("env -S '-S \"rm x\"'", "[rm|x]"),
                ("env ls -S 'rm x'", "[ls|-S|rm x]"),
            ],
        );
        check_unknown(
            judge,
            &["env -S …", "env -S 'rm $HOME'", "env -S 'rm \"x'", "env -Z ls", "env … ls", "env $* ls", "env x… ls"],
        );
    }
}
