//! Paths as texts: made absolute, made plain, compared. Pure: what a path really leads to is `surroundings`' business.

/// Whether a path is a folder, or lies in it.
#[must_use]
pub fn is_inside(path: &str, folder: &str) -> bool {
    folder == "/" || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// An absolute path without `.`, `..` and doubled slashes; `cwd` is where a relative one begins.
/// None where a relative path has no known beginning.
#[must_use]
pub fn absolute(path: &str, cwd: Option<&str>) -> Option<String> {
    joined(path, cwd).map(|whole| normal(&whole))
}

/// An absolute path as it was written; `cwd` is where a relative one begins.
#[must_use]
pub fn joined(path: &str, cwd: Option<&str>) -> Option<String> {
    if path.starts_with('/') {
        return Some(path.to_owned());
    }
    Some(format!("{}/{path}", cwd.filter(|cwd| cwd.starts_with('/'))?))
}

/// An absolute path without `.`, `..` and doubled slashes, by its text alone.
#[must_use]
pub fn normal(whole: &str) -> String {
    if is_normal(whole) {
        return whole.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Whether a path surely is what [`normal`] makes of it, as most are: no part is empty or begins with a dot.
fn is_normal(path: &str) -> bool {
    let mut before = 0;
    for byte in path.bytes() {
        if before == b'/' && matches!(byte, b'/' | b'.') || before == 0 && byte != b'/' {
            return false;
        }
        before = byte;
    }
    before != b'/' && before != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_made_absolute() {
        assert_eq!(absolute("a/../b", Some("/home/x")).as_deref(), Some("/home/x/b"));
        assert_eq!(absolute("/a//b/./c/../../..", None).as_deref(), Some("/"));
        assert_eq!(absolute("a", None), None);
        assert_eq!(absolute("a", Some("rel")), None);
        assert_eq!(normal("/a/./b//../c/"), "/a/c");
        for (path, expected) in [
            ("", "/"),
            ("/", "/"),
            ("//", "/"),
            ("a", "/a"),
            ("/a", "/a"),
            ("/a/", "/a"),
            ("/.a/..b/c..", "/.a/..b/c.."),
            ("/a/..", "/"),
            ("/a/.", "/a"),
            ("/\0/b", "/\0/b"),
            ("/ä/b", "/ä/b"),
        ] {
            assert_eq!(normal(path), expected, "{path:?}");
            assert!(!is_normal(path) || path == expected, "{path:?}");
        }
        assert!(is_inside("/a/b", "/a") && is_inside("/a", "/a") && is_inside("/a", "/"));
        assert!(!is_inside("/ab", "/a"));
    }
}
