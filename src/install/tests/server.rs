use super::*;
use serde_json::json;

fn entry() -> Value {
    json!({"command": "/usr/bin/zerto-guard-mcp", "args": ["--agent", "x"]})
}

fn written(change: Change) -> String {
    match change {
        Change::Write(text) => text,
        other => panic!("{other:?}"),
    }
}

const KEYS: &[&[&str]] = &[&["mcpServers"], &["mcp", "servers"]];

#[test]
fn a_new_file_is_as_people_write_it_and_goes_again() {
    let text = written(add(None, KEYS[0], &entry()).unwrap());
    assert_eq!(
        text,
        "{\n  \"mcpServers\": {\n    \"zerto-guard\": {\n      \"command\": \"/usr/bin/zerto-guard-mcp\",\n      \
         \"args\": [\"--agent\", \"x\"]\n    }\n  }\n}\n"
    );
    for keys in KEYS {
        let text = written(add(None, keys, &entry()).unwrap());
        assert_eq!(add(Some(&text), keys, &entry()).unwrap(), Change::None);
        assert_eq!(remove(&text, keys).unwrap(), Change::Remove);
    }
}

#[test]
fn every_other_byte_stays_and_comes_back() {
    let texts = [
        "{}",
        "{ }\n",
        "{\n}",
        "{\"a\": 1}",
        "{\"a\":1,\"mcpServers\":{},\"mcp\":{}}",
        "{\n\t\"mcpServers\": {\n\t\t\"other\": {\"command\": \"zerto\"}\n\t},\n\t\"z\": [1,\n2]\n}\n",
        "\u{feff}{\r\n  // mine\r\n  \"mcp\": {\r\n    \"servers\": { /* none */ },\r\n  },\r\n}\r\n",
        "// top\n{\n  \"mcp\": {\"other\": {}, },\n  // end\n}\n// last\n",
        "{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"y\"}}}",
    ];
    for text in texts {
        for keys in KEYS {
            let new = written(add(Some(text), keys, &entry()).unwrap());
            let there = keys.iter().fold(Tree::parse(&new).unwrap().root.value(), |value, key| value[*key].clone());
            assert_eq!(there[NAME], entry(), "{text:?}");
            assert_eq!(add(Some(&new), keys, &entry()).unwrap(), Change::None, "{text:?}");
            assert_eq!(written(remove(&new, keys).unwrap()), text, "{keys:?}");
            assert_eq!(remove(text, keys).unwrap(), Change::None);
        }
    }
}

#[test]
fn an_entry_that_stands_there_is_brought_up_to_date_in_its_place() {
    let old = json!({"command": ["/old/zerto-guard-mcp"], "type": "local"});
    let before = "{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n";
    let text = written(add(Some(before), KEYS[0], &old).unwrap());
    let text = text.replace("\n  }\n}", ",\n    \"z\": {}\n  }\n}");
    let new = written(add(Some(&text), KEYS[0], &entry()).unwrap());
    assert_eq!(Tree::parse(&new).unwrap().root.value()["mcpServers"][NAME], entry());
    assert_eq!(written(remove(&new, KEYS[0]).unwrap()), before.replace("{}\n", "{},\n    \"z\": {}\n"));
}

#[test]
fn what_is_not_ours_or_not_understood_is_left_alone() {
    for (text, why) in [
        ("{\"mcpServers\": {\"zerto-guard\": {\"command\": \"npx\"}}}", "another server"),
        ("{\"mcpServers\": {\"zerto-guard\": {\"url\": \"https://x\"}}}", "another server"),
        ("{\"mcpServers\": []}", "no object"),
        ("[]", "no object"),
        ("{\"a\": 1", "line 1"),
        ("", "no value"),
        ("{\"a\": 1, \"a\": 2}", "second time"),
    ] {
        assert!(add(Some(text), KEYS[0], &entry()).unwrap_err().contains(why), "{text}");
        assert!(!matches!(remove(text, KEYS[0]), Ok(Change::Write(_) | Change::Remove)), "{text}");
    }
}
