//! Any bytes on the hook's stdin, as any host sends them: a call that is a change, as that host's tool would read it, is never let
//! run, whatever else stands in the input; and everything that the hook answers is a pass, a deny or Claude Code's own prompt.

use super::ground::{first, folder, text, within};
use serde_json::Value;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;
use zerto_guard::hook;
use zerto_guard::hosts::{Host, Output};
use zerto_guard::json::Json;
use zerto_guard::state::StateDir;
use zerto_guard::state::questions::{Question, Questions};

/// What each host sends before its shell runs that command; several where it has several ways. The first of each is what
/// more is added to.
pub const CALLS: &[(Host, &str)] = &[
    (Host::ClaudeCode, include_str!("../../tests/hook-stdin/claude-code-2.1.332/bash-ssh-restart.default.json")),
    (Host::Codex, include_str!("../../tests/hook-stdin/codex-0.171.0/bash-ssh-restart.bypassPermissions.json")),
    (Host::GeminiCli, include_str!("../../tests/hook-stdin/gemini-cli-0.61.0/shell-ssh-restart.json")),
    (Host::CopilotCli, include_str!("../../tests/hook-stdin/copilot-cli-documented/shell-ssh-restart.json")),
    (Host::VsCode, include_str!("../../tests/hook-stdin/vscode-documented/shell-ssh-restart.json")),
    (Host::Cursor, include_str!("../../tests/hook-stdin/cursor-documented/before-shell-ssh-restart.json")),
    (Host::Windsurf, include_str!("../../tests/hook-stdin/windsurf-documented/shell-ssh-restart.json")),
    (Host::Qwen, include_str!("../../tests/hook-stdin/qwen-documented/shell-ssh-restart.json")),
    (Host::Droid, include_str!("../../tests/hook-stdin/droid-documented/shell-ssh-restart.json")),
    (Host::Kiro, include_str!("../../tests/hook-stdin/kiro-documented/shell-ssh-restart.json")),
    (Host::Cline, include_str!("../../tests/hook-stdin/cline-documented/shell-ssh-restart.json")),
    (Host::OpenCode, include_str!("../../tests/hook-stdin/opencode-documented/shell-ssh-restart.json")),
    (Host::Cursor, include_str!("../../tests/hook-stdin/cursor-documented/shell-ssh-restart.json")),
];

/// What of an input makes it a call: where, and what has to stand there.
type Essence = Vec<(String, Value)>;

/// Finds it below a value that stands at a place.
fn essence(value: &Value, at: &str, found: &mut Essence) {
    const NAMES: &[&str] = &[
        "hook_event_name", "hookEventName", "hookName", "agent_action_name", "event", "plugin", "tool_name", "toolName", "tool",
    ];
    let Value::Object(fields) = value else { return };
    for (name, value) in fields {
        let here = format!("{at}/{name}");
        let is_command = value.as_str().is_some_and(|text| text.contains("ssh web01"));
        if is_command || NAMES.contains(&name.as_str()) {
            found.push((here.clone(), value.clone()));
        }
        essence(value, &here, found);
    }
}

fn essences() -> &'static [(Host, Essence)] {
    static ESSENCES: OnceLock<Vec<(Host, Essence)>> = OnceLock::new();
    ESSENCES.get_or_init(|| {
        let of = |(host, text): &(Host, &str)| {
            let mut found = Vec::new();
            essence(&serde_json::from_str(text).unwrap(), "", &mut found);
            assert!(found.len() >= 2, "{found:?}");
            (*host, found)
        };
        CALLS.iter().map(of).collect()
    })
}

/// Whether the host's shell is about to run the command, by the last of a key that is given twice.
fn is_change(host: Host, input: &Value) -> bool {
    // Copilot names no event where it sends this spelling: the tool's answer is what tells that it has run.
    let ran = host == Host::CopilotCli && ["toolResult", "error", "tool_result"].iter().any(|key| input.get(key).is_some());
    !ran && essences().iter().filter(|(of, _)| *of == host).any(|(_, essence)| {
        essence.iter().all(|(at, value)| input.pointer(at) == Some(value))
    })
}

/// A question's id, which only a human may answer with: no text of a call that holds one is let run.
const ID: &str = "zgq-ab3de5gh7jk9m";

/// Runs one input: a byte for the host, one for how the rest is meant (the whole input; more for a call's fields, before or
/// behind them or among the tool's; a command that holds an id, for `ID` or at its end), then the rest.
pub fn run(bytes: &[u8]) {
    let (which, bytes) = first(bytes);
    let (how, bytes) = first(bytes);
    let (host, call) = CALLS[usize::from(which & 127) % CALLS.len()];
    let call = call.trim();
    if how % 5 == 4 {
        return within(10, || holds_id(host, call, text(bytes)));
    }
    let input = match how % 5 {
        0 => bytes.to_vec(),
        1 => format!("{},{}}}", &call[..call.len() - 1], text(bytes)).into_bytes(),
        2 => format!("{{{},{}", text(bytes), &call[1..]).into_bytes(),
        _ => {
            let at = call.find("ssh web01").and_then(|at| call[..at].rfind('{')).unwrap_or(0) + 1;
            format!("{}{},{}", &call[..at], text(bytes), &call[at..]).into_bytes()
        }
    };
    within(10, || any(host, which & 128 == 0, &input));
}

