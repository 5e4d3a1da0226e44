//! Tokens that outlive a process: one file for each ZVM and login.
//!
//! Owns: `<state>/tokens/*.json`, and which of them may still be used. A file that others could read or write, that is
//! broken, or that a clock set back makes doubtful, is as good as none. Must not: know where a token comes from.

use super::{Lock, StateDir, StateError, file_name, read_private, write_private};
use crate::config::secret::Secret;
use crate::deadline::Deadline;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use zeroize::Zeroizing;

/// No cached token is longer than this.
const LONGEST: u64 = 128 * 1024;

/// No token is longer than this: it has to fit into the head of a request.
const LONGEST_TOKEN: usize = 64 * 1024;

/// The longest time before its end at which a token is no longer used: a call that begins with it has to end with it.
const MARGIN: Duration = Duration::from_secs(20);

/// Whether this can be a token: it goes into a header as it is, so it is visible ASCII, and not without end.
#[must_use]
pub fn is_token(text: &str) -> bool {
    !text.is_empty() && text.len() <= LONGEST_TOKEN && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// A token and its life, by this machine's clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What goes into the header.
    pub secret: Secret,
    /// When it was asked for.
    pub issued: Timestamp,
    /// When it ends.
    pub expires: Timestamp,
}

impl Token {
    /// A token that was asked for at `issued` and lives for `life`.
    #[must_use]
    pub fn new(secret: Secret, issued: Timestamp, life: Duration) -> Self {
        let expires = jiff::SignedDuration::try_from(life)
            .ok()
            .and_then(|life| issued.checked_add(life).ok())
            .unwrap_or(Timestamp::MAX);
        Self { secret, issued, expires }
    }

    /// Whether a call may still begin with it: more is left than 20 seconds or a third of its life, whichever is less.
    /// One that was issued in the future (the clock was set back) says nothing about its end.
    #[must_use]
    pub fn is_usable(&self, now: Timestamp) -> bool {
        let span = |from: Timestamp, to: Timestamp| Duration::try_from(to.duration_since(from)).ok();
        let (Some(life), Some(_), Some(left)) =
            (span(self.issued, self.expires), span(self.issued, now), span(now, self.expires))
        else {
            return false;
        };
        left > MARGIN.min(life / 3)
    }
}

/// What stands in the file.
#[derive(Serialize, Deserialize)]
struct Stored {
    token: Zeroizing<String>,
    issued: Timestamp,
    expires: Timestamp,
}

/// The cache of one login at one ZVM.
#[derive(Debug, Clone)]
pub struct TokenCache {
    state: StateDir,
    name: String,
}

impl TokenCache {
    /// The cache for `login`, any text that tells logins apart; does no I/O.
    #[must_use]
    pub fn new(state: &StateDir, login: &str) -> Self {
        Self { state: state.clone(), name: file_name(login) }
    }

    /// The lock under which a token is fetched: Keycloak refuses one of two that ask at the same time.
    ///
    /// # Errors
    /// It stayed taken, or the state folder cannot be used.
    pub fn lock(&self, deadline: Deadline) -> Result<Lock, StateError> {
        self.state.lock(&format!("token-{}", self.name), deadline)
    }

    /// The cached token, if it may be used now.
    ///
    /// # Errors
    /// The state folder cannot be used.
    pub fn load(&self, now: Timestamp) -> Result<Option<Token>, StateError> {
        let Some(bytes) = read_private(&self.path()?, LONGEST)?.map(Zeroizing::new) else {
            return Ok(None);
        };
        // What no ZVM can have issued is none: it would spoil each call until its end.
        let Some(stored) = serde_json::from_slice::<Stored>(&bytes).ok().filter(|stored| is_token(&stored.token))
        else {
            return Ok(None);
        };
        let token =
            Token { secret: Secret::new(stored.token.to_string()), issued: stored.issued, expires: stored.expires };
        Ok(Some(token).filter(|token| token.is_usable(now)))
    }

