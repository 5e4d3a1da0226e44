//! Catches everything, and maps results to exit codes. Nothing else ends the process.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{FromRawFd as _, RawFd};
use std::process::ExitCode;
use std::time::Duration;
use zerto_guard::hook::stdin::Waiting;
use zerto_guard::hosts::Output;
use zerto_guard::{cli, fail_closed, hook, hosts, signals, variables};

// The program of its tests too: it is linked with the same arguments (`build/script.rs`), and would begin nowhere without this.
#[cfg(own_entry)]
mod entry;

/// Until the config and the host's time limit are known.
const FIRST_DEADLINE: Duration = Duration::from_secs(120);

/// What the C library calls before `main`, and before the runtime begins.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = before_main;

/// The hook has no need of the runtime, and most of its calls end sooner than it is ready: it reads the table of this process's
/// memory to know where the main thread's stack ends.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
extern "C" fn before_main() {
    // This library hands the arguments over to the runtime before (with a priority).
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if hook::args::is_meant(&arguments) {
        let code = enforce(&arguments);
        // SAFETY: what there was to say has been written, and nothing else is owed to anybody.
        unsafe { libc::_exit(code.into()) }
    }
}

/// Other libraries tell the arguments to `main` alone. What can't wait for it is done for any command: the runtime opens a stream
/// that is closed, and then nobody can see that it was; where it can't, it ends the process by a signal.
#[cfg(all(target_os = "linux", not(target_env = "gnu")))]
extern "C" fn before_main() {
    fail_closed::begin();
    fail_closed::stand_down();
}

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    ExitCode::from(if hook::args::is_meant(&arguments) { enforce(&arguments) } else { command(arguments) })
}

/// Any other command. Of a panic the runtime has said what there is to say; its own exit code is none of the contract's.
fn command(arguments: Vec<OsString>) -> u8 {
    signals::hear_of_children();
    // The runtime gives threads the stack that this says, one too small for anything included. (The hook heeds no such variable.)
    // SAFETY: no other thread runs yet.
    unsafe { std::env::remove_var("RUST_MIN_STACK") };
    std::panic::catch_unwind(|| cli::run(arguments)).unwrap_or(1)
}

/// `hook`: ends with 0 or 2, whatever happens (a deny for Cline is 0, with its JSON). On most systems it is called before the
/// runtime has begun.
fn enforce(arguments: &[OsString]) -> u8 {
    let host = hook::args::host_in(arguments);
    fail_closed::speak_to(host);
    fail_closed::begin();
    signals::hear_of_children();
    if let Err(why) = variables::keep_what_is_heeded() {
        return print(&hosts::deny_to(host, &why));
    }
    fail_closed::arm(FIRST_DEADLINE);
    fail_closed::note_panics();
    let change = std::env::var("ZERTO_GUARD_CHANGE").ok();
    let home = std::env::var_os("HOME");
    print(&fail_closed::catching(|| hook::run(arguments, Waiting(&*stream(0)), change, home)))
}

/// Writes both streams. What should have been said and could not be is no pass.
fn print(output: &Output) -> u8 {
    fail_closed::speaking();
    let stdout = stream(1);
    // The runtime's own stream takes what can't be written for written, where stdout was opened to be read.
    let said = write(|| &*stdout, &output.stdout);
    if let Err(error) = said {
        let text = format!(
            "stopped this call: what the host has to be told of it could not be written to stdout ({error}).\n\
             A tag may stand. See that the host reads the hook's stdout, then try again."
        );
        let _ = write(|| io::stderr().lock(), &hosts::deny(&text).stderr);
        return 2;
    }
    // A deny that cannot be explained is still a deny.
    let _ = write(|| io::stderr().lock(), &output.stderr);
    if output.code == 0 { 0 } else { 2 }
}

/// One of the three streams without the runtime's buffer: all of it is read, or written, at once.
fn stream(number: RawFd) -> ManuallyDrop<File> {
    // SAFETY: `fail_closed::begin` has seen to it that there is one, and nothing closes it.
    ManuallyDrop::new(unsafe { File::from_raw_fd(number) })
}

/// Most calls pass without a word, so that the stream is only made ready for one.
fn write<W: io::Write>(stream: impl FnOnce() -> W, text: &str) -> io::Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    let mut stream = stream();
    stream.write_all(text.as_bytes())?;
    stream.flush()
}
