#[path = "settings_chance.rs"]
mod chance;

use super::super::entry::Form;
use super::super::inspect::Inspection;
use super::super::{change, recipe, recipes};
use super::*;
use crate::hosts::Host;
use crate::install::When;
use chance::Chance;

const EVENT: &str = "PreToolUse";

fn of(host: Host, event: &str, form: Form) -> Entry {
    let recipe = recipe(host);
    Entry {
        recipe,
        event: recipe.event(event).unwrap(),
        command: "/usr/local/bin/zerto-guard".into(),
        arguments: ["hook", "--host", host.name(), "--host-timeout", "180s"].map(str::to_owned).to_vec(),
        timeout: 180,
        form,
    }
}

fn entry(form: Form) -> Entry {
    of(Host::ClaudeCode, EVENT, form)
}

fn after(form: Form) -> Entry {
    Entry { timeout: 30, ..of(Host::ClaudeCode, "PostToolUse", form) }
}

/// As most of these tests look at it: one entry, in Claude Code's settings.
fn add(text: Option<&str>, entry: &Entry) -> Result<Change, String> {
    add_all(text, std::slice::from_ref(entry))
}

fn add_all(text: Option<&str>, entries: &[Entry]) -> Result<Change, String> {
    super::add(text, Kind::Grouped, entries)
}

fn remove(text: &str, own: &str) -> Result<Change, String> {
    super::remove(text, recipe(Host::ClaudeCode), Kind::Grouped, own)
}

fn inspect(text: &str, own: &str) -> Result<Inspection, String> {
    super::super::inspect::inspect(text, recipe(Host::ClaudeCode), Kind::Grouped, own)
}

fn count(seen: &Inspection, when: When) -> usize {
    seen.at(when).count()
}

#[track_caller]
fn written(change: Result<Change, String>) -> String {
    match change {
        Ok(Change::Write(text)) => text,
        other => panic!("{other:?}"),
    }
}

/// Settings in every layout that could be thought of.
const SETTINGS: &[&str] = &[
    "{}",
    "{}\n",
    "{ }",
    "{\n}\n",
    "{\n\n}",
    "{\r\n}\r\n",
    " {} \n",
    "\u{feff}{}\n",
    "\u{feff}{\r\n  \"model\": \"opus\"\r\n}",
    "// mine\n{}\n// the end",
    "{ // nothing yet\n}\n",
    "{ /* nothing yet */ }",
    "{\n  // nothing yet\n}\n",
    "{\"model\":\"opus\"}",
    "{\"model\":\"opus\",}",
    "{\n    \"model\": \"opus\"\n}\n",
    "{\n\t\"model\": \"opus\",\n}\n",
    "{\n  \"model\": \"opus\" // the best\n}",
    "{\n  \"model\": \"opus\", // the best\n}",
    "{\n  \"model\": \"opus\" /* a */ , /* b */ // c\n  // d\n}",
    "{\n  \"model\": \"opus\"   \n\n}",
    "{\"hooks\":{}}",
    "{\"hooks\": {} , \"model\": \"opus\"}",
    "{\n  \"hooks\": {\n  },\n  \"model\": \"opus\"\n}",
    "{\n  \"hooks\": { // none\n  }\n}",
    "{\n  \"hooks\": {\n    \"PostToolUse\": []\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"PreToolUse\": []\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"PreToolUse\": [ ]\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      // later\n    ],\n    \"Stop\": []\n  }\n}\n",
    "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"x\"}]}]}}",
    "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"a\"}]}, // first\n      {\"hooks\": []}, // second\n    ]\n  },\n  \"env\": {\"A\": \"b\"}\n}\n",
    "{\r\n  \"hooks\": {\r\n    \"PreToolUse\": [\r\n      {\"hooks\": []} // x\r\n    ]\r\n  }\r\n}\r\n",
    "{\n  \"z\": 1e400,\n  \"a\": \"\\u00e4\\/\",\n  \"m\": [1,2 , 3]\n}",
];

