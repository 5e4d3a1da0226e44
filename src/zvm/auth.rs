//! Tokens from the ZVM's Keycloak: one for all calls of a process, and for all processes of a user.
//!
//! Owns: the login, when a token is fetched anew, and that no two fetch at once. Must not: let a password or a token
//! into an error, or try a refused login over and over (an account gets locked by that).

use super::chance;
use super::error::{ZvmError, ZvmErrorKind};
use super::http::failures::CHECK_LOGIN;
use super::http::{Again, Broken, CALL, Call, Http, SMALL, Sends, encoded};
use super::wire;
use crate::config::secret::Secret;
use crate::config::{Login, Trust, ZvmConfig};
use crate::state::tokens::{Token, TokenCache};
use crate::state::{StateDir, hex};
use jiff::Timestamp;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

const PATH: &str = "/auth/realms/zerto/protocol/openid-connect/token";
const TRYING: &str = "logging in";

/// How often a refusal is taken for a meeting with another machine's login.
const MEETINGS: u32 = 3;

/// How long a refused login is not tried again by any process of this user.
const REMEMBERED: Duration = Duration::from_secs(30);

/// What a token lives where Keycloak does not say: the shortest life that was seen.
const LIFE: Duration = Duration::from_secs(60);

pub(super) struct Auth {
    login: Login,
    cache: TokenCache,
    held: Mutex<Held>,
}

/// What this process knows. Threads that need a token wait for the one that fetches it.
#[derive(Default)]
struct Held {
    token: Option<Token>,
    /// A login that failed, and when. One that was refused is not tried again at all; another kind of failure is the
    /// answer for the threads that waited meanwhile, which would else go through it one after another.
    failed: Option<(Instant, ZvmError)>,
}

impl Auth {
    pub fn new(config: &ZvmConfig, state: &StateDir) -> Self {
        let login = match &config.login {
            Login::Password { username, .. } => format!("password {username}"),
            Login::Client { client_id, .. } => format!("client {client_id}"),
        };
        let trust = match &config.trust {
            Trust::Pin(pin) => format!("pin {}", hex(pin)),
            Trust::CaFile(path) => format!("ca_file {}", path.display()),
            Trust::PublicRoots => "public".to_owned(),
            Trust::Insecure => "insecure".to_owned(),
        };
        Self {
            login: config.login.clone(),
            // A token that came over a connection trusted in another way is not this one's.
            cache: TokenCache::new(state, &format!("{}\n{login}\n{trust}", config.url)),
            held: Mutex::default(),
        }
    }

    /// A token that may be used now: this process's, the cached one, or a new one.
    pub fn token(&self, http: &Http) -> Result<Secret, ZvmError> {
        let asked = Instant::now();
        let mut held = self.hold();
        if let Some(token) = held.usable(None) {
            return Ok(token);
        }
        // Without the lock first: in most cases another process has one already.
        if let Some(token) = self.cached(http, None)? {
            return Ok(held.keep(token));
        }
        self.renew(http, held, None, asked)
    }

    /// A token in place of `stale`, which was refused (401).
    pub fn renewed(&self, http: &Http, stale: &Secret) -> Result<Secret, ZvmError> {
        let asked = Instant::now();
        let held = self.hold();
        if let Some(token) = held.usable(Some(stale)) {
            return Ok(token);
        }
        self.renew(http, held, Some(stale), asked)
    }

