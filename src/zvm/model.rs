//! What a ZVM tells us, in our own words: no Zerto field name and no JSON here.

mod recovery;

pub use recovery::{DownloadLink, FlrItem, FlrItemKind, FlrPage, FlrSession, PeerSite, PointInTime, Resource};

use jiff::Timestamp;

/// One row of the inventory: a VM *in one VPG*. A VM in three VPGs has three rows
/// (the ZVM answers one element for each VM and VPG; published clients, 10.x).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtectedVm {
    /// The VM's name.
    pub name: String,
    /// `<server guid>.<moref>`.
    pub identifier: String,
    /// The VPG of this row.
    pub vpg_identifier: String,
    /// Its name, empty where the ZVM did not say.
    pub vpg_name: String,
    /// Whether the ZVM that answered is the one that protects the VM (its protected site is the local site);
    /// none where the answer does not tell.
    pub protected_here: Option<bool>,
    /// The guest's IP addresses as the ZVM reports them.
    pub addresses: Vec<String>,
    /// Whether the ZVM knows it as a VM of Azure.
    pub in_azure: bool,
    /// The guest's system as the ZVM names it, such as `Ubuntu Linux (64-bit)`; empty where it did not say.
    pub guest_os: String,
    /// Whether the ZVM says that files of it can be restored now (`EnabledActions.IsFlrEnabled`).
    pub flr_enabled: Option<bool>,
}

/// A virtual protection group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vpg {
    /// Its identifier (a guid).
    pub identifier: String,
    /// Its name.
    pub name: String,
    /// What it is doing.
    pub status: VpgStatus,
    /// What it is doing, in more detail.
    pub sub_status: VpgSubStatus,
    /// The ZVM's own words for its state, empty where it gave none.
    pub description: String,
    /// Where its VMs run.
    pub protected_site: SiteRef,
    /// Where they can be recovered.
    pub recovery_site: SiteRef,
    /// The kind of the protected end, if the ZVM told.
    pub protected_entity: Option<EntityType>,
    /// How far back the journal reaches by its settings, in minutes.
    pub journal_minutes: Option<u64>,
    /// The stage of the failover test that runs, if one does (inferred: the field is null while none runs).
    pub test_stage: Option<String>,
}

/// A site as a VPG names it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SiteRef {
    /// The site's name, empty where the ZVM did not say.
    pub name: String,
    /// The site's identifier where the link holds one.
    pub identifier: Option<String>,
    /// Whether it is the site of the ZVM that answered; none where the answer does not tell.
    pub local: Option<bool>,
}

/// `Status` of a VPG (OpenAPI 10.0 U6: 0 to 8; sources disagree about which is 3 and which is 4, so they are one here).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VpgStatus {
    /// 0.
    Initializing,
    /// 1.
    MeetingSla,
    /// 2, 3 and 4.
    NotMeetingSla,
    /// 5.
    FailingOver,
    /// 6.
    Moving,
    /// 7.
    Deleting,
    /// 8.
    Recovered,
    /// Anything else, or none given: not known to be fit for a checkpoint.
    Other(String),
}

/// `SubStatus` of a VPG (numbers 0 to 42; names are known up to 32).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VpgSubStatus {
    /// One whose name is known; the number and the name as in Zerto's own SDK.
    Known(u8, &'static str),
    /// Anything else, or none given.
    Other(String),
}

/// `EntityType` of a VPG's end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntityType {
    /// 0, 1, 2 and 4: vCenter, vApp, vCD vApp, Hyper-V.
    OnPremises(&'static str),
    /// 3 and what names Azure or AWS.
    PublicCloud(String),
    /// A number or name that is not known.
    Other(String),
}

/// The site of the ZVM that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalSite {
    /// Its name.
    pub name: String,
    /// Its identifier.
    pub identifier: Option<String>,
    /// Its type as the ZVM spells it, such as `VCenter`; empty where it gave none.
    pub site_type: String,
    /// Whether type or platform information say that it is Azure or AWS.
    pub public_cloud: bool,
    /// The ZVM's version as people write it.
    pub version: String,
}

/// A checkpoint of a VPG's journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// An integer, as text.
    pub identifier: String,
    /// When it was made, by the ZVM's clock.
    pub time: Option<Timestamp>,
    /// Its tag, if it has one.
    pub tag: Option<String>,
}

/// `Status.State` of a task (Zerto's Python SDK; 1, 4, 5 and 6 measured on a live ZVM 10.x).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskState {
    /// 1.
    InProgress,
    /// 2.
    WaitingForUserInput,
    /// 3.
    Paused,
    /// 4: ended without success.
    Failed,
    /// 5: ended without success.
    Stopped,
    /// 6: the only success.
    Completed,
    /// 7.
    Cancelling,
    /// Any other number, or none given: not over.
    Other(i64),
}

impl TaskState {
    /// Whether the task will not change any more: 4, 5 and 6 and nothing else.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, Self::Failed | Self::Stopped | Self::Completed)
    }

    /// The state's name as the field writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InProgress => "InProgress",
            Self::WaitingForUserInput => "WaitingForUserInput",
            Self::Paused => "Paused",
            Self::Failed => "Failed",
            Self::Stopped => "Stopped",
            Self::Completed => "Completed",
            Self::Cancelling => "Cancelling",
            Self::Other(_) => "an unknown state",
        }
    }
}

/// A task of the ZVM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// `<task guid>.<site guid>`.
    pub identifier: String,
    /// Such as `InsertTaggedCP`; empty where the ZVM gave none.
    pub kind: String,
    /// Where it stands.
    pub state: TaskState,
    /// How far it has come, in per cent.
    pub progress: Option<u8>,
    /// Why it ended as it did; empty on success.
    pub reason: String,
    /// When it began, by the ZVM's clock.
    pub started: Option<Timestamp>,
    /// When it ended.
    pub completed: Option<Timestamp>,
    /// The VPGs it works on.
    pub vpgs: Vec<String>,
    /// The FLR sessions it works on (OpenAPI 10.0 U6: `relatedEntities.flrSessions`).
    pub flr_sessions: Vec<String>,
    /// Whose it is, as the ZVM spells it; empty where it did not say. The form of the name is not documented.
    pub initiated_by: String,
}
