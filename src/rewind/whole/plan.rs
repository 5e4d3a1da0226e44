//! What would be done to a whole VPG, known before anybody is asked whether it shall be.
//!
//! Must not: change anything.

use super::Act;
use super::error::{Doing, WholeError};
use crate::deadline::Deadline;
use crate::guard::VmRef;
use crate::rewind::desk::Desk;
use crate::rewind::error::RewindError;
use crate::rewind::find::FoundTag;
use crate::rewind::journals::Journal;
use crate::rewind::select::{Listed, Tagged};
use crate::rewind::site::{Recovers, recovers, site_name};
use crate::text::{clean, foreign};
use crate::zvm::model::{FlrSession, Resource, Vpg};
use crate::zvm::{Zvm, ZvmError};
use std::time::Duration;

/// What is known of a VPG at the ZVM that is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The VPG as that ZVM sees it.
    pub vpg: Vpg,
    /// The position of the ZVM.
    pub zvm: usize,
    /// Its name and address.
    pub zvm_name: String,
    /// The recovery site's name.
    pub site: String,
    /// Its identifier, where the ZVM says.
    pub site_identifier: Option<String>,
    /// Every VM of the VPG.
    pub vms: Vec<VmRef>,
    /// The VMs of the site that no VPG protects, as they are now; none where the ZVM does not say.
    pub unprotected: Option<Vec<Resource>>,
    /// The sessions that hold disks of the VPG's VMs.
    pub sessions: Vec<FlrSession>,
}

/// What would be done to a VPG at a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The tag.
    pub tagged: Tagged,
    /// Its checkpoint in the VPG.
    pub place: Listed,
    /// The VPG.
    pub target: Target,
    /// The datastore that was named; its name is empty where it can't be told.
    pub datastore: Option<Resource>,
    /// What should be known beforehand.
    pub warnings: Vec<String>,
}

/// What a clone or a test of a tag would do.
///
/// # Errors
/// The tag stands in several VPGs, or may, since not all could be read; no ZVM is local to the recovery site; a test runs; there is no such datastore.
pub fn plan(desk: &Desk, found: &FoundTag, datastore: Option<&str>, is_test: bool) -> Result<Plan, WholeError> {
    let [place] = found.tagged.places.as_slice() else {
        let line = |place: &Listed| format!("{} ({})", foreign(&place.vpg, 80), clean(&place.vpg_identifier, 60));
        let vpgs = found.tagged.places.iter().map(line).collect();
        return Err(WholeError::SeveralVpgs { wanted: found.tagged.tag.clone(), vpgs });
    };
    if !found.vpg_named && !found.log.warnings.is_empty() {
        return Err(WholeError::MaybeSeveral { vpg: place.vpg.clone(), unread: found.log.warnings.clone() });
    }
    let gone = || RewindError::NoVpg { vpg: place.vpg.clone(), known: vec![] };
    let journal =
        found.log.journals.iter().find(|journal| journal.identifier == place.vpg_identifier).ok_or_else(gone)?;
    let (zvm, vpg) = recovering(desk, journal, &found.log.warnings)?;
    let client = desk.zvm(zvm)?;
    let target = target(client, zvm, vpg)?;
    let mut warnings = found.log.warnings.clone();
    if let Some(stage) = &target.vpg.test_stage {
        if is_test {
            return Err(WholeError::TestRuns { vpg: target.vpg.name.clone(), stage: stage.clone() });
        }
        warnings.push(format!("A failover test of the VPG runs ({}).", foreign(stage, 60)));
    }
    for session in &target.sessions {
        warnings.push(format!(
            "FLR session {} holds disks of the VPG, and the ZVM refuses while it does; `zerto-guard rewind end-session` ends it.",
            foreign(&session.identifier, 100)
        ));
    }
    let datastore = datastore.map(|wanted| named(client, &target, wanted, &mut warnings)).transpose()?;
    let (tagged, place) = (found.tagged.clone(), place.clone());
    Ok(Plan { tagged, place, target, datastore, warnings })
}

fn recovering(desk: &Desk, journal: &Journal, silent: &[String]) -> Result<(usize, Vpg), WholeError> {
    let mut unread = silent.to_vec();
    let vpg = match recovers(&desk.zvms, journal) {
        Recovers::Here { zvm, vpg } => return Ok((zvm, vpg)),
        Recovers::Elsewhere { vpg } => Some(vpg),
        Recovers::Unknown { vpg, error } => {
            unread.push(error.message);
            vpg
        }
    };
    let site = vpg.as_ref().map_or_else(|| crate::rewind::site::UNNAMED_SITE.to_owned(), site_name);
    Err(WholeError::NoLocalZvm { vpg: journal.name.clone(), site, unread })
}

