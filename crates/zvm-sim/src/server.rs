//! The server: accepts connections, speaks TLS and HTTP/1.1 over them, and brings requests to faults and routes.
//!
//! Owns the thread with its runtime. The connections are its own and not a framework's, so that one can be cut.

use std::convert::Infallible;
use std::future::pending;
use std::io;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::sync::{Arc, mpsc as std_mpsc};

use axum::Router;
use axum::body::{Body, HttpBody as _};
use axum::http::{HeaderValue, Request, header};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Notify, broadcast, mpsc};
use tokio_rustls::TlsAcceptor;
use tower_service::Service as _;

use crate::dates;
use crate::faults::{Fault, Struck};
use crate::log::Handshake;
use crate::shared::Shared;
use crate::strike::{self, Answer};
use crate::wire::{Switch, Wire};

/// The longest request body that is read.
const LONGEST_BODY: usize = 1024 * 1024;

/// What the test's thread asks of the server's. Each is acknowledged, so that it has happened when the call returns.
pub(crate) enum Order {
    /// Closes the listener: new connections are refused.
    StopListening,
    /// Opens it again, at the same port.
    Listen,
    /// Resets all open connections.
    CutAll,
    /// Ends the server.
    Stop,
}

pub(crate) type Orders = mpsc::UnboundedSender<(Order, Done)>;

/// How an order is acknowledged.
pub(crate) type Done = std_mpsc::Sender<io::Result<()>>;

/// Binds to that port of 127.0.0.1 (0: any).
pub(crate) fn bind(port: u16) -> io::Result<(StdListener, SocketAddr)> {
    let listener = StdListener::bind((std::net::Ipv4Addr::LOCALHOST, port))?;
    listener.set_nonblocking(true)?;
    let at = listener.local_addr()?;
    Ok((listener, at))
}

/// Starts the server in a thread of its own.
pub(crate) fn start(
    listener: StdListener,
    tls: Option<Arc<rustls::ServerConfig>>,
    shared: Arc<Shared>,
) -> io::Result<(Orders, std::thread::JoinHandle<()>)> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (orders, inbox) = mpsc::unbounded_channel();
    let thread = std::thread::Builder::new().name("zvm-sim".to_owned()).spawn(move || {
        let server = Server {
            router: crate::routes::router(Arc::clone(&shared)),
            tls: tls.map(TlsAcceptor::from),
            cut_all: broadcast::Sender::new(1),
            down: Arc::default(),
            shared,
        };
        runtime.block_on(server.run(listener, inbox));
    })?;
    Ok((orders, thread))
}

#[derive(Clone)]
struct Server {
    shared: Arc<Shared>,
    router: Router,
    tls: Option<TlsAcceptor>,
    cut_all: broadcast::Sender<()>,
    down: Arc<Notify>,
}

impl Server {
    async fn run(self, listener: StdListener, mut inbox: mpsc::UnboundedReceiver<(Order, Done)>) {
        let mut port = Port::open(listener);
        loop {
            tokio::select! {
                order = inbox.recv() => {
                    let Some((order, done)) = order else { return };
                    let mut result = Ok(());
                    match order {
                        Order::Stop => return,
                        Order::StopListening => port.close(),
                        Order::Listen => result = port.listen(),
                        Order::CutAll => {
                            let _ = self.cut_all.send(());
                            // On this one thread, whoever was woken has its turn first.
                            tokio::task::yield_now().await;
                        }
                    }
                    let _ = done.send(result);
                }
                () = self.down.notified() => {
                    port.close();
                    let _ = self.cut_all.send(());
                }
                tcp = accept(port.listener.as_ref()) => {
                    let plain = if self.tls.is_some() { Handshake::Pending } else { Handshake::Plain };
                    let id = self.shared.log().connected(plain);
                    tokio::spawn(self.clone().connection(tcp, Switch::new(id, &self.down)));
                }
            }
        }
    }

    async fn connection(self, tcp: TcpStream, switch: Arc<Switch>) {
        let wire = Wire::new(tcp, Arc::clone(&switch));
        let mut cut_all = self.cut_all.subscribe();
        tokio::select! {
            () = self.clone().talk(wire, &switch) => {}
            () = switch.is_cut() => {}
            // In the branch itself: by the time its result is looked at, the socket is closed.
            () = async { let _ = cut_all.recv().await; switch.cut(true); } => {}
        }
        let (bytes_in, bytes_out) = switch.bytes();
        self.shared.log().closed(switch.id, bytes_in, bytes_out);
    }

