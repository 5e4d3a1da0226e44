//! A Zerto Virtual Manager that keeps state, for tests and demonstrations.
//!
//! It answers the calls of the ZVM REST API 10.x that inserting tagged checkpoints takes, and those that restore files,
//! clone a VPG and test its failover, over real TLS, with the quirks that were measured on a live ZVM, and it can be told to go wrong in every way a network does. It runs in a
//! thread of its own; the API here is synchronous.
//!
//! ```
//! use zvm_sim::{Fault, Sim, Step, Times};
//!
//! let sim = Sim::builder().demo_world().start();
//! sim.fault(Step::Insert, Fault::ResetAfterProcessing, Times::Next(1));
//! // … a client does its work against sim.url(), with sim.pin() …
//! assert!(sim.tags("web01-dr").is_empty());
//! assert!(sim.requests().is_empty());
//! ```
//!
//! Where a fact of the real ZVM is unknown, the docs say "unknown; chosen: …", and most choices can be set.

mod builder;
mod content;
mod dates;
mod faults;
mod flr;
mod guest;
mod journal;
mod json;
mod log;
mod mirror;
mod presets;
mod recovery;
mod routes;
mod secret_file;
mod server;
mod settings;
mod shared;
mod sim;
mod sim_recovery;
mod state;
mod strike;
mod tasks;
mod tls;
mod tokens;
mod wire;
mod world;
mod zip;

pub use builder::{SimBuilder, StartError};
pub use content::Content;
pub use faults::{Fault, Route, Step, Times};
pub use flr::settings::{DownloadForm, FlrSettings, ItemPaths, LinkForm, MountRefusal, PastEnd, RecoverySettings};
pub use flr::{Colleague, FlrSession, MountOutcome, UnmountOutcome};
pub use guest::{Guest, Since};
pub use journal::Checkpoint;
pub use log::{Connection, Handshake, Request};
pub use recovery::Created;
pub use settings::{Casing, DateForm, NameMatch, Refusal, Settings};
pub use sim::Sim;
pub use state::State;
pub use tasks::{InsertOutcome, Task};
pub use tls::CertKind;
pub use tokens::Role;
pub use world::{Platform, Side, Site, Vm, VmSpec, Vpg, VpgSpec};
