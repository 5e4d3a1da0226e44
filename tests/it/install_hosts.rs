//! `install`, `uninstall` and `doctor` for the agent hosts beside Claude Code, through the real binary: the file exactly, the
//! written command really run, and everything gone again.

use crate::env::{Env, Ran, skip};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use zerto_guard::hosts::Host;
use zerto_guard::install::{Kind, Scope, recipe};

/// The user's file below the home folder, the project's below the project, and the one ready to copy in `hooks/`.
const PLACES: &[(Host, &str, &str, &str)] = &[
    (Host::Codex, ".codex/hooks.json", ".codex/hooks.json", "codex/hooks.json"),
    (Host::GeminiCli, ".gemini/settings.json", ".gemini/settings.json", "gemini-cli/settings.json"),
    (
        Host::CopilotCli,
        ".copilot/hooks/zerto-guard.json",
        ".github/hooks/zerto-guard.json",
        "copilot-cli/zerto-guard.json",
    ),
    (Host::VsCode, ".copilot/hooks/zerto-guard.json", ".github/hooks/zerto-guard.json", "copilot-cli/zerto-guard.json"),
    (Host::Cursor, ".cursor/hooks.json", ".cursor/hooks.json", "cursor/hooks.json"),
    (Host::Windsurf, ".codeium/windsurf/hooks.json", ".windsurf/hooks.json", "windsurf/hooks.json"),
    (Host::Qwen, ".qwen/settings.json", ".qwen/settings.json", "qwen/settings.json"),
    (Host::Droid, ".factory/settings.json", ".factory/settings.json", "droid/settings.json"),
    (Host::Kiro, ".kiro/hooks/zerto-guard.json", ".kiro/hooks/zerto-guard.json", "kiro/zerto-guard.json"),
    (Host::Cline, "Documents/Cline/Hooks/PreToolUse", ".clinerules/hooks/PreToolUse", "cline/PreToolUse"),
    (
        Host::OpenCode,
        ".config/opencode/plugins/zerto-guard.js",
        ".opencode/plugins/zerto-guard.js",
        "opencode/zerto-guard.js",
    ),
];

fn kind(host: Host) -> Kind {
    (recipe(host).kind)(Scope::User)
}

#[track_caller]
fn done(env: &Env, arguments: &[&str]) -> Value {
    let all = [arguments, &["--json"]].concat();
    let ran = env.run(&all);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}{}", ran.stdout, ran.stderr);
    ran.json()
}

/// Everything below a folder: paths and texts.
fn tree(folder: &Path) -> Vec<(PathBuf, Option<String>)> {
    let mut all = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            all.push((path.clone(), fs::read_to_string(&path).ok()));
            if path.is_dir() {
                open.push(path);
            }
        }
    }
    all.retain(|(path, _)| !path.to_string_lossy().contains("/.local"));
    all.sort();
    all
}

/// What the repository offers to copy, with this machine's path in it.
#[track_caller]
fn is_golden(file: &Path, name: &str) {
    let text = fs::read_to_string(file).unwrap();
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("hooks").join(name);
    let generic = text.replace(&Env::binary().display().to_string(), "/usr/local/bin/zerto-guard");
    if std::env::var_os("ZERTO_GUARD_UPDATE_GOLDEN").is_some() && !name.ends_with(".js") {
        fs::create_dir_all(golden.parent().unwrap()).unwrap();
        fs::write(&golden, &generic).unwrap();
    }
    let golden = fs::read_to_string(&golden).unwrap_or_default();
    // OpenCode's plugin is written by hand there; the installed one says so in its first line.
    let generic = if name.ends_with(".js") { generic.split_once('\n').unwrap().1.to_owned() } else { generic };
    assert_eq!(without_underscores(&golden), generic, "{name}");
}

fn without_underscores(text: &str) -> String {
    text.replace("180_000", "180000")
}

