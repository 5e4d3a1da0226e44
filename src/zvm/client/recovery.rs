//! The verbs for a whole VPG: its list, clones, failover tests, and the sites that they run at.

use super::{Sends, Zvm};
use crate::text::clean;
use crate::zvm::error::{ChangeError, ZvmError};
use crate::zvm::http::encoded;
use crate::zvm::model::{PeerSite, Vpg};
use crate::zvm::wire;
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
        let trying = format!("{doing} the VPG {}", clean(vpg, 100));
        let path = format!("/v1/vpgs/{}/{call}", encoded(vpg));
        self.change(&trying, &path, Sends::json(body), BEGIN, wire::new_identifier)
    }
}
