//! From a guest's own path to where a file level restore session shows it. Pure: what is there is asked of the caller.
//!
//! A session shows partitions and no mount points or drive letters (`partition#0 Ext3`; Zerto's 7.0 help; no mapping is
//! documented). So each partition is looked through for the path, and, on Linux, for what is left of it below each folder
//! that could be a mount point: `/var/log/x` may be `log/x` of the partition that is mounted at `/var`. Whatever is found
//! twice is not guessed at: a stale file below a mount point looks like the right one. Backslashes are no separators there.
//!
//! A folder is listed once, whatever is looked for in it, and no listing is kept: that costs one question for the partitions
//! and one for each folder of the path that is there (pages aside).

use crate::text::clean;
use crate::zvm::model::{FlrItem, FlrItemKind};
use std::collections::VecDeque;
use std::fmt;
use std::ops::ControlFlow;

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

/// What a session shows.
pub trait Shows {
    /// Why it can't be told.
    type Error;

    /// Tells of all that is in a folder, until `each` has had enough; the empty path holds the partitions.
    ///
    /// # Errors
    /// The session can't be asked.
    fn look(&mut self, folder: &str, each: &mut dyn FnMut(FlrItem) -> ControlFlow<()>) -> Result<(), Self::Error>;

    /// Whether a partition that brought this error (swap, or a file system that can't be read) is no reason to look through
    /// no other.
    fn is_of_the_partition(error: &Self::Error) -> bool;
}

/// Where a path may lie, and what helps whoever looks for it elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Search {
    /// What lies there: every place that it may be. For a root: every partition.
    pub found: Vec<FlrItem>,
    /// The partitions that were looked through.
    pub partitions: Vec<FlrItem>,
    /// Those that could not be looked through.
    pub unread: Vec<FlrItem>,
    /// What stands where the path has a folder, and can't be looked into: a link, mostly, which a session does not follow.
    pub barred: Vec<FlrItem>,
    /// How many names of the path are there as folders below the root of one partition.
    pub reached: usize,
    /// Whether the place that a person has set for it is not there.
    pub pin_is_gone: bool,
}

/// Looks for a guest's path in a session.
///
/// `pinned` is the partition, or a folder of it, that a person has set for the beginning of the path, and how many names that
/// beginning has.
///
/// # Errors
/// The session can't be asked.
pub fn search<S: Shows>(session: &mut S, path: &GuestPath, pinned: Option<(&str, usize)>) -> Result<Search, S::Error> {
    let mut walk = Walk { session, path, caseless: path.drive.is_some(), search: Search::default() };
    match pinned {
        Some((place, names)) => walk.through_pin(place, names)?,
        None => walk.through_partitions()?,
    }
    Ok(walk.search)
}

/// How deep disks may lie in one another, against a session that lists a disk in itself.
const DEEPEST_DISK: usize = 4;

struct Walk<'a, S> {
    session: &'a mut S,
    path: &'a GuestPath,
    /// Whether names are the same whatever their case.
    caseless: bool,
    search: Search,
}

/// What a folder holds of what is wanted: each with its place among the wanted names.
type Hits = Vec<(usize, FlrItem)>;

