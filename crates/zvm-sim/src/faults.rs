//! Faults: what goes wrong, on which route, how often.
//!
//! Owns the orders and the choice; `server` carries them out. A fault is used up when a request matches, not when the
//! client has noticed it.

use std::time::Duration;

use axum::http::Method;

/// The steps that a client takes, by what they ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// The TCP connection, before TLS. Only `Delay`, `Hang`, `ResetBefore` and `GoDown` mean something here.
    Connection,
    /// `POST /auth/realms/zerto/protocol/openid-connect/token`
    Token,
    /// `GET /v1/vms`
    VmList,
    /// `GET /v1/vms/{id}`
    Vm,
    /// `GET /v1/vms/{id}/pointsInTime`
    PointsInTime,
    /// `GET /v1/vms/{id}/pointsInTime/stats`
    PointsInTimeStats,
    /// `GET /v1/vpgs`
    VpgList,
    /// `GET /v1/vpgs/{id}`
    Vpg,
    /// `GET /v1/vpgs/statuses`, `/substatuses`, `/entitytypes`
    VpgNames,
    /// `POST /v1/vpgs/{id}/checkpoints`
    Insert,
    /// `GET /v1/vpgs/{id}/checkpoints`
    CheckpointList,
    /// `GET /v1/vpgs/{id}/checkpoints/stats`
    CheckpointStats,
    /// `GET /v1/tasks`
    TaskList,
    /// `GET /v1/tasks/{id}`
    Task,
    /// `GET /v1/localsite`
    LocalSite,
    /// `GET /v1/peersites` and `/v1/peersites/{id}`
    PeerSites,
    /// `GET /v1/serverDateTime/serverDateTimeUtc`
    ServerTime,
    /// `GET /v1/virtualizationsites`
    VirtualizationSites,
    /// `GET /v1/flrs`
    FlrList,
    /// `POST /v1/flrs`
    FlrMount,
    /// `GET /v1/flrs/{id}`
    FlrSession,
    /// `DELETE /v1/flrs/{id}`
    FlrUnmount,
    /// `POST /v1/flrs/{id}/browse`
    FlrBrowse,
    /// `POST /v1/flrs/{id}/download`: the link
    FlrLink,
    /// `GET /v1/downloads/{id}`: the bytes
    Download,
    /// `POST /v1/vpgs/{id}/CloneStart`
    Clone,
    /// `POST /v1/vpgs/{id}/FailoverTest`
    FailoverTest,
    /// `POST /v1/vpgs/{id}/FailoverTestStop`
    FailoverTestStop,
}

impl Step {
    /// The step that a request is, if it is one.
    #[must_use]
    pub fn of(method: &str, path: &str) -> Option<Self> {
        let path = path.to_ascii_lowercase();
        let parts: Vec<&str> = path.split('/').filter(|p| !p.is_empty()).collect();
        let step = match (method, parts.as_slice()) {
            ("POST", ["auth", "realms", _, "protocol", "openid-connect", "token"]) => Self::Token,
            ("POST", ["v1", "vpgs", _, "checkpoints"]) => Self::Insert,
            ("GET", ["v1", "vms"]) => Self::VmList,
            ("GET", ["v1", "vms", _]) => Self::Vm,
            ("GET", ["v1", "vms", _, "pointsintime"]) => Self::PointsInTime,
            ("GET", ["v1", "vms", _, "pointsintime", "stats"]) => Self::PointsInTimeStats,
            ("GET", ["v1", "flrs"]) => Self::FlrList,
            ("POST", ["v1", "flrs"]) => Self::FlrMount,
            ("GET", ["v1", "flrs", _]) => Self::FlrSession,
            ("DELETE", ["v1", "flrs", _]) => Self::FlrUnmount,
            ("POST", ["v1", "flrs", _, "browse"]) => Self::FlrBrowse,
            ("POST", ["v1", "flrs", _, "download"]) => Self::FlrLink,
            ("GET", ["v1", "downloads", _]) => Self::Download,
            ("POST", ["v1", "vpgs", _, "clonestart"]) => Self::Clone,
            ("POST", ["v1", "vpgs", _, "failovertest"]) => Self::FailoverTest,
            ("POST", ["v1", "vpgs", _, "failoverteststop"]) => Self::FailoverTestStop,
            ("GET", ["v1", "vpgs"]) => Self::VpgList,
            ("GET", ["v1", "vpgs", "statuses" | "substatuses" | "entitytypes"]) => Self::VpgNames,
            ("GET", ["v1", "vpgs", _]) => Self::Vpg,
            ("GET", ["v1", "vpgs", _, "checkpoints"]) => Self::CheckpointList,
            ("GET", ["v1", "vpgs", _, "checkpoints", "stats"]) => Self::CheckpointStats,
            ("GET", ["v1", "tasks"]) => Self::TaskList,
            ("GET", ["v1", "tasks", id]) if *id != "types" => Self::Task,
            ("GET", ["v1", "localsite"]) => Self::LocalSite,
            ("GET", ["v1", "peersites", ..]) => Self::PeerSites,
            ("GET", ["v1", "serverdatetime", ..]) => Self::ServerTime,
            ("GET", ["v1", "virtualizationsites", ..]) => Self::VirtualizationSites,
            _ => return None,
        };
        Some(step)
    }
}

