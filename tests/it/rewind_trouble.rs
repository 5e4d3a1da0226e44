//! What is left behind by a recovery that goes wrong: the file, the sessions, the exit code. Through the real binary, with
//! real signals. An answer of the ZVM that goes wrong is in `faults`.

use crate::env::{Env, Ran};
use crate::guard_story::home;
use std::fs;
use std::process::Child;
use std::time::Duration;
use zvm_sim::{Content, Fault, Sim, Step, Times, UnmountOutcome, VmSpec, VpgSpec};

const TAG: &str = "ai:claude | edit /srv/big.bin | vm=web01 | change=chg-412 | 20260921T150405Z";
const FILE: &str = "partition#1 Ext4/srv/big.bin";
const SIZE: u64 = 300_000;

fn world() -> Sim {
    let content = Content::generated(SIZE, 7);
    let guest = zvm_sim::Guest::linux("web01").file(FILE, content);
    let sim = Sim::builder().vm(VmSpec::new("web01").vpg(VpgSpec::local("gold")).guest(guest)).start();
    sim.put_tag("gold", Duration::from_secs(60), TAG).unwrap();
    sim
}

const RECOVER: [&str; 5] = ["rewind", "recover", "latest:/srv/big.bin", "--yes", "--json"];

/// What a recovery leaves behind.
#[derive(Debug, PartialEq)]
struct Left {
    code: Option<i32>,
    /// Whether the file is there, whole.
    file: bool,
    /// What else is in the folder.
    others: Vec<String>,
    live: usize,
    mounts: usize,
}

