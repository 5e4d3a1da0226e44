//! One HTTP exchange with a ZVM, and when it is tried again.
//!
//! Owns: the agent and its settings, time-outs, the limits of a body, which failures pass by themselves, and the texts
//! for what fails below a verb. Must not: know a path, a field, or how a token is had; send anything twice on its own.

pub(super) mod failures;
mod stream;

pub(super) use failures::io_words;
pub(super) use stream::{Opened, Stream};

use super::error::{Named, ZvmError, ZvmErrorKind};
use super::tls::{self, Verifier, request_was_sent};
use super::wire;
use crate::config::ZvmConfig;
use crate::config::secret::Secret;
use crate::deadline::Deadline;
use crate::text::clean;
use jiff::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use ureq::http::{Request, Response, header};
use ureq::{Agent, AsSendBody, Body, Proxy};

/// Enough for any answer but a whole inventory.
pub(super) const SMALL: u64 = 10 * 1024 * 1024;

const CONNECT: Duration = Duration::from_secs(5);
pub(super) const CALL: Duration = Duration::from_secs(15);

/// The pauses before a question is asked again; their number is that of the tries.
const PAUSES: [Duration; 3] = [Duration::from_millis(200), Duration::from_millis(700), Duration::from_millis(2000)];

/// A method, and what goes with it.
#[derive(Clone, Copy)]
pub(super) enum Sends<'a> {
    Get,
    /// A POST of JSON that only asks, and may be sent again.
    Ask(&'a str),
    /// A POST, its type and its body.
    Post(&'static str, &'a [u8]),
    Delete,
}

impl<'a> Sends<'a> {
    /// A POST of JSON.
    pub fn json(body: &'a str) -> Self {
        Self::Post(JSON, body.as_bytes())
    }
}

const JSON: &str = "application/json";

/// How long an exchange may take; none is no limit.
#[derive(Default)]
struct Limits {
    whole: Option<Duration>,
    connect: Option<Duration>,
    head: Option<Duration>,
    /// From one piece to the next.
    stall: Option<Duration>,
    /// Over a connection of its own, and not one from the pool.
    fresh: bool,
}

/// What is sent.
pub(super) struct Call<'a> {
    /// What it is for, as errors say it: "reading the VPG x".
    pub trying: &'a str,
    /// Path and query, percent-encoded.
    pub path: &'a str,
    /// How it asks.
    pub sends: Sends<'a>,
    /// The token of the `Authorization` header.
    pub bearer: Option<&'a Secret>,
    /// The longest that it may take.
    pub time: Duration,
    /// The longest answer that is read.
    pub limit: u64,
}

/// What came back, whatever its status.
pub(super) struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
    /// When the ZVM sent it, by its clock.
    pub date: Option<Timestamp>,
    retry_after: Option<Duration>,
    location: Option<String>,
}

/// An exchange that brought no usable answer.
pub(super) struct Broken {
    pub error: ZvmError,
    /// Whether the request, or a part of it, may have reached the ZVM.
    pub sent: bool,
    pub again: Again,
}

/// Whether it makes sense to ask again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    No,
    /// It may be better next time, but hardly the time after that.
    Once,
    Yes,
    /// The ZVM said how long to wait.
    After(Duration),
}

pub(super) struct Http {
    pub zvm: Named,
    pub deadline: Deadline,
    /// The longest that any call may take; tests shorten it.
    pub patience: Duration,
    /// The longest pause that is made because a ZVM asks for it; a deadline that is shorter counts besides.
    pub longest_pause: Duration,
    agent: Agent,
    verifier: Arc<Verifier>,
    /// Nothing is begun any more.
    hung_up: AtomicBool,
}

