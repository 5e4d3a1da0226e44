//! What `hook` is given: input of every bad kind is denied, a read-only call passes without a trace, and files that
//! can't be trusted stop everything.

use crate::env::Env;
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

fn read_only(env: &Env) -> String {
    env.call("Read", json!({"file_path": "/etc/hosts"}))
}

#[test]
fn bad_input_of_every_kind_is_denied() {
    let env = Env::new();
    let good = read_only(&env);
    let with = |from: &str, to: &str| good.replace(from, to).into_bytes();
    let deep = format!("{{\"tool_input\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("nothing", vec![], "nothing came on stdin"),
        ("white space", b" \n".to_vec(), "nothing came on stdin"),
        ("no JSON", b"hello".to_vec(), "not one JSON document"),
        ("half of it", good.as_bytes()[..good.len() / 2].to_vec(), "not one JSON document"),
        ("two documents", format!("{good}{good}").into_bytes(), "not one JSON document"),
        ("a byte-order mark", [b"\xef\xbb\xbf", good.as_bytes()].concat(), "not one JSON document"),
        ("UTF-16", good.encode_utf16().flat_map(u16::to_le_bytes).collect(), "not one JSON document"),
        (
            "no UTF-8",
            with("/etc/hosts", "/etc/\u{0}").iter().map(|b| if *b == 0 { 0xff } else { *b }).collect(),
            "not one JSON document",
        ),
        ("a list", b"[]".to_vec(), "no JSON object"),
        ("a key twice", with("\"tool_name\"", "\"tool_name\":\"Bash\",\"tool_name\""), "given twice"),
        ("a key twice within", with("\"file_path\"", "\"x\":[{\"a\":1,\"a\":2}],\"file_path\""), "given twice"),
        ("a key twice in disguise", with("\"tool_name\"", "\"tool_\\u006eame\":\"Bash\",\"tool_name\""), "given twice"),
        ("no tool name", with("tool_name", "tool_nam"), "no tool_name"),
        ("an empty tool name", with("\"Read\"", "\"\""), "no tool_name"),
        ("a tool name of another type", with("\"Read\"", "[\"Read\"]"), "no tool_name"),
        ("an unknown event", with("PreToolUse", "PreToolUsed"), "event that it does not know"),
        ("no event", with("hook_event_name", "x"), "no agent host"),
        ("an input of another type", with("{\"file_path\":\"/etc/hosts\"}", "\"x\""), "no JSON object"),
        ("too deep", deep.into_bytes(), "not one JSON document"),
        ("too long", vec![b' '; (32 << 20) + 2], "longer than 32 MiB"),
    ];
    for (name, stdin, part) in cases {
        let ran = env.hook(stdin);
        assert_eq!(ran.code, Some(2), "{name}: {}", ran.stderr);
        ran.denied(part);
    }
    assert!(!env.state_dir().exists());
}

