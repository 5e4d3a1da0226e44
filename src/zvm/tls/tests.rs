//! Real handshakes with certificates as appliances have them.

use super::*;
use crate::config::secret::SecretSource;
use crate::config::{Login, Trust};
use crate::deadline::Deadline;
use crate::zvm::error::ZvmErrorKind;
use crate::zvm::testing::*;
use crate::zvm::{ChangeError, ZvmError};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A certificate and the key that the server signs with, which need not be the certificate's own.
#[derive(Clone)]
struct Identity {
    chain: Vec<CertificateDer<'static>>,
    key: Arc<PrivateKeyDer<'static>>,
    pem: String,
}

#[derive(Debug)]
struct Always(Arc<CertifiedKey>);

impl ResolvesServerCert for Always {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.clone())
    }
}

impl Identity {
    fn fixture(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tls");
        Self {
            chain: vec![CertificateDer::from_pem_file(folder.join(name)).unwrap()],
            key: Arc::new(PrivateKeyDer::from_pem_file(folder.join("rsa.key")).unwrap()),
            pem: std::fs::read_to_string(folder.join(name)).unwrap(),
        }
    }

    fn self_signed(params: CertificateParams) -> Self {
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        Self::of(&certificate, &key)
    }

    fn of(certificate: &rcgen::Certificate, key: &KeyPair) -> Self {
        Self {
            chain: vec![certificate.der().clone()],
            pem: certificate.pem(),
            key: Arc::new(PrivatePkcs8KeyDer::from(key.serialize_der()).into()),
        }
    }

    fn sha256(&self) -> [u8; 32] {
        sha256(&self.chain[0])
    }

    fn server(&self) -> Server {
        self.server_with(&[&rustls::version::TLS12, &rustls::version::TLS13])
    }

