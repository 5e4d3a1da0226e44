//! Reads a file whose word counts, and refuses one that somebody else could have written.
//!
//! A config, a catalog or a certificate decides what passes unguarded, so whoever can write it, or swap it in its folder, holds the
//! guard. Must not: know what is in the file.

use super::permissions::own_user;
use crate::text::path_text;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// No config or catalog is this long; a longer file is a mistake, or an attempt to keep the guard busy.
const MOST: u64 = 4 << 20;

/// The kernel follows no more links than that.
const MOST_LINKS: usize = 40;

/// Why a file is not read.
#[derive(Debug, Error)]
#[error("{}", said(path, fault))]
pub struct FileFault {
    /// The file.
    pub path: String,
    /// What is wrong with it, and how it is mended.
    pub fault: String,
}

/// A file and what is wrong with it, as one sentence.
fn said(path: &str, fault: &str) -> String {
    let goes_on = ["is ", "can't be ", "lies "].iter().any(|begins| fault.starts_with(begins));
    if goes_on { format!("{path} {fault}") } else { format!("{path}: {fault}") }
}

/// Whose file it is, which decides who may be able to write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The user's or the administrator's: nobody else may be able to write it.
    Ours,
    /// The project's own: whoever can write the project can write it.
    Projects,
}

/// Reads a text file; none if there is none.
///
/// # Errors
/// If it can't be read, is no regular file, is too long, is not UTF-8, or others can write it or its folder.
pub fn read(path: &Path, whose: Whose) -> Result<Option<String>, FileFault> {
    let fault = |fault: String| FileFault { path: path_text(path), fault };
    // Non-blocking, so that a FIFO in its place does not hold the hook until the host lets the call run.
    let opened = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_CLOEXEC).open(path);
    let file = match opened {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound) => {
            // A link that leads nowhere is a file that somebody meant to be there.
            return match path.ancestors().find(|part| part.symlink_metadata().is_ok()) {
                Some(there) if there.metadata().is_err() => {
                    let what = if there == path {
                        "is a link".to_owned()
                    } else {
                        format!("lies behind {}, a link", path_text(there))
                    };
                    Err(fault(format!("{what} to something that is not there")))
                }
                _ => Ok(None),
            };
        }
        Err(error) => return Err(fault(format!("can't be read: {error}"))),
    };
    let about = file.metadata().map_err(|error| fault(format!("can't be read: {error}")))?;
    if !about.is_file() {
        return Err(fault("is no regular file".into()));
    }
    if about.len() > MOST {
        return Err(fault(format!("is longer than {} MiB", MOST >> 20)));
    }
    if whose == Whose::Ours {
        check(path, &about).map_err(|(path, text)| FileFault { path: path_text(&path), fault: text })?;
    }
    text_of(file, &about).map(Some).map_err(fault)
}

fn text_of(file: File, about: &Metadata) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(usize::try_from(about.len()).unwrap_or(0) + 1);
    file.take(MOST + 1).read_to_end(&mut bytes).map_err(|error| format!("can't be read: {error}"))?;
    if bytes.len() as u64 > MOST {
        return Err(format!("is longer than {} MiB", MOST >> 20));
    }
    String::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_owned())
}

/// Refuses a file if others can write it, its folder, or one of the folders through which its links lead.
pub(super) fn check(path: &Path, about: &Metadata) -> Result<(), (PathBuf, String)> {
    only_ours(path, about, "file")?;
    let mut folders = vec![path.parent().map(Path::to_owned)];
    // Each link on the way lies in a folder too, in which it could be turned elsewhere.
    let mut link = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = link.read_link() else { break };
        link = link.parent().unwrap_or(Path::new(".")).join(target);
        folders.push(link.parent().map(Path::to_owned));
    }
    if folders.len() > 1 {
        let target = path.canonicalize().map_err(|error| (path.to_owned(), format!("can't be read: {error}")))?;
        folders.push(target.parent().map(Path::to_owned));
    }
    for folder in folders.into_iter().flatten() {
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        let about = folder.metadata().map_err(|error| (folder.clone(), format!("can't be read: {error}")))?;
        only_ours(&folder, &about, "folder")?;
    }
    Ok(())
}

