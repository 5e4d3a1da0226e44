//! After the call: how it ended stands beside the guard's own line, and what comes then stops and says nothing.

use crate::audit::{lines, log, numbered, rows};
use crate::env::{Env, Ran};
use crate::guard_story::{change, demo, home, told};
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;
use zerto_guard::deadline::Deadline;
use zerto_guard::state::StateDir;

/// The event after a call.
fn after(call: &str, event: &str, more: Value) -> String {
    let mut input: Value = serde_json::from_str(call).unwrap();
    input["hook_event_name"] = event.into();
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    input.to_string()
}

fn succeeded(call: &str) -> String {
    after(call, "PostToolUse", json!({"tool_response": {"stdout": "x"}, "duration_ms": 1234}))
}

fn failed(call: &str, more: Value) -> String {
    let mut fields = json!({"error": "exit code 1"});
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    after(call, "PostToolUseFailure", fields)
}

#[test]
fn each_end_stands_beside_its_call() {
    let sim = demo().start();
    let env = home(&sim);
    let calls: Vec<String> = (1..=4).map(|nr| numbered(&change(&env, "web01"), &nr.to_string())).collect();
    for call in &calls {
        told(&env.hook(call.clone()));
    }
    let asked = numbered(&env.call("Workflow", json!({})), "5");
    env.hook(asked.clone()).denied("zgq-");
    let reading = numbered(&env.call("Read", json!({"file_path": "/etc/hosts"})), "6");
    env.hook(reading.clone()).passed_silently();
    for event in [
        failed(&calls[2], json!({"is_interrupt": true})),
        failed(&calls[1], json!({"duration_ms": 5})),
        succeeded(&calls[0]),
        succeeded(&calls[0]),
        // Neither of a call that was stopped nor of one that only reads is anything to be written.
        succeeded(&asked),
        failed(&reading, json!({})),
        // Another session's call of the same identifier is another.
        succeeded(&calls[3]).replace("8f1e4c6f", "00000000"),
    ] {
        env.hook(event).passed_silently();
    }
    assert_eq!(lines(&env).len(), 5 + 3, "{:?}", lines(&env));
    let seen: Vec<Value> =
        rows(&env, &[]).iter().map(|row| json!([row["id"], row["outcome"], row["duration_ms"]])).collect();
    assert_eq!(
        seen,
        [
            json!(["5", null, null]),
            json!(["4", "not_seen", null]),
            json!(["3", "interrupted", null]),
            json!(["2", "failed", 5]),
            json!(["1", "succeeded", 1234]),
        ]
    );
    let text = env.run(&["audit"]).stdout;
    for ended in ["not seen", "interrupted", "failed", "succeeded"] {
        assert!(text.contains(ended), "{ended}: {text}");
    }
    assert!(!fs::read_to_string(log(&env)).unwrap().contains("exit code 1"), "nothing of the answer is kept");
}

#[test]
fn rewind_log_shows_how_each_tags_call_ended() {
    let sim = demo().start();
    let env = home(&sim);
    let calls: Vec<String> = (1..=2).map(|nr| numbered(&change(&env, "db01"), &nr.to_string())).collect();
    for call in &calls {
        told(&env.hook(call.clone()));
    }
    env.hook(failed(&calls[0], json!({}))).passed_silently();
    assert_eq!(env.run(&["guard", "--vm", "db01", "--action", "by me"]).code, Some(0));
    // Another machine's tag.
    told(&home(&sim).hook(change(&env, "db01")));
    let found = env.run(&["rewind", "log", "db01", "--json"]).json();
    let mut outcomes: Vec<String> = found.as_array().unwrap().iter().map(|tag| tag["outcome"].to_string()).collect();
    outcomes.sort();
    assert_eq!(outcomes, ["\"by_hand\"", "\"failed\"", "\"not_seen\"", "null"], "{found}");
    let text = env.run(&["rewind", "log", "db01"]).stdout;
    assert!(text.lines().next().unwrap().contains("  ENDED  "), "{text}");
    assert!(text.contains("  failed ") && text.contains("  not seen ") && text.contains("  by hand "), "{text}");
    // A log that can't be read is no reason to show no tag.
    fs::set_permissions(env.state_dir(), fs::Permissions::from_mode(0o755)).unwrap();
    let ran = env.run(&["rewind", "log", "db01", "--json"]);
    assert!(ran.code != Some(0) || ran.stderr.contains("how the calls ended is not known"), "{}", ran.stderr);
}

#[test]
fn whatever_is_broken_after_a_call_nothing_is_stopped_and_nothing_said() {
    let sim = demo().start();
    let env = home(&sim);
    let call = numbered(&change(&env, "web01"), "1");
    told(&env.hook(call.clone()));
    // The log can't be written.
    fs::remove_file(log(&env)).unwrap();
    fs::create_dir(log(&env)).unwrap();
    env.hook(succeeded(&call)).passed_silently();
    // The state folder is none, or open to others; the config and the catalog are broken.
    let file = env.path("file");
    env.write(&file, "");
    env.hook_with(&["--state-dir", file.to_str().unwrap()], succeeded(&call)).passed_silently();
    fs::set_permissions(env.state_dir(), fs::Permissions::from_mode(0o777)).unwrap();
    env.hook(failed(&call, json!({}))).passed_silently();
    env.write(&env.config_dir().join("config.toml"), "[guard\n");
    env.write(&env.config_dir().join("catalog.toml"), "[server\n");
    env.hook(failed(&call, json!({"error": null}))).passed_silently();
    env.hook(succeeded(&call)).passed_silently();
}

