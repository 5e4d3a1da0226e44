//! What can be set about file restore, clones and tests: times, and a choice wherever the real behaviour is unknown.

use std::time::Duration;

use crate::settings::Refusal;

/// How a mount is refused that the VPG's state, the site or another session doesn't allow. Unknown; chosen: 400.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MountRefusal {
    /// That status, at once, and no session.
    Http(u16),
    /// 200 with a session that ends `MountFailed`.
    MountFailed,
}

/// What a page past the last one is. Unknown; chosen: empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PastEnd {
    /// No items.
    #[default]
    Empty,
    /// The last page again.
    LastAgain,
    /// That status.
    Status(u16),
}

/// What `Path` of a listed item holds. Zerto's help shows only partitions, where both are the same; chosen: the whole
/// path, as in a recorded body of 2016.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ItemPaths {
    /// `partition#1 Ext4/etc/hostname`.
    #[default]
    Whole,
    /// `hostname`.
    Name,
}

/// What the answer to a download holds. A recorded body of 2016 has the first form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum LinkForm {
    /// `v1/downloads/<id>`.
    #[default]
    Relative,
    /// `/v1/downloads/<id>`.
    Rooted,
    /// With the address that the client knows.
    Absolute,
    /// With the appliance's own address, which the client need not know (as the links in recorded bodies).
    OwnAddress,
    /// With that in front of `/v1/downloads/<id>`: `https://elsewhere.example`.
    At(String),
}

/// What is sent for a download. Unknown; chosen: a file as it is, and a zip for a folder or several files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum DownloadForm {
    /// The file as it is where there is one, else a zip.
    #[default]
    Raw,
    /// Always a zip; its entries are deflated, and their sizes stand behind them, as by a writer that can't go back.
    Zip,
    /// Always a zip; its entries are stored, and their sizes stand before them.
    StoredZip,
}

/// About file restore.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FlrSettings {
    /// How long a mount is in progress.
    pub mount_time: Duration,
    /// How long an unmount takes.
    pub unmount_time: Duration,
    /// The status meanwhile. Unknown for 10.x; chosen: that of an old Zerto front end.
    pub unmounting_status: String,
    /// The status of a session that was unmounted. Unknown; chosen: in the form of `MountCompletedSuccessfully`.
    pub ended_status: String,
    /// Whether sessions that are over stay in the list (measured on a live ZVM 10.x). For how long is unknown; chosen:
    /// for ever.
    pub ended_linger: bool,
    /// `GET /v1/flrs/{id}` answers an array (OpenAPI 10.0 U6) and not an object (help, 7.0).
    pub single_as_array: bool,
    /// Whether a VM can be mounted twice at the same time. Chosen: no, as a session left mounted blocks the next
    /// recovery (measured on a live ZVM 10.x).
    pub parallel_sessions: bool,
    /// Whether the protected site's ZVM mounts. No: files are restored at the recovery site (measured on a live ZVM 10.x).
    pub protected_side_mounts: bool,
    /// See [`MountRefusal`].
    pub refusal: MountRefusal,
    /// The number of the first page. Unknown; chosen: 0.
    pub page_base: u32,
    /// The longest page, and that of a request which asks for no size. Unknown; chosen: 1000.
    pub page_size: u32,
    /// Whether `pageNumber` and `pageSize` are heeded; if not, every page holds all.
    pub pages: bool,
    /// See [`PastEnd`].
    pub past_end: PastEnd,
    /// See [`ItemPaths`].
    pub item_paths: ItemPaths,
    /// Whether a folder is the first of the items that it holds (a recorded body of 2016).
    pub lists_itself: bool,
    /// See [`LinkForm`].
    pub link: LinkForm,
    /// Whether a link needs the bearer token too. Unknown; chosen: yes.
    pub link_needs_token: bool,
    /// How long a link is good. Unknown; chosen: 5 min, and as long as its session is mounted.
    pub link_life: Duration,
    /// See [`DownloadForm`].
    pub form: DownloadForm,
    /// Whether a file is sent with a `Content-Length`; a zip never is.
    pub declares_length: bool,
    /// Characters that refuse a download when one stands in a path (that there are some was measured on a live ZVM
    /// 10.x; which is unknown). Chosen: the backslash, which Zerto's help excludes.
    pub refused_characters: String,
    /// Whether the File Level Restore operator's role is refused, as a 10.9 does by a fault of its role check
    /// (measured). Off by default.
    pub refuses_operator: bool,
    /// Whether points in time have one of a repository among them, with no checkpoint.
    pub repository_points: bool,
}

impl Default for FlrSettings {
    fn default() -> Self {
        Self {
            mount_time: Duration::from_millis(60),
            unmount_time: Duration::from_millis(60),
            unmounting_status: "UnmountInProgress".to_owned(),
            ended_status: "UnmountCompletedSuccessfully".to_owned(),
            ended_linger: true,
            single_as_array: false,
            parallel_sessions: false,
            protected_side_mounts: false,
            refusal: MountRefusal::Http(400),
            page_base: 0,
            page_size: 1000,
            pages: true,
            past_end: PastEnd::default(),
            item_paths: ItemPaths::default(),
            lists_itself: false,
            link: LinkForm::default(),
            link_needs_token: true,
            link_life: Duration::from_secs(300),
            form: DownloadForm::default(),
            declares_length: true,
            refused_characters: "\\".to_owned(),
            refuses_operator: false,
            repository_points: false,
        }
    }
}

/// About clones and failover tests.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RecoverySettings {
    /// How long a clone takes.
    pub clone_time: Duration,
    /// How long a test takes to start.
    pub test_time: Duration,
    /// How long it takes to stop.
    pub stop_time: Duration,
    /// How what can't be done is refused. Unknown; chosen: a failed task, as with inserts.
    pub refusal: Refusal,
}

impl Default for RecoverySettings {
    fn default() -> Self {
        Self {
            clone_time: Duration::from_millis(120),
            test_time: Duration::from_millis(120),
            stop_time: Duration::from_millis(60),
            refusal: Refusal::default(),
        }
    }
}
