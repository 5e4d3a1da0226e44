//! `zerto-guard rewind …`: how a human gets back what an agent's change has broken.

mod log;

use super::Context;
use crate::config::Config;
use crate::deadline::Deadline;
use crate::guard::Appliance;
use crate::rewind::error::RewindError;
use crate::state::StateDir;
use crate::ui::Failure;
use crate::zvm::client::Zvm;
use clap::{Args, Subcommand};
use std::time::Duration;

#[derive(Debug, Args)]
pub struct Rewind {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The tags of a VM's VPGs, or of all, newest first
    Log(log::Log),
}

impl Rewind {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        match self.command {
            Command::Log(log) => log.run(context),
        }
    }
}

/// How long the ZVMs may take for a look through their journals.
const PATIENCE: Duration = Duration::from_secs(600);

/// Every configured ZVM, those that are there for recovery only too.
fn appliances(config: &Config, context: &Context) -> Result<Vec<Box<dyn Appliance>>, Failure> {
    let state = StateDir::at(context.files.state.clone());
    let deadline = Deadline::after(PATIENCE);
    let mut appliances: Vec<Box<dyn Appliance>> = Vec::new();
    for zvm in &config.zvms {
        appliances.push(Box::new(Zvm::new(zvm, &state, deadline).map_err(RewindError::Zvm)?));
    }
    Ok(appliances)
}

impl From<RewindError> for Failure {
    fn from(error: RewindError) -> Self {
        Self::new(error.exit_code(), error.to_string(), error.hint())
    }
}