    fn hold(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn renew(
        &self,
        http: &Http,
        mut held: MutexGuard<'_, Held>,
        stale: Option<&Secret>,
        asked: Instant,
    ) -> Result<Secret, ZvmError> {
        if let Some((when, error)) = &held.failed
            && (error.kind == ZvmErrorKind::Login || *when >= asked)
        {
            return Err(error.clone());
        }
        let lock = self.cache.lock(http.deadline);
        let _lock = lock.map_err(|e| http.zvm.state(TRYING, &e))?;
        // Whoever held the lock before has fetched one.
        if let Some(token) = self.cached(http, stale)? {
            return Ok(held.keep(token));
        }
        let now = Timestamp::now();
        if let Some(ago) = self.cache.refused_ago(now).map_err(|e| http.zvm.state(TRYING, &e))?
            && ago < REMEMBERED
        {
            let why = format!(
                "the login was refused {} s ago, and is not tried again before {} s have passed, lest the account be locked",
                ago.as_secs(),
                REMEMBERED.as_secs()
            );
            return Err(http.zvm.error(ZvmErrorKind::Login, TRYING, &why, CHECK_LOGIN));
        }
        match self.fetch(http) {
            Ok(token) => {
                self.cache.store(&token).map_err(|e| http.zvm.state(TRYING, &e))?;
                Ok(held.keep(token))
            }
            Err(error) => {
                if error.kind == ZvmErrorKind::Login {
                    self.cache.note_refusal(Timestamp::now()).map_err(|e| http.zvm.state(TRYING, &e))?;
                }
                held.failed = Some((Instant::now(), error.clone()));
                Err(error)
            }
        }
    }

    fn cached(&self, http: &Http, stale: Option<&Secret>) -> Result<Option<Token>, ZvmError> {
        let found = self.cache.load(Timestamp::now());
        let found = found.map_err(|e| http.zvm.state(TRYING, &e))?;
        Ok(found.filter(|token| Some(&token.secret) != stale))
    }

    fn fetch(&self, http: &Http) -> Result<Token, ZvmError> {
        let (Login::Password { password: source, .. } | Login::Client { secret: source, .. }) = &self.login;
        let secret = source.read(http.deadline).map_err(|e| http.zvm.secret("reading the password", &e))?;
        let form = self.form(&secret);
        let mut refusals = 0;
        http.retrying(|| {
            let issued = Timestamp::now();
            let answer = http.once(&Call {
                trying: TRYING,
                path: PATH,
                sends: Sends::Post("application/x-www-form-urlencoded", form.as_bytes()),
                bearer: None,
                time: CALL,
                limit: SMALL,
            })?;
            if !(200..300).contains(&answer.status) {
                let shown = secret.expose();
                let mut broken = http.refused(TRYING, &answer, &[shown, &encoded(shown)]);
                let error = wire::login_error(&answer.body);
                // Keycloak answers a wrong password with 401 and a wrong client or grant with 400 or 401.
                if answer.status == 400 {
                    broken.error.kind = ZvmErrorKind::Login;
                    broken.error.hint =
                        "Check username or client_id in config.toml, and the realm's settings.".to_owned();
                }
                // Of two logins at the same time a ZVM refuses one (measured). The lock leaves this machine only one at
                // a time, but others may log in too: so again, each time after a longer pause by chance, lest they meet
                // again. Not more often than that, and then not for a while, since a wrong password that is sent again
                // and again locks the account.
                if answer.status == 401 && error == "invalid_grant" && refusals < MEETINGS {
                    let longest = 500 << refusals;
                    refusals += 1;
                    broken.again = Again::After(Duration::from_millis(100 + chance::below(longest)));
                }
                return Err(broken);
            }
            let (text, life) = wire::token(&answer.body).map_err(|why| http.nonsense(TRYING, &answer, &why))?;
            Ok(Token::new(Secret::new(text), issued, life_of(life)))
        })
    }

    fn form(&self, secret: &Secret) -> Zeroizing<String> {
        let secret = Zeroizing::new(encoded(secret.expose()));
        // Without scope=openid some versions issue a token that the API then rejects.
        Zeroizing::new(match &self.login {
            Login::Password { username, .. } => format!(
                "grant_type=password&client_id=zerto-client&scope=openid&username={}&password={}",
                encoded(username),
                *secret
            ),
            Login::Client { client_id, .. } => format!(
                "grant_type=client_credentials&scope=openid&client_id={}&client_secret={}",
                encoded(client_id),
                *secret
            ),
        })
    }
}

impl Held {
    fn usable(&self, stale: Option<&Secret>) -> Option<Secret> {
        let token = self.token.as_ref()?;
        let usable = token.is_usable(Timestamp::now()) && Some(&token.secret) != stale;
        usable.then(|| token.secret.clone())
    }

    fn keep(&mut self, token: Token) -> Secret {
        let secret = token.secret.clone();
        self.token = Some(token);
        secret
    }
}

/// `expires_in`, whatever it is; a life of no length makes a token that serves one call.
fn life_of(seconds: Option<f64>) -> Duration {
    match seconds {
        None => LIFE,
        Some(seconds) => Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX),
    }
}

impl From<ZvmError> for Broken {
    /// Something that has been tried often enough already.
    fn from(error: ZvmError) -> Self {
        Self { error, sent: false, again: Again::No }
    }
}
