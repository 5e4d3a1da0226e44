//! The dates that a ZVM writes and reads.

use jiff::fmt::rfc2822;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, civil};

/// A date of an answer: `/Date(1520423877045)/` and `/Date(928142400000+0300)/` of the old bodies (milliseconds of
/// UTC, the offset is only how it was shown), or ISO 8601; one without an offset is taken as UTC. .NET's "no date"
/// (the year 1) is none.
pub fn parse_date(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Some(inner) = text
        .strip_prefix("/Date(")
        .and_then(|t| t.strip_suffix(")/"))
    {
        let (sign, digits) = match inner.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, inner),
        };
        let digits = digits.split(['+', '-']).next().unwrap_or_default();
        let millis: i64 = digits.parse().ok()?;
        return a_date(Timestamp::from_millisecond(sign * millis).ok()?);
    }
    if let Ok(time) = text.parse::<Timestamp>() {
        return a_date(time);
    }
    let time: civil::DateTime = text.parse().ok()?;
    a_date(TimeZone::UTC.to_timestamp(time).ok()?)
}

fn a_date(time: Timestamp) -> Option<Timestamp> {
    // 0001-01-02T00:00:00Z: the year 1 in any zone is still before it.
    const NO_DATE: i64 = -62_135_510_400;
    (time.as_second() > NO_DATE).then_some(time)
}

/// A date of a query: UTC, to the millisecond, always with `Z` (without it the ZVM takes it as its own local time).
pub fn query_date(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

/// The first millisecond that is not before `time`, so that a query up to it leaves nothing out.
pub fn query_date_after(time: Timestamp) -> String {
    query_date(
        time.checked_add(SignedDuration::from_nanos(999_999))
            .unwrap_or(time),
    )
}

/// A date of an HTTP header.
pub fn http_date(text: &str) -> Option<Timestamp> {
    rfc2822::DateTimeParser::new()
        .parse_timestamp(text.trim())
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_that_was_seen() {
        for (text, expected) in [
            ("/Date(1520423877045)/", Some("2018-03-07T11:57:57.045Z")),
            ("/Date(928142400000+0300)/", Some("1999-05-31T09:20:00Z")),
            ("/Date(928142400000-0500)/", Some("1999-05-31T09:20:00Z")),
            ("/Date(-1000)/", Some("1969-12-31T23:59:59Z")),
            ("2019-07-20T19:30:19Z", Some("2019-07-20T19:30:19Z")),
            (
                "2026-09-21T15:04:05.1234567Z",
                Some("2026-09-21T15:04:05.1234567Z"),
            ),
            ("2026-09-21T15:04:05.123", Some("2026-09-21T15:04:05.123Z")),
            ("2026-09-21T15:04:05", Some("2026-09-21T15:04:05Z")),
            ("2026-09-21T15:04:05+02:00", Some("2026-09-21T13:04:05Z")),
            (" 2026-09-21T15:04:05Z ", Some("2026-09-21T15:04:05Z")),
            ("0001-01-01T00:00:00", None),
            ("0001-01-01T00:00:00Z", None),
            ("/Date(-62135596800000)/", None),
            ("/Date(99999999999999999999)/", None),
            ("/Date(-9223372036854775808)/", None),
            ("/Date()/", None),
            ("/Date(+)/", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(
                parse_date(text),
                expected.map(|e| e.parse().unwrap()),
                "{text:?}"
            );
        }
    }

    #[test]
    fn what_is_sent() {
        let time: Timestamp = "2026-09-21T15:04:05.1239999Z".parse().unwrap();
        assert_eq!(query_date(time), "2026-09-21T15:04:05.123Z");
        assert_eq!(query_date_after(time), "2026-09-21T15:04:05.124Z");
        assert_eq!(
            query_date_after("2026-09-21T15:04:05Z".parse().unwrap()),
            "2026-09-21T15:04:05.000Z"
        );
    }

    #[test]
    fn headers() {
        let time = "1994-11-06T08:49:37Z".parse().ok();
        assert_eq!(http_date("Sun, 06 Nov 1994 08:49:37 GMT"), time);
        assert_eq!(http_date("soon"), None);
    }
}
