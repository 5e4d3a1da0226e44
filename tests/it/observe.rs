//! `mode = "observe"`: everything is judged, logged and told, nothing is inserted or asked of a ZVM, and next to nothing stopped.

use crate::audit::{lines, log, numbered, rows};
use crate::env::Env;
use crate::guard_story::{change, demo};
use serde_json::{Value, json};
use std::fs;

const OBSERVE: &str = "[guard]\nmode = 'observe'\n";

#[track_caller]
fn shown(ran: &crate::env::Ran, part: &str) {
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    let json = ran.json();
    assert!(json.get("hookSpecificOutput").is_none(), "the model is told nothing: {json}");
    let text = json["systemMessage"].as_str().unwrap();
    assert!(text.contains("only observes") && text.contains(part), "{part}: {text}");
}

#[test]
fn it_says_what_it_would_have_done_and_asks_no_zvm() {
    let sim = demo().start();
    let env = Env::new();
    let sign = env.path("sign");
    // A password command that leaves a sign: not even that is run.
    let program = env.path("bin/password");
    env.write(&program, &format!("#!/bin/sh\ntouch '{}'\necho x\n", sign.display()));
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let zvm = format!(
        "[[zvm]]\nname = 'nyc'\nurl = '{}'\nusername = 'u'\npassword_command = ['{}']\ninsecure_skip_verify = true\n",
        sim.url(),
        program.display()
    );
    let env = env.config(&format!("{zvm}\n{OBSERVE}"));
    shown(&env.hook(change(&env, "web01")), "guarded by a tagged checkpoint first: ");
    shown(&env.hook(change(&env, "nowhere")), "guarded by a tagged checkpoint first: ");
    shown(&env.hook(env.call("Workflow", json!({}))), "stopped with a question: ");
    shown(&env.hook(env.call("Bash", json!({"command": "ssh web01 reboot; acmectl up"}))), "stopped with a question: ");
    env.hook(env.call("Read", json!({}))).passed_silently();
    assert!(sim.requests().is_empty() && !sign.exists());
    let seen: Vec<Value> =
        lines(&env).iter().map(|line| json!([line["verdict"], line["decision"], line["would"]])).collect();
    assert_eq!(
        seen,
        [
            json!(["mutating", "observed", "guard"]),
            json!(["mutating", "observed", "guard"]),
            json!(["unknown", "observed", "ask"]),
            json!(["mutating", "observed", "ask"]),
        ]
    );
    assert!(!env.state_dir().join("questions").exists(), "nobody is asked");
    let env = Env::new().config(&format!("{zvm}\n{OBSERVE}unknown = 'guard'\n"));
    shown(&env.hook(env.mcp("winrm", "run_ps", json!({"host": "db01", "script": "& $x"}))), "guarded by a tagged");
}

#[test]
fn only_garbage_and_self_harm_are_stopped() {
    let env = Env::new().config(OBSERVE);
    env.hook("garbage").denied("not one JSON document");
    env.hook("").denied("nothing came on stdin");
    env.hook(env.call("Read", json!({})).replace("PreToolUse", "BeforeUse")).denied("does not know");
    env.hook(env.call("Write", json!({"file_path": env.config_dir().join("config.toml")}))).denied("a human must");
    env.hook(env.call("Bash", json!({"command": format!("rm -rf {}", env.state_dir().display())})))
        .denied("a human must");
    let pause = env.call("Bash", json!({"command": "zerto-guard pause --for 1h --reason x"}));
    env.hook(pause).denied("a human must");
    let answer = env.call("Bash", json!({"command": "zerto-guard catalog add --program x --read-only"}));
    assert_eq!(env.hook(answer.clone()).json()["hookSpecificOutput"]["permissionDecision"], "ask");
    env.hook(answer.replace("\"default\"", "\"dontAsk\"")).denied("a human must run this");
    env.hook(env.call("Bash", json!({"command": "zerto-guard hook < x"}))).denied("a human must");
    // A broken project's catalog makes every call unknown, and that is only told.
    let broken = Env::new().config(OBSERVE).project_catalog("[server\n");
    shown(&broken.hook(broken.call("Read", json!({"file_path": "/etc/hosts"}))), "stopped with a question");
    // What can't be read at all can't say that it only observes.
    let broken = Env::new().config("[guard]\nmode = 'observe'\nmod = 1\n");
    broken.hook(broken.call("Read", json!({}))).denied("config.toml");
    let broken = Env::new().config(OBSERVE).catalog("[server\n");
    broken.hook(broken.call("Read", json!({}))).denied("catalog.toml");
}