    async fn talk(self, wire: Wire, switch: &Arc<Switch>) {
        let struck = self.shared.faults().strike_connection();
        tokio::time::sleep(struck.delay).await;
        match struck.fault {
            Some(Fault::Hang) => pending::<()>().await,
            Some(Fault::ResetBefore) => {
                switch.cut(true);
                pending::<()>().await;
            }
            Some(Fault::GoDown) => {
                switch.go_down();
                pending::<()>().await;
            }
            _ => {}
        }
        let Some(tls) = self.tls.clone() else {
            return self.http(wire, switch).await;
        };
        match tls.accept(wire).await {
            Ok(stream) => {
                let resumed = stream.get_ref().1.handshake_kind() == Some(rustls::HandshakeKind::Resumed);
                self.shared.log().shook(switch.id, Handshake::Done, resumed);
                self.http(stream, switch).await;
            }
            Err(e) => self.shared.log().shook(switch.id, Handshake::Failed(e.to_string()), false),
        }
    }

    async fn http(self, stream: impl AsyncRead + AsyncWrite + Unpin + 'static, switch: &Arc<Switch>) {
        let service = service_fn(|request| {
            let (server, switch) = (self.clone(), Arc::clone(switch));
            async move { Ok::<_, Infallible>(server.answer(request, &switch).await) }
        });
        // How a connection ends is the client's business, or a fault's.
        let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
    }

    /// Records the request, lets faults strike it, and answers.
    async fn answer(mut self, request: Request<Incoming>, switch: &Arc<Switch>) -> Answer {
        let (parts, body) = request.into_parts();
        let Ok(body) = Limited::new(body, LONGEST_BODY).collect().await else {
            return axum::response::IntoResponse::into_response(axum::http::StatusCode::PAYLOAD_TOO_LARGE);
        };
        let body = body.to_bytes();
        let id = self.shared.log().arrived(switch.id, &parts.method, &parts.uri, &parts.headers, &body);
        let Struck { delay, fault } = self.shared.faults().strike(&parts.method, parts.uri.path());
        tokio::time::sleep(delay).await;
        let is_processed = fault.as_ref().is_none_or(strike::processes);
        let real = if is_processed {
            let Ok(real) = self.router.call(Request::from_parts(parts, Body::from(body))).await;
            Some(real)
        } else {
            None
        };
        let mut answer = match (fault, real) {
            (None, Some(real)) => real,
            (None, None) => Answer::default(),
            (Some(fault), real) => strike::carry_out(fault, real, switch).await,
        };
        let now = self.shared.state().now_ms();
        if let Ok(now) = HeaderValue::from_str(&dates::http_date(now)) {
            answer.headers_mut().insert(header::DATE, now);
        }
        self.shared.log().answered(id, answer.status().as_u16(), answer.body().size_hint().exact());
        answer
    }
}

/// The port: listened at, or only held, so that nobody else gets it until the simulator comes back.
struct Port {
    at: Option<SocketAddr>,
    listener: Option<TcpListener>,
    held: Option<TcpSocket>,
}

impl Port {
    fn open(listener: StdListener) -> Self {
        Self { at: listener.local_addr().ok(), listener: TcpListener::from_std(listener).ok(), held: None }
    }

    /// Refuses connections: a socket that does not listen does.
    fn close(&mut self) {
        self.listener = None;
        if self.held.is_none() {
            self.held = self.at.and_then(|at| bound(at).ok());
        }
    }

    fn listen(&mut self) -> io::Result<()> {
        if self.listener.is_none() {
            let at = self.at.ok_or(io::ErrorKind::AddrNotAvailable)?;
            let socket = self.held.take().map_or_else(|| bound(at), Ok)?;
            self.listener = Some(socket.listen(1024)?);
        }
        Ok(())
    }
}

fn bound(at: SocketAddr) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(at)?;
    Ok(socket)
}

async fn accept(listener: Option<&TcpListener>) -> TcpStream {
    let Some(listener) = listener else {
        return pending().await;
    };
    loop {
        match listener.accept().await {
            Ok((tcp, _)) => return tcp,
            // Out of file descriptors, say: give others time to close some.
            Err(_) => tokio::time::sleep(std::time::Duration::from_millis(10)).await,
        }
    }
}