fn any(host: Host, named: bool, input: &[u8]) {
    let mut arguments = arguments().to_vec();
    if named {
        arguments.push(format!("--host={}", host.name()).into());
    }
    let output = hook::run(&arguments, input, None, Some(home().into()));
    known(&output, named.then_some(host));
    let Ok(value) = serde_json::from_slice::<Value>(input) else {
        return assert!(is_deny(&output), "garbage is let run: {output:?}");
    };
    if named && is_change(host, &value) {
        assert!(is_deny(&output), "{output:?}");
    }
    if !named && let Ok(json) = Json::parse(input) && let Ok((told, _)) = zerto_guard::hosts::read(None, json) && is_change(told, &value) {
        assert!(is_deny(&output), "{told:?} {output:?}");
    }
}

fn holds_id(host: Host, call: &str, command: &str) {
    let mut value: Value = serde_json::from_str(call).unwrap();
    let (_, essence) = essences().iter().find(|(of, _)| *of == host).unwrap();
    let at = essence.iter().find(|(_, value)| value.as_str().is_some_and(|text| text.starts_with("ssh web01")));
    // Where the arguments are a text themselves, it is the same to the guard.
    let Some(place) = at.and_then(|(at, _)| value.pointer_mut(at)) else { return };
    let command = if command.contains("ID") { command.replace("ID", ID) } else { format!("{command} {ID}") };
    *place = Value::from(command.as_str());
    asked();
    let mut arguments = arguments().to_vec();
    arguments.pop();
    arguments.push(format!("--state-dir={}", home().join("asked").display()).into());
    arguments.push(format!("--host={}", host.name()).into());
    let output = hook::run(&arguments, value.to_string().as_bytes(), None, Some(home().into()));
    known(&output, Some(host));
    let asks = || output.stdout.contains("\"permissionDecision\":\"ask\"");
    assert!(is_deny(&output) || asks(), "{command:?} {output:?}");
}

/// Puts the question with that id, in a state folder of its own: in another one newer questions would push it out.
fn asked() {
    static ASKED: OnceLock<()> = OnceLock::new();
    ASKED.get_or_init(|| {
        let question = Question {
            asked: jiff::Timestamp::now(),
            call: "0".into(),
            what: "x".into(),
            input: "x".into(),
            guests: vec![],
            reason: "x".into(),
            cwd: "/".into(),
            remember: None,
        };
        Questions::of(&StateDir::at(home().join("asked"))).unwrap().ask(ID, &question).unwrap();
    });
}

/// Whether the host stops the call for it.
fn is_deny(output: &Output) -> bool {
    let cancels = || serde_json::from_str::<Value>(&output.stdout).is_ok_and(|json| json["cancel"] == true);
    output.code == 2 && output.stdout.is_empty() && output.stderr.starts_with("zerto-guard: ") || output.code == 0 && cancels()
}

/// The answer is of a known kind.
fn known(output: &Output, host: Option<Host>) {
    if output.code == 2 {
        assert!(output.stdout.is_empty() && output.stderr.starts_with("zerto-guard: "), "{output:?}");
        assert!(host != Some(Host::Cline), "{output:?}");
        assert!(!output.stderr.contains('\u{1b}'), "{output:?}");
        return;
    }
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    if !output.stdout.is_empty() {
        let json: Value = serde_json::from_str(&output.stdout).unwrap();
        let decision = json.pointer("/hookSpecificOutput/permissionDecision");
        assert!(decision.is_none_or(|decision| decision == "ask" || decision == "deny"), "{json}");
        assert!(json.get("decision").is_none_or(|decision| decision != "allow" && decision != "approve"), "{json}");
    }
}

fn home() -> PathBuf {
    static HOME: OnceLock<PathBuf> = OnceLock::new();
    HOME.get_or_init(folder).clone()
}

/// Everything that the hook keeps lies in this process's own folder.
fn arguments() -> &'static [OsString] {
    static ARGUMENTS: OnceLock<Vec<OsString>> = OnceLock::new();
    ARGUMENTS.get_or_init(|| {
        let option = |name: &str, file: &str| OsString::from(format!("{name}={}", home().join(file).display()));
        for file in ["config.toml", "catalog.toml"] {
            std::fs::write(home().join(file), "").unwrap();
        }
        vec!["hook".into(), option("--config", "config.toml"), option("--catalog", "catalog.toml"), option("--state-dir", "state")]
    })
}
