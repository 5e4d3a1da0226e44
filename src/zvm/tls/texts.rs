//! What is said when a handshake fails: why, with the fingerprint that was presented, and what to do.

use super::{How, Verifier, fingerprint_text};
use crate::text::{clean, foreign};
use crate::zvm::error::ZvmErrorKind;
use rustls::CertificateError as Bad;
use std::io;

/// Why the other side is not trusted, or why there is no TLS with it at all.
pub struct Distrust {
    pub kind: ZvmErrorKind,
    pub why: String,
    pub hint: String,
}

/// The TLS error inside an I/O error. ureq and rustls hand it over like this, not as an error of their own.
pub fn rustls_error(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref::<rustls::Error>()
}

impl Distrust {
    /// `url` is how the ZVM is configured; empty where nothing is yet.
    pub fn of(error: &rustls::Error, verifier: &Verifier, url: &str) -> Self {
        let presented = match verifier.presented_sha256() {
            Some(print) => format!("presented {}", fingerprint_text(&print)),
            None => "presented no certificate".to_owned(),
        };
        let url = if url.is_empty() { "URL" } else { url };
        let pin = format!(
            "Compare the fingerprint at the ZVM itself, then run: zerto-guard trust {url} (or set tls_pin in config.toml)."
        );
        let untrusted = |why: String, hint: String| Self { kind: ZvmErrorKind::Untrusted, why, hint };
        let bad = match error {
            rustls::Error::InvalidCertificate(bad) => bad,
            rustls::Error::InvalidMessage(_) => {
                return Self {
                    kind: ZvmErrorKind::Unreachable,
                    why: "what answers there does not speak TLS".to_owned(),
                    hint: "Check the port: a ZVM appliance answers https on 443.".to_owned(),
                };
            }
            other => {
                return Self {
                    kind: ZvmErrorKind::Unreachable,
                    why: format!("no TLS connection came about: {}", clean(&other.to_string(), 200)),
                    hint: "TLS 1.2 or 1.3 is needed; check what stands between here and the ZVM.".to_owned(),
                };
            }
        };
        // webpki's own errors come wrapped, and webpki is no direct dependency: their names are in the debug text.
        let named = match bad {
            Bad::Other(inner) => format!("{inner:?}"),
            _ => String::new(),
        };
        if named.contains("UnsupportedCertVersion") {
            return untrusted(
                format!(
                    "its certificate is of X.509 version 1, which can be neither verified nor pinned ({presented})"
                ),
                "Give the ZVM a certificate of version 3; until then only insecure_skip_verify = true would connect, \
                 and that trusts anybody."
                    .to_owned(),
            );
        }
        if let (How::Pin(pinned), Bad::ApplicationVerificationFailure) = (&verifier.how, bad) {
            return untrusted(
                format!("its certificate is not the pinned one: {presented}, pinned {}", fingerprint_text(pinned)),
                format!(
                    "Nothing was sent. If the ZVM got a new certificate, pin that one; if not, somebody stands in between. {pin}"
                ),
            );
        }
        if let (How::Pin(_) | How::Look, Bad::BadSignature) = (&verifier.how, bad) {
            return untrusted(
                format!("it showed a certificate ({presented}) but could not prove that it holds the key of it"),
                "Somebody else may be answering at that address. Nothing was sent.".to_owned(),
            );
        }
        if named.contains("CaUsedAsEndEntity") {
            return untrusted(
                format!(
                    "its certificate is self-signed and marked as an authority's (CA:TRUE), which ca_file cannot trust ({presented})"
                ),
                format!("Pin it in place of ca_file. {pin}"),
            );
        }
        match bad {
            Bad::UnknownIssuer => untrusted(
                format!("its certificate is not signed by anybody who is trusted ({presented})"),
                format!(
                    "A ZVM's certificate is self-signed as a rule. {pin} For one of your own authority set ca_file."
                ),
            ),
            Bad::BadSignature => untrusted(
                format!(
                    "a signature does not fit: its certificate is another authority's of the same name, or it does not hold its key ({presented})"
                ),
                format!("See that ca_file holds the authority that signed the ZVM's present certificate. {pin}"),
            ),
            Bad::Expired | Bad::ExpiredContext { .. } => untrusted(
                format!("its certificate has expired ({presented})"),
                format!("Renew it at the ZVM, or pin it (a pin does not look at the validity). {pin}"),
            ),
            Bad::NotValidYet | Bad::NotValidYetContext { .. } => untrusted(
                format!("its certificate is not valid yet ({presented})"),
                "Check this machine's clock and the ZVM's.".to_owned(),
            ),
            Bad::NotValidForName | Bad::NotValidForNameContext { .. } => untrusted(
                format!("its certificate is not for the name in the URL{} ({presented})", names(bad)),
                format!("Put a name of the certificate into url, or pin it (a pin does not look at the name). {pin}"),
            ),
            other => untrusted(
                format!("its certificate cannot be trusted: {} ({presented})", clean(&other.to_string(), 200)),
                pin,
            ),
        }
    }
}

fn names(bad: &Bad) -> String {
    match bad {
        Bad::NotValidForNameContext { presented, .. } if presented.is_empty() => ": it holds none".to_owned(),
        Bad::NotValidForNameContext { presented, .. } => {
            // rustls writes them as DnsName("zvm.example").
            let plain = |name: &String| name.split('"').nth(1).unwrap_or(name).to_owned();
            let names: Vec<String> = presented.iter().map(plain).collect();
            format!(", but for {}", foreign(&names.join(", "), 200))
        }
        _ => String::new(),
    }
}
