//! From a host's name to its addresses, for ureq.
//!
//! ureq's own resolver starts a thread for each look-up and panics where the system gives none, which a recovery that has a
//! mount to end must not. Here an address needs no thread, and a name that can't have one is looked up without.

use crate::threads;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::{io, vec};
use ureq::Error;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// More addresses of one host are not tried: ureq's answer has room for no more.
const MOST: usize = 16;

#[derive(Debug)]
pub(super) struct Names;

impl Resolver for Names {
    fn resolve(&self, uri: &Uri, _: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        let host = uri.scheme().zip(uri.authority());
        let host = host.and_then(|(scheme, authority)| DefaultResolver::host_and_port(scheme, authority));
        let host = host.ok_or_else(|| Error::BadUri(format!("{uri} names no host and no port")))?;
        let mut found = self.empty();
        match host.parse::<SocketAddr>() {
            Ok(address) => found.push(address),
            Err(_) => looked_up(&host, &timeout)?.take(MOST).for_each(|address| found.push(address)),
        }
        if found.is_empty() { Err(Error::HostNotFound) } else { Ok(found) }
    }
}

/// The system's answer, which is not waited for longer than there is time: a look-up can't be broken off.
fn looked_up(host: &str, timeout: &NextTimeout) -> Result<vec::IntoIter<SocketAddr>, Error> {
    let (tell, told) = mpsc::sync_channel(1);
    let name = host.to_owned();
    let look = move || {
        // Nobody may be waiting any more.
        let _ = tell.send(name.to_socket_addrs());
    };
    if threads::start("name", look).is_err() {
        return Ok(host.to_socket_addrs()?);
    }
    match told.recv_timeout(*timeout.after) {
        Ok(answer) => Ok(answer?),
        Err(RecvTimeoutError::Timeout) => Err(Error::Timeout(timeout.reason)),
        Err(RecvTimeoutError::Disconnected) => Err(Error::Io(io::Error::other("the look-up of its name broke off"))),
    }
}
