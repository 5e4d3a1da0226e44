//! Names with `*` and `?`: the only wildcards of a catalog and of `unguarded`.
//!
//! Own code, since a glob set is built for many patterns and this program matches each a few times in its life.

/// Whether the pattern holds a wildcard.
#[must_use]
pub fn is_glob(pattern: &str) -> bool {
    pattern.contains(['*', '?'])
}

/// Whether a byte is of those of which nearly all patterns are made, and which are no fault wherever they stand.
#[must_use]
pub fn is_plain(byte: u8) -> bool {
    PLAIN.get(usize::from(byte)).is_some_and(|plain| *plain)
}

static PLAIN: [bool; 256] = plain();

#[allow(clippy::indexing_slicing, reason = "no other way in a constant, and the index is below the length")]
const fn plain() -> [bool; 256] {
    let mut plain = [false; 256];
    let mut at = 0;
    while at < plain.len() {
        plain[at] = (at as u8).is_ascii_alphanumeric() || matches!(at as u8, b'_' | b'-' | b'*' | b'.');
        at += 1;
    }
    plain
}

/// Why a pattern cannot be used, if so.
#[must_use]
pub fn fault(pattern: &str) -> Option<String> {
    if pattern.is_empty() {
        return Some("an empty name matches nothing".into());
    }
    // Nearly all patterns are such, and each start looks at all of the user's.
    if pattern.bytes().all(is_plain) {
        return None;
    }
    if pattern.trim() != pattern {
        return Some(format!("`{pattern}` begins or ends with white space"));
    }
    pattern
        .chars()
        .find(|c| matches!(c, '[' | ']' | '{' | '}' | '\\' | '!'))
        .map(|c| format!("`{pattern}` holds `{c}`: the only wildcards are `*` (any text) and `?` (any one character)"))
}

/// Whether `name` as a whole matches the pattern; upper and lower case differ.
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    // Two positions and one remembered star: linear but for backtracking to the last star, never exponential.
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(byte) = name.get(n) {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p + 1, n));
                p += 1;
            }
            // One character is one to four bytes: the continuation bytes go with it.
            Some(b'?') => {
                p += 1;
                n += 1;
                while name.get(n).is_some_and(|byte| byte & 0xC0 == 0x80) {
                    n += 1;
                }
            }
            Some(wanted) if wanted == byte => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((after, from)) => {
                    star = Some((after, from + 1));
                    p = after;
                    n = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(p).all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_names_with_stars_and_question_marks() {
        for (pattern, name, expected) in [
            ("get_*", "get_vm", true),
            ("get_*", "get_", true),
            ("get_*", "forget_vm", false),
            ("*", "", true),
            ("*_list", "vm_list", true),
            ("*_list", "vm_list_all", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("v?", "v1", true),
            ("v?", "v", false),
            ("v?x", "v\u{20ac}x", true),
            ("exact", "exact", true),
            ("exact", "Exact", false),
            ("*.build.example", "a.b.build.example", true),
            ("*.build.example", "build.example", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn many_stars_stay_fast() {
        let pattern = "*a".repeat(40) + "b";
        assert!(!matches(&pattern, &"a".repeat(10_000)));
    }

    #[test]
    fn patterns_that_people_expect_to_work_elsewhere_are_refused() {
        for pattern in ["", " x", "[ab]*", "{a,b}", "a\\*", "!x"] {
            assert!(fault(pattern).is_some(), "{pattern}");
        }
        assert_eq!(fault("get_*"), None);
        assert_eq!(fault("github.com/a/B-c?"), None);
    }
}
