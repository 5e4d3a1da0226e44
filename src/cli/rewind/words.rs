//! How times and silent ZVMs are said by the commands of `rewind`.

use crate::guard::report::span_text;
use crate::ui::Printer;
use crate::zvm::error::ZvmError;
use jiff::Timestamp;
use std::time::Duration;

/// `2026-09-21 15:04:05`, UTC.
pub(super) fn day_and_time(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// `2026-09-21 15:04:05 UTC, 2 hours ago`.
pub(super) fn time_and_age(time: Timestamp, now: Timestamp) -> String {
    let age = match Duration::try_from(now.duration_since(time)) {
        Ok(age) => format!(", {} ago", span_text(age)),
        // Clocks differ.
        Err(_) => String::new(),
    };
    format!("{} UTC{age}", day_and_time(time))
}

/// How long something will still be kept.
pub(super) fn kept(until: Option<Timestamp>, now: Timestamp) -> String {
    match until.map(|until| Duration::try_from(until.duration_since(now))) {
        None => "?".into(),
        Some(Ok(left)) => span_text(left),
        Some(Err(_)) => "may be gone".into(),
    }
}

/// Says which ZVMs did not answer.
pub(super) fn note_silent(silent: &[ZvmError], printer: &mut Printer) {
    for error in silent {
        printer.note(&format!("zerto-guard: not all could be read: {}", error.message));
    }
}
