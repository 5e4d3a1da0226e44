//! Work that holds a mount, and what may end it: signals, or a handle where a program does several things at once.
//!
//! The work runs in a thread of its own while this one listens: a thread that waits in a call of the system (a full pipe, a
//! disk that does not answer) can't be made to clean up, and nothing but `main` ends the process. Owns: the handlers of
//! every signal that would end the process, while it listens. Must not: know what the work is.

use super::ending::Unmounted;
use super::error::RewindError;
use super::session::Held;
use crate::signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The first of them that came; zero: none.
static CAME: AtomicI32 = AtomicI32::new(0);

/// How long the work is given to end by itself once it has been told to. Its calls to a ZVM break off within a second.
const GRACE: Duration = Duration::from_secs(5);

/// What may break work off.
#[derive(Debug, Clone)]
pub enum Listen {
    /// A signal to the process, which does nothing else.
    Signals,
    /// A handle: the process serves others too, and its signals are not this work's.
    To(Stop),
}

impl Listen {
    /// The signal that came; zero: none. A handle stands for SIGINT.
    fn came(&self) -> i32 {
        match self {
            Self::Signals => CAME.load(Ordering::SeqCst),
            Self::To(stop) if stop.is_stopped() => libc::SIGINT,
            Self::To(_) => 0,
        }
    }
}

/// A handle by which work is broken off as a signal would break it off.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Breaks the work off: what it has mounted is ended, and it begins nothing more.
    pub fn stop(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether [`stop`](Self::stop) was called.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// What became of the work, and of what it held.
#[derive(Debug)]
pub struct Watched<T> {
    /// The work's own result; [`RewindError::Signal`] after a signal, [`RewindError::Fault`] after a panic.
    pub result: Result<T, RewindError>,
    /// How the session ended; none where none was begun.
    pub unmounted: Option<Unmounted>,
    /// The signal that came, also where the work was done by then.
    pub signal: Option<i32>,
}

/// Does the work, and ends what it holds whatever becomes of it: its end, an error, a panic, or what `listen` hears (below: a
/// signal).
///
/// `say` is told when a signal has come, with the session that is ended.
pub fn watched<T: Send + 'static>(
    held: &Arc<Held>,
    listen: &Listen,
    say: impl FnOnce(&str) + Send + 'static,
    work: impl FnOnce() -> Result<T, RewindError> + Send + 'static,
) -> Watched<T> {
    let _handlers = matches!(listen, Listen::Signals).then(Handlers::set);
    let (done, ended) = mpsc::channel();
    let worker = thread::Builder::new().name("recovery".into()).spawn(move || {
        let _ = done.send(work());
    });
    let worker = match worker {
        Ok(worker) => worker,
        Err(error) => {
            let what = format!("A recovery works in a thread of its own, and none could be started: {error}");
            return Watched { result: Err(RewindError::Machine { what }), unmounted: None, signal: None };
        }
    };
    let mut told: Option<Instant> = None;
    let mut say = Some(say);
    let result = loop {
        match ended.recv_timeout(Duration::from_millis(50)) {
            Ok(result) => break Some(result),
            Err(RecvTimeoutError::Disconnected) => break None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if listen.came() != 0 && told.is_none() {
            told = Some(Instant::now());
            let text = match held.session() {
                Some(session) => format!("interrupted; ending the FLR session {session} first"),
                None => "interrupted; seeing to it first that nothing stays mounted".to_owned(),
            };
            held.stop();
            // Where nobody reads stderr (a full pipe) whoever writes to it waits, and the end of the mount must not.
            if let Some(say) = say.take() {
                let _ = thread::Builder::new().name("interrupted".into()).spawn(move || say(&text));
            }
        }
        if told.is_some_and(|since| since.elapsed() > GRACE) {
            // Whether the work is already ending it or is stuck: this waits for the end, or sees to it.
            held.end();
            break ended.recv_timeout(Duration::from_millis(500)).ok();
        }
    };
    let unmounted = held.end();
    let signal = listen.came();
    let result = match result {
        // What is done is done, whatever came at the last moment.
        Some(Ok(done)) => Ok(done),
        _ if signal != 0 => Err(RewindError::Signal { signal, unmounted: unmounted.clone() }),
        Some(Err(error)) => Err(error),
        None => {
            let panic = worker.join().err().map(|panic| words(panic.as_ref())).unwrap_or_default();
            Err(RewindError::Fault { what: panic })
        }
    };
    Watched { result, unmounted, signal: (signal != 0).then_some(signal) }
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// The signals that end the work: all that end a process, but for a fault of the program itself (it can't be waited for) and a
/// file that grows past the shell's limit (`ulimit -f`), which is an error of the write. One that is not here would leave the
/// mount up without a word.
fn watched_for() -> impl Iterator<Item = i32> {
    signals::ending().filter(|signal| !signals::is_fault(*signal) && *signal != libc::SIGXFSZ)
}

/// The signals that a program has to listen to itself as long as it may hold a mount, for work that listens to a handle
/// ([`Listen::To`]). What nobody may listen to, and what shall not end the process, is ignored from now on.
pub fn to_be_heard() -> Vec<i32> {
    // SAFETY: no handler is called.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    signals::ignore_reserved();
    watched_for().filter(|signal| !is_ignored(*signal)).collect()
}

/// Whether the parent, or the runtime, has it ignored: then it stays so.
fn is_ignored(signal: i32) -> bool {
    // SAFETY: the structure is zeroed and outlives the call, which only fills it in.
    unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut old);
        old.sa_sigaction == libc::SIG_IGN
    }
}

/// The handlers that are set; dropped, those from before are there again.
struct Handlers {
    old: Vec<(i32, libc::sigaction)>,
    /// That of a file that is too long, which ends nothing while this is set.
    too_long: libc::sighandler_t,
}

impl Handlers {
    fn set() -> Self {
        CAME.store(0, Ordering::SeqCst);
        // SAFETY: no handler is called.
        let too_long = unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
        let old = watched_for().filter_map(|signal| {
            // SAFETY: the structures are zeroed, filled in and outlive the calls; the handler only stores a number.
            unsafe {
                let mut old: libc::sigaction = std::mem::zeroed();
                libc::sigaction(signal, std::ptr::null(), &raw mut old);
                // What the parent has ignored (nohup), and the runtime (SIGPIPE), stays ignored.
                if old.sa_sigaction == libc::SIG_IGN {
                    return None;
                }
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = note as *const () as usize;
                action.sa_flags = libc::SA_RESTART;
                libc::sigemptyset(&raw mut action.sa_mask);
                (libc::sigaction(signal, &raw const action, std::ptr::null_mut()) == 0).then_some((signal, old))
            }
        });
        let old = old.collect();
        signals::ignore_reserved();
        Self { old, too_long }
    }
}

impl Drop for Handlers {
    fn drop(&mut self) {
        if self.too_long != libc::SIG_ERR {
            // SAFETY: it is what was set before.
            unsafe { libc::signal(libc::SIGXFSZ, self.too_long) };
        }
        for (signal, old) in &self.old {
            // SAFETY: the structure is the one that the system gave.
            unsafe { libc::sigaction(*signal, std::ptr::from_ref(old), std::ptr::null_mut()) };
        }
    }
}

extern "C" fn note(signal: i32) {
    // The first one decides the exit code.
    let _ = CAME.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
}
