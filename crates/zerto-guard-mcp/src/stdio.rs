//! The server on stdin and stdout, from the first message to the last: the client's end, and signals.
//!
//! Owns: that the process does not end while something is mounted here, or a guard has begun. Must not: know the tools.

use crate::server::Server;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleServer, ServiceExt as _};
use std::io::{self, Write as _};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use zerto_guard::rewind::watch::to_be_heard;

/// Serves until stdin is closed or a signal comes; the exit code.
pub fn serve(server: Server) -> u8 {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&format!("it can't be run: {error}")),
    };
    let code = runtime.block_on(serving(server));
    // A read of stdin that waits can't be called off, and must not be waited for.
    runtime.shutdown_background();
    code
}

async fn serving(server: Server) -> u8 {
    let closing = CancellationToken::new();
    let running = server.running();
    let came = Arc::new(AtomicI32::new(0));
    for kind in to_be_heard().into_iter().map(SignalKind::from_raw) {
        // The C library keeps some to itself, which are ignored by now.
        let Ok(mut signals) = signal(kind) else { continue };
        let (closing, came) = (closing.clone(), Arc::clone(&came));
        tokio::spawn(async move {
            signals.recv().await;
            let _ = came.compare_exchange(0, kind.as_raw_value(), Ordering::SeqCst, Ordering::SeqCst);
            closing.cancel();
        });
    }
    let stdin = Ending { from: tokio::io::stdin(), closing: closing.clone() };
    let transport = AsyncRwTransport::new_server(stdin, tokio::io::stdout());
    // At once, and not when the last answer could not be delivered: what is mounted has to be ended before the client, which
    // closes stdin to say goodbye, loses its patience.
    let stopper = {
        let (running, closing) = (Arc::clone(&running), closing.clone());
        tokio::spawn(async move {
            closing.cancelled().await;
            running.close();
        })
    };
    let greeted = Arc::new(AtomicBool::new(false));
    let transport = Patient { inner: transport, greeted: Arc::clone(&greeted) };
    let served = server.serve_with_ct(transport, closing.clone()).await;
    greeted.store(true, Ordering::SeqCst);
    let fault = match served {
        Ok(service) => service.waiting().await.err().map(|error| error.to_string()),
        // Whoever closes stdin, or ends it, before a first message had nothing to ask.
        Err(_) if closing.is_cancelled() => None,
        Err(error) => Some(error.to_string()),
    };
    closing.cancel();
    let _ = stopper.await;
    running.over().await;
    match (came.load(Ordering::SeqCst), fault) {
        (0, None) => 0,
        (0, Some(fault)) => failed(&zerto_guard::text::clean(&fault, 400)),
        (signal, _) => u8::try_from(128 + signal).unwrap_or(130),
    }
}

fn failed(why: &str) -> u8 {
    // Unlike eprintln it does no harm where nobody reads stderr any more.
    let _ = writeln!(io::stderr(), "zerto-guard-mcp: {why}");
    1
}

/// A transport that hears only requests until one has begun the conversation: the SDK gives up on anything else before, such as
/// the news of a question that the client no longer waits for.
struct Patient<T> {
    inner: T,
    greeted: Arc<AtomicBool>,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Patient<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.inner.receive().await?;
            if self.greeted.load(Ordering::SeqCst) || matches!(message, JsonRpcMessage::Request(_)) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

/// Stdin, which tells when it has ended.
struct Ending<R> {
    from: R,
    closing: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for Ending<R> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.from).poll_read(cx, buffer);
        let ended = match &read {
            Poll::Ready(Ok(())) => buffer.filled().len() == before,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if ended {
            self.closing.cancel();
        }
        read
    }
}
