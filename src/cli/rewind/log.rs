//! `zerto-guard rewind log`: the tags, newest first.

use super::super::Context;
use super::super::moment::moment;
use crate::errands::log;
use crate::rewind::log::Filter;
use crate::ui::{Failure, Tone, pager, terminal};
use clap::Args;
use jiff::Timestamp;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerto-guard rewind log web01
  zerto-guard rewind log --agent claude --since 2d
  zerto-guard rewind log web01 --since 2026-09-21T15:00:00Z --json

KEPT is how long the VPG's journal will still hold the checkpoint. ENDED is how the call ended, by this machine's audit log:
`not seen` if nobody told, `-` if the log doesn't know the tag (another machine's). Times are UTC.
Exit codes: 0 listed, or there is no tag; 3 no such VM; 4 it is more than one VM; 6 no ZVM can be reached.")]
pub struct Log {
    /// The VM: its name, its vmIdentifier, or a host name or address [default: all]
    vm: Option<String>,
    /// Only what this agent did
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Only this change
    #[arg(long, value_name = "ID")]
    change: Option<String>,
    /// Not older: 90m, 2d, or 2026-09-21T15:00:00Z
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Not younger: 90m, 2d, or 2026-09-21T15:00:00Z
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Other tools' tags too, and those of other VMs in the same VPGs
    #[arg(long)]
    all_tags: bool,
}

impl Log {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let now = Timestamp::now();
        let filter = Filter {
            agent: self.agent,
            change: self.change.map(|change| change.strip_prefix("change=").unwrap_or(&change).to_owned()),
            since: self.since.map(|text| moment("--since", &text, now)).transpose()?,
            until: self.until.map(|text| moment("--until", &text, now)).transpose()?,
            all_tags: self.all_tags,
            checkpoint: None,
            vpg: None,
        };
        let desk = context.desk()?;
        let done = log::run(context.front(false).as_ref(), &desk, self.vm.as_deref(), &filter, now)?;
        if done.text.is_empty() && !context.printer.is_json() {
            context.printer.note("no tag; `--all-tags` shows what other tools have tagged");
        }
        if context.printer.is_json() || done.text.is_empty() {
            return context.show(&done);
        }
        let width = terminal::width();
        let mut lines = done.text.lines().map(|line| terminal::cut(line, width));
        let head = lines.next().map(|line| context.printer.paint(Tone::Strong, &line)).unwrap_or_default();
        let text = std::iter::once(head).chain(lines).collect::<Vec<_>>().join("\n");
        pager::show(&text, &mut context.printer)?;
        Ok(0)
    }
}
