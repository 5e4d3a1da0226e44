//! Every agent host, and every kind of call: exit code, stdout and stderr to the letter, told by the fields and by `--host`.
//!
//! The calls are those of `tests/hook-stdin` (recorded, or written after the host's documents) with another command in them.

use crate::env::{Env, Ran};
use crate::guard_story::{demo, home};
use serde_json::{Value, json};
use std::path::Path;
use zerto_guard::guard::report::HOW_TO_REWIND;
use zvm_sim::Step;

/// The command of the inputs, and the folder.
const COMMAND: &str = "ssh web01 'sudo systemctl restart nginx'";
const FOLDER: &str = "/home/dev/infra";

/// How a host is told something after a guard.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    Both,
    User,
    Model,
    Nothing,
}
use Told::{Both, Model, Nothing, User};

/// A host's name, the agent's in a tag, its input, the shell tool in it, and how it is told something.
type Row = (&'static str, &'static str, &'static str, &'static str, Told);

const HOSTS: &[Row] = &[
    ("claude-code", "claude", "claude-code-2.1.332/bash-ssh-restart.default", "Bash", Both),
    ("codex", "codex", "codex-0.171.0/bash-ssh-restart.bypassPermissions", "Bash", Nothing),
    ("gemini-cli", "gemini", "gemini-cli-0.61.0/shell-ssh-restart", "run_shell_command", User),
    ("copilot-cli", "copilot", "copilot-cli-documented/shell-ssh-restart", "bash", Nothing),
    ("copilot-cli", "copilot", "copilot-cli-documented/shell-ssh-restart.object", "bash", Nothing),
    ("copilot-cli", "copilot", "copilot-cli-documented/shell-ssh-restart.snake", "Bash", Nothing),
    ("vscode", "vscode", "vscode-documented/shell-ssh-restart", "runTerminalCommand", Both),
    ("vscode", "vscode", "vscode-documented/shell-ssh-restart.source", "run_in_terminal", Both),
    ("cursor", "cursor", "cursor-documented/shell-ssh-restart", "Shell", Nothing),
    ("cursor", "cursor", "cursor-documented/before-shell-ssh-restart", "Shell", Nothing),
    ("cursor", "cursor", "cursor-documented/claude-hook", "Shell", Nothing),
    ("windsurf", "windsurf", "windsurf-documented/shell-ssh-restart", "pre_run_command", Nothing),
    ("qwen", "qwen", "qwen-documented/shell-ssh-restart", "run_shell_command", User),
    ("droid", "droid", "droid-documented/shell-ssh-restart", "Execute", User),
    ("kiro", "kiro", "kiro-documented/shell-ssh-restart", "execute_bash", Nothing),
    ("cline", "cline", "cline-documented/shell-ssh-restart", "execute_command", Model),
    ("opencode", "opencode", "opencode-documented/shell-ssh-restart", "bash", Nothing),
];

/// The input with another command, in the test's own folder. Arguments may be JSON in a text.
fn input(env: &Env, file: &str, command: &str) -> String {
    fn change(value: &mut Value, from: &str, to: &str) -> usize {
        match value {
            Value::Object(fields) => fields.values_mut().map(|value| change(value, from, to)).sum(),
            Value::Array(items) => items.iter_mut().map(|value| change(value, from, to)).sum(),
            Value::String(text) if text == from => {
                *text = to.to_owned();
                1
            }
            Value::String(text) => match serde_json::from_str::<Value>(text) {
                Ok(mut inner @ Value::Object(_)) => {
                    let count = change(&mut inner, from, to);
                    *text = inner.to_string();
                    count
                }
                _ => 0,
            },
            _ => 0,
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/hook-stdin/{file}.json"));
    let mut json: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(change(&mut json, COMMAND, command), 1, "{file}");
    change(&mut json, FOLDER, env.project().to_str().unwrap());
    json.to_string()
}

/// The text of a deny, which has this very form.
#[track_caller]
fn denied(ran: &Ran, host: &str) -> String {
    let text = if host == "cline" {
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
        let json = ran.json();
        let text = json["errorMessage"].as_str().unwrap().to_owned();
        assert_eq!(ran.stdout, format!("{}\n", json!({"cancel": true, "errorMessage": text})));
        format!("{text}\n")
    } else {
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{host}: {}", ran.stderr);
        ran.stderr.clone()
    };
    text.strip_prefix("zerto-guard: ").unwrap_or_else(|| panic!("{host}: {text}")).to_owned()
}

/// Everything that the hook answers to the command, by the fields and with the host's name: it is the same.
#[track_caller]
fn both(env: &Env, row: &Row, command: &str, check: impl Fn(&Ran)) {
    let (host, _, file, ..) = *row;
    for arguments in [&[][..], &["--host", host]] {
        check(&env.hook_with(arguments, input(env, file, command)));
    }
}

#[test]
fn what_only_reads_passes_without_a_word() {
    let sim = demo().start();
    let env = home(&sim);
    for row in HOSTS {
        both(&env, row, "ssh web01 cat /etc/hosts", |ran| {
            assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""), "{row:?}", row = row.2);
        });
    }
    assert!(sim.requests().is_empty());
}