#[test]
fn each_host_and_scope_comes_and_goes() {
    for (host, user, project, golden) in PLACES {
        for scope in ["user", "project"] {
            let env = Env::new();
            let name = host.name();
            let file = if scope == "user" { env.home().join(user) } else { env.project().join(project) };
            let before = tree(&env.path(""));
            let dry = done(&env, &["install", name, "--scope", scope, "--dry-run"]);
            assert_eq!(
                (&dry["changed"], &dry["would_change"], &dry["host"]),
                (&json!(false), &json!(true), &json!(name))
            );
            assert_eq!(tree(&env.path("")), before, "{name}: a dry run makes nothing");
            let put = done(&env, &["install", name, "--scope", scope]);
            assert_eq!((&put["file"], &put["changed"], &put["scope"]), (&json!(file), &json!(true), &json!(scope)));
            is_golden(&file, golden);
            if *host == Host::Cline {
                is_golden(&file.with_file_name("PostToolUse"), "cline/PostToolUse");
            }
            let mode = file.metadata().unwrap().permissions().mode() & 0o777;
            let expected = match (scope, kind(*host) == Kind::Script) {
                ("user", false) => 0o600,
                ("user", true) => 0o700,
                (_, false) => 0o644,
                (_, true) => 0o755,
            };
            assert_eq!(mode, expected, "{name} {scope}");
            let with = tree(&env.path(""));
            assert_eq!(done(&env, &["install", name, "--scope", scope])["changed"], false, "{name}: a second time");
            assert_eq!(tree(&env.path("")), with);
            let dry = done(&env, &["uninstall", name, "--scope", scope, "--dry-run"]);
            assert_eq!((&dry["would_change"], tree(&env.path(""))), (&json!(true), with));
            assert_eq!(done(&env, &["uninstall", name, "--scope", scope])["changed"], true);
            assert_eq!(tree(&env.path("")), before, "{name} {scope}: all that install made is gone, folders too");
            assert_eq!(done(&env, &["uninstall", name, "--scope", scope])["changed"], false);
        }
    }
}

#[test]
fn what_is_left_to_do_by_hand_is_said() {
    let env = Env::new();
    for (host, part) in [
        ("codex", "TO DO: start codex, type /hooks and trust"),
        ("gemini-cli", "Gemini itself takes death by a signal for success"),
        ("copilot-cli", "VS Code's agent reads this file too"),
        ("vscode", "Copilot CLI reads this file too"),
        ("cursor", "preToolUse is listed"),
        ("windsurf", "half a minute"),
        ("kiro", "Kiro CLI 2 and Amazon Q"),
        ("cline", "TO DO: switch hooks on"),
        ("opencode", "Restart OpenCode"),
        ("droid", "held up past its time limit"),
        ("qwen", "disableAllHooks"),
    ] {
        let ran = env.run(&["install", host, "--dry-run"]);
        assert!(ran.code == Some(0) && ran.stdout.contains(part), "{host}: {}", ran.stdout);
    }
    let ran = env.run(&["install", "copilot-cli", "--scope", "project", "--dry-run"]);
    assert!(ran.stdout.contains("cloud agent reads it as well"), "{}", ran.stdout);
    // Where a host has no such place, nothing is made up.
    for host in ["vscode", "kiro", "cline", "opencode", "droid"] {
        let ran = env.run(&["install", host, "--scope", "managed"]);
        assert!(
            ran.code == Some(5) && ran.stderr.contains("there is no --scope managed for"),
            "{host}: {}",
            ran.stderr
        );
    }
    let ran = env.run(&["install", "emacs"]);
    assert!(ran.code == Some(64) && ran.stderr.contains("opencode"), "{}", ran.stderr);
}

/// The command lines at the events before a call.
fn commands(host: Host, file: &Path) -> Vec<String> {
    let settings: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let recipe = recipe(host);
    let field = recipe.fields.command;
    let mut commands = Vec::new();
    for event in recipe.at(zerto_guard::install::When::Before) {
        let hooks = &settings["hooks"];
        let list = if hooks.is_array() { hooks } else { &hooks[event.name] };
        for element in list.as_array().unwrap() {
            let named = element["trigger"].as_str().is_none_or(|trigger| trigger == event.name);
            let handler = match kind(host) {
                Kind::Grouped => &element["hooks"][0],
                Kind::Listed => &element["action"],
                _ => element,
            };
            commands.extend(handler[field].as_str().filter(|_| named).map(str::to_owned));
        }
    }
    assert!(!commands.is_empty());
    commands
}

fn start(env: &Env, program: &str, arguments: &[&str], stdin: &str) -> Ran {
    let mut command = Command::new(program);
    command.args(arguments).env_clear().env("HOME", env.home()).env("PATH", "/usr/bin:/bin").current_dir(env.project());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), stdin.as_bytes());
    child.wait_with_output().unwrap().into()
}

