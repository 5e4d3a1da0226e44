//! `doctor` through the real binary: nothing but ok where the guard is on, and each thing that keeps it from being.

use crate::env::{Env, Ran};
use crate::guard_story::{demo, home, home_with};
use crate::install_command::{claude, settings, with_version};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::time::{Duration, Instant};
use zvm_sim::{Fault, Sim, Step, Times};

const NEW: &str = "2.1.332";

/// A home with a ZVM and the hook, as the README sets it up.
fn set_up(sim: &Sim, more: &str) -> Env {
    let env = home_with(sim, more);
    let ran = with_version(&env, &["install", "claude-code"], NEW);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    env
}

struct Seen(Vec<Value>);

impl Seen {
    fn of(env: &Env) -> Self {
        Self::with(env, NEW)
    }

    fn with(env: &Env, version: &str) -> Self {
        let ran = with_version(env, &["doctor", "--json"], version);
        Self::read(&ran)
    }

    fn read(ran: &Ran) -> Self {
        let Value::Array(checks) = ran.json() else { panic!("{}", ran.stdout) };
        let faults = checks.iter().any(|check| check["status"] == "fault");
        assert_eq!(ran.code, Some(i32::from(faults)), "{}{}", ran.stdout, ran.stderr);
        for check in &checks {
            assert_eq!(check["remedy"].is_null(), check["status"] == "ok", "a remedy where one is needed: {check}");
        }
        Self(checks)
    }

    /// There is a check of this kind, and its text and remedy say so; returned is all that is not ok.
    #[track_caller]
    fn has(&self, check: &str, status: &str, part: &str) -> &Self {
        let found = self.0.iter().any(|seen| {
            let said = format!("{} {}", seen["text"], seen["remedy"]);
            seen["check"] == check && seen["status"] == status && said.contains(part)
        });
        assert!(found, "no {status} of {check} with `{part}` in {:#?}", self.0);
        self
    }

    /// No check of this kind says so.
    #[track_caller]
    fn has_no(&self, check: &str, part: &str) {
        let found = self.0.iter().find(|seen| seen["check"] == check && seen["text"].to_string().contains(part));
        assert!(found.is_none(), "{found:#?}");
    }

    #[track_caller]
    fn is_all_ok(&self) -> &Self {
        let bad: Vec<_> = self.0.iter().filter(|seen| seen["status"] != "ok").collect();
        assert!(bad.is_empty(), "{bad:#?}");
        self
    }

    /// This is the only thing that is not ok.
    #[track_caller]
    fn is_only(&self, check: &str, status: &str, part: &str) {
        self.has(check, status, part);
        let bad: Vec<_> = self.0.iter().filter(|seen| seen["status"] != "ok").collect();
        assert_eq!(bad.len(), 1, "{bad:#?}");
    }
}

#[test]
fn nothing_but_ok_where_the_guard_is_on() {
    let sim = demo().start();
    let env = set_up(&sim, "[hosts]\n\"web01.corp.example\" = \"web01\"\n");
    let seen = Seen::of(&env);
    seen.is_all_ok();
    for (check, part) in [
        ("config", "config.toml: can be read"),
        ("catalog", "the built-in one"),
        ("state", "state/zerto-guard"),
        (
            &format!("zvm {}", seen.0[3]["check"].as_str().unwrap().trim_start_matches("zvm ")),
            "the pinned one, the login works; site ",
        ),
        ("hosts", "1 name of the config"),
        ("claude-code", "version 2.1.332"),
        ("hook user", "for every tool, started without a shell, time limit 180 s"),
        ("hook user", "the entry was run"),
        ("answers", "sessions that they open are known"),
    ] {
        seen.has(check, "ok", part);
    }
    assert!(sim.all_tags().is_empty(), "nothing was inserted");
    let ran = with_version(&env, &["doctor"], NEW);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.ends_with("\nThe guard is on.\n"), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("ok       config "), "{}", ran.stdout);
}

