//! Clones and failover tests: what they make, and what they stand in the way of.
//!
//! Owns the changes of the state; the answers are in `routes::recovery`.

use crate::dates;
use crate::settings::Refusal;
use crate::state::State;
use crate::tasks::{Begin, Effect, InsertOutcome, Refused};
use crate::world::{Side, Vm, guid};

/// What a clone or a test made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Created {
    /// Its name. A clone's is the VM's and the checkpoint's time (help); their exact form is unknown, chosen:
    /// `web01 - 2026-09-21 15:04:05`. A test's: chosen, `web01 - testing recovery`.
    pub name: String,
    /// Whether a test made it; else a clone.
    pub by_test: bool,
    /// The VPG's guid.
    pub vpg: String,
    /// The checkpoint.
    pub checkpoint: String,
    /// The datastore that was asked for.
    pub datastore: Option<String>,
}

/// What comes of a recovery's task.
#[derive(Debug, Clone)]
pub(crate) enum RecoveryEffect {
    Cloned(Vec<Created>),
    Testing(Vec<Created>),
    Stopped { vpg: String },
}

/// A recovery that was asked for.
pub(crate) struct Wanted {
    pub(crate) vpg: String,
    /// `None`: the latest.
    pub(crate) checkpoint: Option<String>,
    pub(crate) datastore: Option<String>,
    /// Empty: all.
    pub(crate) vms: Vec<String>,
}

impl State {
    /// What goes on with a VPG that no file restore may run beside (measured on a live ZVM 10.x: clone, failover test,
    /// live failover, extended journal copy). The texts are unknown; chosen.
    pub(crate) fn busy_with_recovery(&self, vpg: &str) -> Option<String> {
        let group = self.vpg(vpg)?;
        if let Some(why) = &group.busy_elsewhere {
            return Some(why.clone());
        }
        let runs =
            |kind: &str| self.tasks.iter().any(|t| t.vpg == group.identifier && t.task_type == kind && !t.is_over());
        let what = if group.failover_test_stage.is_some() || runs("FailOverTest") {
            "A failover test is running."
        } else if runs("Clone") {
            "A clone is running."
        } else if group.journal_copy {
            "An extended journal copy is running."
        } else if group.status == 5 {
            "A failover is running."
        } else {
            return None;
        };
        Some(what.to_owned())
    }

    /// Why a clone or a test can't begin.
    fn recovery_refusal(&self, vpg: &str) -> Option<String> {
        let mounted = self.flr_sessions.iter().any(|s| s.vpg_identifier == vpg && self.is_live(s));
        if mounted {
            return Some("A disk of a VM in this VPG is mounted for file level restore.".to_owned());
        }
        self.busy_with_recovery(vpg)
    }

    /// `CloneStart` and `FailoverTest`: the task's identifier.
    pub(crate) fn recover(&mut self, wanted: &Wanted, is_test: bool, user: &str) -> Result<String, Refused> {
        let missing = |what: String| Refused(self.settings.not_found_status, what);
        let group = self.vpgs.iter().find(|v| v.identifier.eq_ignore_ascii_case(&wanted.vpg));
        let group = group.ok_or_else(|| missing(format!("VPG {} was not found.", wanted.vpg)))?;
        let vpg = group.identifier.clone();
        let point = match &wanted.checkpoint {
            Some(id) => group.listed().find(|c| c.id == *id),
            None => group.listed().max_by_key(|c| c.time_ms),
        };
        let asked = wanted.checkpoint.as_deref().unwrap_or("(latest)");
        let point = point.ok_or_else(|| missing(format!("Checkpoint {asked} was not found.")))?.clone();
        let held = |vm: &&Vm| vm.vpgs.contains(&vpg) && (wanted.vms.is_empty() || wanted.vms.contains(&vm.identifier));
        let time = dates::iso(point.time_ms).get(..19).unwrap_or_default().replace('T', " ");
        let created: Vec<Created> = self
            .vms
            .iter()
            .filter(held)
            .map(|vm| Created {
                name: if is_test { format!("{} - testing recovery", vm.name) } else { format!("{} - {time}", vm.name) },
                by_test: is_test,
                vpg: vpg.clone(),
                checkpoint: point.id.clone(),
                datastore: wanted.datastore.clone(),
            })
            .collect();
        let unknown_store = wanted.datastore.as_deref().filter(|id| !self.datastores().iter().any(|(d, _)| d == id));
        let refusal = self.recovery_refusal(&vpg).or(unknown_store.map(|id| format!("Datastore {id} was not found.")));
        let times = &self.settings.recovery;
        let (task_type, takes) = if is_test { ("FailOverTest", times.test_time) } else { ("Clone", times.clone_time) };
        let effect = if is_test { RecoveryEffect::Testing(created) } else { RecoveryEffect::Cloned(created) };
        self.run(
            vpg,
            user,
            refusal,
            Begin {
                task_type,
                takes,
                outcome: InsertOutcome::completed(),
                effect: Effect::Recovery(effect),
                flr_session: None,
            },
        )
    }

