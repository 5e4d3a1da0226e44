//! A ZVM that answers with whatever bytes it is given, so that all of the client reads them: a thread that speaks plain HTTP on
//! this machine. Must not: know what a verb is.

use super::ground::folder;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use zerto_guard::config::secret::SecretSource;
use zerto_guard::config::{Login, Trust, ZvmConfig};
use zerto_guard::deadline::Deadline;
use zerto_guard::state::StateDir;
use zerto_guard::zvm::{Zvm, ZvmError};

/// What must not be found in anything that is said.
pub const TOKEN: &str = "eyJt0ken.F0rAll.q7Vx2mLw9Tz";
pub const PASSWORD: &str = "p4ss-q7Vx2mLw9Tz";

const TOKEN_PATH: &str = "/auth/realms/zerto/protocol/openid-connect/token";

/// An answer.
#[derive(Clone)]
pub struct Reply {
    pub status: u16,
    /// Further lines of the head, each with its end.
    pub head: String,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn ok(body: &[u8]) -> Self {
        Self { status: 200, head: String::new(), body: body.to_vec() }
    }
}

#[derive(Default)]
struct Shared {
    reply: Option<Reply>,
    /// Whether the login is answered with it too.
    for_login: bool,
    asked: Vec<String>,
}

/// The server, and the folder with what its client needs.
pub struct Server {
    pub port: u16,
    folder: PathBuf,
    shared: Arc<Mutex<Shared>>,
}

/// The one of this process, for one input at a time.
pub fn with<T>(run: impl FnOnce(&Server) -> T) -> T {
    static SERVER: OnceLock<Mutex<Server>> = OnceLock::new();
    let server = SERVER.get_or_init(|| Mutex::new(Server::start()));
    run(&server.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared: Arc<Mutex<Shared>> = Arc::default();
        let folder = folder();
        let password = folder.join("password");
        std::fs::write(&password, PASSWORD).unwrap();
        std::fs::set_permissions(&password, std::fs::Permissions::from_mode(0o600)).unwrap();
        let serving = shared.clone();
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let shared = serving.clone();
                std::thread::spawn(move || serve(socket, &shared));
            }
        });
        Self { port, folder, shared }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// A client that gives up before it would wait for another try, and what it gets from now on.
    pub fn client(&self, reply: Reply) -> Zvm {
        self.client_of("guard", reply, false)
    }

    /// The same, which has to log in and gets the reply there too.
    pub fn client_without_token(&self, reply: Reply) -> Zvm {
        let _ = std::fs::remove_dir_all(self.folder.join("other"));
        self.client_of("other", reply, true)
    }

    fn client_of(&self, user: &str, reply: Reply, for_login: bool) -> Zvm {
        let mut shared = self.shared.lock().unwrap();
        *shared = Shared { reply: Some(reply), for_login, asked: vec![] };
        let config = ZvmConfig {
            name: "nyc".to_owned(),
            url: self.url(),
            login: Login::Password {
                username: user.to_owned(),
                password: SecretSource::File(self.folder.join("password")),
            },
            trust: Trust::Insecure,
            guards: true,
            proxy: None,
        };
        // Shorter than the shortest pause between two tries.
        let deadline = Deadline::after(Duration::from_millis(190));
        Zvm::new(&config, &StateDir::at(self.folder.join(user)), deadline).unwrap()
    }

    /// The heads of the requests that came for the last client, those of its logins left out.
    pub fn asked(&self) -> Vec<String> {
        let shared = self.shared.lock().unwrap();
        shared.asked.iter().filter(|head| !head.starts_with(&format!("POST {TOKEN_PATH}"))).cloned().collect()
    }
}

/// What is said of a failure names the ZVM, is fit for a terminal, and holds no secret.
pub fn check(error: &ZvmError) {
    for text in [&error.message, &error.hint] {
        assert!(zerto_guard::text::is_clean(text, usize::MAX), "{text:?}");
        assert!(!text.contains(TOKEN) && !text.contains(PASSWORD), "{text}");
    }
    assert!(error.message.contains("nyc") && error.message.len() < 3000, "{error}");
}

fn serve(mut socket: TcpStream, shared: &Mutex<Shared>) {
    let _ = socket.set_nodelay(true);
    while let Some(head) = request(&mut socket) {
        let reply = {
            let mut shared = shared.lock().unwrap();
            let is_login = head.starts_with(&format!("POST {TOKEN_PATH}"));
            shared.asked.push(head);
            match &shared.reply {
                Some(reply) if shared.for_login || !is_login => reply.clone(),
                _ => Reply::ok(format!("{{\"access_token\":\"{TOKEN}\",\"expires_in\":36000}}").as_bytes()),
            }
        };
        let mut answer = format!("HTTP/1.1 {} X\r\n{}", reply.status, reply.head).into_bytes();
        answer.extend(format!("Content-Length: {}\r\n\r\n", reply.body.len()).bytes());
        answer.extend(&reply.body);
        if socket.write_all(&answer).is_err() {
            return;
        }
    }
}

/// The head of a request, once its body has come too.
fn request(socket: &mut TcpStream) -> Option<String> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = |line: &str| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok();
            let length: usize = head.lines().find_map(length).unwrap_or(0);
            if bytes.len() >= end + 4 + length {
                return Some(head);
            }
        }
        match socket.read(&mut buffer).ok()? {
            0 => return None,
            count => bytes.extend(&buffer[..count]),
        }
    }
}
