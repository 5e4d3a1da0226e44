//! The state of the ZVM, and the changes that tests make to it directly.
//!
//! Owns what there is: site, peers, VPGs, VMs, tasks, tokens, settings.

use std::collections::VecDeque;

use crate::content::Content;
use crate::dates::now_ms;
use crate::flr::{Flr, FlrSession};
use crate::guest::Node;
use crate::guest::{Guest, Since};
use crate::recovery::Created;
use crate::settings::Settings;
use crate::tasks::{InsertOutcome, Task};
use crate::tokens::Tokens;
use crate::world::{Side, Site, Vm, VmSpec, Vpg, VpgSpec, guid};

/// All that the ZVM knows.
#[derive(Debug)]
#[non_exhaustive]
pub struct State {
    /// See [`Settings`].
    pub settings: Settings,
    /// The site that this ZVM manages.
    pub site: Site,
    /// The sites it is paired with.
    pub peers: Vec<Site>,
    /// VPGs that it protects or recovers.
    pub vpgs: Vec<Vpg>,
    /// VMs, the unprotected ones too.
    pub vms: Vec<Vm>,
    /// Tasks, oldest first.
    pub tasks: Vec<Task>,
    /// FLR sessions, those that are over included: they linger in the list (measured on a live ZVM 10.x).
    pub flr_sessions: Vec<FlrSession>,
    /// What clones and failover tests have made, oldest first.
    pub created: Vec<Created>,
    pub(crate) flr: Flr,
    pub(crate) recoveries: VecDeque<InsertOutcome>,
    pub(crate) tokens: Tokens,
    pub(crate) outcomes: VecDeque<(Option<String>, InsertOutcome)>,
    pub(crate) tasks_made: u64,
    pub(crate) vms_made: u64,
    pub(crate) listings: u64,
}

impl State {
    pub(crate) fn new(site: Site, settings: Settings, tokens: Tokens) -> Self {
        Self {
            settings,
            site,
            peers: Vec::new(),
            vpgs: Vec::new(),
            vms: Vec::new(),
            tasks: Vec::new(),
            flr_sessions: Vec::new(),
            created: Vec::new(),
            flr: Flr::default(),
            recoveries: VecDeque::new(),
            tokens,
            outcomes: VecDeque::new(),
            tasks_made: 0,
            vms_made: 0,
            listings: 0,
        }
    }

    /// The ZVM's clock.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        now_ms(self.settings.clock_offset_ms)
    }

    /// A VPG by its guid or its name.
    #[must_use]
    pub fn vpg(&self, id_or_name: &str) -> Option<&Vpg> {
        let is = |v: &&Vpg| v.identifier.eq_ignore_ascii_case(id_or_name);
        self.vpgs.iter().find(is).or_else(|| self.vpgs.iter().find(|v| v.name == id_or_name))
    }

    /// A VPG by its guid or its name, to change it.
    pub fn vpg_mut(&mut self, id_or_name: &str) -> Option<&mut Vpg> {
        let id = self.vpg(id_or_name)?.identifier.clone();
        self.vpgs.iter_mut().find(|v| v.identifier == id)
    }

    /// A VM by its identifier.
    #[must_use]
    pub fn vm(&self, identifier: &str) -> Option<&Vm> {
        self.vms.iter().find(|v| v.identifier.eq_ignore_ascii_case(identifier))
    }

    /// The site on one side of a VPG.
    #[must_use]
    pub fn site_of(&self, side: &Side) -> Option<&Site> {
        match side {
            Side::Local => Some(&self.site),
            Side::Peer(id) => self.peers.iter().find(|p| p.identifier == *id),
        }
    }

    /// Adds a VPG, or finds the one that has its name; its guid.
    pub fn add_vpg(&mut self, spec: &VpgSpec) -> String {
        if let Some(there) = self.vpgs.iter().find(|v| v.name == spec.name) {
            return there.identifier.clone();
        }
        let (protected, recovery) = (self.side(spec.protected.as_deref()), self.side(spec.recovery.as_deref()));
        let mut vpg = Vpg {
            identifier: guid(&format!("vpg {}", spec.name)),
            name: spec.name.clone(),
            status: spec.status,
            sub_status: spec.sub_status,
            protected,
            recovery,
            configured_history_minutes: spec.history.0,
            actual_history_minutes: None,
            actual_rpo: 6,
            failover_test_stage: None,
            journal_copy: false,
            busy_elsewhere: None,
            mirrored: false,
            journal: Vec::new(),
            next_checkpoint: 1201,
            last_auto_ms: 0,
        };
        vpg.seed(self.now_ms(), spec.history.1, self.settings.auto_checkpoint_every);
        vpg.seed_more(self.now_ms(), spec);
        let identifier = vpg.identifier.clone();
        self.vpgs.push(vpg);
        identifier
    }

    /// Adds a VM and its VPGs; its identifier.
    pub fn add_vm(&mut self, spec: &VmSpec) -> String {
        let vpgs: Vec<String> = spec.vpgs.iter().map(|v| self.add_vpg(v)).collect();
        self.vms_made += 1;
        let identifier = spec.identifier.clone().unwrap_or_else(|| {
            let side = vpgs.first().and_then(|id| self.vpg(id)).map_or(&Side::Local, |v| &v.protected);
            let server = self.site_of(side).map_or("", |s| s.name.as_str());
            format!("{}.vm-{}", guid(&format!("server {server}")), 100 + self.vms_made)
        });
        self.vms.push(Vm {
            identifier: identifier.clone(),
            name: spec.name.clone(),
            ip_addresses: spec.ips.clone(),
            guest_os: spec.guest_os.clone(),
            vpgs,
            flr_enabled: true,
            guest: spec.guest.clone().unwrap_or_else(|| Guest::of(&spec.guest_os, &spec.name)),
        });
        identifier
    }

    /// Puts a file into the guests of that name, from now on. Checkpoints that stand already keep what they have.
    pub fn put_file(&mut self, vm: &str, path: &str, content: impl Into<Content>) {
        self.change_file(vm, path, Some(Node::File(content.into())));
    }

    /// Takes a file, or a folder and what it holds, out of the guests of that name, from now on.
    pub fn remove_file(&mut self, vm: &str, path: &str) {
        self.change_file(vm, path, None);
    }

    fn change_file(&mut self, vm: &str, path: &str, node: Option<Node>) {
        let now = Since::Ms(self.now_ms().saturating_add(1));
        for vm in self.vms.iter_mut().filter(|v| v.name == vm) {
            vm.guest.change(now, path, node.clone());
        }
    }

    /// Adds a peer, or replaces the one that has its name.
    pub fn add_peer(&mut self, peer: Site) {
        self.peers.retain(|p| p.name != peer.name);
        self.peers.push(peer);
    }

    fn side(&mut self, peer: Option<&str>) -> Side {
        let Some(name) = peer else { return Side::Local };
        if let Some(there) = self.peers.iter().find(|p| p.name == name) {
            return Side::Peer(there.identifier.clone());
        }
        let site = Site::vcenter(name);
        let identifier = site.identifier.clone();
        self.peers.push(site);
        Side::Peer(identifier)
    }
}
