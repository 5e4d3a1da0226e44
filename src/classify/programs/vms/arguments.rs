//! The words of programs of which an option may have any number of values (`az`, `aws`). Pure.

use crate::classify::word::Word;

/// Words in front of the first option, and options with what stands behind them.
#[derive(Debug, Default)]
pub struct Arguments<'w> {
    /// The words of the command itself.
    pub path: Vec<&'w str>,
    /// Each option with its values.
    pub options: Vec<(String, Vec<Word>)>,
    /// What stands behind `--`.
    pub behind: Vec<Word>,
}

impl Arguments<'_> {
    /// Whether one of these options is there.
    #[must_use]
    pub fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(&name.as_str()))
    }

    /// All values of these options.
    pub fn values<'a>(&'a self, names: &'a [&'a str]) -> impl Iterator<Item = &'a Word> {
        self.options.iter().filter(|(name, _)| names.contains(&name.as_str())).flat_map(|(_, values)| values)
    }

    /// An option that may be short for one of these.
    #[must_use]
    pub fn short_for(&self, names: &[&str]) -> Option<&str> {
        let is_short = |given: &str| {
            given.len() > 2 && names.iter().any(|name| name.starts_with(given) && name.len() > given.len())
        };
        self.options.iter().map(|(name, _)| name.as_str()).find(|name| is_short(name) && !names.contains(name))
    }
}

/// Reads the words; `global` are options with one value that may stand in front of the command.
///
/// # Errors
/// Why they can't be read.
pub fn read<'w>(words: &'w [Word], global: &[&str]) -> Result<Arguments<'w>, String> {
    let mut all = Arguments::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word.known() == Some("--") {
            all.behind.extend(words.cloned());
            break;
        }
        let is_number = word.known().is_some_and(|text| text.parse::<f64>().is_ok());
        if !word.begins_with("-") || is_number {
            match all.options.last_mut() {
                Some((_, values)) => values.push(word.clone()),
                None => match word.known() {
                    Some(text) => all.path.push(text),
                    None => return Err(format!("what `{}` is can't be told before it runs", word.shown())),
                },
            }
            continue;
        }
        let (name, glued) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word.clone(), None),
        };
        let Some(name) = name.known() else {
            return Err(format!("which option `{}` is can't be told before it runs", word.shown()));
        };
        // In front of the command one word belongs to it, and none to the others.
        if global.contains(&name) && all.options.is_empty() {
            if glued.is_none() {
                words.next();
            }
            continue;
        }
        if all.options.is_empty() && matches!(name, "--debug" | "--verbose" | "--no-verify-ssl" | "--no-cli-pager") {
            continue;
        }
        all.options.push((name.to_owned(), glued.into_iter().collect()));
    }
    Ok(all)
}
