//! Any text is what a tool answered that opens a session: no panic, no stack overflow, and an id that is found is one that
//! stands in the text and does not change when the same text comes in another wrapping.

use super::ground::{text, within};
use zerto_guard::call::{Tool, ToolCall};
use zerto_guard::catalog::Catalog;
use zerto_guard::classify::Nowhere;
use zerto_guard::classify::sessions::opening;
use zerto_guard::json::Json;

fn string(text: &str) -> Json {
    Json::Text(text.to_owned())
}

fn object(fields: &[(&str, Json)]) -> Json {
    Json::Object(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

fn id(answer: &Json) -> Option<String> {
    let call = ToolCall {
        tool: Tool::OfServer { server: "ssh-mcp".into(), tool: "ssh.openSession".into() },
        name: "mcp__ssh-mcp__ssh.openSession".into(),
        input: object(&[("host", string("web01"))]),
        cwd: None,
        session: None,
        id: None,
        prompt: None,
        asks_human: false,
    };
    let catalog = Catalog::default();
    let found = opening(&call, &catalog, &Nowhere)?.opened(answer)?;
    assert_eq!(found.guests, ["web01"]);
    Some(found.id)
}

/// Runs one input.
pub fn run(bytes: &[u8]) {
    within(5, || any(text(bytes)));
}

fn any(answer: &str) {
    let own = id(&string(answer));
    let block = object(&[("type", string("text")), ("text", string(answer))]);
    assert_eq!(own, id(&Json::List(vec![block.clone()])));
    assert_eq!(own, id(&object(&[("content", Json::List(vec![block]))])));
    if let Some(id) = own {
        assert!(!id.is_empty() && id.len() <= 512 && id.trim() == id && !id.chars().any(char::is_control), "{id:?}");
        // Escapes of JSON and numbers are written in other ways.
        let plain = !answer.contains('\\') && id.parse::<f64>().is_err();
        assert!(!plain || answer.contains(&id), "{id}");
    }
    if let Ok(json) = Json::parse(answer.as_bytes()) {
        id(&json);
    }
}
