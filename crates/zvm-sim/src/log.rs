//! What reached the simulator: every connection and every request, for tests to look at afterwards.
//!
//! Owns the record and nothing of the behaviour. Bodies and headers are kept as they came, passwords too: this is a
//! simulator, and a test may want to show that a secret was sent (or wasn't).

use std::time::{Duration, Instant};

use axum::http::{HeaderMap, Method, Uri};

/// One HTTP request that arrived whole.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Request {
    /// Counts from 1 over the life of the simulator.
    pub id: u64,
    /// The connection it came over, see [`Connection::id`].
    pub connection: u64,
    /// When it had arrived, since the start of the simulator.
    pub at: Duration,
    /// When its answer was ready. `None`: not yet, or never (hung, reset, or the client went away).
    pub finished: Option<Duration>,
    /// `GET`, `POST`, …
    pub method: String,
    /// Without the query.
    pub path: String,
    /// Without the question mark; empty if there is none.
    pub query: String,
    /// Names in lower case, in the order of arrival.
    pub headers: Vec<(String, String)>,
    /// Whether it carried `Authorization: Bearer …`, good or not.
    pub had_bearer: bool,
    /// As text; bytes that aren't UTF-8 are replaced.
    pub body: String,
    /// `None`: never answered.
    pub status: Option<u16>,
    /// Length of the answer's body, where it is known beforehand.
    pub answer_bytes: Option<u64>,
}

impl Request {
    /// The first header of that name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    /// `GET /v1/vms`, for short comparisons.
    #[must_use]
    pub fn line(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// The query's value of that name (whatever its case), decoded.
    #[must_use]
    pub fn query_value(&self, name: &str) -> Option<String> {
        form_urlencoded::parse(self.query.as_bytes())
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, v)| v.into_owned())
    }
}

/// How far a connection's TLS handshake came.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Handshake {
    /// Plain http: there is none.
    Plain,
    /// Not over yet.
    Pending,
    /// Both sides are content. (With TLS 1.3 the client may still refuse our certificate a moment later.)
    Done,
    /// The client, or a fault, broke it off.
    Failed(String),
}

/// One TCP connection that was accepted.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Connection {
    /// Counts from 1 over the life of the simulator.
    pub id: u64,
    /// When it was accepted, since the start of the simulator.
    pub at: Duration,
    /// Its TLS handshake.
    pub handshake: Handshake,
    /// Whether that took up a TLS session of an earlier connection, which spares the client the certificate.
    pub resumed: bool,
    /// Bytes on the wire from the client, TLS included. Set when the connection is closed.
    pub bytes_in: u64,
    /// Bytes on the wire to the client, TLS included. Set when the connection is closed.
    pub bytes_out: u64,
    /// Whether it is closed.
    pub closed: bool,
}

/// The record.
#[derive(Debug)]
pub(crate) struct Log {
    started: Instant,
    last_request: u64,
    last_connection: u64,
    requests: Vec<Request>,
    connections: Vec<Connection>,
}

impl Log {
    pub(crate) fn new() -> Self {
        Self {
            started: Instant::now(),
            last_request: 0,
            last_connection: 0,
            requests: Vec::new(),
            connections: Vec::new(),
        }
    }

    pub(crate) fn requests(&self) -> &[Request] {
        &self.requests
    }

    pub(crate) fn connections(&self) -> &[Connection] {
        &self.connections
    }

    /// Forgets what was recorded; ids and the time go on.
    pub(crate) fn clear(&mut self) {
        self.requests.clear();
        self.connections.clear();
    }

    pub(crate) fn connected(&mut self, handshake: Handshake) -> u64 {
        self.last_connection += 1;
        self.connections.push(Connection {
            id: self.last_connection,
            at: self.started.elapsed(),
            handshake,
            resumed: false,
            bytes_in: 0,
            bytes_out: 0,
            closed: false,
        });
        self.last_connection
    }

    pub(crate) fn shook(&mut self, id: u64, handshake: Handshake, resumed: bool) {
        if let Some(c) = self.connections.iter_mut().rev().find(|c| c.id == id) {
            (c.handshake, c.resumed) = (handshake, resumed);
        }
    }

    pub(crate) fn closed(&mut self, id: u64, bytes_in: u64, bytes_out: u64) {
        if let Some(c) = self.connections.iter_mut().rev().find(|c| c.id == id) {
            (c.bytes_in, c.bytes_out, c.closed) = (bytes_in, bytes_out, true);
        }
    }

    pub(crate) fn arrived(
        &mut self,
        connection: u64,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
        body: &[u8],
    ) -> u64 {
        self.last_request += 1;
        let headers: Vec<(String, String)> = headers
            .iter()
            .map(|(n, v)| (n.as_str().to_owned(), String::from_utf8_lossy(v.as_bytes()).into_owned()))
            .collect();
        let had_bearer = headers
            .iter()
            .any(|(n, v)| n == "authorization" && v.get(..7).is_some_and(|s| s.eq_ignore_ascii_case("bearer ")));
        self.requests.push(Request {
            id: self.last_request,
            connection,
            at: self.started.elapsed(),
            finished: None,
            method: method.to_string(),
            path: uri.path().to_owned(),
            query: uri.query().unwrap_or_default().to_owned(),
            headers,
            had_bearer,
            body: String::from_utf8_lossy(body).into_owned(),
            status: None,
            answer_bytes: None,
        });
        self.last_request
    }

    pub(crate) fn answered(&mut self, id: u64, status: u16, answer_bytes: Option<u64>) {
        let now = self.started.elapsed();
        if let Some(r) = self.requests.iter_mut().rev().find(|r| r.id == id) {
            (r.finished, r.status, r.answer_bytes) = (Some(now), Some(status), answer_bytes);
        }
    }
}
