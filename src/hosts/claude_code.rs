//! Claude Code: its hook JSON (measured on 2.1.332 and 2.1.197) and its ways to be answered.

use super::answers::{deny, pass};
use super::fields::{Fields, When, arguments, call, canonical_tool_input, event, named_like_claudes, when};
use super::{Answer, Dialect, Event, Fit, Output};
use crate::call::{Tool, ToolCall};
use crate::json::Json;
use std::path::Path;
use std::time::Duration;

/// What this host says and understands. It waits 600 s by its documents.
pub(super) static DIALECT: Dialect = Dialect {
    name: "claude-code",
    agent: "claude",
    timeout: 600,
    // The user's, any project's, a plugin's and the managed settings.
    settings: &[
        "/.claude/settings.json",
        "/.claude/settings.local.json",
        "/hooks/hooks.json",
        "/managed-settings.json",
    ],
    folders: &["/etc/claude-code"],
    fits,
    read,
    answer,
    canonical_input: canonical_tool_input,
    prompt,
};

/// Hosts that copied its hooks add fields of their own to them, and what is printed for Claude Code would be an error there.
/// Factory Droid's need not differ (see `droid`).
fn fits(json: &Json) -> Fit {
    const OTHERS: &[&str] =
        &["turn_id", "timestamp", "conversation_id", "generation_id", "cursor_version", "hookEventName", "sessionId"];
    let event = json.text("hook_event_name").unwrap_or_default();
    let its_own = event.starts_with(char::is_uppercase) && json.get("session_id").is_some();
    Fit::sure(its_own && OTHERS.iter().all(|field| json.get(field).is_none()))
}

const EVENTS: &[(&str, When)] = &[
    ("PreToolUse", When::Before),
    ("PostToolUse", When::After),
    ("PostToolUseFailure", When::Failed),
    ("SessionStart", When::Started),
];

fn read(json: Json) -> Result<Event, String> {
    let mut fields = Fields::of(json)?;
    let when = when(fields.take("hook_event_name"), "hook_event_name", EVENTS)?;
    if when == When::Started {
        return Ok(Event::Started { cwd: fields.text("cwd") });
    }
    let response = fields.take("tool_response");
    let took = fields.take("duration_ms").as_ref().and_then(millis);
    // By its documents.
    let broken_off = fields.take("is_interrupt") == Some(Json::Bool(true));
    let event = event(when, response, || {
        let name = fields.tool_name("tool_name")?;
        let input = arguments(fields.take("tool_input"), "tool_input")?;
        let tool = tool(&name, fields.take("mcp_server").as_ref())?;
        let id = fields.text("tool_use_id");
        // In auto and bypassPermissions reports contradict each other, and in dontAsk nobody is there (measured). Every call
        // of this host has an id (measured); one without may be a copy of this host.
        let mode = fields.text("permission_mode");
        let asks_human =
            id.is_some() && mode.is_some_and(|mode| ["default", "acceptEdits", "plan"].contains(&mode.as_str()));
        let (cwd, session) = (fields.text("cwd"), fields.text("session_id"));
        Ok(ToolCall { cwd, session, id, asks_human, ..call(tool, name, input) })
    })?;
    Ok(event.ended(took, broken_off))
}

fn millis(value: &Json) -> Option<Duration> {
    match value {
        Json::Number(number) => Duration::try_from_secs_f64(number.as_f64()? / 1000.0).ok(),
        _ => None,
    }
}

