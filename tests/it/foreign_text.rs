//! What a ZVM, a guest or an agent says reaches people, models, tags and the log without anything that a terminal would obey
//! or an eye would miss, on one line, and never as the guard's own words: one hostile name in every field, every command.

mod hostile;

use crate::env::{Env, skip};
use crate::guard_story::home;
use crate::search::searched;
use crate::trust_command::on_a_terminal;
use hostile::{HOSTILE, LIE, is_forbidden, is_harmless, said, strings, world};
use serde_json::{Value, json};
use std::fs;
use std::time::Duration;
use zvm_sim::{CertKind, Fault, InsertOutcome, Sim, Step, Times};

#[test]
fn a_zvm_whose_every_name_is_hostile() {
    let (sim, id) = world();
    let env = home(&sim);
    let local = sim.with_state(|state| state.vpgs[0].identifier.clone());
    let session = sim.mount_elsewhere(HOSTILE, "gold", None).unwrap();
    let other = sim.mount_elsewhere("second", "busy", None).unwrap();
    let seen = |sim: &Sim| sim.sessions().iter().all(|session| session.status == "MountCompletedSuccessfully");
    assert!(sim.wait_until(Duration::from_secs(5), seen));
    sim.with_state(|state| {
        let other = state.flr_sessions.iter_mut().find(|session| session.identifier == other);
        other.unwrap().status = HOSTILE.to_owned();
    });
    sim.with_state(|state| state.tasks.iter_mut().for_each(|task| task.initiated_by = HOSTILE.to_owned()));
    let file = env.path("local.yaml");
    env.write(&file, "a: 2\n");
    let file = file.display().to_string();
    let commands: Vec<Vec<&str>> = vec![
        vec!["find", &id],
        vec!["find", HOSTILE],
        vec!["find", "second"],
        vec!["find", "nobody"],
        vec!["guard", "--vm", &id, "--action", HOSTILE, "--change", HOSTILE, "--agent", HOSTILE],
        vec!["doctor"],
        vec!["rewind", "log"],
        vec!["rewind", "log", "--all-tags"],
        vec!["rewind", "log", &id],
        vec!["rewind", "show", "chg-412"],
        vec!["rewind", "show", "chg-413"],
        vec!["rewind", "show", LIE],
        vec!["rewind", "show", HOSTILE],
        vec!["rewind", "show", "latest", "--vm", "nobody"],
        vec!["rewind", "show", "latest", "--vpg", "nobody"],
        vec!["rewind", "sessions", "--all"],
        vec!["rewind", "end-session", "nobody", "--yes"],
        vec!["rewind", "ls", "--yes", "--vm", &id, "chg-413:/etc"],
        vec!["rewind", "end-session", &session, "--yes"],
        vec!["rewind", "ls", "--yes", "--vm", &id, "chg-413:/etc"],
        vec!["rewind", "ls", "--yes", "--vm", &id, "chg-413:/"],
        vec!["rewind", "ls", "--yes", "--vm", &id, "chg-413:/none"],
        vec!["rewind", "cat", "--yes", "--vm", &id, "chg-413:/etc/app.yaml"],
        vec!["rewind", "cat", "--yes", "--vm", &id, "chg-413:/etc/locked"],
        vec!["rewind", "cat", "--yes", "--vm", &id, "chg-413:/etc/link/x"],
        vec!["rewind", "diff", "--yes", "--vm", &id, "chg-413:/etc/app.yaml", &file],
        vec!["rewind", "diff", "--yes", "--vm", &id, "chg-413:/etc/app.yaml"],
        vec!["rewind", "recover", "--yes", "--vm", &id, "chg-413:/etc/app.yaml", "--force"],
        vec!["rewind", "recover", "--yes", "--vm", &id, "chg-413:/etc", "--recursive", "--output", "etc"],
        vec!["rewind", "recover", "--yes", "--vm", &id, "chg-413:/etc/locked"],
        vec!["rewind", "sessions", "--all"],
        vec!["rewind", "clone", "--yes", "chg-412"],
        vec!["rewind", "clone", "--yes", "chg-412", "--datastore", HOSTILE],
        vec!["rewind", "test-failover", "--yes", "chg-412"],
        vec!["rewind", "test-failover", "--yes", "chg-413"],
        vec!["rewind", "stop-test", "--yes", &local],
        vec!["audit"],
        vec!["audit", "--summary"],
    ];
    let mut rans = Vec::new();
    for arguments in &commands {
        // What nothing is known of can't be put into an argument.
        let arguments: Vec<String> = arguments.iter().map(|argument| argument.replace('\0', "")).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        for arguments in [arguments.clone(), [&arguments[..], &["--json"]].concat()] {
            let ran = env.run(&arguments);
            said(&ran, &arguments.join(" ").replace(|c: char| c.is_control(), "?"));
            rans.push(ran);
        }
    }
    let failed: Vec<_> = rans.iter().filter(|ran| ran.code != Some(0)).map(|ran| (ran.code, &ran.stderr)).collect();
    assert!(failed.len() < rans.len() / 2, "most of them work: {failed:#?}");
    assert!(rans.iter().any(|ran| ran.stdout.contains(LIE)), "the lie is told, set apart");
    // The tag that the guard made of it.
    let made: Vec<String> =
        sim.all_tags().into_iter().map(|(_, tag)| tag).filter(|tag| tag.contains("| 20") && tag.is_ascii()).collect();
    assert!(made.len() > 2, "{made:?}");
    searched(&env, &[&sim], &rans.iter().collect::<Vec<_>>());
}

