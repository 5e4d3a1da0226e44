//! The things a ZVM knows of: sites, VPGs, VMs; and the short descriptions that tests make them from.
//!
//! Owns the types. What happens to them is in `state`, `journal` and `tasks`.

use crate::guest::Guest;
use crate::journal::Checkpoint;

/// A guid that is always the same for the same text, so that outputs can be compared.
pub(crate) fn guid(text: &str) -> String {
    let half = |basis: u64| text.bytes().fold(basis, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    let (a, b) = (half(0xcbf2_9ce4_8422_2325), half(0x8422_2325_cbf2_9ce4));
    let hex = format!("{a:016x}{b:016x}");
    let part = |from, to| hex.get(from..to).unwrap_or_default();
    format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
}

/// What `PlatformInformation` of a site says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Platform {
    /// Its vCenter's address.
    VCenter {
        /// The address.
        ip: String,
    },
    /// Where in Azure it is.
    Azure {
        /// The region.
        region: String,
        /// The subscription.
        subscription: String,
        /// The resource group.
        resource_group: String,
    },
    /// Both members are null (AWS: the OpenAPI file has no member for it).
    None,
}

/// A site: the local one, or a peer.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Site {
    /// Its name.
    pub name: String,
    /// Its guid.
    pub identifier: String,
    /// `SiteType`. `VCenter` was seen in a recorded body; other spellings are unknown, chosen: `Azure`, `AWS`.
    pub site_type: String,
    /// See [`Platform`].
    pub platform: Platform,
    /// `RegionName` of a peer.
    pub region: Option<String>,
    /// The number that entities have for it (0 vCenter; 3 public cloud in old lists; 5 unknown, chosen: Azure).
    pub entity_type: u8,
    /// 0 Paired, 1 Pairing, 2 Unpaired. Of peers.
    pub pairing_status: u8,
    /// `Version`.
    pub version: String,
}

impl Site {
    fn new(name: &str, site_type: &str, platform: Platform, entity_type: u8) -> Self {
        Self {
            name: name.to_owned(),
            identifier: guid(&format!("site {name}")),
            site_type: site_type.to_owned(),
            platform,
            region: None,
            entity_type,
            pairing_status: 0,
            version: "10.0.60".to_owned(),
        }
    }

    /// A vSphere site.
    #[must_use]
    pub fn vcenter(name: &str) -> Self {
        Self::new(name, "VCenter", Platform::VCenter { ip: "192.0.2.10".to_owned() }, 0)
    }

    /// A site in Azure.
    #[must_use]
    pub fn azure(name: &str) -> Self {
        let platform = Platform::Azure {
            region: "eastus".to_owned(),
            subscription: guid("subscription"),
            resource_group: "zerto-rg".to_owned(),
        };
        Self { region: Some("eastus".to_owned()), ..Self::new(name, "Azure", platform, 5) }
    }

    /// A site in AWS.
    #[must_use]
    pub fn aws(name: &str) -> Self {
        Self { region: Some("us-east-1".to_owned()), ..Self::new(name, "AWS", Platform::None, 3) }
    }

    /// Whether tagged checkpoints are refused where this is the protected site (measured on a live ZVM 10.x).
    #[must_use]
    pub fn refuses_tags(&self) -> bool {
        matches!(self.platform, Platform::Azure { .. })
            || ["azure", "aws"].iter().any(|s| self.site_type.eq_ignore_ascii_case(s))
    }
}

/// One side of a VPG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Side {
    /// This ZVM's site: a link to `/v1/localsite`.
    Local,
    /// A peer, by its guid: a link to `/v1/peersites/<guid>`.
    Peer(String),
}

/// A VPG.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Vpg {
    /// Its guid.
    pub identifier: String,
    /// Its name.
    pub name: String,
    /// 0..8: 0 Initializing, 1 MeetingSLA, 2 NotMeetingSLA, 3 and 4 one of the two, 5 FailingOver, 6 Moving,
    /// 7 Deleting, 8 Recovered.
    pub status: u8,
    /// 0..42: 0 None, 1 InitialSync, 4 Sync, 6 DeltaSync, 23 BitmapSync, 24 DisconnectedFromPeer, 25 paused by a user, …
    pub sub_status: u8,
    /// The protected side.
    pub protected: Side,
    /// The recovery side.
    pub recovery: Side,
    /// How long the journal shall reach back.
    pub configured_history_minutes: i64,
    /// How long it does; `None`: as far as its oldest checkpoint.
    pub actual_history_minutes: Option<i64>,
    /// `ActualRPO`, in seconds.
    pub actual_rpo: i64,
    /// Set while a failover test runs.
    pub failover_test_stage: Option<String>,
    /// Whether an extended journal copy runs: no files are restored meanwhile (measured on a live ZVM 10.x).
    pub journal_copy: bool,
    /// What the other site's ZVM does with it, as far as it is simulated too.
    pub(crate) busy_elsewhere: Option<String>,
    /// Whether its journal is that of the other site's simulator.
    pub(crate) mirrored: bool,
    /// By time, the tagged ones that aren't listed yet too.
    pub journal: Vec<Checkpoint>,
    pub(crate) next_checkpoint: u64,
    pub(crate) last_auto_ms: i64,
}

