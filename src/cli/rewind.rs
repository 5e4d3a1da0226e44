//! `zerto-guard rewind …`: how a human gets back what an agent's change has broken.

mod cat;
mod diff;
mod log;
mod looking;
mod ls;
mod mounting;
mod recover;

use super::Context;
use crate::config::Config;
use crate::rewind::desk::Desk;
use crate::rewind::error::RewindError;
use crate::state::StateDir;
use crate::ui::Failure;
use clap::{Args, Subcommand};
use std::sync::Arc;

#[derive(Debug, Args)]
pub struct Rewind {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The tags of a VM's VPGs, or of all, newest first
    Log(log::Log),
    /// List a guest's folder as it was at the tag
    Ls(ls::Ls),
    /// Write a guest's file as it was at the tag to stdout
    Cat(cat::Cat),
    /// What has changed in a guest's file since the tag
    Diff(diff::Diff),
    /// Bring a file, or a folder, as it was at the tag
    Recover(recover::Recover),
}

impl Rewind {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        match self.command {
            Command::Log(log) => log.run(context),
            Command::Ls(ls) => ls.run(context),
            Command::Cat(cat) => cat.run(context),
            Command::Diff(diff) => diff.run(context),
            Command::Recover(recover) => recover.run(context),
        }
    }
}

/// The configured ZVMs, those that are there for recovery only too.
fn desk(config: &Config, context: &Context) -> Result<Arc<Desk>, Failure> {
    Ok(Desk::new(config, StateDir::at(context.files.state.clone()))?)
}

impl From<RewindError> for Failure {
    fn from(error: RewindError) -> Self {
        Self::new(error.exit_code(), error.to_string(), error.hint())
    }
}