impl Http {
    /// Opens no connection. Reads the file of trusted certificates, where one is set.
    pub fn new(config: &ZvmConfig, deadline: Deadline) -> Result<Self, ZvmError> {
        let zvm = Named { name: clean(&config.name, 100), url: clean(config.url.trim_end_matches('/'), 2000) };
        let trying = "preparing the connection";
        let refused = |why: String, hint: String| zvm.error(ZvmErrorKind::Untrusted, trying, &why, hint);
        let verifier = Arc::new(Verifier::of(&config.trust).map_err(|(why, hint)| refused(why, hint))?);
        // None unless set: ureq would take one from the environment, and an agent's environment often has one.
        let proxy = match &config.proxy {
            None => None,
            // Any other kind would be passed over in silence by the chain of connectors.
            Some(proxy) => match Proxy::new(proxy) {
                Ok(usable) if proxy.starts_with("http://") => Some(usable),
                _ => {
                    let why = "proxy is not the URL of an HTTP proxy";
                    let hint = "Write it as http://HOST:PORT; SOCKS and https proxies are not supported.";
                    return Err(zvm.error(ZvmErrorKind::Unreachable, trying, why, hint));
                }
            },
        };
        let settings = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(proxy)
            .user_agent(concat!("zerto-guard/", env!("CARGO_PKG_VERSION")))
            .accept("application/json")
            .build();
        let agent = tls::agent(settings, &verifier).map_err(|e| refused(e.to_string(), String::new()))?;
        Ok(Self {
            zvm,
            deadline,
            patience: Duration::MAX,
            longest_pause: Duration::MAX,
            agent,
            verifier,
            hung_up: AtomicBool::new(false),
        })
    }

    /// One exchange. Whatever status comes back is an answer. ureq sends a request once and never again by itself,
    /// not even where a connection from its pool turns out to be dead.
    pub fn once(&self, call: &Call) -> Result<Answer, Broken> {
        let time = self.deadline.clip(call.time.min(self.patience));
        if time.is_zero() {
            return Err(Broken {
                error: self.zvm.late(call.trying, "the deadline has passed"),
                sent: false,
                again: Again::No,
            });
        }
        let (result, sent) = request_was_sent(|| self.exchange(call, time));
        result.map_err(|error| self.broken(call, &error, time, sent))
    }

    fn exchange(&self, call: &Call, time: Duration) -> Result<Answer, ureq::Error> {
        // A connection of its own for what may change something: one from the pool may just be closing, and whether what
        // was lost with it had arrived nobody could tell.
        let fresh = matches!(call.sends, Sends::Post(..) | Sends::Delete);
        let connect = Some(time.min(CONNECT));
        let mut response = self.send(call, &Limits { whole: Some(time), connect, fresh, ..Limits::default() })?;
        answer_of(&mut response, call.limit)
    }

    /// Sends, and waits for the head of what comes back.
    fn send(&self, call: &Call, limits: &Limits) -> Result<Response<Body>, ureq::Error> {
        let mut request = Request::builder().uri(format!("{}{}", self.zvm.url, call.path));
        if let Some(token) = call.bearer {
            request = request.header(header::AUTHORIZATION, format!("Bearer {}", token.expose()));
        }
        let (kind, body) = match call.sends {
            Sends::Get => return self.run(request.method("GET").body(())?, limits),
            Sends::Delete => return self.run(request.method("DELETE").body(())?, limits),
            Sends::Ask(body) => (JSON, body.as_bytes()),
            Sends::Post(kind, body) => (kind, body),
        };
        self.run(request.method("POST").header(header::CONTENT_TYPE, kind).body(body)?, limits)
    }

    fn run(&self, request: Request<impl AsSendBody>, limits: &Limits) -> Result<Response<Body>, ureq::Error> {
        let mut request = self
            .agent
            .configure_request(request)
            .timeout_global(limits.whole)
            .timeout_connect(limits.connect)
            .timeout_recv_response(limits.head)
            .timeout_per_read(limits.stall);
        if limits.fresh {
            request = request.max_idle_age(Duration::ZERO);
        }
        self.agent.run(request.build())
    }

    /// Breaks off what other threads wait for, and refuses what they would begin: the agent is done with.
    pub fn hang_up(&self) {
        self.hung_up.store(true, Ordering::SeqCst);
        self.agent.clone().shutdown();
    }

