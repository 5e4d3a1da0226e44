//! `catalog`: list, add, remove, validate and test.

use crate::env::Env;
use serde_json::json;
use std::fs;

#[test]
fn an_entry_is_added_heeded_moved_and_removed() {
    let env = Env::new();
    let call = env.mcp("acme", "get_thing", json!({"host": "web01"}));
    env.hook(call.clone()).denied("zerto-guard catalog add --server acme --tool get_thing --read-only");
    let ran = env.run(&["catalog", "add", "--server", "acme", "--tool", "get_thing", "--read-only"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    env.hook(call.clone()).passed_silently();
    let ran = env.run(&["catalog", "add", "--server", "acme", "--tool", "get_thing", "--mutating", "--vm", "host"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let file = env.config_dir().join("catalog.toml");
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        "schema = 1\n\n[server.acme]\nmutating = [{ tool = \"get_thing\", vm = \"host\" }]\n"
    );
    env.hook(call.clone()).denied("web01");
    assert_eq!(env.run(&["catalog", "remove", "--server", "acme", "--tool", "get_thing"]).code, Some(0));
    env.hook(call).denied("no catalog has an entry");
    let ran = env.run(&["catalog", "remove", "--server", "acme", "--tool", "get_thing"]);
    assert_eq!(ran.code, Some(3));
}

#[test]
fn programs_take_sub_commands_and_script_entries_a_language() {
    let env = Env::new();
    for arguments in [
        &["catalog", "add", "--program", "docker", "ps", "image ls", "--read-only"][..],
        &["catalog", "add", "--program", "reboot", "--mutating"],
        &["catalog", "add", "--server", "x", "--tool", "run", "--script", "cmd", "--language", "sh", "--vm", "host"],
    ] {
        let ran = env.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?} {}", ran.stderr);
    }
    let text = fs::read_to_string(env.config_dir().join("catalog.toml")).unwrap();
    assert!(text.contains("[program.docker]\nread_only = [\"ps\", \"image ls\"]"), "{text}");
    assert!(text.contains("[program.reboot]\nmutating = [\"*\"]"), "{text}");
    assert!(text.contains("language = \"sh\""), "{text}");
    for arguments in [
        &["catalog", "add", "--server", "x", "--tool", "run"][..],
        &["catalog", "add", "--server", "x", "--read-only"],
        &["catalog", "add", "--server", "x", "--tool", "r", "--script", "cmd"],
        &["catalog", "add", "--server", "x", "--tool", "r", "--script", "cmd", "--language", "cobol"],
        &["catalog", "add", "--server", "x", "--tool", "r", "--read-only", "--mutating"],
        &["catalog", "add", "--program", "p", "--server", "s", "--tool", "t", "--read-only"],
    ] {
        assert_eq!(env.run(arguments).code, Some(64), "{arguments:?}");
    }
}

#[test]
fn a_broken_catalog_is_named_and_left_alone() {
    let text = "[server.x]\nread_onl = ['a']\n";
    let env = Env::new().catalog(text);
    let ran = env.run(&["catalog", "validate"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("catalog.toml: line 2: unknown key `read_onl`"), "{}", ran.stdout);
    let ran = env.run(&["catalog", "add", "--server", "x", "--tool", "b", "--read-only"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(fs::read_to_string(env.config_dir().join("catalog.toml")).unwrap(), text);
    let good = env.path("good.toml");
    env.write(&good, "[server.x]\nread_only = ['a', 'b']\n");
    let ran = env.run(&["catalog", "validate", good.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("2 entries in 1 table"), "{}", ran.stdout);
    assert_eq!(env.run(&["catalog", "validate", "/nowhere"]).code, Some(1));
}

#[test]
fn the_list_shows_the_users_entries_and_all_of_them_on_request() {
    let env = Env::new().catalog("[server.x]\nread_only = ['a']\nmutating = [{ tool = 'b', vm = 'h' }]\n");
    let ran = env.run(&["catalog", "list"]);
    assert_eq!(
        ran.stdout,
        "LAYER  TABLE       VERDICT    NAME  ARGUMENTS\nuser   [server.x]  read_only  a\nuser   [server.x]  mutating   b     vm=h\n"
    );
    let all = env.run(&["catalog", "list", "--all", "--json"]).json();
    assert!(all.as_array().unwrap().len() > 1000);
    assert_eq!(env.run(&["catalog", "list", "none"]).code, Some(3));
}

#[test]
fn a_teams_cases_pass_fail_and_are_updated() {
    let env = Env::new().catalog("[server.x]\nmutating = [{ tool = 't', vm = 'host' }]\n");
    let cases = env.path("cases");
    let dir = cases.to_str().unwrap();
    fs::create_dir(&cases).unwrap();
    assert_eq!(env.run(&["catalog", "test", dir]).code, Some(3), "an empty folder tests nothing");
    env.write(&cases.join("change.json"), &env.mcp("x", "t", json!({"host": "web01"})));
    env.write(&cases.join("garbage.json"), "{");
    let ran = env.run(&["catalog", "test", dir]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("--update writes it"), "{}", ran.stdout);
    assert_eq!(env.run(&["catalog", "test", dir, "--update"]).code, Some(0));
    assert_eq!(env.run(&["catalog", "test", dir]).code, Some(0));
    let expected = fs::read_to_string(cases.join("change.expected.json")).unwrap();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&expected).unwrap(),
        json!({"verdict": "mutating", "targets": ["web01"]})
    );
    env.write(&cases.join("change.expected.json"), r#"{"verdict": "read_only"}"#);
    let ran = env.run(&["catalog", "test", dir]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("verdict: expected \"read_only\", found \"mutating\""), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("1 passed, 1 failed\n"), "{}", ran.stdout);
}