#[test]
fn put_in_and_taken_out_again_leaves_every_byte() {
    for form in [Form::Exec, Form::Shell] {
        let entry = entry(form);
        for text in SETTINGS {
            let with = written(add(Some(text), &entry));
            let tree = Tree::parse(&with).unwrap();
            let groups = tree.root.get("hooks").and_then(|hooks| hooks.get("PreToolUse")).unwrap();
            let group = groups.elements().last().unwrap().value();
            assert_eq!(group["matcher"], "*", "{with}");
            assert_eq!(group["hooks"], serde_json::json!([entry.value()]), "{with}");
            assert_eq!(add(Some(&with), &entry), Ok(Change::None), "a second time: {with}");
            assert_eq!(written(remove(&with, &entry.command)), *text, "{with}");
            assert_eq!(remove(text, &entry.command), Ok(Change::None));
            // Nothing was lost or moved: the old text is in the new one, in its order.
            let mut rest = with.chars();
            assert!(text.chars().all(|old| rest.any(|new| new == old)), "{with}");
            // Where it has CRLF, it has nothing else.
            if text.contains("\r\n") {
                assert_eq!(with.matches('\n').count(), with.matches("\r\n").count(), "{with:?}");
            }
        }
        let fresh = written(add(None, &entry));
        assert_eq!(remove(&fresh, &entry.command), Ok(Change::Remove));
        assert_eq!(add(Some(&fresh), &entry), Ok(Change::None));
    }
}

#[test]
fn both_entries_come_and_go_together_and_leave_every_byte() {
    for form in [Form::Exec, Form::Shell] {
        let both = [entry(form), after(form)];
        for text in SETTINGS {
            let with = written(add_all(Some(text), &both));
            let tree = Tree::parse(&with).unwrap();
            for (event, matcher, entry) in [("PreToolUse", "*", &both[0]), ("PostToolUse", "*", &both[1])] {
                let groups = tree.root.get("hooks").and_then(|hooks| hooks.get(event)).unwrap();
                let group = groups.elements().last().unwrap().value();
                assert_eq!(group["matcher"], matcher, "{with}");
                assert_eq!(group["hooks"], serde_json::json!([entry.value()]), "{with}");
            }
            let seen = inspect(&with, "").unwrap();
            assert_eq!((count(&seen, When::Before), count(&seen, When::After), seen.faults), (1, 1, vec![]), "{with}");
            assert_eq!(add_all(Some(&with), &both), Ok(Change::None), "a second time: {with}");
            assert_eq!(written(remove(&with, &both[0].command)), *text, "{with}");
            // One that stands there alone, of an older version, gets the other one.
            let old = written(add(Some(text), &both[0]));
            assert_eq!(written(add_all(Some(&old), &both)), with);
        }
        let fresh = written(add_all(None, &both));
        assert_eq!(add_all(Some(&fresh), &both), Ok(Change::None));
        assert_eq!(remove(&fresh, &both[0].command), Ok(Change::Remove));
    }
}

#[test]
fn what_comes_after_a_call_stops_nothing() {
    for form in [Form::Exec, Form::Shell] {
        let value = after(form).value().to_string();
        assert!(!value.contains("onFailure") && !value.contains("exit 2"), "{value}");
    }
}

#[test]
fn an_entry_after_a_call_is_brought_up_to_date_and_the_one_before_stays() {
    let both = [entry(Form::Exec), after(Form::Exec)];
    let right = written(add_all(None, &both));
    for (from, to) in [
        (
            "\"PostToolUse\": [\n      {\n        \"matcher\": \"*\"",
            "\"PostToolUse\": [\n      {\n        \"matcher\": \"mcp__.*\"",
        ),
        ("\"timeout\": 30", "\"timeout\": 5"),
        (
            "\"PostToolUse\": [\n      {\n        \"matcher\": \"*\",\n        \"hooks\": [",
            "\"PostToolUse\": [\n      {\n        \"matcher\": \"Read\",\n        \"hooks\": [{\"type\": \"command\", \"command\": \"x\"}, ",
        ),
    ] {
        let old = right.replace(from, to);
        assert_ne!(old, right, "{from}");
        let new = written(add_all(Some(&old), &both));
        let seen = inspect(&new, "").unwrap();
        assert_eq!((count(&seen, When::Before), count(&seen, When::After)), (1, 1), "{new}");
        let after = seen.at(When::After).next().unwrap();
        assert!(after.is_met() && after.timeout == Some(30.0), "{new}");
        assert_eq!(new.contains("\"command\": \"x\""), old.contains("\"command\": \"x\""), "{new}");
    }
}

#[test]
fn it_looks_as_a_person_would_write_it() {
    let text = "{\n  \"model\": \"opus\", // the best\n  \"hooks\": {\n    \"PreToolUse\": [\n      { \"hooks\": [] } // mine\n    ]\n  }\n}\n";
    let expected = r#"{
  "model": "opus", // the best
  "hooks": {
    "PreToolUse": [
      { "hooks": [] }, // mine
      {
        "matcher": "*",
        "hooks": [
          {
            "type": "command",
            "command": "/usr/local/bin/zerto-guard",
            "args": ["hook", "--host", "claude-code", "--host-timeout", "180s"],
            "timeout": 180,
            "onFailure": "block",
            "statusMessage": "zerto-guard: judging this call"
          }
        ]
      }
    ]
  }
}
"#;
    assert_eq!(written(add(Some(text), &entry(Form::Exec))), expected);
}