impl<S: Shows> Walk<'_, S> {
    fn through_partitions(&mut self) -> Result<(), S::Error> {
        let mut roots = VecDeque::new();
        self.session.look("", &mut |item| {
            roots.push_back(item);
            ControlFlow::Continue(())
        })?;
        let of_windows = self.path.drive.is_some();
        // A drive is a partition; on Linux any folder of the path may be where this one is mounted.
        let wanted: Vec<usize> = (0..self.path.names.len()).take(if of_windows { 1 } else { usize::MAX }).collect();
        while let Some(root) = roots.pop_front() {
            if wanted.is_empty() && root.kind == FlrItemKind::Partition {
                self.search.found.push(root.clone());
                self.search.partitions.push(root);
                continue;
            }
            if !opens(&root) {
                self.search.unread.push(root);
                continue;
            }
            self.caseless = of_windows || is_caseless(&root);
            let (hits, parts) = match self.look_for(&root.path, &self.path.names, &wanted) {
                Err(error) if S::is_of_the_partition(&error) => {
                    self.search.unread.push(root);
                    continue;
                }
                looked => looked?,
            };
            match parts.is_empty() || root.path.matches('/').count() >= DEEPEST_DISK {
                true if wanted.is_empty() => {
                    self.search.found.push(root.clone());
                    self.search.partitions.push(root);
                }
                true => {
                    self.search.partitions.push(root);
                    self.follow(hits, 1)?;
                }
                false => roots.extend(parts),
            }
        }
        Ok(())
    }

    fn through_pin(&mut self, place: &str, names: usize) -> Result<(), S::Error> {
        let parts: Vec<String> = place.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        // How a partition is called no guest knows, so its case is not what tells two apart.
        self.caseless = true;
        let mut caseless = self.path.drive.is_some();
        let mut at: Vec<FlrItem> = Vec::new();
        for (nr, _) in parts.iter().enumerate() {
            let folders: Vec<String> =
                if nr == 0 { vec![String::new()] } else { at.iter().map(|item| item.path.clone()).collect() };
            at.clear();
            for folder in folders {
                at.extend(self.look_for(&folder, &parts, &[nr])?.0.into_iter().map(|(_, item)| item));
            }
            at.retain(opens);
            caseless |= at.iter().any(|item| item.kind == FlrItemKind::Partition && is_caseless(item));
        }
        if at.is_empty() {
            self.search.pin_is_gone = true;
            return self.session.look("", &mut |item| {
                self.search.partitions.push(item);
                ControlFlow::Continue(())
            });
        }
        self.caseless = caseless;
        self.search.partitions.clone_from(&at);
        self.search.reached = names;
        let below = self.path.names.len() > names;
        for item in at {
            if below {
                let hits = self.look_for(&item.path, &self.path.names, &[names])?.0;
                self.follow(hits, names + 1)?;
            } else {
                self.search.found.push(item);
            }
        }
        Ok(())
    }

    /// Goes on from what was found in a folder, to the end of the path. Each of these hits lies `depth` names below the
    /// partition; where that is as far as it lies below the guest's root, the path leads there from the root on.
    fn follow(&mut self, mut hits: Hits, mut depth: usize) -> Result<(), S::Error> {
        let mut folders: VecDeque<(String, Vec<usize>, usize)> = VecDeque::new();
        loop {
            for (nr, item) in hits {
                let next = nr + 1;
                if next == self.path.names.len() {
                    if !self.search.found.iter().any(|known| known.path == item.path) {
                        self.search.found.push(item);
                    }
                } else if !opens(&item) {
                    if !self.search.barred.contains(&item) {
                        self.search.barred.push(item);
                    }
                } else {
                    if next == depth {
                        self.search.reached = self.search.reached.max(next);
                    }
                    match folders.iter_mut().find(|(folder, _, _)| *folder == item.path) {
                        Some((_, wanted, _)) => wanted.push(next),
                        None => folders.push_back((item.path, vec![next], depth + 1)),
                    }
                }
            }
            let Some((folder, wanted, deeper)) = folders.pop_front() else { return Ok(()) };
            depth = deeper;
            hits = self.look_for(&folder, &self.path.names, &wanted)?.0;
        }
    }

    /// Looks through a folder for names, until each is found as it is spelled. Where case does not matter and none is spelled
    /// so, all that differ in case alone are hits. And the disks or partitions that lie in it.
    fn look_for(&mut self, folder: &str, names: &[String], wanted: &[usize]) -> Result<(Hits, Vec<FlrItem>), S::Error> {
        let wanted: Vec<(usize, &String)> = wanted.iter().filter_map(|nr| Some((*nr, names.get(*nr)?))).collect();
        let caseless = self.caseless;
        let (mut exact, mut alike, mut parts): (Hits, Hits, Vec<FlrItem>) = (vec![], vec![], vec![]);
        self.session.look(folder, &mut |item| {
            if item.path == folder {
                return ControlFlow::Continue(());
            }
            if matches!(item.kind, FlrItemKind::Disk | FlrItemKind::Partition) {
                parts.push(item.clone());
            }
            for (nr, name) in &wanted {
                if item.name() == name.as_str() {
                    exact.push((*nr, item.clone()));
                } else if caseless && folded(item.name()).eq(folded(name)) {
                    alike.push((*nr, item.clone()));
                }
            }
            let done = !wanted.is_empty() && exact.len() == wanted.len();
            if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        alike.retain(|(nr, _)| !exact.iter().any(|(known, _)| known == nr));
        exact.append(&mut alike);
        Ok((exact, parts))
    }
}

/// A name as NTFS compares it: each letter as the one capital that stands for it, if there is one.
fn folded(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().map(|letter| {
        let mut capital = letter.to_uppercase();
        match (capital.next(), capital.next()) {
            (Some(one), None) => one,
            _ => letter,
        }
    })
}

/// Whether something can be looked into.
fn opens(item: &FlrItem) -> bool {
    item.browsable && item.kind != FlrItemKind::File
}

/// Whether names in a partition are the same whatever their case, by the file system that its name ends with.
fn is_caseless(partition: &FlrItem) -> bool {
    let system = partition.name().split_whitespace().next_back().unwrap_or_default().to_ascii_lowercase();
    ["ntfs", "fat", "vfat", "fat12", "fat16", "fat32", "exfat", "refs"].contains(&system.as_str())
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