    fn server_with(&self, versions: &[&'static rustls::SupportedProtocolVersion]) -> Server {
        let key = rustls::crypto::ring::sign::any_supported_type(&self.key).unwrap();
        // `with_single_cert` would refuse a key that is not the certificate's.
        let always = Always(Arc::new(CertifiedKey::new(self.chain.clone(), key)));
        let config = ServerConfig::builder_with_provider(provider())
            .with_protocol_versions(versions)
            .unwrap()
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(always));
        Server::tls(config, |asked| match asked.line.as_str() {
            TOKEN => ok(r#"{"access_token":"t0ken","expires_in":300}"#),
            "GET /v1/localsite" => ok(r#"{"SiteName":"nyc"}"#),
            _ => ok("\"t.1\""),
        })
    }
}

fn params(names: &[&str]) -> CertificateParams {
    let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
    CertificateParams::new(names).unwrap()
}

fn ask(server: &Server, trust: Trust) -> Result<String, ZvmError> {
    let mut home = Home::at(&server.url());
    home.config.trust = trust;
    home.zvm_within(Duration::from_secs(8)).local_site().map(|s| s.name)
}

fn trusted(folder: &tempfile::TempDir, pem: &str) -> Trust {
    let path = folder.path().join("ca.pem");
    std::fs::write(&path, pem).unwrap();
    Trust::CaFile(path)
}

#[test]
fn what_works_with_each_kind_of_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let expired = {
        let mut params = params(&["127.0.0.1"]);
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(2002, 1, 1);
        Identity::self_signed(params)
    };
    let early = {
        let mut params = params(&["127.0.0.1"]);
        params.not_before = date_time_ymd(4000, 1, 1);
        Identity::self_signed(params)
    };
    let cases = [
        ("leaf", Identity::fixture("leaf.pem"), None, None),
        ("leaf, EC", Identity::self_signed(params(&["127.0.0.1"])), None, None),
        ("CA:TRUE", Identity::fixture("ca-true.pem"), Some("(CA:TRUE), which ca_file cannot trust"), None),
        ("no name", Identity::self_signed(params(&[])), Some("not for the name in the URL: it holds none"), None),
        ("other name", Identity::self_signed(params(&["zvm.example"])), Some("URL, but for zvm.example ("), None),
        ("version 1", Identity::fixture("v1.pem"), Some("X.509 version 1"), Some("X.509 version 1")),
        ("expired", expired, Some("has expired"), None),
        ("too early", early, Some("not valid yet"), None),
    ];
    for (name, identity, ca_file_says, pin_says) in cases {
        let server = identity.server();
        let print = fingerprint_text(&identity.sha256());
        let tries = [
            (trusted(&folder, &identity.pem), ca_file_says),
            (Trust::Pin(identity.sha256()), pin_says),
            (Trust::PublicRoots, Some(ca_file_says.filter(|_| pin_says.is_some()).unwrap_or("certificate"))),
            (Trust::Insecure, None),
        ];
        for (trust, says) in tries {
            let connected = ask(&server, trust.clone());
            match says {
                None => assert_eq!(connected, Ok("nyc".to_owned()), "{name}, {trust:?}"),
                Some(text) => {
                    let error = connected.unwrap_err();
                    assert_eq!((error.kind, error.exit_code()), (ZvmErrorKind::Untrusted, 6), "{name}: {error}");
                    assert!(error.message.contains(text), "{name}, {trust:?}: {error}");
                    assert!(error.message.contains(&format!("presented {print}")), "{name}: {error}");
                    let way_out = if pin_says.is_some() { "version 3" } else { "zerto-guard trust https://127.0.0.1" };
                    let clock = error.message.contains("not valid yet");
                    assert!(clock || error.hint.contains(way_out), "{name}, {trust:?}: {}", error.hint);
                }
            }
        }
    }
}

#[test]
fn a_certificate_of_ones_own_authority() {
    let folder = tempfile::tempdir().unwrap();
    let authority_key = KeyPair::generate().unwrap();
    let mut authority = params(&[]);
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_pem = authority.self_signed(&authority_key).unwrap().pem();
    let issuer = Issuer::new(authority, authority_key);
    let key = KeyPair::generate().unwrap();
    let leaf = params(&["127.0.0.1"]).signed_by(&key, &issuer).unwrap();
    let server = Identity::of(&leaf, &key).server();
    assert!(ask(&server, trusted(&folder, &authority_pem)).is_ok());
    let other = Identity::self_signed(params(&["x"]));
    assert!(ask(&server, trusted(&folder, &format!("{authority_pem}{}", other.pem))).is_ok());
    // rcgen gives both the same name, as two appliances of one make may have it.
    let error = ask(&server, trusted(&folder, &other.pem)).unwrap_err();
    assert!(error.message.contains("a signature does not fit"), "{error}");
    let other = Identity::fixture("ca-true.pem");
    let error = ask(&server, trusted(&folder, &other.pem)).unwrap_err();
    assert!(error.message.contains("not signed by anybody who is trusted"), "{error}");
}

#[test]
fn a_wrong_pin_sends_no_http_and_says_both_fingerprints() {
    let identity = Identity::self_signed(params(&["127.0.0.1"]));
    let server = identity.server();
    let mut home = Home::at(&server.url());
    home.config.trust = Trust::Pin([0xab; 32]);
    let zvm = home.zvm();
    let started = Instant::now();
    let error = zvm.local_site().unwrap_err();
    assert_eq!(error.kind, ZvmErrorKind::Untrusted);
    for text in [
        format!("presented {}, ", fingerprint_text(&identity.sha256())),
        format!("pinned {}", fingerprint_text(&[0xab; 32])),
    ] {
        assert!(error.message.contains(&text), "{error}");
    }
    assert!(error.hint.contains(&format!("zerto-guard trust {}", server.url())), "{}", error.hint);
    let inserted = zvm.insert_checkpoint("v-1", "tag");
    assert!(matches!(inserted, Err(ChangeError::Refused(e)) if e.kind == ZvmErrorKind::Untrusted));
    assert!(started.elapsed() < Duration::from_secs(2), "it is not tried again");
    assert_eq!((server.connections(), server.asked().len()), (2, 0));
}

#[test]
fn an_impostor_with_the_pinned_certificate_but_another_key_fails_in_the_handshake() {
    for versions in [[&rustls::version::TLS12], [&rustls::version::TLS13]] {
        let mut identity = Identity::self_signed(params(&["127.0.0.1"]));
        let real = identity.server_with(&versions);
        assert_eq!(ask(&real, Trust::Pin(identity.sha256())), Ok("nyc".to_owned()));
        identity.key = Identity::self_signed(params(&["127.0.0.1"])).key;
        let impostor = identity.server_with(&versions);
        let error = ask(&impostor, Trust::Pin(identity.sha256())).unwrap_err();
        assert_eq!(error.kind, ZvmErrorKind::Untrusted);
        assert!(error.message.contains("could not prove that it holds the key"), "{error}");
        assert_eq!(impostor.asked().len(), 0);
        let error = presented_certificate(&impostor.url(), soon()).unwrap_err();
        assert!(error.message.contains("could not prove"), "{error}");
    }
}

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(8))
}

#[test]
fn looking_at_a_certificate_sends_no_http() {
    for name in ["leaf.pem", "ca-true.pem"] {
        let identity = Identity::fixture(name);
        for versions in [[&rustls::version::TLS12], [&rustls::version::TLS13]] {
            let server = identity.server_with(&versions);
            let presented = presented_certificate(&server.url(), soon()).unwrap();
            assert_eq!(presented.sha256, identity.sha256());
            assert_eq!(presented.der, identity.chain[0].to_vec());
            assert_eq!((server.connections(), server.asked().len()), (1, 0));
            assert_eq!(ask(&server, Trust::Pin(presented.sha256)), Ok("nyc".to_owned()));
        }
    }
    let server = Identity::fixture("v1.pem").server();
    let error = presented_certificate(&server.url(), soon()).unwrap_err();
    assert!(error.message.contains("X.509 version 1"), "{error}");
    assert!(error.message.starts_with(&format!("The ZVM at {}: looking", server.url())), "{error}");
}