/// Refuses what somebody but its owner (this user or root) can write.
fn only_ours(path: &Path, about: &Metadata, what: &str) -> Result<(), (PathBuf, String)> {
    let refuse = |text: String| Err((path.to_owned(), text));
    // Cleaned where it is said, since each call comes by here several times.
    let shown = || path_text(path);
    let me = own_user();
    if about.uid() != me && about.uid() != 0 {
        return refuse(format!(
            "this {what} belongs to another user (uid {}), who can write it; mend it with: chown {me} '{}'",
            about.uid(),
            shown()
        ));
    }
    // In a sticky folder (/tmp) others can add files, but neither remove nor rename this one.
    if what == "folder" && about.mode() & 0o1000 != 0 {
        return Ok(());
    }
    if about.mode() & 0o002 != 0 {
        return refuse(format!("everybody can write this {what}; mend it with: chmod go-w '{}'", shown()));
    }
    if about.mode() & 0o020 != 0 && has_acl(path) {
        return refuse(format!("an access list lets others write this {what}; mend it with: setfacl -b '{}'", shown()));
    }
    if about.mode() & 0o020 != 0 && !is_private_group(about.uid(), about.gid()) {
        return refuse(format!(
            "the members of group {} can write this {what}; mend it with: chmod go-w '{}'",
            about.gid(),
            shown()
        ));
    }
    Ok(())
}

/// Whether an access list names more users or groups than the mode shows: the group's bits are then its mask.
#[cfg(target_os = "linux")]
fn has_acl(path: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt as _;
    let Ok(path) = std::ffi::CString::new(path.as_os_str().as_bytes()) else { return true };
    // SAFETY: both names end with a zero, and nothing is written where the size is zero.
    unsafe { libc::getxattr(path.as_ptr(), c"system.posix_acl_access".as_ptr(), std::ptr::null_mut(), 0) >= 0 }
}

#[cfg(not(target_os = "linux"))]
fn has_acl(_path: &Path) -> bool {
    false
}

/// Whether the group is its owner's own and has no other member, as many systems give each user one.
///
/// Read from the files themselves: the C library's look-up may ask a directory server, and does not work in a static
/// binary everywhere. A user or group that is not in them is no private one.
fn is_private_group(owner: u32, group: u32) -> bool {
    let read = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
    private_group(&read("/etc/passwd"), &read("/etc/group"), owner, group)
}

