//! `zerto-guard rewind …`: how a human gets back what an agent's change has broken.

mod at_tag;
mod cat;
mod clone;
mod diff;
mod end_session;
mod log;
mod looking;
mod ls;
mod recover;
mod sessions;
mod show;
mod stop_test;
mod test_failover;

use super::Context;
use crate::ui::Failure;
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind log web01
  zerto-guard rewind diff latest:/etc/app.yaml
  zerto-guard rewind recover latest:/etc/app.yaml

`zerto-guard help rewind COMMAND` has the exit codes of each.")]
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
    /// List a guest's folder as it was at the tag
    Ls(ls::Ls),
    /// Write a guest's file as it was at the tag to stdout
    Cat(cat::Cat),
    /// What has changed in a guest's file since the tag
    Diff(diff::Diff),
    /// Bring a file, or a folder, as it was at the tag
    Recover(recover::Recover),
    /// File level restore sessions; by default only those that still hold a mount
    Sessions(sessions::List),
    /// End a file level restore session
    EndSession(end_session::End),
    /// Clone a whole VPG as it was, beside its VMs
    Clone(clone::Clones),
    /// Start a failover test of a whole VPG as it was; it runs until it is stopped
    TestFailover(test_failover::TestFailover),
    /// Stop the failover test of a VPG
    StopTest(stop_test::StopTest),
}

impl Rewind {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        match self.command {
            Command::Log(log) => log.run(context),
            Command::Ls(ls) => ls.run(context),
            Command::Cat(cat) => cat.run(context),
            Command::Diff(diff) => diff.run(context),
            Command::Recover(recover) => recover.run(context),
            Command::Show(show) => show.run(context),
            Command::Sessions(list) => list.run(context),
            Command::EndSession(end) => end.run(context),
            Command::Clone(clones) => clones.run(context),
            Command::TestFailover(test) => test.run(context),
            Command::StopTest(stop) => stop.run(context),
        }
    }
}