#[test]
fn where_there_is_no_certificate_to_look_at() {
    for (url, kind) in [
        (format!("https://127.0.0.1:{}", dead_port()), ZvmErrorKind::Unreachable),
        (format!("https://127.0.0.1:{}", resetting()), ZvmErrorKind::Unreachable),
        ("http://127.0.0.1:1".to_owned(), ZvmErrorKind::Untrusted),
        ("zvm.example".to_owned(), ZvmErrorKind::Untrusted),
    ] {
        let error = presented_certificate(&url, soon()).unwrap_err();
        assert_eq!(error.kind, kind, "{url}: {error}");
    }
    let open = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://127.0.0.1:{}", open.local_addr().unwrap().port());
    let started = Instant::now();
    let error = presented_certificate(&url, Deadline::after(Duration::from_millis(400))).unwrap_err();
    assert_eq!(error.kind, ZvmErrorKind::Unreachable);
    assert!(started.elapsed() < Duration::from_secs(2));
    drop(open);
}

#[test]
fn a_server_that_speaks_no_tls() {
    use std::io::Write;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://127.0.0.1:{}", listener.local_addr().unwrap().port());
    std::thread::spawn(move || {
        for mut socket in listener.incoming().flatten() {
            let _ = socket.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    let mut home = Home::at(&url);
    home.config.trust = Trust::Pin([0; 32]);
    for error in [home.zvm().local_site().unwrap_err(), presented_certificate(&url, soon()).unwrap_err()] {
        assert_eq!(error.kind, ZvmErrorKind::Unreachable);
        assert!(error.message.contains("does not speak TLS"), "{error}");
    }
}

#[test]
fn a_handshake_that_stalls_is_cut_off() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://127.0.0.1:{}", listener.local_addr().unwrap().port());
    let mut home = Home::at(&url);
    home.config.trust = Trust::Pin([0; 32]);
    let started = Instant::now();
    let error = home.zvm_within(Duration::from_millis(500)).local_site().unwrap_err();
    assert_eq!(error.kind, ZvmErrorKind::Deadline, "{error}");
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_ca_file_that_cannot_be_used() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mut home = Home::at("https://127.0.0.1:1");
    let good = Identity::self_signed(params(&["x"])).pem;
    for (text, mode, says) in [
        (None, 0, "is not there"),
        (Some(""), 0o644, "holds no certificate"),
        (Some("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"), 0o644, "cannot be read"),
        (Some("-----BEGIN CERTIFICATE-----\n????\n-----END CERTIFICATE-----\n"), 0o644, "is broken"),
        (Some(good.as_str()), 0o666, "everybody can write"),
        (Some(good.as_str()), 0o644, ""),
    ] {
        let path = folder.path().join("ca");
        if let Some(text) = text {
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        }
        home.config.trust = Trust::CaFile(path);
        let made = crate::zvm::Zvm::new(&home.config, &home.state, soon());
        match made {
            Ok(_) => assert_eq!(says, ""),
            Err(error) => {
                assert_eq!(error.kind, ZvmErrorKind::Untrusted);
                assert!(!says.is_empty() && error.message.contains(says), "{says}: {error}");
            }
        }
    }
}

#[test]
fn one_handshake_serves_logins_and_reads() {
    let identity = Identity::fixture("leaf.pem");
    let server = identity.server();
    let mut home = Home::at(&server.url());
    home.config.trust = Trust::Pin(identity.sha256());
    home.config.login = Login::Client {
        client_id: "guard".to_owned(),
        secret: match home.config.login {
            Login::Password { password, .. } => password,
            Login::Client { secret, .. } => secret,
        },
    };
    let zvm = home.zvm();
    for _ in 0..5 {
        zvm.local_site().unwrap();
    }
    assert_eq!(zvm.insert_checkpoint("v-1", "tag").unwrap(), "t.1");
    assert_eq!(server.connections(), 2, "one for the login and the reads, one for the insert");
    assert!(matches!(home.config.login, Login::Client { secret: SecretSource::File(_), .. }));
}

#[test]
fn fingerprints_as_people_compare_them() {
    let mut print = [0; 32];
    print[0] = 0xaa;
    print[31] = 0x0b;
    let text = fingerprint_text(&print);
    assert!(text.starts_with("sha256:AA:00:") && text.ends_with(":00:0B") && text.len() == 7 + 95);
}
