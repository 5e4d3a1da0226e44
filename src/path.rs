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
        assert!(is_inside("/a/b", "/a") && is_inside("/a", "/a") && is_inside("/a", "/"));
        assert!(!is_inside("/ab", "/a"));
    }
}
