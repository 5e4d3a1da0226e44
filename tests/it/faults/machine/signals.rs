//! Every signal that ends a process by default, at every moment: before the first line of the program, while it reads stdin, and
//! at each request that the ZVM sees.

use super::{Job, Kind, World, side_by_side, waited_for};
use crate::faults::{Row, Wrong, page};
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::time::{Duration, Instant};
use zvm_sim::{Fault, Route, Times};

/// SIGKILL, and the signals whose default action does not end a process (signal(7)). Written out once more beside the program's
/// own list, since one that is missing there would be missing here too.
const SPARED: [i32; 9] = [
    libc::SIGKILL,
    libc::SIGSTOP,
    libc::SIGTSTP,
    libc::SIGTTIN,
    libc::SIGTTOU,
    libc::SIGCONT,
    libc::SIGCHLD,
    libc::SIGURG,
    libc::SIGWINCH,
];

/// Those that tell of a fault of the program itself.
const FAULTS: [i32; 7] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT, libc::SIGTRAP, libc::SIGSYS];

/// Those that the C library lets nobody handle.
const RESERVED: std::ops::Range<i32> = 32..if cfg!(target_env = "musl") { 35 } else { 34 };

pub fn all() -> Vec<i32> {
    let last = if cfg!(target_os = "linux") { 64 } else { 31 };
    (1..=last).filter(|signal| !SPARED.contains(signal)).collect()
}

/// What is said on the page: signals in families, that no system's numbers stand there.
fn family(signal: i32) -> &'static str {
    match signal {
        libc::SIGALRM => "SIGALRM",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGXFSZ => "SIGXFSZ",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGINT => "SIGINT",
        libc::SIGTERM => "SIGTERM",
        libc::SIGHUP => "SIGHUP",
        libc::SIGQUIT => "SIGQUIT",
        // In musl 34 too.
        _ if RESERVED.contains(&signal) => "the C library's own (32, 33)",
        _ if FAULTS.contains(&signal) => "those of a fault (SIGSEGV, SIGABRT, …)",
        _ => "all others",
    }
}

/// One row for each family, whose words don't depend on the moment at which each signal came.
fn merged(rows: Vec<(i32, Row)>) -> Vec<Row> {
    let mut all: Vec<Row> = Vec::new();
    for (signal, mut row) in rows {
        row.fault = family(signal).to_owned();
        match all.iter_mut().find(|other| (&other.at, &other.fault) == (&row.at, &row.fault)) {
            Some(other) => {
                other.wrong.extend(row.wrong);
                if (other.code, &other.stderr) != (row.code, &row.stderr) {
                    let what =
                        format!("signal {signal}: {:?} {} and {:?} {}", other.code, other.stderr, row.code, row.stderr);
                    other.wrong.push((Wrong::Contract, what));
                }
            }
            None => all.push(row),
        }
    }
    all.sort_by(|a, b| (&a.at, &a.fault).cmp(&(&b.at, &b.fault)));
    all
}

/// Blocks a signal for this process and sends it. The C library does neither with those that it keeps to itself.
#[cfg(target_os = "linux")]
fn let_wait(signal: i32) {
    let set = 1_u64 << (signal - 1);
    // SAFETY: the set is as long as is said.
    unsafe {
        libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_BLOCK, &raw const set, 0_usize, size_of_val(&set));
        libc::syscall(libc::SYS_kill, libc::getpid(), signal);
    }
}

#[cfg(not(target_os = "linux"))]
fn let_wait(signal: i32) {
    // SAFETY: the set is ours.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, signal);
        libc::sigprocmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut());
        libc::raise(signal);
    }
}

/// A signal that waits as the program starts.
fn at_the_start(kind: Kind, signal: i32) -> Row {
    let world = World::new();
    let end = world.run_with(kind, |command| {
        // SAFETY: it may be called between fork and exec.
        unsafe {
            command.pre_exec(move || {
                let_wait(signal);
                Ok(())
            });
        }
    });
    world.row("a signal as it starts", "", kind, &end)
}

/// A signal while it waits for the end of its stdin. One that ends nothing leaves half a document.
fn at_stdin(signal: i32) -> Row {
    let world = World::new();
    let began = Instant::now();
    let mut child = crate::hook_ends::waiting(&world.env, &[]);
    // SAFETY: the child is ours and has not been waited for.
    unsafe { libc::kill(i32::try_from(child.id()).unwrap(), signal) };
    if signal == libc::SIGPIPE || RESERVED.contains(&signal) {
        drop(child.stdin.take());
    }
    world.row("a signal while it reads stdin", "", Kind::Change, &waited_for(child, began))
}