#[test]
fn an_entry_that_stands_there_is_brought_up_to_date_in_place() {
    let old = r#"{"hooks": {
  "PreToolUse": [
    // first
    {"hooks": [
      {"type": "command", "command": "a"}, // theirs
      {"type": "command", "command": "/old/zerto-guard hook"} // ours
    ]}
  ],
  "Stop": []
}}"#;
    let new = written(add(Some(old), &entry(Form::Shell)));
    for kept in ["// first\n", "\"command\": \"a\"}, // theirs\n", "} // ours\n    ]}", "\"Stop\": []"] {
        assert!(new.contains(kept), "{new}");
    }
    assert!(!new.contains("/old/") && new.contains("180s || exit 2\""), "{new}");
    let gone = written(remove(&new, ""));
    assert!(gone.contains("\"a\"} // theirs\n // ours\n    ]}"), "{gone}");
    // Another matcher: alone in its group, the group is renewed; else it leaves the group.
    let narrow = r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "zerto-guard hook"}]}, {"hooks": []}]}}"#;
    let new = written(add(Some(narrow), &entry(Form::Exec)));
    assert!(!new.contains("Bash") && new.contains("\"*\"") && new.contains(", {\"hooks\": []}]}}"), "{new}");
    let shared = r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}, {"type": "command", "command": "zerto-guard hook"}]}]}}"#;
    let new = written(add(Some(shared), &entry(Form::Exec)));
    assert!(new.contains(r#"{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]},"#), "{new}");
    let seen = inspect(&new, "").unwrap();
    assert_eq!((seen.ours.len(), seen.others.len(), seen.ours[0].is_met()), (1, 1, true));
}

#[test]
fn several_become_one() {
    let mut text = written(add(Some("{\n  \"a\": 1\n}\n"), &entry(Form::Exec)));
    text = text.replace(
        "\"PreToolUse\": [",
        "\"PreToolUse\": [\n      {\"hooks\": [{\"type\":\"command\",\"command\":\"zerto-guard hook\"}]},",
    );
    let new = written(add(Some(&text), &entry(Form::Exec)));
    assert_eq!(new, written(add(Some("{\n  \"a\": 1\n}\n"), &entry(Form::Exec))));
    assert_eq!(written(remove(&text, "")), "{\n  \"a\": 1\n}\n");
}

/// What only mentions our name, or stands where `install` writes nothing, is neither replaced nor taken out.
#[test]
fn foreign_hooks_stay() {
    for (event, handler) in [
        ("PreToolUse", r#"{"type": "command", "command": "cd /src/zerto-guard && ./lint.sh hook"}"#),
        ("PreToolUse", r#"{"type": "command", "command": "/opt/zerto-guard-audit", "args": ["hook"]}"#),
        ("PreToolUse", r#"{"type": "command", "command": "/b/zerto-guard", "args": ["check", "hook"]}"#),
        ("PostToolUse", r#"{"type": "command", "command": "logger zerto-guard hook fired"}"#),
        ("PostToolUse", r#"{"type": "command", "command": "/b/zerto-guard", "args": ["check"]}"#),
        ("Stop", r#"{"type": "command", "command": "zerto-guard hook"}"#),
        ("UserPromptSubmit", r#"{"type": "command", "command": "zerto-guard hook"}"#),
    ] {
        let text = format!("{{\"hooks\": {{\"{event}\": [{{\"hooks\": [{handler}]}}]}}}}");
        assert_eq!(remove(&text, "/usr/local/bin/zerto-guard"), Ok(Change::None), "{text}");
        let with = written(add(Some(&text), &entry(Form::Exec)));
        assert!(with.contains(handler), "{with}");
        assert_eq!(inspect(&with, "").unwrap().ours.len(), 1, "{with}");
        assert_eq!(written(remove(&with, "")), text);
    }
}

#[test]
fn the_first_and_a_middle_one_leave_no_gap() {
    for (text, rest) in [
        ("{\"hooks\":{\"PreToolUse\":[O, {\"hooks\":[]}]}}", "{\"hooks\":{\"PreToolUse\":[ {\"hooks\":[]}]}}"),
        (
            "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[]}, O, {\"hooks\":[]}]}}",
            "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[]}, {\"hooks\":[]}]}}",
        ),
        (
            "{\"hooks\":{\"PreToolUse\":[ // a\n O, {\"hooks\":[]}]}}",
            "{\"hooks\":{\"PreToolUse\":[ // a\n {\"hooks\":[]}]}}",
        ),
        (
            "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[]}, // a\n O]}}",
            "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[]} // a\n]}}",
        ),
        ("{\"hooks\":{\"PreToolUse\":[// a\n O]}}", "{\"hooks\":{\"PreToolUse\":[// a\n]}}"),
        (
            "{\"hooks\":{\"PreToolUse\":[\n // a\n O /* b */ , // c\n]}}",
            "{\"hooks\":{\"PreToolUse\":[\n // a /* b */  // c\n]}}",
        ),
    ] {
        let ours = "{\"hooks\":[{\"type\":\"command\",\"command\":\"zerto-guard hook\"}]}";
        let new = written(remove(&text.replace('O', ours), ""));
        assert!(Tree::parse(&new).is_ok(), "{new}");
        if !text.contains("/* b */") {
            assert_eq!(new, rest);
        }
    }
}

#[test]
fn what_is_not_understood_is_refused_with_its_place() {
    for (text, part) in [
        ("", "line 1"),
        ("  \n", "no value"),
        ("{\n  \"a\": 1\n  \"b\": 2\n}", "line 2, column 9"),
        ("{\"a\": 1", "line 1, column 1"),
        ("{'a': 1}", "line 1"),
        ("{a: 1}", "line 1"),
        ("{} {}", "line 1, column 4"),
        ("[]", "line 1: the whole is no object"),
        ("{\n\"hooks\": []}", "line 2: `hooks` is no object"),
        ("{\"hooks\": null}", "`hooks` is no object"),
        ("{\"hooks\": {\n\n\"PreToolUse\": {}}}", "line 3: `hooks.PreToolUse` is no list"),
        ("{\"hooks\": {\"PreToolUse\": [\"x\"]}}", "`hooks.PreToolUse[0]` is no object"),
        ("{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"*\"}]}}", "has no list `hooks`"),
        ("{\"hooks\": {\"PreToolUse\": [{\"hooks\": {}}]}}", "`hooks.PreToolUse[0].hooks` is no list"),
        ("{\"hooks\": {\"Stop\": 1}}", "`hooks.Stop` is no list"),
        ("{\"hooks\": {},\n \"hooks\": {}}", "line 2: `hooks` stands there a second time"),
    ] {
        for error in [add(Some(text), &entry(Form::Exec)).unwrap_err(), remove(text, "").unwrap_err()] {
            assert!(error.contains(part), "{text}: {error}");
        }
    }
    assert!(add(Some(&"[".repeat(100_000)), &entry(Form::Exec)).is_err());
}

#[test]
fn what_else_stands_there_is_told() {
    let text = r#"{
  "disableAllHooks": true, "env": {"PATH": "/x", "A": "b"},
  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "y", "timeout": "5"}]}],
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}, {"command": "z"}, 7]},
      {"hooks": [{"type": "command", "command": "zerto-guard", "args": ["hook"], "timeout": 90.5, "onFailure": "block"}]}]}
}"#;
    let seen = inspect(text, "").unwrap();
    assert!(seen.disabled.is_some() && !seen.managed_only);
    assert_eq!(seen.env, ["PATH", "A"]);
    assert_eq!(seen.others.len(), 3);
    assert_eq!(seen.others[0].matcher.as_deref(), Some("Bash"));
    let ours = &seen.ours[0];
    assert_eq!((ours.timeout, ours.blocks_on_failure(), ours.line), (Some(90.5), true, 6));
    assert_eq!(ours.args.as_deref(), Some(&["hook".to_owned()][..]));
    assert_eq!(seen.faults.len(), 3, "{:?}", seen.faults);
    assert!(seen.faults[0].starts_with("line 3: "), "{:?}", seen.faults);
}

