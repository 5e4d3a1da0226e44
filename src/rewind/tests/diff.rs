//! How two files differ, and that the answer leads from one to the other.

#[path = "applied.rs"]
mod applied;

use super::*;
use applied::applied;
use proptest::prelude::*;
use std::io::Read as _;

const PATIENCE: Duration = Duration::from_secs(60);

fn content(bytes: impl AsRef<[u8]>) -> Content {
    Content::read(bytes.as_ref()).unwrap()
}

fn side(when: &str, bytes: Option<&[u8]>) -> Side {
    Side { name: "web01:/etc/app.yaml".into(), when: when.into(), content: bytes.map(content) }
}

fn text(diff: &Diff) -> String {
    String::from_utf8(bytes(diff)).unwrap()
}

fn bytes(diff: &Diff) -> Vec<u8> {
    diff.lines.iter().flat_map(|line| line.bytes.clone()).collect()
}

fn of(old: impl AsRef<[u8]>, new: impl AsRef<[u8]>) -> Diff {
    compare(&side("a tag", Some(old.as_ref())), &side("now", Some(new.as_ref())), PATIENCE)
}

#[test]
fn a_unified_diff_as_git_writes_it() {
    let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n";
    let new = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n12\n13\n15\n16\n";
    let diff = of(old, new);
    assert_eq!(
        text(&diff),
        "--- web01:/etc/app.yaml\ta tag\n+++ web01:/etc/app.yaml\tnow\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n\
         @@ -11,5 +11,5 @@\n 11\n 12\n 13\n-14\n 15\n+16\n"
    );
    assert_eq!((diff.outcome, diff.hurried), (Outcome::Text { removed: 2, added: 2 }, false));
    assert_eq!(diff.outcome.word(), "text");
    let kinds: Vec<LineKind> = diff.lines.iter().take(7).map(|line| line.kind).collect();
    use LineKind::{Added, Both, Head, Place, Removed};
    assert_eq!(kinds, [Head, Head, Place, Both, Both, Both, Removed]);
    assert_eq!(diff.lines[7].kind, Added);
}