    /// Keeps the token, in place of the one that was there.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn store(&self, token: &Token) -> Result<(), StateError> {
        let path = self.path()?;
        let stored = Stored {
            token: Zeroizing::new(token.secret.expose().to_owned()),
            issued: token.issued,
            expires: token.expires,
        };
        let bytes =
            serde_json::to_vec(&stored).map(Zeroizing::new).map_err(|e| StateError::io(&path, "written", &e.into()))?;
        write_private(&path, &bytes)
    }

    /// Notes that the login was refused, for the other processes.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn note_refusal(&self, now: Timestamp) -> Result<(), StateError> {
        write_private(&self.file("refused")?, now.to_string().as_bytes())
    }

    /// How long ago the login was refused, if it was; a refusal in the future (a clock set back) is none.
    ///
    /// # Errors
    /// The state folder cannot be used.
    pub fn refused_ago(&self, now: Timestamp) -> Result<Option<Duration>, StateError> {
        let bytes = read_private(&self.file("refused")?, 64)?;
        let then = bytes.and_then(|bytes| std::str::from_utf8(&bytes).ok()?.parse::<Timestamp>().ok());
        Ok(then.and_then(|then| Duration::try_from(now.duration_since(then)).ok()))
    }

    fn path(&self) -> Result<PathBuf, StateError> {
        self.file("json")
    }

    fn file(&self, kind: &str) -> Result<PathBuf, StateError> {
        Ok(self.state.folder("tokens")?.join(format!("{}.{kind}", self.name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    fn token(life: u64) -> Token {
        Token::new(Secret::new("t0ken".to_owned()), at(0), Duration::from_secs(life))
    }

    #[test]
    fn a_token_is_used_until_shortly_before_its_end() {
        for (life, second, usable) in [
            (300, 0, true),
            (300, 279, true),
            (300, 280, false),
            (60, 39, true),
            (60, 40, false),
            (30, 19, true),
            (30, 20, false),
            (3, 1, true),
            (3, 2, false),
            (1, 0, true),
            (0, 0, false),
            (300, 301, false),
            (300, -1, false), // the clock was set back
            (u64::MAX, 1000, true),
        ] {
            assert_eq!(token(life).is_usable(at(second)), usable, "life {life}, at {second}");
        }
    }

    #[test]
    fn kept_between_processes_and_never_trusted_blindly() {
        let outer = tempfile::tempdir().unwrap();
        let state = StateDir::at(outer.path().join("s"));
        let cache = TokenCache::new(&state, "https://zvm/ user");
        assert_eq!(cache.load(at(0)), Ok(None));
        cache.store(&token(60)).unwrap();
        assert_eq!(TokenCache::new(&state, "https://zvm/ user").load(at(1)), Ok(Some(token(60))));
        assert_eq!(TokenCache::new(&state, "https://zvm/ other").load(at(1)), Ok(None));
        assert_eq!(cache.load(at(50)), Ok(None), "about to end");
        assert_eq!(cache.load(at(-5)), Ok(None), "issued in the future");

        let path = cache.path().unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o7777, 0o600);
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        assert_eq!(cache.load(at(1)), Ok(None), "others could read it");
        cache.store(&token(60)).unwrap();
        assert!(cache.load(at(1)).unwrap().is_some(), "and is replaced");
        for broken in ["", "{", "null", "{\"token\":1}", "{\"token\":\"x\",\"issued\":\"y\",\"expires\":\"z\"}"] {
            fs::write(&path, broken).unwrap();
            assert_eq!(cache.load(at(1)), Ok(None), "{broken}");
        }
        for (token, good) in [
            ("g.o-d", true),
            ("bad\r\nX: y", false),
            ("b d", false),
            ("", false),
            ("b\u{e4}d", false),
            (&"x".repeat(65_537), false),
        ] {
            let stored = serde_json::json!({"token": token, "issued": at(0), "expires": at(300)});
            fs::write(&path, stored.to_string()).unwrap();
            assert_eq!(cache.load(at(1)).unwrap().is_some(), good, "{:.20}", token);
        }
        let elsewhere = outer.path().join("elsewhere");
        cache.store(&token(60)).unwrap();
        fs::rename(&path, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        assert_eq!(cache.load(at(1)), Ok(None), "a symlink");
        cache.store(&token(60)).unwrap();
        assert!(cache.load(at(1)).unwrap().is_some());
        assert!(path.symlink_metadata().unwrap().is_file());
    }

    #[test]
    fn a_token_is_never_printed() {
        assert!(!format!("{:?}", token(60)).contains("t0ken"));
    }
}