/// The entries of a host, as `install` writes them.
fn entries(recipe: &'static Recipe) -> Vec<Entry> {
    recipe.events.iter().map(|event| of(recipe.host, event.name, Form::Shell)).collect()
}

/// Whatever a file looks like: it comes back as it was, or is refused and stays as it is.
#[test]
fn with_every_host_every_byte_comes_back() {
    for recipe in recipes() {
        let kind = (recipe.kind)(crate::install::Scope::User);
        if kind == Kind::Script {
            continue;
        }
        let name = recipe.host.name();
        let entries = entries(recipe);
        let versioned =
            ["{\"version\": 1}", "{\"version\": 1, \"hooks\": {}}\n", "{\n\t\"hooks\": {},\n\t\"version\": 1\n}"];
        let listed = [
            "{\"version\": \"v1\"}",
            "{\"version\": \"v1\", \"hooks\": []}",
            "{\r\n  \"hooks\": [\r\n    {\"name\": \"x\", \"trigger\": \"PreToolUse\"}\r\n  ],\r\n  \"version\": \"v1\"\r\n}\r\n",
        ];
        let (mut changed, mut refused) = (0, 0);
        let described =
            ["{\"description\": \"x\"}", "{\n  \"description\": \"x\",\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n"];
        for text in SETTINGS.iter().chain(&versioned).chain(&listed).chain(&described) {
            let with = match change::add(Some(text), kind, &entries) {
                Ok(change) => written(Ok(change)),
                Err(_) => {
                    refused += 1;
                    continue;
                }
            };
            changed += 1;
            let seen = crate::install::inspect::inspect(&with, recipe, kind, "").unwrap();
            assert_eq!(seen.ours.len(), recipe.events.len(), "{name}: {with}");
            assert!(
                seen.ours.iter().all(|found| found.is_met() && found.strange.is_empty() && found.missing.is_empty())
            );
            assert_eq!(change::add(Some(&with), kind, &entries), Ok(Change::None), "{name}, a second time: {with}");
            assert_eq!(written(change::remove(&with, recipe, kind, "")), *text, "{name}: {with}");
        }
        assert!(changed > 5 && changed + refused == SETTINGS.len() + 8, "{name}: {changed} {refused}");
        let fresh = written(change::add(None, kind, &entries));
        assert_eq!(change::add(Some(&fresh), kind, &entries), Ok(Change::None), "{name}");
        assert_eq!(change::remove(&fresh, recipe, kind, ""), Ok(Change::Remove), "{name}");
        // An older one is brought up to date, and there is still one.
        let old = fresh.replace("180s", "60s").replace("/usr/local/bin", "/opt/old");
        assert_eq!(written(change::add(Some(&old), kind, &entries)), fresh, "{name}");
    }
}

