//! One tag: each VPG that has it, and whether files can be recovered from it, where, and why not.
//!
//! Files are restored at the recovery site (measured on a live ZVM 10.x), so it is the ZVM there that is asked. Must not:
//! mount anything.

use super::error::RewindError;
use super::find::point_at;
use super::journals::{Journal, Member};
use super::select::{Listed, Tagged};
use super::site::{Recovers, recovers, site_name};
use crate::guard::side_by_side::side_by_side;
use crate::guard::tag::{Tag, vm_name};
use crate::text::{clean, foreign, inside};
use crate::zvm::client::Zvm;
use crate::zvm::model::{FlrSession, PointInTime, Vpg, VpgStatus};
use std::sync::Arc;

/// Whether files can be recovered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Files {
    /// The ZVM says yes, and nothing is known that speaks against it.
    Yes,
    /// Not now.
    No,
    /// Nobody could say.
    Unknown,
}

/// A tag in one VPG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownVpg {
    /// The checkpoint.
    pub place: Listed,
    /// What the ZVM that recovers it says of the VPG; else what another one does; none where none did.
    pub vpg: Option<Vpg>,
    /// The position of the ZVM that recovers it.
    pub zvm: Option<usize>,
    /// Whether files of every VM can be recovered; `No` if one can't.
    pub files: Files,
    /// Why not, where that holds for the whole VPG.
    pub why: Vec<String>,
    /// What to do about it.
    pub hints: Vec<String>,
    /// The VMs that the tag names; all of the VPG where it does not tell.
    pub vms: Vec<ShownVm>,
}

/// A VM at a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownVm {
    /// Its name.
    pub name: String,
    /// Its identifier.
    pub identifier: String,
    /// Whether its files can be recovered.
    pub files: Files,
    /// Why not.
    pub why: Vec<String>,
    /// The live sessions in the way.
    pub sessions: Vec<FlrSession>,
}

/// Looks at each VPG of a tag. `journals` are those that were read for it; `all_answered` is whether every ZVM did.
#[must_use]
pub fn show(zvms: &[Arc<Zvm>], tagged: &Tagged, journals: &[Journal], all_answered: bool) -> Vec<ShownVpg> {
    let shown = side_by_side(&tagged.places, |place| {
        let journal = journals.iter().find(|journal| journal.identifier == place.vpg_identifier);
        of_one(zvms, place, journal, tagged.says.as_ref(), all_answered)
    });
    let broken =
        |place: &Listed| ShownVpg { files: Files::Unknown, ..unasked(place, RewindError::broken_off().message) };
    shown.into_iter().zip(&tagged.places).map(|(shown, place)| shown.unwrap_or_else(|| broken(place))).collect()
}

fn unasked(place: &Listed, why: String) -> ShownVpg {
    ShownVpg {
        place: place.clone(),
        vpg: None,
        zvm: None,
        files: Files::Unknown,
        why: vec![why],
        hints: vec![],
        vms: vec![],
    }
}

fn of_one(
    zvms: &[Arc<Zvm>],
    place: &Listed,
    journal: Option<&Journal>,
    says: Option<&Tag>,
    all_answered: bool,
) -> ShownVpg {
    let Some(journal) = journal else { return unasked(place, "No ZVM lists this VPG any more.".into()) };
    let vms = of_the_tag(journal, says);
    let as_unknown = |Member { name, identifier, .. }| ShownVm {
        name,
        identifier,
        files: Files::Unknown,
        why: vec![],
        sessions: vec![],
    };
    let mut shown = unasked(place, String::new());
    shown.why.clear();
    match recovers(zvms, journal) {
        Recovers::Here { zvm, vpg } => {
            shown.why.extend(state_in_the_way(&vpg));
            if vpg.test_stage.is_some() {
                let vpg = crate::text::shell_word(&clean(&place.vpg, 100));
                shown.hints.push(format!("`zerto-guard rewind stop-test {vpg}` ends the test."));
            }
            (shown.vpg, shown.zvm) = (Some(vpg), Some(zvm));
            if let Some(zvm) = zvms.get(zvm) {
                let looked = side_by_side(&vms, |vm| of_vm(zvm, place, vm));
                shown.vms =
                    looked.into_iter().zip(vms).map(|(looked, vm)| looked.unwrap_or_else(|| as_unknown(vm))).collect();
            }
            if let Some(session) = shown.vms.iter().flat_map(|vm| &vm.sessions).next() {
                shown.hints.push(format!(
                    "`zerto-guard rewind end-session {}` ends the session, if nobody uses it any more.",
                    crate::text::shell_word(&clean(&session.identifier, 100))
                ));
            }
            shown.files = if shown.why.is_empty() { together(&shown.vms) } else { Files::No };
        }
        Recovers::Elsewhere { vpg } => {
            let site = inside(&site_name(&vpg), 80);
            let whose = if all_answered { "configured ZVM" } else { "ZVM that answered" };
            shown.why.push(format!("It recovers to site \"{site}\", and no {whose} is local to that site."));
            shown.hints.push(format!(
                "Add the ZVM of site \"{site}\" to the config as a [[zvm]] with `guards = false`: files are recovered there."
            ));
            shown.files = if all_answered { Files::No } else { Files::Unknown };
            (shown.vpg, shown.vms) = (Some(vpg), vms.into_iter().map(as_unknown).collect());
        }
        Recovers::Unknown { vpg, error } => {
            shown.why.push(error.message);
            shown.hints.extend(Some(error.hint).filter(|hint| !hint.is_empty()));
            (shown.vpg, shown.vms) = (vpg, vms.into_iter().map(as_unknown).collect());
        }
    }
    shown
}

