//! A small server for the tests of this room: it answers as it is told to and keeps what it was sent.
//! It holds no state of a ZVM; whole flows belong to the simulator.

use crate::config::secret::SecretSource;
use crate::config::{Login, Trust, ZvmConfig};
use crate::deadline::Deadline;
use crate::state::StateDir;
use crate::zvm::Zvm;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Asked {
    pub line: String,
    pub head: String,
    pub body: String,
    pub connection: usize,
}

pub enum Reply {
    Json(u16, String),
    /// A status, further header lines, a body.
    With(u16, String, String),
    /// These bytes, and the connection is closed.
    Raw(String),
    /// A good answer, after which the connection is closed without a word.
    JsonThenClose(String),
    /// The connection stays open and silent.
    Silence,
}

/// Makes the reply anew for each request.
pub type Replies = fn() -> Reply;

pub fn ok(body: &str) -> Reply {
    Reply::Json(200, body.to_owned())
}

type Handler = dyn Fn(&Asked) -> Reply + Send + Sync;

/// The first bytes of each connection, as they came off the wire (TLS records on a TLS server).
pub struct Server {
    pub port: u16,
    scheme: &'static str,
    asked: Arc<Mutex<Vec<Asked>>>,
    connections: Arc<Mutex<usize>>,
}

impl Server {
    pub fn start(handler: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        Self::run(None, Arc::new(handler))
    }

    pub fn tls(
        config: ServerConfig,
        handler: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::run(Some(Arc::new(config)), Arc::new(handler))
    }

    fn run(tls: Option<Arc<ServerConfig>>, handler: Arc<Handler>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            port: listener.local_addr().unwrap().port(),
            scheme: if tls.is_some() { "https" } else { "http" },
            asked: Arc::default(),
            connections: Arc::default(),
        };
        let (asked, connections) = (server.asked.clone(), server.connections.clone());
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let number = {
                    let mut connections = connections.lock().unwrap();
                    *connections += 1;
                    *connections
                };
                let (tls, handler, asked) = (tls.clone(), handler.clone(), asked.clone());
                std::thread::spawn(move || match tls {
                    None => serve(socket, number, &*handler, &asked),
                    Some(tls) => {
                        let conn = ServerConnection::new(tls).unwrap();
                        serve(StreamOwned::new(conn, socket), number, &*handler, &asked);
                    }
                });
            }
        });
        server
    }

    pub fn url(&self) -> String {
        format!("{}://127.0.0.1:{}", self.scheme, self.port)
    }

    pub fn connections(&self) -> usize {
        *self.connections.lock().unwrap()
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// How many requests had a line that begins like this.
    pub fn count(&self, start: &str) -> usize {
        self.asked()
            .iter()
            .filter(|a| a.line.starts_with(start))
            .count()
    }
}

fn serve(
    mut stream: impl Read + Write,
    connection: usize,
    handler: &Handler,
    log: &Mutex<Vec<Asked>>,
) {
    while let Some(mut asked) = read_request(&mut stream) {
        asked.connection = connection;
        log.lock().unwrap().push(asked.clone());
        let (text, close) = match handler(&asked) {
            Reply::Json(status, body) => (response(status, "", &body), false),
            Reply::With(status, head, body) => (response(status, &head, &body), false),
            Reply::Raw(text) => (text, true),
            Reply::JsonThenClose(body) => (response(200, "", &body), true),
            Reply::Silence => {
                std::thread::sleep(Duration::from_secs(30));
                return;
            }
        };
        if stream
            .write_all(text.as_bytes())
            .and_then(|()| stream.flush())
            .is_err()
            || close
        {
            return;
        }
    }
}

pub fn response(status: u16, head: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{head}\r\n{body}",
        body.len()
    )
}

fn read_request(stream: &mut impl Read) -> Option<Asked> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let length = head
        .lines()
        .find_map(|l| {
            l.to_lowercase()
                .strip_prefix("content-length:")
                .map(|v| v.trim().parse().unwrap())
        })
        .unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some(Asked {
        line: head
            .lines()
            .next()
            .unwrap()
            .trim_end_matches(" HTTP/1.1")
            .to_owned(),
        head,
        body: String::from_utf8(body).unwrap(),
        connection: 0,
    })
}

pub const TOKEN: &str = "POST /auth/realms/zerto/protocol/openid-connect/token";

/// A port on which nobody listens.
pub fn dead_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

/// A server that closes each connection before it has read what was sent: the other side sees a reset.
pub fn resetting() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            let _: std::io::Result<usize> = TcpStream::peek(&socket, &mut [0]);
        }
    });
    port
}

/// A state folder, a password file and a configuration for one server.
pub struct Home {
    pub folder: tempfile::TempDir,
    pub config: ZvmConfig,
    pub state: StateDir,
}

pub const PASSWORD: &str = "p4ss w&rd";

impl Home {
    pub fn at(url: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("password");
        std::fs::write(&file, format!("{PASSWORD}\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        Self {
            config: ZvmConfig {
                name: "nyc".to_owned(),
                url: url.to_owned(),
                login: Login::Password {
                    username: "guard".to_owned(),
                    password: SecretSource::File(file),
                },
                trust: Trust::PublicRoots,
                guards: true,
                proxy: None,
            },
            state: StateDir::at(folder.path().join("state")),
            folder,
        }
    }

    pub fn zvm(&self) -> Zvm {
        self.zvm_within(Duration::from_secs(20))
    }

    pub fn zvm_within(&self, time: Duration) -> Zvm {
        Zvm::new(&self.config, &self.state, Deadline::after(time)).unwrap()
    }
}
