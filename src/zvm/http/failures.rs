//! What is said when an exchange brings no usable answer, and whether it makes sense to ask again.

use super::{Again, Answer, Broken, CONNECT, Call, Http};
use crate::text::{clean, foreign};
use crate::zvm::error::{ZvmError, ZvmErrorKind, is_passing_status};
use crate::zvm::tls::{self, Distrust};
use crate::zvm::wire;
use std::io;
use std::num::NonZeroU32;
use std::time::Duration;

/// What to do about a login that is refused.
pub const CHECK_LOGIN: &str = "Check username and password_command (or client_id and its secret) in config.toml, and that \
                               the account can log in to the ZVM by hand.";

/// What to do about an answer that no ZVM gives.
const WHAT: &str = "Check that url in config.toml leads to a ZVM 10.x and not to a proxy or another product.";

/// A ZVM that was given this long and said nothing is silent. A healthy one answers in a fraction of it.
const SILENCE: Duration = Duration::from_secs(1);

/// A ZVM's text as it may be shown: cleaned first, since what is taken out may stand in the midst of a secret, and cut last, since
/// half a secret is found by nobody.
fn shown(text: &str, secrets: &[&str], longest: usize) -> String {
    let mut text = clean(text, usize::MAX);
    for secret in secrets {
        // As it is, as it is cleaned, and as it stands in JSON that can't be parsed.
        let escaped = serde_json::Value::from(*secret).to_string();
        let escaped = escaped.trim_matches('"');
        for form in [*secret, &clean(secret, usize::MAX), escaped].into_iter().filter(|form| !form.is_empty()) {
            text = text.replace(form, "***");
        }
    }
    clean(&text, longest)
}

impl Http {
    /// An answer with a status that is no success, as an error. `secrets` are what must not stand in it.
    pub fn refused(&self, trying: &str, answer: &Answer, secrets: &[&str]) -> Broken {
        let said = self.said(answer, secrets);
        let status = answer.status;
        let (kind, why, hint) = match status {
            401 => (
                ZvmErrorKind::Login,
                format!("it does not accept the login (401){said}"),
                CHECK_LOGIN.to_owned(),
            ),
            403 => (
                ZvmErrorKind::Forbidden,
                format!("the account may not do this (403){said}"),
                "Give the account a role with the right Manage VPG at the ZVM.".to_owned(),
            ),
            404 => (
                ZvmErrorKind::NotFound,
                format!("it knows no such thing (404){said}"),
                "Check that url in config.toml leads to a ZVM 10.x and that the object still exists.".to_owned(),
            ),
            300..=399 => (
                ZvmErrorKind::Refused(status),
                match &answer.location {
                    Some(place) => format!("it points elsewhere ({status}), to {}", foreign(&shown(place, secrets, 200), 200)),
                    None => format!("it points elsewhere ({status})"),
                },
                "Redirects are not followed, since a token goes with each call. Set url in config.toml to the ZVM itself."
                    .to_owned(),
            ),
            _ if is_passing_status(status) => (
                ZvmErrorKind::Refused(status),
                format!("it cannot answer now ({status}){said}"),
                "Try again later; if it stays so, look at the ZVM's own state.".to_owned(),
            ),
            _ => (
                ZvmErrorKind::Refused(status),
                format!("it answered {status}{said}"),
                "The ZVM's own log and its events say more. Try again once what it names is mended.".to_owned(),
            ),
        };
        let again = match answer.retry_after {
            _ if !is_passing_status(status) => Again::No,
            Some(wait) => Again::After(wait),
            None => Again::Yes,
        };
        let mut error = self.zvm.error(kind, trying, &why, hint);
        if let Again::After(wait) = again {
            error.wait = NonZeroU32::new(u32::try_from(wait.as_millis().div_ceil(1000)).unwrap_or(u32::MAX));
        }
        Broken { error, sent: true, again }
    }

    fn said(&self, answer: &Answer, secrets: &[&str]) -> String {
        let said = wire::message(&answer.body);
        if said == wire::PAGE {
            return format!(", with {} as its answer", wire::PAGE);
        }
        let said = foreign(shown(&said, secrets, wire::TEXT).trim().trim_end_matches('.'), wire::TEXT);
        if said.is_empty() { String::new() } else { format!(": {said}") }
    }

    /// An answer of the right status that cannot be understood.
    pub fn nonsense(&self, trying: &str, answer: &Answer, why: &str) -> Broken {
        // Nothing at all is a connection that broke rather than a ZVM that talks nonsense.
        let empty = answer.body.iter().all(u8::is_ascii_whitespace);
        let why = if empty { "the answer is empty" } else { why };
        Broken {
            error: self.zvm.error(ZvmErrorKind::Nonsense, trying, why, WHAT),
            sent: true,
            again: if empty { Again::Yes } else { Again::Once },
        }
    }

