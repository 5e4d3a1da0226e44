//! From targets to VMs to VPGs: who protects what, asked of all ZVMs at the same time.
//!
//! Two round trips whatever their number: first the VMs, the local site and the clock of every ZVM, then every VPG.
//! Each ZVM has to answer, because one that is silent may be the one that protects the VM. Must not: change anything.

use super::appliance::Appliance;
use super::clock::Clock;
use super::error::{Candidate, Elsewhere, GuardError, LeftOut, SiteKind};
use super::rows::{fits, rows};
use super::side_by_side::side_by_side;
use super::taggable::{is_local, state_name, why_not};
use super::target::{Query, Step, steps};
use crate::zvm::error::ZvmError;
use crate::zvm::model::{EntityType, LocalSite, ProtectedVm, Vpg};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// What the ZVMs said about the targets.
pub(super) struct Survey<'a> {
    zvms: Vec<Heard<'a>>,
    hosts: &'a BTreeMap<String, String>,
}

/// What one ZVM said.
pub(super) struct Heard<'a> {
    pub(super) appliance: &'a dyn Appliance,
    pub(super) site: LocalSite,
    pub(super) clock: Clock,
    rows: BTreeMap<Query, Vec<ProtectedVm>>,
}

/// A row, and the position of the ZVM that gave it.
#[derive(Debug, Clone)]
pub(super) struct Row {
    zvm: usize,
    vm: ProtectedVm,
}

/// The VM that a target means.
#[derive(Debug, Clone)]
pub(super) struct Vm {
    pub(super) target: String,
    pub(super) name: String,
    pub(super) identifier: String,
    pub(super) rows: Vec<Row>,
}

/// A VPG as the ZVM that protects it sees it.
#[derive(Debug, Clone)]
pub(super) struct Protection {
    /// The position of that ZVM.
    pub(super) zvm: usize,
    pub(super) vpg: Vpg,
    pub(super) why_not: Option<String>,
}

enum Ask {
    Site,
    Clock,
    Rows(Query),
}

enum Answer {
    Site(LocalSite),
    Clock(Timestamp),
    Rows(Query, Vec<ProtectedVm>),
}

impl<'a> Survey<'a> {
    /// The first round trip.
    pub(super) fn of(
        targets: &[String],
        hosts: &'a BTreeMap<String, String>,
        appliances: &'a [Box<dyn Appliance>],
    ) -> Result<Self, GuardError> {
        if appliances.is_empty() {
            return Err(GuardError::NoZvm);
        }
        let queries: BTreeSet<Query> =
            targets.iter().flat_map(|target| steps(target, hosts)).map(|step| step.query()).collect();
        // Kind by kind, not ZVM by ZVM: so each is asked at once, even when there are more questions than threads.
        let asks: Vec<(usize, Ask)> = queries
            .into_iter()
            .map(Ask::Rows)
            .chain([Ask::Site, Ask::Clock])
            .flat_map(|ask| (0..appliances.len()).map(move |zvm| (zvm, ask.again())))
            .collect();
        let answers = side_by_side(&asks, |(zvm, ask)| {
            let appliance = appliances.get(*zvm)?;
            Some(match ask {
                Ask::Site => appliance.local_site().map(Answer::Site),
                Ask::Clock => appliance.server_time().map(Answer::Clock),
                Ask::Rows(query) => rows(appliance.as_ref(), query).map(|rows| Answer::Rows(query.clone(), rows)),
            })
        });
        let mut heard: Vec<Vec<Result<Answer, ZvmError>>> = appliances.iter().map(|_| Vec::new()).collect();
        for ((zvm, _), answer) in asks.iter().zip(answers) {
            let answer = answer.flatten().ok_or_else(|| broken("the ZVMs were asked for the VM"))?;
            if let Some(heard) = heard.get_mut(*zvm) {
                heard.push(answer);
            }
        }
        let errors = heard.iter().flatten().filter_map(|answer| answer.as_ref().err()).cloned();
        if let Some(error) = most_telling(errors.map(GuardError::from)) {
            return Err(error);
        }
        let zvms = appliances
            .iter()
            .zip(heard)
            .map(|(appliance, answers)| Heard::new(appliance.as_ref(), answers))
            .collect::<Result<_, _>>()?;
        Ok(Self { zvms, hosts })
    }