fn left(env: &Env, sim: &Sim, code: Option<i32>) -> Left {
    let mut names: Vec<String> =
        fs::read_dir(env.project()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let file = names.iter().position(|name| name == "big.bin").map(|at| names.remove(at)).is_some();
    if file {
        let bytes = fs::read(env.project().join("big.bin")).unwrap();
        assert_eq!(bytes.len() as u64, SIZE, "half a file under the final name");
        assert_eq!(hex(&bytes), Content::generated(SIZE, 7).sha256());
    }
    Left { code, file, others: names, live: sim.live_sessions().len(), mounts: sim.requests_of(Step::FlrMount).len() }
}

fn hex(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn nothing_left(code: i32) -> Left {
    Left { code: Some(code), file: false, others: vec![], live: 0, mounts: 1 }
}

#[test]
fn a_failed_unmount_is_no_failed_recovery_and_says_what_is_still_up() {
    let sim = world();
    sim.next_unmounts(10, &UnmountOutcome::Failed("The host is gone.".into()));
    let env = home(&sim);
    let ran = env.run(&RECOVER);
    let expected = Left { file: true, live: 1, ..nothing_left(0) };
    assert_eq!(left(&env, &sim, ran.code), expected, "{}", ran.stderr);
    let session = sim.live_sessions()[0].identifier.clone();
    let json = ran.json();
    assert_eq!(json["unmount"]["ok"], false);
    assert_eq!(json["unmount"]["session_id"].as_str(), Some(session.as_str()));
    assert!(json["unmount"]["error"].as_str().unwrap().contains("The host is gone"), "{json}");
    let clear = format!("zerto-guard rewind end-session {session}");
    assert!(json["warnings"].to_string().contains(&clear) && ran.stderr.contains(&clear), "{}", ran.stderr);
    // What is left of it is in the way of the next one, and is named.
    let again = env.run(&["rewind", "recover", "latest:/srv/big.bin", "--yes", "--output", "again.bin"]);
    assert_ne!(again.code, Some(0));
    assert!(again.stderr.contains(&session), "{}", again.stderr);
}

#[test]
fn another_operators_session_is_left_alone_and_named() {
    let sim = world();
    let theirs = sim.mount_elsewhere("web01", "gold", None).unwrap();
    assert!(
        sim.wait_until(Duration::from_secs(5), |sim| sim.live_sessions()[0].status == "MountCompletedSuccessfully")
    );
    let env = home(&sim);
    let ran = env.run(&RECOVER);
    let expected = Left { live: 1, mounts: 0, ..nothing_left(1) };
    assert_eq!(left(&env, &sim, ran.code), expected, "{}", ran.stderr);
    assert_eq!(sim.live_sessions()[0].identifier, theirs);
    assert!(sim.requests_of(Step::FlrUnmount).is_empty());
    assert!(ran.stderr.contains("mounted"), "{}", ran.stderr);
}

/// Starts a recovery and waits until that much of it has happened.
fn started(env: &Env, sim: &Sim, arguments: &[&str], step: Step) -> Child {
    let child = env.spawn(arguments);
    assert!(sim.wait_until(Duration::from_secs(20), |sim| !sim.requests_of(step).is_empty()), "{step:?}");
    child
}

fn signal(child: &Child, signal: i32) {
    // SAFETY: the process is this one's child, and was not waited for.
    assert_eq!(unsafe { libc::kill(child.id() as i32, signal) }, 0);
}

fn ended(child: Child) -> Ran {
    child.wait_with_output().unwrap().into()
}

#[test]
fn a_signal_at_any_time_leaves_neither_half_a_file_nor_a_mount() {
    let slow = Fault::SlowDrip { bytes: 1_000, every: Duration::from_millis(50) };
    for (number, code) in [
        (libc::SIGINT, 130),
        (libc::SIGTERM, 143),
        (libc::SIGHUP, 129),
        (libc::SIGQUIT, 131),
        (libc::SIGUSR1, 138),
        (libc::SIGXCPU, 152),
    ] {
        for (step, fault) in [
            (Step::FlrMount, Fault::Delay(Duration::from_secs(20))),
            (Step::FlrMount, Fault::AfterProcessing(Box::new(Fault::Hang))),
            (Step::FlrSession, Fault::Hang),
            (Step::FlrBrowse, Fault::Hang),
            (Step::FlrLink, Fault::Hang),
            (Step::Download, slow.clone()),
            (Step::Download, Fault::StallAfter(100_000)),
        ] {
            if number != libc::SIGINT && step != Step::Download {
                continue;
            }
            let sim = world();
            sim.fault(step, fault.clone(), Times::Next(1));
            let env = home(&sim);
            let child = started(&env, &sim, &RECOVER, step);
            std::thread::sleep(Duration::from_millis(150));
            signal(&child, number);
            let ran = ended(child);
            assert_eq!(left(&env, &sim, ran.code), nothing_left(code), "{step:?} {fault:?}: {}", ran.stderr);
            assert!(ran.json()["error"].as_str().unwrap().starts_with("Interrupted"), "{}", ran.stdout);
        }
    }
}

#[test]
fn a_signal_while_the_end_is_awaited_does_not_break_it_off() {
    let sim = world();
    sim.with_state(|s| s.settings.flr.unmount_time = Duration::from_millis(1_500));
    let env = home(&sim);
    let child = started(&env, &sim, &RECOVER, Step::FlrUnmount);
    for _ in 0..3 {
        signal(&child, libc::SIGINT);
        std::thread::sleep(Duration::from_millis(100));
    }
    let ran = ended(child);
    // The file had come before the signal did.
    assert_eq!(left(&env, &sim, ran.code), Left { file: true, ..nothing_left(0) }, "{}", ran.stderr);
}

#[test]
fn an_unmount_that_fails_after_a_signal_is_said() {
    let sim = world();
    sim.fault(Step::Download, Fault::StallAfter(1_000), Times::Next(1));
    sim.next_unmounts(10, &UnmountOutcome::Failed("The host is gone.".into()));
    let env = home(&sim);
    let child = started(&env, &sim, &RECOVER, Step::Download);
    signal(&child, libc::SIGTERM);
    let ran = ended(child);
    assert_eq!(left(&env, &sim, ran.code), Left { live: 1, ..nothing_left(143) }, "{}", ran.stderr);
    assert!(ran.stderr.contains(&format!("end-session {}", sim.live_sessions()[0].identifier)), "{}", ran.stderr);
}

#[test]
fn after_a_kill_that_nothing_survives_there_is_no_file_and_the_session_can_be_ended() {
    let sim = world();
    sim.fault(Step::Download, Fault::StallAfter(100_000), Times::Next(1));
    let env = home(&sim);
    let mut child = started(&env, &sim, &RECOVER, Step::Download);
    std::thread::sleep(Duration::from_millis(200));
    child.kill().unwrap();
    let ran = ended(child);
    let after = left(&env, &sim, ran.code);
    assert_eq!((after.code, after.file, after.live), (None, false, 1));
    // What had come bears a name that says what it is.
    assert!(after.others.iter().all(|name| name.contains("zerto-guard-part")), "{:?}", after.others);
    let session = sim.live_sessions()[0].identifier.clone();
    let listed = env.run(&["rewind", "sessions", "--json"]).json();
    assert_eq!(listed[0]["id"].as_str(), Some(session.as_str()), "{listed}");
    let ran = env.run(&["rewind", "end-session", &session, "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(sim.live_sessions().is_empty());
    assert_eq!(env.run(&RECOVER).code, Some(0));
}

#[test]
fn a_file_longer_than_the_shell_allows_is_an_error_and_no_end_in_the_middle() {
    let sim = world();
    let env = home(&sim);
    // In blocks of 512 bytes, less than the file has.
    let mut command = std::process::Command::new("/bin/sh");
    command.args(["-c", "ulimit -f 100; exec \"$0\" \"$@\""]).arg(Env::binary()).args(RECOVER);
    command.env_clear().env("HOME", env.home()).current_dir(env.project());
    let ran = Ran::from(command.output().unwrap());
    assert_eq!(left(&env, &sim, ran.code), nothing_left(1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.json()["error"].as_str().unwrap().contains("could not be written"), "{}", ran.stdout);
}

#[test]
fn stderr_that_nobody_reads_does_not_keep_the_mount() {
    use std::io::{Read as _, Write as _};
    use std::os::fd::AsRawFd as _;
    let sim = world();
    sim.fault(Step::Download, Fault::StallAfter(1_000), Times::Next(1));
    let env = home(&sim);
    let (mut reader, writer) = std::io::pipe().unwrap();
    let mut command = std::process::Command::new(Env::binary());
    command.args(["rewind", "recover", "latest:/srv/big.bin", "--yes"]).stderr(writer.try_clone().unwrap());
    command.env_clear().env("HOME", env.home()).current_dir(env.project()).stdout(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    drop(command);
    assert!(sim.wait_until(Duration::from_secs(20), |sim| !sim.requests_of(Step::Download).is_empty()));
    // Full to the last byte: the pipe is the child's too, so it must block again before the child writes to it.
    let block = |blocks: bool| {
        // SAFETY: the descriptor is open.
        let done = unsafe { libc::fcntl(writer.as_raw_fd(), libc::F_SETFL, if blocks { 0 } else { libc::O_NONBLOCK }) };
        assert_eq!(done, 0);
    };
    block(false);
    for piece in [&[b'x'; 4096][..], b"x"] {
        while (&writer).write(piece).is_ok() {}
    }
    block(true);
    signal(&child, libc::SIGTERM);
    let unmounted = sim.wait_until(Duration::from_secs(20), |sim| sim.live_sessions().is_empty());
    drop(writer);
    let drained = std::thread::spawn(move || reader.read_to_end(&mut Vec::new()));
    let ran = ended(child);
    drained.join().unwrap().unwrap();
    assert!(unmounted, "nothing was ended while stderr was full");
    assert_eq!(left(&env, &sim, ran.code), nothing_left(143));
}

#[test]
fn ctrl_c_while_the_first_of_two_mounts_ends_begins_no_second_one() {
    let sim = world();
    sim.put_file("web01", FILE, "now");
    sim.automatic_checkpoint("gold").unwrap();
    sim.with_state(|s| s.settings.flr.unmount_time = Duration::from_millis(1_000));
    let env = home(&sim);
    for (command, printed) in [("diff", ""), ("cat", ""), ("ls", "")] {
        sim.clear_log();
        let child = started(&env, &sim, &["rewind", command, "latest:/srv/big.bin", "--yes"], Step::FlrUnmount);
        signal(&child, libc::SIGINT);
        let ran = ended(child);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(130), printed), "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains("Interrupted; nothing stays mounted"), "{command}: {}", ran.stderr);
        assert_eq!((sim.requests_of(Step::FlrMount).len(), sim.live_sessions().len()), (1, 0), "{command}");
    }
}
