//! The running simulator, as a test holds it.
//!
//! Owns the synchronous face: every call returns when it has happened, and dropping it stops the server.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::builder::SimBuilder;
use crate::faults::{Fault, Route, Step, Times};
use crate::journal::Checkpoint;
use crate::log::{Connection, Handshake, Request};
use crate::secret_file::SecretFile;
use crate::server::{Order, Orders, bind};
use crate::shared::Shared;
use crate::state::State;
use crate::tasks::{InsertOutcome, Task};
use crate::tls::Identity;
use crate::world::{VmSpec, VpgSpec};

/// A running simulator. Dropping it stops the server and waits for that.
#[derive(Debug)]
pub struct Sim {
    pub(crate) shared: Arc<Shared>,
    pub(crate) name: String,
    pub(crate) at: SocketAddr,
    pub(crate) identity: Option<Identity>,
    pub(crate) username: String,
    pub(crate) password: SecretFile,
    pub(crate) orders: Orders,
    pub(crate) thread: Option<JoinHandle<()>>,
}

/// How a client reaches and trusts it.
impl Sim {
    /// Describes one.
    pub fn builder() -> SimBuilder {
        SimBuilder::default()
    }

    /// `https://127.0.0.1:<port>`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.shared.url
    }

    /// Where it listens.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.at
    }

    /// `sha256:AA:BB:…` of the certificate; empty for plain http.
    #[must_use]
    pub fn pin(&self) -> String {
        self.identity.as_ref().map(Identity::pin).unwrap_or_default()
    }

    /// The certificate that it shows; empty for plain http.
    #[must_use]
    pub fn cert_pem(&self) -> &str {
        self.identity.as_ref().map_or("", |i| &i.leaf_pem)
    }

    /// The CA that signed it, for `CertKind::SignedByCa`.
    #[must_use]
    pub fn ca_pem(&self) -> Option<&str> {
        self.identity.as_ref()?.ca_pem.as_deref()
    }

    /// The account that `config_toml` names.
    #[must_use]
    pub fn username(&self) -> &str {
        &self.username
    }

    /// A file with its password, mode 0600, in a folder of mode 0700. It goes when the simulator does.
    #[must_use]
    pub fn password_file(&self) -> &Path {
        self.password.path()
    }

    /// A `[[zvm]]` block of a client's configuration.
    #[must_use]
    pub fn config_toml(&self) -> String {
        let trust = match &self.identity {
            Some(identity) => format!("tls_pin = {}", quoted(&identity.pin())),
            None => "allow_plain_http = true".to_owned(),
        };
        format!(
            "[[zvm]]\nname = {}\nurl = {}\nusername = {}\npassword_file = {}\n{trust}\n",
            quoted(&self.name),
            quoted(self.url()),
            quoted(&self.username),
            quoted(&self.password_file().to_string_lossy()),
        )
    }

    /// A URL where nothing listens.
    #[must_use]
    pub fn refused_url() -> String {
        // The port was free a moment ago, and the system hands out others before it comes back to it.
        let port = bind(0).map_or(9, |(_, at)| at.port());
        format!("https://127.0.0.1:{port}")
    }
}

/// The world, while it runs.
impl Sim {
    /// Looks at the state, or changes it. What is due has happened before. The state is locked meanwhile: calling the
    /// simulator's other methods from inside waits for ever.
    pub fn with_state<T>(&self, f: impl FnOnce(&mut State) -> T) -> T {
        f(&mut self.shared.state())
    }

    /// Adds a VM in these VPGs (new ones, or those that have these names already); its identifier.
    pub fn add_vm(&self, name: &str, vpgs: &[VpgSpec]) -> String {
        let spec = vpgs.iter().cloned().fold(VmSpec::new(name), VmSpec::vpg);
        self.with_state(|s| s.add_vm(&spec))
    }

    /// Adds a VM as described; its identifier.
    pub fn add_vm_spec(&self, vm: &VmSpec) -> String {
        self.with_state(|s| s.add_vm(vm))
    }

    /// Takes the VMs of that name away; their VPGs stay.
    pub fn remove_vm(&self, name: &str) {
        self.with_state(|s| s.vms.retain(|vm| vm.name != name));
    }

    /// The guid of the VPG of that name.
    #[must_use]
    pub fn vpg_id(&self, name: &str) -> Option<String> {
        self.with_state(|s| s.vpg(name).map(|v| v.identifier.clone()))
    }

    /// Sets a VPG's status and sub-status. `false`: there is no such VPG.
    pub fn set_vpg_status(&self, vpg: &str, status: u8, sub_status: u8) -> bool {
        self.with_state(|s| {
            let vpg = s.vpg_mut(vpg);
            vpg.map(|v| (v.status, v.sub_status) = (status, sub_status)).is_some()
        })
    }

    /// Begins a resync: the VPG is NotMeetingSLA and Sync, and its checkpoints are gone, the tagged ones too
    /// (measured on a live ZVM 10.x). `set_vpg_status(vpg, 1, 0)` ends it. `false`: there is no such VPG.
    pub fn resync(&self, vpg: &str) -> bool {
        self.with_state(|s| {
            let vpg = s.vpg_mut(vpg);
            vpg.map(|v| {
                (v.status, v.sub_status) = (2, 4);
                v.journal.clear();
            })
            .is_some()
        })
    }

    /// A VPG's checkpoints by time, those that aren't listed yet too; none if there is no such VPG.
    #[must_use]
    pub fn journal(&self, vpg: &str) -> Vec<Checkpoint> {
        self.with_state(|s| s.vpg(vpg).map(|v| v.journal.clone()).unwrap_or_default())
    }

