//! A whole VPG at a tag: clones of its VMs, or a failover test, and the end of one.
//!
//! `plan` (what would happen, known before anybody is asked), `task` (the order and its task), `error`. Both run at the
//! recovery site (help), so it is the ZVM there that is asked; what a VPG-wide act is meant for is never guessed. Must not:
//! hold anything else of disaster recovery.

pub mod error;
pub mod plan;
pub mod task;

use crate::zvm::{ChangeError, Zvm};

/// What is done with a whole VPG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Copies of its VMs as they were at a checkpoint.
    Clone {
        /// The checkpoint.
        checkpoint: String,
        /// The datastore's identifier; none: as the VPG's own settings have it.
        datastore: Option<String>,
    },
    /// A failover test as it was at a checkpoint, which goes on until it is stopped.
    Test {
        /// The checkpoint.
        checkpoint: String,
    },
    /// The end of its failover test.
    StopTest {
        /// Whether Zerto's report shall call the test a success.
        success: bool,
    },
}

/// What Zerto's report says of a test's end.
const SUMMARY: &str = "Stopped with zerto-guard rewind stop-test.";

impl Act {
    /// As in "… of VPG web01-dr".
    #[must_use]
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Clone { .. } => "the clone",
            Self::Test { .. } => "the start of the failover test",
            Self::StopTest { .. } => "the stop of the failover test",
        }
    }

    /// Whether a task of this kind does it. Zerto's Python SDK has `Clone`, `FailOverTest` and `StopFailOverTest` as names of
    /// events; that tasks have the same ones is inferred, so that only their words count.
    #[must_use]
    pub fn is_kind(&self, kind: &str) -> bool {
        let kind = kind.to_ascii_lowercase();
        let stops = kind.contains("stop");
        match self {
            Self::Clone { .. } => kind.contains("clone") && !kind.contains("abort"),
            Self::Test { .. } => kind.contains("test") && !stops,
            Self::StopTest { .. } => kind.contains("test") && stops,
        }
    }

    /// Gives the order; the task that carries it out.
    fn begin(&self, zvm: &Zvm, vpg: &str) -> Result<String, ChangeError> {
        match self {
            Self::Clone { checkpoint, datastore } => zvm.start_clone(vpg, checkpoint, datastore.as_deref()),
            Self::Test { checkpoint } => zvm.start_failover_test(vpg, checkpoint),
            Self::StopTest { success } => zvm.stop_failover_test(vpg, *success, SUMMARY),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_tasks() {
        let (clone, test, stop) = (
            Act::Clone { checkpoint: String::new(), datastore: None },
            Act::Test { checkpoint: String::new() },
            Act::StopTest { success: true },
        );
        for (kind, is) in [
            ("Clone", [true, false, false]),
            ("CloneVpg", [true, false, false]),
            ("CloneAbort", [false, false, false]),
            ("FailOverTest", [false, true, false]),
            ("StopFailOverTest", [false, false, true]),
            ("FailoverTestStop", [false, false, true]),
            ("InsertTaggedCP", [false, false, false]),
            ("", [false, false, false]),
        ] {
            assert_eq!([clone.is_kind(kind), test.is_kind(kind), stop.is_kind(kind)], is, "{kind}");
        }
    }
}