#[test]
fn a_change_passes_once_it_is_tagged_and_each_host_is_told_as_it_can_be() {
    let sim = demo().start();
    let env = home(&sim);
    for row in HOSTS {
        let (host, agent, file, tool, told) = *row;
        both(&env, row, "ssh db01 reboot", |ran| {
            let tag = sim.tags("db01-dr").pop().unwrap();
            let fields: Vec<&str> = tag.split(" | ").collect();
            assert_eq!((fields[0], fields[2]), (format!("ai:{agent}").as_str(), "vm=db01"), "{tag}");
            assert!(fields[1] == "ssh db01 reboot" || fields[1].starts_with("Restart nginx"), "{tag}");
            let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
            // Where the tag stands differs from tag to tag: the checkpoint's number.
            let stands = |text: &Value, before: &str| {
                let text = text.as_str().unwrap_or_default();
                let rest = text.strip_prefix(before).and_then(|rest| rest.split_once(". "));
                rest.map(|(stands, _)| stands.to_owned()).unwrap_or_default()
            };
            let user = |text: &Value| {
                let before = format!("zerto-guard: before {tool}, ");
                format!("{before}{}. Tag: {tag}", stands(text, &before))
            };
            let model = |text: &Value| {
                let before = format!("zerto-guard: before this call of {tool}, ");
                format!("{before}{}. {HOW_TO_REWIND}\nTag: {tag}", stands(text, &before))
            };
            let expected = match told {
                Nothing => String::new(),
                User => format!("{}\n", json!({"systemMessage": user(&json["systemMessage"])})),
                Model => {
                    let text = model(&json["contextModification"]);
                    format!("{}\n", json!({"cancel": false, "contextModification": text}))
                }
                Both => {
                    let text = model(&json["hookSpecificOutput"]["additionalContext"]);
                    let context = json!({"hookEventName": "PreToolUse", "additionalContext": text});
                    let user = user(&json["systemMessage"]);
                    format!("{}\n", json!({"hookSpecificOutput": context, "systemMessage": user}))
                }
            };
            let out = ran.stdout.as_str();
            assert_eq!((ran.code, out, ran.stderr.as_str()), (Some(0), expected.as_str(), ""), "{host} {file}");
            assert!(told == Nothing || out.contains("VPG db01-dr (checkpoint "), "{out}");
            for word in ["allow", "approve", "permissionDecision", "\"decision\""] {
                assert!(!out.contains(word), "{out}");
            }
        });
    }
    assert_eq!(sim.requests_of(Step::Insert).len(), 2 * HOSTS.len());
}

#[test]
fn a_change_that_cannot_be_tagged_is_refused() {
    let sim = demo().start();
    let env = home(&sim);
    let text = |tool: &str| {
        let first = HOSTS.first().unwrap();
        let said = denied(&env.hook(input(&env, first.2, "ssh sync01 reboot")), first.0);
        assert!(said.contains("resync deletes checkpoints"), "{said}");
        said.replacen("stopped Bash, which", &format!("stopped {tool}, which"), 1)
    };
    for row in HOSTS {
        let expected = text(row.3);
        both(&env, row, "ssh sync01 reboot", |ran| assert_eq!(denied(ran, row.0), expected, "{}", row.2));
    }
    assert!(sim.requests_of(Step::Insert).is_empty());
}

