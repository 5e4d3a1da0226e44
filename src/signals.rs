//! The signals that end a process: which they are, and how those are kept off that nobody can handle. And the one that tells of a
//! child's end.
//!
//! Must not: know what is done about one.

#[cfg(target_os = "linux")]
const LAST: i32 = 64;
#[cfg(not(target_os = "linux"))]
const LAST: i32 = 31;

/// Those whose default action ends the process, and that can be handled (signal(7)), by number. Some of them the C library
/// lets nobody handle: [`ignore_reserved`].
pub fn ending() -> impl Iterator<Item = i32> {
    (1..=LAST).filter(|signal| ends_by_default(*signal))
}

fn ends_by_default(signal: i32) -> bool {
    #[cfg(not(target_os = "linux"))]
    if signal == libc::SIGINFO || signal == libc::SIGIO {
        return false;
    }
    ![
        libc::SIGKILL,
        libc::SIGSTOP,
        libc::SIGTSTP,
        libc::SIGTTIN,
        libc::SIGTTOU,
        libc::SIGCONT,
        libc::SIGCHLD,
        libc::SIGURG,
        libc::SIGWINCH,
    ]
    .contains(&signal)
}

/// Whether the signal tells of a fault in this process itself, which can't go on after it.
#[must_use]
pub fn is_fault(signal: i32) -> bool {
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT, libc::SIGTRAP, libc::SIGSYS]
        .contains(&signal)
}

/// A parent that ignores SIGCHLD makes every child of ours vanish before it can be waited for (wait(2)), and then no program could
/// tell a password: not even when a mount has to be ended with it.
pub fn hear_of_children() {
    // SAFETY: no handler is called.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
}

/// The C library keeps the first real-time signals to itself (32 and 33, musl 34 too) and lets nobody handle them, but the
/// kernel ends a process that gets one from outside. They are ignored past the library, which would unblock them in each
/// new thread: nothing here uses what it needs them for (cancelling a thread, changing the user).
#[cfg(target_os = "linux")]
pub fn ignore_reserved() {
    // The kernel's structure begins with the handler on every architecture that Rust has a standard library for but MIPS
    // (where this asks for a flag that does not exist, and is refused); the rest is zero.
    let ignore: [usize; 8] = [libc::SIG_IGN, 0, 0, 0, 0, 0, 0, 0];
    for signal in 32..libc::SIGRTMIN() {
        // SAFETY: rt_sigaction reads less than these eight words, and no old action is asked for.
        unsafe { libc::syscall(libc::SYS_rt_sigaction, signal, ignore.as_ptr(), 0usize, 8usize) };
    }
}

/// Other systems have none.
#[cfg(not(target_os = "linux"))]
pub fn ignore_reserved() {}
