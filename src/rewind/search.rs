//! Where a guest's path lies in a file level restore session. Pure: what is there is asked of the caller.
//!
//! A session shows partitions and no mount points or drive letters (`partition#0 Ext3`; Zerto's 7.0 help; no mapping is
//! documented). So each partition is looked through: for the whole path, and on Linux for what is left of it below each
//! folder that it may be mounted at, since `/var/log/x` may be `log/x` of another partition. Which partition is the guest's
//! root is told by folders that nothing but a root has; the path then begins there, and another one is mounted only at a
//! folder that is there. Likewise the partition that Windows itself is on is C:, and no other drive. That keeps `/tmp/x`
//! from being taken for `/var/tmp/x`, and an application's `etc` for the guest's. Whatever is found twice all the same is not
//! guessed at: a stale file below a mount point looks like the right one.
//!
//! A folder is listed once, whatever is looked for in it (twice if the path has its name twice), and no listing is kept: that
//! costs one question for the partitions and one for each folder of the path that is there (pages aside).

use super::path::{GuestPath, folded};
use crate::zvm::model::{FlrItem, FlrItemKind};
use std::collections::VecDeque;
use std::ops::ControlFlow;

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
    /// How many names of the path are there as folders, from the root on.
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

/// Folders that the root of a Linux has, and no other partition: what the kernel shows is mounted at two of them.
const OF_A_ROOT: [&str; 3] = ["etc", "proc", "dev"];

/// Folders that the drive has on which Windows itself is.
const OF_A_SYSTEM: [&str; 2] = ["Windows", "Users"];

/// A partition whose root was looked through.
struct Partition {
    hits: Hits,
    caseless: bool,
    /// Whether it has what only the guest's root has, or the drive of its system.
    is_root: bool,
}

impl<S: Shows> Walk<'_, S> {
    fn through_partitions(&mut self) -> Result<(), S::Error> {
        let mut partitions = self.partitions()?;
        let is_known = partitions.iter().any(|partition| partition.is_root);
        if let (Some(letter), true) = (self.path.drive, is_known) {
            partitions.retain(|partition| partition.is_root == (letter == 'C'));
        }
        if self.path.drive.is_some() || !is_known {
            // Nobody can tell where each is mounted.
            for partition in partitions {
                self.caseless = partition.caseless;
                self.follow(partition.hits, Some(1))?;
            }
            return Ok(());
        }
        let (roots, mut others): (Vec<_>, Vec<_>) = partitions.into_iter().partition(|partition| partition.is_root);
        for root in roots {
            self.caseless = root.caseless;
            self.follow(root.hits.into_iter().filter(|(nr, _)| *nr == 0).collect(), None)?;
        }
        // What is mounted may hold the folder at which the next one is mounted.
        let mut looked = 0;
        while looked < self.search.reached {
            let there = self.search.reached;
            for partition in &mut others {
                let (now, later) = partition.hits.drain(..).partition(|(nr, _)| (1..=there).contains(nr));
                partition.hits = later;
                self.caseless = partition.caseless;
                self.follow(now, None)?;
            }
            looked = there;
        }
        Ok(())
    }

    /// The partitions, and what of the path their roots hold. For a root they are what is looked for.
    fn partitions(&mut self) -> Result<Vec<Partition>, S::Error> {
        let mut roots = VecDeque::new();
        self.session.look("", &mut |item| {
            roots.push_back(item);
            ControlFlow::Continue(())
        })?;
        let of_windows = self.path.drive.is_some();
        let count = self.path.names.len();
        // A drive is a partition; on Linux any folder of the path may be where this one is mounted.
        let mut names: Vec<String> = self.path.names.iter().take(if of_windows { 1 } else { count }).cloned().collect();
        let wanted = names.len();
        if wanted > 0 {
            let probes = if of_windows { OF_A_SYSTEM.as_slice() } else { OF_A_ROOT.as_slice() };
            names.extend(probes.iter().map(|name| (*name).to_owned()));
        }
        let all: Vec<usize> = (0..names.len()).collect();
        let mut partitions = Vec::new();
        while let Some(root) = roots.pop_front() {
            if wanted == 0 && root.kind == FlrItemKind::Partition {
                self.search.found.push(root.clone());
                self.search.partitions.push(root);
                continue;
            }
            if !opens(&root) {
                self.search.unread.push(root);
                continue;
            }
            self.caseless = of_windows || is_caseless(&root);
            let (hits, parts) = match self.look_for(&root.path, &names, &all) {
                Err(error) if S::is_of_the_partition(&error) => {
                    self.search.unread.push(root);
                    continue;
                }
                looked => looked?,
            };
            if !parts.is_empty() && root.path.matches('/').count() < DEEPEST_DISK {
                roots.extend(parts);
                continue;
            }
            if wanted == 0 {
                self.search.found.push(root.clone());
            }
            self.search.partitions.push(root);
            let has = |nr: usize| hits.iter().any(|(of, item)| *of == nr && opens(item));
            let is_root = all.len() > wanted && (wanted..all.len()).all(has);
            let hits = hits.into_iter().filter(|(nr, _)| *nr < wanted).collect();
            partitions.push(Partition { hits, caseless: self.caseless, is_root });
        }
        Ok(partitions)
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
                self.follow(hits, None)?;
            } else {
                self.search.found.push(item);
            }
        }
        Ok(())
    }

    /// Goes on from what was found in a folder, to the end of the path. `depth` is how many names below the partition's root
    /// these hits lie, where that is not known to be the guest's; without it, the path is known to lead to each of them.
    fn follow(&mut self, mut hits: Hits, mut depth: Option<usize>) -> Result<(), S::Error> {
        let mut folders: VecDeque<(String, Vec<usize>, Option<usize>)> = VecDeque::new();
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
                    // Of a partition that may be mounted anywhere, what is as deep as in the path may lie below the root.
                    if depth.is_none_or(|depth| depth == next) {
                        self.search.reached = self.search.reached.max(next);
                    }
                    match folders.iter_mut().find(|(folder, _, _)| *folder == item.path) {
                        Some((_, wanted, _)) => wanted.push(next),
                        None => folders.push_back((item.path, vec![next], depth.map(|depth| depth + 1))),
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

/// Whether something can be looked into.
fn opens(item: &FlrItem) -> bool {
    item.browsable && item.kind != FlrItemKind::File
}

/// Whether names in a partition are the same whatever their case, by the file system that its name ends with.
fn is_caseless(partition: &FlrItem) -> bool {
    let system = partition.name().split_whitespace().next_back().unwrap_or_default().to_ascii_lowercase();
    ["ntfs", "fat", "vfat", "fat12", "fat16", "fat32", "exfat", "refs"].contains(&system.as_str())
}

#[cfg(test)]
#[path = "tests/search.rs"]
mod tests;
