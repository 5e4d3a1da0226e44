//! Guests' paths, and what is set for their beginnings.

use super::*;

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
fn a_person_may_pin_where_a_path_lies() {
    let settings =
        [("web01:/", "partition#0 Ext4"), ("web01:/data", "partition#2 Ext4"), ("WEB01:D:\\", "partition#1 NTFS")];
    let pin = |vm: &str, path: &str| pinned(settings, vm, &GuestPath::parse(path).unwrap());
    assert_eq!(pin("web01", "/data/x"), Some(("partition#2 Ext4", 1)));
    assert_eq!(pin("Web01", "/database/x"), Some(("partition#0 Ext4", 0)));
    assert_eq!(pin("web01", "d:/x"), Some(("partition#1 NTFS", 0)));
    assert_eq!(pin("web01", "c:/x"), None);
    assert_eq!(pin("db01", "/data/x"), None);
    assert_eq!(pin("web01", "/Data/x"), Some(("partition#0 Ext4", 0)), "Linux tells names apart by case");
    let colon = [("a:b:/data", "partition#1 XFS"), ("a:b:c:/", "partition#0 NTFS")];
    let pin = |path: &str| pinned(colon, "A:B", &GuestPath::parse(path).unwrap());
    assert_eq!((pin("/data/x"), pin("c:/x")), (Some(("partition#1 XFS", 1)), Some(("partition#0 NTFS", 0))));
}
