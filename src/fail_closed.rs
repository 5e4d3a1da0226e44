//! What ends the hook when nothing else can: signals, a stack overflow and the deadline become exit 2, where there is a call
//! to be stopped.
//!
//! An agent host lets the call run on every end but exit 2 (measured on three hosts), so each way for this process to
//! end has to be that one. Owns: the signal handlers and the timer, set before anything is read. Must not: allocate,
//! lock or unwind in a handler; be used by any command but `hook`.

use crate::config::secret::RUNNING_COMMAND;
use crate::hosts::{self, Host, Output};
use crate::signals;
use crate::text::clean;
use crate::threads;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What is said when nothing but a constant can be: for most hosts on stderr, and as the JSON that Cline takes. The texts hold
/// nothing that JSON would have to escape.
struct LastWords {
    plain: &'static [u8],
    json: &'static [u8],
}

macro_rules! last_words {
    ($text:literal) => {
        LastWords {
            plain: concat!("zerto-guard: stopped this call: ", $text, "\n").as_bytes(),
            json: concat!("\n{\"cancel\":true,\"errorMessage\":\"zerto-guard: stopped this call: ", $text, "\"}\n")
                .as_bytes(),
        }
    };
}

const LATE: LastWords = last_words!(
    "it could not be judged and guarded within the deadline. \
No tag is known to stand. Look at `guard.deadline`, the ZVM and the network, then try again."
);
const BROKEN: LastWords = last_words!(
    "the guard itself failed (memory, stack or an internal fault), \
so nothing is known to be guarded. Please report it with the call that caused it."
);
const TOO_LONG: LastWords = last_words!(
    "it had to write a file that is longer than this process may write \
(RLIMIT_FSIZE, `ulimit -f`). No tag is known to stand. Raise that limit, then try again."
);
const TOO_SLOW: LastWords = last_words!(
    "the guard has used up the time on the processor that it is given \
(RLIMIT_CPU, `ulimit -t`). No tag is known to stand. Raise that limit, then try again."
);
const SIGNALLED: LastWords = last_words!(
    "the guard was ended by a signal before it was done, \
so no tag is known to stand. Try again."
);

/// Whether the host takes a deny on stdout, with exit 0.
static ON_STDOUT: AtomicBool = AtomicBool::new(false);

/// Whether `main` is writing its answer on such a stdout.
static SPEAKING: AtomicBool = AtomicBool::new(false);

/// Says that the answer is being written. Two JSON documents on stdout are none to Cline (hook-factory.ts takes all from the
/// first brace to the last), so from here on nothing else may be said there: a signal comes too late to change the answer.
pub fn speaking() {
    SPEAKING.store(ON_STDOUT.load(Ordering::Relaxed), Ordering::Relaxed);
}

/// Says in whose words the end has to be; one that is not known is told what nearly every host understands.
pub fn speak_to(host: Option<Host>) {
    ON_STDOUT.store(host == Some(Host::Cline), Ordering::Relaxed);
}

static ARMED: AtomicBool = AtomicBool::new(false);

/// Whether there is no call to be stopped.
static NOTHING_TO_STOP: AtomicBool = AtomicBool::new(false);

/// How long what is only told may take.
const TOLD: Duration = Duration::from_secs(10);

/// The event decides nothing: whatever ends the process from here on, it says nothing and ends with 0.
pub fn nothing_to_stop(start: Instant) {
    NOTHING_TO_STOP.store(true, Ordering::Relaxed);
    rearm(start, TOLD);
}

