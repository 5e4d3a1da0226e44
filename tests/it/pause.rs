//! `pause`: on a terminal only, told and logged at each call, and over by itself.

use crate::env::{Env, Ran, skip};
use crate::guard_story::{change, demo, home};
use crate::trust_command::on_a_terminal;
use serde_json::json;
use std::fs;

#[test]
fn a_pause_lets_calls_run_tells_and_logs_each_and_can_be_ended() {
    let sim = demo().start();
    let env = home(&sim);
    let Some(ran) = on_a_terminal(&env, "pause --for 30m --reason 'lab day'", "y\n") else {
        skip("there is no `script` here to make a terminal with");
        return;
    };
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    for call in [change(&env, "web01"), env.call("Workflow", json!({}))] {
        let ran = env.hook(call);
        let told = ran.json()["systemMessage"].as_str().unwrap().to_owned();
        assert!(told.contains("paused until") && told.contains("lab day"), "{told}");
    }
    env.hook(env.call("Read", json!({}))).passed_silently();
    assert!(sim.requests().is_empty());
    // What an agent may never do, and garbage, it may not do in a pause either.
    env.hook(env.call("Write", json!({"file_path": env.config_dir().join("config.toml")}))).denied("a human must");
    env.hook("garbage").denied("not one JSON document");
    env.hook_with(&["--managed"], env.call("Workflow", json!({}))).denied("answer zgq-");
    let log = fs::read_to_string(env.state_dir().join("audit.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["event"], &lines[0]["reason"]), (&json!("pause"), &json!("lab day")));
    let decisions: Vec<&str> = lines[1..].iter().map(|line| line["decision"].as_str().unwrap()).collect();
    assert_eq!(decisions, ["paused", "paused", "stopped", "asked"]);
    assert_eq!(env.run(&["pause", "--end"]).code, Some(0));
    env.hook(env.call("Workflow", json!({}))).denied("answer zgq-");
    // One that is over is none.
    let old = r#"{"from":"2026-01-01T00:00:00Z","until":"2026-01-01T00:30:00Z","reason":"x"}"#;
    env.write(&env.state_dir().join("pause.json"), old);
    env.hook(env.call("Workflow", json!({}))).denied("answer zgq-");
}

#[test]
fn without_a_terminal_or_a_reason_there_is_no_pause() {
    let env = Env::new();
    for arguments in [
        &["pause"][..],
        &["pause", "--for", "30m"],
        &["pause", "--for", "2 days", "--reason", "x"],
        &["pause", "--for", "25h", "--reason", "x"],
    ] {
        assert_eq!(env.run(arguments).code, Some(64), "{arguments:?}");
    }
    let output = std::process::Command::new("setsid")
        .arg("--wait")
        .arg(Env::binary())
        .args(["pause", "--for", "30m", "--reason", "x"])
        .env_clear()
        .env("HOME", env.home())
        .stdin(std::process::Stdio::null())
        .output();
    let Ok(output) = output else {
        skip("there is no `setsid` here to be without a terminal");
        return;
    };
    assert_eq!(Ran::from(output).code, Some(5));
    assert!(!env.state_dir().join("pause.json").exists());
}
