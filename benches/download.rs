//! What a long file costs: `zerto-guard rewind recover` and `curl` against the same simulator, one after the other.
//!
//! `cargo bench --bench download` prints the rates of both and the most memory that was resident. `-- MIB` sets the size.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a benchmark that can't go on has to stop"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use zvm_sim::{Content, Guest, Sim, VmSpec, VpgSpec};

const TAG: &str = "ai:claude | edit /etc/app.yaml | vm=web01 | change=chg-412 | 20260921T150405Z";
const ROUNDS: usize = 3;

fn main() {
    let mib = std::env::args().filter_map(|word| word.parse::<u64>().ok()).next_back().unwrap_or(1024);
    let bytes = mib * 1024 * 1024;
    let content = Content::generated(bytes, 7);
    let guest = Guest::linux("web01").file("partition#1 Ext4/srv/blob", content.clone());
    let sim = Sim::builder().vm(VmSpec::new("web01").vpg(VpgSpec::local("gold")).guest(guest)).start();
    let checkpoint = sim.put_tag("gold", Duration::from_secs(120), TAG).expect("there is such a VPG");
    let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let config = home.path().join("config.toml");
    fs::write(&config, sim.config_toml()).expect("written");
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    let (mut curls, mut ours, mut peak) = (Vec::new(), Vec::new(), 0);
    for _ in 0..ROUNDS {
        curls.push(rate(curl(&sim, &checkpoint, home.path())));
        let (time, resident, sha256) = recover(home.path(), &config);
        assert_eq!(sha256, content.sha256());
        ours.push(rate(time));
        peak = peak.max(resident);
    }
    let best = |rates: &[f64]| rates.iter().copied().fold(0.0, f64::max);
    let (theirs, ours) = (best(&curls), best(&ours));
    println!("{mib} MiB, the best of {ROUNDS}");
    println!("curl                        {theirs:7.0} MB/s");
    println!("zerto-guard rewind recover  {ours:7.0} MB/s, from its start to its end, mount and unmount included");
    println!("{:.0} % of curl's rate; at most {:.1} MiB resident", ours / theirs * 100.0, peak as f64 / 1024.0);
    assert!(ours * 2.0 >= theirs && peak < 50 * 1024, "too slow, or too much memory");
}

/// The whole command: how long it took, the most KiB that were resident, and the digest that it told.
fn recover(home: &Path, config: &Path) -> (Duration, u64, String) {
    let begun = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_zerto-guard"))
        .args(["rewind", "recover", "latest:/srv/blob", "--yes", "--json", "--config"])
        .arg(config)
        .env_clear()
        .env("HOME", home)
        .current_dir(home)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let time = loop {
        if let Ok(text) = fs::read_to_string(&status) {
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let resident = line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0);
            peak = peak.max(resident);
        }
        if child.try_wait().expect("waited for").is_some() {
            break begun.elapsed();
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let output = child.wait_with_output().expect("its output");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    fs::remove_file(home.join("blob")).expect("the file");
    (time, peak, told["sha256"].as_str().expect("a digest").to_owned())
}

/// The download alone.
fn curl(sim: &Sim, checkpoint: &str, home: &Path) -> Duration {
    let url = sim.url();
    let password = fs::read_to_string(sim.password_file()).expect("the password");
    let user = format!("username={}", sim.username());
    let form = format!("{url}/auth/realms/zerto/protocol/openid-connect/token");
    let password = format!("password={}", password.trim());
    let told = ask(&[
        "-d",
        "grant_type=password",
        "-d",
        "client_id=zerto-client",
        "-d",
        &user,
        "--data-urlencode",
        &password,
        &form,
    ]);
    let bearer = format!("Authorization: Bearer {}", told["access_token"].as_str().expect("a token"));
    let post = |path: &str, body: String| {
        ask(&["-H", &bearer, "-H", "Content-Type: application/json", "-d", &body, &format!("{url}{path}")])
    };
    let vm = sim.with_state(|state| state.vms.first().map(|vm| vm.identifier.clone())).expect("a VM");
    let vpg = sim.vpg_id("gold").expect("the VPG");
    let mount =
        serde_json::json!({"jflr": {"vmIdentifier": vm, "vpgIdentifier": vpg, "checkpointIdentifier": checkpoint}});
    let session = post("/v1/flrs", mount.to_string()).as_str().expect("a session").to_owned();
    let mounted = |sim: &Sim| sim.live_sessions().iter().any(|s| s.status == "MountCompletedSuccessfully");
    assert!(sim.wait_until(Duration::from_secs(10), mounted));
    let body = serde_json::json!({"pathList": ["partition#1 Ext4/srv/blob"]}).to_string();
    let link = post(&format!("/v1/flrs/{session}/download"), body).as_str().expect("a link").to_owned();
    let file = home.join("curl");
    let begun = Instant::now();
    let done =
        Command::new("curl").args(["-sSkf", "-H", &bearer, "-o"]).arg(&file).arg(format!("{url}/{link}")).status();
    let time = begun.elapsed();
    assert!(done.expect("curl is there").success());
    fs::remove_file(file).expect("the file");
    ask(&["-X", "DELETE", "-H", &bearer, &format!("{url}/v1/flrs/{session}")]);
    assert!(sim.wait_until(Duration::from_secs(10), |sim| sim.live_sessions().is_empty()));
    time
}

fn ask(arguments: &[&str]) -> serde_json::Value {
    let output = Command::new("curl").arg("-sSk").args(arguments).output().expect("curl is there");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}
