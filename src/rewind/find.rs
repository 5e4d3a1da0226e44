//! From what a person typed to one checkpoint of one VM in one VPG, at the ZVM that can mount it.
//!
//! Files are restored at the recovery site (measured on a live ZVM 10.x), so the ZVM is the one, among those configured,
//! that is local to the VPG's recovery site. Must not: mount or change anything.

use super::desk::Desk;
use super::error::{Elsewhere, RewindError};
use super::journals::{Journal, Member, different};
use super::log::{self, Filter, Log};
use super::path::GuestPath;
use super::select::{Listed, Tagged, Unsure, Wanted, parted, select};
use super::session::{is_running, sessions_text};
use super::site::{Recovers, UNNAMED_SITE, recovers, site_name};
use crate::guard::tag;
use crate::text::{clean, foreign};
use crate::zvm::model::{FlrSession, PointInTime, Vpg};
use crate::zvm::{Zvm, ZvmError};
use jiff::{SignedDuration, Timestamp};

/// What narrows a tag that is not told apart by itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Narrow {
    /// `--vm`: a name, an identifier, a host name or an address.
    pub vm: Option<String>,
    /// `--vpg`: a name or an identifier.
    pub vpg: Option<String>,
}

/// A tag, and where it was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundTag {
    /// The tag, with its places in the VPG that was named, or in all.
    pub tagged: Tagged,
    /// The journals that were read.
    pub log: Log,
    /// Whether its VPG was named, so that no other one is meant.
    pub vpg_named: bool,
}

/// One checkpoint of one VM in one VPG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The tag.
    pub tagged: Tagged,
    /// Its checkpoint.
    pub place: Listed,
    /// The VM.
    pub vm: Member,
    /// The VPG as the ZVM of its recovery site sees it.
    pub vpg: Vpg,
    /// The position of that ZVM.
    pub zvm: usize,
    /// What should be known beforehand.
    pub warnings: Vec<String>,
}

/// The tag that is meant.
///
/// # Errors
/// There is none, or more than one, or the journals can't be read.
pub fn tag(desk: &Desk, text: &str, narrow: &Narrow) -> Result<FoundTag, RewindError> {
    let wanted = Wanted::parse(text);
    let mut last = None;
    for span in spans(&wanted) {
        let found = within(desk, &wanted, narrow, span);
        match found {
            Err(ref error) if error.is_no_tag() => last = Some(found),
            found => return found,
        }
    }
    last.unwrap_or_else(|| Err(RewindError::Tag(Unsure::Nothing { wanted: text.to_owned() })))
}

/// The times to look at one after another, since a journal may hold half a million checkpoints: from when, until when.
fn spans(wanted: &Wanted) -> Vec<(Option<Timestamp>, Option<Timestamp>)> {
    const DAY: SignedDuration = SignedDuration::from_hours(24);
    let all = (None, None);
    match wanted {
        // What is the newest of the last day is the newest of all.
        Wanted::Latest(_) => vec![(Timestamp::now().checked_sub(DAY).ok(), None), all],
        // A whole tag says when it was made, by a clock that need not be the ZVM's.
        Wanted::Named(text) => match tag::parse(text) {
            Some(says) => vec![(says.time.checked_sub(DAY).ok(), says.time.checked_add(DAY).ok()), all],
            None => vec![all],
        },
        Wanted::Change(_) => vec![all],
    }
}

fn within(
    desk: &Desk,
    wanted: &Wanted,
    narrow: &Narrow,
    (since, until): (Option<Timestamp>, Option<Timestamp>),
) -> Result<FoundTag, RewindError> {
    // A checkpoint's identifier is a number. One without a tag is nothing that a log shows, and can be restored from all the same.
    let checkpoint = match wanted {
        Wanted::Named(text) if text.chars().all(|c| c.is_ascii_digit()) => Some(text.clone()),
        _ => None,
    };
    let vpg = narrow.vpg.clone();
    let filter = Filter { since, until, all_tags: true, checkpoint, vpg, ..Filter::default() };
    let log = log::log(narrow.vm.as_deref(), &filter, &desk.hosts, &desk.zvms, Timestamp::now())?;
    let mut plain = log.plain(narrow.vm.is_some());
    if let Some(number) = &filter.checkpoint {
        // Whoever gives a number means a checkpoint, whether or not another VPG's of that number is an agent's.
        let numbered = |tagged: &&Tagged| tagged.places.iter().any(|place| place.checkpoint == *number);
        let more: Vec<Tagged> = log.tags.iter().filter(numbered).filter(|one| !plain.contains(one)).cloned().collect();
        plain.extend(more);
    }
    let tagged = match (select(&plain, wanted), wanted) {
        // A whole name may be one that somebody else's tool gave, or of a checkpoint that another VM's change needed.
        (Err(Unsure::Nothing { .. }), Wanted::Named(_)) => select(&log.tags, wanted),
        (selected, _) => selected,
    };
    let tagged = tagged.map_err(|unsure| match unsure {
        Unsure::Nothing { wanted } if !log.warnings.is_empty() => {
            RewindError::MaybeTag { wanted, warnings: log.warnings.clone() }
        }
        unsure => RewindError::Tag(unsure),
    })?;
    // All VPGs of a VM have its tags, so that one which can be read will do; of all VMs, the newest tag may be elsewhere.
    if matches!(wanted, Wanted::Latest(_)) && *narrow == Narrow::default() && !log.warnings.is_empty() {
        return Err(RewindError::MaybeLatest { wanted: wanted.shown(), warnings: log.warnings });
    }
    Ok(FoundTag { tagged, log, vpg_named: narrow.vpg.is_some() })
}

