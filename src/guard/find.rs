//! `zerto-guard find`: what a guard of a target would tag, or why it would be refused. Changes nothing.

use super::appliance::Appliance;
use super::error::GuardError;
use super::protection::Survey;
use super::taggable::state_name;
use super::{VmRef, not_taggable};
use serde::Serialize;
use std::collections::BTreeMap;

/// What was found about a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What a guard would do.
    pub outcome: Outcome,
    /// The VMs that the target may mean.
    pub vms: Vec<VmRef>,
    /// Their VPGs.
    pub vpgs: Vec<FoundVpg>,
    /// The error that a guard would end with; none if `outcome` is ok.
    pub refusal: Option<GuardError>,
}

/// What a guard of a target would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Tag at least one VPG.
    Ok,
    /// Be refused: no VM.
    None,
    /// Be refused: several VMs.
    Ambiguous,
    /// Be refused: no VPG that can be tagged.
    NotTaggable,
}

/// A VPG of a VM that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoundVpg {
    /// Its name.
    pub name: String,
    /// Its identifier.
    pub identifier: String,
    /// Its state as Zerto names it.
    pub status: String,
    /// Whether a tagged checkpoint can be inserted.
    pub taggable: bool,
    /// Why not; none if it can.
    pub why: Option<String>,
    /// Where the VM runs.
    pub protected_site: String,
    /// Where it can be recovered.
    pub recovery_site: String,
    /// The ZVM that protects it.
    pub zvm: String,
}

/// Looks for the VPGs that protect the target.
///
/// # Errors
/// A ZVM could not be asked, or there is none. That nothing was found is no error but an [`Outcome`].
pub fn find(
    target: &str,
    hosts: &BTreeMap<String, String>,
    appliances: &[Box<dyn Appliance>],
) -> Result<Found, GuardError> {
    let survey = Survey::of(&[target.to_owned()], hosts, appliances)?;
    let vms = survey.candidates(target);
    let protections = survey.protections(&vms)?;
    let refusal = match survey.vm(target) {
        Ok(vm) => not_taggable(&survey, &vm, &protections),
        Err(error) => Some(error),
    };
    Ok(Found {
        outcome: match &refusal {
            None => Outcome::Ok,
            Some(GuardError::NotTaggable { .. }) => Outcome::NotTaggable,
            Some(GuardError::Ambiguous { .. }) => Outcome::Ambiguous,
            Some(_) => Outcome::None,
        },
        vms: vms.iter().map(VmRef::of).collect(),
        vpgs: protections
            .into_iter()
            .map(|protection| FoundVpg {
                status: state_name(&protection.vpg),
                zvm: survey.name(protection.zvm),
                name: protection.vpg.name,
                identifier: protection.vpg.identifier,
                taggable: protection.why_not.is_none(),
                why: protection.why_not,
                protected_site: protection.vpg.protected_site.name,
                recovery_site: protection.vpg.recovery_site.name,
            })
            .collect(),
        refusal,
    })
}
