//! `zerto-guard rewind recover TAG:PATH`: a file, or a folder, as it was at the tag.

use super::super::Context;
use super::at_tag::AtTag;
use crate::errands::recover;
use crate::rewind::error::RewindError;
use crate::rewind::goal::shown;
use crate::rewind::recover::Order;
use crate::ui::Failure;
use clap::Args;
use std::io;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind recover latest:/etc/app.yaml
  zerto-guard rewind recover chg-412:/etc/nginx --recursive --output /tmp/nginx-before
  zerto-guard rewind recover 'latest~1:C:\\Users\\j\\app.conf' --vm win01 --output app.conf --force

It mounts the disks of the VM as they were at the tag, after a yes on the terminal or with --yes, and unmounts them whatever
happens. The file comes whole or not at all; nothing is written into the guest: the line that would put it back is shown.
Exit codes: 0 done; 1 the transfer failed; 3 no such tag, VM or file; 4 more than one; 5 not confirmed, or something stands at
the goal; 6 the ZVM can't be reached, is not trusted, or refused the login or the right; 130 and 143 after a signal, once
everything is unmounted.")]
pub struct Recover {
    #[command(flatten)]
    at: AtTag,
    /// Where it goes [default: into this folder, under its own name]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Bring a folder too, file by file
    #[arg(short, long)]
    recursive: bool,
    /// Replace a file that stands there, and keep it beside the new one
    #[arg(short, long)]
    force: bool,
}

impl Recover {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let desk = context.desk()?;
        let front = context.front(self.at.yes);
        let (found, path) = self.at.find(&desk, front.as_ref())?;
        let goal = match self.output {
            Some(output) => output,
            None => Order::own_name(&path).map_err(RewindError::Save)?,
        };
        let order = Order { path, goal, recursive: self.recursive, force: self.force };
        let done = recover::run(&front, &desk, &found, &order, None)?;
        let said = context.printer.result(&done.text, &done.object);
        said.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => error.into(),
            _ => Failure::new(
                1,
                format!(
                    "{} has come, but what there is to say of it could not be written: {error}",
                    shown(&order.goal)
                ),
                "",
            ),
        })?;
        Ok(0)
    }
}
