//! The limits of a process (setrlimit(2)): each from the least on, until the call goes through.

use super::{ALL, End, Job, Kind, Sweep, World, side_by_side};
use crate::env::Env;
use crate::faults::{Row, Wrong, page};
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// One of `RLIMIT_*`.
#[cfg(target_env = "gnu")]
type Limit = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
type Limit = libc::c_int;

/// Sets it, hard and soft, once the process is there and before its program is.
fn limited(command: &mut Command, limit: Limit, value: u64) {
    // SAFETY: setrlimit may be called between fork and exec, and gets a structure of its own.
    unsafe {
        command.pre_exec(move || {
            let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
            let both = libc::rlimit { rlim_cur: value, rlim_max: value };
            if libc::setrlimit(limit, &raw const both) == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
        });
    }
}

/// As the entry that `install` writes starts it, which is what denies where the system can't start the program.
fn by_the_entry(world: &World, kind: Kind, limit: Limit, value: u64) -> End {
    let mut command = Command::new("/bin/sh");
    // The shell has no such limit, and its child has.
    let name = match limit {
        libc::RLIMIT_AS => "v",
        libc::RLIMIT_DATA => "d",
        libc::RLIMIT_STACK => "s",
        _ => "n",
    };
    let value = if limit == libc::RLIMIT_NOFILE { value } else { value >> 10 };
    let script = format!("(ulimit -{name} {value}; exec \"$@\") || exit 2");
    command.args(["-c", &script, "sh"]).arg(Env::binary()).args(kind.arguments());
    world.ended(world.prepared(command), kind)
}

fn swept(
    at: &'static str,
    fault: &str,
    kind: Kind,
    limit: Limit,
    values: impl Iterator<Item = u64>,
    world: fn() -> World,
) -> Vec<Row> {
    let mut sweep = Sweep::new(at, kind);
    for value in values {
        let world = world();
        let end = world.run_with(kind, |command| limited(command, limit, value));
        if kind != Kind::Recover && end.is_not_started() {
            let code = by_the_entry(&world, kind, limit, value).ran.code;
            assert_eq!(code, Some(2), "{at} {value}: the entry does not deny what can't be started");
        }
        if sweep.add(&world, end) {
            break;
        }
    }
    // Whether memory lasts until the mount is ended no size can show that does not lie between the two, so the program looks.
    if kind == Kind::Recover && matches!(limit, libc::RLIMIT_AS | libc::RLIMIT_DATA) {
        assert!(sweep.has_said("A recovery has to have"), "{at}: no size was too small for a recovery alone");
    }
    sweep.rows(fault)
}

/// What the limit may be raised to.
fn most(limit: Limit) -> u64 {
    let mut both = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is ours and outlives the call.
    unsafe { libc::getrlimit(limit, &raw mut both) };
    both.rlim_max
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

#[test]
fn memory() {
    let mut jobs: Vec<Job> = Vec::new();
    for kind in ALL {
        jobs.push(Box::new(move || {
            let sizes = (8..400).map(|size| size * MIB);
            swept("memory (RLIMIT_AS)", "every MiB from 8 on", kind, libc::RLIMIT_AS, sizes, World::new)
        }));
        jobs.push(Box::new(move || {
            let sizes = (0..400).map(|size| size * 256 * KIB);
            swept(
                "memory (RLIMIT_DATA)",
                "every quarter of a MiB from 0 on",
                kind,
                libc::RLIMIT_DATA,
                sizes,
                World::new,
            )
        }));
        jobs.push(Box::new(move || {
            let sizes = (1..200).map(|size| size * 8 * KIB);
            swept("the stack (RLIMIT_STACK)", "every 8 KiB from 8 on", kind, libc::RLIMIT_STACK, sizes, World::new)
        }));
    }
    page("machine: memory", &side_by_side(&jobs), &[]);
}

#[test]
fn files_threads_and_time() {
    let mut jobs: Vec<Job> = Vec::new();
    for kind in ALL {
        jobs.push(Box::new(move || {
            swept("open files (RLIMIT_NOFILE)", "0, 1, 2, …", kind, libc::RLIMIT_NOFILE, 0..64, World::new)
        }));
        jobs.push(Box::new(move || {
            let sizes = [
                0,
                1,
                16,
                64,
                128,
                256,
                512,
                KIB,
                2 * KIB,
                4 * KIB,
                64 * KIB,
                200 * KIB,
                SIZE_AND_MORE,
                MIB,
                2 * MIB,
                4 * MIB,
            ];
            swept(
                "the size of a file (RLIMIT_FSIZE)",
                "from 0 on",
                kind,
                libc::RLIMIT_FSIZE,
                sizes.into_iter(),
                World::new,
            )
        }));
        jobs.push(Box::new(move || {
            // A user may have any number of processes already.
            let numbers = (0..12).chain(std::iter::repeat_n(most(libc::RLIMIT_NPROC), 3));
            swept("processes and threads (RLIMIT_NPROC)", "0, 1, 2, …", kind, libc::RLIMIT_NPROC, numbers, || {
                World::new().without_rights()
            })
        }));
        jobs.push(Box::new(move || vec![out_of_time(kind)]));
    }
    page(
        "machine: files, threads, time",
        &side_by_side(&jobs),
        &[(
            "time on the processor, used up to the hard limit (RLIMIT_CPU)",
            "the kernel ends the process with SIGKILL then, which \
          nothing can handle; the installed entry's `|| exit 2` denies",
        )],
    );
}

const SIZE_AND_MORE: u64 = super::SIZE + 1;

/// All the time that the soft limit allows is used up when the program starts.
fn out_of_time(kind: Kind) -> Row {
    let world = World::new();
    let end = world.run_with(kind, |command| {
        // SAFETY: these may be called between fork and exec; the structures are ours.
        unsafe {
            command.pre_exec(|| {
                let mut set: libc::sigset_t = std::mem::zeroed();
                libc::sigemptyset(&raw mut set);
                libc::sigaddset(&raw mut set, libc::SIGXCPU);
                libc::sigprocmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut());
                libc::raise(libc::SIGXCPU);
                Ok(())
            });
        }
    });
    let mut row = world.row("time on the processor (RLIMIT_CPU)", "the soft limit is reached as it starts", kind, &end);
    if end.is_not_started() && kind != Kind::Recover {
        row.wrong.push((Wrong::FailOpen, "SIGXCPU ended it".into()));
    }
    row
}
