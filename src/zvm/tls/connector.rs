//! The way from a URL to a connection, for ureq: TCP (or a proxy's tunnel), then TLS with our own verifier.
//!
//! Owns, with `resolver`: everything of `ureq::unversioned`, which may change with any release of ureq (so Cargo.toml holds it to ~3.5).
//! ureq has no place for a verifier of one's own in its settings (algesten/ureq#1087), hence a connector.

use super::Verifier;
use super::resolver::Names;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use std::cell::Cell;
use std::io;
use std::sync::Arc;
use ureq::config::Config;
use ureq::unversioned::transport::time::{Duration, Instant};
use ureq::unversioned::transport::{
    Buffers, ConnectProxyConnector, ConnectionDetails, Connector, Either, LazyBuffers, NextTimeout, TcpConnector,
    Transport, TransportAdapter,
};
use ureq::{Agent, Error, Timeout};

thread_local! {
    /// Whether the call that runs on this thread has begun to send its request. ureq runs a whole call on the thread
    /// that makes it, so a thread's own cell tells two calls apart that run at once.
    static SENT: Cell<bool> = const { Cell::new(false) };
}

/// Runs one call, and tells whether any byte of its request may have left.
pub fn request_was_sent<T>(call: impl FnOnce() -> T) -> (T, bool) {
    SENT.set(false);
    let result = call();
    (result, SENT.get())
}

/// An agent that trusts as `verifier` does.
pub fn agent(config: Config, verifier: &Arc<Verifier>) -> Result<Agent, rustls::Error> {
    let tls = TlsConnector { client: Arc::new(verifier.client()?) };
    let watch = WatchConnector { proxied: config.proxy().is_some() };
    let chain = ().chain(ConnectProxyConnector::default()).chain(TcpConnector::default()).chain(tls).chain(watch);
    Ok(Agent::with_parts(config, chain, Names))
}

#[derive(Debug)]
struct TlsConnector {
    client: Arc<ClientConfig>,
}

impl<In: Transport> Connector<In> for TlsConnector {
    type Out = Either<In, TlsTransport>;

    fn connect(&self, details: &ConnectionDetails, chained: Option<In>) -> Result<Option<Self::Out>, Error> {
        let Some(transport) = chained else {
            return Err(Error::ConnectionFailed);
        };
        if !details.needs_tls() || transport.is_tls() {
            return Ok(Some(Either::A(transport)));
        }
        let host = details.uri.host().unwrap_or_default();
        let host = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
        let name = ServerName::try_from(host.to_owned())
            .map_err(|_| Error::Tls("the host's name cannot stand in a certificate"))?;
        let mut conn = ClientConnection::new(self.client.clone(), name).map_err(in_io)?;
        let mut sock = TransportAdapter::new(transport.boxed(), details.current_time.clone());
        sock.set_timeout(what_is_left(details));
        // The whole handshake, so that no byte of a request is made before the other side is known.
        while conn.is_handshaking() {
            conn.complete_io(&mut sock)?;
        }
        Ok(Some(Either::B(TlsTransport {
            buffers: LazyBuffers::new(details.config.input_buffer_size(), details.config.output_buffer_size()),
            stream: StreamOwned::new(conn, sock),
        })))
    }
}

/// The time for connecting, less what TCP took of it (ureq's own way to say so is private).
fn what_is_left(details: &ConnectionDetails) -> NextTimeout {
    let mut timeout = details.timeout;
    if let (Duration::Exact(all), Instant::Exact(start), Instant::Exact(now)) =
        (timeout.after, details.now, (details.current_time)())
    {
        timeout.after = Duration::Exact(all.saturating_sub(now.saturating_duration_since(start)));
    }
    timeout
}

/// As `complete_io` wraps it: one form for both.
fn in_io(error: rustls::Error) -> Error {
    Error::Io(io::Error::new(io::ErrorKind::InvalidData, error))
}

struct TlsTransport {
    buffers: LazyBuffers,
    stream: StreamOwned<ClientConnection, TransportAdapter>,
}

impl std::fmt::Debug for TlsTransport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TlsTransport")
    }
}

impl Transport for TlsTransport {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.stream.sock.set_timeout(timeout);
        let output = self.buffers.output().get(..amount).unwrap_or_default();
        io::Write::write_all(&mut self.stream, output)?;
        Ok(())
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.stream.sock.set_timeout(timeout);
        let amount = io::Read::read(&mut self.stream, self.buffers.input_append_buf())?;
        self.buffers.input_appended(amount);
        Ok(amount > 0)
    }

    fn is_open(&mut self) -> bool {
        self.stream.sock.get_mut().is_open()
    }

    fn is_tls(&self) -> bool {
        true
    }
}

/// The end of the chain: notes when a request begins to leave, and knows the head from the body.
#[derive(Debug)]
struct WatchConnector {
    proxied: bool,
}

impl<In: Transport> Connector<In> for WatchConnector {
    type Out = WatchTransport<In>;

    fn connect(&self, details: &ConnectionDetails, chained: Option<In>) -> Result<Option<Self::Out>, Error> {
        // The tunnel through a proxy runs the chain a second time, with the proxy taken out of its settings. What is
        // sent to the proxy is not yet the request.
        let to_proxy = self.proxied && details.config.proxy().is_none();
        Ok(chained.map(|inner| WatchTransport { inner, counts: !to_proxy }))
    }
}

#[derive(Debug)]
struct WatchTransport<In> {
    inner: In,
    counts: bool,
}

impl<In: Transport> Transport for WatchTransport<In> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.inner.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        if self.counts {
            SENT.set(true);
        }
        self.inner.transmit_output(amount, timeout)
    }

    fn await_input(&mut self, mut timeout: NextTimeout) -> Result<bool, Error> {
        // A limit from piece to piece is the body's. Before its first piece a ZVM may have to pack what it sends, and for that
        // the head has a limit of its own.
        if timeout.reason == Timeout::RecvResponse {
            timeout.per_read = None;
        }
        self.inner.await_input(timeout)
    }

    fn is_open(&mut self) -> bool {
        self.inner.is_open()
    }

    fn is_tls(&self) -> bool {
        self.inner.is_tls()
    }
}

#[cfg(test)]
#[path = "tests/connector.rs"]
mod tests;