/// A call that only reads, and the same with a change of a guest that nothing protects, as the host's documents give them.
fn calls(env: &Env, host: Host) -> (String, String) {
    let reading = (recipe(host).sample)(&env.project().display().to_string()).to_string();
    let change = reading.replace("\"pwd\"", "\"ssh web01 systemctl restart nginx\"");
    assert_ne!(reading, change);
    (reading, change)
}

/// Programs in the guard's place: gone, killed, crashed, and one that says nothing of any use.
fn broken(env: &Env) -> Vec<PathBuf> {
    let script = |name: &str, text: &str| {
        let file = env.path(name);
        env.write(&file, &format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        file
    };
    vec![
        PathBuf::from("/no/such/zerto-guard"),
        script("killed", "kill -9 $$"),
        script("crashed", "kill -SEGV $$"),
        script("failed", "exit 1"),
        script("usage", "exit 64"),
    ]
}

#[test]
fn the_written_command_stops_and_passes_calls() {
    for (host, user, _, _) in PLACES {
        let env = Env::new();
        done(&env, &["install", host.name()]);
        if kind(*host) == Kind::Script {
            continue;
        }
        let (reading, change) = calls(&env, *host);
        for text in commands(*host, &env.home().join(user)) {
            let run = |text: &str, stdin: &str| start(&env, "/bin/sh", &["-c", text], stdin);
            run(&text, &change).denied("web01");
            run(&text, "no JSON").denied("JSON");
            let passed = run(&text, &reading);
            assert_eq!((passed.code, passed.stderr.as_str()), (Some(0), ""), "{}: {}", host.name(), passed.stdout);
            for program in broken(&env) {
                let text = text.replace(&Env::binary().display().to_string(), &program.display().to_string());
                let ran = run(&text, &reading);
                assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}: {text}", host.name());
            }
        }
    }
}

/// What Codex CLI and Gemini CLI really sent.
#[test]
fn the_written_command_stops_what_was_recorded() {
    for (host, file, recorded) in [
        (Host::Codex, ".codex/hooks.json", "codex-0.171.0/bash-ssh-restart.bypassPermissions.json"),
        (Host::GeminiCli, ".gemini/settings.json", "gemini-cli-0.61.0/shell-ssh-restart.json"),
    ] {
        let env = Env::new();
        done(&env, &["install", host.name()]);
        let input = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/hook-stdin").join(recorded);
        let text = &commands(host, &env.home().join(file))[0];
        let ran = start(&env, "/bin/sh", &["-c", text], &fs::read_to_string(input).unwrap());
        assert!(ran.code == Some(2) && ran.stdout.is_empty() && ran.stderr.contains("stopped"), "{}", ran.stderr);
    }
}

/// Cline goes by the answer alone.
#[test]
fn clines_program_answers_whatever_becomes_of_the_guard() {
    let env = Env::new();
    done(&env, &["install", "cline"]);
    let file = env.home().join("Documents/Cline/Hooks/PreToolUse");
    let (reading, change) = calls(&env, Host::Cline);
    let cancels = |stdin: &str| {
        let ran = start(&env, file.to_str().unwrap(), &[], stdin);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        (ran.json()["cancel"].as_bool().unwrap(), ran.json()["errorMessage"].as_str().unwrap_or_default().to_owned())
    };
    assert!(!cancels(&reading).0);
    let (cancelled, why) = cancels(&change);
    assert!(cancelled && why.contains("web01"), "{why}");
    assert!(cancels("no JSON").0);
    let good = fs::read_to_string(&file).unwrap();
    for program in broken(&env) {
        fs::write(&file, good.replace(&Env::binary().display().to_string(), &program.display().to_string())).unwrap();
        let (cancelled, why) = cancels(&reading);
        assert!(cancelled && why.contains("zerto-guard doctor"), "{}: {why}", program.display());
    }
    let after = env.home().join("Documents/Cline/Hooks/PostToolUse");
    // Somebody else's after a call keeps nobody from being guarded, and stays.
    env.write(&after, "#!/bin/sh\necho theirs\n");
    let put = done(&env, &["install", "cline"]);
    assert!(put["notes"].to_string().contains("How calls end is not noted"), "{put}");
    assert_eq!(put["entry"]["args"][0], "hook");
    assert_eq!(fs::read_to_string(&after).unwrap(), "#!/bin/sh\necho theirs\n");
    fs::remove_file(&after).unwrap();
    done(&env, &["install", "cline"]);
    let ran = start(&env, after.to_str().unwrap(), &[], "no JSON");
    assert_eq!((ran.code, ran.json()), (Some(0), json!({"cancel": false})), "a call that has run is over");
}