/// Where a fault strikes. From a [`Step`], or from text: `"POST /v1/vpgs/*/checkpoints"`, `"/v1/**"`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Route {
    /// Every request.
    Any,
    /// One step of the flow.
    Step(Step),
    /// A method (`None`: any) and a pattern for the path, whatever its case: `*` stands for anything within one
    /// segment, `**` for anything.
    Path(Option<Method>, String),
}

impl Route {
    /// Whether a request goes there.
    #[must_use]
    pub fn matches(&self, method: &Method, path: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Step(step) => Step::of(method.as_str(), path) == Some(*step),
            Self::Path(wanted, pattern) => {
                wanted.as_ref().is_none_or(|m| m == method)
                    && glob(pattern.to_ascii_lowercase().as_bytes(), path.to_ascii_lowercase().as_bytes())
            }
        }
    }
}

impl From<Step> for Route {
    fn from(step: Step) -> Self {
        Self::Step(step)
    }
}

impl From<&str> for Route {
    fn from(text: &str) -> Self {
        match text.split_once(' ') {
            Some((method, path)) => {
                Self::Path(Method::from_bytes(method.as_bytes()).ok(), path.trim_start().to_owned())
            }
            None => Self::Path(None, text.to_owned()),
        }
    }
}

fn glob(pattern: &[u8], text: &[u8]) -> bool {
    match pattern {
        [] => text.is_empty(),
        [b'*', b'*', rest @ ..] => (0..=text.len()).any(|n| text.get(n..).is_some_and(|t| glob(rest, t))),
        [b'*', rest @ ..] => {
            let reach = text.iter().position(|&c| c == b'/').unwrap_or(text.len());
            (0..=reach).any(|n| text.get(n..).is_some_and(|t| glob(rest, t)))
        }
        [c, rest @ ..] => text.split_first().is_some_and(|(t, more)| t == c && glob(rest, more)),
    }
}

/// What goes wrong. Unless it says otherwise the request is not processed: the ZVM's state stays as it was.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// Waits, then goes on as if nothing had been (so it can be combined with another fault). A client that goes away
    /// meanwhile leaves its request unprocessed; `AfterProcessing` of this is the other way round.
    Delay(Duration),
    /// Never answers; the connection stays open.
    Hang,
    /// Resets the connection (RST).
    ResetBefore,
    /// Processes the request, then resets the connection: the answer is lost.
    ResetAfterProcessing,
    /// Processes the request, sends the head and half of the body, then resets the connection.
    ResetMidBody,
    /// Processes the request, then closes the connection after half of the body that `Content-Length` promised.
    Truncated,
    /// Processes the request, sends the head and so many bytes of the body, then resets the connection.
    ResetAfter(u64),
    /// Processes the request, sends the head and so many bytes of the body, and then nothing more; the connection stays
    /// open.
    StallAfter(u64),
    /// Processes the request, and sends so many bytes of the body in good order, as if there were no more: the
    /// `Content-Length` says so too.
    Shortened(u64),
    /// 200 and no body.
    Empty,
    /// That status and body; a body that is JSON is declared as such.
    Status(u16, String),
    /// That status, `Retry-After: secs`, and a message.
    StatusWithRetryAfter(u16, u64),
    /// The same with any text after `Retry-After:`, such as a date. What can't stand in a header is left out.
    StatusWithRetryAfterText(u16, String),
    /// 200 and an HTML page, as a proxy or a portal answers.
    Html,
    /// 200 and `42`: JSON, and never what was asked for.
    WrongType,
    /// 200 and arrays nested that deep.
    DeepJson(usize),
    /// 200 and an array of strings of about that many bytes, streamed, without a `Content-Length`.
    HugeJson(u64),
    /// Processes the request, then sends its body so many bytes at a time.
    SlowDrip {
        /// Bytes at a time, at least 1.
        bytes: usize,
        /// The wait before each.
        every: Duration,
    },
    /// 307 to there.
    Redirect(String),
    /// That status (301, 302, …) to there.
    RedirectWith(u16, String),
    /// 401 as for a token that has ended.
    Unauthorized,
    /// Goes down: resets all open connections, this one too, and refuses new ones, until [`Sim::come_back`](crate::Sim::come_back).
    GoDown,
    /// Processes the request, and only then answers with that fault: a lost answer of another kind.
    AfterProcessing(Box<Fault>),
}

