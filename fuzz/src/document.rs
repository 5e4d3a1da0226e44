//! Any text is TOML or none: what the program reads by its own quick reader is what the toml crate makes of it, to the value, and
//! neither takes what the other refuses.

use super::ground::{self, within};
use zerto_guard::document::{Document, Table, Value};

/// Runs one input.
pub fn run(bytes: &[u8]) {
    within(2, || any(ground::text(bytes)));
}

fn any(text: &str) {
    match (Document::parse(text), text.parse::<toml::Table>()) {
        (Ok(ours), Ok(theirs)) => same_table(&ours.root(), &theirs, text),
        (Err(mistake), Err(_)) => {
            assert!((1..=text.matches('\n').count() + 1).contains(&mistake.line), "{mistake}");
            assert!(!mistake.message.is_empty());
        }
        // What does not fit is refused by both, but at another time: the program as soon as it is asked for.
        (Ok(_), Err(error)) => assert!(error.message().contains("integer") || error.message().contains("float") || error.message().contains("too large"), "{error}"),
        (Err(mistake), Ok(_)) => panic!("only the toml crate reads it: {mistake}"),
    }
}

fn same_table(ours: &Table, theirs: &toml::Table, text: &str) {
    let lines: Vec<usize> = ours.items().map(|(key, _)| key.mistake("").line).collect();
    assert!(lines.is_sorted(), "not in the order of the text: {lines:?}");
    let mut names: Vec<&str> = ours.items().map(|(key, _)| key.name).collect();
    let mut wanted: Vec<&str> = theirs.keys().map(String::as_str).collect();
    names.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(names, wanted);
    for (key, value) in ours.items() {
        let line = key.mistake("").line;
        assert!((1..=text.matches('\n').count() + 1).contains(&line));
        same(&value, &theirs[key.name], text);
    }
}

fn same(ours: &Value, theirs: &toml::Value, text: &str) {
    match theirs {
        toml::Value::String(string) if string.chars().any(char::is_control) => {
            assert!(ours.is_string() && ours.string("").is_err());
        }
        toml::Value::String(string) => assert_eq!(ours.string("").unwrap(), string),
        toml::Value::Integer(number) => assert_eq!(ours.integer("").unwrap(), *number),
        toml::Value::Array(list) => {
            let items: Vec<Value> = ours.list("").unwrap().collect();
            assert_eq!(items.len(), list.len());
            items.iter().zip(list).for_each(|(ours, theirs)| same(ours, theirs, text));
        }
        toml::Value::Table(table) => same_table(&ours.table("").unwrap(), table, text),
        toml::Value::Boolean(_) | toml::Value::Float(_) | toml::Value::Datetime(_) => {
            assert!(!ours.is_string() && ours.integer("").is_err() && ours.list("").is_err() && ours.table("").is_err());
        }
    }
}
