//! What can be set about the simulated ZVM: times, and a choice wherever the real behaviour is unknown.
//!
//! Owns the values and their defaults; each says where its default comes from.

use std::time::Duration;

use crate::flr::settings::{FlrSettings, RecoverySettings};

/// How the filter `vmName` of `GET /v1/vms` compares. Case never counts (Zerto's help). Whether the whole name has to
/// match is unknown; chosen: a part of it will do, since a client that trusts the filter then meets too many rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum NameMatch {
    /// A part of the name.
    #[default]
    Substring,
    /// The whole name.
    Whole,
    /// The filter is ignored: every row comes.
    Ignored,
}

/// How the keys of bodies are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Casing {
    /// `VmName`: what recorded bodies and published clients of 10.x have.
    #[default]
    Pascal,
    /// `vmName`: what the OpenAPI file of 10.0 U6 says.
    Camel,
}

/// How dates are written in bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum DateForm {
    /// `2026-09-21T15:04:05.123Z`: recorded bodies from 7.x on.
    #[default]
    Iso,
    /// `/Date(1520423877045)/`: older help pages.
    Ticks,
}

/// What answers an insert that the VPG's state doesn't allow. Unknown; chosen: a failed task, as measured for a busy
/// VPG on a live ZVM 10.x.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Refusal {
    /// 200 with a task that ends Failed.
    #[default]
    FailedTask,
    /// That status, at once.
    Http(u16),
}

/// The settings. Those that are durations may be changed while the simulator runs, and so may the others.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Settings {
    /// Life of an access token. Sources disagree (60 s to 5 min); chosen: 60 s, the shortest.
    pub token_life: Duration,
    /// Life of a refresh token. Unknown; chosen: 30 min, Keycloak's default.
    pub refresh_life: Duration,
    /// How long a token request takes. What makes the race below more than a matter of luck.
    pub token_time: Duration,
    /// Two token requests in flight at the same time: one gets 401 (measured on a live ZVM 10.x).
    pub token_race: bool,
    /// A token asked for without `scope=openid` is issued, and then refused by the API (Zerto In-Cloud's quick start;
    /// for a ZVM sources disagree, so off by default).
    pub requires_openid_scope: bool,
    /// See [`NameMatch`].
    pub name_match: NameMatch,
    /// See [`Casing`].
    pub casing: Casing,
    /// See [`DateForm`].
    pub dates: DateForm,
    /// Leaves out what the OpenAPI file of 10.0 U6 doesn't have (`VmIdentifier`, `VpgIdentifier`, `TaskIdentifier`,
    /// `SiteIdentifier`, …), so that ids have to come from `Link`.
    pub sparse: bool,
    /// Lists checkpoints by time. Off by default: no order is documented, and Zerto's own SDK doesn't trust one.
    pub ordered_checkpoints: bool,
    /// How long an insert's task is InProgress.
    pub insert_time: Duration,
    /// From the task's completion to the tag's appearance in the listing.
    pub listing_delay: Duration,
    /// How long a task id that was just returned answers 404. Unknown whether it ever does; zero by default.
    pub task_visibility_delay: Duration,
    /// See [`Refusal`].
    pub refusal: Refusal,
    /// Whether an insert at the recovery side's ZVM works. Unknown; chosen: it doesn't.
    pub recovery_side_inserts: bool,
    /// Status of the answers for a VM, VPG or task that isn't there. Unknown; chosen: 404.
    pub not_found_status: u16,
    /// Status when a VM is in several VPGs and the call doesn't say which. Unknown; chosen: 400.
    pub ambiguous_vm_status: u16,
    /// The ZVM's clock minus this machine's, in milliseconds.
    pub clock_offset_ms: i64,
    /// The ZVM's time zone: query dates without a `Z` are read in it (Zerto's help).
    pub utc_offset_minutes: i32,
    /// From one automatic checkpoint to the next (about 5 s: Zerto's forum and help). Zero: none are made.
    pub auto_checkpoint_every: Duration,
    /// About file restore.
    pub flr: FlrSettings,
    /// About clones and failover tests.
    pub recovery: RecoverySettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            token_life: Duration::from_secs(60),
            refresh_life: Duration::from_secs(1800),
            token_time: Duration::from_millis(20),
            token_race: true,
            requires_openid_scope: false,
            name_match: NameMatch::default(),
            casing: Casing::default(),
            dates: DateForm::default(),
            sparse: false,
            ordered_checkpoints: false,
            insert_time: Duration::from_millis(50),
            listing_delay: Duration::from_millis(20),
            task_visibility_delay: Duration::ZERO,
            refusal: Refusal::default(),
            recovery_side_inserts: false,
            not_found_status: 404,
            ambiguous_vm_status: 400,
            clock_offset_ms: 0,
            utc_offset_minutes: -240,
            auto_checkpoint_every: Duration::from_secs(5),
            flr: FlrSettings::default(),
            recovery: RecoverySettings::default(),
        }
    }
}