fn private_group(passwd: &str, groups: &str, owner: u32, group: u32) -> bool {
    /// A row's fields; a field that is absent is empty.
    fn field(row: &str, at: usize) -> &str {
        row.split(':').nth(at).unwrap_or_default()
    }
    let has_id = |row: &str, at: usize, id: u32| field(row, at).parse() == Ok(id);
    let Some(name) = passwd.lines().find(|row| has_id(row, 2, owner)).map(|row| field(row, 0)) else {
        return false;
    };
    // Nobody else has it as the main group, and its list of members names nobody else.
    passwd.lines().filter(|row| has_id(row, 3, group)).all(|row| field(row, 0) == name)
        && groups.lines().any(|row| {
            has_id(row, 2, group)
                && field(row, 0) == name
                && field(row, 3).split(',').all(|member| member.is_empty() || member == name)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{Permissions, set_permissions, write};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        folder
    }

    fn mode(path: &Path, mode: u32) {
        set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn what_others_can_write_is_refused_with_the_command_that_mends_it() {
        let folder = folder();
        let file = folder.path().join("c.toml");
        write(&file, "x").unwrap();
        for (file_mode, folder_mode, whose, good) in [
            (0o600, 0o755, Whose::Ours, true),
            (0o644, 0o700, Whose::Ours, true),
            (0o646, 0o755, Whose::Ours, false),
            (0o644, 0o777, Whose::Ours, false),
            (0o644, 0o1777, Whose::Ours, true),
            (0o646, 0o777, Whose::Projects, true),
        ] {
            mode(&file, file_mode);
            mode(folder.path(), folder_mode);
            let read = read(&file, whose);
            assert_eq!(read.is_ok(), good, "{file_mode:o} {folder_mode:o} {read:?}");
            if let Err(fault) = read {
                assert!(fault.to_string().contains("chmod go-w"), "{fault}");
            }
        }
    }

    #[test]
    fn a_links_target_is_checked_and_its_folder_too() {
        let ours = folder();
        let theirs = folder();
        let target = theirs.path().join("t.toml");
        write(&target, "x").unwrap();
        let link = ours.path().join("c.toml");
        symlink(&target, &link).unwrap();
        assert_eq!(read(&link, Whose::Ours).unwrap().as_deref(), Some("x"));
        mode(theirs.path(), 0o777);
        assert!(read(&link, Whose::Ours).is_err());
        mode(theirs.path(), 0o755);
        mode(&target, 0o666);
        assert!(read(&link, Whose::Ours).is_err());
        std::fs::remove_file(&target).unwrap();
        assert!(read(&link, Whose::Ours).unwrap_err().to_string().contains("is a link to something that is not there"));
    }

    #[test]
    fn a_link_on_the_way_lies_where_nobody_else_can_turn_it() {
        let (ours, between, theirs) = (folder(), folder(), folder());
        write(theirs.path().join("t"), "x").unwrap();
        symlink(theirs.path().join("t"), between.path().join("l")).unwrap();
        symlink(between.path().join("l"), ours.path().join("c.toml")).unwrap();
        assert!(read(&ours.path().join("c.toml"), Whose::Ours).is_ok());
        mode(between.path(), 0o777);
        let fault = read(&ours.path().join("c.toml"), Whose::Ours).unwrap_err().to_string();
        assert!(fault.contains(&format!("chmod go-w '{}'", between.path().display())), "{fault}");
    }

    #[test]
    fn what_is_no_text_file_is_refused_and_what_is_absent_is_none() {
        let folder = folder();
        assert!(read(&folder.path().join("none"), Whose::Ours).unwrap().is_none());
        assert!(read(folder.path(), Whose::Ours).is_err());
        assert!(read(&folder.path().join("none/x/y"), Whose::Ours).unwrap().is_none());
        let file = folder.path().join("bin");
        write(&file, b"\xff\xfe").unwrap();
        assert!(read(&file, Whose::Ours).unwrap_err().to_string().contains("UTF-8"));
        write(&file, vec![b'#'; (MOST + 1) as usize]).unwrap();
        assert!(read(&file, Whose::Ours).unwrap_err().to_string().contains("longer than"));
        let fifo = folder.path().join("fifo");
        let status = std::process::Command::new("mkfifo").arg(&fifo).status().unwrap();
        assert!(status.success());
        assert!(read(&fifo, Whose::Ours).unwrap_err().to_string().contains("no regular file"));
    }

    #[test]
    fn a_folder_behind_a_dead_link_is_not_taken_for_absent() {
        let folder = folder();
        symlink(folder.path().join("unmounted"), folder.path().join("dotfiles")).unwrap();
        let fault = read(&folder.path().join("dotfiles/zerto-guard/c.toml"), Whose::Ours).unwrap_err().to_string();
        assert!(fault.contains("dotfiles, a link to something that is not there"), "{fault}");
    }

    #[test]
    fn an_access_list_is_seen_behind_the_mode() {
        let folder = folder();
        let file = folder.path().join("c.toml");
        write(&file, "x").unwrap();
        let set = std::process::Command::new("setfacl").args(["-m", "u:12345:rw"]).arg(&file).status();
        if !set.is_ok_and(|status| status.success()) {
            eprintln!("SKIPPED: access lists can't be set here");
            return;
        }
        assert!(read(&file, Whose::Ours).unwrap_err().to_string().contains("setfacl -b"));
    }

    #[test]
    fn a_private_group_has_one_user_only() {
        let passwd = "root:x:0:0::/root:/bin/sh\njo:x:1000:1000::/home/jo:/bin/sh\nal:x:1001:100::/:/bin/sh\nbo:x:1002:1003::/:/bin/sh\n";
        let groups = "root:x:0:\njo:x:1000:\nusers:x:100:jo\nal:x:1001:jo\nbo:x:1002:\n";
        assert!(private_group(passwd, groups, 1000, 1000));
        assert!(!private_group(passwd, groups, 1000, 100), "users is no private group");
        assert!(!private_group(passwd, groups, 1001, 1001), "jo is a member");
        assert!(!private_group(passwd, groups, 1234, 1000), "no such user");
        let shared = format!("{passwd}eve:x:1009:1000::/:/bin/sh\n");
        assert!(!private_group(&shared, groups, 1000, 1000), "eve's main group is jo's");
    }
}
