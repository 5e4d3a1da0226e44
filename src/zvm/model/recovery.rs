//! What a ZVM tells us about getting things back: file restore sessions and what they show, points in time, sites.

use jiff::Timestamp;

/// A file level restore session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlrSession {
    /// `<guid>.<guid>`.
    pub identifier: String,
    /// The VM whose disks it mounts; empty where the ZVM did not say.
    pub vm_identifier: String,
    /// The VPG; empty where the ZVM did not say.
    pub vpg_identifier: String,
    /// The checkpoint that is mounted; empty where the ZVM did not say.
    pub checkpoint: String,
    /// Its status as the ZVM spells it.
    pub status: String,
    /// When it was mounted, by the ZVM's clock.
    pub started: Option<Timestamp>,
}

impl FlrSession {
    /// Whether it may still hold a mount. Sessions that are over linger in the list as history and hold nothing (measured
    /// on a live ZVM 10.x); of their statuses only `MountFailed` is documented, so one that is not plainly over is live.
    #[must_use]
    pub fn is_live(&self) -> bool {
        let status = self.status.to_ascii_lowercase();
        !(status == "mountfailed" || ["ended", "unmounted", "unmountcompletedsuccessfully"].contains(&status.as_str()))
    }

    /// Whether its disks are mounted and can be looked into: `MountCompletedSuccessfully` (help, 7.5), and `MountReady` of
    /// an older version. Any other status is not ready yet, or not any more.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        ["MountCompletedSuccessfully", "MountReady"].iter().any(|s| self.status.eq_ignore_ascii_case(s))
    }
}

/// What an entry of a mounted disk is. `Disk`, `Partition`, `Folder` and `File` are the types of a Zerto front end;
/// `Partition` alone stands in the help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FlrItemKind {
    /// A disk, which holds partitions.
    Disk,
    /// A partition, named like `partition#0 Ext3`.
    Partition,
    /// A folder.
    Folder,
    /// A file, or a link: those are listed and can't be downloaded.
    File,
    /// Another type, as the ZVM spells it.
    Other(String),
}

/// An entry of a mounted disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlrItem {
    /// The whole path in the FLR name space, as the ZVM wants it back: `partition#1 Ext4/etc/hostname`. As it came: to be
    /// cleaned before it is shown.
    pub path: String,
    /// What it is.
    pub kind: FlrItemKind,
    /// Whether it can be looked into.
    pub browsable: bool,
    /// Whether it can be downloaded.
    pub downloadable: bool,
    /// Why not, in the ZVM's words; mostly empty.
    pub remark: String,
    /// Its size, which only files have.
    pub size: Option<u64>,
    /// When it was written last, by the guest's clock.
    pub modified: Option<Timestamp>,
}

impl FlrItem {
    /// The last component of its path. As it came: to be cleaned before it is shown.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }
}

/// What browsing a path answers: the entry itself, and (a part of) what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlrPage {
    /// The entry that was browsed, where the ZVM described it.
    pub main: Option<FlrItem>,
    /// What it holds, this page of it.
    pub items: Vec<FlrItem>,
}

/// Where the bytes of a download are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DownloadLink {
    /// Path and query, percent-encoded, with a slash at its beginning.
    pub(in crate::zvm) path: String,
    /// `https://host`, where the link came with one that is not the ZVM's own.
    pub(in crate::zvm) elsewhere: Option<String>,
    /// What is downloaded, for people.
    pub(in crate::zvm) of: String,
}

/// A checkpoint of a VM, and whether files can be restored from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointInTime {
    /// The checkpoint.
    pub checkpoint: super::Checkpoint,
    /// Whether the ZVM would mount it; none where it did not say.
    pub can_mount: Option<bool>,
    /// Why not, in its words; mostly empty.
    pub reason: String,
}

/// A site that the answering ZVM is paired with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeerSite {
    /// Its name.
    pub name: String,
    /// Its identifier.
    pub identifier: Option<String>,
    /// Its type as the ZVM spells it; empty where it gave none.
    pub site_type: String,
    /// Where its ZVM is; empty where it gave none.
    pub host: String,
}

/// Something of a site that has a name and an identifier: a datastore, a VM that no VPG protects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// Its identifier.
    pub identifier: String,
    /// Its name; empty where the ZVM gave none.
    pub name: String,
}
