//! What a person has set: `config.toml` as validated values.

pub mod files;
pub mod permissions;
pub mod pin;
pub mod read;
pub mod secret;
pub mod trusted_file;
pub mod write;

use secret::SecretSource;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// One configured Zerto Virtual Manager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZvmConfig {
    /// The user's name for it.
    pub name: String,
    /// `https://host[:port]` (or `http://` to a loopback address where that was allowed), without a slash at the end.
    pub url: String,
    /// How to log in.
    pub login: Login,
    /// How its certificate is trusted.
    pub trust: Trust,
    /// Whether it is asked when a call is guarded; false for one that is there for recovery only.
    pub guards: bool,
    /// The only proxy that is ever used; none unless set here.
    pub proxy: Option<String>,
}

/// How to log in to the ZVM's Keycloak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Login {
    /// Password grant, with the client `zerto-client`.
    Password {
        /// The user's name.
        username: String,
        /// Where the password comes from.
        password: SecretSource,
    },
    /// Client-credentials grant.
    Client {
        /// The confidential client's identifier.
        client_id: String,
        /// Where its secret comes from.
        secret: SecretSource,
    },
}

/// How a ZVM's certificate is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// The SHA-256 of the certificate itself; name and validity are not looked at.
    Pin([u8; 32]),
    /// Signed by one of the certificates of this PEM file.
    CaFile(PathBuf),
    /// Signed by a public authority (nothing was set).
    PublicRoots,
    /// Not checked at all, by the user's explicit wish.
    Insecure,
}

/// Everything a person has set, the administrator's word first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// The ZVMs; the first is the default.
    pub zvms: Vec<ZvmConfig>,
    /// How calls are guarded.
    pub guard: GuardConfig,
    /// `[hosts]`: host or address (lower case, no dot at its end) to VM name or identifier.
    pub hosts: BTreeMap<String, String>,
    /// Globs, in lower case, of machines that a human has left out.
    pub unguarded: Vec<String>,
    /// `[mounts]`: a local folder that is a guest's disk.
    pub mounts: BTreeMap<String, String>,
    /// `[paths]`: `VM:/path` to its place in the FLR name space.
    pub paths: BTreeMap<String, String>,
}

/// `[guard]` of the config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardConfig {
    /// How long a call may be held before it is denied.
    pub deadline: Duration,
    /// What happens to an unknown call.
    pub unknown: UnknownPolicy,
    /// Whether calls are stopped at all.
    pub mode: Mode,
    /// The agent's name in the tag; by default the host's.
    pub agent: Option<String>,
    /// How young a tag of the same VM, agent and change has to be to serve another call; off unless set.
    pub reuse: Option<Duration>,
    /// The guest in which the agent itself runs.
    pub this_vm: Option<String>,
}

impl Default for GuardConfig {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(120),
            unknown: UnknownPolicy::Ask,
            mode: Mode::Enforce,
            agent: None,
            reuse: None,
            this_vm: None,
        }
    }
}

/// What happens to an unknown call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownPolicy {
    /// It is stopped with a question.
    Ask,
    /// It is guarded without a question where its guest is known.
    Guard,
}

/// Whether calls are stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// They are.
    Enforce,
    /// They are judged and the user is told; nothing is inserted, and only garbage and self-harm is stopped.
    Observe,
}
