//! Any text is a date: of the ZVM's JSON, of the head of its answers, of a tag, and a span as people write it. What is read is the
//! same moment however it is written again, and no date leads to a question that no ZVM can read.

use super::ground::{text, within};
use super::server::{self, Reply, Server, check};
use jiff::Timestamp;
use zerto_guard::config::read::parse_duration;
use zerto_guard::guard::tag;

/// Runs one input.
pub fn run(bytes: &[u8]) {
    within(5, || server::with(|server| any(server, text(bytes))));
}

fn any(server: &Server, text: &str) {
    if let Some(span) = parse_duration(text) {
        let digits: String = text.chars().take_while(|c| c.is_ascii_digit() || *c == '+').collect();
        let number: u64 = digits.parse().unwrap();
        assert!(span.as_millis() >= u128::from(number) && text.len() > digits.len(), "{text:?}");
    }
    if let Some(read) = tag::parse(&format!("ai:a | b | vm=c | change=d | {text}")) {
        assert_eq!(tag::stamp(read.time), text);
    }
    let json = serde_json::Value::from(text).to_string();
    let zvm = server.client(Reply::ok(json.as_bytes()));
    match zvm.server_time() {
        Ok(time) => {
            if let Ok(same) = text.trim().parse::<Timestamp>() {
                assert_eq!(time, same);
            }
            if let Some(inner) = text.trim().strip_prefix("/Date(").and_then(|inner| inner.strip_suffix(")/")) {
                let millis: i64 = inner.split_at(1).1.split(['+', '-']).next().map(|rest| inner[..=rest.len()].parse().unwrap()).unwrap();
                assert_eq!(time.as_millisecond(), millis);
            }
            asks(server, time);
        }
        Err(error) => check(&error),
    }
    let line: String = text.chars().filter(|c| matches!(c, ' '..='~')).take(200).collect();
    for status in [503, 404] {
        let head = format!("Date: {line}\r\nRetry-After: {line}\r\n");
        let zvm = server.client(Reply { status, head, body: vec![] });
        match zvm.server_time() {
            Ok(time) => asks(server, time),
            Err(error) => check(&error),
        }
    }
}

/// A question about that moment has both ends, in UTC, in the one form that a ZVM takes, and in their order.
fn asks(server: &Server, time: Timestamp) {
    let zvm = server.client(Reply::ok(b"[]"));
    if let Err(error) = zvm.checkpoints("v", time, Some(time)) {
        return check(&error);
    }
    let asked = server.asked();
    let Some(head) = asked.last() else { return };
    let query = |name: &str| {
        let (_, rest) = head.split_once(name).unwrap();
        let value = rest.split(['&', ' ']).next().unwrap().replace("%3A", ":");
        let form: String = value.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        assert_eq!(form, "0000-00-00T00:00:00.000Z", "{head}");
        value
    };
    assert!(query("startDate=") <= query("endDate="), "{head}");
}