/// Sets the handlers and the timer. Every end of the process from here on, but SIGKILL, is exit 2 or what `main`
/// returns.
pub fn arm(deadline: Duration) {
    ARMED.store(true, Ordering::Relaxed);
    // SAFETY: sigaction gets a zeroed structure that
    // is filled in below; sigaltstack gets memory that is never freed. All of them may fail and are then without effect,
    // which leaves the default.
    unsafe {
        // Where the runtime has begun, it has given the main thread one, but not if the parent ignored SIGSEGV, and with some C
        // libraries one of a few KiB.
        let mut other: libc::stack_t = std::mem::zeroed();
        libc::sigaltstack(std::ptr::null(), &raw mut other);
        if other.ss_flags & libc::SS_DISABLE != 0 || other.ss_size < threads::HANDLER_STACK {
            other = std::mem::zeroed();
            other.ss_sp = (&raw mut HANDLER_STACK).cast();
            other.ss_size = threads::HANDLER_STACK;
            libc::sigaltstack(&raw const other, std::ptr::null_mut());
        }
        for signal in signals::ending() {
            let old = handle(signal);
            // What the parent has ignored (nohup), and what the runtime ignores (SIGPIPE), ends nothing. But the timer is
            // needed, and a fault of our own ends a process whether it is ignored or not.
            if old.sa_sigaction == libc::SIG_IGN && signal != libc::SIGALRM && !signals::is_fault(signal) {
                libc::sigaction(signal, &raw const old, std::ptr::null_mut());
            }
        }
    }
    // A parent that blocked signals would otherwise have blocked the timer too. What has come meanwhile is delivered now, so
    // this is not before the handlers are set.
    // SAFETY: both get a pointer to a set on this stack.
    unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
    start_timer(deadline);
}

/// What the runtime does before `main`, which the hook does not wait for: each of the three streams is open, so that no other file
/// can be taken for one, and a stream that nobody reads ends nothing. Must be called before anything is opened.
///
/// Where a stream is closed and there is no /dev/null to stand for it, the call is stopped.
pub fn begin() {
    // Before any handler: musl lets the reserved ones come when the first is set, those too that have been waiting.
    signals::ignore_reserved();
    // SAFETY: as for `arm`; the path ends with a zero.
    unsafe {
        handle(libc::SIGABRT);
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        for stream in 0..3 {
            // A question or deny on a stdout that nobody has would be none: what can't be written ends with 2.
            let how = if stream == 1 { libc::O_RDONLY } else { libc::O_RDWR };
            // The lowest number that is free is taken.
            if libc::fcntl(stream, libc::F_GETFD) < 0 && libc::open(c"/dev/null".as_ptr(), how) != stream {
                libc::abort();
            }
        }
    }
}

/// Takes back what [`begin`] did that only the hook is in need of: an abort ends any other command as it ends programs.
pub fn stand_down() {
    // SAFETY: no handler is called.
    unsafe { libc::signal(libc::SIGABRT, libc::SIG_DFL) };
}

/// The handler takes this signal; what took it before.
unsafe fn handle(signal: i32) -> libc::sigaction {
    // SAFETY: sigaction gets zeroed structures, of which the first is filled in.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = end as *const () as usize;
        // On its own stack: a stack overflow leaves none to run on.
        action.sa_flags = libc::SA_ONSTACK;
        libc::sigfillset(&raw mut action.sa_mask);
        let mut old: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, &raw const action, &raw mut old);
        old
    }
}

/// The main thread's stack for the handler.
static mut HANDLER_STACK: [u8; threads::HANDLER_STACK] = [0; threads::HANDLER_STACK];

/// Sets the timer anew, for a deadline counted from `start`. A time that has passed already ends the process at once.
pub fn rearm(start: Instant, deadline: Duration) {
    if ARMED.load(Ordering::Relaxed) {
        start_timer(deadline.saturating_sub(start.elapsed()));
    }
}

fn start_timer(span: Duration) {
    // Zero would switch the timer off.
    let span = span.max(Duration::from_millis(1));
    let timer = libc::itimerval {
        it_interval: libc::timeval { tv_sec: 0, tv_usec: 0 },
        it_value: libc::timeval {
            // The types differ from one C library to the next; this many seconds fit into each of them.
            tv_sec: span.as_secs().min(i32::MAX as u64) as _,
            tv_usec: span.subsec_micros() as _,
        },
    };
    // SAFETY: the structure is whole and outlives the call; no old value is asked for.
    unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const timer, std::ptr::null_mut()) };
}

