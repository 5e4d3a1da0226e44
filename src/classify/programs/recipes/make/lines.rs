//! One line of a Makefile: what kind it is, and where its parts end. Pure.

use super::file::OPERATORS;

pub(super) enum Kind<'t> {
    Assignment(&'t str, &'static str, &'t str),
    Rule(&'t str, &'t str),
    Other,
}

/// What kind of statement a line is.
pub(super) fn kind(line: &str) -> Kind<'_> {
    let mut deep = 0_usize;
    for (at, c) in line.char_indices() {
        match c {
            '(' | '{' => deep += 1,
            ')' | '}' => deep = deep.saturating_sub(1),
            ':' | '=' | '+' | '?' | '!' if deep == 0 => {
                let rest = line.get(at..).unwrap_or_default();
                if let Some(operator) = OPERATORS.iter().find(|operator| rest.starts_with(*operator)) {
                    let name = line.get(..at).unwrap_or_default();
                    let value = rest.get(operator.len()..).unwrap_or_default().trim_start();
                    return if name.trim().is_empty() { Kind::Other } else { Kind::Assignment(name, operator, value) };
                }
                let escaped = line.get(..at).is_some_and(|before| before.ends_with('\\'));
                if c == ':' && !escaped {
                    return Kind::Rule(line.get(..at).unwrap_or_default(), rest.get(1..).unwrap_or_default());
                }
            }
            _ => {}
        }
    }
    Kind::Other
}

/// Without the words that may stand before a target's own variable.
pub(super) fn first_word_off(rest: &str) -> &str {
    let mut rest = rest.trim_start();
    // A recipe behind a semicolon may hold an equals sign.
    if split_recipe(rest).is_some_and(|(needs, _)| !needs.contains('=')) {
        return "";
    }
    while let Some((word, behind)) = rest.split_once([' ', '\t']) {
        if !matches!(word, "export" | "override" | "private") {
            break;
        }
        rest = behind.trim_start();
    }
    // Prerequisites are several words, a variable is one.
    let name = rest.split(['=', ':', '+', '?', '!']).next().unwrap_or_default();
    if name.trim().contains([' ', '\t']) && !name.contains('$') { "" } else { rest }
}

/// What stands before and behind the semicolon that begins a recipe.
pub(super) fn split_recipe(text: &str) -> Option<(&str, &str)> {
    let mut deep = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' => deep += 1,
            ')' | '}' => deep = deep.saturating_sub(1),
            ';' if deep == 0 => return Some((text.get(..at)?, text.get(at + 1..)?)),
            _ => {}
        }
    }
    None
}

/// The two sides of `(a,b)` or `"a" "b"`.
pub(super) fn sides(text: &str) -> Option<(&str, &str)> {
    if let Some(inner) = text.strip_prefix('(') {
        let end = super::values::balanced(inner, '(', ')')?;
        let inner = inner.get(..end)?;
        let mut deep = 0_usize;
        for (at, c) in inner.char_indices() {
            match c {
                '(' | '{' => deep += 1,
                ')' | '}' => deep = deep.saturating_sub(1),
                ',' if deep == 0 => return Some((inner.get(..at)?, inner.get(at + 1..)?)),
                _ => {}
            }
        }
        return None;
    }
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (one, rest) = text.get(1..)?.split_once(quote)?;
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (other, _) = rest.get(1..)?.split_once(quote)?;
    Some((one, other))
}

/// The name and operator of a `define`.
pub(super) fn defines(line: &str) -> Option<(String, &'static str)> {
    let rest = ["override ", "export ", "private "]
        .iter()
        .fold(line, |line, word| line.strip_prefix(word).unwrap_or(line).trim_start());
    let rest = rest.strip_prefix("define").filter(|rest| rest.starts_with([' ', '\t']))?.trim();
    if OPERATORS.iter().any(|operator| rest.starts_with(operator)) {
        return None;
    }
    let found = OPERATORS.iter().find_map(|operator| Some((rest.strip_suffix(operator)?.trim().to_owned(), *operator)));
    Some(found.unwrap_or_else(|| (rest.to_owned(), "=")))
}

/// Whether a line goes on behind a backslash.
pub(super) fn ends_open(line: &str) -> bool {
    (line.len() - line.trim_end_matches('\\').len()) % 2 == 1
}

pub(super) fn without_comment(line: &str) -> String {
    let mut from = 0;
    while let Some(at) = line.get(from..).and_then(|rest| rest.find('#')).map(|at| at + from) {
        if !line.get(..at).is_some_and(|before| before.ends_with('\\')) {
            return line.get(..at).unwrap_or_default().to_owned();
        }
        from = at + 1;
    }
    line.to_owned()
}
