//! Which journals there are to read: the VPGs of a VM, or all, whichever site a ZVM stands at.
//!
//! A guard needs every ZVM to answer; whoever recovers may have lost a site, so one that is silent is a warning here. Must
//! not: change anything.

use super::error::RewindError;
use crate::guard::rows::{fits, rows};
use crate::guard::side_by_side::side_by_side;
use crate::guard::target::steps;
use crate::zvm::Zvm;
use crate::zvm::error::ZvmError;
use crate::zvm::model::{ProtectedVm, Vpg};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A VPG's journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journal {
    /// The VPG's identifier.
    pub identifier: String,
    /// Its name.
    pub name: String,
    /// The VMs of it that were asked for, or all.
    pub vms: Vec<Member>,
    /// The positions of the ZVMs that list it.
    pub zvms: Vec<usize>,
    /// What one of them says of it; none where none did.
    pub vpg: Option<Vpg>,
}

/// A VM of a VPG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// `<server guid>.<moref>`.
    pub identifier: String,
    /// The guest's system as a ZVM names it; empty where none did.
    pub guest_os: String,
    /// Whether a ZVM says that files of it can be restored.
    pub flr_enabled: Option<bool>,
}

/// The journals that were found, and what went wrong beside them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Journals {
    /// The journals.
    pub found: Vec<Journal>,
    /// What a ZVM did not answer.
    pub warnings: Vec<String>,
}

impl Member {
    fn learn(&mut self, other: Self) {
        if self.guest_os.is_empty() {
            self.guest_os = other.guest_os;
        }
        self.flr_enabled = self.flr_enabled.or(other.flr_enabled);
    }
}

/// The journals of the VPGs of a VM, or of all.
///
/// # Errors
/// There is no ZVM, none answered, the VM is in no VPG that one of them lists, or it is more than one VM.
pub fn journals(
    vm: Option<&str>,
    hosts: &BTreeMap<String, String>,
    appliances: &[Arc<Zvm>],
) -> Result<Journals, RewindError> {
    if appliances.is_empty() {
        return Err(RewindError::NoZvm);
    }
    let asked = side_by_side(appliances, |appliance| of_one(vm, hosts, appliance));
    let (mut answers, mut errors) = (Vec::new(), Vec::new());
    for (zvm, answer) in asked.into_iter().enumerate() {
        match answer.unwrap_or_else(|| Err(RewindError::broken_off())) {
            Ok(rows) => answers.push((zvm, rows)),
            Err(error) => errors.push(error),
        }
    }
    if answers.is_empty() {
        return Err(errors.into_iter().next().map_or(RewindError::NoZvm, RewindError::Zvm));
    }
    let warnings: Vec<String> = errors.iter().map(|error| error.message.clone()).collect();
    // Each ZVM has its own best way to understand a name; that of the smallest step counts for all.
    let best = answers.iter().filter_map(|(_, (step, rows))| (!rows.is_empty()).then_some(*step)).min();
    let mut found: Vec<Journal> = Vec::new();
    for (zvm, (step, rows)) in answers {
        if Some(step) != best {
            continue;
        }
        for row in rows {
            let vm = Member {
                name: row.name,
                identifier: row.identifier,
                guest_os: row.guest_os,
                flr_enabled: row.flr_enabled,
            };
            let nr = found.iter().position(|known| known.identifier.eq_ignore_ascii_case(&row.vpg_identifier));
            let nr = nr.unwrap_or_else(|| {
                found.push(Journal {
                    identifier: row.vpg_identifier,
                    name: row.vpg_name,
                    vms: vec![],
                    zvms: vec![],
                    vpg: None,
                });
                found.len() - 1
            });
            if let Some(journal) = found.get_mut(nr) {
                match journal.vms.iter_mut().find(|known| known.identifier.eq_ignore_ascii_case(&vm.identifier)) {
                    // One ZVM may say what another does not.
                    Some(known) => known.learn(vm),
                    None => journal.vms.push(vm),
                }
                if !journal.zvms.contains(&zvm) {
                    journal.zvms.push(zvm);
                }
            }
        }
    }
    match vm {
        Some(vm) if found.is_empty() => Err(RewindError::NoVm { vm: vm.to_owned(), warnings }),
        Some(vm) => one_vm(vm, &found).map(|()| Journals { found, warnings }),
        None => Ok(Journals { found, warnings }),
    }
}

/// The rows at one ZVM, and which way to understand the name gave them.
fn of_one(
    vm: Option<&str>,
    hosts: &BTreeMap<String, String>,
    appliance: &Zvm,
) -> Result<(usize, Vec<ProtectedVm>), ZvmError> {
    let Some(vm) = vm else { return Ok((0, appliance.all_vms()?)) };
    for (nr, step) in steps(vm, hosts).iter().enumerate() {
        let mut fitting = rows(appliance, &step.query())?;
        fitting.retain(|row| fits(step, row));
        if !fitting.is_empty() {
            return Ok((nr, fitting));
        }
    }
    Ok((usize::MAX, vec![]))
}

/// The VMs among these that differ: names and identifiers.
pub(super) fn different<'m>(members: impl IntoIterator<Item = &'m Member>) -> Vec<(String, String)> {
    let mut vms: Vec<(String, String)> = Vec::new();
    for known in members {
        if !vms.iter().any(|(_, identifier)| identifier.eq_ignore_ascii_case(&known.identifier)) {
            vms.push((known.name.clone(), known.identifier.clone()));
        }
    }
    vms
}

/// Two VMs of one name are two VMs, whose files are not each other's.
fn one_vm(vm: &str, found: &[Journal]) -> Result<(), RewindError> {
    let vms = different(found.iter().flat_map(|journal| &journal.vms));
    if vms.len() > 1 { Err(RewindError::SeveralVms { vm: vm.to_owned(), vms }) } else { Ok(()) }
}

/// Learns how each journal is kept. One that can't be read is a warning.
pub fn learn(journals: &mut Journals, appliances: &[Arc<Zvm>]) {
    let told = side_by_side(&journals.found, |journal| {
        let mut error = None;
        for appliance in journal.zvms.iter().filter_map(|zvm| appliances.get(*zvm)) {
            match appliance.vpg(&journal.identifier) {
                Ok(vpg) => return Ok(vpg),
                Err(why) => error = Some(why),
            }
        }
        Err(error.unwrap_or_else(RewindError::broken_off))
    });
    for (journal, told) in journals.found.iter_mut().zip(told) {
        match told.unwrap_or_else(|| Err(RewindError::broken_off())) {
            Ok(vpg) => {
                if journal.name.is_empty() {
                    journal.name.clone_from(&vpg.name);
                }
                journal.vpg = Some(vpg);
            }
            Err(error) => journals.warnings.push(error.message),
        }
    }
}
