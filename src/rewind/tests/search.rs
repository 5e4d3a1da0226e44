//! Where sessions show guests' paths.

use super::super::path::pinned;
use super::*;

/// The files of a session; folders are what their paths lead through, a name that ends with `@` is a link, one that ends with
/// `!` can't be looked into. Beside it, which folders were listed, and how many entries were told.
struct Session(Vec<String>, Vec<String>, usize);

impl Session {
    fn new(files: &[&str]) -> Self {
        Self(files.iter().map(|file| (*file).to_owned()).collect(), vec![], 0)
    }
}

fn kind_of(name: &str, is_folder: bool) -> FlrItemKind {
    match name {
        name if name.starts_with("Disk#") => FlrItemKind::Disk,
        name if name.starts_with("partition#") => FlrItemKind::Partition,
        _ if is_folder => FlrItemKind::Folder,
        _ => FlrItemKind::File,
    }
}

impl Shows for Session {
    type Error = String;

    fn look(&mut self, folder: &str, each: &mut dyn FnMut(FlrItem) -> ControlFlow<()>) -> Result<(), String> {
        // Twice: the partitions where a pin is gone, to name them; and a folder whose name the path has twice.
        let before = self.1.iter().filter(|known| *known == folder).count();
        assert!(before < 2, "{folder} is listed again and again");
        self.1.push(folder.to_owned());
        if folder.ends_with('!') {
            return Err(folder.to_owned());
        }
        let mut told = std::collections::HashSet::new();
        for file in &self.0 {
            let rest = if folder.is_empty() {
                Some(file.as_str())
            } else {
                file.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'))
            };
            let Some(rest) = rest.filter(|rest| !rest.is_empty()) else { continue };
            let name = rest.split('/').next().unwrap();
            let is_folder = rest.contains('/') || name.starts_with("partition#");
            let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            if told.insert(path.clone()) {
                self.2 += 1;
                let kind = kind_of(name, is_folder);
                let browsable = kind != FlrItemKind::File;
                let path = path.trim_end_matches('@').to_owned();
                let item = FlrItem {
                    path,
                    kind,
                    browsable,
                    downloadable: !name.ends_with('@'),
                    remark: String::new(),
                    size: None,
                    modified: None,
                };
                if each(item).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn is_of_the_partition(error: &String) -> bool {
        !error.contains("unreachable")
    }
}

fn paths(items: &[FlrItem]) -> Vec<&str> {
    items.iter().map(|item| item.path.as_str()).collect()
}

fn look(files: &[&str], path: &str, pin: Option<(&str, usize)>) -> (Search, Session) {
    let mut session = Session::new(files);
    let looked = search(&mut session, &GuestPath::parse(path).unwrap(), pin).unwrap();
    (looked, session)
}

fn found(files: &[&str], path: &str) -> Vec<String> {
    look(files, path, None).0.found.into_iter().map(|item| item.path).collect()
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
fn a_pin_is_looked_at_alone_and_has_to_be_there() {
    let files = ["partition#2 Ext4/x", "partition#0 Ext4/data/x", "Disk#1/partition#0 NTFS/Data/Y/z"];
    assert_eq!(found(&files, "/data/x").len(), 2);
    let (looked, session) = look(&files, "/data/x", Some(("partition#2 Ext4", 1)));
    assert_eq!(
        (paths(&looked.found), session.1.as_slice()),
        (vec!["partition#2 Ext4/x"], &["".to_owned(), "partition#2 Ext4".to_owned()][..])
    );
    let place = |path: &str, pin: &str, names: usize| {
        let (looked, _) = look(&files, path, Some((pin, names)));
        assert!(!looked.pin_is_gone, "{pin}");
        paths(&looked.found).join(" ")
    };
    assert_eq!(place("/data", "/partition#0 EXT4/", 1), "partition#0 Ext4", "the place itself");
    assert_eq!(place("/srv/x", "partition#0 Ext4/data", 1), "partition#0 Ext4/data/x", "a folder of it");
    assert_eq!(place("D:\\y\\Z", "disk#1/partition#0 ntfs/data", 0), "Disk#1/partition#0 NTFS/Data/Y/z");
    assert_eq!(
        place("/y/Z", "Disk#1/partition#0 NTFS/data", 0),
        "Disk#1/partition#0 NTFS/Data/Y/z",
        "by its file system"
    );
    assert_eq!(place("/data/X", "partition#2 Ext4", 1), "", "not there, but the place is");
    for gone in ["partition#7 Ext4", "partition#2 Ext4/y", "partition#2 Ext4/x", "", "/"] {
        let (looked, _) = look(&files[..2], "/data/x", Some((gone, 1)));
        assert!(looked.pin_is_gone && looked.found.is_empty(), "{gone}: {looked:?}");
        assert_eq!(paths(&looked.partitions).len(), 2, "{gone}: what there is");
    }
}

#[test]
fn disks_may_stand_above_partitions() {
    let files = [
        "Disk#0/partition#0 NTFS/Boot/BCD",
        "Disk#0/partition#1 NTFS/Users/j/App.conf",
        "Disk#1/partition#0 Ext4/etc/x",
        "partition#3 XFS/vg_fat-data/y",
    ];
    assert_eq!(found(&files, "C:\\users\\J\\app.CONF"), ["Disk#0/partition#1 NTFS/Users/j/App.conf"]);
    assert_eq!(found(&files, "/etc/x"), ["Disk#1/partition#0 Ext4/etc/x"]);
    assert_eq!(found(&files, "/ETC/x"), [""; 0]);
    let all = ["partition#3 XFS", "Disk#0/partition#0 NTFS", "Disk#0/partition#1 NTFS", "Disk#1/partition#0 Ext4"];
    assert_eq!(found(&files, "/"), all);
    assert_eq!(found(&files, "C:\\"), all);
    let (looked, _) = look(&files, "/nosuch/x", None);
    assert_eq!(paths(&looked.partitions), all);
}

#[test]
fn case_is_a_matter_of_the_file_system() {
    // By the last word of the partition's name alone.
    let files =
        ["partition#0 vg_fat-root XFS/Etc/x", "partition#1 FAT32/EFI/Boot", "partition#2 ntfs/Straße/Größe/ΣΑΣ"];
    assert_eq!(found(&files, "/etc/x"), [""; 0]);
    assert_eq!(found(&files, "/boot/efi/efi/boot"), ["partition#1 FAT32/EFI/Boot"]);
    assert_eq!(found(&files, "/STRAßE/gRÖSSE/x"), [""; 0], "no letter for two");
    assert_eq!(found(&files, "d:/STRAßE/GRÖßE/σας"), ["partition#2 ntfs/Straße/Größe/ΣΑΣ"], "as NTFS folds it");
    // A folder in which case counts after all, or a guest that is no Windows.
    let twice = ["partition#0 NTFS/d/App.conf", "partition#0 NTFS/d/APP.CONF"];
    assert_eq!(found(&twice, "C:/d/App.conf"), ["partition#0 NTFS/d/App.conf"], "as it is spelled");
    assert_eq!(found(&twice, "C:/d/app.conf").len(), 2);
}

#[test]
fn a_name_is_not_a_pattern_and_not_tidied() {
    let files = [
        "partition#0 Ext4/d/a*",
        "partition#0 Ext4/d/ab",
        "partition#0 Ext4/d/x.",
        "partition#0 Ext4/d/ x",
        "partition#0 Ext4/d/[a]?",
    ];
    for name in ["a*", "ab", "x.", " x", "[a]?"] {
        assert_eq!(found(&files, &format!("/d/{name}")), [format!("partition#0 Ext4/d/{name}")]);
    }
    for name in ["*", "x", "x. ", "?b"] {
        assert_eq!(found(&files, &format!("/d/{name}")), [""; 0]);
    }
    // Two spellings of one letter are two names; the listing shows which one to copy.
    assert_eq!(found(&["partition#0 Ext4/o\u{308}"], "/\u{f6}"), [""; 0]);
}

#[test]
fn a_folder_and_a_file_of_one_name_are_two_things() {
    let (looked, _) = look(&["partition#0 Ext4/srv/x/y", "partition#1 Ext4/x"], "/srv/x", None);
    assert_eq!(paths(&looked.found), ["partition#0 Ext4/srv/x", "partition#1 Ext4/x"]);
}

#[test]
fn each_folder_is_listed_once_and_the_search_stops_where_it_can() {
    let deep = "partition#4 Ext4/a/b/c/d/e/f/g/h";
    let files = [
        "partition#0 Ext4/grub/x",
        "partition#1 Ext4/h/x",
        "partition#2 XFS/a/x",
        "partition#3 XFS/z",
        deep,
        "partition#4 Ext4/a/z",
        "partition#4 Ext4/a/b/c/d/e/f/g/i",
    ];
    let (looked, session) = look(&files, "/a/b/c/d/e/f/g/h", None);
    // `/a/b/c/d/e/f/g/h` may be the root of the partition that has a folder h, as far as anybody can tell.
    assert_eq!(paths(&looked.found), ["partition#1 Ext4/h", deep]);
    assert_eq!(session.1.len(), 1 + 5 + 1 + 7, "the partitions, their roots, a of number 2, the folders of the path");
    let same = "partition#0 Ext4/a/a/a/a";
    assert_eq!(found(&[same], "/a/a/a"), ["partition#0 Ext4/a", "partition#0 Ext4/a/a", "partition#0 Ext4/a/a/a"]);
    let many: Vec<String> = (0..10_000).map(|nr| format!("partition#0 Ext4/d/f{nr}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let (_, session) = look(&many, "/d/f3", None);
    assert_eq!(session.2, 1 + 1 + 4, "no more is read once it is found");
    let (looked, session) = look(&many, "C:\\D\\F3", None);
    assert_eq!(
        (paths(&looked.found), session.2),
        (vec!["partition#0 Ext4/d/f3"], 1 + 1 + 10_000),
        "it may still come as spelled"
    );
}

#[test]
fn what_may_explain_that_nothing_is_found() {
    let files =
        ["partition#0 Ext4/usr/bin/x", "partition#0 Ext4/bin@", "partition#1 Swap!/", "partition#2 Ext4/var/log/y"];
    let (looked, _) = look(&files, "/bin/x", None);
    assert_eq!((paths(&looked.barred), looked.reached), (vec!["partition#0 Ext4/bin"], 0));
    assert_eq!(
        (paths(&looked.unread), paths(&looked.partitions)),
        (vec!["partition#1 Swap!"], vec!["partition#0 Ext4", "partition#2 Ext4"])
    );
    let (looked, _) = look(&files, "/var/log/z/y", None);
    assert_eq!((looked.reached, looked.barred.len()), (2, 0));
    let path = GuestPath::parse("/var/log/z/y").unwrap();
    assert_eq!(
        (path.beginning(2), path.beginning(0), path.beginning(9)),
        ("/var/log".into(), "/".into(), "/var/log/z/y".into())
    );
    assert_eq!(GuestPath::parse("c:\\Users\\j").unwrap().beginning(1), "C:\\Users");
    let mut unreachable = Session::new(&["partition#0 unreachable!/"]);
    assert!(search(&mut unreachable, &path, None).is_err(), "that is no matter of the partition");
    let (looked, _) = look(&["partition#0 Ext4/a/b/x@"], "/a/b/x/y", None);
    assert_eq!((paths(&looked.barred), looked.reached), (vec!["partition#0 Ext4/a/b/x"], 2));
}

#[test]
fn the_setting_that_tells_two_places_apart_works() {
    for (path, place, line) in [
        ("/var/log/m", "partition#1 XFS/log/m", r#""web01:/var/log" = "partition#1 XFS/log""#),
        ("/m", "partition#1 XFS/m", r#""web01:/" = "partition#1 XFS""#),
        ("/", "partition#1 XFS", r#""web01:/" = "partition#1 XFS""#),
        ("c:\\Users\\j", "partition#1 NTFS/Users/j", r#""web01:C:/Users" = "partition#1 NTFS/Users""#),
        ("C:\\x", "Disk#0/partition#1 NTFS/x", r#""web01:C:/" = "Disk#0/partition#1 NTFS""#),
        ("/a\"\\b/x", "partition#1 XFS/a\"\\b/x", r#""web01:/a\"\\b" = "partition#1 XFS/a\"\\b""#),
    ] {
        let path = GuestPath::parse(path).unwrap();
        assert_eq!(path.setting("web01", place), line);
        let read: toml::Table = line.parse().unwrap();
        let (key, value) = read.iter().next().unwrap();
        let pin = pinned([(key.as_str(), value.as_str().unwrap())], "web01", &path).unwrap();
        let mut session = Session::new(&[place, "partition#9 Ext4/x"]);
        assert_eq!(paths(&search(&mut session, &path, Some(pin)).unwrap().found), [place], "{line}");
    }
}

/// A guest whose root is known by its folders: `/`, `/var`, `/var/lib/pg`, `/boot`, `/boot/efi`, and one that is nowhere.
const REAL: [&str; 20] = [
    "partition#0 Ext4/etc/app.yaml",
    "partition#0 Ext4/proc/",
    "partition#0 Ext4/dev/",
    "partition#0 Ext4/boot/",
    "partition#0 Ext4/var/",
    "partition#0 Ext4/tmp/x",
    "partition#0 Ext4/bin@",
    "partition#0 Ext4/usr/bin/sh",
    "partition#0 Ext4/srv/bin",
    "partition#0 Ext4/opt/app/etc/app.yaml",
    "partition#0 Ext4/data/",
    "partition#1 XFS/lib/pg/",
    "partition#1 XFS/tmp/y",
    "partition#1 XFS/etc/x",
    "partition#1 XFS/log/m",
    "partition#2 XFS/base/1",
    "partition#2 XFS/etc/app.yaml",
    "partition#3 Ext4/efi/",
    "partition#3 Ext4/grub/grub.cfg",
    "partition#4 FAT32/EFI/boot/x.efi",
];

#[test]
fn where_the_root_is_known_nothing_else_is_taken_for_the_path() {
    for (path, place) in [
        ("/etc/app.yaml", "partition#0 Ext4/etc/app.yaml"),
        ("/tmp/x", "partition#0 Ext4/tmp/x"),
        ("/var/tmp/y", "partition#1 XFS/tmp/y"),
        ("/var/tmp/x", ""),
        ("/var/log/m", "partition#1 XFS/log/m"),
        ("/log/m", ""),
        ("/lib/pg", ""),
        ("/var/lib/pg", "partition#1 XFS/lib/pg"),
        ("/var/lib/pg/base/1", "partition#2 XFS/base/1"),
        ("/srv/db/pg/base/1", ""),
        ("/srv/bin", "partition#0 Ext4/srv/bin"),
        ("/opt/app/etc/app.yaml", "partition#0 Ext4/opt/app/etc/app.yaml partition#2 XFS/etc/app.yaml"),
        ("/opt/none/etc/app.yaml", ""),
        ("/boot/grub/grub.cfg", "partition#3 Ext4/grub/grub.cfg"),
        ("/boot/efi/efi/BOOT/x.EFI", "partition#4 FAT32/EFI/boot/x.efi"),
        // Whatever may be mounted at a folder that is there.
        ("/var/etc/x", "partition#1 XFS/etc/x"),
        ("/data/base/1", "partition#2 XFS/base/1"),
        ("/data/etc/app.yaml", "partition#2 XFS/etc/app.yaml"),
        ("/data/x", ""),
    ] {
        assert_eq!(found(&REAL, path).join(" "), place, "{path}");
    }
    let (looked, _) = look(&REAL, "/var/lib/none/x", None);
    assert_eq!(looked.reached, 2, "over the mount point");
    let (looked, _) = look(&REAL, "/bin/sh", None);
    assert_eq!(paths(&looked.barred), ["partition#0 Ext4/bin"]);
    // What is found twice still is.
    let stale: Vec<&str> = REAL.into_iter().chain(["partition#0 Ext4/var/log/m"]).collect();
    assert_eq!(found(&stale, "/var/log/m"), ["partition#0 Ext4/var/log/m", "partition#1 XFS/log/m"]);
    let two: Vec<&str> = REAL
        .into_iter()
        .chain(["partition#9 Ext4/etc/app.yaml", "partition#9 Ext4/proc/", "partition#9 Ext4/dev/"])
        .collect();
    assert_eq!(found(&two, "/etc/app.yaml"), ["partition#0 Ext4/etc/app.yaml", "partition#9 Ext4/etc/app.yaml"]);
    // A root whose names are what is asked for.
    assert_eq!(found(&REAL, "/etc"), ["partition#0 Ext4/etc"]);
    assert_eq!(found(&REAL, "/proc"), ["partition#0 Ext4/proc"]);
    assert_eq!(found(&REAL, "/").len(), 5);
    let (_, session) = look(&REAL, "/var/lib/pg/base/1", None);
    assert_eq!(session.1.len(), 1 + 5 + 1 + 2 + 1, "{:?}", session.1);
}

#[test]
fn the_drive_that_windows_is_on_is_c() {
    let system = [
        "partition#0 NTFS/Boot/BCD",
        "partition#1 NTFS/WINDOWS/x",
        "partition#1 NTFS/Users/j",
        "partition#1 NTFS/data/x",
        "partition#2 NTFS/Data/x",
        "partition#2 NTFS/Data/y",
        "partition#3 NTFS/data/y",
    ];
    for (path, places) in [
        ("C:/data/x", &["partition#1 NTFS/data/x"][..]),
        ("d:/data/x", &["partition#2 NTFS/Data/x"]),
        ("C:/data/y", &[]),
        ("D:/data/y", &["partition#2 NTFS/Data/y", "partition#3 NTFS/data/y"]),
        ("D:/Users/j", &[]),
        ("C:/boot/bcd", &[]),
        ("C:/windows", &["partition#1 NTFS/WINDOWS"]),
    ] {
        assert_eq!(found(&system, path), places, "{path}");
    }
    assert_eq!(found(&system, "C:/").len(), 4);
    assert_eq!(found(&system[4..], "C:/data/x"), ["partition#2 NTFS/Data/x"], "where it is not told, all may be");
}
