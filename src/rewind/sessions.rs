//! The file level restore sessions of all ZVMs, each once, with the names of what they mount.
//!
//! Sessions that are over linger as history and hold nothing; one whose status is not plainly over counts as live (measured
//! on a live ZVM 10.x). Must not: end one.

use super::error::RewindError;
use crate::guard::side_by_side::side_by_side;
use crate::zvm::client::Zvm;
use crate::zvm::error::ZvmError;
use crate::zvm::model::{FlrSession, ProtectedVm};
use jiff::Timestamp;
use std::sync::Arc;

/// A session as the ZVMs together know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// `<guid>.<guid>`.
    pub identifier: String,
    /// The VM's name; its identifier where no ZVM knows its name; empty where no ZVM says which VM it is.
    pub vm: String,
    /// The VM's identifier; empty where no ZVM said.
    pub vm_identifier: String,
    /// The VPG's name; its identifier where no ZVM knows its name; empty where no ZVM says which VPG it is.
    pub vpg: String,
    /// The VPG's identifier; empty where no ZVM said.
    pub vpg_identifier: String,
    /// The checkpoint that is mounted; empty where no ZVM said.
    pub checkpoint: String,
    /// Its status as a ZVM spells it: of one that knows it as live, if one does.
    pub status: String,
    /// Whether it may still hold a mount.
    pub live: bool,
    /// When it was mounted, by the ZVM's clock.
    pub started: Option<Timestamp>,
    /// The positions of the ZVMs that list it, those that know it as live first.
    pub zvms: Vec<usize>,
}

/// The sessions that were found, and what went wrong beside them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sessions {
    /// The sessions, newest first.
    pub found: Vec<Session>,
    /// ZVMs that did not say which sessions they have.
    pub silent: Vec<ZvmError>,
    /// What else could not be read.
    pub warnings: Vec<String>,
}

/// Lists the sessions that `wanted` takes.
///
/// # Errors
/// There is no ZVM, or none answered.
pub fn sessions(zvms: &[Arc<Zvm>], wanted: impl Fn(&Session) -> bool) -> Result<Sessions, RewindError> {
    if zvms.is_empty() {
        return Err(RewindError::NoZvm);
    }
    let (mut listed, mut silent) = (Vec::new(), Vec::new());
    for (zvm, answer) in side_by_side(zvms, |zvm| zvm.flr_sessions()).into_iter().enumerate() {
        match answer.unwrap_or_else(|| Err(RewindError::broken_off())) {
            Ok(sessions) => listed.push((zvm, sessions)),
            Err(error) => silent.push(error),
        }
    }
    if listed.is_empty() {
        return Err(silent.into_iter().next().map_or(RewindError::NoZvm, RewindError::Zvm));
    }
    let mut found = joined(listed);
    found.retain(|session| wanted(session));
    let warnings = name(&mut found, zvms);
    Ok(Sessions { found, silent, warnings })
}

/// Who began the session, where the ZVM has the task of a mount since then that is of it, and says so. That is in the OpenAPI
/// file of 10.0 U6 (`initiatedBy`), in which form is not documented.
#[must_use]
pub fn begun_by(zvm: &Zvm, session: &str, since: Timestamp) -> Option<String> {
    zvm.mount_tasks_since(since).ok()?.into_iter().find_map(|task| {
        let is_of_it = task.flr_sessions.iter().any(|id| id.eq_ignore_ascii_case(session));
        (is_of_it && !task.initiated_by.is_empty()).then_some(task.initiated_by)
    })
}

/// The same session, seen at two ZVMs, is one.
fn joined(listed: Vec<(usize, Vec<FlrSession>)>) -> Vec<Session> {
    let mut found: Vec<Session> = Vec::new();
    for (zvm, sessions) in listed {
        for session in sessions {
            let live = session.is_live();
            let known = found.iter_mut().find(|known| known.identifier.eq_ignore_ascii_case(&session.identifier));
            let Some(known) = known else {
                found.push(Session {
                    identifier: session.identifier,
                    vm: String::new(),
                    vm_identifier: session.vm_identifier,
                    vpg: String::new(),
                    vpg_identifier: session.vpg_identifier,
                    checkpoint: session.checkpoint,
                    status: session.status,
                    live,
                    started: session.started,
                    zvms: vec![zvm],
                });
                continue;
            };
            // Whoever says that it is live is believed: that there is no mount would have to be known.
            if live && !known.live {
                known.zvms.insert(0, zvm);
                (known.live, known.status) = (true, session.status);
            } else if !known.zvms.contains(&zvm) {
                known.zvms.push(zvm);
            }
            for (field, told) in [
                (&mut known.vm_identifier, session.vm_identifier),
                (&mut known.vpg_identifier, session.vpg_identifier),
                (&mut known.checkpoint, session.checkpoint),
            ] {
                if field.is_empty() {
                    *field = told;
                }
            }
            known.started = known.started.or(session.started);
        }
    }
    found.sort_by(|one, other| other.started.cmp(&one.started).then_with(|| one.identifier.cmp(&other.identifier)));
    found
}

/// Puts names to VMs and VPGs; the warnings of it. A ZVM's inventory is asked for only if it lists one of these sessions.
fn name(found: &mut [Session], zvms: &[Arc<Zvm>]) -> Vec<String> {
    let asked: Vec<&Arc<Zvm>> = zvms
        .iter()
        .enumerate()
        .filter_map(|(nr, zvm)| found.iter().any(|session| session.zvms.contains(&nr)).then_some(zvm))
        .collect();
    let (mut rows, mut warnings) = (Vec::new(), Vec::new());
    for answer in side_by_side(&asked, |zvm| zvm.all_vms()) {
        match answer.unwrap_or_else(|| Err(RewindError::broken_off())) {
            Ok(vms) => rows.extend(vms),
            Err(error) => warnings.push(error.message),
        }
    }
    for session in found {
        let vm = rows.iter().find(|row| is(&session.vm_identifier, &row.identifier));
        let vpg = rows.iter().find(|row| is(&session.vpg_identifier, &row.vpg_identifier));
        session.vm = named(vm, |row| &row.name, &session.vm_identifier);
        session.vpg = named(vpg, |row| &row.vpg_name, &session.vpg_identifier);
    }
    warnings
}

fn is(ours: &str, theirs: &str) -> bool {
    !ours.is_empty() && ours.eq_ignore_ascii_case(theirs)
}

fn named(row: Option<&ProtectedVm>, name: impl Fn(&ProtectedVm) -> &String, identifier: &str) -> String {
    row.map(name).filter(|name| !name.is_empty()).cloned().unwrap_or_else(|| identifier.to_owned())
}

#[cfg(test)]
#[path = "tests/sessions.rs"]
mod tests;
