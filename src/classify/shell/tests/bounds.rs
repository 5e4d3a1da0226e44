//! Bounds, and that no text takes long or breaks anything.

use super::*;

fn why(text: &str) -> String {
    read(text).unwrap_err()
}

#[test]
fn a_text_has_bounds() {
    assert_eq!(why(&"a".repeat(65_537)), "the shell text is longer than 64 KiB");
    assert!(read(&"a".repeat(65_536)).is_ok());
    assert_eq!(why("a\0b"), "the shell text holds a NUL character");
    let deep = |open: &str, close: &str, times: usize| format!("{}a{}", open.repeat(times), close.repeat(times));
    for (open, close, fine) in [
        ("$(", ")", 16),
        ("( ", ")", 40),
        ("{ ", "; }", 40),
        ("${x:-", "}", 98),
        ("if a; then ", "; fi", 40),
        ("f() { ", "; }", 20),
        ("<(", ")", 16),
    ] {
        assert!(read(&deep(open, close, fine)).is_ok(), "{open}: {:?}", read(&deep(open, close, fine)));
        for times in [101, 1_000, 3_000] {
            assert!(why(&deep(open, close, times)).contains("deeper than"), "{open} {times}");
        }
    }
    assert_eq!(why(&deep("$(", ")", 17)), "the shell text nests command substitutions deeper than 16 levels");
    assert!(read(&"a ".repeat(16_000)).is_ok());
    assert_eq!(why(&"a ".repeat(16_001)), "the shell text holds more than 16,000 words");
    assert!(read(&"a;".repeat(4_000)).is_ok());
    assert_eq!(why(&"a;".repeat(4_001)), "the shell text holds more than 4,000 commands");
    assert_eq!(why(&format!("echo {}", "$(a)".repeat(4_000))), "the shell text holds more than 4,000 commands");
}

#[test]
fn the_place_of_what_cannot_be_read() {
    assert_eq!(why("a\nä 'b"), "the shell text can't be read at line 2, column 4: a single quote isn't closed");
    assert_eq!(why("a; )"), "the shell text can't be read at line 1, column 4: `)` can't stand here");
    assert_eq!(why("cat <<E\n\n$(\nE"), "the shell text can't be read at line 2, column 1: `$(` isn't closed");
}
