//! `install` and `uninstall` through the real binary: the settings file before and after, byte for byte, and the entry
//! that stands in it really run.

use crate::env::{Env, Ran};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The settings of the three scopes that a test can write.
pub fn settings(env: &Env) -> PathBuf {
    env.home().join(".claude/settings.json")
}

/// A `claude` that says this.
pub fn claude(env: &Env, script: &str) -> String {
    let bin = env.path("bin");
    env.write(&bin.join("claude"), &format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(bin.join("claude"), fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:/usr/bin:/bin", bin.display())
}

/// The command with a Claude Code of that version on `PATH`.
pub fn with_version(env: &Env, arguments: &[&str], version: &str) -> Ran {
    let path = claude(env, &format!("echo '{version} (Claude Code)'"));
    env.command(arguments).env("PATH", path).output().unwrap().into()
}

#[track_caller]
fn install(env: &Env, arguments: &[&str]) -> Value {
    let all = [&["install", "claude-code", "--json"], arguments].concat();
    let ran = with_version(env, &all, "2.1.332");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    ran.json()
}

/// The one entry that stands in the user's settings.
#[track_caller]
fn entry(env: &Env) -> Value {
    let text = fs::read_to_string(settings(env)).unwrap();
    let settings: Value = serde_json::from_str(&text).unwrap();
    let groups = settings["hooks"]["PreToolUse"].as_array().unwrap();
    assert_eq!(groups.len(), 1, "{text}");
    assert_eq!(groups[0]["matcher"], "*");
    assert_eq!(groups[0]["hooks"].as_array().unwrap().len(), 1);
    groups[0]["hooks"][0].clone()
}

/// The one after a call.
#[track_caller]
fn entry_after(env: &Env) -> Value {
    let settings: Value = serde_json::from_str(&fs::read_to_string(settings(env)).unwrap()).unwrap();
    let groups = settings["hooks"]["PostToolUse"].as_array().unwrap();
    assert_eq!((groups.len(), groups[0]["matcher"].as_str()), (1, Some("*")), "{settings}");
    assert_eq!(groups[0]["hooks"].as_array().unwrap().len(), 1);
    groups[0]["hooks"][0].clone()
}

/// Starts the entry as Claude Code would.
fn started(env: &Env, entry: &Value, stdin: &str) -> Ran {
    let text = entry["command"].as_str().unwrap();
    let mut command = match entry.get("args") {
        Some(args) => {
            let mut command = Command::new(text);
            command.args(args.as_array().unwrap().iter().map(|word| word.as_str().unwrap()));
            command
        }
        None => {
            let mut command = Command::new("/bin/sh");
            command.arg("-c").arg(text);
            command
        }
    };
    command.env_clear().env("HOME", env.home()).env("PATH", "/usr/bin:/bin").current_dir(env.project());
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the entry starts");
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), stdin.as_bytes()).unwrap();
    child.wait_with_output().unwrap().into()
}

/// It denies what it can't read, and lets a reading call through in silence.
#[track_caller]
fn it_guards(env: &Env, entry: &Value) {
    started(env, entry, "no JSON").denied("JSON");
    started(env, entry, &env.call("Read", json!({"file_path": "/etc/hostname"}))).passed_silently();
}