/// Parts `TAG:PATH`, and finds the tag.
///
/// # Errors
/// It has not that form, the path is none, or as for [`tag()`].
pub fn split(desk: &Desk, text: &str, narrow: &Narrow) -> Result<(FoundTag, GuestPath), RewindError> {
    let bad = |why: String| RewindError::Usage { given: text.to_owned(), why };
    let read = |path: &str| GuestPath::parse(path).map_err(|why| bad(why.to_string()));
    let (name, path) = parted(text, &[]).ok_or_else(|| bad("it is written TAG:PATH".to_owned()))?;
    let first = match read(path) {
        Ok(path) => match tag(desk, name, narrow) {
            Err(error) if error.is_no_tag() => error,
            found => return found.map(|found| (found, path)),
        },
        Err(error) => error,
    };
    // A name that somebody else gave may hold colons itself. That takes a listing, so it comes last.
    if text.matches(':').count() < 2 || tag::parse(name).is_some() {
        return Err(first);
    }
    let filter = Filter { all_tags: true, vpg: narrow.vpg.clone(), ..Filter::default() };
    let listed = log::log(narrow.vm.as_deref(), &filter, &desk.hosts, &desk.zvms, Timestamp::now())?;
    match parted(text, &listed.tags) {
        Some((whole, path)) if whole != name => Ok((tag(desk, whole, narrow)?, read(path)?)),
        _ => Err(first),
    }
}

/// The VM that is meant, and the VPG and the ZVM from which its files can be had.
///
/// # Errors
/// More than one VM is meant, or another tool's name stands in several of its VPGs; no configured ZVM is local to a recovery site; the ZVM says that it can't be mounted.
pub fn place(desk: &Desk, found: &FoundTag, narrow: &Narrow) -> Result<Found, RewindError> {
    let vm = member(found, narrow)?;
    let (mut usable, mut elsewhere, mut warnings) = (Vec::new(), Vec::new(), found.log.warnings.clone());
    for place in &found.tagged.places {
        let Some(journal) = found.log.journals.iter().find(|journal| journal.identifier == place.vpg_identifier) else {
            continue;
        };
        let Some(of_it) = journal.vms.iter().find(|known| known.identifier.eq_ignore_ascii_case(&vm.identifier)) else {
            continue;
        };
        match recovering(desk, journal, &mut warnings) {
            Ok((zvm, vpg)) => usable.push((zvm, place, vpg, of_it)),
            Err(site) => elsewhere.push(Elsewhere { vpg: journal.name.clone(), site }),
        }
    }
    // The same name of another tool is of another moment in each VPG.
    let of_vm: Vec<&Listed> = found.tagged.places.iter().filter(|place| holds(found, place, vm)).collect();
    if found.tagged.says.is_none() && of_vm.len() > 1 {
        let tagged = Tagged { places: of_vm.into_iter().cloned().collect(), ..found.tagged.clone() };
        return Err(RewindError::Tag(Unsure::Several { wanted: tagged.tag.clone(), tags: tagged.apart() }));
    }
    usable.sort_by(|one, other| (one.0, &one.1.vpg).cmp(&(other.0, &other.1.vpg)));
    if usable.is_empty() {
        return Err(RewindError::NoLocalZvm { vpgs: elsewhere, warnings });
    }
    let mut reasons = Vec::new();
    for (zvm, place, vpg, vm) in usable {
        // Of this machine's own recoveries one waits for the other, and a refusal may be older than the end of the other.
        let refusal = refusal(desk, zvm, place, vm)
            .filter(|_| !is_running(&desk.state, &vm.identifier))
            .and_then(|_| refusal(desk, zvm, place, vm));
        if let Some(why) = refusal {
            let why = clean(why.trim_end_matches('.'), 300);
            reasons.push(format!("VPG {}: {why}{}", foreign(&place.vpg, 80), live_text(desk, zvm, vm)));
            continue;
        }
        warnings.dedup();
        let (tagged, place, vm) = (found.tagged.clone(), place.clone(), vm.clone());
        return Ok(Found { tagged, place, vm, vpg, zvm, warnings });
    }
    let checkpoint = clean(&found.tagged.tag, 260);
    Err(RewindError::NotMountable { vm: vm.name.clone(), checkpoint, reasons })
}