/// A signal at the request of that number; none where there is no such request.
fn at_a_request(kind: Kind, signal: i32, nr: u32) -> Option<Row> {
    let world = World::new();
    world.sim.fault(Route::Any, Fault::Delay(Duration::from_millis(120)), Times::Nth(nr));
    let began = Instant::now();
    let mut child = world.command(kind).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(world.call(kind).as_bytes());
    let came = || world.sim.requests().len() >= nr as usize;
    let mut over = false;
    while !came() && !over {
        over = child.try_wait().unwrap().is_some();
        std::thread::sleep(Duration::from_millis(1));
    }
    if !came() {
        child.wait().unwrap();
        return None;
    }
    // SAFETY: the child is ours and has not been waited for.
    unsafe { libc::kill(i32::try_from(child.id()).unwrap(), signal) };
    let end = waited_for(child, began);
    let mut row = world.row("a signal at each request", "", kind, &end);
    row.zvm = "as far as it came".to_owned();
    row.left = match kind {
        Kind::Recover => "no session; no file, or all of it".to_owned(),
        _ if row.code == Some(0) => row.left,
        _ => "no tag, or one that lets nothing run".to_owned(),
    };
    if kind == Kind::Recover && !goes_on(signal) {
        // Before there is a mount the signal ends the process as it ends any; afterwards what is mounted is ended first. One
        // that came with the last answer changes nothing any more.
        let right = match end.ran.code {
            Some(0) => world.has_file(),
            Some(code) => code == 128 + signal && end.ran.stderr.contains("nterrupted"),
            None => end.signal == Some(signal) && world.sim.sessions().is_empty(),
        };
        if !right {
            row.wrong.push((Wrong::Contract, format!("{:?} {:?}: {}", end.ran.code, end.signal, end.ran.stderr)));
        }
        row.code = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT].contains(&signal).then_some(128 + signal);
        row.stdout = "an error's JSON".to_owned();
        row.stderr = "zerto-guard: Interrupted; nothing stays mounted.".to_owned();
    }
    Some(row)
}

/// What ends nothing: the runtime ignores it, or it tells of a file that is too long.
fn goes_on(signal: i32) -> bool {
    matches!(signal, libc::SIGPIPE | libc::SIGXFSZ) || RESERVED.contains(&signal)
}

#[test]
fn signals() {
    let rows = std::sync::Mutex::new(Vec::new());
    let add = |row: (i32, Row)| {
        rows.lock().unwrap().push(row);
        vec![]
    };
    let (add, signals) = (&add, all());
    let mut jobs: Vec<Job> = Vec::new();
    for kind in [Kind::Change, Kind::Recover] {
        let world = World::new();
        assert_eq!(world.run(kind).ran.code, Some(0));
        let requests = world.sim.requests().len();
        for (at, signal) in signals.iter().copied().enumerate() {
            if kind == Kind::Recover && FAULTS.contains(&signal) {
                continue;
            }
            jobs.push(Box::new(move || {
                let nr = u32::try_from(at % requests).unwrap() + 1;
                // Of answers that are asked for again and again there are not always as many.
                let row = (1..=nr).rev().find_map(|nr| at_a_request(kind, signal, nr));
                add((signal, row.unwrap()))
            }));
        }
    }
    for signal in signals {
        jobs.push(Box::new(move || add((signal, at_the_start(Kind::Read, signal)))));
        jobs.push(Box::new(move || add((signal, at_stdin(signal)))));
    }
    side_by_side(&jobs);
    drop(jobs);
    page(
        "machine: signals",
        &merged(rows.into_inner().unwrap()),
        &[
            (
                "SIGKILL",
                "nothing can handle it: the installed entry's `|| exit 2` denies, and a recovery's session is ended with \
          `rewind end-session`, as its own test shows",
            ),
            (
                "a signal in the first moments, before the handlers are set",
                "nothing of the program runs yet; the installed entry's \
          `|| exit 2` denies",
            ),
            (
                "a variable that makes the C library fail before the program begins (`MALLOC_TOP_PAD_`, `GLIBC_TUNABLES`)",
                "nothing of the program runs yet: it ends by SIGSEGV, as dash does in its place; of the installed entries only Claude \
          Code's exec form denies then, which has no shell",
            ),
            (
                "a fault of the program itself (SIGSEGV, SIGABRT, …) in a recovery",
                "the program can't go on: as after SIGKILL",
            ),
        ],
    );
}
