//! The verbs for a whole VPG: its list, clones, failover tests, and the sites that they run at.

use super::{Call, SMALL, Sends, Zvm};
use crate::text::foreign;
use crate::zvm::error::{ChangeError, ZvmError};
use crate::zvm::http::encoded;
use crate::zvm::model::{PeerSite, Resource, Task, Vpg};
use crate::zvm::wire;
use crate::zvm::wire::query_date;
use jiff::Timestamp;
use std::time::Duration;

/// These are answered when they have begun; a ZVM that is busy may take its time.
const BEGIN: Duration = Duration::from_secs(60);

impl Zvm {
    /// All VPGs that it protects or recovers.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`](crate::zvm::ZvmErrorKind).
    pub fn vpgs(&self) -> Result<Vec<Vpg>, ZvmError> {
        self.inventory("listing its VPGs", "/v1/vpgs", wire::vpgs)
    }

    /// The sites that it is paired with.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`](crate::zvm::ZvmErrorKind).
    pub fn peer_sites(&self) -> Result<Vec<PeerSite>, ZvmError> {
        self.read("listing its peers", "/v1/peersites", wire::peer_sites)
    }

    /// The VMs of a site that no VPG protects: a clone is one of them (inferred: the list is of VMs that can be protected).
    ///
    /// # Errors
    /// See [`ZvmErrorKind`](crate::zvm::ZvmErrorKind).
    pub fn unprotected_vms(&self, site: &str) -> Result<Vec<Resource>, ZvmError> {
        let path = format!("/v1/virtualizationsites/{}/vms", encoded(site));
        self.inventory("listing the VMs of its site that no VPG protects", &path, wire::unprotected_vms)
    }

    /// The datastores of a site.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`](crate::zvm::ZvmErrorKind).
    pub fn datastores(&self, site: &str) -> Result<Vec<Resource>, ZvmError> {
        let path = format!("/v1/virtualizationsites/{}/datastores", encoded(site));
        self.inventory("listing the datastores of its site", &path, wire::datastores)
    }

    /// The tasks of any kind that work on a VPG and began at `since` (by the ZVM's clock) or later.
    ///
    /// # Errors
    /// See [`ZvmErrorKind`](crate::zvm::ZvmErrorKind).
    pub fn tasks_of(&self, vpg: &str, since: Timestamp) -> Result<Vec<Task>, ZvmError> {
        let trying = format!("listing the tasks of the VPG {}", foreign(vpg, 100));
        let path = format!("/v1/tasks?startedAfterDate={}", encoded(&query_date(since)));
        let mut tasks = self.inventory(&trying, &path, wire::tasks)?;
        tasks.retain(|task| task.vpgs.iter().any(|id| id.eq_ignore_ascii_case(vpg)));
        Ok(tasks)
    }

    /// Begins to clone a VPG's VMs as they were at a checkpoint, and returns the task that does it. The clones are powered
    /// off, unprotected, at the recovery site, and named after the VM and the checkpoint's time (help).
    ///
    /// # Errors
    /// Whether nothing was begun, or nobody knows.
    pub fn start_clone(&self, vpg: &str, checkpoint: &str, datastore: Option<&str>) -> Result<String, ChangeError> {
        self.begin(vpg, "CloneStart", "cloning", &wire::clone_body(checkpoint, datastore))
    }

    /// Begins a failover test of a VPG as it was at a checkpoint, and returns the task that starts it. The test goes on
    /// until it is [stopped](Self::stop_failover_test).
    ///
    /// # Errors
    /// Whether nothing was begun, or nobody knows.
    pub fn start_failover_test(&self, vpg: &str, checkpoint: &str) -> Result<String, ChangeError> {
        self.begin(vpg, "FailoverTest", "testing the failover of", &wire::test_body(checkpoint))
    }

    /// Begins to stop the failover test of a VPG, and returns the task that does it. What the test made goes.
    ///
    /// # Errors
    /// Whether nothing was begun, or nobody knows.
    pub fn stop_failover_test(&self, vpg: &str, success: bool, summary: &str) -> Result<String, ChangeError> {
        self.begin(vpg, "FailoverTestStop", "stopping the failover test of", &wire::stop_body(success, summary))
    }

    fn begin(&self, vpg: &str, call: &str, doing: &str, body: &str) -> Result<String, ChangeError> {
        let trying = format!("{doing} the VPG {}", foreign(vpg, 100));
        let path = format!("/v1/vpgs/{}/{call}", encoded(vpg));
        let call =
            Call { trying: &trying, path: &path, sends: Sends::json(body), bearer: None, time: BEGIN, limit: SMALL };
        self.change(&call, false, wire::new_identifier)
    }
}
