//! The administrator's files in /etc/zerto-guard, in a mount namespace of the test's own.

use crate::env::{Env, Ran, skip};
use serde_json::json;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Runs the binary where /etc holds these files of the administrator's and nothing else; none where that can't be made.
pub fn with_etc(env: &Env, files: &[(&str, &str)], arguments: &[&str], stdin: &str) -> Option<Ran> {
    with_etc_and(env, files, &[], arguments, stdin)
}

/// The same with these variables (`NAME=value`).
pub fn with_etc_and(
    env: &Env,
    files: &[(&str, &str)],
    variables: &[&str],
    arguments: &[&str],
    stdin: &str,
) -> Option<Ran> {
    let etc = env.path("etc/zerto-guard");
    let _ = std::fs::remove_dir_all(&etc);
    std::fs::create_dir_all(&etc).unwrap();
    std::fs::set_permissions(&etc, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    for (name, text) in files {
        env.write(&etc.join(name), text);
    }
    let script = format!("mount --bind '{}' /etc && exec \"$@\"", env.path("etc").display());
    let mut child = Command::new("unshare")
        .args(["--mount", "--map-root-user", "sh", "-c", &script, "sh", "env"])
        .args(variables)
        .arg(Env::binary())
        .args(arguments)
        .env_clear()
        .env("HOME", env.home())
        .env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin")
        .current_dir(env.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    let ran = Ran::from(child.wait_with_output().unwrap());
    (!ran.stderr.contains("unshare:") && !ran.stderr.contains("mount:")).then_some(ran)
}

#[test]
fn the_administrators_word_wins_and_managed_hears_nobody_else() {
    let user = "[server.'']\nread_only = ['Workflow', 'Grep']\nunknown = ['Read']\n[server.x]\nread_only = ['t']\n";
    let env = Env::new().catalog(user).config("[guard]\nmode = 'observe'\nagent = 'me'\n");
    let admin: &[(&str, &str)] =
        &[("catalog.toml", "[server.'']\nunknown = ['Grep']\n"), ("config.toml", "[guard]\nmode = 'enforce'\n")];
    let hook = |arguments: &[&str], tool: &str| with_etc(&env, admin, arguments, &env.call(tool, json!({})));
    let Some(ran) = hook(&["hook"], "Workflow") else {
        skip("no mount namespace can be made here");
        return;
    };
    ran.passed_silently();
    hook(&["hook"], "Grep").unwrap().denied("stopped Grep");
    hook(&["hook"], "Read").unwrap().denied("stopped Read");
    let managed = &["hook", "--managed"][..];
    hook(managed, "Workflow").unwrap().denied("stopped Workflow");
    hook(managed, "Read").unwrap().passed_silently();
    let question = hook(managed, "Grep").unwrap();
    assert!(!question.stderr.contains("--remember"), "{}", question.stderr);
    let broken: &[(&str, &str)] = &[("catalog.toml", "x = 1\n")];
    let ran = with_etc(&env, broken, managed, &env.call("Read", json!({}))).unwrap();
    ran.denied("/etc/zerto-guard/catalog.toml, line 1");
    let ran = with_etc(&env, admin, &["check", "--json", "--tool", "Grep"], "").unwrap();
    assert_eq!(ran.json()["decided_by"]["layer"], "admin", "{}", ran.stderr);
}

#[test]
fn variables_move_the_files_of_the_other_commands() {
    let env = Env::new();
    env.write(&env.path("moved/zerto-guard/catalog.toml"), "[server.x]\nread_only = ['a']\n");
    env.write(&env.path("named.toml"), "[server.x]\nread_only = ['b']\n");
    let verdict = |name: &str, value: &str, tool: &str| {
        let mut command = env.command(&["check", "--json", "--tool", tool, "--server", "x"]);
        let ran = Ran::from(command.env(name, env.path(value)).output().unwrap());
        ran.json()["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(verdict("XDG_CONFIG_HOME", "moved", "a"), "read_only");
    assert_eq!(verdict("ZERTO_GUARD_CATALOG", "named.toml", "b"), "read_only");
    assert_eq!(verdict("ZERTO_GUARD_CATALOG", "named.toml", "a"), "unknown");
    let ran = env.run(&["-v", "check", "--tool", "Read"]);
    assert!(ran.stderr.contains("config: ") && ran.stderr.contains("(not there)"), "{}", ran.stderr);
}
