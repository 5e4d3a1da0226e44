//! Any bytes are JSON or none: what the hook reads is what serde_json makes of it, but for a key given twice, which is refused at
//! any depth; and the form to which an answer is bound is the same for all spellings of a value, and for no two values.

use super::ground::within;
use serde_json::Value;
use zerto_guard::json::{Json, canonical};

/// Runs one input.
pub fn run(bytes: &[u8]) {
    within(2, || any(bytes));
}

fn any(bytes: &[u8]) {
    let json = match (Json::parse(bytes), serde_json::from_slice::<Value>(bytes)) {
        (Ok(json), Ok(value)) => {
            same(&json, &value);
            json
        }
        (Err(error), Ok(_)) => return assert!(error.to_string().contains("twice"), "{error}"),
        (Err(_), Err(_)) => return,
        (Ok(_), Err(error)) => panic!("only the hook reads it: {error}"),
    };
    let shown = json.shown();
    let again = Json::parse(shown.as_bytes()).unwrap();
    // serde_json reads a fraction to the last digit but one.
    assert!(again == json || has_fraction(&json), "{shown}");
    let form = canonical(bytes, &[], &[]);
    let Json::Object(_) = json else { return };
    let form = form.unwrap().unwrap();
    assert_eq!(canonical(form.as_bytes(), &[], &[]).unwrap().as_deref(), Some(form.as_str()), "twice");
    assert_eq!(sorted(Json::parse(form.as_bytes()).unwrap()), sorted(json.clone()), "{form}");
    // The order of the keys does not matter.
    let turned = turned(json.clone());
    if !has_fraction(&turned) {
        assert_eq!(canonical(turned.shown().as_bytes(), &[], &[]).unwrap().unwrap(), form);
    }
    if let Json::Object(fields) = &json {
        for (name, _) in fields {
            canonical(bytes, &[name], &["description"]).unwrap();
            let _ = (json.at(name), json.at_any(name));
        }
    }
}

fn same(ours: &Json, theirs: &Value) {
    match (ours, theirs) {
        (Json::Null, Value::Null) => {}
        (Json::Bool(one), Value::Bool(other)) => assert_eq!(one, other),
        (Json::Number(one), Value::Number(other)) => assert_eq!(one, other),
        (Json::Text(one), Value::String(other)) => assert_eq!(one, other),
        (Json::List(one), Value::Array(other)) => {
            assert_eq!(one.len(), other.len());
            one.iter().zip(other).for_each(|(one, other)| same(one, other));
        }
        (Json::Object(one), Value::Object(other)) => {
            assert_eq!(one.len(), other.len());
            one.iter().for_each(|(name, value)| same(value, &other[name]));
        }
        (ours, theirs) => panic!("{ours:?} is not {theirs}"),
    }
}

fn sorted(json: Json) -> Json {
    match json {
        Json::List(items) => Json::List(items.into_iter().map(sorted).collect()),
        Json::Object(fields) => {
            let mut fields: Vec<_> = fields.into_iter().map(|(name, value)| (name, sorted(value))).collect();
            fields.sort_by(|one, other| one.0.cmp(&other.0));
            Json::Object(fields)
        }
        other => other,
    }
}

fn turned(json: Json) -> Json {
    match json {
        Json::List(items) => Json::List(items.into_iter().map(turned).collect()),
        Json::Object(fields) => {
            Json::Object(fields.into_iter().rev().map(|(name, value)| (name, turned(value))).collect())
        }
        other => other,
    }
}

/// Whether a number in it may be spelled in several ways: those are kept apart.
fn has_fraction(json: &Json) -> bool {
    match json {
        Json::Number(number) => number.is_f64(),
        Json::List(items) => items.iter().any(has_fraction),
        Json::Object(fields) => fields.iter().any(|(_, value)| has_fraction(value)),
        _ => false,
    }
}
