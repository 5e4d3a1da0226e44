//! GitHub Copilot CLI: its hook JSON by its documents (github/docs, content/copilot/reference/hooks-reference.md) and its
//! ways to be answered.
//!
//! Two spellings, chosen by how the event is written in its settings: `preToolUse` sends camelCase without the event's name,
//! `PreToolUse` snake_case with Claude Code's names for the tools (`bash` and `powershell` are both `Bash` there), but with
//! this host's arguments. A hook that ends with anything but 0 denies; one that takes too long never does.

use super::answers::by_exit_code;
use super::fields::{
    Fields, When, apart, arguments_or_text, call, canonical_at, event, in_lasting_shell, named_like_claudes, when,
};
use super::{Dialect, Event, Fit};
use crate::call::ToolCall;
use crate::json::Json;

/// What this host says and understands. It waits 30 s by its documents.
pub(super) static DIALECT: Dialect = Dialect {
    name: "copilot-cli",
    agent: "copilot",
    timeout: 30,
    settings: &[
        "/.copilot/config.json",
        "/.copilot/settings.json",
        "/.github/copilot/settings.json",
        "/.github/copilot/settings.local.json",
    ],
    folders: &["/.github/hooks", "/.copilot/hooks", "/etc/github-copilot"],
    fits,
    read,
    answer: by_exit_code,
    canonical_input: |bytes, call| canonical_at(bytes, call, &[&["toolArgs"], &["tool_input"]]),
    prompt: |_, _| None,
};

fn fits(json: &Json) -> Fit {
    let has = |key: &str| json.get(key).is_some();
    if has("toolName") {
        // Without a session it may be an older version's; with an event's name it is another host's.
        return Fit::sure(has("timestamp") && !has("hookEventName") && !has("hook_event_name"));
    }
    if !has("hook_event_name") {
        // A session begins or ends.
        return Fit::may(has("timestamp") && has("cwd"));
    }
    let bare =
        !["permission_mode", "tool_use_id", "transcript_path", "conversation_id", "turn_id"].iter().any(|key| has(key));
    let event = json.text("hook_event_name").unwrap_or_default();
    match has("session_id") && has("timestamp") && event.ends_with("ToolUse") {
        true if bare => Fit::Sure,
        _ => Fit::may(has("timestamp")),
    }
}

const EVENTS: &[(&str, When)] = &[
    ("PreToolUse", When::Before),
    ("PostToolUse", When::After),
    ("PostToolUseFailure", When::Failed),
    ("SessionStart", When::Never),
    ("SessionEnd", When::Never),
];

/// The fields of the events of a session, which name neither themselves nor a tool.
const SESSION: &[&str] = &["sessionId", "timestamp", "cwd", "source", "reason", "initialPrompt"];

fn read(json: Json) -> Result<Event, String> {
    let mut fields = Fields::of(json)?;
    let camel = ["toolName", "toolArgs", "sessionId"].iter().any(|key| fields.has(key));
    let snake = ["hook_event_name", "tool_name", "tool_input", "session_id"].iter().any(|key| fields.has(key));
    if camel && snake {
        return Err("the hook's input is in two spellings at once".into());
    }
    if snake {
        let when = when(fields.take("hook_event_name"), "hook_event_name", EVENTS)?;
        let response = fields.take("tool_result");
        return tool_event(fields, when, response, ["tool_name", "tool_input", "session_id"]);
    }
    // The event is not named. What is there and empty tells of no call that has ended.
    let mut told = |key: &str| fields.take(key).filter(|value| *value != Json::Null);
    let (response, error) = (told("toolResult"), told("error"));
    let when = match (fields.has("toolName"), &response) {
        (true, Some(_)) => When::After,
        (true, None) if error.is_some() => When::Failed,
        (true, None) => When::Before,
        (false, _) if fields.all_of(SESSION) && (fields.has("source") || fields.has("reason")) => When::Never,
        (false, _) => return Err("the hook's input has no toolName".into()),
    };
    tool_event(fields, when, response, ["toolName", "toolArgs", "sessionId"])
}

fn tool_event(mut fields: Fields, when: When, response: Option<Json>, keys: [&str; 3]) -> Result<Event, String> {
    let [name, input, session] = keys;
    event(when, response, || {
        let name = fields.tool_name(name)?;
        let input = arguments_or_text(fields.take(input), input)?;
        let (cwd, session) = (fields.text("cwd"), fields.text(session));
        // Whether its sub-agents' calls are hooked is not documented.
        let tool = apart(named_like_claudes(&name), "copilot", &["Agent", "Task"]);
        let mut pending = ToolCall { cwd, session, ..call(tool, name, input) };
        in_lasting_shell(&mut pending, &["bash", "powershell", "Bash"]);
        Ok(pending)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_without_a_name_is_one_that_decides_nothing_only_if_nothing_else_fits() {
        let read = |more: &str| {
            let json = format!(r#"{{"timestamp":1,"cwd":"/p"{more}}}"#);
            super::super::read(None, Json::parse(json.as_bytes()).unwrap()).map(|(_, event)| event)
        };
        let tool = r#","sessionId":"s","toolName":"bash","toolArgs":{"command":"x"}"#;
        for more in ["", r#","toolResult":null"#, r#","error":null"#, r#","error":null,"toolResult":null"#] {
            let event = read(&format!("{tool}{more}")).unwrap();
            assert!(matches!(event, Event::Pending(_)), "{more}: {event:?}");
        }
        assert!(matches!(read(&format!(r#"{tool},"error":"no""#)), Ok(Event::Failed { .. })));
        assert!(matches!(read(&format!(r#"{tool},"toolResult":{{}}"#)), Ok(Event::Answered { .. })));
        for more in [r#","source":"new","initialPrompt":"x","sessionId":"s""#, r#","reason":"complete""#] {
            assert_eq!(read(more), Ok(Event::Other), "{more}");
        }
        // Perhaps another host's call of a tool.
        for more in [r#","source":"agent","tool":"bash","args":{"command":"x"}"#, r#","reason":"r","command":"x""#] {
            assert!(read(more).is_err(), "{more}");
        }
    }
}
