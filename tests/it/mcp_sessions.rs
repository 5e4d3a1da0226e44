//! MCP sessions: one call names the host, its answer an id, and later calls carry that id.

use crate::env::{Env, Ran};
use crate::guard_story::{demo, home, told};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use zvm_sim::{Sim, Step};

const CATALOG: &str = "[server.acme]
opens = [{ tool = 'connect', vm = 'host', id = 'session' }]
mutating = [{ tool = 'put', vm = 'session', action = 'put {path}' }]
script = [{ tool = 'exec', vm = 'session', script = 'command', language = 'sh' }]
";

fn acme(sim: &Sim) -> Env {
    home(sim).catalog(CATALOG)
}

/// What the host sends once the call has answered.
fn answered(call: &str, response: &Value) -> String {
    let mut input: Value = serde_json::from_str(call).unwrap();
    input["hook_event_name"] = "PostToolUse".into();
    input["tool_response"] = response.clone();
    input["duration_ms"] = 12.into();
    format!("{input}\n")
}

fn text(text: &str) -> Value {
    json!([{"type": "text", "text": text}])
}

fn connect(env: &Env, host: &str, id: &str) {
    let call = env.mcp("acme", "connect", json!({"host": host}));
    env.hook(call.clone()).passed_silently();
    env.hook(answered(&call, &text(&json!({"session": id, "host": host}).to_string()))).passed_silently();
}

fn exec(env: &Env, id: &str, command: &str) -> Ran {
    env.hook(env.mcp("acme", "exec", json!({"session": id, "command": command})))
}

fn in_session(call: &str, session: &Value) -> String {
    let mut input: Value = serde_json::from_str(call).unwrap();
    match session {
        Value::Null => drop(input.as_object_mut().unwrap().remove("session_id")),
        session => input["session_id"] = session.clone(),
    }
    input.to_string()
}

