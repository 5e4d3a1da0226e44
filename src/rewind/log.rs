//! The tags of the journals, newest first.
//!
//! Zerto lists a journal's checkpoints without pages, one every few seconds (OpenAPI 10.0 U6), so it is asked for in
//! windows of time, and of each only what has a tag is kept. Must not: mount anything.

use super::error::RewindError;
use super::journals::{Journal, Journals, journals, learn};
use super::select::{Listed, Tagged, joined};
use crate::guard::side_by_side::side_by_side;
use crate::guard::tag;
use crate::zvm::Zvm;
use crate::zvm::error::ZvmError;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is asked for at once: some 8,600 checkpoints where one is made every five seconds, one MiB of answer or two.
const WINDOW: SignedDuration = SignedDuration::from_hours(12);

/// How far back a journal is read whose length its ZVM does not tell: Zerto keeps at most 30 days.
const LONGEST_JOURNAL: SignedDuration = SignedDuration::from_hours(30 * 24);

/// More than the journal's length is asked for: checkpoints are dropped after a while, and clocks differ.
const MARGIN: SignedDuration = SignedDuration::from_hours(2);

/// Which tags are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Those of this agent.
    pub agent: Option<String>,
    /// Those of this change.
    pub change: Option<String>,
    /// Not older than this.
    pub since: Option<Timestamp>,
    /// Not younger than this.
    pub until: Option<Timestamp>,
    /// Those too that somebody else's tool made, or that name other VMs of the same VPG.
    pub all_tags: bool,
    /// The checkpoint with this identifier too, tagged or not.
    pub checkpoint: Option<String>,
    /// Those in this VPG, by its name or its identifier: no other journal is read.
    pub vpg: Option<String>,
}

/// What the journals hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Log {
    /// The tags, newest first.
    pub tags: Vec<Tagged>,
    /// The journals that were read.
    pub journals: Vec<Journal>,
    /// What could not be read.
    pub warnings: Vec<String>,
}

impl Log {
    /// When the journal lets go of a checkpoint made at `time`, as far as its length is known.
    #[must_use]
    pub fn kept_until(&self, place: &Listed) -> Option<Timestamp> {
        let journal = self.journals.iter().find(|journal| journal.identifier == place.vpg_identifier)?;
        let minutes = i64::try_from(journal.vpg.as_ref()?.journal_minutes?).ok()?;
        place.time?.checked_add(SignedDuration::from_mins(minutes)).ok()
    }
}

/// Reads the journals of a VM's VPGs, or of all.
///
/// # Errors
/// No ZVM answered, or there is no such VM, or several, or no such VPG; a journal that can't be read is a warning, unless all are.
pub fn log(
    vm: Option<&str>,
    filter: &Filter,
    hosts: &BTreeMap<String, String>,
    appliances: &[Arc<Zvm>],
    now: Timestamp,
) -> Result<Log, RewindError> {
    let mut journals = journals(vm, hosts, appliances)?;
    if let Some(vpg) = &filter.vpg {
        only(vpg, &mut journals, appliances)?;
    } else {
        learn(&mut journals, appliances);
    }
    let Journals { found, mut warnings } = journals;
    let read = side_by_side(&found, |journal| read(journal, filter, appliances, now));
    let (mut listed, mut errors) = (Vec::new(), Vec::new());
    for answer in read {
        match answer.unwrap_or_else(|| Err(RewindError::broken_off())) {
            Ok(tags) => listed.extend(tags),
            Err(error) => errors.push(error),
        }
    }
    if errors.len() == found.len()
        && let Some(error) = errors.first()
    {
        return Err(RewindError::Zvm(error.clone()));
    }
    warnings.extend(errors.into_iter().map(|error| error.message));
    let mut tags = joined(listed);
    let names = vm.map(|_| names(&found));
    tags.retain(|tagged| wanted(tagged, filter, names.as_deref()));
    warnings.dedup();
    Ok(Log { tags, journals: found, warnings })
}

/// Leaves that VPG's journal alone, and learns how it is kept.
fn only(vpg: &str, journals: &mut Journals, appliances: &[Arc<Zvm>]) -> Result<(), RewindError> {
    let is_it = |journal: &Journal| {
        journal.identifier.eq_ignore_ascii_case(vpg) || journal.name.to_lowercase() == vpg.to_lowercase()
    };
    let known: Vec<String> = journals.found.iter().map(|journal| journal.name.clone()).collect();
    // A name that a row does not tell is learnt.
    journals.found.retain(|journal| is_it(journal) || journal.name.is_empty());
    learn(journals, appliances);
    journals.found.retain(is_it);
    if journals.found.is_empty() {
        return Err(RewindError::NoVpg { vpg: vpg.to_owned(), known });
    }
    Ok(())
}

/// The names of the VMs in these journals, as tags spell them.
fn names(journals: &[Journal]) -> Vec<String> {
    journals.iter().flat_map(|journal| &journal.vms).map(|vm| tag::vm_name(&vm.name)).collect()
}