#[test]
fn on_a_fresh_home_and_out_again() {
    let env = Env::new();
    let before = install(&env, &["--dry-run"]);
    assert_eq!((before["changed"].clone(), before["would_change"].clone()), (json!(false), json!(true)));
    assert!(!settings(&env).parent().unwrap().exists(), "a dry run makes nothing");
    let done = install(&env, &[]);
    assert_eq!((done["ok"].clone(), done["changed"].clone()), (json!(true), json!(true)));
    assert_eq!(done["file"], json!(settings(&env)));
    assert_eq!(done["entry"], entry(&env));
    let entry = entry(&env);
    assert_eq!(
        entry,
        json!({
            "type": "command",
            "command": Env::binary(),
            "args": ["hook", "--host", "claude-code", "--host-timeout", "180s"],
            "timeout": 180,
            "onFailure": "block",
            "statusMessage": "zerto-guard: judging this call",
        })
    );
    it_guards(&env, &entry);
    let after = entry_after(&env);
    assert_eq!(done["entry_after"], after);
    assert_eq!(
        after,
        json!({
            "type": "command",
            "command": Env::binary(),
            "args": ["hook", "--host", "claude-code", "--host-timeout", "30s"],
            "timeout": 30,
        })
    );
    let text = fs::read_to_string(settings(&env)).unwrap();
    assert_eq!(install(&env, &[])["changed"], false);
    assert_eq!(fs::read_to_string(settings(&env)).unwrap(), text, "a second time changes no byte");
    let ran = env.run(&["uninstall", "claude-code"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("+++ /dev/null") && ran.stdout.contains("Uninstalled from"), "{}", ran.stdout);
    assert!(!settings(&env).exists(), "what install made goes");
    let ran = env.run(&["uninstall", "claude-code"]);
    assert!(ran.stdout.contains("no entry of zerto-guard") && ran.code == Some(0), "{}", ran.stdout);
}

#[test]
fn the_change_is_shown_with_what_has_to_be_known() {
    let env = Env::new();
    env.write(&settings(&env), "{\n  \"model\": \"opus\" // the best\n}\n");
    let ran = with_version(&env, &["install", "claude-code"], "2.1.332");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for part in [
        "--- ",
        "@@ -1,3 +1,",
        "-  \"model\": \"opus\" // the best\n+  \"model\": \"opus\", // the best\n+  \"hooks\": {\n",
        "\n }\n",
        "Installed in ",
        "For Claude Code 2.1.332: a missing, killed or slow hook stops the call too.",
        "--scope managed",
        "within some seconds",
        "zerto-guard doctor",
    ] {
        assert!(ran.stdout.contains(part), "no {part:?} in {}", ran.stdout);
    }
    let ran = with_version(&env, &["install", "claude-code"], "2.1.332");
    assert!(ran.stdout.starts_with("It is installed already: "), "{}", ran.stdout);
}

#[test]
fn other_peoples_settings_come_back_byte_for_byte() {
    for text in [
        "{}",
        "{\r\n  \"env\": {\"A\": \"b\"},\r\n  \"hooks\": {\r\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}]\r\n  }\r\n}\r\n",
        "\u{feff}{\n  // mine\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"Bash\", \"hooks\": [{\"command\": \"audit\", \"type\": \"command\"}]}, // theirs\n    ],\n  },\n  \"a\": [1,2 , 3],\n}",
        "{\"hooks\":{\"PreToolUse\":[]},\"model\":\"opus\"}",
    ] {
        let env = Env::new();
        env.write(&settings(&env), text);
        fs::set_permissions(settings(&env), fs::Permissions::from_mode(0o640)).unwrap();
        assert_eq!(install(&env, &[])["changed"], true);
        assert_eq!(settings(&env).metadata().unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(install(&env, &[])["changed"], false);
        assert_ne!(fs::read_to_string(settings(&env)).unwrap(), text);
        assert_eq!(env.run(&["uninstall", "claude-code"]).code, Some(0));
        assert_eq!(fs::read_to_string(settings(&env)).unwrap(), text);
    }
}

#[test]
fn what_cannot_be_read_is_refused_and_left_alone() {
    for (text, part) in [
        ("{\n  \"a\": 1\n  \"b\": 2\n}\n", "settings.json, line 2, column 9"),
        ("", "line 1, column 1"),
        ("{\"hooks\": []}", "line 1: `hooks` is no object"),
        ("{\"hooks\": {\"PreToolUse\": {}}}", "`hooks.PreToolUse` is no list"),
        (
            "{\"hooks\": {\n\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\", \"timeout\": 0}]}]}}",
            "line 2: ",
        ),
        ("{\n\"env\": 5}", "line 2: `env` is no object; Claude Code drops"),
        (
            "{\"hooks\": {\"Stop\": [\n{\"hooks\": [{\"type\": \"comand\", \"command\": \"x\"}]}]}}",
            "line 2: a hook's `type`",
        ),
        (
            "{\"hooks\": {\"Stop\": [\n{\"hooks\": [{\"type\": \"command\", \"command\": 7}]}]}}",
            "line 2: a hook's `command`",
        ),
        ("{\"hooks\": {\"Stop\": [\n{\"matcher\": 5, \"hooks\": []}]}}", "line 2: a hook's `matcher`"),
    ] {
        let env = Env::new();
        env.write(&settings(&env), text);
        let ran = env.run(&["install", "claude-code", "--json"]);
        assert_eq!(ran.code, Some(1), "{text}: {}", ran.stdout);
        let error = ran.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(part), "{text}: {error}");
        assert_eq!(fs::read_to_string(settings(&env)).unwrap(), text);
    }
    let env = Env::new();
    fs::create_dir_all(settings(&env)).unwrap();
    assert_eq!(env.run(&["install", "claude-code"]).code, Some(1));
    let env = Env::new().config("[guard]\ndeadlin = '5s'\n");
    let ran = env.run(&["install", "claude-code"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("deadlin") && !settings(&env).exists(), "{}", ran.stderr);
    assert_eq!(env.run(&["install", "emacs"]).code, Some(64));
    assert_eq!(env.run(&["install"]).code, Some(64));
}

#[test]
fn a_link_stays_a_link() {
    let env = Env::new();
    let real = env.path("dotfiles/claude.json");
    env.write(&real, "{\"a\": 1}");
    fs::create_dir_all(settings(&env).parent().unwrap()).unwrap();
    symlink(&real, settings(&env)).unwrap();
    install(&env, &[]);
    assert!(settings(&env).is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("zerto-guard"));
    env.run(&["uninstall", "claude-code"]);
    assert_eq!(fs::read_to_string(&real).unwrap(), "{\"a\": 1}");
    fs::remove_file(&real).unwrap();
    let ran = env.run(&["install", "claude-code"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("link"), "{}", ran.stderr);
}

#[test]
fn the_form_is_the_strongest_that_the_version_heeds() {
    let env = Env::new();
    let note = |ran: &Ran| ran.json()["notes"].to_string();
    let shell = |env: &Env| {
        let entry = entry(env);
        assert!(entry.get("args").is_none(), "{entry}");
        let text = entry["command"].as_str().unwrap();
        assert!(text.ends_with(" hook --host claude-code --host-timeout 180s || exit 2"), "{text}");
        it_guards(env, &entry);
        // Its program missing, killed or broken: a deny all the same.
        for broken in ["/no/such/zerto-guard", "sh -c 'kill -9 $$'", "false"] {
            let text = text.replace(&Env::binary().display().to_string(), broken);
            assert_eq!(started(env, &json!({"command": text}), "").code, Some(2), "{text}");
        }
    };
    let ran = with_version(&env, &["install", "claude-code", "--json"], "2.1.197");
    assert!(note(&ran).contains("2.1.197, which is older than 2.1.295"), "{}", ran.stdout);
    shell(&env);
    // An update of the host: the entry is brought up to date, and there is still one.
    assert_eq!(install(&env, &[])["changed"], true);
    assert!(entry(&env).get("args").is_some());
    // Not known: the form that is safe on all.
    let ran = env.run(&["install", "claude-code", "--json"]);
    assert!(note(&ran).contains("No `claude` was found"), "{}", ran.stdout);
    shell(&env);
    for script in ["echo Segmentation fault", "exit 1", "echo 2.1.332; exit 1", "sleep 60"] {
        env.run(&["uninstall", "claude-code"]);
        let path = claude(&env, script);
        let ran: Ran = env.command(&["install", "claude-code", "--json"]).env("PATH", path).output().unwrap().into();
        assert!(note(&ran).contains("told no version"), "{script}: {}{}", ran.stdout, ran.stderr);
        shell(&env);
    }
}

#[test]
fn what_was_moved_is_named_with_its_whole_path() {
    let env = Env::new().config("[guard]\ndeadline = '150s'\n");
    env.write(&env.project().join("my conf.toml"), "[guard]\ndeadline = '200500ms'\n");
    env.write(&env.path("cat.toml"), "schema = 1\n");
    let args = |done: &Value| {
        let words = done["entry"]["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned());
        words.collect::<Vec<_>>()[3..].join(" ")
    };
    assert_eq!(args(&install(&env, &[])), "--host-timeout 210s", "60 s above the deadline");
    let (catalog, state) = (env.path("cat.toml"), env.path("state"));
    let (catalog, state) = (catalog.to_str().unwrap(), state.to_str().unwrap());
    let done = install(&env, &["--config", "my conf.toml", "--catalog", catalog, "--state-dir", state]);
    let config = env.project().join("my conf.toml");
    assert_eq!(
        args(&done),
        format!("--host-timeout 261s --config {} --catalog {catalog} --state-dir {state}", config.display())
    );
    it_guards(&env, &entry(&env));
    // By the environment too, which `hook` doesn't heed; in the shell form the spaces hold.
    let path = "/usr/bin:/bin";
    let ran: Ran = env
        .command(&["install", "claude-code", "--json"])
        .envs([("PATH", path), ("ZERTO_GUARD_CONFIG", config.to_str().unwrap())])
        .env("XDG_CONFIG_HOME", env.path("xdg"))
        .env("XDG_STATE_HOME", env.path("xdg state"))
        .output()
        .unwrap()
        .into();
    let text = ran.json()["entry"]["command"].as_str().unwrap().to_owned();
    let expected = format!(
        " --config '{}' --catalog {} --state-dir '{}' || exit 2",
        config.display(),
        env.path("xdg/zerto-guard/catalog.toml").display(),
        env.path("xdg state/zerto-guard").display()
    );
    assert!(text.ends_with(&expected), "{text}");
    assert!(env.path("xdg/zerto-guard/catalog.toml").exists(), "a file that is named has to be there");
    it_guards(&env, &entry(&env));
    let ran = env.run(&["install", "claude-code", "--config", "/no/such.toml"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("/no/such.toml"), "{}", ran.stderr);
}

#[test]
fn projects_and_what_stands_elsewhere() {
    let env = Env::new();
    let done = install(&env, &["--scope", "project"]);
    assert_eq!(done["file"], json!(env.project().join(".claude/settings.json")));
    assert!(done["notes"].to_string().contains("Everybody who works on this project"), "{done}");
    let done = install(&env, &[]);
    assert!(done["notes"].to_string().contains("judged twice"), "{done}");
    let ran = env.run(&["uninstall", "claude-code", "--json"]);
    assert!(ran.json()["notes"].to_string().contains("still stands in"), "{}", ran.stdout);
    env.write(&settings(&env), "{\"disableAllHooks\": true}");
    assert!(install(&env, &[])["notes"].to_string().contains("disableAllHooks"));
    // Where Claude Code itself is told to look.
    let moved = env.path("elsewhere");
    let ran: Ran =
        env.command(&["install", "claude-code", "--json"]).env("CLAUDE_CONFIG_DIR", &moved).output().unwrap().into();
    let file = moved.join("settings.json");
    assert_eq!(ran.json()["file"], json!(file));
    let remembered =
        || zerto_guard::state::installed::files(&zerto_guard::state::StateDir::at(env.state_dir())).unwrap();
    assert!(remembered().contains(&file) && remembered().len() == 3, "{:?}", remembered());
    env.command(&["uninstall", "claude-code"]).env("CLAUDE_CONFIG_DIR", &moved).output().unwrap();
    assert!(!file.exists() && remembered().len() == 2, "{:?}", remembered());
}

/// As root of a namespace of its own, whose /etc holds nothing else.
#[test]
fn the_managed_settings_are_for_everybody() {
    use crate::managed::with_etc;
    let env = Env::new();
    let file = env.path("etc/claude-code/managed-settings.json");
    let managed = ["claude-code", "--scope", "managed", "--json"];
    let Some(ran) = with_etc(&env, &[], &[&["install"], &managed[..]].concat(), "") else {
        crate::env::skip("no mount namespace can be made here");
        return;
    };
    assert_eq!(ran.json()["file"], "/etc/claude-code/managed-settings.json", "{}", ran.stderr);
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o644);
    let text = ran.json()["entry"]["command"].as_str().unwrap().to_owned();
    assert!(text.ends_with(" hook --host claude-code --host-timeout 180s --managed || exit 2"), "{text}");
    let ran = with_etc(&env, &[], &["doctor", "--json"], "").unwrap();
    assert!(ran.stdout.contains("\"hook managed\"") && ran.stdout.contains("the entry was run"), "{}", ran.stdout);
    let ran = with_etc(&env, &[], &["install", "claude-code", "--json"], "").unwrap();
    assert!(ran.json()["notes"].to_string().contains("/etc/claude-code/managed-settings.json too"), "{}", ran.stdout);
    with_etc(&env, &[], &[&["uninstall"], &managed[..]].concat(), "").unwrap();
    assert!(!file.exists() && settings(&env).exists());
}

/// A package manager's link goes on to work after an upgrade; what it leads to is gone then.
#[test]
fn the_program_is_named_as_it_was_called() {
    let env = Env::new();
    let link = env.path("bin/zerto-guard");
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(Env::binary(), &link).unwrap();
    let path = format!("{}:/usr/bin:/bin", link.parent().unwrap().display());
    let run = |program: &str| -> Value {
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(format!("{program} install claude-code --json --dry-run")).env_clear();
        command.env("HOME", env.home()).env("PATH", &path).current_dir(env.path("bin"));
        let ran: Ran = command.output().unwrap().into();
        ran.json()["entry"]["command"].clone()
    };
    let expected = format!("{} hook --host claude-code --host-timeout 180s || exit 2", link.display());
    assert_eq!(run("zerto-guard"), json!(expected));
    assert_eq!(run(&link.display().to_string()), json!(expected));
}

/// Both entries of both forms, started as the host does: what the one learns, the other knows.
#[test]
fn what_is_learnt_after_a_call_is_known_before_the_next() {
    let elsewhere = |env: &Env| env.path("my state").display().to_string();
    for version in ["2.1.332", "2.1.197"] {
        for moved in [false, true] {
            let env = Env::new().catalog(
                "[server.acme]\nopens = [{ tool = 'connect', vm = 'host', id = 'session' }]\n\
                 script = [{ tool = 'exec', vm = 'session', script = 'command', language = 'sh' }]\n",
            );
            let state = elsewhere(&env);
            let arguments = if moved {
                vec!["install", "claude-code", "--state-dir", &state]
            } else {
                vec!["install", "claude-code"]
            };
            let ran = with_version(&env, &arguments, version);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            let exec = env.mcp("acme", "exec", json!({"session": "s-1", "command": "reboot"}));
            started(&env, &entry(&env), &exec).denied("no answer of `connect`");
            let mut answer: Value =
                serde_json::from_str(&env.mcp("acme", "connect", json!({"host": "web01"}))).unwrap();
            answer["hook_event_name"] = "PostToolUse".into();
            answer["tool_response"] = json!([{"type": "text", "text": "Session: s-1"}]);
            started(&env, &entry_after(&env), &answer.to_string()).passed_silently();
            started(&env, &entry(&env), &exec).denied("web01");
            assert_eq!(PathBuf::from(&state).join("sessions").exists(), moved);
        }
    }
}

/// What the repository offers to copy is what `install` writes.
#[test]
fn the_folder_hooks_holds_the_same() {
    let env = Env::new();
    let here = Env::binary().display().to_string();
    for (version, name) in [("2.1.295", "settings.json"), ("2.1.294", "settings-older.json")] {
        with_version(&env, &["install", "claude-code"], version);
        let written = fs::read_to_string(settings(&env)).unwrap().replace(&here, "/usr/local/bin/zerto-guard");
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("hooks/claude-code").join(name);
        if std::env::var_os("ZERTO_GUARD_UPDATE_GOLDEN").is_some() {
            fs::write(&path, &written).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap_or_default(), written, "{}", path.display());
    }
}
