//! The faults that an answer can have, by name, in the order of the page.
//!
//! Owns the list. Must not: know a step.

use std::net::TcpListener;
use std::sync::OnceLock;
use std::time::Duration;
use zvm_sim::{Fault, Sim, Times};

/// What goes wrong, and how often.
#[derive(Debug, Clone)]
pub struct Listed {
    pub name: String,
    pub fault: Fault,
    pub times: Times,
}

fn listed(name: &str, fault: Fault, times: Times) -> Listed {
    Listed { name: name.to_owned(), fault, times }
}

/// The answer is late by this, lest what is asked beside it at the same time be cut off with it now and not then.
pub const BESIDE: Duration = Duration::from_millis(150);

/// A hundred megabytes.
const HUGE: u64 = 100 << 20;

pub const HUGE_NAME: &str = "100 MB of JSON";

/// An answer that is too long is broken off: what was taken of one, if it was more than `limit` and what may lie in the buffers
/// of two sockets.
pub fn read_too_much(sim: &Sim, limit: u64) -> Option<String> {
    const BUFFERS: u64 = 16 << 20;
    // What a connection has sent is known once it is closed.
    let sent = |sim: &Sim| sim.connections().iter().map(|connection| connection.bytes_out).max().unwrap_or(0);
    assert!(sim.wait_until(Duration::from_secs(20), |sim| sent(sim) > 1 << 20), "no long answer was begun");
    (sent(sim) > limit + BUFFERS).then(|| format!("{} MiB of an answer were taken", sent(sim) >> 20))
}

/// Two bytes a second: the shortest answer that is more than brackets takes longer than the guard's deadline.
pub fn drip() -> Fault {
    Fault::SlowDrip { bytes: 1, every: Duration::from_millis(500) }
}

/// What each answer can be.
pub fn answers() -> Vec<Listed> {
    let status = |status: u16, text: &str| Fault::Status(status, format!("{{\"Message\":\"{text}\"}}"));
    let (ever, once) = (Times::Always, Times::Next(1));
    vec![
        listed("refused: it goes down when it is asked", Fault::GoDown, ever),
        listed("hang", Fault::Hang, ever),
        listed("reset before the answer", Fault::ResetBefore, ever),
        listed("reset before the answer, once", Fault::ResetBefore, once),
        listed("reset in the middle of the body", Fault::ResetMidBody, ever),
        listed("reset in the middle of the body, once", Fault::ResetMidBody, once),
        listed("done, then reset", Fault::ResetAfterProcessing, ever),
        listed("done, then reset, once", Fault::ResetAfterProcessing, once),
        listed("truncated", Fault::Truncated, ever),
        listed("truncated, once", Fault::Truncated, once),
        listed("empty", Fault::Empty, ever),
        listed("empty, once", Fault::Empty, once),
        listed("HTML", Fault::Html, ever),
        listed("JSON of another type", Fault::WrongType, ever),
        listed("JSON 100,000 deep", Fault::DeepJson(100_000), ever),
        listed(HUGE_NAME, Fault::HugeJson(HUGE), ever),
        listed("slow drip, 2 bytes a second", drip(), ever),
        listed("redirect to another address", Fault::Redirect(elsewhere_url()), ever),
        listed("401 once", Fault::Unauthorized, once),
        listed("401 for ever", Fault::Unauthorized, ever),
        listed("403", status(403, "No right."), ever),
        listed("404", status(404, "Not there."), ever),
        listed("409", status(409, "Conflict."), ever),
        listed("429, Retry-After 1 s, once", Fault::StatusWithRetryAfter(429, 1), once),
        listed("429, Retry-After 1 h", Fault::StatusWithRetryAfter(429, 3600), ever),
        listed("500", status(500, "Broken."), ever),
        listed("503", status(503, "Busy."), ever),
        listed("503, once", status(503, "Busy."), once),
    ]
}

/// What the answer to a login can be besides, as Keycloak words it.
pub fn logins() -> Vec<Listed> {
    let keycloak = |error: &str| Fault::Status(401, format!("{{\"error\":\"{error}\",\"error_description\":\"No.\"}}"));
    vec![
        listed("401 invalid_grant once: another login in the same moment", keycloak("invalid_grant"), Times::Next(1)),
        listed("401 invalid_grant for ever: a wrong password", keycloak("invalid_grant"), Times::Always),
        listed("401 invalid_client", keycloak("invalid_client"), Times::Always),
    ]
}

/// What the answer to something that was done can be besides: it is lost, and what comes in its place says nothing of that.
pub fn lost() -> Vec<Listed> {
    let after = |fault| Fault::AfterProcessing(Box::new(fault));
    let (ever, gateway) = (Times::Always, |status| Fault::Status(status, "<html>gateway</html>".to_owned()));
    vec![
        listed("done, then empty", after(Fault::Empty), ever),
        listed("done, then HTML", after(Fault::Html), ever),
        listed("done, then JSON of another type", after(Fault::WrongType), ever),
        listed("done, then hang", after(Fault::Hang), ever),
        listed("done, then refused: it goes down", after(Fault::GoDown), Times::Next(1)),
        listed("done, then 502 of a gateway", after(gateway(502)), ever),
        listed("done, then 504 of a gateway", after(gateway(504)), ever),
    ]
}

/// Where redirects lead. Whoever follows one connects to it.
fn elsewhere() -> &'static TcpListener {
    static ELSEWHERE: OnceLock<TcpListener> = OnceLock::new();
    ELSEWHERE.get_or_init(|| {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        listener
    })
}

fn elsewhere_url() -> String {
    format!("https://{}/v1/elsewhere", elsewhere().local_addr().unwrap())
}

/// Whether anybody has followed a redirect since this was last asked.
pub fn was_redirect_followed() -> bool {
    elsewhere().accept().is_ok()
}
