//! A lock that one process of the user holds at a time, and that dies with it.
//!
//! Owns: `<state>/locks/*.lock`. The lock is the kernel's (flock) on an open file, so a killed holder frees it and
//! nothing has to be cleaned up. Lock files are never deleted: two processes could then hold "the same" lock on two files.

use super::{FLAGS, LOCKED, StateError, file_name, unfit};
use crate::deadline::Deadline;
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

/// The longest pause between two looks.
const PAUSE: Duration = Duration::from_millis(50);

/// A lock that is held until this is dropped.
#[derive(Debug)]
pub struct Lock {
    // Closing the file frees the lock. It is close-on-exec, so no program that we start keeps it.
    _file: File,
}

impl Lock {
    pub(super) fn take(folder: &Path, name: &str, deadline: Deadline) -> Result<Self, StateError> {
        let path = folder.join(format!("{}.lock", file_name(name)));
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .custom_flags(FLAGS)
            .open(&path)
            .map_err(|e| StateError::io(&path, "opened", &e))?;
        let about = file.metadata().map_err(|e| StateError::io(&path, "looked at", &e))?;
        if let Some(why) = unfit(&about) {
            return Err(StateError::io(&path, LOCKED, &std::io::Error::other(why)));
        }
        // flock has no time-out, so it is asked again and again.
        let mut pause = Duration::from_millis(1);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(e)) => return Err(StateError::io(&path, LOCKED, &e)),
            }
            if !deadline.sleep(pause) {
                return Err(StateError::Busy { path });
            }
            pause = (pause * 2).min(PAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::StateDir;
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    use std::time::Instant;

    fn after(millis: u64) -> Deadline {
        Deadline::after(Duration::from_millis(millis))
    }

    #[test]
    fn one_at_a_time_and_names_apart() {
        let outer = tempfile::tempdir().unwrap();
        let state = StateDir::at(outer.path().join("s"));
        let held = state.lock("vpg/../x", after(0)).unwrap();
        let started = Instant::now();
        assert!(matches!(state.lock("vpg/../x", after(120)), Err(StateError::Busy { .. })));
        assert!(started.elapsed() >= Duration::from_millis(120));
        assert!(state.lock("vpg/../y", after(0)).is_ok());
        std::thread::scope(|s| {
            let waits = s.spawn(|| state.lock("vpg/../x", after(5000)).map(drop));
            std::thread::sleep(Duration::from_millis(80));
            drop(held);
            assert!(waits.join().unwrap().is_ok());
        });
    }

    #[test]
    fn threads_take_turns() {
        let outer = tempfile::tempdir().unwrap();
        let state = StateDir::at(outer.path().join("s"));
        let inside = std::sync::atomic::AtomicI32::new(0);
        std::thread::scope(|s| {
            for _ in 0..6 {
                s.spawn(|| {
                    let _lock = state.lock("x", after(20_000)).unwrap();
                    assert_eq!(inside.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0);
                    std::thread::sleep(Duration::from_millis(5));
                    inside.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                });
            }
        });
    }

    /// Not a test of its own: the process that [`a_killed_holder_frees_it`] starts and kills.
    #[test]
    fn holder() {
        let Some(folder) = std::env::var_os("ZERTO_GUARD_TEST_HOLD") else {
            return;
        };
        let _lock = StateDir::at(folder.into()).lock("x", after(5000)).unwrap();
        println!("\nheld");
        let _ = std::io::stdin().read(&mut [0]);
    }

    #[test]
    fn a_killed_holder_frees_it() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("s");
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["state::lock::tests::holder", "--exact", "--nocapture"])
            .env("ZERTO_GUARD_TEST_HOLD", &folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap() == "held"));
        let state = StateDir::at(folder);
        assert!(state.lock("x", after(100)).is_err(), "another process holds it");
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(state.lock("x", after(1000)).is_ok());
    }

    #[test]
    fn of_a_lock_that_others_could_hold_it_is_said_what_to_do() {
        use std::os::unix::fs::PermissionsExt as _;
        let outer = tempfile::tempdir().unwrap();
        let state = StateDir::at(outer.path().join("s"));
        drop(state.lock("x", after(1000)).unwrap());
        let file = state.folder("locks").unwrap().join(format!("{}.lock", file_name("x")));
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        let error = state.lock("x", after(1000)).unwrap_err();
        assert!(error.to_string().contains("open to others (mode 0644"), "{error}");
        assert!(error.hint().contains(&format!("chmod 600 '{}'", file.display())), "{}", error.hint());
    }

    #[test]
    fn a_symlink_in_the_way_is_not_followed() {
        let outer = tempfile::tempdir().unwrap();
        let state = StateDir::at(outer.path().join("s"));
        let target = outer.path().join("target");
        let link = state.folder("locks").unwrap().join(format!("{}.lock", file_name("x")));
        std::os::unix::fs::symlink(&target, link).unwrap();
        assert!(matches!(state.lock("x", after(10)), Err(StateError::Io { .. })));
        assert!(!target.exists());
    }
}
