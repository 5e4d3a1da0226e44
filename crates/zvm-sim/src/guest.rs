//! The files of a guest, and how they differ from checkpoint to checkpoint.
//!
//! Owns the description and the tree at one checkpoint; mounting and browsing are in `flr`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::content::Content;

/// From when on a change of the files holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Since {
    /// At every checkpoint.
    Always,
    /// At checkpoints with this number and later ones. They count within a VPG: for a VM in several, take a time.
    Checkpoint(u64),
    /// At checkpoints made at that time (milliseconds since 1970 by the ZVM's clock) or later.
    Ms(i64),
}

impl Since {
    fn holds(self, checkpoint: u64, time_ms: i64) -> bool {
        match self {
            Self::Always => true,
            Self::Checkpoint(number) => checkpoint >= number,
            Self::Ms(ms) => time_ms >= ms,
        }
    }
}

/// What a path leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Partition,
    Folder,
    File(Content),
    /// Listed, and not to be had: why.
    Locked(Content, String),
    /// Listed as neither downloadable nor browsable (Zerto's help).
    Link,
}

#[derive(Debug, Clone)]
struct Change {
    since: Since,
    path: String,
    /// `None`: it goes, and what is beneath it.
    node: Option<Node>,
}

/// The files of a guest. Paths are those of the FLR name space: the partition's name, then `/` before each component,
/// as in `partition#1 Ext4/etc/app.yaml`. Folders come to be with what they hold. A name may hold anything but `/`.
///
/// A partition's name may stand behind a disk's: `Disk#0/partition#0 NTFS` (a Zerto front end knows the item types
/// `Disk`, `Partition`, `Folder` and `File`; where disks would be listed is unknown).
#[derive(Debug, Clone, Default)]
pub struct Guest {
    changes: Vec<Change>,
    /// Which description it is: another number after each change, and no two alike in a process.
    version: u64,
}

static VERSIONS: AtomicU64 = AtomicU64::new(1);

impl Guest {
    /// One without any partition.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The small guest of that system.
    pub(crate) fn of(guest_os: &str, name: &str) -> Self {
        if guest_os.contains("Windows") { Self::windows(name) } else { Self::linux(name) }
    }

    /// A small Linux: `partition#0 Ext4` is /boot, `partition#1 Ext4` is /.
    #[must_use]
    pub fn linux(name: &str) -> Self {
        let root = |path: &str| format!("partition#1 Ext4/{path}");
        Self::new()
            .file("partition#0 Ext4/grub/grub.cfg", "set timeout=5\n")
            .file("partition#0 Ext4/vmlinuz-6.1.0", Content::generated(2_000_000, 1))
            .file(&root("etc/hostname"), format!("{name}\n"))
            .file(&root("etc/app.yaml"), "listen: 8080\nworkers: 4\n")
            .file(&root("etc/os-release"), "NAME=\"Ubuntu\"\n")
            .link(&root("etc/mtab"))
            .link(&root("bin"))
            .file(&root("var/log/syslog"), "started\n")
            .file(&root("srv/data/report 2026 (final).csv"), "a;b\n1;2\n")
            .folder(&root("tmp"))
            .folder(&root("proc"))
            .folder(&root("dev"))
    }

    /// A small Windows: `partition#0 NTFS` is System Reserved, `partition#1 NTFS` is C:.
    #[must_use]
    pub fn windows(name: &str) -> Self {
        let root = |path: &str| format!("partition#1 NTFS/{path}");
        Self::new()
            .file("partition#0 NTFS/Boot/BCD", Content::generated(28_672, 2))
            .file("partition#0 NTFS/bootmgr", Content::generated(400_000, 3))
            .file(&root("Users/j/app.conf"), "listen=8080\r\nworkers=4\r\n")
            .file(&root("Users/j/Documents/Größe – Übersicht.txt"), "42\r\n")
            .file(&root("Windows/System32/drivers/etc/hosts"), format!("127.0.0.1 {name}\r\n"))
            .locked(&root("pagefile.sys"), Content::generated(1_000_000, 4), "The file is in use by the system.")
            .link(&root("Documents and Settings"))
    }

