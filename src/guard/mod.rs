//! From the names in a call to a tagged checkpoint in every taggable VPG of its VMs, or a reason why not.
//!
//! `guard` below is the whole of it. Its steps: `target` and `protection` (names to VMs to VPGs), `taggable` (may this
//! VPG be tagged now), `reuse`, `stamp` and `tag` (the name), `checkpoint` and `busy` (insert, task, listed).
//!
//! Must not: pass on anything short of a tag that is listed in every VPG; know what the call was or who asked.

pub mod appliance;
mod busy;
mod checkpoint;
mod clock;
mod error;
#[cfg(test)]
#[path = "tests/fake.rs"]
mod fake;
mod find;
pub(crate) mod pace;
mod protection;
mod redact;
pub mod report;
mod reuse;
pub(crate) mod rows;
pub(crate) mod side_by_side;
mod stamp;
pub mod tag;
pub(crate) mod taggable;
pub(crate) mod target;
#[cfg(test)]
#[path = "tests/story.rs"]
mod tests;

pub use appliance::Appliance;
pub use checkpoint::{Outcome, VpgResult};
pub use error::{Candidate, Elsewhere, GuardError, LeftOut, SiteKind};
pub use find::{Found, FoundVpg, Outcome as FindOutcome, find};
pub use redact::redact;

use crate::deadline::Deadline;
use crate::state::{Lock, StateDir, StateError};
use crate::zvm::model::TaskState;
use checkpoint::{Job, insert_all};
use jiff::Timestamp;
use protection::{Protection, Survey, Vm};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tag::Draft;

/// How many different targets one call may have. Each is a question to every ZVM and up to three inserts, and no tag
/// could name more of them.
pub const MOST_TARGETS: usize = 64;

/// What is to be guarded.
pub struct Request<'a> {
    /// The machines it changes, as they were typed; duplicates are fine.
    pub targets: &'a [String],
    /// `[hosts]`: name or address to VM name or identifier.
    pub hosts: &'a BTreeMap<String, String>,
    /// Who asks, as in `ai:claude`.
    pub agent: &'a str,
    /// What is about to be done; secrets in it are taken out here.
    pub action: &'a str,
    /// The change it belongs to.
    pub change: &'a str,
    /// `guard.reuse`.
    pub reuse: Option<Duration>,
    /// When all has to be over: a little before the process has to have answered.
    pub deadline: Deadline,
    /// This machine's clock.
    pub now: &'a dyn Fn() -> Timestamp,
}

/// A VM.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VmRef {
    /// Its name.
    pub name: String,
    /// `<server guid>.<moref>`.
    pub identifier: String,
}

/// A VPG in which the tag stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaggedVpg {
    /// The VPG's name.
    pub name: String,
    /// Its identifier.
    pub identifier: String,
    /// The ZVM that protects it.
    pub zvm: String,
    /// The insert's task; none for a tag that was reused, or where the answer to the insert was lost.
    pub task_id: Option<String>,
    /// Its last state.
    pub task_state: Option<TaskState>,
    /// The checkpoint's identifier.
    pub checkpoint: Option<String>,
    /// How long the VPG's journal keeps it, by the VPG's settings.
    pub journal: Option<Duration>,
}

/// The tag stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guarded {
    /// The tag.
    pub tag: String,
    /// The VMs.
    pub vms: Vec<VmRef>,
    /// Where it stands.
    pub vpgs: Vec<TaggedVpg>,
    /// The VPGs that could not be tagged.
    pub left_out: Vec<LeftOut>,
    /// Whether it is an earlier tag (`guard.reuse`).
    pub reused: bool,
}

/// Makes the change reversible: inserts one tagged checkpoint in every taggable VPG of every VM that is named, and
/// returns once all of them are listed.
///
/// At most five round trips one after another, whatever the number of VPGs (polls not counted): the VMs with site and
/// clock, the VPGs, the inserts, the tasks, the listings.
///
/// # Errors
/// Anything short of that. Nothing is inserted before every VM was found and can be tagged.
pub fn guard(request: &Request, appliances: &[Box<dyn Appliance>], state: &StateDir) -> Result<Guarded, GuardError> {
    if request.targets.is_empty() {
        return Err(GuardError::NoTarget);
    }
    let count = target::different(request.targets);
    if count > MOST_TARGETS {
        return Err(GuardError::TooMany { count, most: MOST_TARGETS });
    }
    let survey = Survey::of(request.targets, request.hosts, appliances)?;
    let vms = different_vms(&survey, request.targets)?;
    let protections = survey.protections(&vms)?;
    if let Some(refusal) = vms.iter().find_map(|vm| not_taggable(&survey, vm, &protections)) {
        return Err(refusal);
    }
    let taggable: Vec<&Protection> = protections.iter().filter(|p| p.why_not.is_none()).collect();
    let names: Vec<&str> = vms.iter().map(|vm| vm.name.as_str()).collect();
    let draft = Draft::new(request.agent, request.action, &names, request.change);
    let guarded = |tag, vpgs, reused| Guarded {
        tag,
        vms: vms.iter().map(VmRef::of).collect(),
        vpgs,
        left_out: protections.iter().filter_map(|p| survey.left_out(p)).collect(),
        reused,
    };

    if let Some(younger_than) = request.reuse {
        let places: Vec<_> = taggable
            .iter()
            .filter_map(|p| survey.zvm(p.zvm).map(|heard| (heard.appliance, &p.vpg, heard.clock)))
            .collect();
        // In every one of them, or in none.
        if places.len() == taggable.len()
            && let Some((tag, checkpoints)) = reuse::standing(&draft, &places, younger_than)
        {
            let vpgs = taggable.iter().zip(checkpoints).map(|(p, id)| reused(&survey, p, id)).collect();
            return Ok(guarded(tag, vpgs, true));
        }
    }

    // The turns before the stamp: a stamp is that of the insert, and a turn may have to be waited for.
    let turns = take_turns(&taggable, state, request.deadline)?;
    let tag = stamp::unique(&draft, state, request.now, request.deadline)?;
    let jobs: Vec<Job> = taggable
        .iter()
        .zip(turns)
        .filter_map(|(p, turn)| {
            survey.zvm(p.zvm).map(|heard| Job {
                appliance: heard.appliance,
                vpg: &p.vpg,
                clock: heard.clock,
                turn: Mutex::new(turn),
            })
        })
        .collect();
    let results = insert_all(&jobs, &tag, request.deadline);
    let all_stand = results.len() == taggable.len() && results.iter().all(|result| result.checkpoint().is_some());
    if !all_stand {
        return Err(not_standing(tag, &vms, results));
    }
    let vpgs = taggable.iter().zip(results).map(|(p, result)| tagged(p, result)).collect();
    Ok(guarded(tag, vpgs, false))
}