fn target(client: &Zvm, zvm: usize, vpg: Vpg) -> Result<Target, WholeError> {
    let mut vms = Vec::new();
    for row in client.all_vms().map_err(RewindError::Zvm)? {
        if row.vpg_identifier.eq_ignore_ascii_case(&vpg.identifier) {
            vms.push(VmRef { name: row.name, identifier: row.identifier });
        }
    }
    let of_it = |session: &FlrSession| {
        session.vpg_identifier.eq_ignore_ascii_case(&vpg.identifier)
            || vms.iter().any(|vm| vm.identifier.eq_ignore_ascii_case(&session.vm_identifier))
    };
    let sessions = client.flr_sessions().map_err(RewindError::Zvm)?;
    let sessions = sessions.into_iter().filter(|session| session.is_live() && of_it(session)).collect();
    let local = client.local_site().map_err(RewindError::Zvm)?;
    // A test may be stopped by the other site's ZVM; what it has made is at the recovery site all the same.
    let site_identifier = match vpg.recovery_site.local {
        Some(false) => vpg.recovery_site.identifier.clone(),
        _ => local.identifier,
    };
    let unprotected = site_identifier.as_deref().and_then(|site| client.unprotected_vms(site).ok());
    let zvm_name = format!("{} ({})", client.name(), client.url());
    let site = if vpg.recovery_site.name.is_empty() { local.name } else { site_name(&vpg) };
    Ok(Target { vpg, zvm, zvm_name, site, site_identifier, vms, unprotected, sessions })
}

/// The datastore of that identifier, or of that name if only one has it.
fn named(client: &Zvm, target: &Target, wanted: &str, warnings: &mut Vec<String>) -> Result<Resource, WholeError> {
    let as_typed = || Resource { identifier: wanted.to_owned(), name: String::new() };
    let listed = target.site_identifier.as_deref().map(|site| client.datastores(site));
    let known = match listed {
        Some(Ok(known)) => known,
        Some(Err(error)) => {
            warnings.push(format!("Whether there is such a datastore could not be told: {}", error.message));
            return Ok(as_typed());
        }
        None => return Ok(as_typed()),
    };
    let identified = known.iter().find(|store| store.identifier.eq_ignore_ascii_case(wanted));
    let mut called = known.iter().filter(|store| store.name.eq_ignore_ascii_case(wanted));
    match (identified, called.next(), called.next()) {
        (Some(store), ..) | (None, Some(store), None) => Ok(store.clone()),
        (None, Some(_), Some(_)) => {
            let stores = known.iter().filter(|store| store.name.eq_ignore_ascii_case(wanted)).cloned().collect();
            Err(WholeError::SeveralDatastores { wanted: wanted.to_owned(), stores })
        }
        _ => {
            Err(WholeError::NoDatastore { wanted: wanted.to_owned(), site: target.site.clone(), known: known.clone() })
        }
    }
}

/// The failover test of a VPG that would be stopped: its name or identifier.
///
/// # Errors
/// There is no such VPG, or more than one; no test of it runs, as far as all ZVMs say.
pub fn running_test(desk: &Desk, wanted: &str) -> Result<(Target, Vec<String>), WholeError> {
    let (mut listed, mut silent) = (Vec::new(), Vec::new());
    for (zvm, answer) in crate::guard::side_by_side::side_by_side(&desk.zvms, |zvm| zvm.vpgs()).into_iter().enumerate()
    {
        match answer.unwrap_or_else(|| Err(RewindError::broken_off())) {
            Ok(vpgs) => listed.extend(vpgs.into_iter().map(|vpg| (zvm, vpg))),
            Err(error) => silent.push(error),
        }
    }
    let known: Vec<String> = listed.iter().map(|(_, vpg)| vpg.name.clone()).collect();
    let wanted_name = wanted.to_lowercase();
    listed.retain(|(_, vpg)| vpg.identifier.eq_ignore_ascii_case(wanted) || vpg.name.to_lowercase() == wanted_name);
    let mut vpgs: Vec<(String, String)> = Vec::new();
    for (_, vpg) in &listed {
        if !vpgs.iter().any(|(_, identifier)| identifier.eq_ignore_ascii_case(&vpg.identifier)) {
            vpgs.push((vpg.name.clone(), vpg.identifier.clone()));
        }
    }
    let name = match vpgs.as_slice() {
        [(name, _)] => name.clone(),
        [] => {
            let nobody = RewindError::NoVpg { vpg: wanted.to_owned(), known };
            return Err(silent.into_iter().next().map_or(nobody, RewindError::Zvm).into());
        }
        _ => {
            let line = |(name, id): &(String, String)| format!("{} ({})", foreign(name, 80), foreign(id, 60));
            return Err(WholeError::SeveralVpgs { wanted: wanted.to_owned(), vpgs: vpgs.iter().map(line).collect() });
        }
    };
    let by_identifier = vpgs.iter().any(|(_, identifier)| identifier.eq_ignore_ascii_case(wanted));
    let may_be_another =
        |error: &ZvmError| format!("A VPG of the same name may be at a ZVM that did not answer: {}", error.message);
    let warnings: Vec<String> = silent.iter().filter(|_| !by_identifier).map(may_be_another).collect();
    // The ZVM of the recovery site is where the test runs; but whoever says that it does is asked to stop it.
    let mut running: Vec<(usize, Vpg)> = listed.into_iter().filter(|(_, vpg)| vpg.test_stage.is_some()).collect();
    running.sort_by_key(|(_, vpg)| vpg.recovery_site.local != Some(true));
    match (running.into_iter().next(), silent.into_iter().next()) {
        (Some((zvm, vpg)), _) => Ok((target(desk.zvm(zvm)?, zvm, vpg)?, warnings)),
        (None, None) => Err(WholeError::NoTest { vpg: name }),
        (None, Some(silent)) => Err(WholeError::MaybeTest { vpg: name, silent }),
    }
}

