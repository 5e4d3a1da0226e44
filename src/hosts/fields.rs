//! Taking a call out of a host's JSON: what the dialects share. Must not: know a host.

use super::Event;
use crate::call::{FOLDER, Tool, ToolCall};
use crate::json::{Json, canonical};

/// The fields of an object, taken out by name.
pub(super) struct Fields(Vec<(String, Json)>);

impl Fields {
    /// The fields of the whole input.
    pub fn of(json: Json) -> Result<Self, String> {
        match json {
            Json::Object(fields) => Ok(Self(fields)),
            _ => Err("the hook's input is no JSON object".into()),
        }
    }

    /// Whether the key is there, whatever it holds.
    pub fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(name, _)| name == key)
    }

    /// Whether all keys are among these.
    pub fn all_of(&self, keys: &[&str]) -> bool {
        self.0.iter().all(|(name, _)| keys.contains(&name.as_str()))
    }

    /// Takes what stands under the key.
    pub fn take(&mut self, key: &str) -> Option<Json> {
        let at = self.0.iter().position(|(name, _)| name == key)?;
        Some(self.0.swap_remove(at).1)
    }

    /// Takes a text; none if it is absent, or no text.
    pub fn text(&mut self, key: &str) -> Option<String> {
        text(self.take(key)?)
    }

    /// Takes a text that says something.
    pub fn filled(&mut self, key: &str) -> Option<String> {
        self.text(key).filter(|text| !text.is_empty())
    }

    /// Takes what stands under one of the keys, all of which mean the same thing.
    pub fn one_of(&mut self, keys: &[&str]) -> Result<Option<Json>, String> {
        let mut found = None;
        for key in keys {
            if let Some(value) = self.take(key)
                && found.replace(value).is_some()
            {
                return Err(format!("the hook's input has more than one of {}", keys.join(" and ")));
            }
        }
        Ok(found)
    }

    /// Takes an object's fields.
    pub fn object(&mut self, key: &str) -> Result<Self, String> {
        match self.take(key) {
            Some(Json::Object(fields)) => Ok(Self(fields)),
            _ => Err(format!("the hook's input has no object {key}")),
        }
    }

    /// Takes the tool's name.
    pub fn tool_name(&mut self, key: &str) -> Result<String, String> {
        self.filled(key).ok_or_else(|| format!("the hook's input has no {key}"))
    }

    /// The folder in which the call runs, where only the project's folders are told: known if there is one.
    pub fn only_folder(&mut self, key: &str) -> Option<String> {
        match self.take(key)? {
            Json::List(folders) => match folders.as_slice() {
                [Json::Text(folder)] if !folder.is_empty() => Some(folder.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Puts what is left together again.
    pub fn into_json(self) -> Json {
        Json::Object(self.0)
    }
}

/// A text's characters.
pub(super) fn text(value: Json) -> Option<String> {
    match value {
        Json::Text(text) => Some(text),
        _ => None,
    }
}

/// A tool's arguments: an object; none at all are an empty one.
pub(super) fn arguments(value: Option<Json>, key: &str) -> Result<Json, String> {
    match value {
        None => Ok(Json::Object(vec![])),
        Some(object @ Json::Object(_)) => Ok(object),
        Some(_) => Err(format!("the {key} is no JSON object")),
    }
}

/// A tool's arguments, which may be a text that holds the object: read as strictly as the input itself.
pub(super) fn arguments_or_text(value: Option<Json>, key: &str) -> Result<Json, String> {
    match value {
        Some(Json::Text(text)) => match Json::parse(text.as_bytes()) {
            Ok(object @ Json::Object(_)) => Ok(object),
            Ok(_) => Err(format!("the text of {key} is no JSON object")),
            Err(error) => {
                let error = crate::text::clean(&error.to_string(), 200);
                Err(format!("the text of {key} is not one JSON document ({error})"))
            }
        },
        value => arguments(value, key),
    }
}

/// When a host calls its hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// Before a tool is called.
    Before,
    /// After a tool has answered.
    After,
    /// After a tool has failed.
    Failed,
    /// As a session begins, on a host that can be told something then.
    Started,
    /// When nothing is decided.
    Never,
}

/// When it is, by the name of the event.
pub(super) fn when(event: Option<Json>, key: &str, names: &[(&str, When)]) -> Result<When, String> {
    let Some(event) = event else { return Err(format!("the hook's input has no {key}")) };
    let event = event.as_text().unwrap_or_default();
    let known = names.iter().find(|(name, _)| *name == event).map(|(_, when)| *when);
    known.ok_or_else(|| "the hook was called for an event that it does not know".into())
}

/// The event of a call.
pub(super) fn event(
    when: When,
    response: Option<Json>,
    call: impl FnOnce() -> Result<ToolCall, String>,
) -> Result<Event, String> {
    if matches!(when, When::Never | When::Started) {
        return Ok(Event::Other);
    }
    match (when, call()) {
        (When::Before, call) => call.map(Event::Pending),
        // The call has run: what is not understood of it can't be stopped any more, and nothing is learnt from it.
        (_, Err(_)) => Ok(Event::Other),
        (When::Failed, Ok(call)) => Ok(Event::Failed { call, interrupted: false, took: None }),
        (_, Ok(call)) => Ok(Event::Answered { call, response: response.unwrap_or(Json::Null), took: None }),
    }
}

/// Reads an event of a host whose fields have Claude Code's names; `tool` says which tool is meant.
pub(super) fn like_claudes(
    json: Json,
    events: &[(&str, When)],
    tool: impl FnOnce(&str, &mut Fields) -> Result<Tool, String>,
) -> Result<Event, String> {
    let mut fields = Fields::of(json)?;
    let when = when(fields.take("hook_event_name"), "hook_event_name", events)?;
    let response = fields.take("tool_response");
    event(when, response, || {
        let name = fields.tool_name("tool_name")?;
        let input = arguments(fields.take("tool_input"), "tool_input")?;
        let tool = tool(&name, &mut fields)?;
        let (cwd, session, id) = (fields.text("cwd"), fields.text("session_id"), fields.text("tool_use_id"));
        Ok(ToolCall { cwd, session, id, ..call(tool, name, input) })
    })
}

/// A call of the tool, of which nothing else is known yet.
pub(super) fn call(tool: Tool, name: String, input: Json) -> ToolCall {
    ToolCall { tool, name, input, cwd: None, session: None, id: None, prompt: None, asks_human: false }
}

/// The tool of a host that writes `mcp__<server>__<tool>` for a server's: `_` may be part of either, so the joined name is
/// kept whole.
pub(super) fn named_like_claudes(name: &str) -> Tool {
    match name.strip_prefix("mcp__") {
        Some(joined) => Tool::Joined(joined.to_owned()),
        None => Tool::Own(name.to_owned()),
    }
}

/// The tool of a host that is not known to mean the same by a name as another, or to hook the calls of its sub-agents: it is
/// judged as `<host>:<name>`.
pub(super) fn apart(tool: Tool, host: &str, names: &[&str]) -> Tool {
    match tool {
        Tool::Own(name) if names.contains(&name.as_str()) => Tool::Own(format!("{host}:{name}")),
        tool => tool,
    }
}

/// Says of a call of one of these shells that it lives on from call to call (see [`ToolCall::shell_lives_on`]).
pub(super) fn in_lasting_shell(call: &mut ToolCall, shells: &[&str]) {
    let (Tool::Own(name), Json::Object(fields)) = (&call.tool, &mut call.input) else { return };
    if shells.contains(&name.as_str()) {
        fields.retain(|(name, _)| name != FOLDER);
        fields.push((FOLDER.into(), Json::Null));
    }
}

/// The call's input in canonical form: the first of these places in the host's JSON that is there.
pub(super) fn canonical_at(bytes: &[u8], call: &ToolCall, places: &[&[&str]]) -> Result<String, String> {
    // What the host's own tools take besides their effect; a server's tool may well mean something by these names.
    let without_effect: &[&str] = match call.tool {
        Tool::Own(_) => &["description", "timeout"],
        _ => &[],
    };
    for place in places {
        if let Some(text) = canonical(bytes, place, without_effect).map_err(|error| error.to_string())? {
            return Ok(text);
        }
    }
    Ok("null".into())
}

/// See [`super::canonical_input`], of a host that sends it as `tool_input`.
pub(super) fn canonical_tool_input(bytes: &[u8], call: &ToolCall) -> Result<String, String> {
    canonical_at(bytes, call, &[&["tool_input"]])
}