#[test]
fn a_zvm_that_answers_with_hostile_words() {
    let message = json!({"Message": HOSTILE}).to_string();
    let plain = HOSTILE.to_owned();
    let faults = [
        (Step::Token, Fault::Status(401, json!({"error": HOSTILE, "error_description": HOSTILE}).to_string())),
        (Step::Token, Fault::Status(500, plain.clone())),
        (Step::VmList, Fault::Status(403, message.clone())),
        (Step::VmList, Fault::Status(400, plain)),
        (Step::VmList, Fault::RedirectWith(302, format!("https://evil/{}", LIE.replace(' ', "%20")))),
        (Step::Vpg, Fault::Status(404, message.clone())),
        (Step::Insert, Fault::Status(409, message.clone())),
        (Step::Insert, Fault::Status(200, json!(HOSTILE).to_string())),
        (Step::LocalSite, Fault::Status(400, message.clone())),
        (Step::Task, Fault::Status(400, message.clone())),
        (Step::CheckpointList, Fault::Status(403, message.clone())),
        (Step::FlrMount, Fault::Status(500, message.clone())),
        (Step::FlrBrowse, Fault::Status(400, message.clone())),
        (Step::FlrLink, Fault::Status(200, json!(HOSTILE).to_string())),
        (Step::FlrLink, Fault::Status(200, json!(format!("https://{HOSTILE}/x")).to_string())),
        (Step::Download, Fault::Status(404, message.clone())),
        (Step::FlrUnmount, Fault::Status(500, message)),
    ];
    let cases: Vec<_> = faults.into_iter().collect();
    std::thread::scope(|scope| {
        for part in cases.chunks(cases.len().div_ceil(4)) {
            scope.spawn(move || {
                for (step, fault) in part {
                    let (sim, id) = world();
                    sim.fault(*step, fault.clone(), Times::Always);
                    let env = crate::guard_story::home_with(&sim, "[guard]\ndeadline = '3s'\n");
                    let ran = if format!("{step:?}").starts_with("Flr") || *step == Step::Download {
                        env.run(&["rewind", "recover", "--yes", "--vm", &id, "chg-413:/etc/app.yaml"])
                    } else {
                        env.hook(copying(&env, &id))
                    };
                    said(&ran, &format!("{step:?}, {:?}", env.path("")));
                    assert!(ran.code != Some(0) || *step == Step::FlrUnmount, "{step:?}: {}", ran.stderr);
                    searched(&env, &[&sim], &[&ran]);
                }
            });
        }
    });
    let (sim, id) = world();
    let env = home(&sim);
    for outcome in [InsertOutcome::failed(HOSTILE), InsertOutcome::stopped(HOSTILE)] {
        sim.next_inserts(2, &outcome);
        let ran = env.hook(copying(&env, &id));
        said(&ran, "hook, a failed task");
        ran.denied(&format!("\"x {LIE}"));
    }
}

