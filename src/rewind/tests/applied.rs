//! Reads a unified diff as `patch` does, for the unit tests and for the fuzz target of diffs alike.
//!
//! Must not: know how this program makes one.

/// What the second file is, by the first one and the diff: as `patch` reads it.
pub fn applied(old: &[u8], diff: &[u8]) -> Vec<u8> {
    let old: Vec<&[u8]> = old.split_inclusive(|byte| *byte == b'\n').collect();
    let (mut new, mut at, mut last): (Vec<u8>, usize, u8) = (Vec::new(), 0, b'@');
    for line in diff.split_inclusive(|byte| *byte == b'\n').skip(2) {
        let mark = line[0];
        match mark {
            b'@' => {
                let text = std::str::from_utf8(line).unwrap();
                let span = text.split(' ').nth(1).unwrap().trim_start_matches('-');
                let (start, count) = span.split_once(',').unwrap_or((span, "1"));
                let start: usize = start.parse().unwrap();
                let begins = if count == "0" { start } else { start - 1 };
                old[at..begins].iter().for_each(|line| new.extend_from_slice(line));
                at = begins;
            }
            b' ' | b'-' => {
                assert_eq!(old[at].strip_suffix(b"\n").unwrap_or(old[at]), line[1..].strip_suffix(b"\n").unwrap());
                if mark == b' ' {
                    new.extend_from_slice(old[at]);
                }
                at += 1;
            }
            b'+' => new.extend_from_slice(&line[1..]),
            // What the first file has is taken from there, so without a line break already.
            b'\\' if last == b'+' => assert_eq!(new.pop(), Some(b'\n')),
            b'\\' => {}
            other => panic!("{other}"),
        }
        last = mark;
    }
    old[at..].iter().for_each(|line| new.extend_from_slice(line));
    new
}