/// The plugin as OpenCode loads it: an ES module, of which the hooks are called.
#[test]
fn opencodes_plugin_throws_unless_the_guard_passed_the_call() {
    if Command::new("node").arg("--version").output().is_err() {
        skip("no node here");
        return;
    }
    let env = Env::new();
    done(&env, &["install", "opencode"]);
    let plugin = env.home().join(".config/opencode/plugins/zerto-guard.js");
    let module = env.path("plugin.mjs");
    let call = |command: &str| {
        let text = format!(
            "import {{ ZertoGuard }} from '{}';\nconst hooks = await ZertoGuard({{ directory: '{}' }});\n\
             const input = {{ tool: 'bash', sessionID: 's', callID: 'c' }};\n\
             await hooks['tool.execute.before'](input, {{ args: {{ command: '{command}' }} }});\n\
             console.log('ran');\n",
            module.display(),
            env.project().display()
        );
        env.write(&env.path("drive.mjs"), &text);
        start(&env, "node", &[env.path("drive.mjs").to_str().unwrap()], "")
    };
    let good = fs::read_to_string(&plugin).unwrap();
    fs::write(&module, &good).unwrap();
    let ran = call("pwd");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "ran\n"), "{}", ran.stderr);
    let ran = call("ssh web01 systemctl restart nginx");
    assert!(ran.code == Some(1) && ran.stdout.is_empty() && ran.stderr.contains("zerto-guard: "), "{}", ran.stderr);
    for program in broken(&env) {
        fs::write(&module, good.replace(&Env::binary().display().to_string(), &program.display().to_string())).unwrap();
        let ran = call("pwd");
        assert!(ran.code == Some(1) && ran.stdout.is_empty(), "{}: {}", program.display(), ran.stderr);
        assert!(ran.stderr.contains("zerto-guard: stopped this call: "), "{}", ran.stderr);
    }
}

/// Files as people and programs leave them.
#[test]
fn other_peoples_settings_come_back_byte_for_byte() {
    let plain = ["{}", "{\r\n  \"description\": [1,2 , 3]\r\n}\r\n", "{\n\t\"description\": \"x\"\n}"];
    let odd = ["\u{feff}{\n  // mine\n  \"a\": 1, // b\n}\n", "/* c */ {\"a\": {\"b\": [],},}"];
    for (host, user, _, _) in PLACES.iter().filter(|(host, ..)| kind(*host) != Kind::Script) {
        for text in plain.iter().chain(&odd) {
            let env = Env::new();
            let file = env.home().join(user);
            env.write(&file, text);
            fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
            if recipe(*host).strict && odd.contains(text) {
                let ran = env.run(&["install", host.name()]);
                assert!(ran.code == Some(1) && fs::read_to_string(&file).unwrap() == *text, "{}", ran.stderr);
                continue;
            }
            assert_eq!(done(&env, &["install", host.name()])["changed"], true);
            assert_ne!(fs::read_to_string(&file).unwrap(), *text);
            assert_eq!(done(&env, &["install", host.name()])["changed"], false);
            assert_eq!(done(&env, &["uninstall", host.name()])["changed"], true);
            assert_eq!(fs::read_to_string(&file).unwrap(), *text, "{}", host.name());
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        }
    }
}