#[test]
fn a_signal_after_a_call_is_no_deny() {
    let env = Env::new().catalog("[server.acme]\nopens = [{ tool = 'connect', vm = 'host', id = 'session' }]\n");
    let connect = numbered(&env.mcp("acme", "connect", json!({"host": "web01"})), "1");
    // An entry of the user's says that it is unknown, so that its end is awaited; then it opens a session again.
    let opens = fs::read_to_string(env.config_dir().join("catalog.toml")).unwrap();
    env.write(&env.config_dir().join("catalog.toml"), "[server.acme]\nunknown = ['connect']\n");
    env.write(&env.config_dir().join("config.toml"), "[guard]\nmode = 'observe'\n");
    assert_eq!(env.hook(connect.clone()).code, Some(0));
    env.write(&env.config_dir().join("catalog.toml"), &opens);
    let held = StateDir::at(env.state_dir()).lock("sessions", Deadline::after(Duration::from_secs(20))).unwrap();
    let mut child = env.spawn(&["hook"]);
    let event = after(&connect, "PostToolUse", json!({"tool_response": {"session": "s-1"}}));
    child.stdin.take().unwrap().write_all(event.as_bytes()).unwrap();
    // It has written how the call ended, and waits for its turn to note the session.
    while lines(&env).len() < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    unsafe { libc::kill(child.id() as i32, libc::SIGTERM) };
    Ran::from(child.wait_with_output().unwrap()).passed_silently();
    drop(held);
}

/// An id that a server gives out again while the answer that says so is not seen: the change must not be guarded on the wrong
/// guest.
#[test]
fn an_opening_whose_answer_nobody_saw_makes_old_ids_doubtful() {
    let catalog = "[server.acme]\nopens = [{ tool = 'connect', vm = 'host', id = 'session' }]\n\
                   script = [{ tool = 'exec', vm = 'session', script = 'command', language = 'sh' }]\n";
    let uuid = "0f8fad5b-d9cb-469f-a165-70867728950e";
    for fails in [false, true] {
        let sim = demo().start();
        let env = home(&sim).catalog(catalog);
        let connect = |host: &str, nr: &str| numbered(&env.mcp("acme", "connect", json!({"host": host})), nr);
        let open = |host: &str, nr: &str, id: &str| {
            let call = connect(host, nr);
            env.hook(call.clone()).passed_silently();
            env.hook(after(&call, "PostToolUse", json!({"tool_response": {"session": id}}))).passed_silently();
        };
        let exec = |id: &str| env.hook(env.mcp("acme", "exec", json!({"session": id, "command": "reboot"})));
        open("web01", "1", "7");
        open("web01", "2", uuid);
        told(&exec("7"));
        let lost = connect("db01", "3");
        env.hook(lost.clone()).passed_silently();
        if fails {
            env.hook(failed(&lost, json!({}))).passed_silently();
        }
        exec("7").denied("was not seen to answer");
        told(&exec(uuid));
        // Opened anew, it is known again.
        open("web01", "4", "7");
        told(&exec("7"));
        // One more opening of the same guest changes nothing.
        env.hook(connect("web01", "5")).passed_silently();
        told(&exec("7"));
        assert_eq!((sim.tags("web01-dr").len(), sim.tags("db01-dr").len()), (4, 0));
    }
}

#[test]
fn a_session_begins_with_one_line_on_how_things_stand() {
    let sim = demo().start();
    let env = home(&sim);
    let start =
        json!({"session_id": "s", "transcript_path": "/t", "cwd": env.project(), "hook_event_name": "SessionStart",
        "source": "startup"})
        .to_string();
    let says = |arguments: &[&str], part: &str| {
        let ran = env.hook_with(arguments, start.clone());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        let json = ran.json();
        assert_eq!(json["hookSpecificOutput"]["hookEventName"], "SessionStart");
        for text in [&json["systemMessage"], &json["hookSpecificOutput"]["additionalContext"]] {
            let text = text.as_str().unwrap();
            assert!(text.contains(part) && !text.contains('\n'), "{part}: {text}");
        }
        assert_eq!(json.as_object().unwrap().len(), 2, "no decision: {json}");
    };
    says(&[], "zerto-guard is on");
    assert!(sim.requests().is_empty());
    let now = jiff::Timestamp::now();
    let until = now + jiff::SignedDuration::from_mins(30);
    fs::create_dir_all(env.state_dir()).unwrap();
    fs::set_permissions(env.state_dir(), fs::Permissions::from_mode(0o700)).unwrap();
    let pause = json!({"from": now, "until": until, "reason": "lab\nday"}).to_string();
    env.write(&env.state_dir().join("pause.json"), &pause);
    says(&[], &format!("paused until {} (lab day)", until.strftime("%H:%M:%S UTC")));
    says(&["--managed"], "no ZVM is configured");
    let config = fs::read_to_string(env.config_dir().join("config.toml")).unwrap();
    env.write(&env.config_dir().join("config.toml"), &format!("{config}\n[guard]\nmode = 'observe'\n"));
    says(&[], "only observes");
    env.write(&env.config_dir().join("config.toml"), "[guard\n");
    says(&[], "will stop every call: ");
    // A host that has no words for it is told nothing.
    let codex = start.replace("\"session_id\"", "\"turn_id\":\"t\",\"session_id\"");
    env.hook_with(&["--host", "codex"], codex).passed_silently();
}
