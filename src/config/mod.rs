//! What a person has set: `config.toml` as validated values.

pub mod permissions;
pub mod secret;

use secret::SecretSource;
use std::path::PathBuf;

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
