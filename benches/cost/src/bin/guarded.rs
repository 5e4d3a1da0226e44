//! What a guard costs, measured at a simulated ZVM over real TLS: `guarded BINARY RUNS` prints rows of the table.
//!
//! The insert's task takes T and its tag is listed L later; what counts is what the guard adds to them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "what can't be measured has to stop")]

use std::fs;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use zvm_sim::{Sim, Step};

const TASK: Duration = Duration::from_millis(700);
const LISTED: Duration = Duration::from_millis(400);

const CALL: &str = r#"{"session_id":"s","cwd":"/","permission_mode":"default","hook_event_name":"PreToolUse",
"tool_name":"Bash","tool_input":{"command":"ssh web01 sudo systemctl restart nginx"},"tool_use_id":"toolu_1"}"#;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, binary, runs] = arguments.as_slice() else { panic!("guarded BINARY RUNS") };
    let sim = Sim::builder().demo_world().insert_time(TASK).listing_delay(LISTED).start();
    let home = home(&sim);
    guard(binary, &home);
    // The simulator counts from its own start: a connection says when that was.
    let all_closed = |sim: &Sim| sim.connections().iter().all(|connection| connection.closed);
    assert!(sim.wait_until(Duration::from_secs(5), all_closed));
    sim.clear_log();
    let now = Instant::now();
    drop(TcpStream::connect(sim.addr()).unwrap());
    assert!(sim.wait_until(Duration::from_secs(5), |sim| sim.connections().last().is_some_and(|last| last.closed)));
    let began = now - sim.connections().last().unwrap().at;
    let (mut late, mut whole, mut last) = (Vec::new(), Vec::new(), String::new());
    for _ in 0..runs.parse::<usize>().unwrap() {
        sim.clear_log();
        let start = Instant::now();
        guard(binary, &home);
        let end = Instant::now();
        whole.push(end - start);
        let inserts = sim.requests_of(Step::Insert);
        let answered = inserts.iter().map(|insert| insert.finished.unwrap()).max().unwrap();
        late.push((end - began).saturating_sub(answered + TASK + LISTED));
        assert!(sim.wait_until(Duration::from_secs(5), all_closed));
        let connections = sim.connections();
        let bytes: u64 = connections.iter().map(|connection| connection.bytes_out).sum();
        last = format!(
            "guard: VPGs tagged, requests (polls too), connections, bytes read\t{}, {}, {}, {bytes}\t",
            inserts.len(),
            sim.requests().len(),
            connections.len()
        );
    }
    let _ = fs::remove_dir_all(&home);
    late.sort();
    whole.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!("{last}");
    println!(
        "guard: over T + L after the insert's answer (T = {} ms, L = {} ms), median and worst\t{:.0} ms, {:.0} ms\t150 ms",
        TASK.as_millis(),
        LISTED.as_millis(),
        ms(late[late.len() / 2]),
        ms(late[late.len() - 1])
    );
    println!(
        "guard: from start to end, median, less T + L\t{:.0} ms\t",
        ms(whole[whole.len() / 2]) - ms(TASK + LISTED)
    );
}

fn home(sim: &Sim) -> PathBuf {
    let home = std::env::temp_dir().join(format!("zerto-guard-cost-{}", std::process::id()));
    let folder = home.join(".config/zerto-guard");
    fs::create_dir_all(&folder).unwrap();
    for folder in [&home, &home.join(".config"), &folder] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
    }
    let config = folder.join("config.toml");
    fs::write(&config, sim.config_toml()).unwrap();
    fs::set_permissions(config, fs::Permissions::from_mode(0o600)).unwrap();
    home
}

fn guard(binary: &str, home: &Path) {
    let call = home.join("call.json");
    fs::write(&call, CALL).unwrap();
    let mut command = Command::new(binary);
    command.arg("hook").env_clear().env("HOME", home).stdin(fs::File::open(call).unwrap());
    let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
