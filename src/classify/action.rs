//! What a call does, in words for the tag. Pure.

use crate::call::{Tool, ToolCall};
use crate::catalog::Hit;
use crate::catalog::model::{Entry, Rule};
use crate::json::Json;

/// What the call does, for the tag: the entry's text, else the caller's own description, else the text that it runs, else
/// the tool's name.
pub(super) fn of(call: &ToolCall, decided: Option<Hit>) -> String {
    if let Some(Hit { entry, .. }) = decided
        && let Rule::Mutating { action, .. } = entry.rule
        && !action.is_empty()
    {
        return fill(action, &call.input);
    }
    let described = call.input.text("description").map(str::trim).filter(|text| !text.is_empty());
    if let Some(text) = described {
        return text.to_owned();
    }
    if let Some(Hit { entry: Entry { rule: Rule::Script { script, .. }, .. }, .. }) = decided
        && let Some(text) = call.input.at(script).into_iter().find_map(Json::as_text)
    {
        return text.trim().to_owned();
    }
    match &call.tool {
        Tool::OfServer { server, tool } => format!("{server} {tool}"),
        Tool::Own(name) | Tool::OfSomeServer(name) | Tool::Underscored(name) => name.clone(),
        Tool::Joined(name) => name.replace("__", " "),
    }
}

/// Puts the call's arguments into an action's text; one that is absent leaves its braces.
fn fill(template: &str, input: &Json) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, from)) = rest.split_once('{') {
        text.push_str(before);
        let Some((path, after)) = from.split_once('}') else {
            rest = from;
            break;
        };
        let values: Vec<String> = input.at(path).into_iter().filter_map(shown).collect();
        if values.is_empty() {
            text.push('{');
            text.push_str(path);
            text.push('}');
        } else {
            text.push_str(&values.join(","));
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

fn shown(value: &Json) -> Option<String> {
    match value {
        Json::Text(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(flag) => Some(flag.to_string()),
        Json::List(items) => Some(items.iter().filter_map(shown).collect::<Vec<_>>().join(",")),
        Json::Null | Json::Object(_) => None,
    }
}
