//! The id of a session in an answer, in every form, and where there is none.

use super::*;

fn json(text: &str) -> Json {
    Json::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn the_id_of_an_answer() {
    // What the server sent, as Claude Code hands it over.
    for (answer, id) in [
        (r#"[{"type":"text","text":"{\"session\":\"s1\",\"host\":\"web01\"}"}]"#, Some("s1")),
        (r#"[{"type":"text","text":"{\n  \"sessionId\": \"s1\",\n  \"host\": \"web01\"\n}"}]"#, Some("s1")),
        (r#""{\"session_id\":\"s1\"}""#, Some("s1")),
        (r#"{"content":[{"type":"text","text":"{\"session\":\"s1\"}"}]}"#, Some("s1")),
        (r#"{"content":[{"type":"text","text":"hello"}],"structuredContent":{"session":"s1"}}"#, Some("s1")),
        (r#"{"session":"s1"}"#, Some("s1")),
        (r#"{"SESSION-ID":" s1 "}"#, Some("s1")),
        (r#"{"data":{"session":{"id":"s1","host":"web01"}}}"#, Some("s1")),
        (r#"{"data":[{"sessionId":"s1"}]}"#, Some("s1")),
        (r#"{"session":42}"#, Some("42")),
        (r#"{"id":"s1","host":"web01"}"#, Some("s1")),
        (r#"{"id":"other","session":"s1"}"#, Some("s1")),
        (r#"{"result":"s1"}"#, Some("s1")),
        (r#""{\"result\":\"{\\\"session\\\": \\\"s1\\\"}\"}""#, Some("s1")),
        (r#"{"result":{"session":"s1"}}"#, Some("s1")),
        (r#"{"result":"Session ID: s1\nHost: web01"}"#, Some("s1")),
        (r#"[{"type":"text","text":"s1"}]"#, Some("s1")),
        (r#"[{"type":"text","text":" 42\n"}]"#, Some("42")),
        (r#"[{"type":"text","text":"\"s1\""}]"#, Some("s1")),
        (r#"[{"type":"text","text":"Started\n\nSession ID: s1\nServer: web01\nState: ready"}]"#, Some("s1")),
        (r#"[{"type":"text","text":"**Session:** `s1`"}]"#, Some("s1")),
        (r#"[{"type":"text","text":"- session_id = s1"}]"#, Some("s1")),
        (r#"[{"type":"text","text":"ID: s1\nHost: web01:22"}]"#, Some("s1")),
        (r#"[{"type":"text","text":"connected"},{"type":"text","text":"{\"session\":\"s1\"}"}]"#, Some("s1")),
        (r#"{"session":"s1","again":{"session":"s1"}}"#, Some("s1")),
        (r#"{"error":null,"success":true,"session":"s1"}"#, Some("s1")),
        (r#"{"session":"a:b=c"}"#, Some("a:b=c")),
        (r#"[{"type":"text","text":"Session: a:b=c"}]"#, Some("a:b=c")),
        // More than one, or none.
        (r#"{"session":"s1","previous":{"session":"s0"}}"#, None),
        (r#"[{"type":"text","text":"Session ID: s1\nName: x\nSession ID: s2"}]"#, None),
        (r#"{"sessions":[{"session":"s1"},{"session":"s2"}]}"#, None),
        (r#"[{"type":"text","text":"s1"},{"type":"text","text":"s2"}]"#, None),
        (r#"[{"type":"text","text":"{\"id\":\"a\"}"},{"type":"text","text":"{\"id\":\"b\"}"}]"#, None),
        (r#"[{"type":"text","text":"Connected to web01 as session s1"}]"#, None),
        (r#"[{"type":"text","text":"Session ID: s1 (new)"}]"#, None),
        (r#"[{"type":"text","text":"Session ID:"}]"#, None),
        (r#"[{"type":"text","text":""}]"#, None),
        (r#"[{"type":"image","data":"s1"}]"#, None),
        (r#"[{"type":"text"},7,null]"#, None),
        (r#"{"host":"web01"}"#, None),
        (r#"{"session":null}"#, None),
        (r#"{"session":""}"#, None),
        (r#"{"session":"a\u0000b"}"#, None),
        (r#"{"session":"a\nb"}"#, None),
        (r#"{"session":["s1"]}"#, None),
        (r#"{"session":true}"#, None),
        (r#"{"data":{"id":"s1"}}"#, None),
        ("null", None),
        ("true", None),
        ("[]", None),
        ("{}", None),
        ("\"\"", None),
        ("{\"content\":[]}", None),
        // It failed: the id it names may be somebody else's.
        (r#"{"error":"exists already","session":"s1"}"#, None),
        (r#"{"success":false,"session":"s1"}"#, None),
        (r#"{"OK":false,"session":"s1"}"#, None),
        (r#"{"isError":true,"content":[{"type":"text","text":"{\"session\":\"s1\"}"}]}"#, None),
        (r#"[{"type":"text","text":"{\"error\":{\"code\":1},\"session\":\"s1\"}"}]"#, None),
    ] {
        assert_eq!(id_in(&json(answer), "session").as_deref(), id, "{answer}");
    }
    // The name's last part, in any spelling.
    for (path, answer) in [
        ("connectionId", r#"{"connection_id":"s1"}"#),
        ("connection_id", r#"{"connectionId":"s1"}"#),
        ("target.session", r#"{"session":"s1"}"#),
        ("id", r#"{"ID":"s1"}"#),
        ("handle", r#"{"handle":"s1"}"#),
    ] {
        assert_eq!(id_in(&json(answer), path).as_deref(), Some("s1"), "{path}");
    }
    assert_eq!(id_in(&json(r#"{"handles":"s1"}"#), "handle"), None);
}

#[test]
fn no_answer_takes_long() {
    let begun = std::time::Instant::now();
    let many = (0..20_000).map(|n| format!(r#"{{"session":"{n}"}}"#)).collect::<Vec<_>>().join(",");
    let nested = ["{\"session\":".repeat(120), "1".into(), "}".repeat(120)].concat();
    let wrapped = format!("{{\"result\":{}}}", Json::Text(format!("{{\"result\":{}}}", "\"x\"")).shown());
    for text in [format!("[{many}]"), nested, wrapped, "Session: ".repeat(7000), "a=b\n".repeat(16_000)] {
        id_in(&Json::Text(text), "session");
    }
    assert!(begun.elapsed() < std::time::Duration::from_secs(5), "{:?}", begun.elapsed());
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 3000, failure_persistence: None, ..Default::default() })]

    /// Whatever a tool answers: what is found is one value that stands there, however it was wrapped.
    #[test]
    fn any_text_is_an_answer(parts in proptest::collection::vec(
        proptest::sample::select(vec![
            "{", "}", "[", "]", "\"session\"", "\"id\"", "\"result\"", ":", ",", "\"s1\"", "s2", "\n", " ", "Session ID", "=", "\\n",
            "\\\"", "1", "e5", "null", "\"error\"", "é", "\u{0}", "\"", "session_id: s3", "ID: s4",
        ]), 0..24)) {
        let text = parts.concat();
        let own = id_in(&Json::Text(text.clone()), "session");
        let block = Json::Object(vec![
            ("type".into(), Json::Text("text".into())),
            ("text".into(), Json::Text(text.clone())),
        ]);
        proptest::prop_assert_eq!(&own, &id_in(&Json::List(vec![block.clone()]), "session"));
        let whole = Json::Object(vec![("content".into(), Json::List(vec![block]))]);
        proptest::prop_assert_eq!(&own, &id_in(&whole, "session"));
        if let Some(id) = own {
            proptest::prop_assert!(!id.is_empty() && id.trim() == id && !id.chars().any(char::is_control), "{:?}", id);
            let plain = !text.contains('\\') && id.parse::<f64>().is_err();
            proptest::prop_assert!(!plain || text.contains(&id), "{:?} in {:?}", id, text);
        }
    }
}
