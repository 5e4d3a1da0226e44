//! How a call, and the server, end: nothing stays mounted, whoever breaks off; and no line of input ends it.

use crate::client::{Client, DEAF, Home, SERVER, call, drive, ok};
use crate::tools::world;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Child;
use std::time::Duration;
use zvm_sim::{MountOutcome, Sim, Step, VmSpec, VpgSpec};

/// A client of either protocol.
const BOTH: [Client; 2] = [DEAF, Client { mode: "auto", human: None }];

/// The first mount never comes, so that a call can be broken off in the middle of it.
fn slow() -> Sim {
    let sim = world();
    sim.next_mounts(1, &MountOutcome::Stuck);
    sim
}

fn recover(home: &Home) -> Value {
    let destination = home.path("before.yaml");
    call(
        "zerto_recover_file",
        json!({"tag": "chg-412", "path": "/etc/app.yaml", "destination": destination, "confirmed": true}),
    )
}

fn mounted_and_ended(sim: &Sim) {
    assert_eq!(sim.requests_of(Step::FlrMount).len(), 1);
    assert!(sim.wait_until(Duration::from_secs(20), |sim| sim.live_sessions().is_empty()), "it is still mounted");
    assert!(!sim.requests_of(Step::FlrUnmount).is_empty());
}

#[test]
fn a_call_that_is_called_off_ends_its_mount_and_the_next_one_works() {
    let sims = [slow(), slow()];
    let homes: Vec<_> = sims.iter().map(Home::new).collect();
    let steps = |home| [json!({"cancel": recover(home), "at": "mounting the disks"}), json!({"retry": recover(home)})];
    let scenarios: Vec<_> = homes.iter().zip(BOTH).map(|(home, client)| home.scenario(client, &steps(home))).collect();
    let Some(all) = drive(&scenarios) else { return };
    for (sim, came) in sims.iter().zip(all) {
        assert_eq!(came.results[0]["was_running"], true);
        // The second is refused until the first is unmounted.
        assert_eq!(ok(&came.results[1])["unmount"]["ok"], true);
        assert!(sim.live_sessions().is_empty());
        assert_eq!(sim.requests_of(Step::FlrMount).len(), 2);
    }
}

#[test]
fn a_client_that_goes_leaves_nothing_mounted() {
    let sim = slow();
    let home = Home::new(&sim);
    let steps = [json!({"leave": recover(&home), "at": "mounting the disks"})];
    let Some(came) = home.drive(DEAF, &steps) else { return };
    assert_eq!(came.results[0]["was_running"], true);
    mounted_and_ended(&sim);
    assert!(!home.path("before.yaml").exists());
    assert!(came.closing < 10.0, "{}", came.closing);
}

#[test]
fn lines_that_are_no_message_do_no_harm() {
    let home = Home::with("");
    // Behind each of the client's lines come others that mean nothing.
    let lines = r#"sed -u -e 'a {not json' -e 'a {"jsonrpc":"2.0","method":5}' -e 'a \xff' -e 'a []' | exec "$0" "$@""#;
    let step = call("zerto_check_tool", json!({"server": "", "tool": "Read"}));
    let scenarios = BOTH.map(|client| {
        let mut scenario = home.scenario(client, &[step.clone(), step.clone()]);
        scenario["server"] = json!(["/bin/sh", "-c", lines, SERVER]);
        scenario
    });
    let Some(all) = drive(&scenarios) else { return };
    for came in all {
        let verdicts: Vec<_> = came.results.iter().map(|result| &ok(result)["verdict"]).collect();
        assert_eq!(verdicts, ["read_only", "read_only"]);
    }
}

/// The server by hand, after its handshake.
fn shaken(home: &Home) -> (Child, BufReader<std::process::ChildStdout>) {
    shaken_by(home, &json!({}))
}