#[test]
fn ends_of_lines_and_of_files_are_shown_as_they_are() {
    for (old, new, hunk) in [
        ("a\n", "a", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"),
        ("a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"),
        ("a\nb", "c\nb", "@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n"),
        ("a\n", "a\r\n", "@@ -1 +1 @@\n-a\n+a\r\n"),
        ("a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"),
        ("", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"),
        ("a\n", "", "@@ -1 +0,0 @@\n-a\n"),
        ("a\n", "\n", "@@ -1 +1 @@\n-a\n+\n"),
        ("\u{1b}[31ma\n", "ü\u{202e}\n", "@@ -1 +1 @@\n-\u{1b}[31ma\n+ü\u{202e}\n"),
    ] {
        let shown = text(&of(old, new));
        assert_eq!(shown.split_inclusive('\n').skip(2).collect::<String>(), hunk, "{old:?} {new:?}");
    }
}

#[test]
fn the_same_is_nothing() {
    for bytes in [&b""[..], b"a\n", b"a\0", &[0xff; 20]] {
        assert_eq!(of(bytes, bytes), Diff { outcome: Outcome::Same, lines: vec![], hurried: false });
    }
    let gone = side("", None);
    assert_eq!(compare(&gone, &gone, PATIENCE).outcome, Outcome::Same);
}

#[test]
fn a_file_that_is_not_there_is_dev_null() {
    let (gone, there) = (side("a tag", None), side("now", Some(b"a\n")));
    let shown = text(&compare(&gone, &there, PATIENCE));
    assert_eq!(shown, "--- /dev/null\n+++ web01:/etc/app.yaml\tnow\n@@ -0,0 +1 @@\n+a\n");
    let shown = text(&compare(&there, &gone, PATIENCE));
    assert_eq!(shown, "--- web01:/etc/app.yaml\tnow\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
    let empty = compare(&gone, &side("", Some(b"")), PATIENCE);
    assert_eq!(text(&empty), "--- /dev/null\n+++ web01:/etc/app.yaml\n", "an empty file is not none");
    assert_eq!(empty.outcome, Outcome::Text { removed: 0, added: 0 });
    let shown = text(&compare(&gone, &side("", Some(b"\0")), PATIENCE));
    assert!(shown.contains("--- /dev/null\n  (there is no such file)\n+++ web01:"), "{shown}");
}

#[test]
fn what_is_no_text_is_told_by_size_and_digest() {
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    for other in [
        &b"a\0"[..],
        b"\xff\xfe",
        b"caf\xe9",
        "ab".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>().as_slice(),
    ] {
        for (old, new) in [(&b"abc"[..], other), (other, b"abc")] {
            let diff = of(old, new);
            assert_eq!((diff.outcome, diff.outcome.word()), (Outcome::Binary, "binary"), "{other:?}");
            let shown = text(&diff);
            assert!(shown.starts_with("Binary files differ:\n--- web01:/etc/app.yaml\ta tag\n  "), "{shown}");
            assert!(shown.contains(&format!("  3 bytes, SHA-256 {abc}\n")), "{shown}");
            assert!(shown.contains(&content(other).sha256), "{shown}");
        }
    }
}

#[test]
fn names_can_break_nothing() {
    let named = |name: &str, when: &str| {
        let side = |bytes| Side { name: name.into(), when: when.into(), content: Some(content(bytes)) };
        text(&compare(&side("a"), &side("b"), PATIENCE)).lines().next().unwrap().to_owned()
    };
    assert_eq!(named("w:/a b/ü [x]*.", ""), "--- w:/a b/ü [x]*.");
    assert_eq!(named("w:C:\\x", "t | x"), "--- w:C:\\x\tt | x");
    assert_eq!(named("w:/a\tb\n\"\\\u{1b}", "t\n+++ x\u{1b}[1m"), "--- \"w:/a\\tb\\n\\\"\\\\\\033\"\tt +++ x");
    assert_eq!(named("w:/gnp\u{202e}exe", ""), "--- \"w:/gnp\\342\\200\\256exe\"");
}

#[test]
fn what_is_too_long_is_told_by_size_and_digest_and_not_kept() {
    let long = content(io::repeat(b'a').take_bytes(LONGEST as u64 + 1));
    assert_eq!((long.size, long.bytes.is_none()), (LONGEST as u64 + 1, true));
    assert!(content(io::repeat(b'a').take_bytes(LONGEST as u64)).bytes.is_some());
    let (old, new) = (side("t", Some(b"a\n")), Side { content: Some(long), ..side("now", None) });
    let diff = compare(&old, &new, PATIENCE);
    assert_eq!((diff.outcome, diff.outcome.word()), (Outcome::TooLong, "too_long"));
    assert!(text(&diff).starts_with("Files too long to be compared line by line differ:\n"));
    let lines = |count: usize| "\n".repeat(count);
    assert_eq!(of(lines(MOST_LINES), "a\n").outcome, Outcome::Text { removed: MOST_LINES, added: 1 });
    assert_eq!(of("a\n", lines(MOST_LINES + 1)).outcome, Outcome::TooLong);
    let binary = compare(&side("t", Some(b"\0")), &new, PATIENCE);
    assert_eq!(binary.outcome, Outcome::TooLong);
}

/// So many bytes of an endless reader.
trait TakeBytes {
    fn take_bytes(self, count: u64) -> Vec<u8>;
}

impl<R: io::Read> TakeBytes for R {
    fn take_bytes(self, count: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.take(count).read_to_end(&mut bytes).unwrap();
        bytes
    }
}

#[test]
fn no_time_makes_a_longer_diff_and_no_wrong_one() {
    let made = |seed: u64| -> Vec<u8> {
        let mut x = seed;
        let lines = (0..60_000).map(|_| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            format!("{}\n", x % 20).into_bytes()
        });
        lines.flatten().collect()
    };
    let (old, new) = (made(3), made(77));
    let diff = compare(&side("", Some(&old)), &side("", Some(&new)), Duration::ZERO);
    assert!(diff.hurried);
    assert_eq!(applied(&old, &bytes(&diff)), new);
}

proptest! {
    #[test]
    fn a_diff_leads_to_the_second_file(
        old in prop::collection::vec("[ab]{0,2}\r?", 0..40),
        new in prop::collection::vec("[ab]{0,2}\r?", 0..40),
        ends in any::<(bool, bool)>(),
    ) {
        let whole = |lines: &[String], ends: bool| lines.join("\n") + if ends && !lines.is_empty() { "\n" } else { "" };
        let (old, new) = (whole(&old, ends.0), whole(&new, ends.1));
        let diff = of(&old, &new);
        if old == new {
            prop_assert_eq!(diff.outcome, Outcome::Same);
        } else {
            prop_assert_eq!(applied(old.as_bytes(), &bytes(&diff)), new.into_bytes());
        }
    }
}
