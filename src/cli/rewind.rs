//! `zerto-guard rewind …`: how a human gets back what an agent's change has broken.

mod ask;
mod end_session;
mod log;
mod narrow;
mod sessions;
mod show;
mod words;

use super::Context;
use crate::config::Config;
use crate::deadline::Deadline;
use crate::guard::Appliance;
use crate::rewind::end::EndError;
use crate::rewind::error::RewindError;
use crate::state::StateDir;
use crate::ui::Failure;
use crate::zvm::client::Zvm;
use clap::{Args, Subcommand};
use std::sync::Arc;
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
    /// One tag: every VPG's checkpoint, whether files can be recovered from it, where, and why not
    Show(show::Show),
    /// File level restore sessions; by default only those that still hold a mount
    Sessions(sessions::List),
    /// End a file level restore session
    EndSession(end_session::End),
}

impl Rewind {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        match self.command {
            Command::Log(log) => log.run(context),
            Command::Show(show) => show.run(context),
            Command::Sessions(list) => list.run(context),
            Command::EndSession(end) => end.run(context),
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

/// Every configured ZVM.
fn zvms(config: &Config, context: &Context) -> Result<Vec<Arc<Zvm>>, Failure> {
    let state = StateDir::at(context.files.state.clone());
    let deadline = Deadline::after(PATIENCE);
    let zvm = |zvm| Ok(Arc::new(Zvm::new(zvm, &state, deadline).map_err(RewindError::Zvm)?));
    config.zvms.iter().map(zvm).collect()
}

impl From<EndError> for Failure {
    fn from(error: EndError) -> Self {
        Self::new(error.exit_code(), error.to_string(), error.hint())
    }
}

impl From<RewindError> for Failure {
    fn from(error: RewindError) -> Self {
        Self::new(error.exit_code(), error.to_string(), error.hint())
    }
}
