//! Another program, run within a time limit: its output and how it ended.
//!
//! Owns: that it ends, with everything of its process group, and that its output is bounded. Must not: be used by `hook`
//! (whose one program, `password_command`, has rules of its own), or know what is run.

use crate::deadline::Deadline;
use crate::threads;
use std::io::{self, Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// More than anything asked here has to say.
const MOST: usize = 1 << 20;

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    /// Its status; none if it was stopped because it took too long.
    pub status: Option<ExitStatus>,
    /// What it wrote to stdout.
    pub stdout: String,
    /// What it wrote to stderr.
    pub stderr: String,
}

/// Runs the command with this on stdin (nothing: stdin is empty) and stops it after `limit`.
///
/// # Errors
/// If it can't be started.
pub fn run(command: &mut Command, stdin: &[u8], limit: Duration) -> io::Result<Ended> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn()?;
    let begun = streams(&mut child, stdin);
    let (stdout, stderr) = begun.inspect_err(|_| end(&mut child))?;
    let deadline = Deadline::after(limit);
    let mut pause = Duration::from_millis(1);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if deadline.sleep(pause) => pause = (pause * 2).min(Duration::from_millis(20)),
            Ok(None) | Err(_) => break None,
        }
    };
    // What it left running in its group holds the pipes open.
    end(&mut child);
    let text =
        |reading: Option<Reading>| String::from_utf8_lossy(&reading.map_or(Vec::new(), Reading::taken)).into_owned();
    Ok(Ended { status, stdout: text(stdout), stderr: text(stderr) })
}

/// Feeds the child and begins to read what it says. In threads: a program that reads nothing, or writes much, must not hold us.
fn streams(child: &mut Child, stdin: &[u8]) -> io::Result<(Option<Reading>, Option<Reading>)> {
    let input = child.stdin.take();
    let bytes = stdin.to_vec();
    threads::start("input", move || {
        if let Some(mut input) = input {
            // It may have ended without reading, which is its own affair.
            let _ = input.write_all(&bytes);
        }
    })?;
    let stdout = child.stdout.take().map(Reading::of).transpose()?;
    Ok((stdout, child.stderr.take().map(Reading::of).transpose()?))
}

/// What a thread reads from a pipe.
struct Reading {
    bytes: Arc<Mutex<Vec<u8>>>,
    over: Receiver<()>,
}

impl Reading {
    fn of(mut pipe: impl Read + Send + 'static) -> io::Result<Self> {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (done, over) = channel();
        let kept = Arc::clone(&bytes);
        threads::start("output", move || {
            let _done = done;
            let mut chunk = [0; 4096];
            // To its end, so that the program can come to its own; but only so much is kept.
            while let Ok(count @ 1..) = pipe.read(&mut chunk) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() < MOST {
                    kept.extend_from_slice(chunk.get(..count).unwrap_or_default());
                }
            }
        })?;
        Ok(Self { bytes, over })
    }

    /// What came. A descendant in a session of its own may keep the pipe open, and is not waited for.
    fn taken(self) -> Vec<u8> {
        let _ = self.over.recv_timeout(Duration::from_millis(500));
        std::mem::take(&mut self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn end(child: &mut Child) {
    if let Ok(group) = i32::try_from(child.id()) {
        // SAFETY: kill touches no memory. The group is the child's own; should it be gone, nothing happens.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn sh(script: &str, stdin: &[u8], limit: Duration) -> Ended {
        run(Command::new("/bin/sh").args(["-c", script]), stdin, limit).unwrap()
    }

    #[test]
    fn what_goes_in_and_what_comes_out() {
        let ended = sh("cat; echo x >&2; exit 3", b"abc", Duration::from_secs(20));
        assert_eq!(
            (ended.status.unwrap().code(), ended.stdout.as_str(), ended.stderr.as_str()),
            (Some(3), "abc", "x\n")
        );
        assert_eq!(sh("true", &vec![b'x'; 1 << 20], Duration::from_secs(20)).status.unwrap().code(), Some(0));
        assert!(run(&mut Command::new("/no/such/program"), b"", Duration::from_secs(1)).is_err());
    }

    #[test]
    fn what_does_not_end_is_ended_with_all_that_it_started() {
        let start = Instant::now();
        let ended = sh("echo a; sleep 60 & sleep 60", b"", Duration::from_millis(300));
        assert!(ended.status.is_none());
        assert_eq!(ended.stdout, "a\n");
        assert!(sh("sleep 60 & exit 0", b"", Duration::from_secs(20)).status.is_some());
        let ended = sh("setsid sleep 30 & echo b", b"", Duration::from_secs(20));
        assert_eq!(ended.stdout, "b\n");
        assert!(start.elapsed() < Duration::from_secs(15));
    }
}