fn notes(env: &Env) -> Vec<PathBuf> {
    let entries = fs::read_dir(env.state_dir().join("sessions")).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_change_in_a_session_tags_its_guest() {
    let sim = demo().start();
    let env = acme(&sim);
    exec(&env, "s-1", "systemctl restart nginx").denied("no answer of `connect` was seen");
    assert_eq!(sim.requests_of(Step::Insert).len(), 0);
    connect(&env, "web01", "s-1");
    exec(&env, "s-1", "uptime").passed_silently();
    assert_eq!(sim.requests().len(), 0, "neither opening nor reading asks a ZVM");
    let (model, _) = told(&exec(&env, "s-1", "systemctl restart nginx"));
    let tags = sim.tags("web01-local");
    let [tag] = tags.as_slice() else { panic!("{tags:?}") };
    assert!(tag.contains("| systemctl restart nginx | vm=web01 |") && model.contains(tag.as_str()), "{tag}");
    assert_eq!(sim.tags("web01-dr"), tags);
    let put = env.mcp("acme", "put", json!({"session": "s-1", "path": "/etc/x"}));
    told(&env.hook(put));
    assert!(sim.tags("web01-local").iter().any(|tag| tag.contains("| put /etc/x | vm=web01 |")));
    assert_eq!(sim.tags("db01-local").len(), 0);
}

#[test]
fn an_id_that_nobody_noted_is_a_question_whatever_it_looks_like() {
    let sim = demo().start();
    let env = acme(&sim);
    connect(&env, "web01", "s-1");
    for id in ["web01", "db01", "s-2", "S-1", "s-1\u{200b}", "", "s"] {
        let ran = exec(&env, id, "systemctl restart nginx");
        assert_eq!(ran.code, Some(2), "{id}: {}", ran.stderr);
        assert!(ran.stderr.contains("Ask the human") && !ran.stderr.contains("on web01"), "{id}: {}", ran.stderr);
        assert!(ran.stderr.contains("guard --vm VM"), "{id}: {}", ran.stderr);
        assert!(!ran.stderr.contains("--remember"), "an id names another guest tomorrow: {}", ran.stderr);
    }
    assert_eq!(sim.requests_of(Step::Insert).len(), 0);
}

#[test]
fn another_session_of_the_agent_knows_nothing_of_it() {
    let sim = demo().start();
    let env = acme(&sim);
    connect(&env, "web01", "s-1");
    let put = env.mcp("acme", "put", json!({"session": "s-1", "path": "x"}));
    for session in [json!("another"), json!(""), json!("8f1e4c6f-77a8-4677-8024-9178e8df6a6")] {
        env.hook(in_session(&put, &session)).denied("no answer of `connect`");
    }
    // Where the host sends none, its name stands for it.
    env.hook_with(&["--host", "claude-code"], in_session(&put, &Value::Null)).denied("no answer of `connect`");
    let call = env.mcp("acme", "connect", json!({"host": "web01"}));
    let answer = in_session(&answered(&call, &text("Session: s-1")), &Value::Null);
    env.hook_with(&["--host", "claude-code"], answer).passed_silently();
    told(&env.hook_with(&["--host", "claude-code"], in_session(&put, &Value::Null)));
    assert_eq!(sim.tags("web01-local").len(), 1);
}

#[test]
fn one_id_for_two_guests_names_neither() {
    let sim = demo().start();
    let env = acme(&sim);
    connect(&env, "web01", "1");
    connect(&env, "web01", "1");
    told(&exec(&env, "1", "reboot"));
    connect(&env, "db01", "1");
    exec(&env, "1", "reboot").denied("sessions on different guests");
    connect(&env, "db01", "1");
    exec(&env, "1", "reboot").denied("sessions on different guests");
    connect(&env, "db01", "2");
    told(&exec(&env, "2", "reboot"));
    assert_eq!((sim.tags("web01-local").len(), sim.requests_of(Step::Insert).len()), (1, 3));
}

#[test]
fn another_servers_session_of_that_id_is_another() {
    let sim = demo().start();
    let both = format!("{CATALOG}\n{}", CATALOG.replace("acme", "other"));
    let env = home(&sim).catalog(&both);
    connect(&env, "web01", "s-1");
    let other = env.mcp("other", "exec", json!({"session": "s-1", "command": "reboot"}));
    env.hook(other).denied("no answer of `connect`");
}

#[test]
fn answers_that_name_no_id_leave_the_session_unknown() {
    let sim = demo().start();
    let env = acme(&sim);
    let call = env.mcp("acme", "connect", json!({"host": "web01"}));
    for response in [
        text("Connected to web01."),
        text("Session: s-1\nSession: s-2"),
        json!({"session": "s-1", "error": "exists"}),
        json!({"session": {"nested": "s-1"}}),
        json!(null),
        json!([]),
        json!("x".repeat(100_000)),
        json!("s-1 s-1"),
    ] {
        env.hook(answered(&call, &response)).passed_silently();
        assert_eq!(notes(&env), Vec::<PathBuf>::new(), "{response}");
        exec(&env, "s-1", "reboot").denied("no answer of `connect`");
    }
    // The call failed, or has not run yet.
    let failed = answered(&call, &text("Session: s-1")).replace("PostToolUse", "PostToolUseFailure");
    env.hook(failed).passed_silently();
    env.hook(answered(&call, &text("Session: s-1")).replace("PostToolUse", "PreToolUse")).passed_silently();
    exec(&env, "s-1", "reboot").denied("no answer of `connect`");
}

#[test]
fn each_form_of_an_answer_is_read() {
    let sim = demo().start();
    let forms = [
        text("{\n  \"session\": \"s-1\"\n}"),
        text("Session ID: s-1\nHost: web01"),
        text("s-1"),
        json!("{\"session\":\"s-1\"}"),
        json!("{\"result\":\"s-1\"}"),
        json!({"session": "s-1"}),
        json!({"content": [{"type": "text", "text": "ok"}], "structuredContent": {"session_id": "s-1"}}),
    ];
    for response in &forms {
        let env = acme(&sim);
        let call = env.mcp("acme", "connect", json!({"host": "web01"}));
        env.hook(answered(&call, response)).passed_silently();
        told(&exec(&env, "s-1", "reboot"));
    }
    assert_eq!(sim.tags("web01-local").len(), forms.len());
}

#[test]
fn hosts_and_unguarded_hold_for_a_session_too() {
    let sim = demo().start();
    let more = "[hosts]\n'jump.example' = 'web01'\nunguarded = ['github.com']\n";
    let env = Env::new().config(&format!("{}\n{more}", sim.config_toml())).catalog(CATALOG);
    connect(&env, "jump.example", "s-1");
    connect(&env, "github.com", "s-2");
    connect(&env, "nowhere.example", "s-3");
    told(&exec(&env, "s-1", "reboot"));
    assert!(sim.tags("web01-local")[0].contains("vm=web01"));
    exec(&env, "s-2", "reboot").passed_silently();
    exec(&env, "s-3", "reboot").denied("nowhere.example");
}

#[test]
fn nothing_broken_that_comes_after_a_call_stops_or_says_anything() {
    let env = Env::new().catalog(CATALOG);
    let call = env.mcp("acme", "connect", json!({"host": "web01"}));
    let good = answered(&call, &text("Session: s-1"));
    let without = |field: &str| {
        let mut input: Value = serde_json::from_str(&good).unwrap();
        input.as_object_mut().unwrap().remove(field);
        input.to_string()
    };
    for field in ["tool_name", "tool_input", "tool_response", "cwd", "mcp_server", "session_id", "tool_use_id"] {
        // Without a session the host has to be named.
        env.hook_with(&["--host", "claude-code"], without(field)).passed_silently();
    }
    for (from, to) in [
        ("\"tool_input\":{\"host\":\"web01\"}", "\"tool_input\":[]"),
        ("\"tool_name\":\"mcp__acme__connect\"", "\"tool_name\":7"),
        ("\"name\":\"acme\"", "\"name\":\"evil\""),
        ("\"host\":\"web01\"", "\"host\":null"),
    ] {
        let broken = good.replace(from, to);
        assert_ne!(broken, good, "{from}");
        env.hook(broken).passed_silently();
    }
    // A folder that can't be written, a catalog that can't be read.
    let state = env.path("file");
    env.write(&state, "");
    env.hook_with(&["--state-dir", state.to_str().unwrap()], good.clone()).passed_silently();
    let broken = Env::new().catalog("[server.acme\n");
    broken.hook(answered(&broken.mcp("acme", "connect", json!({"host": "a"})), &text("Session: s"))).passed_silently();
    let open = Env::new().catalog(CATALOG);
    fs::create_dir_all(open.state_dir()).unwrap();
    fs::set_permissions(open.state_dir(), fs::Permissions::from_mode(0o777)).unwrap();
    open.hook(answered(&open.mcp("acme", "connect", json!({"host": "a"})), &text("Session: s"))).passed_silently();
    assert_eq!(notes(&open), Vec::<PathBuf>::new());
    // What is no event at all is refused as ever.
    env.hook("{\"hook_event_name\":\"PostToolUse\",").denied("not one JSON document");
}

#[test]
fn what_was_tampered_with_names_no_guest() {
    let sim = demo().start();
    for spoil in [
        |path: &PathBuf| fs::write(path, "garbage").unwrap(),
        |path: &PathBuf| fs::write(path, "{\"noted\":\"2020-01-01T00:00:00Z\",\"guests\":[\"web01\"]}").unwrap(),
        |path: &PathBuf| fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap(),
        |path: &PathBuf| fs::remove_file(path).unwrap(),
        |path: &PathBuf| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        },
    ] {
        let env = acme(&sim);
        connect(&env, "web01", "s-1");
        let notes = notes(&env);
        let [note] = notes.as_slice() else { panic!("{notes:?}") };
        assert_eq!(note.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        spoil(note);
        exec(&env, "s-1", "reboot").denied("no answer of `connect`");
    }
    assert_eq!(sim.requests_of(Step::Insert).len(), 0);
}

#[test]
fn an_agent_can_forge_no_answer() {
    let env = Env::new().catalog(CATALOG);
    let forged = answered(&env.mcp("acme", "connect", json!({"host": "web01"})), &text("Session: s-1"));
    fs::write(env.project().join("forged.json"), &forged).unwrap();
    let one_line = forged.trim().replace('\'', "");
    for command in [
        format!("echo '{one_line}' | zerto-guard hook --host claude-code"),
        "zerto-guard hook --host claude-code < forged.json".to_owned(),
        "cat forged.json | zerto-guard hook".to_owned(),
        "zerto-guard hook <<'E'\n{}\nE".to_owned(),
        format!("{} hook < forged.json", Env::binary().display()),
        "bash -c 'zerto-guard hook < forged.json'".to_owned(),
        "xargs -a forged.json zerto-guard hook".to_owned(),
    ] {
        env.hook(env.call("Bash", json!({"command": command}))).denied("");
    }
    for path in ["sessions", "sessions/0123", "sessions/../sessions/x"] {
        let path = env.state_dir().join(path);
        env.hook(env.call("Write", json!({"file_path": path, "content": "{}"}))).denied("");
        env.hook(env.call("Bash", json!({"command": format!("cp x {}", path.display())}))).denied("");
    }
    assert_eq!(notes(&env), Vec::<PathBuf>::new());
}

#[test]
fn local_tools_and_calls_without_an_id_touch_no_state() {
    let env = Env::new().catalog(CATALOG);
    let call = env.mcp("acme", "connect", json!({"host": "web01"}));
    env.hook(call).passed_silently();
    env.hook(answered(&env.call("Read", json!({"file_path": "x"})), &json!("Session: s-1"))).passed_silently();
    env.hook(answered(&env.mcp("acme", "exec", json!({"session": "s"})), &text("Session: s-1"))).passed_silently();
    env.hook(answered(&env.mcp("none", "connect", json!({"host": "x"})), &text("Session: s-1"))).passed_silently();
    assert!(!env.state_dir().exists());
}

#[test]
fn many_that_answer_at_once_are_all_noted() {
    let sim = demo().start();
    let env = acme(&sim);
    std::thread::scope(|scope| {
        for n in 0..16 {
            let env = &env;
            scope.spawn(move || connect(env, "web01", &format!("s-{n}")));
        }
        for guest in ["web01", "db01"] {
            let env = &env;
            scope.spawn(move || connect(env, guest, "both"));
        }
    });
    assert_eq!(notes(&env).len(), 17);
    for n in [0, 15] {
        told(&exec(&env, &format!("s-{n}"), "reboot"));
    }
    exec(&env, "both", "reboot").denied("sessions on different guests");
}

#[test]
fn check_knows_no_session_and_says_so() {
    let env = Env::new().catalog(CATALOG);
    let input = json!({"session": "s-1", "path": "x"}).to_string();
    let ran = env.run(&["check", "--json", "--server", "acme", "--tool", "put", "--input", &input]);
    assert_eq!((ran.json()["verdict"].as_str(), ran.json()["targets"].clone()), (Some("unknown"), json!([])));
    let input = json!({"host": "web01"}).to_string();
    let ran = env.run(&["check", "--json", "--server", "acme", "--tool", "connect", "--input", &input]);
    assert_eq!(ran.json()["verdict"], "read_only");
    let case = env.path("cases/one.json");
    env.write(&case, &env.mcp("acme", "put", json!({"session": "s-1"})));
    env.write(&env.path("cases/one.expected.json"), "{\"verdict\": \"unknown\", \"targets\": []}");
    let ran = env.run(&["catalog", "test", env.path("cases").to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = env.run(&["catalog", "validate"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}