#[test]
fn what_cannot_be_read_is_refused_and_left_alone() {
    for (host, user, _, _) in PLACES {
        for text in ["", "{", "[]", "{\"hooks\": 5}", "{\"a\": 1} x", "#!/bin/sh\necho theirs\n"] {
            let env = Env::new();
            let file = env.home().join(user);
            env.write(&file, text);
            let ran = env.run(&["install", host.name(), "--json"]);
            assert_eq!(ran.code, Some(1), "{} {text:?}: {}", host.name(), ran.stdout);
            let error = ran.json()["error"].as_str().unwrap().to_owned();
            assert!(error.contains(file.to_str().unwrap()), "{error}");
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
            let ran = env.run(&["uninstall", host.name()]);
            assert!(ran.code == Some(i32::from(kind(*host) != Kind::Script)), "{}", ran.stdout);
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
    }
    // One that Droid may read in its place.
    let env = Env::new();
    env.write(&env.home().join(".factory/hooks.json"), "{}");
    let ran = env.run(&["install", "droid"]);
    assert!(ran.code == Some(5) && ran.stderr.contains("Move the hooks of hooks.json"), "{}", ran.stderr);
    assert!(!env.home().join(".factory/settings.json").exists());
}

#[test]
fn a_link_stays_a_link() {
    for (host, user, _, _) in PLACES.iter().filter(|(host, ..)| kind(*host) != Kind::Script) {
        let env = Env::new();
        let (real, file) = (env.path("dotfiles/settings.json"), env.home().join(user));
        env.write(&real, "{\"description\": 1}");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        symlink(&real, &file).unwrap();
        done(&env, &["install", host.name()]);
        assert!(file.is_symlink() && fs::read_to_string(&real).unwrap().contains("zerto-guard"));
        done(&env, &["uninstall", host.name()]);
        assert!(file.is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "{\"description\": 1}", "{}", host.name());
    }
}

/// Copilot CLI and VS Code read the same file: one entry for both, that takes the words of either.
#[test]
fn hosts_that_share_a_file_share_the_entry() {
    let env = Env::new();
    let file = env.home().join(".copilot/hooks/zerto-guard.json");
    done(&env, &["install", "copilot-cli"]);
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(done(&env, &["install", "vscode"])["changed"], false);
    let command = &commands(Host::VsCode, &file)[0];
    assert!(!command.contains("--host "), "{command}");
    for host in [Host::CopilotCli, Host::VsCode] {
        let (reading, change) = calls(&env, host);
        start(&env, "/bin/sh", &["-c", command], &change).denied("web01");
        assert_eq!(start(&env, "/bin/sh", &["-c", command], &reading).code, Some(0), "{}", host.name());
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    let notes = done(&env, &["uninstall", "vscode"])["notes"].to_string();
    assert!(notes.contains("Nor is Copilot CLI"), "{notes}");
    // An entry of Claude Code's, which VS Code reads as well, takes VS Code's words too.
    let path = crate::install_command::claude(&env, "echo 2.1.197");
    let ran: Ran = env.command(&["install", "claude-code"]).env("PATH", path).output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let settings: Value =
        serde_json::from_str(&fs::read_to_string(env.home().join(".claude/settings.json")).unwrap()).unwrap();
    let command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
    let (reading, change) = calls(&env, Host::VsCode);
    start(&env, "/bin/sh", &["-c", command], &change).denied("web01");
    assert_eq!(start(&env, "/bin/sh", &["-c", command], &reading).code, Some(0));
}

#[test]
fn variables_move_the_files() {
    let env = Env::new();
    for (host, variable, below) in [
        ("codex", "CODEX_HOME", "hooks.json"),
        ("copilot-cli", "COPILOT_HOME", "hooks/zerto-guard.json"),
        ("opencode", "XDG_CONFIG_HOME", "opencode/plugins/zerto-guard.js"),
    ] {
        let moved = env.path("moved").join(host);
        let run = |command: &str| -> Value {
            let ran: Ran = env.command(&[command, host, "--json"]).env(variable, &moved).output().unwrap().into();
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            ran.json()
        };
        assert_eq!(run("install")["file"], json!(moved.join(below)));
        assert!(moved.join(below).exists());
        run("uninstall");
        // The guard's own config moves with XDG_CONFIG_HOME.
        let made = if host == "opencode" { moved.join("opencode") } else { moved };
        assert!(!made.exists(), "{host}");
    }
}

/// As root of a namespace of its own, whose /etc holds nothing else.
#[test]
fn the_managed_settings_of_codex() {
    use crate::managed::with_etc;
    let env = Env::new();
    let file = env.path("etc/codex/requirements.toml");
    let managed = ["codex", "--scope", "managed", "--json"];
    let Some(ran) = with_etc(&env, &[], &[&["install"], &managed[..]].concat(), "") else {
        skip("no mount namespace can be made here");
        return;
    };
    assert_eq!(ran.json()["file"], "/etc/codex/requirements.toml", "{}", ran.stderr);
    is_golden(&file, "codex/requirements.toml");
    let ran = with_etc(&env, &[], &["doctor", "--json"], "").unwrap();
    assert!(
        ran.stdout.contains("\"hook codex managed\"") && ran.stdout.contains("the entry was run"),
        "{}",
        ran.stdout
    );
    with_etc(&env, &[], &[&["uninstall"], &managed[..]].concat(), "").unwrap();
    assert!(!file.exists() && !env.path("etc/codex").exists());
    let theirs = "allow_managed_hooks_only = true\r\n# ours";
    env.write(&file, theirs);
    with_etc(&env, &[], &[&["install"], &managed[..]].concat(), "").unwrap();
    assert_ne!(fs::read_to_string(&file).unwrap(), theirs);
    with_etc(&env, &[], &[&["uninstall"], &managed[..]].concat(), "").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), theirs);
}