/// The VMs of all targets, each once, in the targets' order.
fn different_vms(survey: &Survey, targets: &[String]) -> Result<Vec<Vm>, GuardError> {
    let mut vms: Vec<Vm> = Vec::new();
    for target in targets {
        let vm = survey.vm(target)?;
        if !vms.iter().any(|known| known.is(&vm.identifier, &vm.name)) {
            vms.push(vm);
        }
    }
    Ok(vms)
}

/// The refusal if none of the VM's VPGs can be tagged.
fn not_taggable(survey: &Survey, vm: &Vm, protections: &[Protection]) -> Option<GuardError> {
    let mine = || protections.iter().filter(|p| vm.is_in(&p.vpg));
    if mine().any(|p| p.why_not.is_none()) {
        return None;
    }
    Some(GuardError::NotTaggable {
        target: vm.target.clone(),
        vm: vm.name.clone(),
        vpgs: mine().filter_map(|p| survey.left_out(p)).collect(),
    })
}

/// A turn that was waited for and comes with less time left than this is not used: an insert takes a second or two, and one that
/// can't be waited for stands in the way of the next one's.
const TOO_LATE: Duration = Duration::from_secs(3);

/// A turn that came within this span was not waited for.
const AT_ONCE: Duration = Duration::from_secs(1);

/// This machine's turn at each VPG. Everybody takes them in the same order, so nobody waits in a circle.
fn take_turns(taggable: &[&Protection], state: &StateDir, deadline: Deadline) -> Result<Vec<Option<Lock>>, GuardError> {
    let mut turns: Vec<Option<Lock>> = taggable.iter().map(|_| None).collect();
    let mut order: Vec<(String, usize)> =
        taggable.iter().enumerate().map(|(at, p)| (format!("vpg-{}", p.vpg.identifier.to_lowercase()), at)).collect();
    order.sort();
    let begun = Instant::now();
    for (name, at) in order {
        let no_turn = || GuardError::NoTurn {
            vpg: taggable.get(at).map(|p| p.vpg.name.clone()).unwrap_or_default(),
            waited: begun.elapsed(),
        };
        let lock = state.lock(&name, deadline).map_err(|error| match error {
            StateError::Busy { .. } => no_turn(),
            other => GuardError::State(other),
        })?;
        if begun.elapsed() > AT_ONCE && deadline.remaining() < TOO_LATE {
            return Err(no_turn());
        }
        if let Some(turn) = turns.get_mut(at) {
            *turn = Some(lock);
        }
    }
    Ok(turns)
}

fn not_standing(tag: String, vms: &[Vm], vpgs: Vec<VpgResult>) -> GuardError {
    let vms = vms.iter().map(|vm| vm.name.clone()).collect();
    let only_late = vpgs.iter().all(|vpg| vpg.checkpoint().is_some() || vpg.was_late());
    if only_late { GuardError::Deadline { tag, vms, vpgs } } else { GuardError::Insert { tag, vms, vpgs } }
}

fn tagged(protection: &Protection, result: VpgResult) -> TaggedVpg {
    TaggedVpg {
        checkpoint: result.checkpoint().map(str::to_owned),
        name: result.name,
        identifier: result.identifier,
        zvm: result.zvm,
        task_id: result.task_id,
        task_state: result.task_state,
        journal: journal(protection),
    }
}

fn reused(survey: &Survey, protection: &Protection, checkpoint: String) -> TaggedVpg {
    TaggedVpg {
        name: protection.vpg.name.clone(),
        identifier: protection.vpg.identifier.clone(),
        zvm: survey.name(protection.zvm),
        task_id: None,
        task_state: None,
        checkpoint: Some(checkpoint),
        journal: journal(protection),
    }
}

fn journal(protection: &Protection) -> Option<Duration> {
    let minutes = protection.vpg.journal_minutes?;
    Some(Duration::from_secs(minutes.saturating_mul(60)))
}

impl VmRef {
    fn of(vm: &Vm) -> Self {
        Self { name: vm.name.clone(), identifier: vm.identifier.clone() }
    }
}
