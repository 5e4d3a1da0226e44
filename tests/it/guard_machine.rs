//! A machine with its own state folder, and guards that it makes against simulators.

use jiff::Timestamp;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use zerto_guard::config::secret::SecretSource;
use zerto_guard::config::{Login, Trust, ZvmConfig};
use zerto_guard::deadline::Deadline;
use zerto_guard::guard::{Appliance, Found, GuardError, Guarded, Request, find, guard};
use zerto_guard::state::StateDir;
use zerto_guard::zvm::client::Zvm;
use zvm_sim::{Sim, SimBuilder};

pub struct Machine {
    state: StateDir,
    _outer: tempfile::TempDir,
}

/// A call to be guarded; `Call::at` has the usual.
pub struct Call<'a> {
    pub sims: Vec<&'a Sim>,
    pub targets: &'a [&'a str],
    pub action: &'a str,
    pub change: &'a str,
    pub reuse: Option<Duration>,
    pub time: Duration,
}

impl<'a> Call<'a> {
    pub fn at(sims: &[&'a Sim]) -> Self {
        Self {
            sims: sims.to_vec(),
            targets: &["web01"],
            action: "restart nginx",
            change: "chg-412",
            reuse: None,
            time: Duration::from_secs(60),
        }
    }
}

impl Machine {
    pub fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        Self { state: StateDir::at(outer.path().join("state")), _outer: outer }
    }

    /// As one process: with its own client, and the token of the state folder.
    pub fn guard(&self, call: &Call) -> Result<Guarded, GuardError> {
        let deadline = Deadline::after(call.time);
        let targets: Vec<String> = call.targets.iter().map(|t| (*t).to_owned()).collect();
        let request = Request {
            targets: &targets,
            hosts: &BTreeMap::from([("shop.example".to_owned(), "db01".to_owned())]),
            agent: "claude",
            action: call.action,
            change: call.change,
            reuse: call.reuse,
            deadline,
            now: &Timestamp::now,
        };
        guard(&request, &self.appliances(&call.sims, deadline), &self.state)
    }

    pub fn web01(&self, sim: &Sim) -> Result<Guarded, GuardError> {
        self.guard(&Call::at(&[sim]))
    }

    pub fn find(&self, sim: &Sim, target: &str) -> Found {
        let deadline = Deadline::after(Duration::from_secs(60));
        find(target, &BTreeMap::new(), &self.appliances(&[sim], deadline)).unwrap()
    }

    /// The client of a process.
    pub fn zvm(&self, sim: &Sim, deadline: Deadline) -> Zvm {
        self.zvm_at(sim.url(), sim.username(), sim.password_file(), &sim.pin(), deadline)
    }

    pub fn zvm_at(&self, url: &str, username: &str, password_file: &Path, tls_pin: &str, deadline: Deadline) -> Zvm {
        let config = ZvmConfig {
            name: format!("zvm{}", url.rsplit(':').next().unwrap()),
            url: url.to_owned(),
            login: Login::Password {
                username: username.to_owned(),
                password: SecretSource::File(password_file.to_owned()),
            },
            trust: Trust::Pin(pin(tls_pin)),
            guards: true,
            proxy: None,
        };
        Zvm::new(&config, &self.state, deadline).unwrap()
    }

    fn appliances(&self, sims: &[&Sim], deadline: Deadline) -> Vec<Box<dyn Appliance>> {
        sims.iter().map(|sim| Box::new(self.zvm(sim, deadline)) as Box<dyn Appliance>).collect()
    }
}

pub fn demo() -> SimBuilder {
    Sim::builder().demo_world()
}

fn pin(text: &str) -> [u8; 32] {
    let bytes: Vec<u8> =
        text.trim_start_matches("sha256:").split(':').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
    bytes.try_into().unwrap()
}