fn checks(env: &Env) -> Vec<Value> {
    let ran = env.run(&["doctor", "--json"]);
    let Value::Array(checks) = ran.json() else { panic!("{}", ran.stdout) };
    checks
}

#[track_caller]
fn has(checks: &[Value], check: &str, status: &str, part: &str) {
    let found = checks.iter().any(|seen| {
        seen["check"] == check
            && seen["status"] == status
            && format!("{} {}", seen["text"], seen["remedy"]).contains(part)
    });
    assert!(found, "no {status} of {check} with `{part}` in {checks:#?}");
}

#[test]
fn doctor_knows_each_host() {
    for (host, user, _, _) in PLACES {
        let env = Env::new().config("");
        let (name, file) = (host.name(), env.home().join(user));
        // The host is in use here, and not guarded; VS Code's folder is Copilot's.
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let shown = if *host == Host::VsCode { "copilot-cli" } else { name };
        has(&checks(&env), &format!("hook {shown}"), "warning", "what it does is not guarded");
        done(&env, &["install", name]);
        if *host == Host::Codex {
            trust(&env, &file);
        }
        let seen = checks(&env);
        let check = format!("hook {shown} user");
        has(&seen, &check, "ok", "for every tool");
        has(&seen, &check, "ok", "the entry was run");
        let bad: Vec<_> = seen
            .iter()
            .filter(|seen| seen["status"] != "ok" && !["config", "hosts"].contains(&seen["check"].as_str().unwrap()))
            .collect();
        assert!(bad.is_empty(), "{name}: {bad:#?}");
        let good = fs::read_to_string(&file).unwrap();
        let edit = |from: &str, to: &str| {
            assert!(good.contains(from), "{good}");
            fs::write(&file, good.replacen(from, to, 1)).unwrap();
            checks(&env)
        };
        let binary = Env::binary().display().to_string();
        has(&edit(&binary, "/no/such/zerto-guard"), &check, "fault", "can't be started");
        if kind(*host) == Kind::Script {
            let (from, to) =
                if *host == Host::Cline { ("\"cancel\":true", "\"cancel\":false") } else { ("=> reject", "=> void") };
            has(&edit(from, to), &check, "fault", "changed since `install` wrote it");
            fs::write(&file, &good).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
            if *host == Host::Cline {
                has(&checks(&env), &check, "fault", "can't be executed");
            }
            continue;
        }
        if *host == Host::GeminiCli {
            let off = edit("{", "{\"hooksConfig\": {\"enabled\": false},");
            has(&off, "hook gemini-cli", "fault", "`hooksConfig.enabled` is false");
            let command = commands(*host, &file)[0].clone();
            let list = format!("{{\"hooksConfig\": {{\"disabled\": [{}]}},", json!(command));
            has(&edit("{", &list), "hook gemini-cli", "fault", "lists it");
        }
        has(&edit(" || exit 2", ""), &check, "fault", "without `|| exit 2`");
        has(&edit("{", "{,"), "settings", "fault", "line 1");
        if matches!(recipe(*host).waits, zerto_guard::install::Waits::AsSet(_)) {
            has(&edit("--host-timeout 180s", "--host-timeout 9000s"), &check, "fault", "but the hook was told 9000 s");
        }
        if recipe(*host).says_host {
            has(&edit(&format!("--host {name}"), "--host claude-code"), &check, "fault", "which is not so");
        }
        if *host == Host::Cursor {
            has(&edit("\"failClosed\": true", "\"failClosed\": false"), &check, "fault", "failClosed");
        }
        if *host == Host::Windsurf {
            has(&edit("\"pre_mcp_tool_use\"", "\"pre_nothing\""), &check, "fault", "no entry at pre_mcp_tool_use");
        }
    }
}

