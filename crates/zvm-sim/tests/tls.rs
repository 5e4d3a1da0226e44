//! Certificates: what clients that check one way or another make of each kind.

#![allow(clippy::expect_used)]

mod common;

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, SignatureScheme, StreamOwned};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use zvm_sim::{CertKind, Handshake, Sim};

const ALL: [CertKind; 6] = [
    CertKind::SelfSigned,
    CertKind::SelfSignedCaTrue,
    CertKind::SelfSignedNoSan,
    CertKind::SelfSignedV1,
    CertKind::SignedByCa,
    CertKind::Expired,
];

/// A client that pins the certificate, and checks signatures or (wrongly) doesn't.
#[derive(Debug)]
struct Pinned {
    leaf: CertificateDer<'static>,
    checks_signatures: bool,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        leaf: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if leaf.as_ref() == self.leaf.as_ref() {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(rustls::Error::General("another certificate".to_owned()))
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        if !self.checks_signatures {
            return Ok(HandshakeSignatureValid::assertion());
        }
        verify_tls12_signature(
            message,
            cert,
            signed,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        if !self.checks_signatures {
            return Ok(HandshakeSignatureValid::assertion());
        }
        verify_tls13_signature(
            message,
            cert,
            signed,
            &self.provider.signature_verification_algorithms,
        )
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

/// Whether a client that pins that certificate gets through to HTTP.
fn reaches(sim: &Sim, cert_pem: &str, checks_signatures: bool) -> bool {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let leaf = CertificateDer::from_pem_slice(cert_pem.as_bytes()).expect("a certificate");
    let verifier = Pinned {
        leaf,
        checks_signatures,
        provider: Arc::clone(&provider),
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    let name = ServerName::try_from("127.0.0.1").expect("a name");
    let connection = ClientConnection::new(Arc::new(config), name).expect("a client");
    let mut stream = StreamOwned::new(
        connection,
        TcpStream::connect(sim.addr()).expect("a connection"),
    );
    let request = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request).is_ok()
        && std::io::read_to_string(stream).is_ok_and(|t| t.starts_with("HTTP/1.1 404"))
}

/// Whether ureq gets through that trusts this one root.
fn trusts(sim: &Sim, root_pem: &str) -> bool {
    let root = Certificate::from_pem(root_pem.as_bytes()).expect("a certificate");
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::from([root]))
        .build();
    let agent = common::agent();
    agent
        .get(sim.url())
        .config()
        .tls_config(tls)
        .build()
        .call()
        .is_ok()
}

#[test]
fn the_pin_is_the_sha256_of_the_certificate() {
    let sim = Sim::builder().start();
    let pin = sim.pin();
    assert_eq!(
        (pin.len(), pin.get(..7)),
        ("sha256".len() + 32 * 3, Some("sha256:"))
    );
    assert_ne!(pin, Sim::builder().start().pin(), "each has its own");
    let fixture = || {
        Sim::builder()
            .cert(CertKind::SelfSignedCaTrue)
            .start()
            .pin()
    };
    assert_eq!(fixture(), fixture(), "except for the fixtures");
}

#[test]
fn a_root_store_takes_only_some_kinds() {
    let good: Vec<CertKind> = ALL
        .into_iter()
        .filter(|&kind| {
            let sim = Sim::builder().cert(kind).start();
            trusts(&sim, sim.ca_pem().unwrap_or(sim.cert_pem()))
        })
        .collect();
    assert_eq!(good, [CertKind::SelfSigned, CertKind::SignedByCa]);
}

#[test]
fn a_pin_takes_all_but_v1() {
    for kind in ALL {
        let sim = Sim::builder().cert(kind).start();
        assert_eq!(
            reaches(&sim, sim.cert_pem(), true),
            kind != CertKind::SelfSignedV1,
            "{kind:?}"
        );
        assert!(reaches(&sim, sim.cert_pem(), false), "{kind:?}");
    }
}

#[test]
fn an_impostor_is_found_out_by_its_signature_alone() {
    for kind in [CertKind::SelfSigned, CertKind::SelfSignedCaTrue] {
        let real = Sim::builder().cert(kind).start();
        for tls12 in [false, true] {
            let builder = Sim::builder().impostor(real.cert_pem());
            let impostor = if tls12 { builder.tls12_only() } else { builder }.start();
            assert_eq!(impostor.pin(), real.pin());
            assert!(!reaches(&impostor, real.cert_pem(), true), "{kind:?}");
            assert!(impostor.requests().is_empty());
            assert!(
                reaches(&impostor, real.cert_pem(), false),
                "a careless client is taken in: {kind:?}"
            );
            assert_eq!(impostor.requests().len(), 1);
        }
    }
}

#[test]
fn a_wrong_pin_sends_no_request() {
    let (sim, other) = (Sim::builder().start(), Sim::builder().start());
    assert!(!reaches(&sim, other.cert_pem(), true));
    // The server learns of it a moment later.
    let refused = || {
        sim.connections()
            .iter()
            .any(|c| matches!(c.handshake, Handshake::Failed(_)))
    };
    for _ in 0..200 {
        if refused() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(refused() && sim.requests().is_empty() && sim.connections().len() == 1);
}

#[test]
fn the_config_names_a_password_file_of_the_owner_alone() {
    let sim = Sim::builder().name("nyc").start();
    let file = sim.password_file().to_owned();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "correct horse");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(
            std::fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
    let expected = format!(
        "[[zvm]]\nname = \"nyc\"\nurl = \"{}\"\nusername = \"zerto-guard\"\npassword_file = \"{}\"\ntls_pin = \"{}\"\n",
        sim.url(),
        file.display(),
        sim.pin()
    );
    assert_eq!(sim.config_toml(), expected);
    drop(sim);
    assert!(!file.exists());
    let http = Sim::builder().http().start();
    assert!(http.config_toml().ends_with("allow_plain_http = true\n") && http.pin().is_empty());
}