/// A VM that at least one VPG holds (or none: then it is unprotected and `GET /v1/vms` doesn't know it).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Vm {
    /// `<serverGuid>.<moref>`.
    pub identifier: String,
    /// Its name.
    pub name: String,
    /// What the guest reports.
    pub ip_addresses: Vec<String>,
    /// `GuestOs`.
    pub guest_os: String,
    /// The guids of its VPGs, up to three.
    pub vpgs: Vec<String>,
    /// `EnabledActions.IsFlrEnabled`.
    pub flr_enabled: bool,
    /// Its files.
    pub guest: Guest,
}

/// Describes a VPG.
#[derive(Debug, Clone)]
pub struct VpgSpec {
    pub(crate) name: String,
    pub(crate) protected: Option<String>,
    pub(crate) recovery: Option<String>,
    pub(crate) status: u8,
    pub(crate) sub_status: u8,
    pub(crate) history: (i64, i64),
    pub(crate) checkpoints: u32,
    pub(crate) tags: Vec<(i64, String)>,
}

impl VpgSpec {
    fn new(name: &str, protected: Option<&str>, recovery: Option<&str>) -> Self {
        Self {
            name: name.to_owned(),
            protected: protected.map(str::to_owned),
            recovery: recovery.map(str::to_owned),
            status: 1,
            sub_status: 0,
            history: (1440, 120),
            checkpoints: 0,
            tags: Vec::new(),
        }
    }

    /// Protected and recovered at the local site.
    #[must_use]
    pub fn local(name: &str) -> Self {
        Self::new(name, None, None)
    }

    /// Protected at the local site, recovered at that peer (which is made, as a vSphere site, if there is none).
    #[must_use]
    pub fn remote(name: &str, peer: &str) -> Self {
        Self::new(name, None, Some(peer))
    }

    /// Protected at that peer, recovered at the local site.
    #[must_use]
    pub fn recovered_here(name: &str, peer: &str) -> Self {
        Self::new(name, Some(peer), None)
    }

    /// Its status and sub-status; see [`Vpg`].
    #[must_use]
    pub fn status(mut self, status: u8, sub_status: u8) -> Self {
        (self.status, self.sub_status) = (status, sub_status);
        self
    }

    /// How far the journal shall reach back, and how far it does.
    #[must_use]
    pub fn history_minutes(mut self, configured: u32, actual: u32) -> Self {
        self.history = (configured.into(), actual.into());
        self
    }
}

impl VpgSpec {
    /// A journal that begins with so many automatic checkpoints, one each five seconds. `history_minutes` has to reach as
    /// far back, or the oldest ones go at once.
    #[must_use]
    pub fn checkpoints(mut self, count: u32) -> Self {
        self.checkpoints = count;
        self
    }

    /// A tagged checkpoint, so many minutes old.
    #[must_use]
    pub fn tag(mut self, minutes_ago: u32, tag: &str) -> Self {
        self.tags.push((minutes_ago.into(), tag.to_owned()));
        self
    }
}

/// Describes a VM.
#[derive(Debug, Clone)]
pub struct VmSpec {
    pub(crate) name: String,
    pub(crate) identifier: Option<String>,
    pub(crate) ips: Vec<String>,
    pub(crate) guest_os: String,
    pub(crate) vpgs: Vec<VpgSpec>,
    pub(crate) guest: Option<Guest>,
}

impl VmSpec {
    /// A Linux VM without addresses and without VPGs.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            identifier: None,
            ips: Vec::new(),
            guest_os: "Ubuntu Linux (64-bit)".to_owned(),
            vpgs: Vec::new(),
            guest: None,
        }
    }

    /// Its files, in place of the few of [`Guest::linux`] or [`Guest::windows`].
    #[must_use]
    pub fn guest(mut self, guest: Guest) -> Self {
        self.guest = Some(guest);
        self
    }

    /// Adds an address.
    #[must_use]
    pub fn ip(mut self, ip: &str) -> Self {
        self.ips.push(ip.to_owned());
        self
    }

    /// Its guest's system.
    #[must_use]
    pub fn guest_os(mut self, name: &str) -> Self {
        name.clone_into(&mut self.guest_os);
        self
    }

    /// Its identifier, where the next free one won't do.
    #[must_use]
    pub fn identifier(mut self, identifier: &str) -> Self {
        self.identifier = Some(identifier.to_owned());
        self
    }

    /// Puts it into a VPG: the one of that name if there is one already, else a new one.
    #[must_use]
    pub fn vpg(mut self, vpg: VpgSpec) -> Self {
        self.vpgs.push(vpg);
        self
    }
}
