//! Each tool: what it is described as, what it answers, and what it refuses.

use crate::client::{Client, DEAF, Home, call, drive, ok, refused};
use serde_json::{Value, json};
use std::fs;
use std::time::Duration;
use zvm_sim::{Guest, InsertOutcome, Sim, VmSpec, VpgSpec};

pub const TAG: &str = "ai:claude | edit /etc/app.yaml | vm=web01 | change=chg-412 | 20260921T150405Z";

/// A guest whose files were changed after the tag.
pub fn world() -> Sim {
    let sim = Sim::builder().vm(VmSpec::new("web01").vpg(VpgSpec::local("gold")).guest(Guest::linux("web01"))).start();
    sim.put_tag("gold", Duration::from_secs(120), TAG).unwrap();
    sim.put_file("web01", "partition#1 Ext4/etc/app.yaml", "broken");
    sim
}

fn names(results: &Value) -> Vec<&str> {
    results.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[test]
fn the_tools_are_listed_alike_by_either_protocol_with_schemas_and_hints() {
    let home = Home::with("");
    let steps = [json!({"list": true})];
    let newest = Client { mode: "auto", human: None };
    let Some(came) = drive(&[home.scenario(DEAF, &steps), home.scenario(newest, &steps)]) else { return };
    let [legacy, newest] = came.as_slice() else { panic!() };
    assert_eq!((legacy.version.as_str(), newest.version.as_str()), ("2025-11-25", "2026-07-28"));
    assert_eq!(legacy.results, newest.results);
    let tools = &legacy.results[0];
    assert_eq!(
        names(tools),
        [
            "zerto_check_tool",
            "zerto_find_protection",
            "zerto_guard_before_mutate",
            "zerto_create_tagged_checkpoint",
            "zerto_list_tags",
            "zerto_recover_file",
            "zerto_list_flr_sessions",
            "zerto_end_flr_session",
            "zerto_offsite_clone",
            "zerto_start_failover_test",
            "zerto_stop_failover_test",
            "zerto_add_mutating_tool",
            "zerto_add_read_only_tool",
        ]
    );
    let mut reads = Vec::new();
    for tool in tools.as_array().unwrap() {
        let (name, hints) = (tool["name"].as_str().unwrap(), &tool["annotations"]);
        assert!(tool["title"].is_string() && tool["description"].is_string(), "{tool:#}");
        assert_eq!((&tool["inputSchema"]["type"], &tool["outputSchema"]["type"]), (&json!("object"), &json!("object")));
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(hints[hint].is_boolean(), "{name}: {hint}");
        }
        if hints["readOnlyHint"] == true {
            reads.push(name);
        }
    }
    assert_eq!(reads, ["zerto_check_tool", "zerto_find_protection", "zerto_list_tags", "zerto_list_flr_sessions"]);
}

#[test]
fn a_tool_is_checked_by_what_it_is_given() {
    let home = Home::with("");
    let steps = [
        call(
            "zerto_check_tool",
            json!({"server": "winrm", "tool": "copy_file", "vm": "web01", "input": {"host": "web01"}}),
        ),
        call("zerto_check_tool", json!({"server": "", "tool": "Bash", "input": {"command": "ssh web01 uptime"}})),
        call("zerto_check_tool", json!({"server": "acme\u{1b}[31m", "tool": "frobnicate", "vm": "web01"})),
        call("zerto_check_tool", json!({"server": "acme"})),
        call("zerto_check_tool", json!({"server": "acme", "tool": " "})),
        call("zerto_check_tool", json!({"server": "acme", "tool": "x", "confirmed": true})),
        call("zerto_move", json!({})),
    ];
    let Some(came) = home.drive(DEAF, &steps) else { return };
    let [mutating, reads, unknown, lacks, empty, odd, none] = came.results.as_slice() else { panic!() };
    assert_eq!(ok(mutating)["verdict"], "mutating");
    assert!(
        ok(mutating)["next"].as_str().unwrap().contains("zerto_guard_before_mutate with vm = web01"),
        "{mutating:#}"
    );
    assert_eq!((&ok(reads)["verdict"], &ok(reads)["question"]), (&json!("read_only"), &Value::Null));
    assert_eq!(ok(unknown)["verdict"], "unknown");
    let question = ok(unknown)["question"].as_str().unwrap();
    assert!(
        question.starts_with("Whether frobnicate of acme changes a server") && question.contains("checkpoint of web01")
    );
    assert!(unknown["text"].as_str().unwrap().contains(question) && !unknown.to_string().contains("\\u001b"));
    assert!(refused(lacks, 64).contains("missing field `tool`"));
    assert!(refused(empty, 64).contains("tool is empty"));
    assert!(refused(odd, 64).contains("unknown field `confirmed`"));
    assert!(none["protocol_error"].as_str().unwrap().contains("there is no tool zerto_move"), "{none:#}");
}