/// How long the ZVM's inventory is looked at for what a task has made.
const SHOWS_WITHIN: Duration = Duration::from_secs(5);

impl Target {
    /// What is done to it.
    #[must_use]
    pub fn doing(&self, act: Act) -> Doing {
        Doing { act, vpg: self.vpg.name.clone(), zvm: self.zvm_name.clone() }
    }

    /// The VMs that came to be since this was looked at, and whose names say that they are of this VPG's VMs. None where
    /// the ZVM does not tell: no answer names what a task has made.
    #[must_use]
    pub fn created(&self, client: &Zvm) -> Option<Vec<Resource>> {
        let (before, site) = (self.unprotected.as_ref()?, self.site_identifier.as_deref()?);
        let until = Deadline::after(SHOWS_WITHIN);
        loop {
            let mut new = client.unprotected_vms(site).ok()?;
            new.retain(|vm| !before.iter().any(|old| old.identifier.eq_ignore_ascii_case(&vm.identifier)));
            new.retain(|vm| self.vms.iter().any(|of| is_named_after(&vm.name, &of.name)));
            if new.len() >= self.vms.len() {
                return Some(new);
            }
            if !until.sleep(Duration::from_millis(250)) {
                return Some(new).filter(|new| !new.is_empty());
            }
        }
    }

    /// The stage of a test that the ZVM still shows after a while; none where it shows none, or does not answer.
    #[must_use]
    pub fn still_tested(&self, client: &Zvm) -> Option<String> {
        let until = Deadline::after(SHOWS_WITHIN);
        loop {
            let stage = client.vpg(&self.vpg.identifier).ok()?.test_stage?;
            if !until.sleep(Duration::from_millis(250)) {
                return Some(stage);
            }
        }
    }

    /// The test's VMs, as far as the ZVM lists them: it names them after the VM, with "testing recovery" behind (help).
    #[must_use]
    pub fn of_the_test(&self) -> Vec<&Resource> {
        let is = |vm: &&Resource| {
            vm.name.to_lowercase().contains("testing recovery")
                && self.vms.iter().any(|of| is_named_after(&vm.name, &of.name))
        };
        self.unprotected.iter().flatten().filter(is).collect()
    }
}

/// Whether a VM's name is another's with something behind it: `web01 - …`, and not `web011`.
fn is_named_after(name: &str, of: &str) -> bool {
    let (name, of) = (name.to_lowercase(), of.to_lowercase());
    let behind = name.strip_prefix(&of).filter(|_| !of.is_empty());
    behind.is_some_and(|rest| rest.chars().next().is_some_and(|c| !c.is_alphanumeric()))
}

impl Plan {
    /// What is to be done.
    #[must_use]
    pub fn act(&self, is_test: bool) -> Act {
        let checkpoint = self.place.checkpoint.clone();
        match is_test {
            true => Act::Test { checkpoint },
            false => {
                Act::Clone { checkpoint, datastore: self.datastore.as_ref().map(|store| store.identifier.clone()) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_named_after;

    #[test]
    fn a_name_after_another() {
        for (name, of, is) in [
            ("web01 - 2026-09-21 15:04:05", "web01", true),
            ("WEB01 - testing recovery", "web01", true),
            ("web01(1)", "web01", true),
            ("web011", "web01", false),
            ("web01", "web01", false),
            ("db01 - x", "web01", false),
            (" x", "", false),
        ] {
            assert_eq!(is_named_after(name, of), is, "{name} {of}");
        }
    }
}
