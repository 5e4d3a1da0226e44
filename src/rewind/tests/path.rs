//! Guests' paths, and where sessions show them.

use super::*;
use std::convert::Infallible;

/// The files of a session; folders are what their paths lead through.
struct Session(Vec<&'static str>, usize);

impl Shows for Session {
    type Error = Infallible;

    fn inside(&mut self, path: &str) -> Result<Vec<Entry>, Infallible> {
        self.1 += 1;
        let mut entries: Vec<Entry> = Vec::new();
        for file in &self.0 {
            let rest = if path.is_empty() {
                Some(*file)
            } else {
                file.strip_prefix(path).and_then(|rest| rest.strip_prefix('/'))
            };
            let Some(rest) = rest.filter(|rest| !rest.is_empty()) else { continue };
            let name = rest.split('/').next().unwrap();
            let whole = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
            let is_folder = rest.contains('/');
            if !entries.iter().any(|entry| entry.path == whole) {
                entries.push(Entry { path: whole, is_folder });
            }
        }
        Ok(entries)
    }
}

fn found(files: &[&'static str], path: &str) -> Vec<String> {
    places(&mut Session(files.to_vec(), 0), &GuestPath::parse(path).unwrap(), None).unwrap()
}

#[test]
fn a_guests_path_is_whole() {
    for (text, drive, names) in [
        ("/", None, &[][..]),
        ("/etc/app.yaml", None, &["etc", "app.yaml"]),
        ("//etc//./app.yaml/", None, &["etc", "app.yaml"]),
        ("/a b/ü*?[x]/end.", None, &["a b", "ü*?[x]", "end."]),
        ("/a\\b", None, &["a\\b"]),
        ("C:\\Users\\j\\app.conf", Some('C'), &["Users", "j", "app.conf"]),
        ("c:/Users/j\\app.conf", Some('C'), &["Users", "j", "app.conf"]),
        ("C:", Some('C'), &[]),
        ("C:\\", Some('C'), &[]),
    ] {
        let path = GuestPath::parse(text).unwrap();
        assert_eq!(
            (path.drive, path.names.iter().map(String::as_str).collect::<Vec<_>>()),
            (drive, names.to_vec()),
            "{text}"
        );
    }
    for text in ["", "etc/x", "C:Users", "\\\\web01\\c$", "~/x", "1:/x", "ä:/x"] {
        assert_eq!(GuestPath::parse(text), Err(BadPath::Relative), "{text}");
    }
    for text in ["/etc/../x", "C:\\..", "/.."] {
        assert_eq!(GuestPath::parse(text), Err(BadPath::Up), "{text}");
    }
}

#[test]
fn one_partition_has_it() {
    let files = ["partition#0 Ext4/etc/app.yaml", "partition#0 Ext4/var/x", "partition#1 Ext4/data/y"];
    assert_eq!(found(&files, "/etc/app.yaml"), ["partition#0 Ext4/etc/app.yaml"]);
    assert_eq!(found(&files, "/etc"), ["partition#0 Ext4/etc"]);
    assert_eq!(found(&files, "/etc/none"), [""; 0]);
    assert_eq!(found(&files, "/ETC/app.yaml"), [""; 0], "Linux tells names apart by case");
    assert_eq!(found(&files, "/etc/app.yaml/x"), [""; 0], "a file holds nothing");
    assert_eq!(found(&files, "/"), ["partition#0 Ext4", "partition#1 Ext4"]);
}

#[test]
fn a_partition_is_mounted_below_the_root() {
    let files =
        ["partition#0 XFS/etc/x", "partition#0 XFS/var/", "partition#1 XFS/log/messages", "partition#2 XFS/pg/data"];
    assert_eq!(found(&files, "/var/log/messages"), ["partition#1 XFS/log/messages"]);
    assert_eq!(found(&files, "/srv/db/pg/data"), ["partition#2 XFS/pg/data"]);
}

#[test]
fn what_is_found_twice_is_not_guessed_at() {
    let stale = ["partition#0 XFS/var/log/messages", "partition#1 XFS/log/messages"];
    assert_eq!(found(&stale, "/var/log/messages").len(), 2);
    let drives = ["partition#0 NTFS/Users/j/a.txt", "partition#1 NTFS/users/J/A.TXT"];
    assert_eq!(found(&drives, "C:\\Users\\j\\a.txt").len(), 2);
}

#[test]
fn windows_names_have_no_case_and_drives_no_mount_points() {
    let files = ["partition#0 NTFS/Users/j/App.conf", "partition#1 NTFS/j/App.conf"];
    assert_eq!(found(&files, "c:/users/J/app.CONF"), ["partition#0 NTFS/Users/j/App.conf"]);
}

#[test]
fn a_person_may_pin_where_a_path_lies() {
    let settings =
        [("web01:/", "partition#0 Ext4"), ("web01:/data", "partition#2 Ext4"), ("WEB01:D:\\", "partition#1 NTFS")];
    let pin = |vm: &str, path: &str| pinned(settings, vm, &GuestPath::parse(path).unwrap());
    assert_eq!(pin("web01", "/data/x"), Some(("partition#2 Ext4", 1)));
    assert_eq!(pin("Web01", "/database/x"), Some(("partition#0 Ext4", 0)));
    assert_eq!(pin("web01", "d:/x"), Some(("partition#1 NTFS", 0)));
    assert_eq!(pin("web01", "c:/x"), None);
    assert_eq!(pin("db01", "/data/x"), None);
    let files = ["partition#2 Ext4/x", "partition#0 Ext4/data/x"];
    let path = GuestPath::parse("/data/x").unwrap();
    assert_eq!(found(&files, "/data/x").len(), 2);
    let mut session = Session(files.to_vec(), 0);
    assert_eq!(places(&mut session, &path, pin("web01", "/data/x")).unwrap(), ["partition#2 Ext4/x"]);
    assert_eq!(session.1, 1, "nothing else is looked at");
}
