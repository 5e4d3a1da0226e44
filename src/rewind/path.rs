//! A path as the guest knows it, and what a person has set for its beginning. Pure.
//!
//! Backslashes separate names on Windows alone. Must not: know what a session shows (that is `search`).

use crate::text::clean;
use std::fmt;

/// A path as the guest knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuestPath {
    /// As it was typed.
    pub typed: String,
    /// The drive letter of a Windows guest.
    pub drive: Option<char>,
    /// The names below the root, in order.
    pub names: Vec<String>,
}

/// Why a path is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadPath {
    /// It does not begin at the root of a guest.
    Relative,
    /// It holds `..`, which may lead through a link.
    Up,
}

impl fmt::Display for BadPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Relative => "a guest's path begins with / or with a drive such as C:\\",
            Self::Up => "a guest's path is given without ..",
        })
    }
}

impl GuestPath {
    /// Reads `/etc/app.yaml`, `C:\Users\j\app.conf` or `C:/Users/j/app.conf`.
    ///
    /// # Errors
    /// It is no whole path.
    pub fn parse(text: &str) -> Result<Self, BadPath> {
        let mut chars = text.chars();
        let (drive, rest, marks): (_, _, &[char]) = match (chars.next(), chars.next()) {
            (Some('/'), _) => (None, text, &['/']),
            (Some(letter), Some(':')) if letter.is_ascii_alphabetic() => {
                (Some(letter.to_ascii_uppercase()), chars.as_str(), &['/', '\\'])
            }
            _ => return Err(BadPath::Relative),
        };
        if drive.is_some() && !rest.is_empty() && !rest.starts_with(marks) {
            return Err(BadPath::Relative);
        }
        let names: Vec<String> =
            rest.split(marks).filter(|name| !name.is_empty() && *name != ".").map(str::to_owned).collect();
        if names.iter().any(|name| name == "..") {
            return Err(BadPath::Up);
        }
        Ok(Self { typed: text.to_owned(), drive, names })
    }

    /// The first so many names of it, as the guest spells a path.
    #[must_use]
    pub fn beginning(&self, names: usize) -> String {
        let mark = if self.drive.is_some() && !self.typed.contains('/') { "\\" } else { "/" };
        self.joined(names, mark)
    }

    fn joined(&self, names: usize, mark: &str) -> String {
        let drive = self.drive.map(|letter| format!("{letter}:")).unwrap_or_default();
        format!("{drive}{mark}{}", self.names.get(..names).unwrap_or(&self.names).join(mark))
    }

    /// The line of `[paths]` that says that it lies at that place of a session.
    #[must_use]
    pub fn setting(&self, vm: &str, place: &str) -> String {
        let quoted = |text: &str| format!("\"{}\"", clean(text, 1000).replace('\\', "\\\\").replace('"', "\\\""));
        // The folder is named, so that what lies beside it is found there too.
        let folder = place.rsplit_once('/').filter(|_| !self.names.is_empty()).map_or(place, |(folder, _)| folder);
        let key = format!("{vm}:{}", self.joined(self.names.len().saturating_sub(1), "/"));
        format!("{} = {}", quoted(&key), quoted(folder))
    }

    /// The last name; none for a root.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.names.last().map(String::as_str)
    }
}

/// A name as NTFS compares it: each letter as the one capital that stands for it, if there is one.
pub(super) fn folded(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().map(|letter| {
        let mut capital = letter.to_uppercase();
        match (capital.next(), capital.next()) {
            (Some(one), None) => one,
            _ => letter,
        }
    })
}

/// The setting of `[paths]` that fits a path best: the partition or folder, and how many names of the path it stands for.
/// Keys are `VM:PATH`.
#[must_use]
pub fn pinned<'c>(
    settings: impl IntoIterator<Item = (&'c str, &'c str)>,
    vm: &str,
    path: &GuestPath,
) -> Option<(&'c str, usize)> {
    let fitting = settings.into_iter().filter_map(|(key, place)| {
        // A VM's name may hold a colon, as a drive does.
        let colons = key.match_indices(':').filter_map(|(at, _)| Some((key.get(..at)?, key.get(at + 1..)?)));
        let (_, prefix) = colons.into_iter().find(|(of, _)| of.to_lowercase() == vm.to_lowercase())?;
        let prefix = GuestPath::parse(prefix).ok()?;
        let same = |(ours, theirs): (&String, &String)| {
            ours == theirs || path.drive.is_some() && folded(ours).eq(folded(theirs))
        };
        let fits = prefix.drive == path.drive
            && prefix.names.len() <= path.names.len()
            && prefix.names.iter().zip(&path.names).all(same);
        fits.then_some((place, prefix.names.len()))
    });
    fitting.max_by_key(|(_, names)| *names)
}

#[cfg(test)]
#[path = "tests/path.rs"]
mod tests;
