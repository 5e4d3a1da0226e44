//! How a simulator is described before it starts.

use std::sync::Arc;
use std::time::Duration;

use crate::faults::{Fault, Faults, Route, Times};
use crate::secret_file::SecretFile;
use crate::server;
use crate::settings::Settings;
use crate::shared::Shared;
use crate::sim::Sim;
use crate::state::State;
use crate::tls::{CertKind, Identity};
use crate::tokens::{Account, Role, Tokens};
use crate::world::{Site, VmSpec, VpgSpec};

/// Why a simulator doesn't start.
pub type StartError = Box<dyn std::error::Error + Send + Sync>;

/// What a simulator will be. Without more it is an empty vSphere site `nyc` over HTTPS, with the account
/// `zerto-guard` / `correct horse`.
#[derive(Debug)]
#[must_use]
pub struct SimBuilder {
    name: String,
    http: bool,
    port: u16,
    cert: CertKind,
    impostor_of: Option<String>,
    tls12_only: bool,
    settings: Settings,
    site: Site,
    peers: Vec<Site>,
    vpgs: Vec<VpgSpec>,
    vms: Vec<VmSpec>,
    users: Vec<Account>,
    clients: Vec<Account>,
    faults: Faults,
    /// The simulator of the site that protects what this one recovers.
    recovers: Option<Arc<Shared>>,
}

impl Default for SimBuilder {
    fn default() -> Self {
        Self {
            name: "sim".to_owned(),
            http: false,
            port: 0,
            cert: CertKind::default(),
            impostor_of: None,
            tls12_only: false,
            settings: Settings::default(),
            site: Site::vcenter("nyc"),
            peers: Vec::new(),
            vpgs: Vec::new(),
            vms: Vec::new(),
            users: Vec::new(),
            clients: Vec::new(),
            faults: Faults::default(),
            recovers: None,
        }
    }
}

impl SimBuilder {
    /// The name that `Sim::config_toml` gives it.
    pub fn name(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// Speaks plain http.
    pub fn http(mut self) -> Self {
        self.http = true;
        self
    }

    /// Listens at that port (0, the default: any that is free).
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// Which certificate it shows.
    pub fn cert(mut self, kind: CertKind) -> Self {
        self.cert = kind;
        self
    }

    /// Shows that certificate, and signs with another key: an attacker who replays a public certificate.
    pub fn impostor(mut self, cert_pem: &str) -> Self {
        self.impostor_of = Some(cert_pem.to_owned());
        self
    }

    /// Speaks TLS 1.2 and no other version (1.2 and 1.3 are verified in different places of a client).
    pub fn tls12_only(mut self) -> Self {
        self.tls12_only = true;
        self
    }

    /// Changes settings: `.settings(|s| s.listing_delay = Duration::from_millis(300))`.
    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    /// Life of an access token.
    pub fn token_life(self, life: Duration) -> Self {
        self.settings(|s| s.token_life = life)
    }

    /// How long an insert's task is InProgress.
    pub fn insert_time(self, time: Duration) -> Self {
        self.settings(|s| s.insert_time = time)
    }

    /// From the task's completion to the tag's appearance in the listing.
    pub fn listing_delay(self, delay: Duration) -> Self {
        self.settings(|s| s.listing_delay = delay)
    }

    /// How long a task id that was just returned answers 404.
    pub fn task_visibility_delay(self, delay: Duration) -> Self {
        self.settings(|s| s.task_visibility_delay = delay)
    }

    /// The ZVM's clock minus this machine's, in milliseconds.
    pub fn clock_offset_ms(self, offset: i64) -> Self {
        self.settings(|s| s.clock_offset_ms = offset)
    }

    /// The site that it manages.
    pub fn site(mut self, site: Site) -> Self {
        self.site = site;
        self
    }

    /// A site that it is paired with.
    pub fn peer(mut self, peer: Site) -> Self {
        self.peers.push(peer);
        self
    }

    /// A VPG (with no VM in it yet).
    pub fn vpg(mut self, vpg: VpgSpec) -> Self {
        self.vpgs.push(vpg);
        self
    }

    /// A VM and its VPGs.
    pub fn vm(mut self, vm: VmSpec) -> Self {
        self.vms.push(vm);
        self
    }

    /// The ZVM of a peer of that simulator: it recovers what the other protects. See [`Sim::peer_zvm`].
    pub(crate) fn recovers(mut self, other: &Arc<Shared>, peer: Site) -> Self {
        self.site = peer;
        self.recovers = Some(Arc::clone(other));
        self
    }

    /// An account for the password grant. The first one is what `Sim::config_toml` names; with any, the built-in one
    /// is gone.
    pub fn user(mut self, name: &str, password: &str, role: Role) -> Self {
        self.users.push(Account { name: name.to_owned(), secret: password.to_owned(), role });
        self
    }

    /// A confidential client for the grant client_credentials.
    pub fn client(mut self, id: &str, secret: &str, role: Role) -> Self {
        self.clients.push(Account { name: id.to_owned(), secret: secret.to_owned(), role });
        self
    }

    /// A fault from the start; see [`Sim::fault`].
    pub fn fault(mut self, route: impl Into<Route>, fault: Fault, times: Times) -> Self {
        self.faults.order(route.into(), fault, times);
        self
    }

    /// Starts it.
    ///
    /// # Panics
    /// If it can't start: there is no test without it.
    #[must_use]
    #[expect(clippy::panic, reason = "a simulator is for tests, and a test ends here; try_start is for the rest")]
    pub fn start(self) -> Sim {
        match self.try_start() {
            Ok(sim) => sim,
            Err(e) => panic!("the simulator doesn't start: {e}"),
        }
    }

    /// Starts it.
    ///
    /// # Errors
    /// If the port is taken, no thread can be made, or the impostor's certificate can't be read.
    pub fn try_start(self) -> Result<Sim, StartError> {
        let identity = match (&self.impostor_of, self.http) {
            (_, true) => None,
            (Some(pem), false) => Some(Identity::impostor(pem)?),
            (None, false) => Some(Identity::new(self.cert)?),
        };
        let tls = match &identity {
            Some(identity) => Some(Arc::new(identity.server_config(self.tls12_only)?)),
            None => None,
        };
        let mut users = self.users;
        if users.is_empty() {
            let (name, secret) = ("zerto-guard".to_owned(), "correct horse".to_owned());
            users.push(Account { name, secret, role: Role::Admin });
        }
        let first = users.first().cloned().ok_or("no account")?;
        let password = SecretFile::new(&first.secret)?;
        let tokens = Tokens::new(users, self.clients);
        let mut state = State::new(self.site, self.settings, tokens);
        if let Some(other) = &self.recovers {
            let theirs = other.state();
            let (site, vpgs, vms) = theirs.seen_from(&state.site);
            let their_site = theirs.site.clone();
            drop(theirs);
            (state.site, state.vpgs, state.vms) = (site, vpgs, vms);
            state.add_peer(their_site);
        }
        for peer in self.peers {
            state.add_peer(peer);
        }
        for vpg in &self.vpgs {
            state.add_vpg(vpg);
        }
        for vm in &self.vms {
            state.add_vm(vm);
        }
        let (listener, at) = server::bind(self.port)?;
        let scheme = if self.http { "http" } else { "https" };
        let shared = Arc::new(Shared::new(format!("{scheme}://{at}"), state, self.faults, self.recovers));
        let (orders, thread) = server::start(listener, tls, Arc::clone(&shared))?;
        Ok(Sim { shared, name: self.name, at, identity, username: first.name, password, orders, thread: Some(thread) })
    }
}
