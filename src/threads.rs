//! Threads whose end by a stack overflow is heard: each has a stack for the signal handlers.
//!
//! The runtime gives threads one, but only where it has begun, for which the hook does not wait; and without one the system ends
//! the whole process, which for a host lets the call run. Must not: know what a handler does.

use std::io;
use std::marker::PhantomData;
use std::thread::{Builder, Scope};

/// Room for a handler, which calls a few functions of the system.
pub const HANDLER_STACK: usize = 64 * 1024;

/// Starts a thread that nobody waits for.
///
/// # Errors
/// The system gives none.
pub fn start(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let work = move || {
        let _stack = HandlerStack::of_this_thread();
        work();
    };
    Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// Starts a thread within a scope.
///
/// # Errors
/// The system gives none.
pub fn start_in<'scope>(scope: &'scope Scope<'scope, '_>, work: impl FnOnce() + Send + 'scope) -> io::Result<()> {
    let work = move || {
        let _stack = HandlerStack::of_this_thread();
        work();
    };
    Builder::new().spawn_scoped(scope, work).map(drop)
}

/// A stack on which the signal handlers of one thread run, as long as this lives.
struct HandlerStack {
    memory: Box<[u8]>,
    /// It belongs to the thread that has made it.
    _of_one_thread: PhantomData<*const ()>,
}

impl HandlerStack {
    /// Where the system takes none, the handlers run on the thread's own.
    fn of_this_thread() -> Self {
        let mut memory = vec![0; HANDLER_STACK].into_boxed_slice();
        // SAFETY: the memory lives until the system has been told to use it no more.
        unsafe {
            let mut stack: libc::stack_t = std::mem::zeroed();
            stack.ss_sp = memory.as_mut_ptr().cast();
            stack.ss_size = memory.len();
            libc::sigaltstack(&raw const stack, std::ptr::null_mut());
        }
        Self { memory, _of_one_thread: PhantomData }
    }
}

impl Drop for HandlerStack {
    fn drop(&mut self) {
        // SAFETY: as above; what the runtime gave the thread is the runtime's to take down.
        unsafe {
            let mut none: libc::stack_t = std::mem::zeroed();
            none.ss_flags = libc::SS_DISABLE;
            // macOS looks at it even then.
            none.ss_size = self.memory.len();
            libc::sigaltstack(&raw const none, std::ptr::null_mut());
        }
    }
}