    /// `FailoverTestStop`: the task's identifier.
    pub(crate) fn stop_test(&mut self, vpg: &str, user: &str) -> Result<String, Refused> {
        let Some(group) = self.vpgs.iter().find(|v| v.identifier.eq_ignore_ascii_case(vpg)) else {
            return Err(Refused(self.settings.not_found_status, format!("VPG {vpg} was not found.")));
        };
        let refusal = group.failover_test_stage.is_none().then(|| "No failover test is running.".to_owned());
        let vpg = group.identifier.clone();
        let begin = Begin {
            task_type: "StopFailOverTest",
            takes: self.settings.recovery.stop_time,
            outcome: InsertOutcome::completed(),
            effect: Effect::Recovery(RecoveryEffect::Stopped { vpg: vpg.clone() }),
            flr_session: None,
        };
        self.run(vpg, user, refusal, begin)
    }

    fn run(&mut self, vpg: String, user: &str, refusal: Option<String>, begin: Begin) -> Result<String, Refused> {
        let outcome = match (refusal, self.settings.recovery.refusal) {
            (Some(why), Refusal::Http(status)) => return Err(Refused(status, why)),
            (Some(why), Refusal::FailedTask) => InsertOutcome::failed(&why),
            (None, _) => self.recoveries.pop_front().unwrap_or(begin.outcome),
        };
        Ok(self.begin(vpg, user, Begin { outcome, ..begin }))
    }

    pub(crate) fn recovery_took_effect(&mut self, effect: RecoveryEffect) {
        match effect {
            RecoveryEffect::Cloned(created) => self.create(created),
            RecoveryEffect::Testing(created) => {
                let vpg = created.first().map(|c| c.vpg.clone()).unwrap_or_default();
                if let Some(vpg) = self.vpg_mut(&vpg) {
                    vpg.failover_test_stage = Some("Testing".to_owned());
                }
                self.create(created);
            }
            RecoveryEffect::Stopped { vpg } => {
                if let Some(vpg) = self.vpg_mut(&vpg) {
                    vpg.failover_test_stage = None;
                }
                let gone: Vec<String> =
                    self.created.iter().filter(|c| c.by_test && c.vpg == vpg).map(|c| c.name.clone()).collect();
                self.created.retain(|c| !(c.by_test && c.vpg == vpg));
                self.vms.retain(|vm| !(vm.vpgs.is_empty() && gone.contains(&vm.name)));
            }
        }
    }

    /// Powered off, unprotected, at the recovery site (help): seen here if that is this one.
    fn create(&mut self, created: Vec<Created>) {
        for made in created {
            if self.vpg(&made.vpg).is_some_and(|v| v.recovery == Side::Local) {
                self.vms_made += 1;
                self.vms.push(Vm {
                    identifier: format!("{}.vm-{}", guid(&format!("server {}", self.site.name)), 100 + self.vms_made),
                    name: made.name.clone(),
                    ip_addresses: Vec::new(),
                    guest_os: String::new(),
                    vpgs: Vec::new(),
                    flr_enabled: false,
                    guest: crate::guest::Guest::new(),
                });
            }
            self.created.push(made);
        }
    }

    /// The datastores of every site, as identifier and name; two of them have one name.
    pub(crate) fn datastores(&self) -> Vec<(String, String)> {
        let server = guid(&format!("server {}", self.site.name));
        let known = [("datastore-1", "datastore-1"), ("datastore-2", "datastore-2"), ("a", "shared"), ("b", "shared")];
        known.iter().map(|(id, name)| (format!("{server}.{id}"), (*name).to_owned())).collect()
    }
}
