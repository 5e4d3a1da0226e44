//! What can stand at a ZVM's address in its stead, or between it and the client.
//!
//! Owns the listeners, which are plain TCP. Must not: know what a client wants.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsRawFd as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// What it does with a connection.
#[derive(Debug, Clone)]
pub enum Does {
    /// Closes it at once.
    Closes,
    /// Says this once the client has said something, and closes.
    Says(Vec<u8>),
    /// Says this over and over.
    Repeats(Vec<u8>),
    /// Passes on what both sides say, until so many bytes have come from the ZVM.
    PassesOn(SocketAddr, usize, Then),
}

/// What follows after the bytes that were passed on.
#[derive(Debug, Clone, Copy)]
pub enum Then {
    Stalls,
    Closes,
    Resets,
    /// A byte at a time, with this pause before each.
    Drips(Duration),
}

/// A listener, until it is dropped.
#[derive(Debug)]
pub struct Listener {
    at: SocketAddr,
    over: Arc<AtomicBool>,
}

impl Listener {
    pub fn new(does: Does) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let (at, over) = (listener.local_addr().unwrap(), Arc::new(AtomicBool::new(false)));
        let ends = Arc::clone(&over);
        thread::spawn(move || {
            while let Ok((client, _)) = listener.accept() {
                if ends.load(Ordering::SeqCst) {
                    return;
                }
                let does = does.clone();
                // What the client breaks off ends the thread.
                thread::spawn(move || talk(client, &does));
            }
        });
        Self { at, over }
    }

    pub fn url(&self) -> String {
        format!("https://{}", self.at)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(self.at));
    }
}

fn talk(mut client: TcpStream, does: &Does) -> Option<()> {
    let _ = client.set_nodelay(true);
    match does {
        Does::Closes => {
            // Not by letting go of it: with something unread in it that would be a reset.
            client.shutdown(Shutdown::Write).ok()?;
            wait_for_the_end(client);
        }
        Does::Says(text) => {
            // However much of it: that it has begun is all.
            let _ = client.read(&mut [0; 4096]).ok()?;
            client.write_all(text).ok()?;
            client.shutdown(Shutdown::Write).ok()?;
            wait_for_the_end(client);
        }
        Does::Repeats(text) => while client.write_all(text).is_ok() {},
        Does::PassesOn(zvm, bytes, then) => pass_on(client, *zvm, *bytes, *then)?,
    }
    Some(())
}

fn pass_on(mut client: TcpStream, zvm: SocketAddr, bytes: usize, then: Then) -> Option<()> {
    let mut zvm = TcpStream::connect(zvm).ok()?;
    let (mut from_client, mut to_zvm) = (client.try_clone().ok()?, zvm.try_clone().ok()?);
    thread::spawn(move || {
        let _ = std::io::copy(&mut from_client, &mut to_zvm);
        let _ = to_zvm.shutdown(Shutdown::Both);
    });
    let mut first = vec![0; bytes];
    zvm.read_exact(&mut first).ok()?;
    client.write_all(&first).ok()?;
    match then {
        Then::Stalls => wait_for_the_end(zvm),
        Then::Closes => client.shutdown(Shutdown::Both).ok()?,
        Then::Resets => {
            let linger = libc::linger { l_onoff: 1, l_linger: 0 };
            let size = size_of::<libc::linger>() as libc::socklen_t;
            // SAFETY: the descriptor is open, and the structure is read before the call returns.
            unsafe {
                libc::setsockopt(
                    client.as_raw_fd(),
                    libc::SOL_SOCKET,
                    libc::SO_LINGER,
                    (&raw const linger).cast(),
                    size,
                )
            };
            // The other thread's half keeps the socket open until it has read its end; with this it has.
            client.shutdown(Shutdown::Read).ok()?;
        }
        Then::Drips(pause) => {
            let mut byte = [0];
            while zvm.read_exact(&mut byte).is_ok() {
                thread::sleep(pause);
                client.write_all(&byte).ok()?;
            }
        }
    }
    Some(())
}

/// Until whoever is at the other end has gone.
fn wait_for_the_end(mut stream: TcpStream) {
    while stream.read(&mut [0; 4096]).is_ok_and(|count| count > 0) {}
}
