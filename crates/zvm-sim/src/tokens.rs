//! Accounts and tokens of the Keycloak in front of the ZVM.
//!
//! Owns who may log in and which tokens are good; the answers are made in `routes::auth`.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

/// What an account may do. The roles' rights are unknown; chosen: a viewer reads and can't insert (403).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// All of it.
    Admin,
    /// Reads only.
    Viewer,
    /// Reads, and restores files.
    FlrOperator,
}

#[derive(Debug, Clone)]
pub(crate) struct Account {
    pub(crate) name: String,
    pub(crate) secret: String,
    pub(crate) role: Role,
}

/// What a bearer token stands for.
#[derive(Debug, Clone)]
pub(crate) struct Grant {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) openid: bool,
    until: Instant,
}

/// Accounts and tokens.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    pub(crate) users: Vec<Account>,
    pub(crate) clients: Vec<Account>,
    pub(crate) in_flight: usize,
    access: HashMap<String, Grant>,
    refresh: HashMap<String, Grant>,
    issued: u64,
    random: RandomState,
}

impl Tokens {
    pub(crate) fn new(users: Vec<Account>, clients: Vec<Account>) -> Self {
        Self { users, clients, ..Self::default() }
    }

    /// A new access token, and a refresh token if there shall be one.
    pub(crate) fn issue(
        &mut self,
        who: &Account,
        openid: bool,
        life: Duration,
        refresh_life: Option<Duration>,
    ) -> (String, Option<String>) {
        let now = Instant::now();
        let grant = Grant { name: who.name.clone(), role: who.role, openid, until: now + life };
        let access = self.text("access");
        self.access.insert(access.clone(), grant.clone());
        let refresh = refresh_life.map(|life| {
            let text = self.text("refresh");
            self.refresh.insert(text.clone(), Grant { until: now + life, ..grant });
            text
        });
        (access, refresh)
    }

    /// Whose access token that is, while it is good.
    pub(crate) fn check(&self, access: &str) -> Option<&Grant> {
        self.access.get(access).filter(|g| g.until > Instant::now())
    }

    /// Whose refresh token that is, while it is good.
    pub(crate) fn check_refresh(&self, refresh: &str) -> Option<&Grant> {
        self.refresh.get(refresh).filter(|g| g.until > Instant::now())
    }

    /// Ends all access tokens; with them the refresh tokens, if so asked.
    pub(crate) fn end(&mut self, refresh_too: bool) {
        self.access.clear();
        if refresh_too {
            self.refresh.clear();
        }
    }

    fn text(&mut self, kind: &str) -> String {
        self.issued += 1;
        let half = |n: u64| self.random.hash_one((kind, self.issued, n));
        format!("sim-{kind}-{:016x}{:016x}", half(0), half(1))
    }
}