#[test]
fn on_a_fresh_home_it_says_what_is_missing() {
    let env = Env::new();
    let seen = Seen::read(&env.run(&["doctor", "--json"]));
    seen.has("config", "fault", "there is no config").has("config", "fault", "zerto-guard trust");
    seen.has("hook", "fault", "no call is guarded").has("hook", "fault", "zerto-guard install claude-code");
    seen.has("state", "ok", "can be made").has("claude-code", "warning", "no `claude` was found");
    assert!(!env.state_dir().exists(), "nothing is made");
    let ran = env.run(&["doctor"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("fault    config       there is no config"), "{}", ran.stdout);
    assert!(ran.stdout.contains("2 faults, 1 warning."), "{}", ran.stdout);
}

#[test]
fn config_catalog_and_state() {
    let sim = demo().start();
    let env = set_up(&sim, "");
    let config = env.config_dir().join("config.toml");
    let good = fs::read_to_string(&config).unwrap();
    let again = |text: &str| env.write(&config, text);
    fs::set_permissions(&config, fs::Permissions::from_mode(0o666)).unwrap();
    Seen::of(&env).has("config", "fault", "chmod go-w").has("hook user", "fault", "does not pass in silence");
    again("[[zvm]\n");
    Seen::of(&env).has("config", "fault", "line 1");
    again(&good.replace("[[zvm]]", "[[zvm]]\nguards = false"));
    Seen::of(&env).is_only("config", "fault", "guards = false");
    again(&format!("{good}[guard]\nmode = 'observe'\n"));
    Seen::of(&env).is_only("mode", "warning", "no change is stopped");
    let unchecked: String =
        good.lines().filter(|line| !line.starts_with("tls_pin")).map(|line| format!("{line}\n")).collect();
    again(&format!("{unchecked}insecure_skip_verify = true\n"));
    let seen = Seen::of(&env);
    assert!(seen.0.iter().any(|check| check["text"].to_string().contains("NOT checked")), "{:#?}", seen.0);
    again(&good);
    env.write(&env.config_dir().join("catalog.toml"), "[server.x]\nmutatin = []\n");
    Seen::of(&env).has("catalog", "fault", "line 2").has("hook user", "fault", "catalog.toml");
    fs::remove_file(env.config_dir().join("catalog.toml")).unwrap();
    env.write(&env.project().join(".zerto-guard/catalog.toml"), "[server.x\n");
    Seen::of(&env).has("catalog", "fault", "in this project");
    fs::remove_dir_all(env.project().join(".zerto-guard")).unwrap();
    let now = jiff::Timestamp::now();
    let pause = zerto_guard::state::pause::Pause {
        from: now,
        until: now + jiff::SignedDuration::from_hours(1),
        reason: "moving".into(),
    };
    let state = zerto_guard::state::StateDir::at(env.state_dir());
    pause.begin(&state).unwrap();
    Seen::of(&env).is_only("pause", "warning", "(moving)");
    zerto_guard::state::pause::Pause::end(&state).unwrap();
    fs::set_permissions(env.state_dir(), fs::Permissions::from_mode(0o755)).unwrap();
    Seen::of(&env).is_only("state", "fault", "chmod 700");
    fs::remove_dir_all(env.state_dir()).unwrap();
    fs::write(env.state_dir(), "").unwrap();
    Seen::of(&env).is_only("state", "fault", "not a folder");
}

#[test]
fn each_fault_of_a_zvm_is_named() {
    let sim = demo().start();
    let env = set_up(&sim, "[hosts]\n\"web01.corp.example\" = \"web01\"\n");
    let config = env.config_dir().join("config.toml");
    let good = fs::read_to_string(&config).unwrap();
    let zvm = Seen::of(&env)
        .0
        .iter()
        .find_map(|check| check["check"].as_str().filter(|c| c.starts_with("zvm ")).map(str::to_owned))
        .unwrap();
    let fresh = |text: &str| {
        let _ = fs::remove_dir_all(env.state_dir());
        env.write(&config, text);
    };
    fresh(&good.replace(sim.url(), &Sim::refused_url()));
    let start = Instant::now();
    Seen::of(&env).has(&zvm, "fault", "127.0.0.1").has("hosts", "warning", "not looked up");
    assert!(start.elapsed() < Duration::from_secs(25), "{:?}", start.elapsed());
    fresh(&good.replace(&sim.pin(), &format!("sha256:{}", ["AA"; 32].join(":"))));
    Seen::of(&env).has(&zvm, "fault", "zerto-guard trust");
    fresh(&good.replace(&format!("username = \"{}\"", sim.username()), "username = \"nobody\""));
    Seen::of(&env).has(&zvm, "fault", "login");
    fresh(&good);
    sim.fault(Step::LocalSite, Fault::Hang, Times::Next(10));
    let start = Instant::now();
    Seen::of(&env).has(&zvm, "fault", "site");
    assert!(start.elapsed() < Duration::from_secs(25), "{:?}", start.elapsed());
    let late = demo().clock_offset_ms(-90_000).start();
    fresh(&late.config_toml());
    let seen = Seen::of(&env);
    let clock = zvm.replace("zvm ", "clock ");
    seen.has(&clock, "warning", "behind this machine's");
}

#[test]
fn sessions_that_hold_a_mount_are_told_and_those_that_are_over_are_not() {
    let sim = demo().start();
    let env = set_up(&sim, "");
    let session = |id: &str, status: &str| zvm_sim::FlrSession {
        identifier: id.into(),
        vm_identifier: "guid.vm-1".into(),
        vpg_identifier: "v".into(),
        checkpoint: "38".into(),
        status: status.into(),
        mounted_ms: 1_800_000_000_000,
    };
    sim.with_state(|state| state.flr_sessions.push(session("over", "MountFailed")));
    Seen::of(&env).has("sessions sim", "ok", "no FLR session");
    sim.with_state(|state| {
        state.flr_sessions.push(session("held", "MountCompletedSuccessfully"));
        state.flr_sessions.push(session("odd", "SomethingNew"));
    });
    let seen = Seen::of(&env);
    for part in ["held of VM guid.vm-1 (MountCompletedSuccessfully, since 2027-01-15", "odd of VM"] {
        seen.has("sessions sim", "warning", part);
    }
    seen.has_no("sessions sim", "over of VM");
}

#[test]
fn names_that_lead_nowhere_or_to_what_cannot_be_tagged() {
    let sim = demo().start();
    let env = set_up(&sim, "[hosts]\nold = \"gone\"\n[mounts]\n\"/mnt/web01\" = \"web01\"\n");
    Seen::of(&env).is_only("hosts", "fault", "old = gone of [hosts]");
    let env = set_up(&sim, "[mounts]\n\"/mnt/web01\" = \"web01\"\n[guard]\nthis_vm = \"web01\"\n");
    Seen::of(&env).is_all_ok();
    for vpg in ["web01-local", "web01-dr"] {
        assert!(sim.set_vpg_status(vpg, 2, 13));
    }
    Seen::of(&env).is_only("hosts", "warning", "web01 of ");
}

#[test]
fn the_entry_and_the_version_tell_which_holes_remain() {
    let sim = demo().start();
    let env = set_up(&sim, "");
    Seen::with(&env, "2.1.197").is_only("hook user", "fault", "ignores onFailure");
    with_version(&env, &["install", "claude-code"], "2.1.197");
    Seen::with(&env, "2.1.197").is_only("hook user", "warning", "Update Claude Code to 2.1.295");
    Seen::of(&env).is_only("hook user", "warning", "heeds a stronger one");
    let ran: Ran = env.command(&["doctor", "--json"]).env("PATH", claude(&env, "echo no")).output().unwrap().into();
    Seen::read(&ran).has("claude-code", "warning", "told no version").has("hook user", "warning", "before 2.1.295");
    with_version(&env, &["install", "claude-code"], NEW);
    let good = fs::read_to_string(settings(&env)).unwrap();
    let edit = |from: &str, to: &str| {
        assert!(good.contains(from), "{good}");
        // The entry before a call stands first.
        env.write(&settings(&env), &good.replacen(from, to, 1));
        Seen::of(&env)
    };
    edit("\"matcher\": \"*\"", "\"matcher\": \"Bash\"").is_only("hook user", "fault", "`Bash` only");
    edit("\"onFailure\": \"block\",", "").is_only("hook user", "fault", "without onFailure");
    edit("\"timeout\": 180", "\"timeout\": 60").is_only(
        "hook user",
        "fault",
        "waits 60 s, but the hook was told 180 s",
    );
    edit("\"timeout\": 180", "\"timeout\": \"180\"").has("settings", "fault", "drops a whole file");
    edit("\"--host-timeout\", \"180s\"", "\"--host-timeout\", \"90s\"").is_only("hook user", "warning", "cut to 85 s");
    edit("\"hook\", ", "\"hook\", \"--hst\", ").has("hook user", "fault", "`--hst`");
    let binary = Env::binary().display().to_string();
    edit(&binary, "/no/such/zerto-guard").is_only("hook user", "fault", "can't be started");
    edit("\"hooks\": {", "\"disableAllHooks\": true,\n  \"hooks\": {").is_only("hook", "fault", "disableAllHooks");
    edit("\"hooks\": {", "\"hooks\": [").has("settings", "fault", "line ").has("hook", "fault", "none of the settings");
    edit("\"hooks\": {", "\"env\": {\"LD_PRELOAD\": \"x\", \"A\": \"b\"},\n  \"hooks\": {").is_only(
        "env",
        "warning",
        "sets LD_PRELOAD in",
    );
    let other = "\"PreToolUse\": [\n{\"hooks\": [{\"type\": \"command\", \"command\": \"/opt/rewrite\"}]},";
    edit("\"PreToolUse\": [", other).is_only("other hooks", "warning", "`/opt/rewrite`");
    env.write(&settings(&env), &good);
    fs::set_permissions(settings(&env), fs::Permissions::from_mode(0o666)).unwrap();
    Seen::of(&env).is_only("settings", "warning", "chmod go-w");
    // Shell text that somebody wrote: without the fall-back, and with more than the guard.
    let shell = |command: &str| {
        let after = json!([{"hooks": [{"type": "command", "command": format!("{binary} hook"), "timeout": 30}]}]);
        let before = json!([{"hooks": [{"type": "command", "command": command, "timeout": 600}]}]);
        let text = json!({"hooks": {"PreToolUse": before, "PostToolUse": after, "PostToolUseFailure": after,
            "SessionStart": after}});
        env.write(&settings(&env), &text.to_string());
        Seen::of(&env)
    };
    shell(&format!("{binary} hook")).is_only("hook user", "fault", "without `|| exit 2`");
    let sign = env.path("sign");
    for more in ["& exit 0", "; exit 0", "&& touch SIGN", "> SIGN", "--hst"] {
        shell(&format!("{binary} hook {} || exit 2", more.replace("SIGN", &sign.display().to_string()))).has(
            "hook user",
            "fault",
            "not run",
        );
    }
    for before in ["touch SIGN;", "true ||", "cd /src/zerto-guard && ./lint.sh hook &&"] {
        shell(&format!("{} {binary} hook || exit 2", before.replace("SIGN", &sign.display().to_string())))
            .has("hook", "fault", "none of the settings")
            .has("other hooks", "warning", "is called before a tool too");
    }
    assert!(!sign.exists(), "what is more than the guard is not run");
    shell(&format!("{binary} check || {binary} hook || exit 2")).has("hook", "fault", "no hook's entry");
}

/// With each of these the host does not call the hook, or does not heed it.
#[test]
fn what_switches_the_entry_off_in_silence() {
    let sim = demo().start();
    let env = set_up(&sim, "");
    let good = fs::read_to_string(settings(&env)).unwrap();
    let edit = |from: &str, to: &str| {
        assert!(good.contains(from), "{good}");
        // The entry before a call stands first.
        env.write(&settings(&env), &good.replacen(from, to, 1));
        Seen::of(&env)
    };
    let kind = "\"type\": \"command\",";
    for (more, part) in [
        ("\"async\": true,", "`async` is true"),
        ("\"asyncRewake\": true,", "`asyncRewake` is true"),
        ("\"if\": \"Bash(git *)\",", "`if` is"),
        ("\"once\": true,", "`once` is true"),
        ("\"shell\": \"powershell\",", "`shell` is"),
    ] {
        edit(kind, &format!("{kind}{more}")).is_only("hook user", "fault", part);
    }
    edit(kind, "\"type\": \"prompt\", \"prompt\": \"x\",").has("hook user", "fault", "not \\\"command\\\"");
    edit(kind, "\"type\": \"comand\",").has("settings", "fault", "`comand`").has("hook user", "fault", "its type is");
    edit("\"matcher\": \"*\"", "\"matcher\": 5").has("settings", "fault", "`matcher`").has(
        "hook user",
        "fault",
        "`5` only",
    );
    edit("\"matcher\": \"*\"", "\"matcher\": \"\"").is_all_ok();
    edit("\"statusMessage\": \"zerto-guard: judging this call\"", "\"statusMessage\": 5").is_only(
        "settings",
        "fault",
        "`statusMessage` is no text",
    );
    for (more, part) in [
        ("\"env\": 5", "`env` is no object"),
        ("\"permissions\": 5", "`permissions` is no object"),
        ("\"disableAllHooks\": \"true\"", "`disableAllHooks` is neither"),
    ] {
        edit("\"hooks\": {", &format!("{more},\n  \"hooks\": {{")).is_only("settings", "fault", part);
    }
    for handler in ["{\"type\": \"command\", \"command\": 7}", "{\"type\": \"command\"}"] {
        let other = format!("\"Stop\": [{{\"hooks\": [{handler}]}}],\n\"PreToolUse\": [");
        edit("\"PreToolUse\": [", &other).is_only("settings", "fault", "`command`");
    }
}

/// Settings may be anybody's words: none of them makes `doctor` run another command of ours.
#[test]
fn nothing_of_ours_but_the_hook_is_run() {
    let sim = demo().start();
    let env = set_up(&sim, "");
    let (good, binary) = (fs::read_to_string(settings(&env)).unwrap(), Env::binary().display().to_string());
    let catalog = env.config_dir().join("catalog.toml");
    let project = env.project().join(".claude/settings.json");
    let sign = env.path("sign");
    for file in [settings(&env), project, env.project().join(".claude/settings.local.json")] {
        let kind = if file == settings(&env) { "hook user" } else { "hook project" };
        let look = |mut entry: Value| {
            for (name, value) in [("type", json!("command")), ("timeout", json!(180)), ("onFailure", json!("block"))] {
                entry[name] = value;
            }
            env.write(&file, &json!({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [entry]}]}}).to_string());
            let seen = Seen::of(&env);
            assert!(!catalog.exists(), "{file:?}");
            seen
        };
        for args in [
            &["catalog", "add", "--server", "hook", "--mutating", "x"][..],
            &["answer", "ID", "unguarded", "--catalog", "hook"],
            &["--catalog", "hook", "uninstall", "claude-code"],
            &["pause", "--for", "1h", "--reason", "hook"],
            &[],
        ] {
            look(json!({"command": binary, "args": args})).has("hook", "fault", "no hook's entry");
            let text = format!("{binary} {} || exit 2", args.join(" "));
            look(json!({"command": text})).has("hook", "fault", "no hook's entry");
        }
        for args in [&["hook", "uninstall", "claude-code"][..], &["hook", "hook"], &["hook", "--config", "x"]] {
            let seen = look(json!({"command": binary, "args": args}));
            seen.has(kind, "fault", "it was not run").has_no(kind, "the entry ");
        }
        // Another program, in whatever settings.
        let evil = env.path("zerto-guard");
        env.program(&evil, &format!("#!/bin/sh\ntouch {}\n", sign.display()));
        for entry in [
            json!({"command": evil, "args": ["hook"]}),
            json!({"command": format!("{} hook || exit 2", evil.display())}),
            json!({"command": "zerto-guard", "args": ["hook"]}),
        ] {
            let seen = look(entry);
            seen.has(kind, "warning", "and was not run").has_no(kind, "the entry ");
            assert!(!sign.exists(), "{:#?}", seen.0);
        }
        if file == settings(&env) {
            env.write(&file, &good);
        } else {
            // A project's entry makes no folder of its choice.
            let folder = env.path("state of the project");
            let args = json!(["hook", "--host", "claude-code", "--host-timeout", "180s", "--state-dir", folder]);
            look(json!({"command": binary, "args": args})).has("hook project", "warning", "and was not run");
            assert!(!folder.exists());
            fs::remove_file(&file).unwrap();
        }
    }
    Seen::of(&env).is_all_ok();
}