/// Which tool the name means. The host says whether a server has it (`mcp_server`); where it does not, the name's
/// prefix has to do, and since `_` may be part of server and tool, the joined name is kept whole.
fn tool(name: &str, server: Option<&Json>) -> Result<Tool, String> {
    let Some(server) = server.filter(|server| **server != Json::Null) else {
        return Ok(named_like_claudes(name));
    };
    let server = server.text("name").filter(|name| !name.is_empty()).ok_or("the mcp_server has no name")?;
    // The host writes most characters of a server's name as `_` when it joins them.
    let key = crate::catalog::prepared::server_key(server);
    let tool = match name.strip_prefix("mcp__") {
        None => name,
        Some(joined) => joined
            .strip_prefix(key.as_ref())
            .and_then(|rest| rest.strip_prefix("__"))
            .ok_or("the tool_name does not begin with the mcp_server's name")?,
    };
    if tool.is_empty() {
        return Err("the tool_name names no tool of its mcp_server".into());
    }
    // A plugin's server is `plugin:<plugin>:<server>`; clients know it by the last part.
    let server = if server.starts_with("plugin:") { server.rsplit(':').next().unwrap_or(server) } else { server };
    if server.is_empty() {
        return Err("the mcp_server has no name behind its plugin's".into());
    }
    Ok(Tool::OfServer { server: server.to_owned(), tool: tool.to_owned() })
}

/// Puts an answer into the host's words. There is never a decision on stdout: `allow` would skip the user's own prompt.
pub(super) fn answer(answer: &Answer) -> Output {
    let (model, user) = match answer {
        Answer::Pass => return pass(),
        Answer::Deny(text) => return deny(text),
        Answer::Told { model, user } => (model, user),
        Answer::Ask(reason) => return ask(reason),
    };
    let mut json = serde_json::Map::new();
    if !model.is_empty() {
        let context = serde_json::json!({"hookEventName": "PreToolUse", "additionalContext": model});
        json.insert("hookSpecificOutput".into(), context);
    }
    if !user.is_empty() {
        json.insert("systemMessage".into(), user.as_str().into());
    }
    let stdout = format!("{}\n", serde_json::Value::Object(json));
    Output { code: 0, stdout, stderr: String::new() }
}

/// What is said as a session begins: by its documents the same fields as before a call.
pub(super) fn started(user: &str, model: &str) -> Output {
    let json = serde_json::json!({
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": model},
        "systemMessage": user,
    });
    Output { stdout: format!("{json}\n"), ..pass() }
}

/// The host's own prompt, with what the human is about to allow.
fn ask(reason: &str) -> Output {
    let json = serde_json::json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "ask",
        "permissionDecisionReason": reason,
    }});
    Output { code: 0, stdout: format!("{json}\n"), stderr: String::new() }
}