    /// The tags in a VPG's journal by time, those that aren't listed yet too.
    #[must_use]
    pub fn tags(&self, vpg: &str) -> Vec<String> {
        self.journal(vpg).into_iter().filter_map(|c| c.tag).collect()
    }

    /// Puts a tagged checkpoint into a VPG's journal as if it had been made that long ago; its identifier. `None`: there is
    /// no such VPG.
    pub fn put_tag(&self, vpg: &str, ago: Duration, tag: &str) -> Option<String> {
        self.with_state(|s| {
            let at = s.now_ms().saturating_sub(i64::try_from(ago.as_millis()).unwrap_or(i64::MAX));
            let vpg = s.vpgs.iter_mut().find(|known| known.name == vpg)?;
            vpg.push(at, Some(tag.to_owned()), None);
            let id = vpg.journal.last().map(|made| made.id.clone());
            vpg.journal.sort_by_key(|checkpoint| checkpoint.time_ms);
            id
        })
    }

    /// The tags of all VPGs, as (name of the VPG, tag).
    #[must_use]
    pub fn all_tags(&self) -> Vec<(String, String)> {
        let of = |v: &crate::world::Vpg| -> Vec<(String, String)> {
            v.journal.iter().filter_map(|c| Some((v.name.clone(), c.tag.clone()?))).collect()
        };
        self.with_state(|s| s.vpgs.iter().flat_map(of).collect())
    }

    /// All tasks, oldest first.
    #[must_use]
    pub fn tasks(&self) -> Vec<Task> {
        self.with_state(|s| s.tasks.clone())
    }

    /// How the next so many inserts end, at whichever VPG.
    pub fn next_inserts(&self, count: usize, outcome: &InsertOutcome) {
        self.with_state(|s| s.outcomes.extend(std::iter::repeat_n((None, outcome.clone()), count)));
    }

    /// How the next so many inserts at that VPG end. `false`: there is no such VPG.
    pub fn next_inserts_at(&self, vpg: &str, count: usize, outcome: &InsertOutcome) -> bool {
        self.with_state(|s| {
            let id = s.vpg(vpg).map(|v| v.identifier.clone());
            let found = id.is_some();
            s.outcomes.extend(id.into_iter().flat_map(|id| std::iter::repeat_n((Some(id), outcome.clone()), count)));
            found
        })
    }

    /// Begins an insert as another client would; its task id. `None`: refused, or no such VPG.
    pub fn insert_elsewhere(&self, vpg: &str, tag: &str) -> Option<String> {
        self.with_state(|s| s.insert(vpg, tag, "someone-else").ok())
    }

    /// Ends all access tokens, before their time; the refresh tokens too, if so asked.
    pub fn end_tokens(&self, refresh_too: bool) {
        self.with_state(|s| s.tokens.end(refresh_too));
    }
}

/// Faults.
impl Sim {
    /// Orders a fault: where, what, how often. Orders for one route are used up in the order they were given.
    pub fn fault(&self, route: impl Into<Route>, fault: Fault, times: Times) {
        self.shared.faults().order(route.into(), fault, times);
    }

    /// Takes all orders back.
    pub fn clear_faults(&self) {
        self.shared.faults().clear();
    }

    /// Refuses new connections; open ones go on.
    pub fn stop_listening(&self) {
        let _ = self.order(Order::StopListening);
    }

    /// Resets all open connections.
    pub fn cut_connections(&self) {
        let _ = self.order(Order::CutAll);
    }

    /// As a ZVM that is down: refuses new connections and resets the open ones.
    pub fn go_down(&self) {
        self.stop_listening();
        self.cut_connections();
    }

    /// Listens again, at the same port; one that is not down goes on.
    ///
    /// # Errors
    /// If someone else has taken the port.
    pub fn come_back(&self) -> std::io::Result<()> {
        self.order(Order::Listen)
    }

    fn order(&self, order: Order) -> std::io::Result<()> {
        let (done, wait) = mpsc::channel();
        // Err: the server is gone, and with it what was to be closed.
        let gone = |_| std::io::ErrorKind::NotConnected;
        self.orders.send((order, done)).map_err(|_| std::io::ErrorKind::NotConnected)?;
        wait.recv().map_err(gone)?
    }
}

/// The record.
impl Sim {
    /// Every request that arrived whole, in that order.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.shared.log().requests().to_vec()
    }

    /// The requests that are this step.
    #[must_use]
    pub fn requests_of(&self, step: Step) -> Vec<Request> {
        let mut requests = self.requests();
        requests.retain(|r| Step::of(&r.method, &r.path) == Some(step));
        requests
    }

    /// Waits until that holds (a request has come, say); `false`: it didn't in that time.
    #[must_use]
    pub fn wait_until(&self, longest: Duration, holds: impl Fn(&Self) -> bool) -> bool {
        let begun = Instant::now();
        loop {
            if holds(self) {
                return true;
            }
            if begun.elapsed() >= longest {
                return false;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Every connection that was accepted.
    #[must_use]
    pub fn connections(&self) -> Vec<Connection> {
        self.shared.log().connections().to_vec()
    }

    /// How many TLS handshakes were finished.
    #[must_use]
    pub fn handshakes(&self) -> usize {
        self.shared.log().connections().iter().filter(|c| c.handshake == Handshake::Done).count()
    }

    /// Forgets the record; ids and times go on.
    pub fn clear_log(&self) {
        self.shared.log().clear();
    }
}

impl Drop for Sim {
    fn drop(&mut self) {
        let (done, _) = mpsc::channel();
        let _ = self.orders.send((Order::Stop, done));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A TOML basic string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