    /// `time` is what the exchange was given.
    pub(super) fn broken(&self, call: &Call, error: &ureq::Error, time: Duration, sent: bool) -> Broken {
        let (kind, again, why, mut hint) = self.failure(error, time);
        // A time-out was cut to the deadline. If there was time for an answer, the ZVM is silent; if there was not, it is
        // the deadline that has passed, and not the ZVM's fault.
        let error = if self.deadline.passed() && (kind != ZvmErrorKind::Unreachable || time < SILENCE) {
            self.zvm.late(call.trying, &format!("the deadline passed ({why})"))
        } else {
            if self.deadline.passed() {
                hint.push_str(" Or it is slow: guard.deadline in config.toml sets how long is waited.");
            }
            self.zvm.error(kind, call.trying, &why, hint)
        };
        Broken { error, sent, again }
    }

    /// What broke, whatever the deadline. `time` is what it was given.
    pub(super) fn failed(&self, trying: &str, error: &ureq::Error, time: Duration) -> ZvmError {
        let (kind, _, why, hint) = self.failure(error, time);
        self.zvm.error(kind, trying, &why, hint)
    }

    fn failure(&self, error: &ureq::Error, time: Duration) -> (ZvmErrorKind, Again, String, String) {
        use ZvmErrorKind::{Nonsense, Unreachable};
        const WHERE: &str = "Check url in config.toml, the port, and whether a firewall is in between.";
        let unreachable = |again, why: String| (Unreachable, again, why, WHERE.to_owned());
        match error {
            ureq::Error::Io(e) => match tls::rustls_error(e) {
                Some(e) => {
                    let said = Distrust::of(e, &self.verifier, &self.zvm.url);
                    (said.kind, Again::No, said.why, said.hint)
                }
                None => unreachable(io_again(e), io_words(e)),
            },
            ureq::Error::Timeout(ureq::Timeout::Resolve) => {
                unreachable(Again::Once, format!("its host name was not found within {}", span(time)))
            }
            ureq::Error::Timeout(ureq::Timeout::Connect) => {
                unreachable(Again::Once, format!("no connection within {}", span(time.min(CONNECT))))
            }
            ureq::Error::Timeout(ureq::Timeout::PerRead) => {
                unreachable(Again::Once, format!("nothing came for {}", span(time)))
            }
            ureq::Error::Timeout(_) => unreachable(Again::Once, format!("no answer within {}", span(time))),
            ureq::Error::HostNotFound => unreachable(Again::Once, "its host name is not known".to_owned()),
            ureq::Error::ConnectionFailed => unreachable(Again::Yes, "no connection".to_owned()),
            ureq::Error::ConnectProxyFailed(why) => {
                unreachable(Again::No, format!("the proxy made no connection: {}", clean(why, 200)))
            }
            ureq::Error::BodyExceedsLimit(limit) => {
                (Nonsense, Again::No, format!("the answer is longer than {} MiB", limit / 1024 / 1024), WHAT.to_owned())
            }
            ureq::Error::Protocol(e) => (
                Nonsense,
                Again::Once,
                format!("the answer is not HTTP: {}", clean(&e.to_string(), 200)),
                WHERE.to_owned(),
            ),
            ureq::Error::LargeResponseHeader(..) => {
                (Nonsense, Again::No, "the answer's head is too long".to_owned(), WHERE.to_owned())
            }
            other => unreachable(Again::No, clean(&other.to_string(), 200)),
        }
    }
}

fn span(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1.0 => format!("{} ms", time.as_millis()),
        seconds => format!("{seconds:.0} s"),
    }
}

fn io_again(error: &io::Error) -> Again {
    match error.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Again::Once,
        _ => Again::Yes,
    }
}

pub fn io_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "the connection was refused".to_owned(),
        io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionAborted => {
            "the connection was reset".to_owned()
        }
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => "no answer in time".to_owned(),
        io::ErrorKind::UnexpectedEof => "the connection was closed before the answer was whole".to_owned(),
        _ => clean(&error.to_string(), 200),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_masked_however_an_answer_repeats_it() {
        for (text, said) in [
            ("x p\"w\td y", "x *** y"),
            (r#"[{"password":"p\"w\td"}]"#, r#"[{"password":"***"}]"#),
            ("x p\"w\u{1b}[0m\td", "x ***"),
            ("x p\"w d", "x ***"),
        ] {
            assert_eq!(shown(text, &["", "p\"w\td"], 100), said, "{text:?}");
        }
    }
}
