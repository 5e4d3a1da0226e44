//! From nothing to the first guarded call, in the three commands of the README.

use crate::env::{Env, Ran};
use crate::guard_story::{change, demo};
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use zvm_sim::Sim;

/// The block that `trust` prints, filled in as a person does.
fn filled_in(printed: &str, sim: &Sim) -> String {
    let (_, block) = printed.split_once("\n[[zvm]]").unwrap();
    let lines = block.lines().map(|line| match line.split(" = ").next() {
        Some("name") => "name = \"lab\"".to_owned(),
        Some("username") => format!("username = \"{}\"", sim.username()),
        Some("password_command") => format!("password_file = \"{}\"", sim.password_file().display()),
        _ => line.to_owned(),
    });
    format!("[[zvm]]{}\n", lines.collect::<Vec<_>>().join("\n"))
}

/// Starts the entry that stands in the settings as the host does: without a shell where it has arguments.
fn as_the_host(env: &Env, entry: &Value, stdin: &str) -> Ran {
    let command = entry["command"].as_str().unwrap();
    let mut process = match entry.get("args") {
        Some(arguments) => {
            let mut process = Command::new(command);
            process.args(arguments.as_array().unwrap().iter().map(|argument| argument.as_str().unwrap()));
            process
        }
        None => {
            let mut process = Command::new("/bin/sh");
            process.args(["-c", command]);
            process
        }
    };
    process.env_clear().env("HOME", env.home()).current_dir(env.project());
    let mut child = process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    child.wait_with_output().unwrap().into()
}

#[test]
fn trust_install_doctor_and_the_first_call_is_guarded() {
    let sim = demo().start();
    let env = Env::new();
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    for command in
        ["zerto-guard trust https://zvm.nyc.example", "zerto-guard install claude-code", "zerto-guard doctor"]
    {
        assert!(readme.lines().any(|line| line == command), "README.md does not have the line: {command}");
    }

    let trust = env.run(&["trust", sim.url()]);
    assert_eq!(trust.code, Some(0), "{}", trust.stderr);
    let env = env.config(&filled_in(&trust.stdout, &sim));
    let install = env.run(&["install", "claude-code"]);
    assert_eq!(install.code, Some(0), "{}", install.stderr);
    let doctor = env.run(&["doctor"]);
    assert_eq!(doctor.code, Some(0), "{}{}", doctor.stdout, doctor.stderr);

    let settings = fs::read_to_string(env.home().join(".claude/settings.json")).unwrap();
    let settings: Value = serde_json::from_str(&settings).unwrap();
    let entry = &settings["hooks"]["PreToolUse"][0]["hooks"][0];
    let ran = as_the_host(&env, entry, &change(&env, "web01"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!((sim.tags("web01-local").len(), sim.tags("web01-dr").len()), (1, 1));
    as_the_host(&env, entry, "garbage").denied("not one JSON document");
}
