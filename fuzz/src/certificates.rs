//! Any bytes are the certificate that a server presents before anybody trusts it, and the file of those that are trusted: what is
//! shown of one is fit for a terminal, its fingerprint is that of its bytes, and a broken file trusts nothing.

use super::ground::{first, folder, within};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use sha2::{Digest as _, Sha256};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use zerto_guard::config::secret::SecretSource;
use zerto_guard::config::{Login, Trust, ZvmConfig};
use zerto_guard::deadline::Deadline;
use zerto_guard::state::StateDir;
use zerto_guard::text::is_clean;
use zerto_guard::zvm::Zvm;
use zerto_guard::zvm::tls::presented_certificate;

const KEY: &[u8] = include_bytes!("../../tests/fixtures/tls/rsa.key");

/// Runs one input: a byte that says whether the rest is a certificate in DER, or the file of trusted ones.
pub fn run(bytes: &[u8]) {
    let (kind, bytes) = first(bytes);
    within(5, || if kind % 2 == 0 { presented(bytes) } else { trusted(bytes) });
}

/// What is presented now.
#[derive(Debug)]
struct Presented(Mutex<Option<Arc<CertifiedKey>>>);

impl ResolvesServerCert for Presented {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.0.lock().unwrap().clone()
    }
}

struct Server {
    port: u16,
    presented: Arc<Presented>,
    key: Arc<dyn rustls::sign::SigningKey>,
}

impl Server {
    fn start() -> Self {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let key = provider.key_provider.load_private_key(PrivateKeyDer::from_pem_slice(KEY).unwrap()).unwrap();
        let presented = Arc::new(Presented(Mutex::new(None)));
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_cert_resolver(presented.clone());
        let (config, listener) = (Arc::new(config), TcpListener::bind("127.0.0.1:0").unwrap());
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            for mut socket in listener.incoming().flatten() {
                let mut connection = rustls::ServerConnection::new(config.clone()).unwrap();
                let _ = socket.set_read_timeout(Some(Duration::from_secs(2)));
                while connection.is_handshaking() && connection.complete_io(&mut socket).is_ok() {}
                let _ = connection.complete_io(&mut socket);
            }
        });
        Self { port, presented, key }
    }
}

fn presented(der: &[u8]) {
    static SERVER: OnceLock<Mutex<Server>> = OnceLock::new();
    let server = SERVER.get_or_init(|| Mutex::new(Server::start()));
    let server = server.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let certificate = CertificateDer::from(der.to_vec());
    *server.presented.0.lock().unwrap() = Some(Arc::new(CertifiedKey::new(vec![certificate], server.key.clone())));
    let url = format!("https://127.0.0.1:{}", server.port);
    match presented_certificate(&url, Deadline::after(Duration::from_secs(2))) {
        Ok(found) => {
            assert_eq!((found.der.as_slice(), found.sha256), (der, <[u8; 32]>::from(Sha256::digest(der))));
            assert!(found.subject.is_none_or(|subject| !subject.is_empty() && is_clean(&subject, 200)));
        }
        Err(error) => assert!(is_clean(&error.message, usize::MAX) && is_clean(&error.hint, usize::MAX), "{error:?}"),
    }
}

fn trusted(pem: &[u8]) {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(folder);
    let file = folder.join("ca.pem");
    std::fs::write(&file, pem).unwrap();
    let config = ZvmConfig {
        name: "nyc".into(),
        url: "https://127.0.0.1:1".into(),
        login: Login::Password { username: "u".into(), password: SecretSource::Environment },
        trust: Trust::CaFile(file),
        guards: true,
        proxy: None,
    };
    match Zvm::new(&config, &StateDir::at(folder.join("state")), Deadline::after(Duration::from_secs(2))) {
        Ok(_) => assert!(pem.windows(27).any(|part| part == b"-----BEGIN CERTIFICATE-----"), "it trusts what holds no certificate"),
        Err(error) => assert!(error.message.contains("ca") && is_clean(&error.message, usize::MAX), "{error:?}"),
    }
}
