//! One TCP connection, with a switch that cuts it.
//!
//! Owns the socket: counts its bytes, and closes it in the usual way or with a reset, in the middle of TLS or of an
//! answer.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;

/// The switch of one connection.
#[derive(Debug)]
pub(crate) struct Switch {
    pub(crate) id: u64,
    cut: Notify,
    /// Where the whole server is told to go down.
    down: Arc<Notify>,
    reset: AtomicBool,
    bytes_in: AtomicU64,
    bytes_out: AtomicU64,
}

impl Switch {
    pub(crate) fn new(id: u64, down: &Arc<Notify>) -> Arc<Self> {
        Arc::new(Self {
            id,
            cut: Notify::new(),
            down: Arc::clone(down),
            reset: AtomicBool::new(false),
            bytes_in: AtomicU64::new(0),
            bytes_out: AtomicU64::new(0),
        })
    }

    /// Has the server go down, with all connections.
    pub(crate) fn go_down(&self) {
        self.down.notify_one();
    }

    /// Closes the connection: with a reset, or as one that ended early.
    pub(crate) fn cut(&self, reset: bool) {
        self.reset.store(reset, Ordering::SeqCst);
        self.cut.notify_one();
    }

    /// Returns when the connection is to be closed.
    pub(crate) async fn is_cut(&self) {
        self.cut.notified().await;
    }

    pub(crate) fn bytes(&self) -> (u64, u64) {
        (self.bytes_in.load(Ordering::SeqCst), self.bytes_out.load(Ordering::SeqCst))
    }
}

/// The connection.
#[derive(Debug)]
pub(crate) struct Wire {
    tcp: TcpStream,
    switch: Arc<Switch>,
}

impl Wire {
    pub(crate) fn new(tcp: TcpStream, switch: Arc<Switch>) -> Self {
        // Many small writes (a slow drip) must not wait for each other.
        let _ = tcp.set_nodelay(true);
        Self { tcp, switch }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        if self.switch.reset.load(Ordering::SeqCst) {
            // Lingering for no time makes the kernel send RST when the socket is closed, which is next.
            let _ = self.tcp.set_zero_linger();
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let polled = Pin::new(&mut self.tcp).poll_read(cx, buf);
        let read = buf.filled().len().saturating_sub(before);
        self.switch.bytes_in.fetch_add(u64::try_from(read).unwrap_or(0), Ordering::SeqCst);
        polled
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.tcp).poll_write(cx, buf);
        if let Poll::Ready(Ok(n)) = &polled {
            self.switch.bytes_out.fetch_add(u64::try_from(*n).unwrap_or(0), Ordering::SeqCst);
        }
        polled
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(cx)
    }
}
