//! `TAG`, `--vm` and `--vpg` on the command line.

use super::super::Context;
use super::super::guard::while_waiting;
use crate::config::Config;
use crate::rewind::error::RewindError;
use crate::rewind::log::{self, Filter, Log};
use crate::rewind::select::{Tagged, Wanted, select};
use crate::ui::Failure;
use clap::Args;
use jiff::Timestamp;

#[derive(Debug, Args)]
pub struct Narrowing {
    /// Only tags of this VM's VPGs
    #[arg(long, value_name = "NAME")]
    pub vm: Option<String>,
    /// Only this VPG: its name or identifier
    #[arg(long, value_name = "NAME")]
    pub vpg: Option<String>,
}

/// A tag, and what was read to find it.
pub(super) struct FoundTag {
    pub tagged: Tagged,
    pub log: Log,
}

impl Narrowing {
    pub(super) fn find(&self, text: &str, config: &Config, context: &Context) -> Result<FoundTag, Failure> {
        let appliances = super::appliances(config, context)?;
        let quiet = context.printer.is_json();
        let filter = Filter { all_tags: true, ..Filter::default() };
        let mut log = while_waiting(quiet, "reading the journals", super::PATIENCE, || {
            log::log(self.vm.as_deref(), &filter, &config.hosts, &appliances, Timestamp::now())
        })?;
        if let Some(wanted) = &self.vpg {
            let is = |vpg: &str, identifier: &str| {
                vpg.eq_ignore_ascii_case(wanted) || identifier.eq_ignore_ascii_case(wanted)
            };
            for tagged in &mut log.tags {
                tagged.places.retain(|place| is(&place.vpg, &place.vpg_identifier));
            }
            log.tags.retain(|tagged| !tagged.places.is_empty());
        }
        let tagged = select(&log.tags, &Wanted::parse(text)).map_err(RewindError::Tag)?.clone();
        Ok(FoundTag { tagged, log })
    }
}