fn copying(env: &Env, vm: &str) -> String {
    env.mcp("winrm", "copy_file", json!({"host": vm, "source": HOSTILE, "destination": HOSTILE}))
}

#[test]
fn an_agent_whose_every_text_is_hostile() {
    let (sim, id) = world();
    let env = home(&sim);
    let call = |mut fields: Value| {
        let text = env.call("Bash", json!({}));
        let mut call: Value = serde_json::from_str(&text).unwrap();
        call.as_object_mut().unwrap().append(fields.as_object_mut().unwrap());
        call.to_string()
    };
    let bash = |command: &str| call(json!({"tool_input": {"command": command}}));
    let hostile_word = format!("'{}'", HOSTILE.replace('\0', ""));
    let calls: Vec<(&str, String)> = vec![
        ("a guarded call", copying(&env, &id)),
        ("a tool", call(json!({"tool_name": HOSTILE, "tool_input": {HOSTILE: HOSTILE}}))),
        ("a server", env.mcp(HOSTILE, HOSTILE, json!({HOSTILE: [HOSTILE]}))),
        ("a host", env.mcp("winrm", "run_ps", json!({"host": HOSTILE, "script": HOSTILE}))),
        (
            "a guest that is not there",
            env.mcp("winrm", "copy_file", json!({"host": HOSTILE, "source": "a", "destination": "b"})),
        ),
        ("a command", bash(&hostile_word)),
        ("a command that is no shell text", bash(HOSTILE)),
        ("a command on a host", bash(&format!("ssh {hostile_word} reboot"))),
        ("a script", bash(&format!("sh {hostile_word}"))),
        ("a command over ssh", bash(&format!("ssh web01 {hostile_word}"))),
        ("a program with a path", bash(&format!("/tmp/{hostile_word} x"))),
        ("a variable", bash(&format!("PATH={hostile_word} ls"))),
        ("a recipe", bash(&format!("make {hostile_word}"))),
        ("an interpreter", bash(&format!("python3 -c {hostile_word}"))),
        ("a folder", call(json!({"cwd": HOSTILE, "tool_input": {"command": "frobnicate"}}))),
        (
            "a session",
            call(json!({"session_id": HOSTILE, "tool_use_id": HOSTILE, "tool_input": {"command": "frobnicate"}})),
        ),
        (
            "a mode",
            call(
                json!({"permission_mode": HOSTILE, "tool_input": {"command": "zerto-guard answer zgq-0123456789abc guard"}}),
            ),
        ),
        ("an event", call(json!({"hook_event_name": HOSTILE}))),
        ("an own command", bash(&format!("zerto-guard answer {hostile_word} guard"))),
        (
            "an own command with a place",
            bash(&format!("zerto-guard catalog add --config {hostile_word} --program x --read-only")),
        ),
        (
            "a settings file",
            call(
                json!({"tool_name": "Write", "tool_input": {"file_path": format!("/{HOSTILE}/.claude/settings.json"), "content": HOSTILE}}),
            ),
        ),
        ("a file", call(json!({"tool_name": "Write", "tool_input": {"file_path": HOSTILE, "content": HOSTILE}}))),
        ("an own tool", call(json!({"tool_name": "Workflow", "tool_input": {HOSTILE: HOSTILE}}))),
        ("a skill", call(json!({"tool_name": "Skill", "tool_input": {"skill": HOSTILE, "args": HOSTILE}}))),
        ("a key twice", format!("{{\"tool_name\":\"x\",{0}:1,{0}:2}}", json!(HOSTILE))),
        ("no JSON", HOSTILE.to_owned()),
    ];
    let mut rans = Vec::new();
    let mut denied = 0;
    for (what, text) in &calls {
        let ran = env.hook(text.as_bytes());
        said(&ran, &format!("hook, {what}"));
        let own = ran.stderr.lines().filter(|line| line.starts_with("zerto-guard:")).count();
        assert!(own <= 1, "{what}: {}", ran.stderr);
        assert!(ran.stderr.lines().all(|line| line.chars().count() < 900), "{what}: {}", ran.stderr);
        denied += usize::from(ran.code == Some(2));
        rans.push(ran);
    }
    assert!(denied > 12 && rans[0].code == Some(0), "{denied}: {}", rans[0].stderr);
    // In the words of each host that has its own.
    for (host, text) in [
        (
            "cline",
            json!({"hookName": "PreToolUse", "preToolUse": {"toolName": "execute_command", "parameters": {"command": HOSTILE}}}),
        ),
        (
            "cline",
            json!({"hookName": "PreToolUse", "preToolUse": {"toolName": "use_mcp_tool",
            "parameters": {"server_name": "winrm", "tool_name": "copy_file", "arguments": {"host": id, "source": HOSTILE, "destination": "b"}}}}),
        ),
        (
            "vscode",
            json!({"hookEventName": "PreToolUse", "sessionId": HOSTILE, "tool_name": HOSTILE, "tool_input": {HOSTILE: HOSTILE}}),
        ),
        ("cursor", json!({"hook_event_name": "beforeShellExecution", "command": HOSTILE, "cwd": HOSTILE})),
        (
            "windsurf",
            json!({"agent_action_name": "pre_mcp_tool_use", "tool_info": {"mcp_server_name": HOSTILE, "mcp_tool_name": HOSTILE, "mcp_tool_arguments": {HOSTILE: HOSTILE}}}),
        ),
        (
            "gemini-cli",
            json!({"hook_event_name": "BeforeTool", "tool_name": HOSTILE, "tool_input": {HOSTILE: HOSTILE}}),
        ),
        (
            "codex",
            json!({"hook_event_name": "PreToolUse", "turn_id": "1", "tool_name": "apply_patch", "tool_input": {"command": HOSTILE}}),
        ),
    ] {
        let ran = env.hook_with(&["--host", host], text.to_string());
        said(&ran, &format!("hook of {host}"));
        rans.push(ran);
    }
    // The same texts as people and programs get to see them later.
    let hostile = HOSTILE.replace('\0', "");
    for arguments in [
        &["questions"][..],
        &["questions", "--json"],
        &["audit"],
        &["audit", "--json"],
        &["audit", "--summary"],
        &["check", "--", hostile.as_str()],
        &["check", "--json", "--", hostile.as_str()],
        &["check", "--tool", hostile.as_str(), "--server", hostile.as_str()],
        &["catalog", "list", hostile.as_str()],
        &["catalog", "add", "--server", hostile.as_str(), "--tool", "x", "--read-only"],
        &["catalog", "list"],
        &["catalog", "remove", "--server", hostile.as_str(), "--tool", "y"],
        &["answer", hostile.as_str(), "guard"],
        &["rewind", "cat", hostile.as_str()],
        &[hostile.as_str()],
        &["find", "--json", hostile.as_str(), hostile.as_str()],
    ] {
        let ran = env.run(arguments);
        said(&ran, &arguments.join(" ").replace(|c: char| c.is_control(), "?"));
        rans.push(ran);
    }
    // What a person names is that person's own.
    for option in ["--config", "--state-dir"] {
        let ran = env.run(&[option, hostile.as_str(), "find", "web01"]);
        for text in [&ran.stdout, &ran.stderr] {
            assert!(!text.contains(is_forbidden) && !text.lines().any(|line| line.starts_with(LIE)), "{text}");
        }
    }
    // The log itself, as one would look at it.
    let log = fs::read_to_string(env.state_dir().join("audit.jsonl")).unwrap();
    for line in log.lines() {
        let mut texts = Vec::new();
        strings(&serde_json::from_str(line).unwrap(), &mut texts);
        assert!(texts.iter().all(|text| !text.contains(is_forbidden)), "{line}");
    }
    let tags: Vec<String> =
        sim.all_tags().into_iter().map(|(_, tag)| tag).filter(|tag| tag.starts_with("ai:claude | copy")).collect();
    assert!(
        !tags.is_empty() && tags.iter().all(|tag| tag.bytes().all(|byte| (b' '..=b'~').contains(&byte))),
        "{tags:?}"
    );
    searched(&env, &[&sim], &rans.iter().collect::<Vec<_>>());
}