/// As [`shaken`], with a client that can do this.
fn shaken_by(home: &Home, capabilities: &Value) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut child = home.server().spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    // What comes before it and asks for nothing is no reason to give up.
    say(
        &mut child,
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7, "reason": "late"}}),
    );
    say(&mut child, &json!({"jsonrpc": "2.0", "id": 8, "result": {}}));
    say(
        &mut child,
        &json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": {"name": "raw", "version": "1"}}}),
    );
    let answer = heard(&mut lines);
    assert_eq!(answer["result"]["protocolVersion"], "2025-06-18", "{answer}");
    assert!(answer["result"]["instructions"].as_str().unwrap().contains("zerto_check_tool"));
    say(&mut child, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    (child, lines)
}

fn kill(signal: &str, child: &Child) {
    let kill = std::process::Command::new("/bin/kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
}

fn say(child: &mut Child, message: &Value) {
    writeln!(child.stdin.as_mut().unwrap(), "{message}").unwrap();
}

fn heard(lines: &mut impl std::io::BufRead) -> Value {
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

#[test]
fn each_signal_ends_the_mount_first_and_says_so_in_the_exit_code() {
    std::thread::scope(|scope| {
        for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129), ("QUIT", 131), ("USR1", 138)] {
            scope.spawn(move || {
                let sim = slow();
                let home = Home::new(&sim);
                let (mut child, _lines) = shaken(&home);
                let step = recover(&home);
                say(
                    &mut child,
                    &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                    "params": {"name": step["call"], "arguments": step["with"]}}),
                );
                assert!(sim.wait_until(Duration::from_secs(30), |sim| !sim.live_sessions().is_empty()));
                // A file that grows past the shell's limit ends nothing.
                kill("XFSZ", &child);
                kill(signal, &child);
                assert_eq!(child.wait().unwrap().code(), Some(code), "{signal}");
                assert!(sim.live_sessions().is_empty(), "{signal}");
                assert!(!home.path("before.yaml").exists());
            });
        }
    });
}

#[test]
fn stdin_that_is_closed_ends_it_before_and_after_the_handshake() {
    let home = Home::with("");
    let quiet = home.server().stdin(std::process::Stdio::null()).output().unwrap();
    assert_eq!((quiet.status.code(), quiet.stdout.len(), quiet.stderr.len()), (Some(0), 0, 0), "{quiet:?}");
    let (mut child, mut lines) = shaken(&home);
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(lines.fill_buf().unwrap(), b"", "nothing but answers goes to stdout");
}

#[test]
fn a_guard_that_has_begun_is_seen_to_its_end() {
    let sim =
        Sim::builder().insert_time(Duration::from_secs(2)).vm(VmSpec::new("web01").vpg(VpgSpec::local("gold"))).start();
    let home = Home::new(&sim);
    let (mut child, _lines) = shaken(&home);
    say(
        &mut child,
        &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "zerto_guard_before_mutate", "arguments": {"vm": "web01", "action": "x"}}}),
    );
    assert!(sim.wait_until(Duration::from_secs(30), |sim| !sim.requests_of(Step::Insert).is_empty()));
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(sim.tags("gold").len(), 1);
    assert_eq!(home.audit()[0]["decision"], "guarded");
}

#[test]
fn a_question_whose_call_is_called_off_is_off_too_and_a_late_yes_does_nothing() {
    let home = Home::with("");
    let (mut child, mut lines) = shaken_by(&home, &json!({"elicitation": {}}));
    let with = json!({"server": "acme", "tool": "get_x", "confirmed": true});
    say(
        &mut child,
        &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "zerto_add_read_only_tool", "arguments": with}}),
    );
    let asked = heard(&mut lines);
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    say(&mut child, &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}));
    let off = heard(&mut lines);
    assert_eq!(
        (&off["method"], &off["params"]["requestId"]),
        (&json!("notifications/cancelled"), &asked["id"]),
        "{off}"
    );
    let yes = json!({"action": "accept", "content": {"confirm": true}});
    say(&mut child, &json!({"jsonrpc": "2.0", "id": asked["id"], "result": yes}));
    say(&mut child, &json!({"jsonrpc": "2.0", "id": 3, "method": "ping"}));
    assert_eq!(heard(&mut lines)["id"], 3);
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(home.catalog(), "");
}
