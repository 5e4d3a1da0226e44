//! Which guest a name or path means, by what a person has set. Pure.

use crate::catalog::glob;
use std::collections::BTreeMap;

/// What a person has said of machines and folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// `[hosts]`: host or address to VM name or identifier; keys in lower case.
    pub hosts: BTreeMap<String, String>,
    /// Machines that a human has left out; globs in lower case.
    pub unguarded: Vec<String>,
    /// `[mounts]`: a local folder (absolute, without a slash at the end) that is a guest's disk.
    pub mounts: BTreeMap<String, String>,
    /// The guest in which the agent itself runs.
    pub this_vm: Option<String>,
}

impl Places {
    /// Whether a human has left the machine out: both what was typed and what it stands for have to be.
    #[must_use]
    pub fn is_unguarded(&self, typed: &str) -> bool {
        let out = |name: &str| {
            let name = host_key(name);
            self.unguarded.iter().any(|pattern| glob::matches(pattern, &name))
        };
        out(typed) && self.hosts.get(&host_key(typed)).is_none_or(|stands_for| out(stands_for))
    }

    /// The guest on whose disk a path lies, for an absolute path without `.` and `..`.
    #[must_use]
    pub fn guest_of_path(&self, path: &str) -> Option<&str> {
        let inside = |folder: &str| {
            path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || folder == "/")
        };
        // The longest folder is the innermost mount.
        let mount = self.mounts.iter().filter(|(folder, _)| inside(folder)).max_by_key(|(folder, _)| folder.len());
        mount.map(|(_, vm)| vm.as_str()).or(self.this_vm.as_deref())
    }
}

/// A host name as it is compared: lower case, without the dot that ends a full domain name.
#[must_use]
pub fn host_key(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// An absolute path without `.`, `..` and doubled slashes; `cwd` is where a relative one begins.
/// None where a relative path has no known beginning.
#[must_use]
pub fn absolute(path: &str, cwd: Option<&str>) -> Option<String> {
    let whole = if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("{}/{path}", cwd.filter(|cwd| cwd.starts_with('/'))?)
    };
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
    Some(format!("/{}", parts.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unguarded_needs_both_names() {
        let places = Places {
            hosts: BTreeMap::from([
                ("git.example".into(), "db01".into()),
                ("ci.build.example".into(), "x.build.example".into()),
            ]),
            unguarded: vec!["github.com".into(), "git.example".into(), "*.build.example".into()],
            ..Places::default()
        };
        assert!(places.is_unguarded("github.com"));
        assert!(places.is_unguarded("GitHub.com."));
        assert!(places.is_unguarded("ci.build.example"));
        assert!(!places.is_unguarded("git.example"), "it stands for db01, which nobody has left out");
        assert!(!places.is_unguarded("web01"));
    }

    #[test]
    fn the_innermost_mount_decides() {
        let mut places = Places {
            mounts: BTreeMap::from([("/mnt/web01".into(), "web01".into()), ("/mnt/web01/db".into(), "db01".into())]),
            ..Places::default()
        };
        assert_eq!(places.guest_of_path("/mnt/web01/etc/x"), Some("web01"));
        assert_eq!(places.guest_of_path("/mnt/web01/db/x"), Some("db01"));
        assert_eq!(places.guest_of_path("/mnt/web01"), Some("web01"));
        assert_eq!(places.guest_of_path("/mnt/web011"), None);
        places.this_vm = Some("dev01".into());
        assert_eq!(places.guest_of_path("/home/x"), Some("dev01"));
    }

    #[test]
    fn paths_are_made_absolute() {
        assert_eq!(absolute("a/../b", Some("/home/x")).as_deref(), Some("/home/x/b"));
        assert_eq!(absolute("/a//b/./c/../../..", None).as_deref(), Some("/"));
        assert_eq!(absolute("a", None), None);
        assert_eq!(absolute("a", Some("rel")), None);
    }
}