#[test]
fn a_change_is_guarded_and_what_is_not_protected_is_refused_as_on_the_command_line() {
    let sim = world();
    sim.add_vm("alone", &[]);
    let home = Home::new(&sim);
    let steps = [
        call("zerto_find_protection", json!({"vm": "web01"})),
        call("zerto_find_protection", json!({"vm": "nowhere"})),
        call("zerto_guard_before_mutate", json!({"vm": "web01", "change_id": "chg-7", "action": "edit /etc/hosts"})),
        call("zerto_create_tagged_checkpoint", json!({"vm": "web01", "label": "nginx works"})),
        call("zerto_guard_before_mutate", json!({"vm": "nowhere", "action": "edit /etc/hosts"})),
        call("zerto_list_tags", json!({"vm": "web01", "change_id": "chg-7"})),
        call("zerto_list_tags", json!({"vm": "web01", "limit": 1})),
    ];
    let Some(came) = home.drive(DEAF, &steps) else { return };
    let [found, none, guarded, marked, unguarded, tags, one] = came.results.as_slice() else { panic!() };
    assert_eq!((&ok(found)["outcome"], &ok(found)["vpgs"][0]["name"]), (&json!("ok"), &json!("gold")));
    refused(none, 3);
    assert_eq!(none["structured"]["outcome"], "none");
    let tag = ok(guarded)["tag"].as_str().unwrap();
    assert!(tag.starts_with("ai:test-client | edit /etc/hosts | vm=web01 | change=chg-7 | "), "{tag}");
    assert_eq!(ok(guarded)["vpgs"][0]["task_state"], "Completed");
    assert!(guarded["text"].as_str().unwrap().contains("a tagged checkpoint stands for web01 in VPG gold"));
    assert!(ok(marked)["tag"].as_str().unwrap().contains("| nginx works |"));
    let said = refused(unguarded, 3);
    assert!(said.contains("nowhere"), "{said}");
    assert_eq!(ok(tags)["tags"].as_array().unwrap().len(), 1);
    assert_eq!(ok(tags)["tags"][0]["tag"], tag);
    assert_eq!((ok(one)["tags"].as_array().unwrap().len(), &ok(one)["more"]), (1, &json!(2)));
    assert_eq!(sim.tags("gold").len(), 3);
    // As a guard by hand.
    let audit = home.audit();
    let lines: Vec<_> = audit.iter().map(|line| (&line["event"], &line["host"], &line["decision"])).collect();
    let (by_hand, mcp) = (&json!("by_hand"), &json!("mcp"));
    let (good, bad) = (&json!("guarded"), &json!("stopped"));
    assert_eq!(lines, [(by_hand, mcp, good), (by_hand, mcp, good), (by_hand, mcp, bad)]);
    assert_eq!(audit[0]["tool"], "zerto-guard-mcp zerto_guard_before_mutate");
    secret_free(&sim, &came.results, &came.stderr);
}

/// No answer, and nothing on stderr, holds the password.
pub fn secret_free(sim: &Sim, results: &[Value], stderr: &str) {
    let password = fs::read_to_string(sim.password_file()).unwrap();
    let said = format!("{}{stderr}", Value::Array(results.to_vec()));
    assert!(!said.contains(password.trim()) && !said.to_lowercase().contains("bearer"), "{said}");
}

#[test]
fn a_guard_that_fails_says_what_became_of_each_vpg() {
    let sim = world();
    sim.next_inserts(9, &InsertOutcome::failed("no room"));
    let home = Home::new(&sim);
    let steps = [call("zerto_guard_before_mutate", json!({"vm": "web01", "action": "x"}))];
    let Some(came) = home.drive(DEAF, &steps) else { return };
    let said = refused(&came.results[0], 1);
    assert!(said.contains("no room"), "{said}");
    assert_eq!(came.results[0]["structured"]["vpgs"][0]["task_state"], "Failed");
}

