//! From the names in a call to a tagged checkpoint in every taggable VPG of its VMs, or a reason why not.

mod redact;
mod redact_names;
pub mod tag;

pub use redact::redact;