#[test]
fn a_certificate_that_says_it_is_trusted() {
    let sim = Sim::builder().demo_world().cert(CertKind::SelfSignedCalled(HOSTILE)).start();
    let env = Env::new()
        .config(&format!("[[zvm]]\nname = 'x'\nurl = '{}'\nusername = 'u'\npassword_file = '/none'\n", sim.url()));
    for arguments in [&["trust", sim.url()][..], &["trust", sim.url(), "--json"], &["find", "web01"]] {
        let ran = env.run(arguments);
        said(&ran, &arguments.join(" "));
        assert!(ran.code != Some(0));
    }
    let Some(ran) = on_a_terminal(&env, &format!("trust {}", sim.url()), "n\n") else {
        skip("there is no `script` here to make a terminal with");
        return;
    };
    is_harmless(&ran.stdout.replace("\r\n", "\n"), "trust on a terminal");
    assert!(ran.stdout.contains("subject \"CN=x"), "{}", ran.stdout);
}

#[test]
fn on_a_terminal_nothing_but_our_own_colours_and_lines_is_drawn() {
    let (sim, id) = world();
    let env = home(&sim);
    let script = HOSTILE.split_once("Run ").unwrap().0;
    env.hook(env.mcp("winrm", "run_ps", json!({"host": HOSTILE, "script": script}))).denied("answer zgq-");
    let commands = [
        (format!("find {id}"), ""),
        ("rewind log --all-tags".to_owned(), ""),
        ("rewind show chg-412".to_owned(), ""),
        (format!("rewind ls --vm {id} chg-413:/etc"), "y\n"),
        (format!("rewind recover --vm {id} chg-413:/etc/app.yaml"), "y\n"),
        ("rewind sessions --all".to_owned(), ""),
        ("rewind test-failover chg-412".to_owned(), "n\n"),
        ("questions".to_owned(), ""),
        ("answer".to_owned(), "s\n"),
        ("audit".to_owned(), ""),
        ("doctor".to_owned(), ""),
    ];
    for (arguments, typed) in commands {
        let Some(ran) = on_a_terminal(&env, &arguments, typed) else {
            skip("there is no `script` here to make a terminal with");
            return;
        };
        let mut text = ran.stdout.replace("\r\n", "\n");
        // Our colours, and the line that is drawn anew.
        for ours in [
            "\u{1b}[32m",
            "\u{1b}[33m",
            "\u{1b}[31m",
            "\u{1b}[2m",
            "\u{1b}[1m",
            "\u{1b}[0m",
            "\r\u{1b}[K",
            "\u{1b}[K\r",
            "\u{1b}[K",
        ] {
            text = text.replace(ours, "");
        }
        is_harmless(&text.replace('\r', "\n"), &format!("{arguments} on a terminal"));
        searched(&env, &[&sim], &[&ran]);
    }
}
