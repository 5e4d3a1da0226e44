//! The id of a session in what a tool answered. Pure.
//!
//! Tools of MCP servers answer with blocks of text, or with a JSON object (`structuredContent`), which Claude Code hands
//! over alone and as text. A text may be JSON itself, lines of `Name: value`, or the id and nothing else. It is foreign
//! text, of which parts may be the agent's own: where more than one value could be the id, none is.

use crate::json::Json;

/// More text than this is no answer to a call that opens something.
const LONGEST: usize = 64 * 1024;

/// What of an answer could be the id, the likeliest first.
#[derive(Default)]
struct Candidates {
    /// Under the name that later calls have for it.
    named: Vec<String>,
    /// Under the name `id`, where the answer is about the session itself.
    plain: Vec<String>,
    /// The whole of a text.
    whole: Vec<String>,
    /// The answer says that it failed: what it names may be somebody else's.
    failed: bool,
}

/// The one id of an answer under this name (of a dotted path the last part counts), whatever the case of its letters and with
/// or without `id` at its end.
pub(super) fn id_in(answer: &Json, path: &str) -> Option<String> {
    let name = plain_name(path.rsplit('.').next().unwrap_or(path));
    let mut found = Candidates::default();
    found.answer(answer, &name);
    if found.failed {
        return None;
    }
    let one = [found.named, found.plain, found.whole].into_iter().find(|values| !values.is_empty())?;
    let first = one.first()?;
    one.iter().all(|value| value == first).then(|| first.clone())
}

/// A text or number that can be an id or a guest's name.
pub(super) fn scalar(value: &Json) -> Option<String> {
    let text = match value {
        Json::Text(text) => text.trim().to_owned(),
        Json::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty() && !text.chars().any(char::is_control)).then_some(text)
}

impl Candidates {
    /// The whole answer, in any of its forms.
    fn answer(&mut self, answer: &Json, name: &str) {
        match answer {
            Json::Text(text) => self.text(text, name),
            Json::List(blocks) => self.blocks(blocks, name),
            Json::Object(_) => match answer.get("content") {
                Some(Json::List(blocks)) => {
                    self.failed |= is_true(answer.get("isError"));
                    // It says the same as the blocks, in a form made for programs.
                    match answer.get("structuredContent").filter(|content| content.is_object()) {
                        Some(content) => self.document(content, name),
                        None => self.blocks(blocks, name),
                    }
                }
                _ => self.document(answer, name),
            },
            other => self.whole.extend(scalar(other)),
        }
    }

    fn blocks(&mut self, blocks: &[Json], name: &str) {
        for block in blocks {
            if let (Some("text"), Some(text)) = (block.text("type"), block.text("text")) {
                self.text(text, name);
            }
        }
    }

    fn text(&mut self, text: &str, name: &str) {
        let text = text.trim();
        if text.len() > LONGEST {
            return;
        }
        match Json::parse(text.as_bytes()) {
            Ok(document) => self.document(&document, name),
            Err(_) => self.lines(text, name),
        }
    }

    fn document(&mut self, document: &Json, name: &str) {
        let Json::Object(fields) = document else {
            match document {
                Json::List(_) => self.search(document, name),
                other => self.whole.extend(scalar(other)),
            }
            return;
        };
        // Servers of one widespread kind wrap whatever is no object like this.
        if let [(key, Json::Text(text))] = fields.as_slice()
            && key == "result"
            // JSON in JSON in JSON is nobody's answer.
            && !matches!(Json::parse(text.trim().as_bytes()), Ok(Json::Object(inner)) if inner.iter().any(|(key, _)| key == "result"))
        {
            return self.text(text, name);
        }
        let said = |key: &str| fields.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value);
        self.failed |= ["success", "ok"].iter().any(|key| said(key) == Some(&Json::Bool(false)));
        self.failed |= is_true(said("isError"));
        self.failed |= said("error").is_some_and(|error| match error {
            Json::Null | Json::Bool(false) => false,
            Json::Text(text) => !text.is_empty(),
            _ => true,
        });
        self.plain.extend(fields.iter().filter(|(key, _)| plain_name(key) == "id").filter_map(|(_, id)| scalar(id)));
        self.search(document, name);
    }

    /// Every value under the name, at any depth.
    fn search(&mut self, json: &Json, name: &str) {
        match json {
            Json::List(items) => items.iter().for_each(|item| self.search(item, name)),
            Json::Object(fields) => {
                for (key, value) in fields {
                    if plain_name(key) == name {
                        // The session itself, as an object that has an id.
                        let inner = value.get("id").and_then(scalar);
                        self.named.extend(scalar(value).or(inner));
                    }
                    self.search(value, name);
                }
            }
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) => {}
        }
    }

    /// Lines of `Name: value`; or one word, which is then the id.
    fn lines(&mut self, text: &str, name: &str) {
        if !text.contains(char::is_whitespace) {
            self.whole.extend(scalar(&Json::Text(text.to_owned())));
        }
        for line in text.lines() {
            let Some((label, value)) = line.split_once([':', '=']) else { continue };
            let value = value.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '*' | ','));
            if value.is_empty() || value.contains(char::is_whitespace) || value.chars().any(char::is_control) {
                continue;
            }
            match plain_name(label) {
                label if label == name => self.named.push(value.to_owned()),
                label if label == "id" => self.plain.push(value.to_owned()),
                _ => {}
            }
        }
    }
}

fn is_true(value: Option<&Json>) -> bool {
    value == Some(&Json::Bool(true))
}

/// A name as names are compared: `sessionId`, `session_id`, `Session ID` and `session` are one.
fn plain_name(name: &str) -> String {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    match name.strip_suffix("id") {
        Some(front) if !front.is_empty() => front.to_owned(),
        _ => name,
    }
}

#[cfg(test)]
#[path = "tests/answer.rs"]
mod tests;