/// Where the files may be that a skill's or a slash command's call expands; none for every other call. Which of several the
/// host takes differs by version, so all count; a plugin's is not looked for.
fn prompt(call: &ToolCall, home: Option<&Path>) -> Option<Vec<String>> {
    let Tool::Own(tool) = &call.tool else { return None };
    let name = match tool.as_str() {
        "Skill" => ["skill", "command"].iter().find_map(|key| call.input.text(key)).unwrap_or_default(),
        "SlashCommand" => call.input.text("command").unwrap_or_default(),
        _ => return None,
    };
    // Arguments come behind the name.
    let name = name.trim().trim_start_matches('/').split_whitespace().next().unwrap_or_default();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
    if name.is_empty() || !name.chars().all(plain) || name.contains("..") {
        return Some(vec![]);
    }
    let cwd = call.cwd.as_deref().map(Path::new);
    let folders = cwd.into_iter().flat_map(Path::ancestors).chain(home).chain([Path::new("/etc/claude-code")]);
    let files = folders.flat_map(|folder| {
        let claude = folder.join(".claude");
        // `a:b` is the command b of the folder a.
        [
            claude.join("skills").join(name).join("SKILL.md"),
            claude.join("commands").join(format!("{}.md", name.replace(':', "/"))),
        ]
    });
    Some(files.map(|file| file.to_string_lossy().into_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(json: &str) -> Result<ToolCall, String> {
        match super::super::read(None, Json::parse(json.as_bytes()).unwrap()).map_err(|(_, why)| why)?.1 {
            Event::Pending(call) => Ok(call),
            event => Err(format!("{event:?}").to_lowercase()),
        }
    }

    fn named(name: &str, server: &str) -> Result<Tool, String> {
        let json = format!(
            r#"{{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"{name}","tool_input":{{}}{server}}}"#
        );
        pending(&json).map(|call| call.tool)
    }

    #[test]
    fn the_server_is_told_by_its_field_and_else_by_the_joined_name() {
        let of = |server: &str, tool: &str| Ok(Tool::OfServer { server: server.into(), tool: tool.into() });
        assert_eq!(named("Bash", ""), Ok(Tool::Own("Bash".into())));
        assert_eq!(named("mcp__a__b__c", ""), Ok(Tool::Joined("a__b__c".into())));
        assert_eq!(named("mcp__winrm__run_ps", r#","mcp_server":{"name":"winrm"}"#), of("winrm", "run_ps"));
        assert_eq!(named("mcp__a__b__c", r#","mcp_server":{"name":"a__b"}"#), of("a__b", "c"));
        assert_eq!(named("mcp__g_com_x__t", r#","mcp_server":{"name":"g.com/x"}"#), of("g.com/x", "t"));
        assert_eq!(named("mcp__plugin_p_s__t", r#","mcp_server":{"name":"plugin:p:s"}"#), of("s", "t"));
        assert_eq!(named("mcp__a__t", r#","mcp_server":null"#), Ok(Tool::Joined("a__t".into())));
        // A name that says one server and a field that says another is not believed at all.
        assert!(named("mcp__evil__get_x", r#","mcp_server":{"name":"winrm"}"#).is_err());
        assert!(named("mcp__winrm__", r#","mcp_server":{"name":"winrm"}"#).is_err());
        assert!(named("mcp__winrm__x", r#","mcp_server":{"source":"user"}"#).is_err());
        assert!(named("mcp__plugin_x___Read", r#","mcp_server":{"name":"plugin:x:"}"#).is_err());
        // A host's own tool that only looks like a server's by its field is that server's.
        assert_eq!(named("run", r#","mcp_server":{"name":"x"}"#), of("x", "run"));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (json, part) in [
            (r#"[]"#, "no JSON object"),
            (r#"{}"#, "no agent host"),
            (r#"{"session_id":"s","tool_name":"Read"}"#, "no agent host"),
            (r#"{"session_id":"s","hook_event_name":"Stop"}"#, "does not know"),
            (r#"{"session_id":"s","hook_event_name":"PreToolUse"}"#, "no tool_name"),
            (r#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":""}"#, "no tool_name"),
            (r#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":7}"#, "no tool_name"),
            (
                r#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":"x"}"#,
                "no JSON object",
            ),
        ] {
            let error = pending(json).unwrap_err();
            assert!(error.contains(part), "{json}: {error}");
        }
        for (event, read) in
            [("PostToolUse", "other"), ("PostToolUseFailure", "other"), ("SessionStart", "started { cwd: none }")]
        {
            let json = format!(r#"{{"session_id":"s","hook_event_name":"{event}","unknown":1}}"#);
            assert_eq!(pending(&json).unwrap_err(), read, "{event}");
        }
    }

    #[test]
    fn an_answer_comes_with_its_call_and_a_broken_one_is_nothing() {
        let read = |fields: &str| {
            let json = format!(r#"{{"session_id":"s","hook_event_name":"PostToolUse"{fields}}}"#);
            super::super::read(None, Json::parse(json.as_bytes()).unwrap()).unwrap().1
        };
        let event =
            read(r#","tool_name":"mcp__ssh__connect","tool_input":{"host":"a"},"tool_response":[1],"duration_ms":2"#);
        let Event::Answered { call, response, took } = event else { panic!("{event:?}") };
        assert_eq!(took, Some(Duration::from_millis(2)));
        assert_eq!((call.tool, call.session.as_deref()), (Tool::Joined("ssh__connect".into()), Some("s")));
        assert_eq!(response, Json::parse(b"[1]").unwrap());
        let event = read(r#","tool_name":"Read""#);
        assert!(matches!(&event, Event::Answered { response: Json::Null, .. }), "{event:?}");
        for broken in [
            "",
            r#","tool_name":7"#,
            r#","tool_name":"x","tool_input":[]"#,
            r#","tool_name":"mcp__evil__x","mcp_server":{"name":"winrm"}"#,
        ] {
            assert_eq!(read(broken), Event::Other, "{broken}");
        }
        for (duration, took) in [("1500", Some(1500)), ("0.5", Some(0)), ("-1", None), ("\"1\"", None), ("1e300", None)]
        {
            let event = read(&format!(r#","tool_name":"Read","duration_ms":{duration}"#));
            let Event::Answered { took: read, .. } = event else { panic!("{event:?}") };
            assert_eq!(read.map(|took| took.as_millis()), took, "{duration}");
        }
    }

    #[test]
    fn a_failure_comes_with_its_call() {
        for (fields, broken_off) in [("", false), (r#","is_interrupt":true"#, true), (r#","is_interrupt":1"#, false)] {
            let json = format!(
                r#"{{"session_id":"s","hook_event_name":"PostToolUseFailure","tool_name":"Read","error":"no"{fields}}}"#
            );
            let event = super::super::read(None, Json::parse(json.as_bytes()).unwrap()).unwrap().1;
            let Event::Failed { interrupted, .. } = event else { panic!("{event:?}") };
            assert_eq!(interrupted, broken_off, "{fields}");
        }
    }

    #[test]
    fn a_prompt_is_real_in_three_modes_only() {
        for (mode, real) in [
            ("default", true),
            ("acceptEdits", true),
            ("plan", true),
            ("auto", false),
            ("dontAsk", false),
            ("bypassPermissions", false),
            ("newMode", false),
        ] {
            let json = format!(
                r#"{{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Read","permission_mode":"{mode}","tool_use_id":"t"}}"#
            );
            assert_eq!(pending(&json).unwrap().asks_human, real, "{mode}");
            let copy = json.replace(r#","tool_use_id":"t""#, "");
            assert!(!pending(&copy).unwrap().asks_human, "{mode}");
        }
    }

    #[test]
    fn what_has_no_effect_does_not_bind_an_answer() {
        let input = |tool: &str, server: &str, input: &str| {
            let json = format!(
                r#"{{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"{tool}"{server},"tool_input":{input}}}"#
            );
            let call = pending(&json).unwrap();
            canonical_tool_input(json.as_bytes(), &call).unwrap()
        };
        let bash = |text: &str| input("Bash", "", text);
        assert_eq!(
            bash(r#"{"command":"x","description":"a","timeout":1}"#),
            bash(r#"{"description":"b","command":"x"}"#)
        );
        assert_ne!(bash(r#"{"command":"x"}"#), bash(r#"{"command":"y"}"#));
        let mcp = |text: &str| input("mcp__s__t", r#","mcp_server":{"name":"s"}"#, text);
        assert_ne!(mcp(r#"{"description":"a"}"#), mcp(r#"{"description":"b"}"#), "a server may mean something by it");
    }

    #[test]
    fn a_named_host_needs_its_event() {
        let json = Json::parse(br#"{"tool_name":"Read","tool_input":{}}"#).unwrap();
        assert!(
            super::super::read(Some(super::super::Host::ClaudeCode), json).unwrap_err().1.contains("hook_event_name")
        );
    }

    #[test]
    fn no_answer_holds_a_decision() {
        let told = answer(&Answer::Told { model: "m\"1".into(), user: "u".into() });
        assert_eq!(told.code, 0);
        assert_eq!(
            told.stdout,
            "{\"hookSpecificOutput\":{\"additionalContext\":\"m\\\"1\",\"hookEventName\":\"PreToolUse\"},\"systemMessage\":\"u\"}\n"
        );
        let deny = answer(&Answer::Deny("why".into()));
        assert_eq!((deny.code, deny.stdout.as_str(), deny.stderr.as_str()), (2, "", "zerto-guard: why\n"));
    }
}
