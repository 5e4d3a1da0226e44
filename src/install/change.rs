//! The change of a settings file, of whatever kind. Text in, text out.
//!
//! Must not: read or write a file.

use super::entry::Entry;
use super::recipe::{Kind, Recipe};
use super::{requirements, script, settings};

/// What becomes of a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Nothing: it is as it should be.
    None,
    /// This is its new text.
    Write(String),
    /// It held nothing else, and goes.
    Remove,
}

/// What a file that is not JSON starts.
pub(super) struct Content(pub Vec<Started>);

/// One command line of ours, and where it stands.
pub(super) struct Started {
    pub event: String,
    pub command: String,
    /// In seconds.
    pub timeout: Option<f64>,
    /// What `install` never writes, in words.
    pub strange: Vec<String>,
    pub line: usize,
}

/// Puts the entries into the file, or brings those that stand there up to date. No text: there is no such file.
///
/// # Errors
/// The file can't be read, or not be understood where an entry belongs; nothing is guessed then.
pub fn add(text: Option<&str>, kind: Kind, entries: &[Entry]) -> Result<Change, String> {
    match kind {
        Kind::Grouped | Kind::Flat | Kind::Listed => settings::add(text, kind, entries),
        Kind::Toml => requirements::add(text, entries),
        Kind::Script => script::add(text, entries),
    }
}

/// Takes all that is ours out of the file, with what `add` had to make for it.
///
/// # Errors
/// As for [`add`].
pub fn remove(text: &str, recipe: &'static Recipe, kind: Kind, own: &str) -> Result<Change, String> {
    match kind {
        Kind::Grouped | Kind::Flat | Kind::Listed => settings::remove(text, recipe, kind, own),
        Kind::Toml => requirements::remove(text),
        Kind::Script => Ok(script::remove(text)),
    }
}
