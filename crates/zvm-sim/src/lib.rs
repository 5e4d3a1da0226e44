//! A Zerto Virtual Manager that keeps state, for tests and demonstrations.
//!
//! It answers the calls of the ZVM REST API 10.x that inserting tagged checkpoints takes, over real TLS, with the
//! quirks that were measured on a live ZVM, and it can be told to go wrong in every way a network does. It runs in a
//! thread of its own; the API here is synchronous.
//!
//! Where a fact of the real ZVM is unknown, the docs say "unknown; chosen: …", and most choices can be set.

mod tls;

pub use tls::CertKind;