#[test]
fn places_that_differ_and_hooks_that_stand_twice() {
    let sim = demo().start();
    let env = set_up(&sim, "");
    env.write(&env.path("other.toml"), &sim.config_toml());
    let other = env.path("other.toml");
    let ran = with_version(&env, &["doctor", "--json", "--config", other.to_str().unwrap()], NEW);
    Seen::read(&ran).is_only("hook user", "warning", "other.toml");
    with_version(&env, &["install", "claude-code", "--scope", "project"], NEW);
    Seen::of(&env).is_only("hook", "warning", "installed 2 times");
    env.run(&["uninstall", "claude-code"]);
    Seen::of(&env).is_all_ok().has("hook project", "ok", "the entry was run");
    // A project may name any program: that is shown, and not run.
    let (sign, evil) = (env.path("sign"), env.path("zerto-guard"));
    env.write(&evil, &format!("#!/bin/sh\ntouch {}\n", sign.display()));
    fs::set_permissions(&evil, fs::Permissions::from_mode(0o755)).unwrap();
    let path = env.project().join(".claude/settings.json");
    let text = fs::read_to_string(&path).unwrap();
    env.write(&path, &text.replace(&Env::binary().display().to_string(), &evil.display().to_string()));
    Seen::of(&env).is_only("hook project", "warning", "is not this program, and was not run");
    assert!(!sign.exists());
    let link = env.path("bin/zg");
    symlink(Env::binary(), &link).unwrap();
    env.write(&path, &text.replace(&Env::binary().display().to_string(), &link.display().to_string()));
    Seen::of(&env).has("hook", "fault", "none of the settings");
}