    pub(super) fn zvm(&self, position: usize) -> Option<&Heard<'a>> {
        self.zvms.get(position)
    }

    /// The VM that the target means.
    pub(super) fn vm(&self, target: &str) -> Result<Vm, GuardError> {
        let rows = self.rows(target);
        let vms = self.vms(target, &rows);
        match vms.as_slice() {
            [vm] => Ok(vm.clone()),
            [] => Err(self.not_protected(target, &rows)),
            _ => Err(GuardError::Ambiguous {
                target: target.to_owned(),
                vms: vms.iter().flat_map(|vm| &vm.rows).map(|row| self.candidate(row)).collect(),
            }),
        }
    }

    /// All VMs that the target may mean, protected at the site of a ZVM that was asked (or it can't be told).
    pub(super) fn candidates(&self, target: &str) -> Vec<Vm> {
        self.vms(target, &self.rows(target))
    }

    /// The second round trip: the VPGs of these VMs, each once.
    pub(super) fn protections(&self, vms: &[Vm]) -> Result<Vec<Protection>, GuardError> {
        // Per VPG the ZVMs to be asked about it: the protecting one if it is told, else all that list it.
        let mut places: Vec<(String, Vec<usize>)> = Vec::new();
        for sure in [true, false] {
            let known: BTreeSet<String> = places.iter().map(|(vpg, _)| vpg.to_lowercase()).collect();
            for row in vms.iter().flat_map(|vm| &vm.rows) {
                let vpg = &row.vm.vpg_identifier;
                if (row.vm.protected_here == Some(true)) != sure || (!sure && known.contains(&vpg.to_lowercase())) {
                    continue;
                }
                match places.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(vpg)) {
                    Some((_, zvms)) if zvms.contains(&row.zvm) => {}
                    Some((_, zvms)) => zvms.push(row.zvm),
                    None => places.push((vpg.clone(), vec![row.zvm])),
                }
            }
        }
        let asks: Vec<(usize, &str)> =
            places.iter().flat_map(|(vpg, zvms)| zvms.iter().map(move |zvm| (*zvm, vpg.as_str()))).collect();
        let answers = side_by_side(&asks, |(zvm, vpg)| self.zvm(*zvm).map(|heard| heard.appliance.vpg(vpg)));
        let errors = answers.iter().flatten().flatten().filter_map(|answer| answer.as_ref().err()).cloned();
        if let Some(error) = most_telling(errors.map(GuardError::from)) {
            return Err(error);
        }
        let mut protections: Vec<(bool, Protection)> = Vec::new();
        for ((zvm, asked), answer) in asks.iter().zip(answers) {
            let doing = "the ZVMs were asked for the VPG";
            let (heard, answer) = self.zvm(*zvm).zip(answer.flatten()).ok_or_else(|| broken(doing))?;
            let mut vpg = answer?;
            // The identifier of the row is the one under which the ZVM knows it.
            (*asked).clone_into(&mut vpg.identifier);
            let elsewhere = is_local(&vpg.protected_site, &heard.site) == Some(false);
            let protection = Protection { zvm: *zvm, why_not: why_not(&vpg, &heard.site), vpg };
            match protections.iter_mut().find(|(_, known)| known.vpg.identifier.eq_ignore_ascii_case(asked)) {
                // Several ZVMs list it and none says whose it is: the first whose site it is not said to be foreign to.
                Some(known) if known.0 && !elsewhere => *known = (elsewhere, protection),
                Some(_) => {}
                None => protections.push((elsewhere, protection)),
            }
        }
        Ok(protections.into_iter().map(|(_, protection)| protection).collect())
    }

    /// What there is to say about a VPG that cannot be tagged.
    pub(super) fn left_out(&self, protection: &Protection) -> Option<LeftOut> {
        Some(LeftOut {
            vpg: protection.vpg.name.clone(),
            identifier: protection.vpg.identifier.clone(),
            zvm: self.name(protection.zvm),
            status: state_name(&protection.vpg),
            why: protection.why_not.clone()?,
        })
    }

    pub(super) fn name(&self, zvm: usize) -> String {
        self.zvm(zvm).map(|heard| heard.appliance.name().to_owned()).unwrap_or_default()
    }

    /// The rows of the first way to understand the target that has any. A VM protected elsewhere ends the search too:
    /// a guess further down would tag another one.
    fn rows(&self, target: &str) -> Vec<Row> {
        steps(target, self.hosts)
            .iter()
            .map(|step| self.all_rows(Some(&step.query())).filter(|row| fits(step, &row.vm)).collect::<Vec<_>>())
            .find(|rows| !rows.is_empty())
            .unwrap_or_default()
    }

    fn all_rows<'s>(&'s self, of: Option<&'s Query>) -> impl Iterator<Item = Row> + 's {
        self.zvms.iter().enumerate().flat_map(move |(zvm, heard)| {
            heard
                .rows
                .iter()
                .filter(move |(query, _)| of.is_none_or(|of| of == *query))
                .flat_map(|(_, rows)| rows)
                .map(move |vm| Row { zvm, vm: vm.clone() })
        })
    }

    /// The VMs of these rows that count, each with all its rows: the one with the address may not be the only one.
    fn vms(&self, target: &str, rows: &[Row]) -> Vec<Vm> {
        let mut vms: Vec<Vm> = Vec::new();
        for row in rows.iter().filter(|row| counts(row)) {
            if vms.iter().any(|vm| vm.is(&row.vm.identifier, &row.vm.name)) {
                continue;
            }
            let mut vm = Vm {
                target: target.to_owned(),
                name: row.vm.name.clone(),
                identifier: row.vm.identifier.clone(),
                rows: Vec::new(),
            };
            for other in self.all_rows(None).filter(counts) {
                let known =
                    |r: &Row| r.zvm == other.zvm && r.vm.vpg_identifier.eq_ignore_ascii_case(&other.vm.vpg_identifier);
                if vm.is(&other.vm.identifier, &other.vm.name) && !vm.rows.iter().any(known) {
                    vm.rows.push(other);
                }
            }
            vms.push(vm);
        }
        vms
    }

    fn not_protected(&self, target: &str, foreign: &[Row]) -> GuardError {
        let mut elsewhere: Vec<Elsewhere> = Vec::new();
        // The one read beyond the bound, and only to say which site it is.
        let sites = side_by_side(foreign, |row| {
            self.zvm(row.zvm).and_then(|heard| heard.appliance.vpg(&row.vm.vpg_identifier).ok())
        });
        for (row, vpg) in foreign.iter().zip(sites) {
            let vpg = vpg.flatten();
            let entity = vpg.as_ref().and_then(|vpg| vpg.protected_entity.as_ref());
            let place = Elsewhere {
                vm: row.vm.name.clone(),
                vpg: row.vm.vpg_name.clone(),
                zvm: self.name(row.zvm),
                kind: site_kind(&row.vm, entity),
                site: vpg.map(|vpg| vpg.protected_site.name).unwrap_or_default(),
            };
            if !elsewhere.contains(&place) {
                elsewhere.push(place);
            }
        }
        GuardError::NotProtected {
            target: target.to_owned(),
            looked_for: steps(target, self.hosts).iter().map(Step::text).collect(),
            zvms: (0..self.zvms.len()).map(|zvm| self.name(zvm)).collect(),
            elsewhere,
        }
    }

    fn candidate(&self, row: &Row) -> Candidate {
        Candidate {
            name: row.vm.name.clone(),
            identifier: row.vm.identifier.clone(),
            vpg: row.vm.vpg_name.clone(),
            zvm: self.name(row.zvm),
        }
    }
}

