//! Stdin as the host left it: one that does not wait (`O_NONBLOCK`, which belongs to the pipe and not to a process) is waited for.
//!
//! Must not: decide how long; the hook's own timer does.

use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsFd, AsRawFd as _};

/// A stream of which a read waits until there is something, or its end.
#[derive(Debug)]
pub struct Waiting<R>(pub R);

impl<R: Read + AsFd> Read for Waiting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => wait(&self.0)?,
                done => return done,
            }
        }
    }
}

fn wait(stream: &impl AsFd) -> io::Result<()> {
    let mut readable = libc::pollfd { fd: stream.as_fd().as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: the structure is whole, and outlives the call.
    match unsafe { libc::poll(&raw mut readable, 1, -1) } {
        -1 if io::Error::last_os_error().kind() != ErrorKind::Interrupted => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
