//! What every recovery works with: the configured ZVMs, how names are understood, the state folder.
//!
//! Owns: the clients, those that are there for recovery only too. Must not: ask a ZVM anything by itself.

use super::error::RewindError;
use crate::config::{Config, Login, ZvmConfig};
use crate::deadline::Deadline;
use crate::state::StateDir;
use crate::zvm::{Zvm, ZvmError};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// A recovery has no deadline of its own, since a file may be of any size: each question to a ZVM has one, and each wait.
const NO_DEADLINE: Duration = Duration::from_secs(7 * 86_400);

/// A ZVM may ask for a pause of any length (`Retry-After`), and somebody sits at the terminal: beyond this they are told.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// What every recovery works with. Nothing is connected before it is asked.
#[derive(Debug)]
pub struct Desk {
    /// Every configured ZVM, in the config's order.
    pub zvms: Vec<Arc<Zvm>>,
    /// `[hosts]` of the config.
    pub hosts: BTreeMap<String, String>,
    /// `[paths]` of the config.
    pub paths: BTreeMap<String, String>,
    /// The state folder.
    pub state: StateDir,
    configs: Vec<ZvmConfig>,
}

impl Desk {
    /// The desk of this configuration.
    ///
    /// # Errors
    /// No ZVM is configured, or what one is trusted by can't be read.
    pub fn new(config: &Config, state: StateDir) -> Result<Arc<Self>, RewindError> {
        if config.zvms.is_empty() {
            return Err(RewindError::NoZvm);
        }
        let client = |zvm| {
            let client = Zvm::new(zvm, &state, Deadline::after(NO_DEADLINE))?;
            Ok(Arc::new(client.pausing_at_most(LONGEST_PAUSE)))
        };
        let zvms = config.zvms.iter().map(client).collect::<Result<_, _>>().map_err(RewindError::Zvm)?;
        let (hosts, paths) = (config.hosts.clone(), config.paths.clone());
        Ok(Arc::new(Self { zvms, hosts, paths, state, configs: config.zvms.clone() }))
    }

    /// The ZVM at that position.
    ///
    /// # Errors
    /// There is none: a fault of this program.
    pub fn zvm(&self, position: usize) -> Result<&Arc<Zvm>, RewindError> {
        self.zvms.get(position).ok_or_else(|| RewindError::Zvm(RewindError::broken_off()))
    }

    /// Another client of the same ZVM, with connections of its own: for what is still to be said once the first one has
    /// been made to hang up.
    ///
    /// # Errors
    /// What the ZVM is trusted by can't be read any more.
    pub fn another(&self, position: usize, deadline: Deadline) -> Result<Zvm, ZvmError> {
        let config = self.configs.get(position).ok_or_else(RewindError::broken_off)?;
        Ok(Zvm::new(config, &self.state, deadline)?.pausing_at_most(LONGEST_PAUSE))
    }

    /// The name by which a ZVM knows this tool's user.
    #[must_use]
    pub fn user(&self, position: usize) -> &str {
        match self.configs.get(position).map(|config| &config.login) {
            Some(Login::Password { username, .. }) => username,
            Some(Login::Client { client_id, .. }) => client_id,
            None => "",
        }
    }
}