#[test]
fn what_a_host_does_not_read_is_refused() {
    let codex = |text: &str| change::add(Some(text), Kind::Grouped, &entries(recipe(Host::Codex))).unwrap_err();
    assert!(codex("{\n // c\n}").contains("line 2: Codex CLI takes no comments"));
    assert!(codex("{\"hooks\": {},}").contains("trailing comma"));
    assert!(codex("\u{feff}{}").contains("byte-order mark"));
    // Measured, one by one.
    assert!(codex("{\n\"$schema\": \"x\"}").contains("line 2: Codex CLI drops the whole file for `$schema`"));
    let entry = |entry: &str| codex(&format!("{{\"hooks\": {{\"Stop\": [\n{{\"hooks\": [{entry}]}}]}}}}"));
    assert!(entry("{\"type\": \"weird\"}").contains("line 2: Codex CLI drops the whole file for an entry"));
    assert!(entry("{\"command\": \"x\"}").contains("`type`"));
    assert!(entry("{\"type\": \"command\", \"command\": \"x\", \"timeout\": 1.5}").contains("no whole number"));
    let cursor = |text: &str| change::add(Some(text), Kind::Flat, &entries(recipe(Host::Cursor))).unwrap_err();
    assert!(cursor("{\"hooks\": {}}").contains("no `version`"));
    assert!(cursor("{\n\"version\": 2}").contains("line 2: `version` is not 1"));
    let kiro = |text: &str| change::add(Some(text), Kind::Listed, &entries(recipe(Host::Kiro))).unwrap_err();
    assert!(kiro("{\"version\": \"v1\", \"hooks\": {}}").contains("`hooks` is no list"));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 4000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn in_any_layout_every_byte_comes_back(draws in proptest::collection::vec(proptest::prelude::any::<u8>(), 1..120)) {
        let text = Chance::of(draws).settings();
        let entry = entry(Form::Exec);
        let with = written(add(Some(&text), &entry));
        proptest::prop_assert_eq!(inspect(&with, "").unwrap().ours.len(), 1, "{}", with);
        proptest::prop_assert_eq!(add(Some(&with), &entry), Ok(Change::None));
        proptest::prop_assert_eq!(remove(&with, ""), Ok(Change::Write(text.clone())), "{}", with);
        let both = [entry, after(Form::Exec)];
        let with = written(add_all(Some(&text), &both));
        let seen = inspect(&with, "").unwrap();
        proptest::prop_assert_eq!((count(&seen, When::Before), count(&seen, When::After)), (1, 1), "{}", with);
        proptest::prop_assert_eq!(add_all(Some(&with), &both), Ok(Change::None));
        proptest::prop_assert_eq!(remove(&with, ""), Ok(Change::Write(text)), "{}", with);
    }
}