/// An installation of before, or one that somebody changed: nothing runs unguarded for it, but it is told.
#[test]
fn without_the_entry_after_a_call_it_says_what_is_missing() {
    let sim = demo().start();
    let env = set_up(&sim, "");
    let good: Value = serde_json::from_str(&fs::read_to_string(settings(&env)).unwrap()).unwrap();
    let edit = |change: &dyn Fn(&mut Value)| {
        let mut all = good.clone();
        change(&mut all["hooks"]);
        env.write(&settings(&env), &all.to_string());
        Seen::of(&env)
    };
    let missing = edit(&|hooks| drop(hooks.as_object_mut().unwrap().remove("PostToolUse")));
    missing.is_only("answers", "warning", "no entry after a call");
    missing.has("answers", "warning", "zerto-guard install claude-code");
    edit(&|hooks| hooks["PostToolUse"] = json!([])).is_only("answers", "warning", "no entry after a call");
    let matcher = edit(&|hooks| hooks["PostToolUse"][0]["matcher"] = "mcp__winrm".into());
    matcher.is_only("answers", "warning", "`mcp__winrm` only");
    let older = edit(&|hooks| hooks["PostToolUse"][0]["matcher"] = "mcp__.*".into());
    older.is_only("answers", "warning", "`mcp__.*` only");
    for all in ["*", ""] {
        edit(&|hooks| hooks["PostToolUse"][0]["matcher"] = all.into()).is_all_ok();
    }
    let handler = |name: &'static str, value: Value| {
        move |hooks: &mut Value| hooks["PostToolUse"][0]["hooks"][0][name] = value.clone()
    };
    edit(&handler("async", json!(true))).is_only("answers", "warning", "`async` is true");
    let elsewhere = handler("args", json!(["hook", "--host", "claude-code", "--state-dir", "/elsewhere"]));
    edit(&elsewhere).is_only("answers", "warning", "other files than the one before");
    edit(&handler("args", json!(["hook", "--bogus"]))).is_only("answers", "warning", "not written by `install`");
    with_version(&env, &["install", "claude-code"], NEW);
    Seen::of(&env).is_all_ok();
}