/// How often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Times {
    /// Every request from now on.
    Always,
    /// The next so many.
    Next(u32),
    /// Only the n-th from now, counted from 1.
    Nth(u32),
    /// So many of a thousand requests from now on, by chance. One `seed` always strikes the same ones, as they come.
    Share {
        /// Of a thousand.
        per_mille: u16,
        /// Where the chance begins.
        seed: u64,
    },
}

#[derive(Debug)]
struct Rule {
    route: Route,
    fault: Fault,
    times: Times,
}

/// What one request has coming.
#[derive(Debug, Default)]
pub(crate) struct Struck {
    pub(crate) delay: Duration,
    pub(crate) fault: Option<Fault>,
}

/// The orders.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<Rule>);

impl Faults {
    pub(crate) fn order(&mut self, route: Route, fault: Fault, times: Times) {
        self.0.push(Rule { route, fault, times });
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes what strikes this request: all delays, and the first other fault. The others that match wait for a
    /// later request, so that orders for one route make a sequence.
    pub(crate) fn strike(&mut self, method: &Method, path: &str) -> Struck {
        self.strike_where(|route| route.matches(method, path))
    }

    /// Takes what strikes a new connection.
    pub(crate) fn strike_connection(&mut self) -> Struck {
        self.strike_where(|route| *route == Route::Step(Step::Connection))
    }

    fn strike_where(&mut self, matches: impl Fn(&Route) -> bool) -> Struck {
        let mut struck = Struck::default();
        for rule in &mut self.0 {
            if !matches(&rule.route) {
                continue;
            }
            let is_delay = matches!(rule.fault, Fault::Delay(_));
            // The n-th is counted in requests, whether or not another fault comes first.
            let due = match &mut rule.times {
                Times::Always => true,
                Times::Next(0) | Times::Nth(0) => false,
                Times::Nth(n) => {
                    *n -= 1;
                    *n == 0
                }
                Times::Share { per_mille, seed } => draw(seed) % 1000 < u64::from(*per_mille),
                Times::Next(n) => {
                    let take = is_delay || struck.fault.is_none();
                    if take {
                        *n -= 1;
                    }
                    take
                }
            };
            if !due {
                continue;
            }
            match &rule.fault {
                Fault::Delay(d) => struck.delay += *d,
                fault if struck.fault.is_none() => struck.fault = Some(fault.clone()),
                _ => {}
            }
        }
        self.0.retain(|r| !matches!(r.times, Times::Next(0) | Times::Nth(0)));
        struck
    }
}

/// The next number by chance (splitmix64).
fn draw(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut number = *seed;
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_strikes_that_many_and_the_same_ones_each_time() {
        let struck = |per_mille, seed| -> Vec<usize> {
            let mut faults = Faults::default();
            faults.order(Route::Any, Fault::ResetBefore, Times::Share { per_mille, seed });
            (0..10_000).filter(|_| faults.strike(&Method::GET, "/v1/vms").fault.is_some()).collect()
        };
        let some = struck(10, 7);
        assert!((60..=140).contains(&some.len()), "{}", some.len());
        assert_eq!(some, struck(10, 7));
        assert_ne!(some, struck(10, 8));
        assert_eq!((struck(0, 7).len(), struck(1000, 7).len()), (0, 10_000));
    }

    #[test]
    fn patterns() {
        let hits = |route: &str, method: Method, path: &str| Route::from(route).matches(&method, path);
        assert!(hits("POST /v1/vpgs/*/checkpoints", Method::POST, "/v1/vpgs/abc/Checkpoints"));
        assert!(!hits("POST /v1/vpgs/*/checkpoints", Method::GET, "/v1/vpgs/abc/checkpoints"));
        assert!(!hits("/v1/vpgs/*", Method::GET, "/v1/vpgs/abc/checkpoints"));
        assert!(hits("/v1/**", Method::GET, "/v1/vpgs/abc/checkpoints"));
        assert!(!hits("/v1/vms", Method::GET, "/v1/vms/x"));
    }

    #[test]
    fn orders_for_one_route_make_a_sequence() {
        let mut faults = Faults::default();
        faults.order(Step::VmList.into(), Fault::Status(503, String::new()), Times::Next(2));
        faults.order(Step::VmList.into(), Fault::Empty, Times::Next(1));
        faults.order(Step::VmList.into(), Fault::Delay(Duration::from_millis(5)), Times::Nth(2));
        let mut next = || faults.strike(&Method::GET, "/v1/vms");
        assert_eq!(next().fault, Some(Fault::Status(503, String::new())));
        let second = next();
        assert_eq!((second.fault, second.delay.as_millis()), (Some(Fault::Status(503, String::new())), 5));
        assert_eq!(next().fault, Some(Fault::Empty));
        assert_eq!(next().fault, None);
    }
}