#[test]
fn two_calls_at_once_both_get_their_answer() {
    let sim = world();
    let home = Home::new(&sim);
    let guard = |action: &str| call("zerto_guard_before_mutate", json!({"vm": "web01", "action": action}));
    let tags = call("zerto_list_tags", json!({"vm": "web01"}));
    let Some(came) = home.drive(DEAF, &[json!({"together": [guard("one"), guard("two"), tags]})]) else { return };
    let [one, two, listed] = came.results[0].as_array().unwrap().as_slice() else { panic!() };
    assert_ne!(ok(one)["tag"], ok(two)["tag"]);
    ok(listed);
    assert_eq!(sim.tags("gold").len(), 3);
}

#[test]
fn what_is_broken_or_silent_is_a_refusal_and_the_server_goes_on() {
    let broken = Home::with("[[zvm]]\nnam = 1\n");
    let steps = [
        call("zerto_find_protection", json!({"vm": "web01"})),
        call("zerto_list_flr_sessions", json!({})),
        call("zerto_check_tool", json!({"server": "", "tool": "Read"})),
    ];
    let url = Sim::refused_url();
    let silent = Home::with(&format!(
        "[[zvm]]\nname = \"nyc\"\nurl = \"{url}\"\nusername = \"u\"\npassword_command = [\"/bin/echo\", \"p\"]\n"
    ));
    let Some(came) = drive(&[broken.scenario(DEAF, &steps), silent.scenario(DEAF, &steps[..2])]) else { return };
    for result in &came[0].results {
        assert!(refused(result, 1).contains("config.toml"), "{result:#}");
    }
    for result in &came[1].results {
        refused(result, 6);
    }
}

#[test]
fn what_is_partly_unknown_is_asked_about_and_each_guest_is_named() {
    let home = Home::with("");
    let bash =
        |command: &str| call("zerto_check_tool", json!({"server": "", "tool": "Bash", "input": {"command": command}}));
    let steps = [
        bash("ssh web01 systemctl restart nginx; ssh db01 frobnicate"),
        bash("ssh web01 systemctl restart nginx; ssh db01 systemctl restart postgresql"),
        bash("ssh web01 mysql --password=hunter22 --frob"),
    ];
    let Some(came) = home.drive(DEAF, &steps) else { return };
    let [partly, both, secret] = came.results.as_slice() else { panic!() };
    assert_eq!(ok(partly)["verdict"], "mutating");
    let question = ok(partly)["question"].as_str().unwrap();
    assert!(question.starts_with("Whether a part of Bash changes a server is not known"), "{question}");
    let next = |result: &Value| ok(result)["next"].as_str().unwrap().to_owned();
    assert!(next(partly).ends_with("After a no: the same for web01 alone, since that is known to be changed."));
    assert!(next(both).contains("once for each of web01, db01;"), "{}", next(both));
    assert!(ok(both)["question"].is_null());
    let question = ok(secret)["question"].as_str().unwrap();
    assert!(question.contains("--frob") && !question.contains("hunter22"), "{question}");
}

#[test]
fn two_recoveries_of_a_vm_at_once_leave_nothing_mounted_and_nothing_half() {
    let sim = world();
    let home = Home::new(&sim);
    let to = |name: &str| {
        call(
            "zerto_recover_file",
            json!({"tag": TAG, "path": "/etc/app.yaml", "destination": home.path(name), "confirmed": true}),
        )
    };
    let Some(came) = home.drive(DEAF, &[json!({"together": [to("a"), to("b"), to("a")]})]) else { return };
    let done: Vec<_> = came.results[0].as_array().unwrap().iter().filter(|it| it["is_error"] == false).collect();
    assert!(!done.is_empty(), "{:#}", came.results[0]);
    for result in done {
        assert_eq!(fs::read_to_string(ok(result)["file"].as_str().unwrap()).unwrap(), "listen: 8080\nworkers: 4\n");
    }
    assert!(sim.live_sessions().is_empty());
    let left = fs::read_dir(home.path("")).unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap());
    assert!(left.into_iter().all(|name| !name.contains("zerto-guard-part")));
}
