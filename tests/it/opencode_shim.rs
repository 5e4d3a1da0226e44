//! The plugin for OpenCode in `hooks/opencode`, as that calls it, in node: it throws unless the guard ended with 0.

use crate::env::{Env, Ran, skip};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Calls the plugin's hook as OpenCode does, with the call that `call` holds, a JavaScript expression.
const DRIVER: &str = "
const { ZertoGuard } = await import(process.argv[1]);
const hooks = await ZertoGuard({ directory: process.argv[2] });
try {
  const call = eval(`(${process.argv[3]})`);
  await hooks['tool.execute.before']({ tool: call.tool, sessionID: 'ses_1', callID: 'call_1' }, { args: call.args });
  console.log('RAN');
} catch (error) {
  console.log(error.message);
}
";

fn node() -> bool {
    let there = Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        skip("there is no node here to run the plugin for OpenCode with");
    }
    there
}

/// What came of the call: `RAN`, or what was thrown.
fn call(env: &Env, program: &Path, limit: &str, call: &str) -> String {
    let shim = Path::new(env!("CARGO_MANIFEST_DIR")).join("hooks/opencode/zerto-guard.js");
    let shim = fs::read_to_string(shim).unwrap();
    let mine = shim.replace("/usr/local/bin/zerto-guard", program.to_str().unwrap()).replace("180_000", limit);
    assert_ne!(mine, shim);
    // By this name node takes it for a module, as OpenCode does by any.
    env.write(&env.path("zerto-guard.mjs"), &mine);
    let output = Command::new("node")
        .args(["--input-type=module", "-e", DRIVER])
        .arg(env.path("zerto-guard.mjs"))
        .arg(env.project())
        .arg(call)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", env.home())
        .output()
        .unwrap();
    let ran = Ran::from(output);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    ran.stdout.trim_end().to_owned()
}

fn of(tool: &str, args: Value) -> String {
    json!({"tool": tool, "args": args}).to_string()
}

#[test]
fn a_call_runs_only_if_the_guard_ended_with_0() {
    if !node() {
        return;
    }
    let env = Env::new();
    let guard = Env::binary();
    let ask = |text: &str| call(&env, &guard, "180_000", text);
    assert_eq!(ask(&of("read", json!({"filePath": "/x"}))), "RAN");
    assert_eq!(ask(&of("bash", json!({"command": "ls"}))), "RAN");
    assert_eq!(ask(&of("write", json!({"filePath": "a", "content": "x".repeat(100_000)}))), "RAN");
    for (text, part) in [
        (of("bash", json!({"command": "frobnicate"})), "zerto-guard: stopped bash: it is not known"),
        (of("bash", json!({"command": "ssh web01 reboot"})), "zerto-guard: stopped bash, which changes web01"),
        (of("task", json!({})), "zerto-guard: stopped task: it is not known"),
        (of("bash", json!("ls")), "the args is no JSON object"),
        ("{ args: {} }".into(), "the hook's input has no tool"),
        ("{ tool: 'read', args: { n: 1n } }".into(), "BigInt"),
        ("(() => { const args = {}; args.args = args; return { tool: 'read', args } })()".into(), "circular"),
    ] {
        let said = ask(&text);
        assert!(said.contains(part), "{text}: {said}");
    }
}

#[test]
fn a_guard_that_cannot_answer_stops_the_call() {
    if !node() {
        return;
    }
    let env = Env::new();
    let script = |name: &str, text: &str| {
        let path = env.path(name);
        env.program(&path, &format!("#!/bin/sh\n{text}\n"));
        path
    };
    let read = of("read", json!({"filePath": "/x"}));
    for (program, limit, part) in [
        (env.path("missing"), "180_000", "can't be started"),
        (env.project(), "180_000", "can't be started"),
        (script("one", "exit 1"), "180_000", "the guard failed (exit 1)"),
        (script("killed", "kill -9 $$"), "180_000", "the guard failed (SIGKILL)"),
        (script("silent", "cat >/dev/null; exit 2"), "180_000", "the guard failed (exit 2)"),
        (
            script("panic", "echo oh >&2; exit 101"),
            "180_000",
            "the guard failed (exit 101), so nothing is known to be guarded. oh",
        ),
        (script("slow", "exec sleep 60"), "200", "the guard took too long"),
        (script("said", "echo 'zerto-guard: no' >&2; exit 2"), "180_000", "zerto-guard: no"),
    ] {
        let said = call(&env, &program, limit, &read);
        assert!(said.contains(part) && said.starts_with("zerto-guard: "), "{}: {said}", program.display());
    }
    assert_eq!(call(&env, &script("fine", "cat >/dev/null"), "180_000", &read), "RAN");
}