    /// Runs `attempt` until it works, cannot work, has been tried often enough, or the deadline comes too near.
    pub fn retrying<T>(&self, mut attempt: impl FnMut() -> Result<T, Broken>) -> Result<T, ZvmError> {
        let mut once_more = true;
        let mut before: Option<ZvmError> = None;
        // That there was no time for another try says less than why one was needed.
        let telling = |error: ZvmError, before: &mut Option<ZvmError>| match before.take() {
            Some(first) if error.kind == ZvmErrorKind::Deadline => first,
            _ => error,
        };
        for pause in PAUSES {
            let mut broken = match attempt() {
                Ok(value) => return Ok(value),
                Err(broken) => broken,
            };
            broken.error = telling(broken.error, &mut before);
            let hung_up = || self.hung_up.load(Ordering::SeqCst);
            let pause = match broken.again {
                // Whoever has hung up has broken it off, and waits for nothing.
                _ if hung_up() => return Err(broken.error),
                Again::No => return Err(broken.error),
                Again::Once if !once_more => return Err(broken.error),
                Again::Once => {
                    once_more = false;
                    pause
                }
                Again::Yes => pause,
                Again::After(wait) if wait >= self.deadline.remaining() || wait > self.longest_pause => {
                    let mut error = broken.error;
                    let span = match wait.as_secs() {
                        seconds @ 0..=86_400 => format!("{seconds} s"),
                        _ => "more than a day".to_owned(),
                    };
                    let than = match wait > self.longest_pause {
                        true => "is waited for here; try again after that",
                        false => "the deadline leaves",
                    };
                    error.message.push_str(&format!(" It asks to wait {span}, which is more than {than}."));
                    return Err(error);
                }
                Again::After(wait) => wait.max(pause),
            };
            if pause >= self.deadline.remaining() || !self.deadline.sleep_unless(pause, hung_up) {
                return Err(broken.error);
            }
            before = Some(broken.error);
        }
        attempt().map_err(|broken| telling(broken.error, &mut before))
    }
}

/// A whole answer, its body read to the end, errors too: only then is the connection used again.
fn answer_of(response: &mut Response<Body>, limit: u64) -> Result<Answer, ureq::Error> {
    let text = |name: header::HeaderName| {
        let value = response.headers().get(name)?.to_str().ok()?;
        Some(value.to_owned())
    };
    let date = text(header::DATE).and_then(|d| wire::http_date(&d));
    let retry_after = text(header::RETRY_AFTER).and_then(|t| retry_after(&t, date));
    let location = text(header::LOCATION);
    let status = response.status().as_u16();
    let body = response.body_mut().with_config().limit(limit).read_to_vec()?;
    Ok(Answer { status, body, date, retry_after, location })
}

/// `Retry-After`: seconds, or a date that is measured against the answer's own, lest a clock that is wrong matters.
fn retry_after(text: &str, date: Option<Timestamp>) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // More than fits is for ever, and no reason to ask at once.
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let until = wire::http_date(text)?;
    let now = date.unwrap_or_else(Timestamp::now);
    Some(Duration::try_from(until.duration_since(now)).unwrap_or(Duration::ZERO))
}

/// Percent-encodes everything but letters, digits and `-._~`: fit for a path segment, a query value and a form.
pub(super) fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding() {
        for (text, expected) in [
            ("web-01.corp_x~", "web-01.corp_x~"),
            ("a b&c=d?e#f/g%", "a%20b%26c%3Dd%3Fe%23f%2Fg%25"),
            ("ä\n\"+;", "%C3%A4%0A%22%2B%3B"),
            ("../..", "..%2F.."),
        ] {
            assert_eq!(encoded(text), expected);
        }
    }

    #[test]
    fn how_long_to_wait() {
        let date = wire::http_date("Sun, 06 Nov 1994 08:49:37 GMT");
        for (text, seconds) in [
            ("3", Some(3)),
            (" 0 ", Some(0)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", Some(60)),
            ("Sun, 06 Nov 1994 08:40:37 GMT", Some(0)),
            ("99999999999999999999999", Some(u64::MAX)),
            ("", None),
            ("-1", None),
            ("soon", None),
        ] {
            assert_eq!(retry_after(text, date), seconds.map(Duration::from_secs), "{text}");
        }
    }
}
