//! A moment on the command line: ISO 8601, or that long ago.

use crate::config::read::parse_duration;
use crate::text::clean;
use crate::ui::Failure;
use jiff::{SignedDuration, Timestamp};

/// A moment: ISO 8601, in UTC unless it says otherwise, or that long ago.
pub(super) fn moment(option: &str, text: &str, now: Timestamp) -> Result<Timestamp, Failure> {
    let ago = || now.checked_sub(SignedDuration::try_from(parse_duration(text)?).ok()?).ok();
    let civil = || {
        let time = text.parse::<jiff::civil::DateTime>().ok()?;
        jiff::tz::TimeZone::UTC.to_timestamp(time).ok()
    };
    text.parse::<Timestamp>().ok().or_else(civil).or_else(ago).ok_or_else(|| {
        Failure::new(64, format!("{option} {}: write it as 90m, 2d or 2026-09-21T15:00:00Z", clean(text, 60)), "")
    })
}
