//! How `hook` ends when it can't end by itself: by a signal for Cline, by the deadline, by a stack overflow or a panic. What every
//! signal and every stream does to it is a part of the fault matrix (`faults::machine`).

use crate::env::Env;
use crate::guard_story::{change, demo, home, home_with};
use serde_json::json;
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use zerto_guard::hosts::Host;
use zvm_sim::{Fault, Step, Times};

/// `hook` that waits for the end of its stdin, its handlers set.
#[allow(clippy::zombie_processes, reason = "each test waits for what it is given")]
pub fn waiting(env: &Env, arguments: &[&str]) -> Child {
    let mut child = env.spawn(&[&["hook"], arguments].concat());
    child.stdin.as_mut().unwrap().write_all(b"{").unwrap();
    // It reads stdin only once everything is set: wait until it sleeps in that read.
    let began = Instant::now();
    loop {
        let stat = std::fs::read_to_string(format!("/proc/{}/wchan", child.id())).unwrap_or_default();
        if stat.contains("pipe") || began.elapsed() > Duration::from_millis(300) {
            return child;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn for_cline_the_end_by_a_signal_is_its_json() {
    let env = Env::new();
    let said = |output: &std::process::Output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!((output.status.code(), &json["cancel"]), (Some(0), &json!(true)), "{text}");
        assert!(output.stderr.is_empty());
        json["errorMessage"].as_str().unwrap().to_owned()
    };
    for (signal, part) in [
        (libc::SIGTERM, "ended by a signal"),
        (libc::SIGINT, "ended by a signal"),
        (libc::SIGHUP, "ended by a signal"),
        (libc::SIGALRM, "within the deadline"),
        (libc::SIGSEGV, "the guard itself failed"),
    ] {
        let child = waiting(&env, &["--host", "cline"]);
        // SAFETY: the child is ours and alive: it waits for its stdin.
        assert_eq!(unsafe { libc::kill(i32::try_from(child.id()).unwrap(), signal) }, 0);
        let text = said(&child.wait_with_output().unwrap());
        assert!(text.starts_with("zerto-guard: stopped this call: ") && text.contains(part), "{signal}: {text}");
    }
    // Told by its fields alone, it is known once stdin was read.
    let sim = demo().start();
    let env = home(&sim);
    assert_eq!(env.run(&["find", "web01"]).code, Some(0));
    sim.fault(Step::VmList, Fault::Hang, Times::Always);
    let mut child = env.spawn(&["hook", "--host-timeout", "1s"]);
    let call = json!({"hookName": "PreToolUse", "taskId": "t", "workspaceRoots": [], "preToolUse":
        {"toolName": "execute_command", "parameters": {"command": "ssh web01 reboot"}}});
    child.stdin.take().unwrap().write_all(call.to_string().as_bytes()).unwrap();
    assert!(said(&child.wait_with_output().unwrap()).contains("deadline"));
    // Once the answer is being written, a signal adds nothing to it: two documents would be none, and no deny.
    let (mut reader, mut writer) = std::io::pipe().unwrap();
    // SAFETY: the descriptor is ours and open.
    unsafe {
        use std::os::fd::AsRawFd as _;
        let flags = libc::fcntl(writer.as_raw_fd(), libc::F_GETFL);
        libc::fcntl(writer.as_raw_fd(), libc::F_SETFL, flags | libc::O_NONBLOCK);
        while writer.write(&[b' '; 4096]).is_ok() {}
        libc::fcntl(writer.as_raw_fd(), libc::F_SETFL, flags);
    }
    let mut child = Command::new(Env::binary())
        .args(["hook", "--host", "cline"])
        .env_clear()
        .env("HOME", env.home())
        .stdin(Stdio::null())
        .stdout(writer)
        .spawn()
        .unwrap();
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(500)
        && !std::fs::read_to_string(format!("/proc/{}/wchan", child.id())).unwrap_or_default().contains("pipe_write")
    {
        std::thread::sleep(Duration::from_millis(2));
    }
    for signal in [libc::SIGTERM, libc::SIGALRM, libc::SIGINT] {
        // SAFETY: the child is ours and has not been waited for.
        assert_eq!(unsafe { libc::kill(i32::try_from(child.id()).unwrap(), signal) }, 0);
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut text = String::new();
    std::io::Read::read_to_string(&mut reader, &mut text).unwrap();
    let json: serde_json::Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {}", text.trim()));
    assert_eq!((child.wait().unwrap().code(), &json["cancel"]), (Some(0), &json!(true)));
    assert!(json["errorMessage"].as_str().unwrap().contains("nothing came on stdin"));
    // What can't be said on stdout is a deny all the same.
    for redirect in [">/dev/full", "1</dev/null", ">&-"] {
        let mut child = Command::new("/bin/sh")
            .args(["-c", &format!("exec '{}' hook --host cline {redirect}", Env::binary().display())])
            .env_clear()
            .env("HOME", env.home())
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(child.stdin.take());
        // Elsewhere the runtime opens a stream that is closed.
        let code = if redirect == ">&-" && !cfg!(target_os = "linux") { 0 } else { 2 };
        assert_eq!(child.wait().unwrap().code(), Some(code), "{redirect}");
    }
}

#[test]
fn a_deadline_longer_than_the_hosts_is_cut_to_lie_below_it() {
    let sim = demo().start();
    sim.fault(Step::VmList, Fault::Hang, Times::Always);
    let env = home_with(&sim, "[guard]\ndeadline = '1h'\n");
    let began = Instant::now();
    env.hook_with(&["--host-timeout", "2s"], change(&env, "web01")).denied("deadline");
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
}

#[test]
fn a_parent_that_blocks_signals_blocks_no_deadline() {
    let env = Env::new();
    let script = "import os, signal, sys\n\
                  signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n\
                  os.execv(sys.argv[1], sys.argv[1:])\n";
    let began = Instant::now();
    let child = Command::new("python3")
        .args(["-c", script])
        .arg(Env::binary())
        .args(["hook", "--host-timeout", "1s"])
        .env_clear()
        .env("HOME", env.home())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(child) = child else {
        crate::env::skip("there is no python3 here to block signals with");
        return;
    };
    assert_ended_by_the_deadline(child, began);
}

fn assert_ended_by_the_deadline(mut child: Child, began: Instant) {
    let stdin = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.starts_with("zerto-guard: ") && stderr.contains("deadline"), "{stderr}");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[test]
fn streams_that_cannot_be_written_never_turn_a_deny_into_a_pass() {
    let env = Env::new().config("[guard]\nmode = 'observe'\n");
    let unknown = env.call("Workflow", json!({}));
    let quiet = env.call("Read", json!({"file_path": "/x"}));
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run = |stdin: &str, redirect: &str| {
        let mut child = Command::new("/bin/sh")
            .arg("-c")
            .arg(format!("exec '{}' hook {redirect}", Env::binary().display()))
            .env_clear()
            .env("HOME", env.home())
            .stdin(Stdio::piped())
            .stdout(full())
            .stderr(full())
            .spawn()
            .unwrap();
        // One that has closed its stdin does not take it.
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        child.wait().unwrap().code()
    };
    for redirect in ["", "2>/dev/null", "2>&-"] {
        // Observing has something to say on stdout, which is full: what can't be told is no pass.
        assert_eq!(run(&unknown, redirect), Some(2), "{redirect}");
        assert_eq!(run("garbage", redirect), Some(2), "{redirect}");
        assert_eq!(run(&quiet, redirect), Some(0), "{redirect}");
    }
    // Elsewhere the runtime opens a stream that is closed.
    let unsaid = if cfg!(target_os = "linux") { 2 } else { 0 };
    assert_eq!(run(&unknown, ">&-"), Some(unsaid));
    assert_eq!(run(&unknown, "1</dev/null"), Some(2));
    assert_eq!(run("garbage", ">&- 2>&-"), Some(2));
    assert_eq!(run(&quiet, ">&- 2>&-"), Some(0));
    assert_eq!(run(&quiet, "<&-"), Some(2), "a closed stdin is no call");
}

/// The runtime opens /dev/null for a stream that is closed, and ends the process where there is none.
#[test]
fn a_closed_stream_where_there_is_no_dev_null_is_a_deny() {
    let env = Env::new();
    let quiet = env.call("Read", json!({"file_path": "/x"}));
    let run = |redirect: &str, arguments: &str| {
        let script =
            format!("mount -t tmpfs none /dev && exec '{}' hook {arguments} {redirect}", Env::binary().display());
        let mut child = Command::new("unshare")
            .args(["--mount", "--map-root-user", "sh", "-c", &script])
            .env_clear()
            .env("HOME", env.home())
            .env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .ok()?;
        let _ = child.stdin.take().unwrap().write_all(quiet.as_bytes());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        (!stderr.contains("unshare:") && !stderr.contains("mount:")).then_some((output.status.code(), stderr))
    };
    let Some((open, _)) = run("", "") else { return crate::env::skip("no mount namespace can be made here") };
    assert_eq!(open, Some(0));
    for redirect in ["<&-", ">&-", "2>&-"] {
        let (code, stderr) = run(redirect, "").unwrap();
        assert_eq!(code, Some(2), "{redirect}");
        assert!(redirect == "2>&-" || stderr.starts_with("zerto-guard: stopped this call: "), "{redirect}: {stderr}");
    }
    // Where the arguments are told to `main` alone, the host is not known yet.
    let (code, _) = run("<&-", "--host cline").unwrap();
    assert_eq!(code, Some(if cfg!(target_env = "musl") { 2 } else { 0 }));
}

/// Run again by the tests below, with the fault that it is to show.
#[test]
fn child_that_fails() {
    let Ok(fault) = std::env::var("ZERTO_GUARD_TEST_FAULT") else { return };
    zerto_guard::fail_closed::speak_to(std::env::var("ZERTO_GUARD_TEST_CLINE").ok().map(|_| Host::Cline));
    zerto_guard::fail_closed::arm(Duration::from_secs(20));
    match fault.as_str() {
        "overflow" => {
            #[allow(unconditional_recursion)]
            fn deeper(n: u64) -> u64 {
                let block = std::hint::black_box([n; 512]);
                deeper(n + 1) + block[0]
            }
            assert_eq!(deeper(0), 0, "it came back");
        }
        "abort" => std::process::abort(),
        "memory" => std::alloc::handle_alloc_error(std::alloc::Layout::new::<[u8; 4096]>()),
        other => panic!("{other}"),
    }
}

#[test]
fn a_stack_overflow_an_abort_and_a_lack_of_memory_are_denies() {
    // With one test thread the harness runs the test on the main thread, whose stack is another kind.
    for (fault, threads) in [("overflow", "1"), ("overflow", "2"), ("abort", "1"), ("memory", "1")] {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "hook_ends::child_that_fails", "--nocapture", "--test-threads", threads])
            .env("ZERTO_GUARD_TEST_FAULT", fault)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{fault}: {:?}", output.status);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("zerto-guard: stopped this call"), "{fault}: {stderr}");
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "hook_ends::child_that_fails", "--nocapture", "--test-threads", threads])
            .env("ZERTO_GUARD_TEST_FAULT", fault)
            .env("ZERTO_GUARD_TEST_CLINE", "1")
            .output()
            .unwrap();
        // The harness has written to stdout before.
        let stdout = String::from_utf8_lossy(&output.stdout);
        let last: serde_json::Value = serde_json::from_str(stdout.lines().last().unwrap()).unwrap();
        assert_eq!((output.status.code(), &last["cancel"]), (Some(0), &json!(true)), "{fault}: {stdout}");
    }
}