    /// Adds an empty partition.
    #[must_use]
    pub fn partition(self, name: &str) -> Self {
        self.with(Since::Always, name, Some(Node::Partition))
    }

    /// Adds a folder, which may stay empty.
    #[must_use]
    pub fn folder(self, path: &str) -> Self {
        self.with(Since::Always, path, Some(Node::Folder))
    }

    /// Adds a file.
    #[must_use]
    pub fn file(self, path: &str, content: impl Into<Content>) -> Self {
        self.file_since(Since::Always, path, content)
    }

    /// Adds or replaces a file from then on.
    #[must_use]
    pub fn file_since(self, since: Since, path: &str, content: impl Into<Content>) -> Self {
        self.with(since, path, Some(Node::File(content.into())))
    }

    /// Takes a file, or a folder and what it holds, away from then on.
    #[must_use]
    pub fn gone_since(self, since: Since, path: &str) -> Self {
        self.with(since, path, None)
    }

    /// Adds a link: listed, and neither browsable nor downloadable.
    #[must_use]
    pub fn link(self, path: &str) -> Self {
        self.with(Since::Always, path, Some(Node::Link))
    }

    /// Adds a file that is listed and can't be downloaded.
    #[must_use]
    pub fn locked(self, path: &str, content: impl Into<Content>, reason: &str) -> Self {
        self.with(Since::Always, path, Some(Node::Locked(content.into(), reason.to_owned())))
    }

    fn with(mut self, since: Since, path: &str, node: Option<Node>) -> Self {
        self.change(since, path, node);
        self
    }