#[test]
fn what_is_unknown_is_asked_about_and_an_answer_serves_the_same_call_once() {
    let env = Env::new();
    for row in HOSTS {
        let (host, _, file, tool, _) = *row;
        let ask = || env.hook(input(&env, file, "frobnicate --now"));
        let text = denied(&ask(), host);
        let id = text.split("zgq-").nth(1).unwrap()[..13].to_owned();
        let expected = format!(
            "stopped {tool}: it is not known whether this changes a guest, since `frobnicate` is in no catalog.\n\
             It would run: frobnicate --now\n\
             Ask the human, and do not answer for them: insert a Zerto tagged checkpoint first, so that this is reversible?\n  \
             yes: tag the VM that you name, then run it  zerto-guard answer zgq-{id} guard --vm VM\n  \
             no: it runs, and Zerto cannot rewind it     zerto-guard answer zgq-{id} unguarded\n  \
             harmless: never ask again                   zerto-guard catalog add --program frobnicate --read-only\n\
             The human runs one of these in a terminal, or here with `!` before it. Then repeat the same call, unchanged, \
             within 10 minutes.\n"
        );
        assert_eq!(text, expected, "{file}");
        let answered = env.run(&["answer", &format!("zgq-{id}"), "unguarded"]);
        assert_eq!(answered.code, Some(0), "{}", answered.stderr);
        let ran = ask();
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{file}: {}", ran.stdout);
        assert!(!ran.stdout.contains("\"cancel\":true"), "{file}: {}", ran.stdout);
        denied(&ask(), host);
    }
}

#[test]
fn our_own_commands_are_for_a_human() {
    let env = Env::new();
    let command = "zerto-guard catalog add --program frobnicate --read-only";
    for row in HOSTS {
        let (host, _, file, tool, _) = *row;
        if host == "claude-code" {
            continue;
        }
        let expected = format!(
            "stopped {tool}: it is `{command}`, and a human must run this.\n\
             Ask the human to run it in a terminal, or here with `!` before it.\n"
        );
        both(&env, row, command, |ran| assert_eq!(denied(ran, host), expected, "{file}"));
    }
    // The one host whose prompt is known to be real.
    let row = HOSTS.first().unwrap();
    both(&env, row, command, |ran| {
        let reason = format!(
            "zerto-guard: the agent wants to run `{command}`. Allow it, and your catalog is changed: later calls of that tool \
             are judged by the new entry, without a question."
        );
        let ask = json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": reason,
        }});
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), format!("{ask}\n").as_str(), ""));
    });
}

