//! `zerto-guard trust`: shows a ZVM's certificate fingerprint and pins it after a yes.

use super::Context;
use crate::config::files::Place;
use crate::config::pin::{Pinned, set};
use crate::config::trusted_file::{Whose, read};
use crate::config::write::replace;
use crate::deadline::Deadline;
use crate::text::{foreign, path_text};
use crate::ui::{Failure, prompt};
use crate::zvm::tls::{PresentedCertificate, fingerprint_text, presented_certificate};
use clap::Args;
use jiff::Timestamp;
use serde_json::json;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  zerto-guard trust https://zvm.nyc.example

Compare the fingerprint with the one that the appliance itself shows, over a way that you trust, before you say yes.

Exit codes: 0 shown, or pinned; 1 the config can't be read or written; 5 there is no terminal, or no yes on it; 6 the ZVM can't
be reached, or can't prove that the certificate is its own; 64 usage.")]
pub struct Trust {
    /// The ZVM's URL, as in the config
    url: String,
}

impl Trust {
    pub(super) fn run(self, context: &mut Context) -> Result<u8, Failure> {
        let url = if self.url.contains("://") { self.url } else { format!("https://{}", self.url) };
        if !url.starts_with("https://") {
            return Err(Failure::new(64, format!("{url}: only https shows a certificate"), ""));
        }
        let deadline = Deadline::after(Duration::from_secs(20));
        let shown = presented_certificate(&url, deadline)
            .map_err(|error| Failure::new(error.exit_code(), error.message.clone(), error.hint.clone()))?;
        let fingerprint = fingerprint_text(&shown.sha256);
        let about = about(&shown, Timestamp::now());
        let (Place::Usual(path) | Place::Named(path)) = context.files.config.clone() else {
            return Err(Failure::new(1, "there is no user's config here", "Name one with --config."));
        };
        let text =
            read(&path, Whose::Ours).map_err(|fault| Failure::new(1, fault.to_string(), ""))?.unwrap_or_default();
        let home = context.files.home.clone();
        let pinned = set(&text, &url, &fingerprint, home.as_deref())
            .map_err(|why| Failure::new(1, format!("{}: {why}", path_text(&path)), "Mend it first."))?;
        let object = |pinned: bool| {
            json!({
                "ok": true, "url": url, "fingerprint": fingerprint, "config": path, "pinned": pinned,
                "subject": shown.subject,
                "valid_from": shown.valid.map(|(from, _)| from),
                "valid_until": shown.valid.map(|(_, until)| until),
            })
        };
        let (new, before) = match pinned {
            Pinned::Already => {
                let said = format!("{url} shows {fingerprint}, which {} has pinned already.", path_text(&path));
                context.printer.result(&said, &object(true))?;
                return Ok(0);
            }
            Pinned::NoEntry => {
                let said = format!(
                    "{url} shows {fingerprint}\n{about}.\nNo [[zvm]] of {} has this URL. If the fingerprint is the appliance's own, add:\n\n\
                     [[zvm]]\nname = \"NAME\"\nurl = \"{url}\"\nusername = \"USER\"\n\
                     password_command = [\"/usr/bin/pass\", \"show\", \"zvm\"]\ntls_pin = \"{fingerprint}\"",
                    path_text(&path)
                );
                context.printer.result(&said, &object(false))?;
                return Ok(0);
            }
            Pinned::Written { text, before } => (text, before),
        };
        let mut question = format!("{url} shows this certificate:\n  {fingerprint}\n  {about}\n");
        if before.starts_with("tls_pin") {
            question.push_str(&format!(
                "WARNING: it is not the one that is pinned:\n  {before}\n\
                 Unless the appliance got a new certificate, somebody may stand between you and it.\n"
            ));
        } else if !before.is_empty() {
            question.push_str(&format!("It takes the place of:\n  {before}\n"));
        }
        question.push_str(&format!("Pin it in {}?", path_text(&path)));
        match prompt::confirm(&question) {
            None => {
                let message = format!("{url} shows {fingerprint}, and there is no terminal to ask whether to pin it");
                Err(Failure::new(
                    5,
                    message,
                    format!("Run this in a terminal, or write it yourself: tls_pin = \"{fingerprint}\""),
                ))
            }
            Some(false) => Err(Failure::new(5, "not pinned: nothing was changed", "")),
            Some(true) => {
                // Somebody may have edited the file while the question stood.
                let now = read(&path, Whose::Ours).map_err(|fault| Failure::new(1, fault.to_string(), ""))?;
                if now.unwrap_or_default() != text {
                    return Err(Failure::new(
                        1,
                        format!("{} changed meanwhile: nothing was written", path_text(&path)),
                        "Run it again.",
                    ));
                }
                replace(&path, &new)
                    .map_err(|error| Failure::new(1, format!("{}: can't be written: {error}", path_text(&path)), ""))?;
                context.printer.result(&format!("pinned {fingerprint} in {}", path_text(&path)), &object(true))?;
                Ok(0)
            }
        }
    }
}

/// Whose the certificate says it is, and until when; what no pin looks at, but a person does.
fn about(shown: &PresentedCertificate, now: Timestamp) -> String {
    let subject =
        shown.subject.as_deref().map_or_else(|| "that can't be read".to_owned(), |subject| foreign(subject, 200));
    let day = |time: Timestamp| time.strftime("%Y-%m-%d").to_string();
    match shown.valid {
        None => format!("subject {subject}; its validity can't be read"),
        Some((from, until)) => {
            let odd = if now < from || until < now { ", which is NOT now (a pin does not look at that)" } else { "" };
            format!("subject {subject}; valid from {} to {}{odd}", day(from), day(until))
        }
    }
}
