//! From a guest's own path to where a file level restore session shows it. Pure: what is there is asked of the caller.
//!
//! A session shows partitions and no mount points or drive letters (`partition#0 Ext3`; Zerto's 7.0 help; no mapping is
//! documented). So each partition is looked through for the path, and, on Linux, for what is left of it below each folder
//! that could be a mount point: `/var/log/x` may be `log/x` of the partition that is mounted at `/var`. Whatever is found
//! twice is not guessed at: a stale file below a mount point looks like the right one. Backslashes are no separators there.

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

    /// The last name; none for a root.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.names.last().map(String::as_str)
    }
}

/// Something that a session shows in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its path in the session.
    pub path: String,
    /// Whether something can be in it.
    pub is_folder: bool,
}

impl Entry {
    fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }
}

/// What a session shows.
pub trait Shows {
    /// Why it can't be told.
    type Error;

    /// What is in a folder; the empty path lists the partitions.
    ///
    /// # Errors
    /// The session can't be asked.
    fn inside(&mut self, path: &str) -> Result<Vec<Entry>, Self::Error>;
}

/// Every place in a session at which a guest's path may be, as paths of the session. For a root: every partition.
///
/// `pinned` is the partition, or a folder of it, that a person has set for the beginning of the path, and how many names that
/// beginning has.
///
/// # Errors
/// The session can't be asked.
pub fn places<S: Shows>(
    session: &mut S,
    path: &GuestPath,
    pinned: Option<(&str, usize)>,
) -> Result<Vec<String>, S::Error> {
    if let Some((place, names)) = pinned {
        let below = path.names.get(names..).unwrap_or_default();
        return Ok(below_it(session, place, below, is_caseless(place) || path.drive.is_some())?.into_iter().collect());
    }
    let mut found: Vec<String> = Vec::new();
    for partition in session.inside("")? {
        if !partition.is_folder {
            continue;
        }
        let caseless = is_caseless(&partition.path) || path.drive.is_some();
        // A drive is a partition; on Linux any folder of the path may be where this one is mounted.
        let deepest = if path.drive.is_some() { 0 } else { path.names.len().saturating_sub(1) };
        for mounted_at in 0..=deepest {
            let below = path.names.get(mounted_at..).unwrap_or_default();
            if let Some(place) = below_it(session, &partition.path, below, caseless)?
                && !found.contains(&place)
            {
                found.push(place);
            }
        }
    }
    Ok(found)
}

/// The path of what these names lead to below a folder, if it is there.
fn below_it<S: Shows>(
    session: &mut S,
    folder: &str,
    names: &[String],
    caseless: bool,
) -> Result<Option<String>, S::Error> {
    let mut at = folder.to_owned();
    for (nr, name) in names.iter().enumerate() {
        let inside = session.inside(&at)?;
        let last = nr + 1 == names.len();
        let exact = inside.iter().find(|entry| entry.name() == name && (last || entry.is_folder));
        let alike = || {
            let same = |entry: &&Entry| entry.name().to_lowercase() == name.to_lowercase() && (last || entry.is_folder);
            inside.iter().find(same).filter(|_| caseless)
        };
        match exact.or_else(alike) {
            Some(entry) => at.clone_from(&entry.path),
            None => return Ok(None),
        }
    }
    Ok(Some(at))
}

/// Whether names in a partition are the same whatever their case, by the file system in its name.
fn is_caseless(partition: &str) -> bool {
    let system = partition.split('/').next().unwrap_or_default().to_ascii_lowercase();
    ["ntfs", "fat", "refs"].iter().any(|kind| system.contains(kind))
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
        let (of, prefix) = key.split_once(':')?;
        let prefix = GuestPath::parse(prefix).ok()?;
        let same = |(ours, theirs): (&String, &String)| {
            ours == theirs || path.drive.is_some() && ours.to_lowercase() == theirs.to_lowercase()
        };
        let fits = of.eq_ignore_ascii_case(vm)
            && prefix.drive == path.drive
            && prefix.names.len() <= path.names.len()
            && prefix.names.iter().zip(&path.names).all(same);
        fits.then_some((place, prefix.names.len()))
    });
    fitting.max_by_key(|(_, names)| *names)
}

#[cfg(test)]
#[path = "tests/path.rs"]
mod tests;
