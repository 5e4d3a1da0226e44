//! The certificate that a ZVM presents, for `zerto-guard trust`: a handshake and nothing more.
//!
//! Owns: a connection on which no HTTP is ever spoken. Must not: send a login to somebody who is not trusted yet.

use super::{How, Verifier, provider, rustls_error, sha256};
use crate::deadline::Deadline;
use crate::text::clean;
use crate::zvm::error::{Named, ZvmError, ZvmErrorKind};
use crate::zvm::http::io_words;
use jiff::Timestamp;
use rustls::ClientConnection;
use rustls::pki_types::ServerName;
use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;
use ureq::http::Uri;
use x509_cert::Certificate;
use x509_cert::der::Decode as _;
use x509_cert::time::Time;

const TRYING: &str = "looking at its certificate";

/// What a server presented, and proved to hold the key of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresentedCertificate {
    /// The fingerprint, which is what `tls_pin` holds.
    pub sha256: [u8; 32],
    /// The certificate itself.
    pub der: Vec<u8>,
    /// Whose it says it is, cleaned; none if that can't be read.
    pub subject: Option<String>,
    /// From when and until when it says that it is valid; none if that can't be read.
    pub valid: Option<(Timestamp, Timestamp)>,
}

impl PresentedCertificate {
    /// Reads what people compare. An odd certificate can be pinned all the same, so nothing here is an error.
    fn of(der: Vec<u8>) -> Self {
        let read = Certificate::from_der(&der).ok();
        let fields = read.as_ref().map(Certificate::tbs_certificate);
        let moment = |time: &Time| Timestamp::try_from(time.to_system_time()).ok();
        Self {
            sha256: sha256(&der),
            subject: fields
                .map(|fields| clean(&fields.subject().to_string(), 200))
                .filter(|subject| !subject.is_empty()),
            valid: fields.and_then(|fields| {
                let validity = fields.validity();
                Some((moment(&validity.not_before)?, moment(&validity.not_after)?))
            }),
            der,
        }
    }
}

/// Connects, shakes hands, and returns the certificate that the server presented. Sends no HTTP at all, and uses no proxy.
///
/// # Errors
/// The URL is no https URL, nobody answers there, or what answers does not hold the key of its certificate.
pub fn presented_certificate(url: &str, deadline: Deadline) -> Result<PresentedCertificate, ZvmError> {
    let shown = clean(url, 200);
    let zvm = Named { name: String::new(), url: shown };
    let (host, port) = https_target(url).ok_or_else(|| {
        zvm.error(
            ZvmErrorKind::Untrusted,
            TRYING,
            "the URL is not of the form https://HOST[:PORT]",
            "Only a server that is reached by https has a certificate.",
        )
    })?;
    let verifier = Arc::new(Verifier::new(How::Look, provider()));
    match shake_hands(&host, port, &verifier, deadline) {
        Ok(()) => {}
        Err(e) => return Err(failure(&zvm, &e, &verifier, deadline)),
    }
    match verifier.presented() {
        Some(der) => Ok(PresentedCertificate::of(der)),
        None => Err(zvm.error(
            ZvmErrorKind::Untrusted,
            TRYING,
            "it presented none",
            "Check the URL and its port: a ZVM appliance answers https on 443.",
        )),
    }
}

fn https_target(url: &str) -> Option<(String, u16)> {
    let uri: Uri = url.parse().ok()?;
    if uri.scheme_str() != Some("https") {
        return None;
    }
    let host = uri.host()?;
    let host = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
    Some((host.to_owned(), uri.port_u16().unwrap_or(443)))
}

fn shake_hands(host: &str, port: u16, verifier: &Arc<Verifier>, deadline: Deadline) -> io::Result<()> {
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    let config = verifier.client().map_err(io::Error::other)?;
    let mut conn = ClientConnection::new(Arc::new(config), name).map_err(io::Error::other)?;
    let mut socket = connect(host, port, deadline)?;
    while conn.is_handshaking() {
        while conn.wants_write() {
            conn.write_tls(&mut socket)?;
        }
        if !conn.wants_read() {
            continue;
        }
        let left = deadline.remaining();
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        socket.set_read_timeout(Some(left))?;
        socket.set_write_timeout(Some(left))?;
        if conn.read_tls(&mut socket)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if let Err(e) = conn.process_new_packets() {
            // The alert tells the other side why.
            let _ = conn.write_tls(&mut socket);
            return Err(io::Error::new(io::ErrorKind::InvalidData, e));
        }
    }
    conn.send_close_notify();
    let _ = conn.write_tls(&mut socket);
    Ok(())
}

fn connect(host: &str, port: u16, deadline: Deadline) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the host's name is not known");
    for address in (host, port).to_socket_addrs()? {
        let limit = deadline.clip(Duration::from_secs(5));
        if limit.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match TcpStream::connect_timeout(&address, limit) {
            Ok(socket) => return Ok(socket),
            Err(e) => last = e,
        }
    }
    Err(last)
}

const WHERE: &str = "Check the address and the port, and whether a firewall is in between.";

fn failure(zvm: &Named, error: &io::Error, verifier: &Verifier, deadline: Deadline) -> ZvmError {
    if deadline.passed() {
        return zvm.error(ZvmErrorKind::Unreachable, TRYING, "it did not answer in time", WHERE);
    }
    match rustls_error(error) {
        Some(e) => {
            let said = super::Distrust::of(e, verifier, "");
            zvm.error(said.kind, TRYING, &said.why, said.hint)
        }
        None => zvm.error(ZvmErrorKind::Unreachable, TRYING, &io_words(error), WHERE),
    }
}
