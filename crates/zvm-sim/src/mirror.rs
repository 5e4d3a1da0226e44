//! Two sites: a second simulator that recovers what the first one protects.
//!
//! Owns what the recovery site's ZVM has from the protected one's: the world at its start, and after that the journals,
//! the VPGs' states and the guests' files. Nothing goes the other way: that a disk is mounted here the other ZVM does not
//! know.

use crate::guest::Guest;
use crate::journal::Checkpoint;
use crate::state::State;
use crate::world::{Side, Site, Vm, Vpg};

/// What changed at the other site since it was looked at last.
#[derive(Debug, Default)]
pub(crate) struct News {
    vpgs: Vec<VpgNews>,
    guests: Vec<(String, Guest)>,
}

#[derive(Debug)]
struct VpgNews {
    identifier: String,
    status: (u8, u8),
    busy: Option<String>,
    /// `None`: it has not changed.
    journal: Option<(Vec<Checkpoint>, u64)>,
}

/// What was seen of the other site last.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Identifier, next checkpoint, length of the journal.
    journals: Vec<(String, u64, usize)>,
    guests: Vec<(String, u64)>,
}

impl State {
    /// The world of a peer's ZVM, as far as this one shares it: its site, and the VPGs that recover there, with their
    /// VMs. Identifiers are the same at both.
    pub(crate) fn seen_from(&self, peer: &Site) -> (Site, Vec<Vpg>, Vec<Vm>) {
        let to_there = |v: &&Vpg| v.protected == Side::Local && v.recovery == Side::Peer(peer.identifier.clone());
        let vpgs: Vec<Vpg> = self
            .vpgs
            .iter()
            .filter(to_there)
            .map(|v| Vpg {
                protected: Side::Peer(self.site.identifier.clone()),
                recovery: Side::Local,
                mirrored: true,
                failover_test_stage: None,
                ..v.clone()
            })
            .collect();
        let shared = |vm: &Vm| {
            let mut vm = vm.clone();
            vm.vpgs.retain(|id| vpgs.iter().any(|v| v.identifier == *id));
            (!vm.vpgs.is_empty()).then_some(vm)
        };
        let vms = self.vms.iter().filter_map(shared).collect();
        (peer.clone(), vpgs, vms)
    }

    /// What is new here for a peer that saw that much.
    pub(crate) fn news(&self, seen: &mut Seen) -> News {
        let mut news = News::default();
        let mut journals = Vec::new();
        for vpg in self.vpgs.iter().filter(|v| v.protected == Side::Local) {
            let now = (vpg.identifier.clone(), vpg.next_checkpoint, vpg.journal.len());
            // Those that are not listed yet change by the clock alone, and keep their moment.
            let journal = (!seen.journals.contains(&now)).then(|| (vpg.journal.clone(), vpg.next_checkpoint));
            news.vpgs.push(VpgNews {
                identifier: vpg.identifier.clone(),
                status: (vpg.status, vpg.sub_status),
                busy: self.busy_with_recovery(&vpg.identifier),
                journal,
            });
            journals.push(now);
        }
        let mut guests = Vec::new();
        for vm in &self.vms {
            let now = (vm.identifier.clone(), vm.guest.version());
            if !seen.guests.contains(&now) {
                news.guests.push((vm.identifier.clone(), vm.guest.clone()));
            }
            guests.push(now);
        }
        (seen.journals, seen.guests) = (journals, guests);
        news
    }

    /// Takes over what is new at the other site.
    pub(crate) fn hear(&mut self, news: News) {
        for new in news.vpgs {
            let Some(vpg) = self.vpgs.iter_mut().find(|v| v.mirrored && v.identifier == new.identifier) else {
                continue;
            };
            ((vpg.status, vpg.sub_status), vpg.busy_elsewhere) = (new.status, new.busy);
            if let Some((journal, next)) = new.journal {
                (vpg.journal, vpg.next_checkpoint) = (journal, next);
            }
        }
        for (identifier, guest) in news.guests {
            if let Some(vm) = self.vms.iter_mut().find(|v| v.identifier == identifier && !v.vpgs.is_empty()) {
                vm.guest = guest;
            }
        }
    }
}
