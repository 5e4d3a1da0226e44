//! Claude Code: its hook JSON (measured on 2.1.332 and 2.1.197) and its ways to be answered.

use super::{Answer, Event, Output, deny};
use crate::call::{Tool, ToolCall};
use crate::json::{Json, canonical};
use std::path::Path;
use std::time::Duration;

/// Whether the fields are those of Claude Code. Hosts that copied its hooks add fields of their own to them
/// (Codex CLI: `turn_id`), and what is printed for Claude Code would be an error there.
pub fn is_from(json: &Json) -> bool {
    json.text("hook_event_name").is_some_and(|name| name.chars().next().is_some_and(char::is_uppercase))
        && json.get("session_id").is_some()
        && json.get("turn_id").is_none()
        && json.get("timestamp").is_none()
}

/// Reads the event.
pub fn read(json: Json) -> Result<Event, String> {
    let Json::Object(fields) = json else {
        return Err("the hook's input is no JSON object".into());
    };
    let (mut event, mut name, mut input, mut server, mut response) = (None, None, None, None, None);
    let (mut cwd, mut session, mut id, mut mode) = (None, None, None, None);
    let (mut took, mut interrupted) = (None, false);
    for (key, value) in fields {
        match key.as_str() {
            "hook_event_name" => event = Some(value),
            "tool_name" => name = Some(value),
            "tool_input" => input = Some(value),
            "mcp_server" => server = Some(value),
            "tool_response" => response = Some(value),
            "cwd" => cwd = text(value),
            "session_id" => session = text(value),
            "tool_use_id" => id = text(value),
            "permission_mode" => mode = text(value),
            "duration_ms" => took = millis(&value),
            // By its documents.
            "is_interrupt" => interrupted = value == Json::Bool(true),
            _ => {}
        }
    }
    let when = match event.as_ref().map(|event| event.as_text().unwrap_or_default()) {
        Some("PreToolUse") => When::Before,
        Some("PostToolUse") => When::Answered,
        Some("PostToolUseFailure") => When::Failed,
        Some("SessionStart") => return Ok(Event::Started { cwd }),
        Some(_) => return Err("the hook was called for an event that it does not know".into()),
        None => return Err("the hook's input has no hook_event_name".into()),
    };
    let call = || {
        let name = name.and_then(text).filter(|name| !name.is_empty()).ok_or("the hook's input has no tool_name")?;
        let input = input.unwrap_or(Json::Object(vec![]));
        if !input.is_object() {
            return Err("the tool_input is no JSON object".into());
        }
        // In auto and bypassPermissions reports contradict each other, and in dontAsk nobody is there (measured).
        let asks_human = mode.is_some_and(|mode| ["default", "acceptEdits", "plan"].contains(&mode.as_str()));
        let tool = tool(&name, server.as_ref())?;
        Ok(ToolCall { prompt: None, tool, name, input, cwd, session, id, asks_human })
    };
    match (when, call()) {
        (When::Before, call) => call.map(Event::Pending),
        // The call has run: what is not understood of it can't be stopped any more, and nothing is learnt from it.
        (_, Err(_)) => Ok(Event::Other),
        (When::Answered, Ok(call)) => Ok(Event::Answered { call, response: response.unwrap_or(Json::Null), took }),
        (When::Failed, Ok(call)) => Ok(Event::Failed { call, interrupted, took }),
    }
}

enum When {
    Before,
    Answered,
    Failed,
}

fn millis(value: &Json) -> Option<Duration> {
    match value {
        Json::Number(number) => Duration::try_from_secs_f64(number.as_f64()? / 1000.0).ok(),
        _ => None,
    }
}

fn text(value: Json) -> Option<String> {
    match value {
        Json::Text(text) => Some(text),
        _ => None,
    }
}

/// Which tool the name means. The host says whether a server has it (`mcp_server`); where it does not, the name's
/// prefix has to do, and since `_` may be part of server and tool, the joined name is kept whole.
fn tool(name: &str, server: Option<&Json>) -> Result<Tool, String> {
    let Some(server) = server.filter(|server| **server != Json::Null) else {
        return Ok(match name.strip_prefix("mcp__") {
            Some(joined) => Tool::Joined(joined.to_owned()),
            None => Tool::Own(name.to_owned()),
        });
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
pub fn answer(answer: &Answer) -> Output {
    let (model, user) = match answer {
        Answer::Pass => return Output { code: 0, stdout: String::new(), stderr: String::new() },
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
pub fn started(user: &str, model: &str) -> Output {
    let json = serde_json::json!({
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": model},
        "systemMessage": user,
    });
    Output { code: 0, stdout: format!("{json}\n"), stderr: String::new() }
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

/// Whether hooks are set in a file of this path: the user's, any project's, a plugin's and the managed settings. The case
/// of letters does not matter, since it does not on some disks.
pub fn is_settings(path: &str) -> bool {
    let path = path.to_lowercase();
    let ends =
        ["/.claude/settings.json", "/.claude/settings.local.json", "/hooks/hooks.json", "/managed-settings.json"];
    ends.iter().any(|end| path.ends_with(end)) || path == "/etc/claude-code" || path.starts_with("/etc/claude-code/")
}

/// Whether a folder of this path holds such files.
pub fn holds_settings(path: &str) -> bool {
    path.to_lowercase().ends_with("/.claude")
}

/// Where the files may be that a skill's or a slash command's call expands; none for every other call. Which of several the
/// host takes differs by version, so all count; a plugin's is not looked for.
pub fn prompt(call: &ToolCall, home: Option<&Path>) -> Option<Vec<String>> {
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

/// The call's input in the form in which two spellings of it are equal, for an answer to be bound to it.
pub fn canonical_input(bytes: &[u8], call: &ToolCall) -> Result<String, String> {
    // What the host's own tools take besides their effect; a server's tool may well mean something by these names.
    let without_effect: &[&str] = match call.tool {
        Tool::Own(_) => &["description", "timeout"],
        _ => &[],
    };
    canonical(bytes, "tool_input", without_effect).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(json: &str) -> Result<ToolCall, String> {
        match super::super::read(None, Json::parse(json.as_bytes()).unwrap())?.1 {
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
            (r#"{"session_id":"s","hook_event_name":"BeforeTool","timestamp":"t","tool_name":"x"}"#, "no agent host"),
            (r#"{"session_id":"s","hook_event_name":"PreToolUse","turn_id":"t","tool_name":"Bash"}"#, "no agent host"),
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
                r#"{{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Read","permission_mode":"{mode}"}}"#
            );
            assert_eq!(pending(&json).unwrap().asks_human, real, "{mode}");
        }
    }

    #[test]
    fn what_has_no_effect_does_not_bind_an_answer() {
        let input = |tool: &str, server: &str, input: &str| {
            let json = format!(
                r#"{{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"{tool}"{server},"tool_input":{input}}}"#
            );
            let call = pending(&json).unwrap();
            canonical_input(json.as_bytes(), &call).unwrap()
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
            super::super::read(Some(super::super::Host::ClaudeCode), json).unwrap_err().contains("hook_event_name")
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