/// Writes what Codex writes when a person trusts its hooks.
fn trust(env: &Env, file: &Path) {
    use sha2::{Digest as _, Sha256};
    let settings: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let mut text = String::new();
    for (event, label) in [("PreToolUse", "pre_tool_use"), ("PostToolUse", "post_tool_use")] {
        let mut handler = settings["hooks"][event][0]["hooks"][0].clone();
        handler["async"] = false.into();
        let identity = json!({"event_name": label, "hooks": [handler], "matcher": "*"}).to_string();
        let digest: String = Sha256::digest(identity).iter().map(|byte| format!("{byte:02x}")).collect();
        text += &format!("[hooks.state.\"{}:{label}:0:0\"]\ntrusted_hash = \"sha256:{digest}\"\n", file.display());
    }
    env.write(&env.home().join(".codex/config.toml"), &text);
}

#[test]
fn doctor_tells_whether_codex_trusts_the_entry() {
    let env = Env::new().config("");
    let file = env.home().join(".codex/hooks.json");
    done(&env, &["install", "codex"]);
    has(&checks(&env), "hook codex user", "fault", "nobody has trusted it yet");
    has(&checks(&env), "hook codex user", "fault", "type /hooks");
    trust(&env, &file);
    has(&checks(&env), "hook codex user", "ok", "for every tool");
    let config = env.home().join(".codex/config.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replacen("trusted_hash", "enabled = false\ntrusted_hash", 1)).unwrap();
    has(&checks(&env), "hook codex user", "fault", "switched off");
    fs::write(&config, format!("[features]\nhooks = false\n{text}")).unwrap();
    has(&checks(&env), "hook codex user", "fault", "runs no hook");
    fs::write(&config, &text).unwrap();
    let good = fs::read_to_string(&file).unwrap();
    fs::write(&file, good.replacen("\"timeout\": 180", "\"timeout\": 181", 1)).unwrap();
    has(&checks(&env), "hook codex user", "fault", "another one than was trusted");
}

/// The plugin's hooks are those that `install` writes for a version that nobody knows, with the program found by name.
#[test]
fn the_claude_code_plugin() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("hooks/claude-code-plugin");
    let read = |name: &str| -> Value { serde_json::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap() };
    assert_eq!(read(".claude-plugin/plugin.json")["version"], env!("CARGO_PKG_VERSION"));
    let env = Env::new();
    done(&env, &["install", "claude-code"]);
    let binary = Env::binary().display().to_string();
    let text = fs::read_to_string(env.home().join(".claude/settings.json")).unwrap();
    let path = "PATH=\\\"$HOME/.local/bin:$HOME/.cargo/bin:/usr/local/bin:/usr/bin:/bin\\\"; zerto-guard";
    let installed: Value = serde_json::from_str(&text.replace(&binary, path)).unwrap();
    assert_eq!(read("hooks/hooks.json")["hooks"], installed["hooks"]);
    // The program is found where a user has it, not where a project's PATH says; without one every call is stopped.
    let command = installed["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
    let reading = env.call("Read", json!({"file_path": "/etc/hostname"}));
    assert_eq!(start(&env, "/bin/sh", &["-c", command], &reading).code, Some(2));
    fs::create_dir_all(env.home().join(".local/bin")).unwrap();
    symlink(Env::binary(), env.home().join(".local/bin/zerto-guard")).unwrap();
    start(&env, "/bin/sh", &["-c", command], &reading).passed_silently();
    start(&env, "/bin/sh", &["-c", command], "no JSON").denied("JSON");
    let skill = fs::read_to_string(folder.join("skills/zerto-rewind/SKILL.md")).unwrap();
    let head = skill.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap().0;
    assert!(head.starts_with("name: zerto-rewind\ndescription: ") && head.len() < 1024, "{head}");
    // The host's own validator, where it is: it asks for no login.
    match Command::new("claude").args(["plugin", "validate", "--strict"]).arg(&folder).env("HOME", env.home()).output()
    {
        Ok(ran) => assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout)),
        Err(_) => eprintln!("no `claude` on PATH: its validator was not run"),
    }
}
