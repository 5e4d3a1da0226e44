//! Which guest a name or path means, by what a person has set. Pure.

use super::Surroundings;
use crate::catalog::glob;
use crate::path::is_inside;
use crate::text::host_key;
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

    /// The innermost of `[mounts]` in which a path lies, for an absolute one without `.` and `..`: its folder, and the guest.
    #[must_use]
    pub fn mount_of_path(&self, path: &str, around: &dyn Surroundings) -> Option<(&str, &str)> {
        let inside = self.mounts.iter().filter(|(folder, _)| {
            // The mount's own name may lead through a link.
            is_inside(path, folder) || is_inside(path, &around.real_path(folder))
        });
        inside.max_by_key(|(folder, _)| folder.len()).map(|(folder, vm)| (folder.as_str(), vm.as_str()))
    }

    /// The guests whose disks lie below a folder: what is done to the folder may be done to them.
    pub fn guests_below(&self, path: &str) -> impl Iterator<Item = &str> {
        self.mounts.iter().filter(move |(folder, _)| is_inside(folder, path)).map(|(_, vm)| vm.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Nowhere;
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
    fn an_address_is_looked_up_in_every_spelling() {
        let places = Places {
            hosts: BTreeMap::from([("10.0.0.5".into(), "db01".into()), ("fe80::1".into(), "db01".into())]),
            unguarded: vec!["10.0.*".into(), "fe80*".into(), "::ffff:10.*".into()],
            ..Places::default()
        };
        for typed in ["10.0.0.5", "::ffff:10.0.0.5", "fe80::1", "fe80:0::1", "[fe80::0001]"] {
            assert!(!places.is_unguarded(typed), "{typed} stands for db01, which nobody has left out");
        }
        assert!(places.is_unguarded("::ffff:10.0.0.6"));
    }

    #[test]
    fn the_innermost_mount_decides() {
        let places = Places {
            mounts: BTreeMap::from([("/mnt/web01".into(), "web01".into()), ("/mnt/web01/db".into(), "db01".into())]),
            ..Places::default()
        };
        let guest = |path| places.mount_of_path(path, &Nowhere).map(|(_, vm)| vm);
        assert_eq!(guest("/mnt/web01/etc/x"), Some("web01"));
        assert_eq!(guest("/mnt/web01/db/x"), Some("db01"));
        assert_eq!(guest("/mnt/web01"), Some("web01"));
        assert_eq!(guest("/mnt/web011"), None);
        let mut below: Vec<_> = places.guests_below("/mnt").collect();
        below.sort_unstable();
        assert_eq!(below, ["db01", "web01"]);
        assert_eq!(places.guests_below("/home").count(), 0);
    }
}