/// The VMs of the VPG that the tag names, or all where it does not tell: another tool's tag, or one without room for all.
fn of_the_tag(journal: &Journal, says: Option<&Tag>) -> Vec<Member> {
    let named = |vm: &&Member| {
        let name = vm_name(&vm.name);
        says.is_some_and(|says| says.more == 0 && says.vms.iter().any(|vm| vm.eq_ignore_ascii_case(&name)))
    };
    let vms: Vec<Member> = journal.vms.iter().filter(named).cloned().collect();
    if vms.is_empty() { journal.vms.clone() } else { vms }
}

/// What goes on with the VPG that no file restore may run beside (measured on a live ZVM 10.x).
fn state_in_the_way(vpg: &Vpg) -> Option<String> {
    if let Some(stage) = &vpg.test_stage {
        return Some(format!("A failover test of the VPG runs ({}).", foreign(stage, 60)));
    }
    match vpg.status {
        VpgStatus::FailingOver => Some("The VPG is failing over.".into()),
        VpgStatus::Moving => Some("The VPG is moving.".into()),
        VpgStatus::Deleting => Some("The VPG is being deleted.".into()),
        VpgStatus::Recovered => Some("The VPG is recovered and protects nothing any more.".into()),
        _ => None,
    }
}

fn together(vms: &[ShownVm]) -> Files {
    if vms.iter().any(|vm| vm.files == Files::No) {
        Files::No
    } else if vms.is_empty() || vms.iter().any(|vm| vm.files == Files::Unknown) {
        Files::Unknown
    } else {
        Files::Yes
    }
}

fn of_vm(zvm: &Zvm, place: &Listed, Member { name, identifier, .. }: &Member) -> ShownVm {
    let mut vm = ShownVm {
        name: name.clone(),
        identifier: identifier.clone(),
        files: Files::Yes,
        why: vec![],
        sessions: vec![],
    };
    let mut refuses = |why: String, files: Files| {
        vm.why.push(why);
        if vm.files != Files::No {
            vm.files = files;
        }
    };
    match point_at(zvm, place, identifier) {
        Ok(Some(PointInTime { can_mount: Some(true), .. })) => {}
        Ok(Some(PointInTime { can_mount: Some(false), reason, .. })) if reason.is_empty() => {
            refuses("The ZVM refuses to mount this checkpoint, and gives no reason.".into(), Files::No);
        }
        Ok(Some(PointInTime { can_mount: Some(false), reason, .. })) => {
            refuses(format!("The ZVM: {}", foreign(&reason, 300)), Files::No);
        }
        Ok(Some(PointInTime { can_mount: None, .. })) => {
            refuses("The ZVM does not say whether it would mount it.".into(), Files::Unknown);
        }
        Ok(None) if place.time.is_none() => {
            refuses("The ZVM does not say when this checkpoint was made.".into(), Files::Unknown);
        }
        Ok(None) => {
            let why =
                "The recovery site's ZVM does not list this checkpoint (any more): the journal may have let go of it.";
            refuses(why.into(), Files::No);
        }
        Err(error) => refuses(error.message, Files::Unknown),
    }
    match zvm.vms_identified(identifier) {
        Ok(rows) => {
            let here = rows.iter().find(|row| row.vpg_identifier.eq_ignore_ascii_case(&place.vpg_identifier));
            if here.is_some_and(|row| row.flr_enabled == Some(false)) {
                refuses("The ZVM says that file level restore is not enabled for this VM now.".into(), Files::No);
            }
        }
        Err(error) => refuses(error.message, Files::Unknown),
    }
    match zvm.flr_sessions_of(identifier) {
        Ok(mut sessions) => {
            // One of which the ZVM does not say which VM it is would be in the way of every VM.
            sessions.retain(|session| session.is_live() && !session.vm_identifier.is_empty());
            for session in &sessions {
                refuses(
                    format!("Session {} is live, and holds the VM's disks.", foreign(&session.identifier, 100)),
                    Files::No,
                );
            }
            vm.sessions = sessions;
        }
        Err(error) => refuses(error.message, Files::Unknown),
    }
    vm
}
