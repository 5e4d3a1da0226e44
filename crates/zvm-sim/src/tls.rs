//! Certificates: every kind a ZVM may show, and an impostor that shows one without having its key.
//!
//! Owns what is presented in the handshake. Appliance certificates are self-signed (measured on a live ZVM 10.x);
//! which of the kinds below an appliance makes is unknown, so all of them can be chosen.

use std::fmt::Write as _;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair};
use rustls::crypto::ring as provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{ServerConfig, version};
use sha2::{Digest, Sha256};

const RSA_KEY: &str = include_str!("../fixtures/test-only-rsa.key.pem");
const RSA_IMPOSTOR_KEY: &str = include_str!("../fixtures/test-only-rsa-impostor.key.pem");
const RSA_CA_TRUE: &str = include_str!("../fixtures/test-only-rsa-ca-true.cert.pem");
const RSA_V1: &str = include_str!("../fixtures/test-only-rsa-x509-v1.cert.pem");

/// The names that the certificates with a SAN are good for.
const NAMES: [&str; 3] = ["localhost", "zvm.test", "127.0.0.1"];

/// `rsaEncryption` (1.2.840.113549.1.1.1) in DER: the algorithm of an RSA certificate's public key.
const OID_RSA: [u8; 11] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];

/// What goes wrong while the certificate is made.
pub(crate) type TlsError = Box<dyn std::error::Error + Send + Sync>;

/// Which certificate the simulator shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CertKind {
    /// Self-signed, v3, CA:FALSE, with a SAN for localhost, zvm.test and 127.0.0.1. EC key. The default.
    #[default]
    SelfSigned,
    /// Self-signed, v3, CA:TRUE, RSA: what plain `openssl req -x509` makes, so the commonest of all.
    SelfSignedCaTrue,
    /// Self-signed, v3, CA:FALSE, a common name and no SAN. EC key.
    SelfSignedNoSan,
    /// Self-signed, X.509 v1, RSA. rustls' own verifiers can't read these.
    SelfSignedV1,
    /// Signed by a CA of its own, see `Sim::ca_pem`. EC keys.
    SignedByCa,
    /// As `SelfSigned`, but it ended in 2021.
    Expired,
    /// As `SelfSigned`, with this common name.
    SelfSignedCalled(&'static str),
}

/// What the server presents, and what a client needs to trust it.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    pub(crate) leaf: CertificateDer<'static>,
    pub(crate) leaf_pem: String,
    pub(crate) ca_pem: Option<String>,
    key: Arc<PrivateKeyDer<'static>>,
}

impl Identity {
    /// Makes (or, for RSA, reads) a certificate of that kind.
    pub(crate) fn new(kind: CertKind) -> Result<Self, TlsError> {
        match kind {
            CertKind::SelfSignedCaTrue => Self::fixture(RSA_CA_TRUE, RSA_KEY),
            CertKind::SelfSignedV1 => Self::fixture(RSA_V1, RSA_KEY),
            CertKind::SignedByCa => Self::signed_by_ca(),
            CertKind::SelfSigned | CertKind::SelfSignedNoSan | CertKind::Expired | CertKind::SelfSignedCalled(_) => {
                Self::self_signed(kind)
            }
        }
    }

    /// Shows that certificate, and signs with another key of the same type: what an attacker can do who has copied
    /// the public certificate. A client that compares the certificate and no signature takes it for the real one.
    pub(crate) fn impostor(cert_pem: &str) -> Result<Self, TlsError> {
        let leaf = CertificateDer::from_pem_slice(cert_pem.as_bytes())?;
        let is_rsa = leaf.windows(OID_RSA.len()).any(|w| w == OID_RSA);
        let key = if is_rsa {
            PrivateKeyDer::from_pem_slice(RSA_IMPOSTOR_KEY.as_bytes())?
        } else {
            der(&KeyPair::generate()?)?
        };
        Ok(Self { leaf, leaf_pem: cert_pem.to_owned(), ca_pem: None, key: Arc::new(key) })
    }

    /// `sha256:AA:BB:…` of the leaf's DER.
    pub(crate) fn pin(&self) -> String {
        let mut pin = String::from("sha256");
        for byte in Sha256::digest(&self.leaf) {
            // Writing to a String can't fail.
            let _ = write!(pin, ":{byte:02X}");
        }
        pin
    }

    /// The server's side of TLS.
    pub(crate) fn server_config(&self, tls12_only: bool) -> Result<ServerConfig, TlsError> {
        let signing = provider::sign::any_supported_type(&self.key)?;
        // CertifiedKey::new and a resolver of our own: the usual way would notice that an impostor's key doesn't fit.
        let shown = Arc::new(CertifiedKey::new(vec![self.leaf.clone()], signing));
        let versions: &[&rustls::SupportedProtocolVersion] =
            if tls12_only { &[&version::TLS12] } else { &[&version::TLS13, &version::TLS12] };
        let mut config = ServerConfig::builder_with_provider(Arc::new(provider::default_provider()))
            .with_protocol_versions(versions)?
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(Always(shown)));
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(config)
    }

    fn fixture(cert_pem: &str, key_pem: &str) -> Result<Self, TlsError> {
        Ok(Self {
            leaf: CertificateDer::from_pem_slice(cert_pem.as_bytes())?,
            leaf_pem: cert_pem.to_owned(),
            ca_pem: None,
            key: Arc::new(PrivateKeyDer::from_pem_slice(key_pem.as_bytes())?),
        })
    }

    fn self_signed(kind: CertKind) -> Result<Self, TlsError> {
        let key = KeyPair::generate()?;
        let mut params = leaf_params(kind != CertKind::SelfSignedNoSan)?;
        if let CertKind::SelfSignedCalled(name) = kind {
            params.distinguished_name = rcgen::DistinguishedName::new();
            params.distinguished_name.push(DnType::CommonName, name);
        }
        if kind == CertKind::Expired {
            params.not_before = rcgen::date_time_ymd(2020, 1, 1);
            params.not_after = rcgen::date_time_ymd(2021, 1, 1);
        }
        let cert = params.self_signed(&key)?;
        Ok(Self { leaf: cert.der().clone(), leaf_pem: cert.pem(), ca_pem: None, key: Arc::new(der(&key)?) })
    }

    fn signed_by_ca() -> Result<Self, TlsError> {
        let ca_key = KeyPair::generate()?;
        let mut ca = CertificateParams::new(Vec::<String>::new())?;
        ca.distinguished_name.push(DnType::CommonName, "zvm-sim test CA");
        ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let ca_pem = ca.self_signed(&ca_key)?.pem();
        let key = KeyPair::generate()?;
        let cert = leaf_params(true)?.signed_by(&key, &Issuer::new(ca, ca_key))?;
        Ok(Self { leaf: cert.der().clone(), leaf_pem: cert.pem(), ca_pem: Some(ca_pem), key: Arc::new(der(&key)?) })
    }
}

fn leaf_params(san: bool) -> Result<CertificateParams, TlsError> {
    let names = if san { NAMES.iter().map(|&n| n.to_owned()).collect() } else { Vec::new() };
    let mut params = CertificateParams::new(names)?;
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, "zvm.test");
    params.is_ca = IsCa::ExplicitNoCa;
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    Ok(params)
}

fn der(key: &KeyPair) -> Result<PrivateKeyDer<'static>, TlsError> {
    PrivateKeyDer::try_from(key.serialize_der()).map_err(Into::into)
}

/// Shows the one certificate, whatever name was asked for.
#[derive(Debug)]
struct Always(Arc<CertifiedKey>);

impl ResolvesServerCert for Always {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0))
    }
}
