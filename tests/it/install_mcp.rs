//! `install HOST --mcp` and `uninstall HOST --mcp`, through the real binary: the file exactly, and everything gone again.

use crate::env::{Env, Ran};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use zerto_guard::install::server::{NAME, RECIPES};

/// The user's file below the home folder, and the project's below the project, where there is one.
const PLACES: &[(&str, &str, Option<&str>)] = &[
    ("claude-desktop", ".config/Claude/claude_desktop_config.json", None),
    ("claude-code", ".claude.json", Some(".mcp.json")),
    ("vscode", ".config/Code/User/mcp.json", Some(".vscode/mcp.json")),
    ("cursor", ".cursor/mcp.json", Some(".cursor/mcp.json")),
    ("opencode", ".config/opencode/opencode.json", Some("opencode.json")),
    ("gemini-cli", ".gemini/settings.json", Some(".gemini/settings.json")),
    ("qwen", ".qwen/settings.json", Some(".qwen/settings.json")),
    ("windsurf", ".codeium/windsurf/mcp_config.json", None),
    ("droid", ".factory/mcp.json", Some(".factory/mcp.json")),
    ("kiro", ".kiro/settings/mcp.json", Some(".kiro/settings/mcp.json")),
];

/// A folder with both programs in it; the server is never started here.
fn programs(env: &Env) -> PathBuf {
    let folder = env.path("bin");
    fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(Env::binary(), folder.join("zerto-guard")).unwrap();
    fs::write(folder.join("zerto-guard-mcp"), "").unwrap();
    folder
}

fn run(env: &Env, programs: &Path, arguments: &[&str]) -> Ran {
    let mut command = Command::new(programs.join("zerto-guard"));
    command.args(arguments).env_clear().env("HOME", env.home()).env("PATH", "/usr/bin:/bin");
    command.current_dir(env.project()).output().unwrap().into()
}

#[track_caller]
fn done(env: &Env, programs: &Path, arguments: &[&str]) -> Value {
    let ran = run(env, programs, &[arguments, &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}{}", ran.stdout, ran.stderr);
    ran.json()
}

#[test]
fn each_hosts_entry_is_written_once_and_goes_with_all_that_was_made_for_it() {
    assert_eq!(
        PLACES.iter().map(|place| place.0).collect::<Vec<_>>(),
        RECIPES.iter().map(|it| it.host).collect::<Vec<_>>()
    );
    let env = Env::new();
    let bin = programs(&env);
    let server = bin.join("zerto-guard-mcp");
    for (host, user, project) in PLACES {
        let user = (env.home().join(user), "user");
        let project = project.map(|project| (env.project().join(project), "project"));
        for (file, scope) in [user].into_iter().chain(project) {
            let with = |verb: &'static str| [verb, *host, "--mcp", "--scope", scope];
            let dry = done(&env, &bin, &[&with("install")[..], &["--dry-run"]].concat());
            assert_eq!((&dry["changed"], &dry["would_change"]), (&json!(false), &json!(true)), "{host}");
            assert!(!file.exists(), "{host}: a dry run makes nothing");
            assert_eq!(done(&env, &bin, &with("install"))["changed"], true, "{host}");
            let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{host} {}: {error}", file.display()));
            let settings: Value = serde_json::from_str(&text).unwrap();
            let servers = settings.as_object().unwrap().values().next().unwrap();
            let command = match &servers[NAME]["command"] {
                Value::Array(words) => &words[0],
                command => command,
            };
            assert_eq!(command, &json!(server), "{host}: {text}");
            assert_eq!(done(&env, &bin, &with("install"))["changed"], false, "{host}");
            assert_eq!(done(&env, &bin, &with("uninstall"))["changed"], true, "{host}");
            assert!(!file.exists(), "{host}");
            assert_eq!(done(&env, &bin, &with("uninstall"))["changed"], false, "{host}");
        }
    }
    let left: Vec<_> = fs::read_dir(env.project()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, [""; 0].map(PathBuf::from), "folders that were made go too");
}

#[test]
fn what_else_stands_there_stays_byte_for_byte() {
    let env = Env::new();
    let bin = programs(&env);
    let file = env.home().join(".config/opencode/opencode.jsonc");
    // With comments, and of the version that has its servers one object deeper.
    let text = "{\n  // mine\n  \"theme\": \"x\",\n  \"mcp\": { \"servers\": {\"other\": {\"type\": \"remote\"}} }, // end\n}\n";
    env.write(&file, text);
    assert_eq!(done(&env, &bin, &["install", "opencode", "--mcp"])["changed"], true);
    let new = fs::read_to_string(&file).unwrap();
    assert!(
        new.contains("\"other\": {\"type\": \"remote\"},\n")
            && new.contains("// mine")
            && new.contains("\"zerto-guard\": {"),
        "{new}"
    );
    assert!(!env.home().join(".config/opencode/opencode.json").exists());
    assert_eq!(done(&env, &bin, &["uninstall", "opencode", "--mcp"])["changed"], true);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);

    // The hook's entry in the same file is another matter.
    let settings = env.home().join(".gemini/settings.json");
    done(&env, &bin, &["install", "gemini-cli"]);
    let hooked = fs::read_to_string(&settings).unwrap();
    done(&env, &bin, &["install", "gemini-cli", "--mcp"]);
    done(&env, &bin, &["uninstall", "gemini-cli", "--mcp"]);
    assert_eq!(fs::read_to_string(&settings).unwrap(), hooked);
}

