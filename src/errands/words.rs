//! How times and silent ZVMs are said.

use super::front::Front;
use crate::guard::report::span_text;
use crate::text::foreign;
use crate::zvm::error::ZvmError;
use jiff::Timestamp;
use std::time::Duration;

/// `2026-09-21 15:04:05`, UTC.
#[must_use]
pub fn day_and_time(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// `2026-09-21 15:04:05 UTC, 2 hours ago`.
#[must_use]
pub fn time_and_age(time: Timestamp, now: Timestamp) -> String {
    let age = match Duration::try_from(now.duration_since(time)) {
        Ok(age) if age < Duration::from_secs(60) => ", less than a minute ago".to_owned(),
        Ok(age) => format!(", {} ago", span_text(age)),
        // Clocks differ.
        Err(_) => String::new(),
    };
    format!("{} UTC{age}", day_and_time(time))
}

/// How long something will still be kept.
#[must_use]
pub fn kept(until: Option<Timestamp>, now: Timestamp) -> String {
    match until.map(|until| Duration::try_from(until.duration_since(now))) {
        None => "?".into(),
        Some(Ok(left)) => span_text(left),
        Some(Err(_)) => "may be gone".into(),
    }
}

/// Says which ZVMs did not answer.
pub fn note_silent(silent: &[ZvmError], front: &dyn Front) {
    for error in silent {
        front.note(&format!("not all could be read: {}", error.message));
    }
}

/// A ZVM's text, or a question mark where it gave none.
#[must_use]
pub fn or_unknown(text: &str, max: usize) -> String {
    if text.is_empty() { "?".to_owned() } else { foreign(text, max) }
}
