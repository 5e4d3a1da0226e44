//! Dates as the API writes and reads them.
//!
//! Everything inside is milliseconds since 1970, UTC, by the ZVM's clock.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};
use serde_json::Value;

use crate::settings::DateForm;

/// As milliseconds; too long a duration counts as the longest there is.
pub(crate) fn millis(d: Duration) -> i64 {
    i64::try_from(d.as_millis()).unwrap_or(i64::MAX)
}

/// This machine's clock, moved by so much.
pub(crate) fn now_ms(offset_ms: i64) -> i64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, millis);
    now.saturating_add(offset_ms)
}

fn stamp(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// `2026-09-21T15:04:05.123Z`.
pub(crate) fn iso(ms: i64) -> String {
    format!("{:.3}", stamp(ms))
}

/// For the header `Date`.
pub(crate) fn http_date(ms: i64) -> String {
    use jiff::fmt::rfc2822::DateTimePrinter;
    DateTimePrinter::new()
        .timestamp_to_rfc9110_string(&stamp(ms))
        .unwrap_or_default()
}

/// A date in a body.
pub(crate) fn value(ms: i64, form: DateForm) -> Value {
    match form {
        DateForm::Iso => Value::String(iso(ms)),
        DateForm::Ticks => Value::String(format!("/Date({ms})/")),
    }
}

/// A date of a query: milliseconds, a time with `Z` or an offset, or one in the ZVM's local time
/// (`/v1/serverDateTime/dateTimeArgument` in the OpenAPI file; the help of the tasks call).
pub(crate) fn parse(text: &str, utc_offset_minutes: i32) -> Option<i64> {
    let text = text.trim();
    if let Ok(ms) = text.parse::<i64>() {
        return Some(ms);
    }
    if let Ok(t) = text.parse::<Timestamp>() {
        return Some(t.as_millisecond());
    }
    let local = text
        .parse::<DateTime>()
        .or_else(|_| text.parse::<Date>().map(DateTime::from))
        .ok()?;
    let zone = Offset::from_seconds(utc_offset_minutes.checked_mul(60)?).ok()?;
    TimeZone::fixed(zone)
        .to_timestamp(local)
        .ok()
        .map(|t| t.as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_help_allows() {
        assert_eq!(parse("1970-01-01T00:00:01.500Z", -240), Some(1500));
        assert_eq!(parse("1970-01-01T03:00:00+03:00", -240), Some(0));
        assert_eq!(parse("1500", -240), Some(1500));
        assert_eq!(
            parse("1970-01-01T00:00:00", -240),
            Some(4 * 3_600_000),
            "without Z: local time"
        );
        assert_eq!(parse("1970-01-02", 0), Some(86_400_000));
        assert_eq!(parse("yesterday", 0), None);
    }

    #[test]
    fn writes_both_forms() {
        assert_eq!(value(1500, DateForm::Iso), "1970-01-01T00:00:01.500Z");
        assert_eq!(value(1500, DateForm::Ticks), "/Date(1500)/");
        assert_eq!(http_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
    }
}