#[test]
fn a_log_that_can_not_be_written_stops_nothing() {
    let env = Env::new().config(OBSERVE);
    let state = env.path("file");
    env.write(&state, "");
    let arguments = ["--state-dir", state.to_str().unwrap()];
    shown(&env.hook_with(&arguments, change(&env, "web01")), "This is not in the audit log: ");
    env.hook_with(&arguments, env.call("Read", json!({}))).passed_silently();
}

#[test]
fn reading_calls_are_counted_while_it_observes_and_only_then() {
    let env = Env::new().config(OBSERVE);
    std::thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| env.hook(env.call("Read", json!({}))).passed_silently().code);
        }
    });
    assert!(!log(&env).exists(), "no line each");
    assert_eq!(env.run(&["audit", "--summary", "--json"]).json()["read_only_observed"], 64);
    assert_eq!(env.run(&["audit", "--summary", "--since", "1h", "--json"]).json()["read_only_observed"], 64);
    assert_eq!(env.run(&["audit", "--summary", "--until", "3d", "--json"]).json()["read_only_observed"], 0);
    assert_eq!(env.run(&["audit", "--summary", "--vm", "web01", "--json"]).json()["read_only_observed"], Value::Null);
    let text = env.run(&["audit", "--summary"]).stdout;
    assert!(text.contains("read_only  64     ran; counted while the guard only observed"), "{text}");
    let enforced = Env::new();
    enforced.hook(enforced.call("Read", json!({}))).passed_silently();
    assert!(!enforced.state_dir().exists());
    assert_eq!(enforced.run(&["audit", "--summary"]).stdout, "no calls\n");
}

/// The week of trying it: the summary's own lines, run as they stand, leave nothing to be asked.
#[test]
fn the_summarys_entries_spare_the_questions() {
    let env = Env::new().config(OBSERVE);
    let calls = [
        env.call("Bash", json!({"command": "acmectl status"})),
        env.call("Bash", json!({"command": "acmectl status; otherctl -v list"})),
        env.call("Bash", json!({"command": "acmectl status --all"})),
        env.mcp("acme", "get it", json!({"x": 1})),
    ];
    for (nr, call) in calls.iter().enumerate() {
        shown(&env.hook(numbered(call, &nr.to_string())), "stopped with a question");
    }
    shown(
        &env.hook(numbered(&env.call("Bash", json!({"command": "ssh \"$HOST\" reboot"})), "9")),
        "stopped with a question",
    );
    shown(&env.hook(change(&env, "web01")), "guarded by");
    let summary = env.run(&["audit", "--summary", "--json"]).json();
    assert_eq!(summary["verdicts"]["mutating"]["would_guard"], 1, "{summary}");
    assert_eq!(summary["others"].as_array().unwrap().len(), 1, "{summary}");
    let entries = summary["entries"].as_array().unwrap();
    let commands: Vec<&str> = entries.iter().map(|entry| entry["command"].as_str().unwrap()).collect();
    assert_eq!(
        (&entries[0]["calls"], commands[0]),
        (&json!(3), "zerto-guard catalog add --program acmectl status --read-only")
    );
    assert_eq!(commands.len(), 3, "{summary}");
    let text = env.run(&["audit", "--summary"]).stdout;
    for command in commands {
        assert!(text.contains(command), "{text}");
        let line = command.replacen("zerto-guard", &Env::binary().display().to_string(), 1);
        let done =
            std::process::Command::new("sh").args(["-c", &line]).env_clear().env("HOME", env.home()).output().unwrap();
        assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
    }
    for call in calls {
        env.hook(call).passed_silently();
    }
    assert_eq!(rows(&env, &[]).len(), 6);
}
