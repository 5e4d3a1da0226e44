//! Programs of interpreters: whether a text does anything but compute, and read and write files where it runs. Pure.
//!
//! One room or file a language: a reader that tells code from strings and comments (`lexer`), what of the language's own
//! library is known, and the rules. They answer with what it may do to files, or why it can't be told. A text is known only if
//! every module it brings in is, and no name in it leads to another machine, another process, or to code that is no part
//! of the text; whatever is decided only when it runs is not known. Must not: run anything, or read a file but through
//! `Facts`.

mod javascript;
mod perl;
mod php;
mod python;
mod ruby;
#[cfg(test)]
#[path = "../tests/code.rs"]
mod tests;
pub mod token;

use super::effect::{Facts, Language};

pub use perl::{filter, knows_module};
pub use python::takes_a_modules_place;

/// What a program that is known may do where it runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// Whether it may write, move or delete files.
    pub writes: bool,
    /// Whether it may take away whole folders, or change who may write in them.
    pub uproots: bool,
    /// What in its strings may be paths.
    pub paths: Vec<String>,
}

impl Found {
    /// Notes what stands in a string.
    fn text(&mut self, text: &str) {
        const MOST: usize = 64;
        const LONGEST: usize = 256;
        let path = text.len() <= LONGEST
            && text.contains(['/', '.', '~'])
            && !text.contains("://")
            && !text.contains(|c: char| c.is_whitespace() || c.is_control() || "{}<>|*?\"'`$\\".contains(c));
        if path && self.paths.len() < MOST && !self.paths.iter().any(|known| known == text) {
            self.paths.push(text.to_owned());
        }
    }
}

/// Where a text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source<'s> {
    /// The file in which it stands, absolute.
    pub file: Option<&'s str>,
    /// The folder in which the modules beside it are looked for.
    pub folder: Option<&'s str>,
}

/// What a text of a language may do, if it is known.
///
/// # Errors
/// Why it isn't, in words that follow a "since".
pub fn judge(language: Language, text: &str, source: Source, facts: &Facts) -> Result<Found, String> {
    // As for files that are read: nobody writes a longer program by hand.
    const LONGEST: usize = 256 * 1024;
    if text.len() > LONGEST {
        return Err("its program is longer than is read".into());
    }
    let found = match language {
        Language::Python => python::judge(text, source, facts),
        Language::JavaScript => javascript::judge(text, source, facts),
        Language::Ruby => ruby::judge(text),
        Language::Perl => perl::judge(text),
        Language::Php => php::judge(text),
        Language::PowerShell | Language::Cmd => Err("it is no program of an interpreter".into()),
    }?;
    if found.writes && names_our_own(text) {
        return Err("it writes files, and names the guard's own or an agent's settings".into());
    }
    Ok(found)
}

/// Whether a text names what no agent may change: a path that is put together from pieces can't be compared.
fn names_our_own(text: &str) -> bool {
    [".claude", "zerto-guard", "managed-settings", "hooks.json"].iter().any(|name| text.contains(name))
}

/// The language's name, for people.
#[must_use]
pub fn shown(language: Language) -> &'static str {
    match language {
        Language::PowerShell => "PowerShell",
        Language::Cmd => "cmd",
        Language::Python => "Python",
        Language::JavaScript => "JavaScript",
        Language::Ruby => "Ruby",
        Language::Perl => "Perl",
        Language::Php => "PHP",
    }
}