#[test]
fn broken_input_is_denied_in_the_hosts_words() {
    let env = Env::new();
    for row in HOSTS {
        let (host, _, file, ..) = *row;
        let whole = input(&env, file, "true");
        let mut twice = whole.clone();
        twice.insert_str(1, r#""x":1,"x":2,"#);
        for (bad, part) in [
            (String::new(), "nothing came on stdin"),
            (whole[..whole.len() - 2].to_owned(), "not one JSON document"),
            (format!("{whole}{whole}"), "not one JSON document"),
            (format!("\u{feff}{whole}"), "not one JSON document"),
            (twice, "a key is given twice"),
            ("[]".into(), "no JSON object"),
        ] {
            let text = denied(&env.hook_with(&["--host", host], bad.clone()), host);
            assert!(
                text.starts_with("stopped this call, since it could not be judged: ") && text.contains(part),
                "{text}"
            );
            // Without a name nobody can know whose words they should be.
            assert!(denied(&env.hook(bad), "any").contains(part));
        }
    }
}

#[test]
fn a_deny_for_cline_is_its_json_whatever_was_wrong() {
    let env = Env::new();
    let call = input(&env, "cline-documented/shell-ssh-restart", "true");
    for arguments in [
        &["--host", "cline", "--no-such"][..],
        &["--no-such", "--host=cline"],
        &["--host", "codex", "--host", "cline"],
        &["--host", "cline", "--host", "codex"],
        &["--host", "cline", "--config", "relative"],
    ] {
        denied(&env.hook_with(arguments, call.clone()), "cline");
    }
    let env = env.config("broken");
    denied(&env.hook(call.clone()), "cline");
    // Another host that runs what was set up for Cline would take that JSON for a pass.
    let claude = env.call("Workflow", json!({}));
    denied(&env.hook_with(&["--host", "cline"], claude), "claude-code");
}

#[test]
fn arguments_in_a_text_are_read_as_strictly_as_the_input() {
    let env = Env::new();
    let file = "copilot-cli-documented/shell-ssh-restart";
    let whole: Value = serde_json::from_str(&input(&env, file, "true")).unwrap();
    for (arguments, part) in [
        (r#"{"command":"true","command":"ssh web01 reboot"}"#, "a key is given twice"),
        (r#"{"command":"true"} {}"#, "not one JSON document"),
        (r#"["true"]"#, "no JSON object"),
        ("", "not one JSON document"),
        ("true", "no JSON object"),
    ] {
        let mut call = whole.clone();
        call["toolArgs"] = arguments.into();
        env.hook(call.to_string()).denied(part);
        let cursor = json!({"conversation_id": "c", "hook_event_name": "beforeMCPExecution", "tool_name": "x", "tool_input": arguments});
        env.hook(cursor.to_string()).denied(part);
    }
    for arguments in [json!(7), json!(null), json!([])] {
        let mut call = whole.clone();
        call["toolArgs"] = arguments;
        env.hook(call.to_string()).denied("no JSON object");
    }
}

#[test]
fn what_was_set_up_for_claude_code_is_judged_by_the_tools_of_the_host_that_runs_it() {
    let sim = demo().start();
    let env = home(&sim);
    let named = ["--host", "claude-code"];
    for (file, agent) in [
        ("vscode-documented/shell-ssh-restart.source", "vscode"),
        ("cursor-documented/claude-hook", "cursor"),
        ("copilot-cli-documented/shell-ssh-restart.snake", "copilot"),
        ("codex-0.171.0/bash-ssh-restart.bypassPermissions", "codex"),
    ] {
        let ran = env.hook_with(&named, input(&env, file, "ssh db01 reboot"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{file}");
        assert!(sim.tags("db01-dr").last().unwrap().starts_with(&format!("ai:{agent} |")), "{file}");
        assert!(agent == "vscode" || ran.stdout.is_empty(), "{file}: {}", ran.stdout);
    }
    // A name that Claude Code's catalog does not know is not let through for that.
    let call = input(&env, "vscode-documented/shell-ssh-restart.source", "true")
        .replace("run_in_terminal", "run_vscode_command");
    env.hook_with(&named, call).denied("it is not known whether this changes a guest");
}

#[test]
fn events_that_no_host_sends_and_inputs_of_no_host_are_denied() {
    let env = Env::new();
    for (host, call) in [
        ("codex", r#"{"session_id":"s","turn_id":"t","hook_event_name":"Stop"}"#),
        ("gemini-cli", r#"{"session_id":"s","timestamp":"t","hook_event_name":"BeforeModel"}"#),
        ("copilot-cli", r#"{"sessionId":"s","timestamp":1,"cwd":"/"}"#),
        ("copilot-cli", r#"{"sessionId":"s","session_id":"s","timestamp":1,"toolName":"x","tool_name":"view"}"#),
        // It would be a call by one name, and the end of one by the other.
        (
            "copilot-cli",
            r#"{"sessionId":"s","timestamp":1,"cwd":"/","toolName":"bash","toolArgs":{},"hook_event_name":"PostToolUse"}"#,
        ),
        ("vscode", r#"{"hookEventName":"PreToolUse","sessionId":"s","toolName":"view","toolInput":{}}"#),
        ("vscode", r#"{"timestamp":"t","hookEventName":"Stop","sessionId":"s"}"#),
        ("vscode", r#"{"timestamp":"t","hookEventName":"PostToolUse","hook_event_name":"PreToolUse"}"#),
        ("vscode", r#"{"timestamp":"t","sessionId":"s","tool_name":"read_file"}"#),
        ("claude-code", r#"{"session_id":"s","hook_event_name":"PostToolUse","hookName":"PreToolUse"}"#),
        ("windsurf", r#"{"agent_action_name":"post_run_command","hook_event_name":"preToolUse","tool_name":"x"}"#),
        ("cursor", r#"{"conversation_id":"c","hook_event_name":"beforeSubmitPrompt","prompt":"x"}"#),
        ("cursor", r#"{"conversation_id":"c","hook_event_name":"beforeShellExecution"}"#),
        ("cursor", r#"{"conversation_id":"c","hook_event_name":"preToolUse","tool_name":"MCP:"}"#),
        ("windsurf", r#"{"agent_action_name":"pre_user_prompt","tool_info":{}}"#),
        ("windsurf", r#"{"agent_action_name":"pre_run_command"}"#),
        ("windsurf", r#"{"agent_action_name":"pre_mcp_tool_use","tool_info":{"mcp_server_name":"x"}}"#),
        ("qwen", r#"{"session_id":"s","timestamp":"t","permission_mode":"default","hook_event_name":"Stop"}"#),
        ("droid", r#"{"sessionId":"s","permissionMode":"default","hookEventName":"Stop"}"#),
        ("kiro", r#"{"hook_event_name":"userPromptSubmit","cwd":"/","prompt":"x"}"#),
        ("kiro", r#"{"cwd":"/","tool_name":"fs_read"}"#),
        ("cline", r#"{"hookName":"UserPromptSubmit"}"#),
        ("cline", r#"{"hookName":"PreToolUse"}"#),
        (
            "cline",
            r#"{"hookName":"PreToolUse","preToolUse":{"toolName":"use_mcp_tool","parameters":{"server_name":"x"}}}"#,
        ),
        ("opencode", r#"{"plugin":"zerto-guard","tool":"read","args":{}}"#),
        ("opencode", r#"{"plugin":"zerto-guard","event":"tool.execute.before","args":{}}"#),
    ] {
        let text = denied(&env.hook_with(&["--host", host], call), host);
        assert!(text.starts_with("stopped this call, since it could not be judged: "), "{call}: {text}");
    }
    // Nobody's: a name of a tool in one host's spelling and an event in another's.
    for call in [
        r#"{"event":"tool.execute.before","tool":"read","args":{}}"#,
        r#"{"toolName":"view","toolArgs":"{}"}"#,
        r#"{"tool_name":"Read","tool_input":{}}"#,
    ] {
        env.hook(call).denied("no agent host known to this version");
    }
}

#[test]
fn the_settings_of_every_host_are_safe_from_every_host() {
    let env = Env::new();
    for path in [
        ".claude/settings.json",
        ".codex/hooks.json",
        ".codex/config.toml",
        ".gemini/settings.json",
        ".copilot/hooks/x.json",
        ".github/hooks/x.json",
        ".cursor/hooks.json",
        ".windsurf/hooks.json",
        ".codeium/windsurf/hooks.json",
        ".qwen/settings.json",
        ".factory/settings.json",
        ".kiro/agents/x.json",
        ".clinerules/hooks/PreToolUse",
        "Documents/Cline/Hooks/PreToolUse",
        ".opencode/plugins/zerto-guard.js",
        ".config/opencode/plugin/zerto-guard.js",
        "opencode.json",
    ] {
        env.hook(env.call("Write", json!({"file_path": env.home().join(path), "content": ""})))
            .denied("on which the guard itself depends");
        env.hook(input(&env, "codex-0.171.0/bash-ssh-restart.bypassPermissions", &format!("echo > ~/{path}")))
            .denied("on which the guard itself depends");
        env.hook(env.call("Read", json!({"file_path": env.home().join(path)}))).passed_silently();
    }
    env.hook(env.call("Bash", json!({"command": "rm -f ~/.cod*/hooks.json"})))
        .denied("on which the guard itself depends");
    std::fs::create_dir(env.home().join(".codex")).unwrap();
    env.hook(env.call("Bash", json!({"command": "rm -rf ~/.codex"}))).denied("on which the guard itself depends");
    // An argument that the catalog does not know must not hide the file.
    let copilot = json!({"sessionId": "s", "timestamp": 1, "cwd": env.project(), "toolName": "edit",
        "toolArgs": {"target": env.home().join(".codex/hooks.json")}});
    env.hook(copilot.to_string()).denied("on which the guard itself depends");
    for harmless in [".github/workflows/ci.yml", "src/hooks/x.json", ".codex/notes.md", "docs/kiro/agents.md"] {
        env.hook(env.call("Write", json!({"file_path": env.project().join(harmless), "content": ""})))
            .passed_silently();
    }
}

#[test]
fn servers_tools_are_found_under_each_hosts_spelling() {
    let sim = demo().start();
    let env = home(&sim);
    for file in [
        "codex-documented/mcp",
        "gemini-cli-documented/mcp",
        "gemini-cli-documented/mcp.joined",
        "cursor-documented/mcp",
        "cursor-documented/before-mcp",
        "windsurf-documented/mcp",
        "qwen-documented/mcp",
        "cline-documented/mcp",
        "opencode-documented/mcp",
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/hook-stdin/{file}.json"));
        let before = sim.tags("web01-dr").len();
        let ran = env.hook(std::fs::read(path).unwrap());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{file}: {}", ran.stdout);
        assert_eq!(sim.tags("web01-dr").len(), before + 1, "{file}: {}", ran.stdout);
    }
    // Entries of all servers have to agree where the host names none.
    let env = env.catalog("[server.one]\nread_only = ['look']\n[server.two]\nread_only = ['look', 'odd']\n[server.three]\nmutating = ['odd']\n");
    let cursor = |tool: &str| {
        json!({"conversation_id": "c", "hook_event_name": "preToolUse", "tool_name": format!("MCP: {tool}"), "tool_input": {}}).to_string()
    };
    env.hook(cursor("look")).passed_silently();
    env.hook(cursor("odd")).denied("the servers that have one are judged differently");
    env.hook(cursor("zerto_recover_file")).denied("a human must run this");
    env.hook(cursor("zerto_stop_failover_test")).denied("`zerto-guard rewind stop-test` does the same");
    let opencode = |tool: &str| {
        json!({"plugin": "zerto-guard", "event": "tool.execute.before", "tool": tool, "args": {}}).to_string()
    };
    env.hook(opencode("one_look")).passed_silently();
    env.hook(opencode("one_other")).denied("no catalog has an entry for it");
    env.hook(opencode("web_search")).denied("no catalog has an entry for it");
    env.hook(opencode("my_zerto_zerto_recover_file")).denied("a human must run this");
    env.hook(opencode("dr_zerto_recover_file")).denied("a human must run this");
}

#[test]
fn a_shell_that_lives_on_has_no_known_folder_and_leaves_nothing_open() {
    let env = Env::new().config("[mounts]\n'/mnt/web01' = 'web01'\n");
    env.write(&env.project().join("package.json"), r#"{"scripts":{"test":"true"}}"#);
    let project = env.project().display().to_string();
    for (file, lives_on) in [
        ("claude-code-2.1.332/bash-ssh-restart.default", false),
        ("gemini-cli-0.61.0/shell-ssh-restart", false),
        ("kiro-documented/shell-ssh-restart", false),
        ("codex-0.171.0/bash-ssh-restart.bypassPermissions", true),
        ("vscode-documented/shell-ssh-restart", true),
        ("vscode-documented/shell-ssh-restart.source", true),
        ("copilot-cli-documented/shell-ssh-restart", true),
        ("copilot-cli-documented/shell-ssh-restart.snake", true),
    ] {
        let passes = |command: &str| env.hook(input(&env, file, command)).code == Some(0);
        for command in ["rm -rf cache", "npm test", "ssh web01", "ssh -t web01 bash", "docker exec -it web bash"] {
            assert_eq!(passes(command), !lives_on, "{file}: {command}");
        }
        for command in ["ls -l", "git status", "ssh web01 cat /etc/hosts", "sort a", "cat a | grep b", "jq . a.json"] {
            assert!(passes(command), "{file}: {command}");
            let there = format!("cd {project} && rm -rf cache && npm test && {command}");
            assert!(passes(&there), "{file}: {there}");
        }
    }
}

#[test]
fn an_argument_that_the_hosts_shell_ignores_does_not_say_where_a_script_is() {
    let env = Env::new();
    env.write(&env.project().join("x.sh"), "ssh web01 sudo reboot\n");
    env.write(&env.project().join("mild/x.sh"), "echo hello\n");
    let opencode = |args: Value| {
        let project = env.project();
        json!({"plugin": "zerto-guard", "event": "tool.execute.before", "tool": "bash", "directory": project, "args": args})
    };
    let gemini = |input: Value| {
        json!({"session_id": "s", "cwd": env.project(), "hook_event_name": "BeforeTool", "timestamp": "t",
            "tool_name": "run_shell_command", "tool_input": input})
    };
    let cursor = |input: Value| {
        json!({"conversation_id": "c", "cwd": env.project(), "hook_event_name": "preToolUse", "tool_name": "Shell",
            "tool_input": input})
    };
    let passes = |call: Value| env.hook(call.to_string()).code == Some(0);
    let script = "sh x.sh";
    assert!(passes(opencode(json!({"command": script, "workdir": "mild"}))));
    assert!(passes(gemini(json!({"command": script, "dir_path": "mild"}))));
    assert!(passes(cursor(json!({"command": script, "working_directory": "mild"}))));
    for name in ["", "cwd", "directory", "dir_path", "workdir", "working_dir", "working_directory", "workingDirectory"]
    {
        if name != "workdir" {
            assert!(!passes(opencode(json!({"command": script, name: "mild"}))), "{name}");
            assert!(!passes(opencode(json!({"command": script, "workdir": ".", name: "mild"}))), "{name}");
        }
        if !["dir_path", "directory"].contains(&name) {
            assert!(!passes(gemini(json!({"command": script, name: "mild"}))), "{name}");
        }
        if name != "working_directory" {
            assert!(!passes(cursor(json!({"command": script, name: "mild"}))), "{name}");
        }
    }
}

#[test]
fn an_argument_beside_a_patch_does_not_hide_its_files() {
    let env = Env::new().config("");
    let patch = "*** Begin Patch\n*** Update File: FILE\n@@\n-a\n+b\n*** End Patch";
    let config = env.config_dir().join("config.toml");
    for (file, hides) in [("a.py", false), (config.to_str().unwrap(), true)] {
        let args = json!({"patchText": patch.replace("FILE", file), "path": "b.py", "filePath": "c.py"});
        let call = json!({"plugin": "zerto-guard", "event": "tool.execute.before", "tool": "apply_patch",
            "directory": env.project(), "args": args});
        assert_eq!(env.hook(call.to_string()).code, Some(if hides { 2 } else { 0 }), "{file}");
    }
}

#[test]
fn copilots_own_tools_pass_but_for_keystrokes() {
    let env = Env::new();
    let call = |tool: &str, args: Value| {
        let call = json!({"sessionId": "s", "timestamp": 1, "cwd": env.project(), "toolName": tool, "toolArgs": args});
        env.hook(call.to_string())
    };
    for tool in [
        "report_intent",
        "read_bash",
        "list_bash",
        "stop_bash",
        "read_powershell",
        "list_powershell",
        "stop_powershell",
        "show_file",
        "store_memory",
        "list_agents",
        "read_agent",
        "fetch_copilot_cli_documentation",
        "view",
        "grep",
        "rg",
        "glob",
        "web_fetch",
        "ask_user",
    ] {
        call(tool, json!({"path": "a", "shellId": "1", "intent": "Looking around"})).passed_silently();
    }
    for tool in ["write_bash", "write_powershell", "task", "skill"] {
        call(tool, json!({"shellId": "1", "input": "x{enter}"})).denied("no catalog has an entry for it");
    }
}