impl Vm {
    /// Whether this is it. The name has to agree too: should two appliances ever give two VMs one identifier, neither
    /// may go untagged for the other.
    pub(super) fn is(&self, identifier: &str, name: &str) -> bool {
        self.identifier.eq_ignore_ascii_case(identifier) && self.name.to_lowercase() == name.to_lowercase()
    }

    /// Whether this VPG protects it.
    pub(super) fn is_in(&self, vpg: &Vpg) -> bool {
        self.rows.iter().any(|row| row.vm.vpg_identifier.eq_ignore_ascii_case(&vpg.identifier))
    }
}

impl Ask {
    fn again(&self) -> Self {
        match self {
            Self::Site => Self::Site,
            Self::Clock => Self::Clock,
            Self::Rows(query) => Self::Rows(query.clone()),
        }
    }
}

impl<'a> Heard<'a> {
    fn new(appliance: &'a dyn Appliance, answers: Vec<Result<Answer, ZvmError>>) -> Result<Self, GuardError> {
        let (mut site, mut clock, mut rows) = (None, None, BTreeMap::new());
        for answer in answers {
            match answer? {
                Answer::Site(said) => site = Some(said),
                Answer::Clock(said) => clock = Some(Clock::says(said)),
                Answer::Rows(query, said) => {
                    rows.insert(query, said);
                }
            }
        }
        let doing = "the ZVMs were asked for their sites";
        Ok(Self {
            appliance,
            site: site.ok_or_else(|| broken(doing))?,
            clock: clock.ok_or_else(|| broken(doing))?,
            rows,
        })
    }
}

/// The kind of the site that protects a VM, told from afar: the ZVM that was asked is another site's.
fn site_kind(vm: &ProtectedVm, entity: Option<&EntityType>) -> SiteKind {
    match entity {
        Some(EntityType::PublicCloud(kind)) => SiteKind::PublicCloud(kind.clone()),
        _ if vm.in_azure => SiteKind::PublicCloud("Azure".to_owned()),
        Some(EntityType::Other(value)) => SiteKind::Unknown(value.clone()),
        Some(EntityType::OnPremises(_)) | None => SiteKind::Usual,
    }
}

/// Of several errors the first that tells more than that there was no time left: time may have run out at one ZVM since
/// another was silent.
fn most_telling(errors: impl Iterator<Item = GuardError>) -> Option<GuardError> {
    let mut errors: Vec<GuardError> = errors.collect();
    let at = errors.iter().position(|error| !matches!(error, GuardError::Late { .. })).unwrap_or_default();
    (at < errors.len()).then(|| errors.swap_remove(at))
}

/// Protected at the site of the ZVM that gave the row, or it did not tell: then the insert will.
fn counts(row: &Row) -> bool {
    row.vm.protected_here != Some(false)
}

fn broken(doing: &str) -> GuardError {
    GuardError::Broken { doing: doing.to_owned() }
}

#[cfg(test)]
#[path = "tests/protection.rs"]
mod tests;