extern "C" fn end(signal: i32) {
    if SPEAKING.load(Ordering::Relaxed) {
        if !signals::is_fault(signal) {
            return;
        }
        // SAFETY: _exit may be called in a signal handler (POSIX).
        unsafe { libc::_exit(2) }
    }
    let text = match signal {
        libc::SIGALRM => LATE,
        libc::SIGXFSZ => TOO_LONG,
        libc::SIGXCPU => TOO_SLOW,
        signal if signals::is_fault(signal) => BROKEN,
        _ => SIGNALLED,
    };
    let group = RUNNING_COMMAND.load(Ordering::Relaxed);
    // SAFETY: kill, poll, write and _exit may be called in a signal handler (POSIX). The texts are constants.
    unsafe {
        if group > 0 {
            libc::kill(-group, libc::SIGKILL);
        }
        if NOTHING_TO_STOP.load(Ordering::Relaxed) || (ON_STDOUT.load(Ordering::Relaxed) && say(1, text.json)) {
            libc::_exit(0)
        }
        say(2, text.plain);
        libc::_exit(2)
    }
}

/// Writes a text whole, if that can be done at once: a full pipe that nobody reads must not hold us past the host's own time
/// limit.
unsafe fn say(stream: i32, text: &[u8]) -> bool {
    let mut out = libc::pollfd { fd: stream, events: libc::POLLOUT, revents: 0 };
    // SAFETY: as for `end`; the structure and the text outlive the calls.
    unsafe {
        libc::poll(&raw mut out, 1, 0) == 1
            && out.revents & libc::POLLOUT != 0
            && usize::try_from(libc::write(stream, text.as_ptr().cast(), text.len())) == Ok(text.len())
    }
}

/// Does the hook's work; a panic in it is a deny, where there is something to stop.
pub fn catching(work: impl FnOnce() -> Output) -> Output {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        if NOTHING_TO_STOP.load(Ordering::Relaxed) {
            return Output { code: 0, stdout: String::new(), stderr: String::new() };
        }
        let host = ON_STDOUT.load(Ordering::Relaxed).then_some(Host::Cline);
        hosts::deny_to(
            host,
            &format!(
                "stopped this call: the guard itself failed, so nothing is known to be guarded: {}.\n\
             Please report it with the call that caused it.",
                clean(&panic_text(), 300)
            ),
        )
    })
}

/// What the first panic said and where, for the message that follows.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Keeps the runtime's own words about a panic off the terminal, and notes them for `panic_text`.
pub fn note_panics() {
    std::panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let what = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let what = what.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        let place = info.location().map(|place| format!("{}:{}", place.file(), place.line())).unwrap_or_default();
        if let Ok(mut first) = PANIC.try_lock() {
            first.get_or_insert(format!("{what} ({place})"));
        }
    }));
}

/// What the first panic said.
fn panic_text() -> String {
    PANIC.try_lock().ok().and_then(|first| first.clone()).unwrap_or_else(|| "no more is known".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_deny_that_says_where() {
        let before = std::panic::take_hook();
        note_panics();
        let output = catching(|| panic!("on\npurpose"));
        std::panic::set_hook(before);
        assert_eq!((output.code, output.stdout.as_str()), (2, ""));
        assert!(
            output.stderr.starts_with("zerto-guard: stopped this call: the guard itself failed"),
            "{}",
            output.stderr
        );
        assert!(output.stderr.contains("on purpose (src/fail_closed.rs:"), "{}", output.stderr);
        let fine = Output { code: 0, stdout: "x".into(), stderr: String::new() };
        assert_eq!(catching(|| fine.clone()), fine);
    }
}
