//! What the guard asks of a ZVM: the verbs it uses and no other, so that each rule can be tested without one.
//!
//! Must not: hold logic. What a verb does is `zvm::client`'s business, reads that fail in passing included.

use super::error::GuardError;
use crate::config::ZvmConfig;
use crate::deadline::Deadline;
use crate::state::StateDir;
use crate::zvm::client::Zvm;
use crate::zvm::error::{ChangeError, ZvmError};
use crate::zvm::model::{Checkpoint, LocalSite, ProtectedVm, Task, Vpg};
use jiff::Timestamp;

/// A Zerto Virtual Manager, as far as a guard needs one.
pub trait Appliance: Send + Sync {
    /// The user's name for it.
    fn name(&self) -> &str;
    /// Its own site.
    ///
    /// # Errors
    /// It did not answer, or not so that it could be understood.
    fn local_site(&self) -> Result<LocalSite, ZvmError>;
    /// What its clock says.
    ///
    /// # Errors
    /// As for [`Self::local_site`].
    fn server_time(&self) -> Result<Timestamp, ZvmError>;
    /// The rows of VMs with this whole name, whatever the case.
    ///
    /// # Errors
    /// As for [`Self::local_site`].
    fn vms_named(&self, name: &str) -> Result<Vec<ProtectedVm>, ZvmError>;
    /// The rows of the VM with this identifier.
    ///
    /// # Errors
    /// As for [`Self::local_site`].
    fn vms_identified(&self, identifier: &str) -> Result<Vec<ProtectedVm>, ZvmError>;
    /// All rows.
    ///
    /// # Errors
    /// As for [`Self::local_site`].
    fn all_vms(&self) -> Result<Vec<ProtectedVm>, ZvmError>;
    /// One VPG.
    ///
    /// # Errors
    /// As for [`Self::local_site`].
    fn vpg(&self, identifier: &str) -> Result<Vpg, ZvmError>;
    /// Asks for a tagged checkpoint and returns the identifier of the task: queued, and no more than that.
    ///
    /// # Errors
    /// It was refused, or the answer was lost and nobody knows.
    fn insert_checkpoint(&self, vpg: &str, tag: &str) -> Result<String, ChangeError>;
    /// A task; none if the ZVM does not know it (yet).
    ///
    /// # Errors
    /// As for [`Self::local_site`].
    fn task(&self, identifier: &str) -> Result<Option<Task>, ZvmError>;
    /// Everybody's inserts of tagged checkpoints since then.
    ///
    /// # Errors
    /// As for [`Self::local_site`].
    fn insert_tasks_since(&self, since: Timestamp) -> Result<Vec<Task>, ZvmError>;
    /// The checkpoints of a VPG in that time.
    ///
    /// # Errors
    /// As for [`Self::local_site`].
    fn checkpoints(&self, vpg: &str, from: Timestamp, until: Option<Timestamp>) -> Result<Vec<Checkpoint>, ZvmError>;
}

/// The ZVMs that are asked when a call is guarded. Nothing is connected yet.
///
/// # Errors
/// There is none, or what one is trusted by cannot be read.
pub fn guarding(
    zvms: &[ZvmConfig],
    state: &StateDir,
    deadline: Deadline,
) -> Result<Vec<Box<dyn Appliance>>, GuardError> {
    let mut appliances: Vec<Box<dyn Appliance>> = Vec::new();
    for config in zvms.iter().filter(|config| config.guards) {
        appliances.push(Box::new(Zvm::new(config, state, deadline)?));
    }
    if appliances.is_empty() { Err(GuardError::NoZvm) } else { Ok(appliances) }
}

impl Appliance for Zvm {
    fn name(&self) -> &str {
        self.name()
    }
    fn local_site(&self) -> Result<LocalSite, ZvmError> {
        self.local_site()
    }
    fn server_time(&self) -> Result<Timestamp, ZvmError> {
        self.server_time()
    }
    fn vms_named(&self, name: &str) -> Result<Vec<ProtectedVm>, ZvmError> {
        self.vms_named(name)
    }
    fn vms_identified(&self, identifier: &str) -> Result<Vec<ProtectedVm>, ZvmError> {
        self.vms_identified(identifier)
    }
    fn all_vms(&self) -> Result<Vec<ProtectedVm>, ZvmError> {
        self.all_vms()
    }
    fn vpg(&self, identifier: &str) -> Result<Vpg, ZvmError> {
        self.vpg(identifier)
    }
    fn insert_checkpoint(&self, vpg: &str, tag: &str) -> Result<String, ChangeError> {
        self.insert_checkpoint(vpg, tag)
    }
    fn task(&self, identifier: &str) -> Result<Option<Task>, ZvmError> {
        self.task(identifier)
    }
    fn insert_tasks_since(&self, since: Timestamp) -> Result<Vec<Task>, ZvmError> {
        self.insert_tasks_since(since)
    }
    fn checkpoints(&self, vpg: &str, from: Timestamp, until: Option<Timestamp>) -> Result<Vec<Checkpoint>, ZvmError> {
        self.checkpoints(vpg, from, until)
    }
}