/// From nothing to the first guarded call in three commands: `trust` is a person's yes, so the pin stands here already.
#[test]
fn install_then_doctor_then_a_guarded_call() {
    let sim = demo().start();
    let env = home(&sim);
    assert_eq!(with_version(&env, &["install", "claude-code"], NEW).code, Some(0));
    assert_eq!(with_version(&env, &["doctor"], NEW).code, Some(0));
    let text = fs::read_to_string(settings(&env)).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    let entry = &all["hooks"]["PreToolUse"][0]["hooks"][0];
    let args: Vec<&str> = entry["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    let ran: Ran = env.command(&args).write_stdin(crate::guard_story::change(&env, "web01")).output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(sim.tags("web01-dr").len(), 1);
}

/// The managed scope, with a root of its own.
#[test]
fn the_managed_hook_and_what_it_outlives() {
    use zerto_guard::agent_host::Known;
    use zerto_guard::config::files::{Files, Place};
    use zerto_guard::doctor::{Patient, examine};
    use zerto_guard::hosts::Host;
    use zerto_guard::install::change::{Change, add};
    use zerto_guard::install::{Entry, Form, Kind, Places, Scope, Version, hook_arguments, recipe};

    let sim = demo().start();
    let env = home(&sim);
    let root = env.path("root");
    let files = Files {
        config: Place::Usual(env.config_dir().join("config.toml")),
        catalog: Place::Usual(env.config_dir().join("catalog.toml")),
        admin: root.join("etc/zerto-guard"),
        state: env.state_dir(),
        home: Some(env.home()),
    };
    let places = Places { home: Some(env.home()), project: env.project(), root, moved: Default::default() };
    let recipe = recipe(Host::ClaudeCode);
    let own = Env::binary().display().to_string();
    let look = || {
        let known = Known::Version(Version(2, 1, 332));
        let checks = examine(&Patient { files: &files, places: &places, known: &known, own: &own, sudo: false });
        let Value::Array(checks) = json!(checks) else { panic!() };
        Seen(checks)
    };
    let entry = |managed: bool| Entry {
        recipe,
        event: &recipe.events[0],
        command: own.clone(),
        arguments: hook_arguments(recipe, 180, managed, &[]).unwrap(),
        timeout: 180,
        form: Form::Exec,
    };
    let write = |file: &std::path::Path, before: Option<&str>, managed: bool| {
        let Ok(Change::Write(text)) = add(before, Kind::Grouped, &[entry(managed)]) else { panic!() };
        env.write(file, &text);
    };
    let managed = (recipe.place)(&places, Scope::Managed).unwrap();
    write(&managed, None, true);
    let seen = look();
    seen.has("hook managed", "fault", "where no ZVM is configured").has("hook managed", "ok", "the entry was run");
    env.write(&files.admin.join("config.toml"), &sim.config_toml());
    let seen = look();
    assert!(!seen.0.iter().any(|check| check["status"] == "fault"), "{:#?}", seen.0);
    write(&managed, None, false);
    look().has("hook managed", "warning", "it has no --managed");
    fs::set_permissions(&managed, fs::Permissions::from_mode(0o666)).unwrap();
    look().has("settings", "warning", "somebody who is not root");
    env.write(&settings(&env), "{\"disableAllHooks\": true}");
    look().has("hook", "warning", "the managed hook runs all the same");
    env.write(&managed, "{\"allowManagedHooksOnly\": true}");
    write(&settings(&env), Some("{}"), false);
    look().has("hook", "fault", "allowManagedHooksOnly");
    // The administrator's further settings.
    let folder = places.managed_drop_ins();
    write(&folder.join("10-guard.json"), None, true);
    env.write(&folder.join("20-audit.json"), "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"comand\"}]}]}}");
    for ignored in [".30.json", "README"] {
        env.write(&folder.join(ignored), "no settings");
    }
    let seen = look();
    seen.has("hook managed", "ok", "the entry was run").has("settings", "fault", "20-audit.json, line 1: ");
    seen.has_no("settings", "30.json");
    seen.has_no("hook", "allowManagedHooksOnly");
}
