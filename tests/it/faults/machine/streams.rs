//! Streams that are closed, full, never read, endless or slow.

use super::{ALL, AMPLE, End, HOOK, Job, Kind, SHORT, World, side_by_side, waited_for};
use crate::faults::page;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

type Change = fn(&mut Command);

const AS_IS: Change = |_| {};

fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

/// A pipe whose reader is gone.
fn broken() -> std::io::PipeWriter {
    std::io::pipe().unwrap().1
}

fn closed(command: &mut Command, stream: i32) {
    // SAFETY: close may be called between fork and exec.
    unsafe {
        command.pre_exec(move || {
            libc::close(stream);
            Ok(())
        });
    }
}

/// A read of it does not wait for what is still to come.
fn impatient(command: &mut Command) {
    // SAFETY: fcntl may be called between fork and exec.
    unsafe {
        command.pre_exec(|| {
            let flags = libc::fcntl(0, libc::F_GETFL);
            libc::fcntl(0, libc::F_SETFL, flags | libc::O_NONBLOCK);
            Ok(())
        });
    }
}

const OUTPUTS: [(&str, &str, Change); 9] = [
    ("stdout", "closed", |command| closed(command, 1)),
    ("stdout", "full", |command| {
        command.stdout(full());
    }),
    ("stdout", "a pipe whose reader is gone", |command| {
        command.stdout(broken());
    }),
    ("stderr", "closed", |command| closed(command, 2)),
    ("stderr", "full", |command| {
        command.stderr(full());
    }),
    ("stderr", "a pipe whose reader is gone", |command| {
        command.stderr(broken());
    }),
    ("stdout and stderr", "closed", |command| {
        closed(command, 1);
        closed(command, 2);
    }),
    ("stdout and stderr", "full", |command| {
        command.stdout(full()).stderr(full());
    }),
    ("all streams", "closed", |command| (0..3).for_each(|stream| closed(command, stream))),
];

/// A pipe that takes nothing more.
fn full_pipe() -> (std::io::PipeReader, std::io::PipeWriter) {
    use std::os::fd::AsRawFd as _;
    let (reader, mut writer) = std::io::pipe().unwrap();
    // SAFETY: the descriptor is ours and open.
    unsafe {
        let flags = libc::fcntl(writer.as_raw_fd(), libc::F_GETFL);
        libc::fcntl(writer.as_raw_fd(), libc::F_SETFL, flags | libc::O_NONBLOCK);
        for piece in [&[b'x'; 4096][..], b"x"] {
            while writer.write(piece).is_ok() {}
        }
        libc::fcntl(writer.as_raw_fd(), libc::F_SETFL, flags);
    }
    (reader, writer)
}

fn unread(kind: Kind, stream: &'static str) -> Vec<crate::faults::Row> {
    let world = World::within(SHORT);
    let (reader, writer) = full_pipe();
    let end = world.run_with(kind, |command| {
        match stream {
            "stdout" => command.stdout(writer),
            _ => command.stderr(writer),
        };
    });
    drop(reader);
    let mut row = world.row(stream, "a full pipe that nobody reads", kind, &end);
    silent_deny(&mut row, &end);
    vec![row]
}

/// Where stderr takes nothing, a deny without a word is right: it is a deny all the same.
fn silent_deny(row: &mut crate::faults::Row, end: &End) {
    if end.ran.code == Some(2) && end.ran.stderr.is_empty() {
        row.wrong.retain(|(_, what)| !what.starts_with("stderr of a deny"));
    }
}

/// A call of which stdin is fed by this.
fn fed(
    fault: &str,
    kind: Kind,
    within: Duration,
    change: Change,
    feed: impl FnOnce(&World, &mut dyn FnMut(&[u8]) -> bool) + Send,
) -> Vec<crate::faults::Row> {
    let world = World::within(within);
    let mut command = world.command(kind);
    change(&mut command);
    // As the installed entry says it: no config was read yet. A tenth less is the deadline.
    command.args(["--host-timeout", &format!("{}s", within.as_secs())]);
    let began = Instant::now();
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let end = std::thread::scope(|scope| {
        let world = &world;
        scope.spawn(move || feed(world, &mut |bytes| stdin.write_all(bytes).is_ok()));
        waited_for(child, began)
    });
    vec![world.row("stdin", fault, kind, &end)]
}

#[test]
fn streams() {
    let mut jobs: Vec<Job> = Vec::new();
    for (stream, fault, change) in OUTPUTS {
        jobs.push(Box::new(move || {
            ALL.map(|kind| {
                let world = World::new();
                let end = world.run_with(kind, change);
                let mut row = world.row(stream, fault, kind, &end);
                silent_deny(&mut row, &end);
                row
            })
            .into()
        }));
    }
    // What a read says nothing to is not held up by it.
    for kind in HOOK {
        jobs.push(Box::new(move || unread(kind, "stdout")));
        jobs.push(Box::new(move || unread(kind, "stderr")));
    }
    let inputs: [(&'static str, Change); 4] = [
        ("closed", |command| closed(command, 0)),
        ("a folder", |command| {
            command.stdin(File::open("/").unwrap());
        }),
        ("can't be read", |command| {
            command.stdin(OpenOptions::new().write(true).open("/dev/null").unwrap());
        }),
        ("endless", |command| {
            command.stdin(File::open("/dev/zero").unwrap());
        }),
    ];
    for (fault, change) in inputs {
        jobs.push(Box::new(move || {
            let world = World::new();
            let end = world.run_with(Kind::Change, change);
            vec![world.row("stdin", fault, Kind::Change, &end)]
        }));
    }
    jobs.push(Box::new(|| {
        fed("a whole call, and 33 MiB of blanks before it", Kind::Change, AMPLE, AS_IS, |world, write| {
            let _ = write(&vec![b' '; 33 << 20]) && write(world.call(Kind::Change).as_bytes());
        })
    }));
    for kind in HOOK {
        jobs.push(Box::new(move || {
            fed("non-blocking, and the call comes later", kind, AMPLE, impatient, move |world, write| {
                let call = world.call(kind);
                let (begin, rest) = call.split_at(20);
                for part in [begin, rest] {
                    std::thread::sleep(Duration::from_millis(100));
                    write(part.as_bytes());
                }
            })
        }));
    }
    jobs.push(Box::new(|| {
        fed("open for ever, after a whole call", Kind::Change, SHORT, AS_IS, |world, write| {
            write(world.call(Kind::Change).as_bytes());
            while write(b" ") {
                std::thread::sleep(Duration::from_millis(50));
            }
        })
    }));
    for kind in HOOK {
        jobs.push(Box::new(move || {
            fed("a byte now and then", kind, SHORT, AS_IS, move |world, write| {
                for byte in world.call(kind).bytes() {
                    if !write(&[byte]) {
                        break;
                    }
                    std::thread::sleep(Duration::from_millis(50));
                }
            })
        }));
    }
    jobs.push(Box::new(|| {
        ALL.map(|kind| {
            let world = World::new();
            let end = world.run_with(kind, |command| {
                command.stdin(Stdio::null());
            });
            world.row("stdin", "/dev/null", kind, &end)
        })
        .into()
    }));
    page("machine: streams", &side_by_side(&jobs), &[]);
}