impl Log {
    /// Its tags without those that somebody else's tool made and, where a VM was asked for, those that name other VMs.
    #[must_use]
    pub fn plain(&self, of_a_vm: bool) -> Vec<Tagged> {
        let names = of_a_vm.then(|| names(&self.journals));
        self.tags.iter().filter(|tagged| wanted(tagged, &Filter::default(), names.as_deref())).cloned().collect()
    }
}

fn wanted(tagged: &Tagged, filter: &Filter, names: Option<&[String]>) -> bool {
    let Some(says) = &tagged.says else {
        return filter.all_tags && filter.agent.is_none() && filter.change.is_none();
    };
    // A tag that had no room for all of its VMs may be of this one.
    let of_it = names.is_none_or(|names| {
        says.more > 0 || says.vms.iter().any(|vm| names.iter().any(|name| vm.eq_ignore_ascii_case(name)))
    });
    let agent = filter.agent.as_ref().is_none_or(|agent| says.agent.eq_ignore_ascii_case(&tag::agent_name(agent)));
    let change = filter.change.as_ref().is_none_or(|change| says.change == tag::change_id(change));
    (of_it || filter.all_tags) && agent && change
}

/// The tags of one journal, asked of the first ZVM that answers.
fn read(journal: &Journal, filter: &Filter, appliances: &[Arc<Zvm>], now: Timestamp) -> Result<Vec<Listed>, ZvmError> {
    let length =
        journal.vpg.as_ref().and_then(|vpg| vpg.journal_minutes).and_then(|minutes| i64::try_from(minutes).ok());
    let length = length.map_or(LONGEST_JOURNAL, SignedDuration::from_mins).saturating_add(MARGIN);
    let by_settings = now.saturating_sub(length).unwrap_or(Timestamp::UNIX_EPOCH);
    let until = filter.until;
    let mut error = None;
    for appliance in journal.zvms.iter().filter_map(|zvm| appliances.get(*zvm)) {
        let (begin, reached) = reach(appliance, journal, filter.since, by_settings, now);
        let from = filter.since.unwrap_or(Timestamp::MIN);
        match windows(appliance, journal, filter.checkpoint.as_deref(), (begin, from, until), reached) {
            Ok(tags) => return Ok(tags),
            Err(why) => error = Some(why),
        }
    }
    Err(error.unwrap_or_else(RewindError::broken_off))
}

/// Where reading begins, and until where windows are asked for one by one: from the journal's oldest checkpoint to its newest,
/// as its ZVM says. It may be younger than its length by the settings, and its clock may be years behind this machine's, which
/// would be thousands of empty windows. Where the ZVM does not say, the settings and our clock do.
fn reach(
    appliance: &Zvm,
    journal: &Journal,
    since: Option<Timestamp>,
    by_settings: Timestamp,
    now: Timestamp,
) -> (Timestamp, Timestamp) {
    if let Some(since) = since.filter(|since| *since >= by_settings) {
        return (since, now);
    }
    let span = appliance.journal_span(&journal.identifier).ok().flatten();
    let (oldest, newest) = span.map_or((None, None), |(oldest, newest)| (oldest.time, newest.time));
    let begin = oldest.and_then(|oldest| oldest.checked_sub(MARGIN).ok()).unwrap_or(by_settings);
    let reached = newest.and_then(|newest| newest.checked_add(MARGIN).ok()).map_or(now, |newest| newest.min(now));
    (since.map_or(begin, |since| since.max(begin)), reached)
}

/// Reads from `begin` on; what is listed is not older than `from`, and not younger than `until`. Past `reached` there is little
/// to come, which is asked for at once.
fn windows(
    appliance: &Zvm,
    journal: &Journal,
    asked_for: Option<&str>,
    (mut begin, from, until): (Timestamp, Timestamp, Option<Timestamp>),
    reached: Timestamp,
) -> Result<Vec<Listed>, ZvmError> {
    let mut tags: Vec<Listed> = Vec::new();
    loop {
        let end = begin.saturating_add(WINDOW).unwrap_or(Timestamp::MAX);
        // The last window is open: the ZVM's clock may be ahead of this machine's.
        let last = end >= until.map_or(reached, |until| until.min(reached));
        let asked_until = if last { until } else { Some(end) };
        for checkpoint in appliance.checkpoints(&journal.identifier, begin, asked_until)? {
            let untagged = || {
                let is_it = asked_for == Some(checkpoint.identifier.as_str());
                is_it.then(|| format!("checkpoint {} of {}, without a tag", checkpoint.identifier, journal.name))
            };
            let tag = checkpoint.tag.clone().filter(|tag| !tag.trim().is_empty());
            let Some(tag) = tag.or_else(untagged) else { continue };
            // How a ZVM takes the ends of a span is not documented: neither is trusted, and none is listed twice.
            let inside = checkpoint.time.is_none_or(|time| time >= from && until.is_none_or(|until| time <= until));
            if inside && !tags.iter().any(|known| known.checkpoint == checkpoint.identifier) {
                tags.push(Listed {
                    vpg: journal.name.clone(),
                    vpg_identifier: journal.identifier.clone(),
                    checkpoint: checkpoint.identifier,
                    time: checkpoint.time,
                    tag,
                });
            }
        }
        if last {
            return Ok(tags);
        }
        begin = end;
    }
}
