//! What judging may look at on the disk, read within bounds.
//!
//! The middle of the house is pure: it asks through `classify::Surroundings`, which `hook` and `check` answer from the disk and tests
//! from tables. Nothing here writes, runs or connects.

pub mod mount_table;
mod own_disk;

use crate::classify::disks::MountPoint;
use crate::classify::targets::Places;
use crate::classify::{Found, Session, Surroundings};
use crate::config::Config;
use crate::state::sessions::Sessions;
use jiff::Timestamp;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Component, Path, PathBuf};

/// What a person has said of machines and folders, as judging wants it.
#[must_use]
pub fn places(config: &Config) -> Places {
    Places {
        hosts: config.hosts.clone(),
        unguarded: config.unguarded.clone(),
        mounts: config.mounts.clone(),
        this_vm: config.guard.this_vm.clone(),
    }
}

/// The disk of this machine.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    /// The home folder of the agent's user.
    pub home: Option<PathBuf>,
    /// What was noted in this session of the agent; none where there is no such session.
    pub sessions: Option<Sessions>,
}

impl Surroundings for Disk {
    fn file(&self, path: &str) -> Found {
        match Path::new(path).symlink_metadata() {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Found::Nothing,
            _ => read_file(path).map_or(Found::Unreadable, Found::File),
        }
    }

    fn home(&self) -> Option<String> {
        self.home.as_ref().map(|home| home.to_string_lossy().into_owned())
    }

    fn folder(&self, path: &str) -> Option<Vec<String>> {
        let entries = match std::fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Some(vec![]);
            }
            Err(_) => return None,
        };
        let mut names = Vec::new();
        for entry in entries {
            if names.len() >= MOST_NAMES {
                return None;
            }
            names.push(entry.ok()?.file_name().into_string().ok()?);
        }
        Some(names)
    }

    fn session(&self, server: &str, id: &str) -> Session {
        match self.sessions.as_ref().and_then(|sessions| sessions.find(server, id, Timestamp::now())) {
            None => Session::Unseen,
            Some(guests) if guests.is_empty() => Session::Doubtful,
            Some(guests) => Session::On(guests),
        }
    }

    fn mount_points(&self) -> Vec<MountPoint> {
        // Names in it need not be UTF-8; those that are not are no names of machines.
        std::fs::read(mount_table::FILE).map_or(vec![], |bytes| mount_table::read(&String::from_utf8_lossy(&bytes)))
    }

    fn real_path(&self, path: &str) -> String {
        real_path(Path::new(path)).0.to_string_lossy().into_owned()
    }

    fn is_own_file(&self, path: &str) -> bool {
        own_disk::is_own_file(Path::new(path))
    }
}

/// The system follows 40. A tool that follows some by itself and leaves the rest to the system comes farther; nobody means to.
const MOST_LINKS: usize = 100;

impl Disk {
    /// See [`Surroundings::real_path`]; and what of it is there, as far as that was seen.
    #[must_use]
    pub fn real_place(&self, path: &str) -> (String, PathBuf) {
        let (real, unseen) = real_path(Path::new(path));
        let there = real.ancestors().nth(unseen).unwrap_or(&real).to_owned();
        (real.to_string_lossy().into_owned(), there)
    }
}

/// Where a path really leads, and how many parts at its end are not there or were not looked at. Behind a part that is not there, or can't be looked at, the rest is taken as it is written; a link
/// whose target is not there yet leads to where it would be.
fn real_path(path: &Path) -> (PathBuf, usize) {
    let mut real = PathBuf::from("/");
    // What is still to be gone through, the next one last.
    let mut parts: Vec<OsString> = Vec::new();
    let push = |parts: &mut Vec<OsString>, path: &Path| {
        let names = path.components().rev().filter_map(|part| match part {
            Component::Normal(_) | Component::ParentDir => Some(part.as_os_str().to_owned()),
            _ => None,
        });
        parts.extend(names);
    };
    if path.is_relative() {
        push(&mut parts, path);
        push(&mut parts, &std::env::current_dir().unwrap_or_default());
    } else {
        push(&mut parts, path);
    }
    // How many parts of what is there now nobody has looked at.
    let (mut unseen, mut links) = (0_usize, 0);
    while let Some(part) = parts.pop() {
        if part == ".." {
            // Behind a link that was followed, this leaves its target, as it does for the system.
            real.pop();
            unseen = unseen.saturating_sub(1);
            continue;
        }
        real.push(part);
        if unseen > 0 {
            unseen += 1;
            continue;
        }
        match real.read_link() {
            Ok(target) if links < MOST_LINKS => {
                links += 1;
                real.pop();
                if target.is_absolute() {
                    real = PathBuf::from("/");
                }
                push(&mut parts, &target);
            }
            // It is there, and no link.
            Err(error) if error.kind() == ErrorKind::InvalidInput => {}
            _ => unseen = 1,
        }
    }
    (real, unseen)
}

