//! `password_command`: a program is run, and its first line is the secret.
//!
//! Owns: how the program is started (no shell, nothing on stdin, no terminal, a clean environment, a process group of its own),
//! how long it may take and how much it may say. Must not: show what it printed, on stdout or on stderr.

use super::{LONGEST, Secret, SecretError, first_line};
use crate::deadline::Deadline;
use crate::text::clean;
use std::io::{ErrorKind, Read};
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;
use zeroize::Zeroizing;

/// The process group of the program that runs now, or 0: for the handler that ends this process at its deadline,
/// which has to end the program too.
pub static RUNNING_COMMAND: AtomicI32 = AtomicI32::new(0);

/// One program at a time: [`RUNNING_COMMAND`] can name only one, and two at once would ask a person twice.
static TURN: Mutex<()> = Mutex::new(());

/// Long enough for a person to touch a key, short enough to leave something of the usual deadline. Of a shorter deadline it
/// may take half, so that it is the program that is named as what took too long.
const LIMIT: Duration = Duration::from_secs(30);

/// The whole `PATH` of the program: nothing that an agent's environment could have put in front.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

const HINT: &str = "Run password_command by hand: it has to print the secret as its first line and end with 0.";

pub(super) fn read(words: &[String], deadline: Deadline) -> Result<Secret, SecretError> {
    read_within(words, deadline, LIMIT)
}

fn read_within(words: &[String], deadline: Deadline, limit: Duration) -> Result<Secret, SecretError> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(SecretError::new("password_command is empty.", HINT));
    };
    let name = clean(program, 200);
    if !Path::new(program).is_absolute() {
        return Err(SecretError::new(
            format!("password_command names its program {name} without its whole path."),
            "Write the path from the root, such as /usr/bin/pass.",
        ));
    }
    let late = || SecretError::new(format!("password_command ({name}) did not end in time and was stopped."), HINT);
    let _turn = take_turn(deadline).ok_or_else(late)?;
    let until = deadline.within(limit.min(deadline.remaining() / 2));
    if until.passed() {
        return Err(late());
    }
    let running = Running::start(program, arguments)
        .map_err(|e| SecretError::new(format!("password_command ({name}) cannot be run: {e}."), HINT))?;
    let (status, output) = match running.finish(until) {
        Ok(ended) => ended,
        Err(Broken::Late) => return Err(late()),
        Err(Broken::TooMuch) => {
            return Err(SecretError::new(
                format!("password_command ({name}) printed more than 64 KiB and was stopped."),
                HINT,
            ));
        }
        Err(Broken::Io(e)) => {
            return Err(SecretError::new(
                format!("The output of password_command ({name}) cannot be read: {e}."),
                HINT,
            ));
        }
    };
    if !status.success() {
        // What it wrote to stderr may hold the secret, so it is not shown.
        return Err(SecretError::new(format!("password_command ({name}) failed: {}.", ending(status)), HINT));
    }
    first_line(&output, &format!("password_command ({name})"))
}

fn take_turn(deadline: Deadline) -> Option<MutexGuard<'static, ()>> {
    loop {
        match TURN.try_lock() {
            Ok(turn) => return Some(turn),
            Err(TryLockError::Poisoned(turn)) => return Some(turn.into_inner()),
            Err(TryLockError::WouldBlock) => {
                if !deadline.sleep(Duration::from_millis(10)) {
                    return None;
                }
            }
        }
    }
}

fn ending(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it ended with {code}"),
        (None, Some(signal)) => format!("signal {signal} ended it"),
        (None, None) => "it did not end as it should".to_owned(),
    }
}

enum Broken {
    Late,
    TooMuch,
    Io(std::io::Error),
}

/// A program that runs; dropped, it and all of its group are ended.
struct Running {
    child: Child,
    output: ChildStdout,
    over: bool,
}

impl Running {
    fn start(program: &str, arguments: &[String]) -> std::io::Result<Self> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .env("PATH", PATH)
            // Not the agent's working folder: a project must not lay configuration in the program's way.
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let parent = std::process::id();
        // SAFETY: what runs between fork and exec calls only what may be called in a signal handler, and allocates nothing.
        unsafe { command.pre_exec(move || alone(parent)) };
        for name in ["HOME", "USER", "LANG"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        let mut child = command.spawn()?;
        let output = child.stdout.take();
        RUNNING_COMMAND.store(i32::try_from(child.id()).unwrap_or(0), Ordering::SeqCst);
        match output {
            Some(output) => Ok(Self { child, output, over: false }),
            None => {
                end(&mut child);
                Err(std::io::Error::other("it has no standard output"))
            }
        }
    }