#[test]
fn files_that_are_not_in_their_usual_place_are_named() {
    let env = Env::new();
    let bin = programs(&env);
    let config = env.path("elsewhere.toml");
    env.write(&config, "");
    let state = env.path("state");
    let words =
        ["install", "cursor", "--mcp", "--config", config.to_str().unwrap(), "--state-dir", state.to_str().unwrap()];
    let entry = done(&env, &bin, &words)["entry"].clone();
    assert_eq!(entry["args"], json!(["--config", config, "--state-dir", state]));
}

#[test]
fn what_can_not_be_written_is_said_and_nothing_is_changed() {
    let env = Env::new();
    let bin = programs(&env);
    for (arguments, code, words) in [
        (&["install", "claude-desktop"][..], 5, "install claude-desktop --mcp"),
        (&["uninstall", "claude-desktop"], 5, "has no hook"),
        (&["install", "codex", "--mcp"], 5, "codex mcp add zerto-guard -- /path/to/zerto-guard-mcp"),
        (&["install", "claude-code", "--mcp", "--scope", "managed"], 5, "shut out all others"),
        (&["install", "claude-desktop", "--mcp", "--scope", "project"], 5, "user's settings alone"),
    ] {
        let ran = run(&env, &bin, arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
    let theirs = env.home().join(".cursor/mcp.json");
    for text in ["{\"mcpServers\": {\"zerto-guard\": {\"command\": \"npx\"}}}", "{", "[]"] {
        env.write(&theirs, text);
        let ran = run(&env, &bin, &["install", "cursor", "--mcp"]);
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        assert!(ran.stderr.contains("mcp.json"), "{}", ran.stderr);
        assert_eq!(fs::read_to_string(&theirs).unwrap(), text);
    }
    fs::remove_file(bin.join("zerto-guard-mcp")).unwrap();
    let ran = run(&env, &bin, &["install", "vscode", "--mcp"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("the server is a program of its own")
            && ran.stderr.contains("cargo install --locked --path crates/zerto-guard-mcp --root "),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_host_that_has_the_hook_too_puts_to_its_human_what_needs_one() {
    let env = Env::new();
    for tool in ["zerto_check_tool", "zerto_guard_before_mutate", "zerto_list_tags", "zerto_list_flr_sessions"] {
        env.hook(env.mcp(NAME, tool, json!({"vm": "web01"}))).passed_silently();
    }
    for tool in zerto_guard::classify::own::CONFIRMING_TOOLS.iter().map(|tool| tool.name) {
        let ran = env.hook(env.mcp(NAME, tool, json!({"vm": "web01"})));
        assert_eq!(ran.json()["hookSpecificOutput"]["permissionDecision"], "ask", "{tool}: {}", ran.stderr);
    }
}