/// No folder that is listed to judge a call holds more.
const MOST_NAMES: usize = 1024;

/// No file that is read to judge a call is longer.
const LONGEST: u64 = 256 * 1024;

fn read_file(path: &str) -> Option<Vec<u8>> {
    // Non-blocking, so that a FIFO in its place does not hold the hook.
    let flags = libc::O_NONBLOCK | libc::O_CLOEXEC;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    let about = file.metadata().ok()?;
    if !about.is_file() || about.len() > LONGEST {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= LONGEST).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_path_longer_than_the_system_follows_the_beginning_is() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap();
        std::fs::create_dir(real.join("disk")).unwrap();
        std::os::unix::fs::symlink(real.join("disk"), real.join("link")).unwrap();
        let long = "/a".repeat(32_000);
        let started = std::time::Instant::now();
        assert_eq!(
            Disk::default().real_path(&format!("{}{long}", real.join("link").display())),
            format!("{}{long}", real.join("disk").display())
        );
        assert!(started.elapsed() < std::time::Duration::from_secs(3), "{:?}", started.elapsed());
        assert_eq!(Disk::default().real_path(&format!("/{}", "x".repeat(9_000))), format!("/{}", "x".repeat(9_000)));
        let ups = "/..".repeat(3) + &"/x/..".repeat(20_000) + "/etc";
        assert_eq!(Disk::default().real_path(&ups), "/etc");
    }

    #[test]
    fn folders_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_string_lossy().into_owned();
        assert_eq!(Disk::default().folder(&path), Some(vec![]));
        std::fs::write(folder.path().join("b"), "").unwrap();
        assert_eq!(Disk::default().folder(&path), Some(vec!["b".to_owned()]));
        assert_eq!(Disk::default().folder(&format!("{path}/none")), Some(vec![]));
        assert_eq!(Disk::default().folder(&format!("{path}/b")), Some(vec![]));
        for number in 0..MOST_NAMES {
            std::fs::write(folder.path().join(number.to_string()), "").unwrap();
        }
        assert_eq!(Disk::default().folder(&path), None);
    }

    #[test]
    fn links_are_followed_and_new_files_kept() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap();
        std::fs::create_dir(real.join("disk")).unwrap();
        std::os::unix::fs::symlink(real.join("disk"), real.join("link")).unwrap();
        let asked = real.join("link/new/file").to_string_lossy().into_owned();
        assert_eq!(Disk::default().real_path(&asked), real.join("disk/new/file").to_string_lossy());
        assert_eq!(Disk::default().real_path("/"), "/");
        // The kernel goes through the link first, so `..` is the target's parent.
        let asked = real.join("project/../link/../x");
        assert_eq!(Disk::default().real_path(&asked.to_string_lossy()), real.join("x").to_string_lossy());
        std::fs::create_dir_all(real.join("disk/deep")).unwrap();
        std::os::unix::fs::symlink(real.join("disk/deep"), real.join("far")).unwrap();
        // A dead link leads to where its target would be.
        std::os::unix::fs::symlink("none/yet", real.join("dead")).unwrap();
        assert_eq!(
            Disk::default().real_path(&real.join("dead/x").to_string_lossy()),
            real.join("none/yet/x").to_string_lossy()
        );
        // What is not there and left again hides no link behind it.
        assert_eq!(
            Disk::default().real_path(&real.join("none/x/../../link/x").to_string_lossy()),
            real.join("disk/x").to_string_lossy()
        );
        std::fs::write(real.join("file"), "").unwrap();
        assert_eq!(
            Disk::default().real_path(&real.join("file/../link/x").to_string_lossy()),
            real.join("disk/x").to_string_lossy()
        );
        // A tool that reads the first link by itself still gets to the end of those that are one too many for the system.
        for number in 0..60 {
            std::os::unix::fs::symlink(format!("link{}", number + 1), real.join(format!("link{number}"))).unwrap();
        }
        std::os::unix::fs::symlink("disk/x", real.join("link60")).unwrap();
        assert_eq!(
            Disk::default().real_path(&real.join("link0").to_string_lossy()),
            real.join("disk/x").to_string_lossy()
        );
        std::os::unix::fs::symlink("round", real.join("round")).unwrap();
        Disk::default().real_path(&real.join("round/x").to_string_lossy());
        let asked = real.join("far/../new/x");
        assert_eq!(Disk::default().real_path(&asked.to_string_lossy()), real.join("disk/new/x").to_string_lossy());
    }
}