    /// Waits for the program's end. What it leaves in the background may hold the pipe open (an agent that it
    /// started): so the end of the program counts, not the end of the pipe.
    fn finish(mut self, until: Deadline) -> Result<(ExitStatus, Zeroizing<Vec<u8>>), Broken> {
        unblock(&self.output).map_err(Broken::Io)?;
        let mut output = Zeroizing::new(Vec::with_capacity(4096));
        let mut pause = Duration::from_millis(1);
        loop {
            let ended = self.child.try_wait().map_err(Broken::Io)?;
            if ended.is_some() {
                self.over = true;
                RUNNING_COMMAND.store(0, Ordering::SeqCst);
            }
            drain(&mut self.output, &mut output)?;
            if let Some(status) = ended {
                return Ok((status, output));
            }
            if !until.sleep(pause) {
                return Err(Broken::Late);
            }
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.over {
            end(&mut self.child);
        }
    }
}

/// Cuts the program that is about to run loose from the terminal, since one that asks there would be stopped by the kernel until
/// its time is over (its group is not the one in front), and makes it end with us, however we end.
fn alone(parent: u32) -> std::io::Result<()> {
    // SAFETY: setsid, prctl and getppid take no memory of ours, and may be called after a fork.
    unsafe {
        // A session has a group of its own.
        if libc::setsid() == -1 {
            return Err(std::io::Error::last_os_error());
        }
        #[cfg(target_os = "linux")]
        {
            // It is the thread's end that counts, and this thread waits for the program.
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if u32::try_from(libc::getppid()) != Ok(parent) {
                return Err(std::io::Error::from_raw_os_error(libc::ESRCH));
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = parent;
    }
    Ok(())
}

/// Ends the program and everything of its group, and reaps it.
fn end(child: &mut Child) {
    if let Ok(group) = i32::try_from(child.id()) {
        // SAFETY: kill touches no memory; the child has not been reaped, so its number is still its own.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
    let _ = child.wait();
    RUNNING_COMMAND.store(0, Ordering::SeqCst);
}

fn unblock(pipe: &ChildStdout) -> std::io::Result<()> {
    let fd = pipe.as_raw_fd();
    // SAFETY: fcntl on a descriptor that `pipe` owns and keeps open; no memory is passed.
    let done = unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFL);
        flags != -1 && libc::fcntl(fd, libc::F_SETFL, flags | libc::O_NONBLOCK) != -1
    };
    if done { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

/// Takes what is in the pipe now.
fn drain(pipe: &mut ChildStdout, into: &mut Vec<u8>) -> Result<(), Broken> {
    let mut chunk = Zeroizing::new([0_u8; 4096]);
    loop {
        match pipe.read(&mut *chunk) {
            Ok(0) => return Ok(()),
            Ok(n) => into.extend_from_slice(chunk.get(..n).unwrap_or_default()),
            Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(()),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(Broken::Io(e)),
        }
        if into.len() > LONGEST {
            return Err(Broken::TooMuch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn run(script: &str, limit: Duration) -> Result<Secret, SecretError> {
        let words = ["/bin/sh", "-c", script].map(str::to_owned);
        read_within(&words, Deadline::after(Duration::from_secs(30)), limit)
    }

    const ENOUGH: Duration = Duration::from_secs(20);

    #[test]
    fn the_first_line_is_the_secret() {
        assert_eq!(run("echo 'hunter2 x'; echo more", ENOUGH).unwrap().expose(), "hunter2 x");
    }

    #[test]
    fn the_environment_is_clean_and_stdin_is_empty() {
        let seen = run("env | sort | tr '\\n' '|'; cat", ENOUGH).unwrap();
        for entry in seen.expose().split('|').filter(|e| !e.is_empty()) {
            let name = entry.split('=').next().unwrap();
            // PWD, OLDPWD, SHLVL and _ are the shell's own.
            let allowed = ["HOME", "USER", "LANG", "PATH", "PWD", "OLDPWD", "SHLVL", "_"];
            assert!(allowed.contains(&name), "{entry}");
        }
        assert!(seen.expose().contains(&format!("PATH={PATH}|")));
        assert!(seen.expose().contains("PWD=/|"));
    }

    #[test]
    fn the_program_has_a_group_of_its_own_that_is_told() {
        std::thread::scope(|s| {
            let running = s.spawn(|| run("echo $$ $(ps -o pgid= -p $$); sleep 0.5", ENOUGH));
            let mut told = std::collections::BTreeSet::new();
            while !running.is_finished() {
                told.insert(RUNNING_COMMAND.load(Ordering::SeqCst).to_string());
                std::thread::sleep(Duration::from_millis(1));
            }
            let seen = running.join().unwrap().unwrap();
            let numbers: Vec<&str> = seen.expose().split_whitespace().collect();
            assert_eq!(numbers[0], numbers[1]);
            assert!(told.contains(numbers[0]), "{told:?}");
        });
    }

    #[test]
    fn failures_tell_the_program_and_nothing_that_it_said() {
        for (script, text) in [
            ("echo hunter2; echo hunter2 >&2; exit 3", "ended with 3"),
            ("echo hunter2; kill -9 $$", "signal 9"),
            ("true", "is empty"),
            ("printf '\\377hunter2\\n'", "not UTF-8"),
            ("yes hunter2", "64 KiB"),
        ] {
            let error = run(script, ENOUGH).unwrap_err();
            assert!(error.message.contains(text) && error.message.contains("/bin/sh"), "{error}");
            assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
        }
        for words in [vec![], vec!["pass".to_owned()], vec!["/no/such/program".to_owned()]] {
            assert!(read(&words, Deadline::after(ENOUGH)).is_err());
        }
    }

    #[test]
    fn what_takes_too_long_is_ended_with_all_that_it_started() {
        let folder = tempfile::tempdir().unwrap();
        let sign = folder.path().join("sign");
        let started = Instant::now();
        let script = format!("(sleep 1.5; touch {}) & sleep 60", sign.display());
        let error = run(&script, Duration::from_millis(300)).unwrap_err();
        assert!(error.message.contains("in time"), "{error}");
        assert!(started.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(2000));
        assert!(!sign.exists(), "a process of the group lived on");
    }

    #[test]
    fn what_stays_in_the_background_is_not_waited_for() {
        let started = Instant::now();
        assert_eq!(run("sleep 5 & echo hunter2", ENOUGH).unwrap().expose(), "hunter2");
        assert!(started.elapsed() < Duration::from_secs(4));
    }

    #[test]
    fn a_deadline_that_has_passed_starts_nothing() {
        let words = ["/bin/echo", "x"].map(str::to_owned);
        assert!(read(&words, Deadline::after(Duration::ZERO)).is_err());
    }
}
