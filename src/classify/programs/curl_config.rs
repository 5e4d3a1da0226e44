//! Options of `curl` that stand in a file, one a line: `name = "value"`. Pure.

use super::copied;
use crate::classify::effect::{Command, Facts, Stdin};
use crate::classify::word::Word;

/// No more files of options are read for one command.
const MOST: usize = 4;

/// The words with those of each file of options in the place of the option that names it.
///
/// # Errors
/// Why they can't be told.
pub fn with_files(command: &Command, facts: &Facts) -> Result<Vec<Word>, String> {
    let mut words = vec![];
    let mut files = 0;
    let mut rest = command.arguments().iter();
    while let Some(word) = rest.next() {
        let path = match word.known() {
            Some("-K" | "--config") => Some(rest.next().cloned().ok_or("its option --config has no value")?),
            _ => word.strip_prefix("--config=").or_else(|| word.strip_prefix("-K")),
        };
        let Some(path) = path else {
            words.push(word.clone());
            continue;
        };
        files += 1;
        if files > MOST {
            return Err("its options stand in more files than are read".into());
        }
        let text = match (path.known(), &command.stdin) {
            (Some("-"), Stdin::Text(text)) => text.known().ok_or("its options are only known when it runs")?.to_owned(),
            (Some("-"), _) => return Err("its options stand on stdin".into()),
            _ => copied::text_of(&path, facts)?,
        };
        words.extend(read(&text).ok_or_else(|| format!("the options in `{}` can't be read", path.shown()))?);
    }
    Ok(words)
}

/// The words of a file; none if it names a further one, or is written in a way that is not understood.
fn read(text: &str) -> Option<Vec<Word>> {
    let mut words = vec![];
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let end = line.find([' ', '\t', '=', ':']).unwrap_or(line.len());
        let (name, value) = line.split_at_checked(end)?;
        let value = value.trim_start_matches([' ', '\t', '=', ':']);
        let letters = name.starts_with('-') && !name.starts_with("--");
        // Letters may be grouped, and take the rest for a value.
        if letters && name.chars().count() != 2 {
            return None;
        }
        let long = name.trim_start_matches('-');
        if long.is_empty() || name == "-K" || "config".starts_with(long) {
            return None;
        }
        words.push(Word::known_as(if letters { name.to_owned() } else { format!("--{long}") }));
        if value.is_empty() {
            continue;
        }
        let value = match value.strip_prefix('"') {
            None if value.contains(char::is_whitespace) => return None,
            None => value.to_owned(),
            Some(quoted) => unquoted(quoted)?,
        };
        words.push(Word::known_as(value));
    }
    Some(words)
}

/// A value in quotes, of which nothing stands behind the second one.
fn unquoted(text: &str) -> Option<String> {
    let mut value = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => return chars.as_str().trim().is_empty().then_some(value),
            '\\' => value.push(match chars.next()? {
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                'v' => '\u{b}',
                other => other,
            }),
            other => value.push(other),
        }
    }
    None
}
