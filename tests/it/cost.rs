//! What a call costs, by what the kernel and the ZVM were asked: no clock is looked at.

use crate::elf;
use crate::env::{Env, skip};
use crate::guard_story::{change, demo, home, told};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use zvm_sim::{Handshake, Sim, Step, VmSpec, VpgSpec};

/// What the hook asked of the kernel, of these calls; none where there is no strace. It lets the call pass.
fn asked_of_the_kernel(env: &Env, calls: &str, stdin: &str) -> Option<String> {
    let trace = env.path("trace");
    let mut strace = Command::new("strace")
        .args(["-f", "-o", trace.to_str().unwrap(), "-e", calls])
        .arg(Env::binary())
        .arg("hook")
        .env_clear()
        .env("HOME", env.home())
        .current_dir(env.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .ok()?;
    strace.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    assert!(strace.wait().unwrap().success());
    Some(fs::read_to_string(trace).unwrap())
}

const FORBIDDEN_AND_FILES: &str = "trace=network,process,?open,openat,getdents64,?mkdir,?mkdirat";

#[test]
fn a_read_only_call_asks_nothing_of_the_kernel_but_the_contracts_files() {
    let env = Env::new().config(
        "[[zvm]]\nname = 'a'\nurl = 'https://127.0.0.1:9'\nusername = 'u'\npassword_command = ['/bin/false']\n",
    );
    let env = env.catalog("[server.x]\nread_only = ['y']\n");
    for call in [
        env.call("Read", json!({"file_path": "/etc/hosts"})),
        env.call("Grep", json!({"pattern": "x"})),
        env.mcp("winrm", "run_ps", json!({"host": "web01", "script": "Get-Service"})),
        env.call("Bash", json!({"command": "git status && cargo test --quiet"})),
    ] {
        env.hook(call.as_str()).passed_silently();
        assert!(!env.home().join(".local").exists(), "state was touched");
        let Some(calls) = asked_of_the_kernel(&env, FORBIDDEN_AND_FILES, &call) else {
            skip("there is no strace here, so the calls to the kernel were not looked at");
            return;
        };
        for forbidden in ["socket", "connect(", "clone", "fork(", "O_WRONLY", "O_RDWR", "O_CREAT", "mkdir(", "getdents"]
        {
            assert!(!calls.contains(forbidden), "{forbidden} in\n{calls}");
        }
        assert_eq!(calls.matches("execve(").count(), 1, "{calls}");
        let opened: BTreeSet<&str> = calls
            .lines()
            .filter(|line| line.contains("open"))
            .filter_map(|line| line.split('"').nth(1))
            // The loader's, where the program is linked dynamically.
            .filter(|path| !path.contains("/lib") && *path != "/etc/ld.so.cache")
            .collect();
        let mut wanted: BTreeSet<String> = ["config.toml", "catalog.toml"]
            .iter()
            .map(|file| env.config_dir().join(file).display().to_string())
            .collect();
        // Of what is looked for besides, only what is there is opened.
        if Path::new("/etc/zerto-guard").exists() {
            wanted.extend(["config.toml", "catalog.toml"].map(|file| format!("/etc/zerto-guard/{file}")));
        }
        let folders = env.project();
        if call.contains("\"Bash\"") {
            // What acts on this machine must not change the settings in which the hook stands, wherever these are.
            wanted.insert(env.state_dir().join("installed").display().to_string());
            // Nor write on a guest's disk.
            wanted.insert("/proc/self/mountinfo".to_owned());
        }
        let projects = folders.ancestors().map(|folder| folder.join(".zerto-guard/catalog.toml"));
        let projects = projects.filter(|file| file.parent().unwrap().exists());
        wanted.extend(projects.map(|file| file.display().to_string()));
        assert_eq!(opened, wanted.iter().map(String::as_str).collect(), "{calls}");
    }
}

/// The runtime would see to that, but the hook does not wait for it to begin. A thread without such a stack that overflows its own
/// ends the process by a signal, and a host lets the call run.
#[test]
fn each_thread_of_the_hook_has_a_stack_for_the_handlers() {
    let sim = demo().start();
    let env = home(&sim);
    let asked = asked_of_the_kernel(&env, "trace=clone,clone3,sigaltstack,exit", &change(&env, "web01"));
    let Some(calls) = asked else { return skip("there is no strace here") };
    let of = |line: &str| line.split_once(' ').map(|(thread, _)| thread.to_owned()).unwrap();
    let all: BTreeSet<String> = calls.lines().filter(|line| !line.contains("+++")).map(of).collect();
    let given: BTreeSet<String> = calls.lines().filter(|line| line.contains("ss_size=65536")).map(of).collect();
    assert!(all.len() > 2, "{calls}");
    assert_eq!(all, given, "{calls}");
}

#[test]
fn the_program_needs_no_library_of_the_system() {
    let file = fs::read(Env::binary()).unwrap();
    let may_be = std::env::var("ZERTO_GUARD_LINK").is_ok_and(|how| how == "dynamic");
    if cfg!(all(target_os = "linux", target_env = "gnu")) && !may_be {
        assert!(
            elf::segments(&file).all(|segment| segment.kind != elf::LOADER),
            "linked dynamically: is the static C library (libc.a) here?"
        );
    }
}

#[test]
fn connections_and_tls_sessions_are_used_again() {
    let sim = demo().insert_time(std::time::Duration::from_millis(500)).start();
    let env = home(&sim);
    told(&env.hook(change(&env, "db01")));
    sim.clear_log();
    told(&env.hook(change(&env, "web01")));
    assert!(sim.requests_of(Step::Token).is_empty(), "the token was cached");
    let inserts: BTreeSet<u64> = sim.requests_of(Step::Insert).iter().map(|insert| insert.connection).collect();
    assert_eq!(inserts.len(), 2, "one of its own for each insert");
    let connections = sim.connections();
    assert!(connections.iter().all(|connection| connection.handshake == Handshake::Done), "{connections:#?}");
    // The first questions go side by side over new connections; whatever comes later takes up what these have begun.
    let first: BTreeSet<u64> = [Step::VmList, Step::LocalSite, Step::ServerTime]
        .iter()
        .flat_map(|step| sim.requests_of(*step))
        .map(|request| request.connection)
        .collect();
    for connection in &connections {
        assert!(first.contains(&connection.id) || connection.resumed, "a new TLS session: {connections:#?}");
    }
    let polls = sim.requests_of(Step::Task).len() + sim.requests_of(Step::CheckpointList).len();
    assert!(polls > 6, "{polls} polls");
    // Each VPG is polled by itself, and needs a connection more where the first questions went one after another.
    let most = first.len() + inserts.len() + 2;
    assert!(connections.len() <= most, "polls over connections of their own: {connections:#?}");
}

/// How long the answers to a guard of `web01` were, of each question the longest.
fn answers(sim: &Sim) -> BTreeMap<String, u64> {
    let env = home(sim);
    told(&env.hook(change(&env, "web01")));
    let mut answers = BTreeMap::new();
    for request in sim.requests().iter().filter(|request| request.path.starts_with("/v1/")) {
        let step = format!("{:?}", Step::of(&request.method, &request.path));
        let most: &mut u64 = answers.entry(step).or_default();
        *most = request.answer_bytes.unwrap().max(*most);
    }
    answers
}

#[test]
fn what_is_read_grows_neither_with_the_inventory_nor_with_the_journal() {
    let web01 = |checkpoints| VmSpec::new("web01").vpg(VpgSpec::local("gold").checkpoints(checkpoints));
    let small = answers(&Sim::builder().vm(web01(20)).start());
    let others = (0..2_000).map(|nr| VmSpec::new(&format!("vm{nr}")).vpg(VpgSpec::local(&format!("vpg{nr}"))));
    let large = answers(&others.fold(Sim::builder().vm(web01(20_000)), |sim, vm| sim.vm(vm)).start());
    assert_eq!(small.keys().collect::<Vec<_>>(), large.keys().collect::<Vec<_>>());
    for (step, bytes) in &large {
        // What names a time or a number may be a few characters longer, and a list may hold one checkpoint more.
        assert!(*bytes <= small[step] + 1_000, "{step}: {} and {bytes} bytes", small[step]);
    }
}