/// Whether the VM is one of that VPG.
fn holds(found: &FoundTag, place: &Listed, vm: &Member) -> bool {
    let journal = found.log.journals.iter().find(|journal| journal.identifier == place.vpg_identifier);
    journal.is_some_and(|journal| journal.vms.iter().any(|known| known.identifier.eq_ignore_ascii_case(&vm.identifier)))
}

/// The VM of a tag.
fn member<'f>(found: &'f FoundTag, narrow: &Narrow) -> Result<&'f Member, RewindError> {
    let in_it = |journal: &&Journal| found.tagged.places.iter().any(|place| place.vpg_identifier == journal.identifier);
    let members: Vec<&Member> = found.log.journals.iter().filter(in_it).flat_map(|journal| &journal.vms).collect();
    let named = |member: &&&Member| match &found.tagged.says {
        // With --vm the journals hold that one alone. A tag without room for all its VMs may mean any.
        Some(says) if narrow.vm.is_none() && says.more == 0 => {
            says.vms.iter().any(|vm| vm.eq_ignore_ascii_case(&tag::vm_name(&member.name)))
        }
        _ => true,
    };
    let meant: Vec<&Member> = members.iter().filter(named).copied().collect();
    let vms = different(meant.iter().copied());
    let says = || found.tagged.says.as_ref().map(|says| says.vms.join(",")).unwrap_or_default();
    match (vms.as_slice(), meant.first()) {
        ([_], Some(vm)) => Ok(vm),
        ([], _) | (_, None) => Err(RewindError::VmGone { named: says(), tag: found.tagged.tag.clone() }),
        _ => Err(RewindError::SeveralVms { vm: found.tagged.tag.clone(), vms }),
    }
}

/// The ZVM that is local to the recovery site of a VPG; else the site's name.
fn recovering(desk: &Desk, journal: &Journal, warnings: &mut Vec<String>) -> Result<(usize, Vpg), String> {
    let vpg = match recovers(&desk.zvms, journal) {
        Recovers::Here { zvm, vpg } => return Ok((zvm, vpg)),
        Recovers::Elsewhere { vpg } => Some(vpg),
        Recovers::Unknown { vpg, error } => {
            warnings.push(error.message);
            vpg
        }
    };
    Err(vpg.map_or_else(|| UNNAMED_SITE.to_owned(), |vpg| site_name(&vpg)))
}

/// Why the ZVM would not mount a checkpoint, where it says so; what it does not say, the mount itself will.
fn refusal(desk: &Desk, zvm: usize, place: &Listed, vm: &Member) -> Option<String> {
    let point = point(desk, zvm, place, vm)?;
    let why = || match point.reason.trim() {
        "" => "the ZVM says that it can't be mounted, and not why".to_owned(),
        reason => reason.to_owned(),
    };
    (point.can_mount == Some(false)).then(why)
}

/// The sessions that hold the VM mounted, which is why a ZVM may refuse: ` (it is mounted by FLR session …)`.
fn live_text(desk: &Desk, zvm: usize, vm: &Member) -> String {
    let listed = desk.zvms.get(zvm).and_then(|zvm| zvm.flr_sessions_of(&vm.identifier).ok()).unwrap_or_default();
    let live: Vec<FlrSession> = listed.into_iter().filter(FlrSession::is_live).collect();
    if live.is_empty() {
        return String::new();
    }
    format!(" (it is mounted by FLR session {})", sessions_text(&live).join(", "))
}

/// What the ZVM says of a checkpoint as a point to restore files from; none where it says nothing.
#[must_use]
pub fn point(desk: &Desk, zvm: usize, place: &Listed, vm: &Member) -> Option<PointInTime> {
    point_at(desk.zvms.get(zvm)?, place, &vm.identifier).ok()?
}

/// As [`point`], of a VM's identifier; none where the ZVM does not list the checkpoint, or its time is not known.
///
/// # Errors
/// The ZVM can't be asked.
pub fn point_at(zvm: &Zvm, place: &Listed, vm: &str) -> Result<Option<PointInTime>, ZvmError> {
    const AROUND: SignedDuration = SignedDuration::from_secs(60);
    let Some(time) = place.time else { return Ok(None) };
    let from = time.saturating_sub(AROUND).unwrap_or(Timestamp::MIN);
    let until = time.saturating_add(AROUND).unwrap_or(Timestamp::MAX);
    let points = zvm.points_in_time(vm, &place.vpg_identifier, from, until)?;
    Ok(points.into_iter().find(|point| point.checkpoint.identifier == place.checkpoint))
}
