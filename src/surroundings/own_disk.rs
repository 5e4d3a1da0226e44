//! Whether a file surely lies on a disk of this machine, told without the table of mounts: to make that table takes the system
//! longer than all else that a call needs which writes a file.

use std::path::Path;

/// Whether a path is that of a file, there or not, on a file system that does not come over the network. `false` where that is
/// not sure, and where something may be mounted below it.
#[cfg(target_os = "linux")]
pub fn is_own_file(path: &Path) -> bool {
    // A `..` behind something that is not there leads anywhere.
    if !path.is_absolute() || path.components().any(|part| part == std::path::Component::ParentDir) {
        return false;
    }
    // Behind a slash or dot at the end the system follows a link, which many tools take away before they write.
    let path: &Path = &path.components().collect::<std::path::PathBuf>();
    for part in path.ancestors() {
        match part.symlink_metadata() {
            // A link may lead to what is not there yet.
            Ok(about) if about.is_symlink() || (part == path && !about.is_file()) => return false,
            Ok(_) => return is_local(part),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(_) => return false,
        }
    }
    false
}

/// Nothing is known of other systems' disks, nor of what is mounted there.
#[cfg(not(target_os = "linux"))]
pub fn is_own_file(_path: &Path) -> bool {
    false
}

/// Whether what lies at a path lies on a file system that has its data on this machine (statfs(2)).
#[cfg(target_os = "linux")]
fn is_local(path: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt as _;
    // ext2 to ext4, XFS, Btrfs, F2FS, ZFS, tmpfs, overlayfs (whose layers count as this machine's, as in the table of mounts).
    const LOCAL: [u32; 7] = [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x2fc1_2fc1, 0x0102_1994, 0x794c_7630];
    let Ok(path) = std::ffi::CString::new(path.as_os_str().as_bytes()) else { return false };
    // SAFETY: the path ends with a zero, and the structure is only read where it was filled in.
    unsafe {
        let mut about: libc::statfs = std::mem::zeroed();
        // The kinds are numbers of 32 bits, whose sign depends on the machine's kind.
        libc::statfs(path.as_ptr(), &raw mut about) == 0 && LOCAL.contains(&(about.f_type as u32))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_ours_wherever_no_link_or_mount_can_lead_it_away() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::write(root.join("file"), "").unwrap();
        std::fs::create_dir(root.join("folder")).unwrap();
        std::fs::write(root.join("folder/file"), "").unwrap();
        std::os::unix::fs::symlink("/nowhere/x", root.join("dead")).unwrap();
        std::os::unix::fs::symlink(root.join("folder"), root.join("link")).unwrap();
        for (path, own) in [
            ("file", true),
            ("new", true),
            ("none/new", true),
            ("folder/new", true),
            ("link/file", true),
            ("link/new", false),
            ("folder", false),
            ("dead", false),
            ("dead/", false),
            ("dead/.", false),
            ("dead//./", false),
            ("file/", true),
            ("new/.", true),
            ("dead/new", false),
            ("link", false),
            ("none/../new", false),
            ("file/new", false),
        ] {
            assert_eq!(is_own_file(&root.join(path)), own, "{path}");
        }
        assert!(!is_own_file(Path::new("/proc/self/new")), "no disk");
        assert!(!is_own_file(Path::new("relative")));
        assert!(!is_own_file(Path::new("/")));
    }
}