#[test]
fn unknown_fields_are_ignored_and_other_events_decide_nothing() {
    let env = Env::new();
    env.hook(read_only(&env).replace("\"cwd\"", "\"effort\":{\"level\":\"x\"},\"cwd\"")).passed_silently();
    for event in ["PostToolUse", "PostToolUseFailure"] {
        env.hook(read_only(&env).replace("PreToolUse", event)).passed_silently();
    }
    let ran = env.hook(read_only(&env).replace("PreToolUse", "SessionStart"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.json()["hookSpecificOutput"]["hookEventName"], "SessionStart");
}

#[test]
fn wrong_arguments_end_with_a_deny_too() {
    let env = Env::new();
    for (arguments, part) in [
        (&["hook", "--no-such"][..], "--no-such"),
        (&["--confg", "x", "hook"], "--confg"),
        (&["hook", "--host", "emacs"], "claude-code"),
        (&["hook", "--config"], "needs a value"),
        (&["hook", "--config", "/nowhere/c.toml"], "no such file"),
        (&["hook", "--catalog", "/nowhere/c.toml"], "no such file"),
        (&["hook", "extra"], "extra"),
    ] {
        let ran: crate::env::Ran = env.command(arguments).write_stdin(read_only(&env)).output().unwrap().into();
        ran.denied(part);
    }
}

#[test]
fn a_config_or_catalog_that_is_broken_or_doubtful_denies_every_call() {
    for (config, catalog, part) in [
        ("[guard]\ndeadlin = '1s'\n", "", "config.toml, line 2: unknown key `deadlin`"),
        ("[[zvm]]\nname = 'a'\nurl = 'https://a'\nusername = 'u'\npassword = 'p'\n", "", "line 5"),
        ("x", "", "config.toml, line 1"),
        ("", "[server.x]\nread_only = ['a', 'a']\n", "catalog.toml, line 2: `a` stands twice"),
    ] {
        let env = Env::new().config(config).catalog(catalog);
        env.hook(read_only(&env)).denied(part);
    }
    for file in ["config.toml", "catalog.toml"] {
        let env = Env::new().config("").catalog("");
        let path = env.config_dir().join(file);
        env.hook(read_only(&env)).passed_silently();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
        env.hook(read_only(&env)).denied("chmod go-w");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        fs::set_permissions(env.config_dir(), fs::Permissions::from_mode(0o777)).unwrap();
        env.hook(read_only(&env)).denied("chmod go-w");
    }
}

#[test]
fn variables_that_a_project_can_set_change_nothing() {
    // A user's catalog that asks about Read; a project that would point the hook to another, empty one.
    let env = Env::new().catalog("[server.'']\nunknown = ['Read']\n");
    env.write(&env.path("evil/catalog.toml"), "[server.'']\nread_only = ['Read']\n");
    let ran: crate::env::Ran = env
        .command(&["hook"])
        .env("ZERTO_GUARD_CATALOG", env.path("evil/catalog.toml"))
        .env("ZERTO_GUARD_CONFIG", env.path("evil/config.toml"))
        .env("ZERTO_GUARD_STATE_DIR", env.path("evil"))
        .env("XDG_CONFIG_HOME", env.path("evil"))
        .env("XDG_STATE_HOME", env.path("evil"))
        .write_stdin(read_only(&env))
        .output()
        .unwrap()
        .into();
    ran.denied("stopped Read");
}

#[test]
fn a_projects_catalog_can_only_make_calls_stricter() {
    let project = "[server.'']\nunknown = ['Grep']\nread_only = ['Workflow', 'Bash']\n\
                   [server.linux-mcp-server]\nmutating = [{ tool = 'list_services', vm = 'host' }]\n\
                   [server.winrm]\nread_only = ['run_ps']\n";
    let env = Env::new().project_catalog(project);
    env.hook(read_only(&env)).passed_silently();
    env.hook(env.call("Grep", json!({"pattern": "x"}))).denied("stopped Grep");
    env.hook(env.call("Workflow", json!({}))).denied("stopped Workflow");
    env.hook(env.call("Bash", json!({"command": "acmectl"}))).denied("stopped Bash");
    env.hook(env.mcp("winrm", "run_ps", json!({"host": "web01", "script": "x"}))).denied("on web01");
    // Made mutating by the project; there is no ZVM to guard it with.
    env.hook(env.mcp("linux-mcp-server", "list_services", json!({"host": "web01"}))).denied("web01");
}

#[test]
fn a_broken_projects_catalog_stops_all_but_reading_and_mending_it() {
    let env = Env::new().project_catalog("[server.x]\nbad = 1\n");
    let file = env.project().join(".zerto-guard/catalog.toml");
    let file = file.to_str().unwrap();
    env.hook(read_only(&env)).denied("line 2: unknown key `bad`");
    env.hook(env.call("Read", json!({"file_path": file}))).passed_silently();
    env.hook(env.call("Edit", json!({"file_path": file, "old_string": "bad", "new_string": "good"}))).passed_silently();
    env.hook(env.call("Write", json!({"file_path": ".zerto-guard/../.zerto-guard/catalog.toml", "content": ""})))
        .passed_silently();
    env.hook(env.call("Write", json!({"file_path": "other", "content": file}))).denied("bad");
}

#[test]
fn a_file_written_to_a_guests_disk_is_a_change_of_that_guest() {
    let env = Env::new();
    let mount = env.path("mnt");
    fs::create_dir(&mount).unwrap();
    std::os::unix::fs::symlink(&mount, env.project().join("link")).unwrap();
    let env = env.config(&format!("[mounts]\n\"{}\" = \"web01\"\n", mount.display()));
    for path in [mount.join("etc/x").to_str().unwrap(), "link/new", "../mnt/x"] {
        env.hook(env.call("Write", json!({"file_path": path, "content": ""}))).denied("web01");
    }
    env.hook(env.call("Write", json!({"file_path": "notes.md", "content": ""}))).passed_silently();
    env.hook(env.call("Write", json!({"content": ""}))).denied("no such argument");
    let env = Env::new().config("[guard]\nthis_vm = 'dev01'\n");
    env.hook(env.call("Edit", json!({"file_path": "notes.md"}))).denied("dev01");
}

#[test]
fn observing_stops_nothing_but_garbage_and_says_so() {
    let env = Env::new().config("[guard]\nmode = 'observe'\n");
    let ran = env.hook(env.call("Workflow", json!({})));
    assert_eq!(ran.code, Some(0));
    let message = ran.json()["systemMessage"].as_str().unwrap().to_owned();
    assert!(message.contains("only observes") && message.contains("question"), "{message}");
    env.hook("garbage").denied("not one JSON document");
}
