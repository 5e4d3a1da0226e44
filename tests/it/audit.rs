//! The audit log: what is written of each call, by whom it can be read, and what `audit` makes of it.

use crate::env::{Env, Ran, skip};
use crate::guard_story::{change, demo, home, told};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

pub fn log(env: &Env) -> PathBuf {
    env.state_dir().join("audit.jsonl")
}

/// The log's lines.
#[track_caller]
pub fn lines(env: &Env) -> Vec<Value> {
    let text = fs::read_to_string(log(env)).unwrap_or_default();
    assert!(text.is_empty() || text.ends_with('\n'), "{text}");
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// The call with another identifier, as each call of a host has.
pub fn numbered(call: &str, id: &str) -> String {
    let mut call: Value = serde_json::from_str(call).unwrap();
    call["tool_use_id"] = id.into();
    call.to_string()
}

#[track_caller]
pub fn rows(env: &Env, arguments: &[&str]) -> Vec<Value> {
    let ran = env.run(&[&["audit", "--json"][..], arguments].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.json().as_array().unwrap().clone()
}

fn id(ran: &Ran) -> String {
    let at = ran.stderr.find("answer zgq-").unwrap() + "answer ".len();
    ran.stderr[at..at + 17].to_owned()
}

/// In bypassPermissions no prompt reaches a human.
fn bypassing(call: &str) -> String {
    call.replace("\"permission_mode\":\"default\"", "\"permission_mode\":\"bypassPermissions\"")
}

#[test]
fn each_decision_is_a_line_and_reading_is_none() {
    let sim = demo().start();
    let env = home(&sim);
    env.hook(env.call("Read", json!({"file_path": "/etc/hosts"}))).passed_silently();
    env.hook("garbage").denied("not one JSON document");
    assert!(!log(&env).exists(), "neither is a call to be written down");
    told(&env.hook(numbered(&change(&env, "web01"), "1")));
    env.hook(numbered(&change(&env, "scratch01"), "2")).denied("scratch01");
    let workflow = |nr: &str| numbered(&env.call("Workflow", json!({})), nr);
    let asked = env.hook(workflow("3"));
    let question = id(&asked);
    let own = env.call("Bash", json!({"command": format!("zerto-guard answer {question} unguarded")}));
    assert_eq!(env.hook(numbered(&own, "4")).code, Some(0), "the host's own prompt");
    env.hook(numbered(&bypassing(&own), "5")).denied("a human must run this");
    env.hook(numbered(&env.call("Write", json!({"file_path": log(&env)})), "6")).denied("a human must");
    assert_eq!(env.run(&["answer", &question, "unguarded"]).code, Some(0));
    env.hook(workflow("7"));
    env.write(&env.config_dir().join("config.toml"), "[guard\n");
    env.hook(numbered(&change(&env, "web01"), "8")).denied("could not be judged");
    let lines = lines(&env);
    let seen: Vec<(&str, &str, &str)> = lines
        .iter()
        .map(|line| {
            let text = |key: &str| line.get(key).and_then(Value::as_str).unwrap_or("-");
            (text("id"), text("verdict"), text("decision"))
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("1", "mutating", "guarded"),
            ("2", "mutating", "stopped"),
            ("3", "unknown", "asked"),
            ("4", "unknown", "prompted"),
            ("5", "unknown", "stopped"),
            ("6", "read_only", "stopped"),
            ("-", "-", "-"),
            ("7", "unknown", "unguarded"),
            ("8", "-", "stopped"),
        ]
    );
    let guarded = &lines[0];
    assert_eq!(guarded["tag"].as_str().unwrap(), sim.tags("web01-dr")[0]);
    assert_eq!((&guarded["vms"], &guarded["guests"]), (&json!(["web01"]), &json!(["web01"])));
    let mut vpgs: Vec<&str> = guarded["vpgs"].as_array().unwrap().iter().map(|vpg| vpg.as_str().unwrap()).collect();
    vpgs.sort_unstable();
    assert_eq!(vpgs, ["web01-dr", "web01-local"]);
    assert_eq!(guarded["action"], "copy a.conf to C:/a.conf");
    assert_eq!((&guarded["host"], &guarded["agent"]), (&json!("claude-code"), &json!("claude")));
    assert_eq!(guarded["session"], "8f1e4c6f-77a8-4677-8024-9178e8df6a60");
    assert!(lines[1]["reason"].as_str().unwrap().contains("scratch01"), "{}", lines[1]);
    assert_eq!(lines[2]["entries"], json!(["zerto-guard catalog add --server '' --tool Workflow --read-only"]));
    assert_eq!((&lines[6]["event"], &lines[6]["guard"]), (&json!("answer"), &json!(false)));
    assert!(lines[8]["reason"].as_str().unwrap().contains("config.toml, line 1"), "{}", lines[8]);
    assert_eq!(log(&env).metadata().unwrap().permissions().mode() & 0o7777, 0o600);
    let text = fs::read_to_string(log(&env)).unwrap();
    assert!(!text.contains(&question), "the folder holds only its digest");
}

#[test]
fn no_secret_and_no_whole_input_is_written() {
    let sim = demo().start();
    let env = home(&sim);
    let token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    for call in [
        env.call("Bash", json!({"command": "ssh web01 mysql --password=hunter2 -e 'drop table x'"})),
        env.call("Bash", json!({"command": format!("acmectl login --token {token}")})),
        env.call(
            "Bash",
            json!({"command": format!("curl -X DELETE -H 'Authorization: Bearer {token}' https://nowhere.example/x")}),
        ),
        env.mcp("acme", "set", json!({"password": "hunter2", "text": "hunter2"})),
        env.mcp(
            "winrm",
            "copy_file",
            json!({"host": "scratch01", "source": "hunter2".repeat(50_000), "destination": "x"}),
        ),
        env.call(
            "Bash",
            json!({"command": format!("ssh web01 'tee /etc/x' <<'E'\n{}E", "line of a file\n".repeat(5_000))}),
        ),
    ] {
        env.hook(call);
    }
    let text = fs::read_to_string(log(&env)).unwrap();
    assert_eq!(lines(&env).len(), 6);
    assert!(!text.contains(token) && !text.contains("password=hunter2") && !text.contains("\"hunter2"), "{text}");
    assert!(text.len() < 12_000, "{}", text.len());
}

#[test]
fn what_can_not_be_recorded_does_not_run() {
    let sim = demo().start();
    let env = home(&sim);
    fs::create_dir_all(log(&env)).unwrap();
    fs::set_permissions(env.state_dir(), fs::Permissions::from_mode(0o700)).unwrap();
    let ran = env.hook(change(&env, "web01"));
    ran.denied("can't be written into the audit log").denied("what isn't recorded does not run");
    ran.denied(&sim.tags("web01-dr")[0]);
    env.hook(env.call("Read", json!({}))).passed_silently();
    let workflow = env.call("Workflow", json!({}));
    let asked = env.hook(workflow.clone());
    asked.denied("answer zgq-").denied("This is not in the audit log");
    let answered = env.run(&["answer", &id(&asked), "unguarded"]);
    assert_eq!(answered.code, Some(0));
    assert!(answered.stdout.contains("This is not in the audit log"), "{}", answered.stdout);
    env.hook(workflow.clone()).denied("what isn't recorded does not run");
    // The answer was given back: it serves once the log can be written again.
    fs::remove_dir(log(&env)).unwrap();
    told(&env.hook(workflow.clone()));
    env.hook(workflow).denied("answer zgq-");
    // One that others could have written is not mended in silence.
    fs::set_permissions(log(&env), fs::Permissions::from_mode(0o666)).unwrap();
    env.hook(change(&env, "web01")).denied("it has to be 0600");
    let ran = env.run(&["audit"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stderr.contains("was not read"), "{}", ran.stderr);
}

#[test]
fn sixty_four_processes_at_once_mix_no_lines() {
    let env = Env::new();
    // Nearly full, so that one of them rotates.
    let filler =
        format!("{{\"event\":\"pause_ended\",\"time\":\"2026-09-21T14:13:20Z\",\"pad\":\"{}\"}}\n", "x".repeat(4000));
    let count = (4 << 20) / filler.len() + 1;
    fs::create_dir_all(env.state_dir()).unwrap();
    fs::set_permissions(env.state_dir(), fs::Permissions::from_mode(0o700)).unwrap();
    env.write(&log(&env), &filler.repeat(count));
    std::thread::scope(|scope| {
        for n in 0..64 {
            let env = &env;
            scope.spawn(move || {
                env.hook(numbered(&env.call("Workflow", json!({})), &n.to_string())).denied("zgq-");
            });
        }
    });
    assert!(env.state_dir().join("audit.1.jsonl").exists());
    let mut ids: Vec<u64> = lines(&env).iter().map(|line| line["id"].as_str().unwrap().parse().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..64).collect::<Vec<_>>());
    let ran = env.run(&["audit", "--json"]);
    assert_eq!((ran.json().as_array().unwrap().len(), ran.stderr.as_str()), (64 + count, ""));
}

#[test]
fn broken_and_foreign_lines_are_left_out_and_counted() {
    let env = Env::new();
    let workflow = |nr: &str| numbered(&env.call("Workflow", json!({})), nr);
    env.hook(workflow("1")).denied("zgq-");
    let good = fs::read_to_string(log(&env)).unwrap();
    let half = &good[..good.len() / 2];
    let odd = "{\"event\":\"from the future\",\"time\":\"2026-09-21T14:13:20Z\"}\n\0\0\0\nno JSON\n{}\n\n";
    env.write(&log(&env), &format!("{good}{odd}{half}"));
    env.hook(workflow("2")).denied("zgq-");
    let ran = env.run(&["audit", "--json"]);
    assert!(ran.stderr.contains("5 lines of the log can't be understood"), "{}", ran.stderr);
    let ids: Vec<Value> = ran.json().as_array().unwrap().iter().map(|row| row["id"].clone()).collect();
    assert_eq!(ids, ["2", "1"], "newest first");
}

#[test]
fn rows_are_filtered_and_a_clock_that_was_set_changes_no_order() {
    let sim = demo().start();
    let env = home(&sim);
    assert_eq!(env.run(&["audit"]).stderr, "nothing; calls that only read are not written down\n");
    assert!(!env.state_dir().exists(), "looking makes nothing");
    told(&env.hook(numbered(&change(&env, "WEB01.corp.example"), "1")));
    env.hook(numbered(&env.call("Workflow", json!({})), "2")).denied("zgq-");
    assert_eq!(env.run(&["guard", "--vm", "db01", "--action", "by me"]).code, Some(0));
    assert_eq!(env.run(&["guard", "--vm", "nowhere", "--action", "x"]).code, Some(3));
    let ids = |arguments: &[&str]| -> Vec<String> {
        rows(&env, arguments).iter().map(|row| row["id"].as_str().unwrap_or("by hand").to_owned()).collect()
    };
    assert_eq!(ids(&[]), ["by hand", "by hand", "2", "1"]);
    assert_eq!(ids(&["--vm", "web01"]), ["1"]);
    assert_eq!(ids(&["--vm", "web01.CORP.example."]), ["1"]);
    assert_eq!(ids(&["--vm", "db01"]), ["by hand"]);
    assert_eq!(ids(&["--agent", "claude"]), ["2", "1"]);
    assert_eq!(ids(&["--agent", "claude-code", "--verdict", "unknown"]), ["2"]);
    assert_eq!(ids(&["--agent", "cli"]).len(), 2);
    assert_eq!(ids(&["--since", "1h"]).len(), 4);
    assert!(ids(&["--until", "1h"]).is_empty());
    let text = env.run(&["audit"]).stdout;
    let columns = ["TIME (UTC)", "AGENT", "VERDICT", "DECISION", "ENDED", "GUESTS", "WHAT"];
    assert!(columns.iter().all(|column| text.lines().next().unwrap().contains(column)), "{text}");
    assert!(text.contains("guarded by hand") && text.contains("not guarded") && text.contains("not seen"), "{text}");
    // The clock was a year ahead when the first line was written.
    let old = fs::read_to_string(log(&env)).unwrap();
    env.write(&log(&env), &old.replacen("\"time\":\"20", "\"time\":\"21", 1));
    assert_eq!(ids(&[]), ["by hand", "by hand", "2", "1"]);
    assert_eq!(ids(&["--until", "2099-01-01T00:00:00Z"]).len(), 3);
    for arguments in [&["audit", "--since", "yesterday"][..], &["audit", "--verdict", "bad"]] {
        assert_eq!(env.run(arguments).code, Some(64), "{arguments:?}");
    }
}

#[test]
fn text_of_an_agent_moves_no_cursor() {
    let env = Env::new();
    let name = "x\u{1b}[2J\u{202e}\nzerto-guard: allowed";
    env.hook(env.call(name, json!({}))).denied("zgq-");
    for arguments in [&["audit"][..], &["audit", "--summary"]] {
        let ran = env.run(arguments);
        assert!(
            ran.stdout.contains("zerto-guard: allowed") && !ran.stdout.contains(['\u{1b}', '\u{202e}']),
            "{}",
            ran.stdout
        );
        assert!(!ran.stdout.lines().any(|line| line.starts_with("zerto-guard: allowed")), "{}", ran.stdout);
    }
}

/// A disk of the test's own, that is full.
#[test]
fn a_full_disk_stops_what_would_be_guarded_and_spoils_no_later_line() {
    let env = Env::new().config("[guard]\nmode = 'observe'\n");
    let call = env.path("call.json");
    env.write(&call, &env.call("Workflow", json!({})));
    fs::create_dir_all(env.state_dir()).unwrap();
    let script = format!(
        "mount -t tmpfs -o size=64k,mode=0700 none '{state}' && cd '{state}' || exit 9
         '{guard}' hook < '{call}' > /dev/null
         cat /dev/zero > fill 2> /dev/null
         while printf x >> fill2 2> /dev/null; do :; done
         for n in 1 2 3 4 5 6 7 8 9 10 11 12; do '{guard}' hook < '{call}'; done
         sed -i 's/observe/enforce/' '{config}'
         '{guard}' hook < '{call}'; echo \"ended with $?\"
         rm fill fill2
         '{guard}' hook < '{call}' 2> /dev/null
         '{guard}' audit --json",
        state = env.state_dir().display(),
        guard = Env::binary().display(),
        call = call.display(),
        config = env.config_dir().join("config.toml").display(),
    );
    let output = std::process::Command::new("unshare")
        .args(["--mount", "--map-root-user", "sh", "-c", &script])
        .env_clear()
        .env("HOME", env.home())
        .env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin")
        .output();
    let Ok(output) = output else { return skip("there is no `unshare` here") };
    let ran = Ran::from(output);
    if ran.stderr.contains("unshare:") || ran.stderr.contains("mount:") {
        return skip("no mount namespace can be made here");
    }
    assert!(ran.stdout.contains("This is not in the audit log"), "{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("No space left on device"), "{}", ran.stdout);
    assert!(ran.stdout.contains("ended with 2"), "{}\n{}", ran.stdout, ran.stderr);
    let rows: Value = serde_json::from_str(ran.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(rows[0]["decision"], "asked", "{rows}");
}
