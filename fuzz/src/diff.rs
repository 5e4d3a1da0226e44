//! Any two files: the diff leads from the first to the second, byte for byte, whatever their lines and ends are, with as much time
//! as it wants and with none; and what it calls them stays on one line.

#[path = "../../src/rewind/tests/applied.rs"]
mod applied;

use super::ground::{first, within};
use applied::applied;
use std::time::Duration;
use zerto_guard::rewind::diff::{Content, LineKind, Outcome, Side, compare};

/// Runs one input: a byte that says where the first file ends, in sixteenths, then both.
pub fn run(bytes: &[u8]) {
    let (at, bytes) = first(bytes);
    let (old, new) = bytes.split_at(bytes.len() * usize::from(at % 17) / 16);
    within(5, || any(old, new));
}

fn any(old: &[u8], new: &[u8]) {
    let side = |bytes: &[u8]| Side {
        name: format!("web01:/{}", String::from_utf8_lossy(&bytes[..bytes.len().min(24)])),
        when: String::from_utf8_lossy(&bytes[bytes.len() / 2..]).into_owned(),
        content: Some(Content::read(bytes).unwrap()),
    };
    let (one, other) = (side(old), side(new));
    for patience in [Duration::from_secs(1), Duration::ZERO] {
        let diff = compare(&one, &other, patience);
        let is_text = |bytes: &[u8]| !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok();
        match diff.outcome {
            Outcome::Same => assert!(old == new && diff.lines.is_empty()),
            Outcome::Text { removed, added } => {
                assert!(is_text(old) && is_text(new) && old != new);
                let count = |kind: LineKind| diff.lines.iter().filter(|line| line.kind == kind).count();
                assert_eq!((removed, added), (count(LineKind::Removed), count(LineKind::Added)));
                let bytes: Vec<u8> = diff.lines.iter().flat_map(|line| line.bytes.clone()).collect();
                assert_eq!(applied(old, &bytes), new);
            }
            Outcome::Binary => assert!(!is_text(old) || !is_text(new)),
            Outcome::TooLong => panic!("too long"),
        }
        for line in &diff.lines {
            let breaks = line.bytes.iter().filter(|byte| **byte == b'\n').count();
            assert!(breaks == 1 && line.bytes.ends_with(b"\n"), "{line:?}");
            let is_ours = !matches!(line.kind, LineKind::Both | LineKind::Removed | LineKind::Added);
            assert!(!is_ours || !line.bytes.contains(&0x1b), "{line:?}");
        }
    }
    // One of the two is not there.
    let none = Side { content: None, ..one.clone() };
    for (one, other) in [(&one, &none), (&none, &other)] {
        let diff = compare(one, other, Duration::ZERO);
        assert!(!matches!(diff.outcome, Outcome::TooLong));
    }
}