    pub(crate) fn change(&mut self, since: Since, path: &str, node: Option<Node>) {
        self.changes.push(Change { since, path: path.to_owned(), node });
        self.version = VERSIONS.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// The files at one checkpoint. Of changes to one path the one that was described last counts.
    pub(crate) fn at(&self, checkpoint: u64, time_ms: i64) -> Tree {
        let mut nodes: BTreeMap<String, Node> = BTreeMap::new();
        for change in self.changes.iter().filter(|c| c.since.holds(checkpoint, time_ms)) {
            match &change.node {
                Some(node) => drop(nodes.insert(change.path.clone(), node.clone())),
                None => nodes.retain(|path, _| !is_within(path, &change.path)),
            }
        }
        Tree(nodes)
    }
}

/// Whether `path` is `top` or lies beneath it.
fn is_within(path: &str, top: &str) -> bool {
    path.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The files at one checkpoint.
#[derive(Debug, Default)]
pub(crate) struct Tree(BTreeMap<String, Node>);

/// One entry of a tree, as browsing lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) path: String,
    pub(crate) kind: EntryKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EntryKind {
    Disk,
    Partition,
    Folder,
    File(Content),
    Locked(Content, String),
    Link,
}

impl Tree {
    /// What that path leads to; the empty one leads to the list of partitions.
    pub(crate) fn entry(&self, path: &str) -> Option<Entry> {
        let kind = match self.0.get(path) {
            Some(Node::Partition) => EntryKind::Partition,
            Some(Node::Folder) => EntryKind::Folder,
            Some(Node::File(content)) => EntryKind::File(content.clone()),
            Some(Node::Locked(content, reason)) => EntryKind::Locked(content.clone(), reason.clone()),
            Some(Node::Link) => EntryKind::Link,
            // Zerto's help shows the top as a partition.
            None if path.is_empty() => EntryKind::Partition,
            None => self.implied(path)?,
        };
        Some(Entry { path: path.to_owned(), kind })
    }

    /// What is there only because something lies beneath it.
    fn implied(&self, path: &str) -> Option<EntryKind> {
        let (first, _) = self.beneath(path).next()?;
        Some(match path.rsplit('/').next().is_some_and(is_partition) {
            true => EntryKind::Partition,
            false if first.split('/').skip(path.split('/').count()).any(is_partition) => EntryKind::Disk,
            false => EntryKind::Folder,
        })
    }

    fn beneath(&self, path: &str) -> impl Iterator<Item = (&String, &Node)> {
        let start = if path.is_empty() { String::new() } else { format!("{path}/") };
        self.0.range(start.clone()..).take_while(move |(p, _)| p.starts_with(&start))
    }

    /// What a folder holds, by name.
    pub(crate) fn children(&self, path: &str) -> Vec<Entry> {
        let skip = if path.is_empty() { 0 } else { path.len() + 1 };
        let mut names: Vec<&str> = self
            .beneath(path)
            .filter_map(|(p, _)| p.get(skip..)?.split('/').next())
            .filter(|name| !name.is_empty())
            .collect();
        names.sort_unstable();
        names.dedup();
        let whole = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
        names.into_iter().filter_map(|name| self.entry(&whole(name))).collect()
    }

    /// The files that can be downloaded, at that path and beneath it.
    pub(crate) fn files(&self, path: &str) -> Vec<(String, Content)> {
        let own = self.0.get_key_value(path);
        own.into_iter()
            .chain(self.beneath(path))
            .filter_map(|(p, node)| match node {
                Node::File(content) => Some((p.clone(), content.clone())),
                _ => None,
            })
            .collect()
    }
}

fn is_partition(name: &str) -> bool {
    name.starts_with("partition#")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(tree: &Tree, path: &str) -> Vec<String> {
        tree.children(path).into_iter().map(|e| e.path).collect()
    }

    #[test]
    fn files_come_change_and_go() {
        let at = |n| Since::Checkpoint(n);
        let guest = Guest::new()
            .file("partition#0 Ext3/a", "1")
            .file_since(at(10), "partition#0 Ext3/a", "2")
            .file_since(Since::Ms(500), "partition#0 Ext3/d/b", "3")
            .gone_since(at(20), "partition#0 Ext3/d")
            .partition("partition#1 NTFS");
        let content = |n, ms, path: &str| match guest.at(n, ms).entry(path).map(|e| e.kind) {
            Some(EntryKind::File(content)) => content.chunks().flatten().map(char::from).collect(),
            other => format!("{other:?}"),
        };
        assert_eq!(content(9, 0, "partition#0 Ext3/a"), "1");
        assert_eq!(content(10, 0, "partition#0 Ext3/a"), "2");
        assert_eq!(content(9, 499, "partition#0 Ext3/d/b"), "None");
        assert_eq!(content(9, 500, "partition#0 Ext3/d/b"), "3");
        assert_eq!(content(20, 500, "partition#0 Ext3/d"), "None");
        assert_eq!(names(&guest.at(9, 500), ""), ["partition#0 Ext3", "partition#1 NTFS"]);
        assert_eq!(names(&guest.at(9, 500), "partition#0 Ext3"), ["partition#0 Ext3/a", "partition#0 Ext3/d"]);
    }

    #[test]
    fn what_is_there_only_by_what_it_holds() {
        let tree =
            Guest::new().file("Disk#0/partition#0 Ext3/x/y", "1").file("Disk#0/partition#0 Ext3/x.d", "").at(1, 0);
        let kind = |path: &str| tree.entry(path).map(|e| e.kind);
        assert_eq!(kind("Disk#0"), Some(EntryKind::Disk));
        assert_eq!(kind("Disk#0/partition#0 Ext3"), Some(EntryKind::Partition));
        assert_eq!(kind("Disk#0/partition#0 Ext3/x"), Some(EntryKind::Folder));
        assert_eq!(kind("Disk#0/partition#0 Ext3/"), None);
        assert_eq!(kind("Disk"), None);
        assert_eq!(tree.files("Disk#0/partition#0 Ext3/x").len(), 1, "x.d is not beneath x");
        assert_eq!(tree.children("Disk#0/partition#0 Ext3").len(), 2);
    }
}
