//! Whom we talk to: how a ZVM's certificate is trusted, and what is said when it is not.
//!
//! Owns: the verifier, the texts for every way in which a certificate fails, and the look at a certificate for `trust`.
//! Its parts `connector` and `resolver` alone know `ureq::unversioned`. Must not: weaken a check because a certificate is odd.
//!
//! Appliance certificates are self-signed as a rule, and rustls refuses most of those even when the very certificate is
//! the trust anchor (CA:TRUE, no name, version 1). So the pin is the main way: the SHA-256 of the certificate itself.
//! With a pin neither name nor validity is looked at, but the server still has to prove that it holds the key.

mod connector;
mod presented;
mod resolver;
mod texts;

pub(super) use connector::{agent, request_was_sent};
pub use presented::{PresentedCertificate, presented_certificate};
pub(super) use texts::{Distrust, rustls_error};

use crate::config::Trust;
use crate::config::trusted_file::{self, Whose};
use crate::text::path_text;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A fingerprint as people compare it: `sha256:AA:BB:…`.
#[must_use]
pub fn fingerprint_text(sha256: &[u8; 32]) -> String {
    let pairs: Vec<String> = sha256.iter().map(|b| format!("{b:02X}")).collect();
    format!("sha256:{}", pairs.join(":"))
}

pub(super) fn sha256(der: &[u8]) -> [u8; 32] {
    Sha256::digest(der).into()
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// The way of trusting that the user chose, and a record of what was presented last.
#[derive(Debug)]
pub(super) struct Verifier {
    how: How,
    provider: Arc<CryptoProvider>,
    /// rustls can carry no fingerprint in its errors; this is how it reaches the user's message.
    presented: Mutex<Option<Vec<u8>>>,
}

#[derive(Debug)]
enum How {
    Pin([u8; 32]),
    Roots(Arc<WebPkiServerVerifier>),
    /// Whatever it is, as long as the server holds its key: for `trust`, which asks a person afterwards.
    Look,
    Insecure,
}

impl Verifier {
    fn new(how: How, provider: Arc<CryptoProvider>) -> Self {
        Self { how, provider, presented: Mutex::new(None) }
    }

    /// # Errors
    /// The file of certificates cannot be used: what is wrong, and what to do.
    pub fn of(trust: &Trust) -> Result<Self, (String, String)> {
        let provider = provider();
        let how = match trust {
            Trust::Pin(pin) => How::Pin(*pin),
            Trust::Insecure => How::Insecure,
            Trust::CaFile(path) => How::Roots(roots(ca_file(path)?, &provider)?),
            Trust::PublicRoots => {
                let public = webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect();
                How::Roots(roots(public, &provider)?)
            }
        };
        Ok(Self::new(how, provider))
    }

    /// The certificate that was presented last, in DER.
    pub fn presented(&self) -> Option<Vec<u8>> {
        self.presented.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn presented_sha256(&self) -> Option<[u8; 32]> {
        self.presented().map(|der| sha256(&der))
    }

    fn signature(
        &self,
        check: impl FnOnce(&WebPkiSupportedAlgorithms) -> Result<HandshakeSignatureValid, rustls::Error>,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        match self.how {
            How::Insecure => Ok(HandshakeSignatureValid::assertion()),
            _ => check(&self.provider.signature_verification_algorithms),
        }
    }

    fn client(self: &Arc<Self>) -> Result<ClientConfig, rustls::Error> {
        Ok(ClientConfig::builder_with_provider(self.provider.clone())
            .with_safe_default_protocol_versions()?
            .dangerous()
            .with_custom_certificate_verifier(self.clone())
            .with_no_client_auth())
    }
}

fn roots(store: RootCertStore, provider: &Arc<CryptoProvider>) -> Result<Arc<WebPkiServerVerifier>, (String, String)> {
    WebPkiServerVerifier::builder_with_provider(Arc::new(store), provider.clone())
        .build()
        .map_err(|e| (format!("the trusted certificates cannot be used: {e}"), String::new()))
}

fn ca_file(path: &Path) -> Result<RootCertStore, (String, String)> {
    let broken = |why: &str| {
        (
            format!("ca_file {} {why}", path_text(path)),
            "It has to hold certificates in PEM form (-----BEGIN CERTIFICATE-----).".to_owned(),
        )
    };
    let pem = trusted_file::read(path, Whose::Ours)
        .map_err(|fault| (format!("ca_file {fault}"), "Name a file of certificates in PEM form.".to_owned()))?
        .ok_or_else(|| broken("is not there"))?;
    let mut store = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem.as_bytes()) {
        let certificate = certificate.map_err(|_| broken("is broken"))?;
        store.add(certificate).map_err(|_| broken("holds a certificate that cannot be read"))?;
    }
    if store.is_empty() {
        return Err(broken("holds no certificate"));
    }
    Ok(store)
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        leaf: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        *self.presented.lock().unwrap_or_else(PoisonError::into_inner) = Some(leaf.to_vec());
        match &self.how {
            How::Pin(pin) if sha256(leaf) != *pin => {
                Err(rustls::Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
            }
            How::Pin(_) | How::Look | How::Insecure => Ok(ServerCertVerified::assertion()),
            How::Roots(roots) => roots.verify_server_cert(leaf, chain, name, ocsp, now),
        }
    }

    // A certificate is public: whoever copies it can present it. Only the handshake's signature shows that the other
    // side holds its key, so this is checked with a pin just as without.
    fn verify_tls12_signature(
        &self,
        message: &[u8],
        leaf: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.signature(|algorithms| rustls::crypto::verify_tls12_signature(message, leaf, signed, algorithms))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        leaf: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.signature(|algorithms| rustls::crypto::verify_tls13_signature(message, leaf, signed, algorithms))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests;
