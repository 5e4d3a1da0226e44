//! Numbers by chance, so that several processes or machines that met once do not meet again.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// A number below `bound` (below 1 if that is 0). The standard library seeds its hashers from the system for each thread
/// and changes them each time; that never fails, and no secret hangs on it.
pub(crate) fn below(bound: u64) -> u64 {
    RandomState::new().build_hasher().finish() % bound.max(1)
}
