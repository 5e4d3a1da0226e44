//! `check`: the verdict, and which entry of which layer decided.

use crate::env::Env;
use predicates::prelude::{PredicateBooleanExt as _, predicate};
use serde_json::json;

#[test]
fn it_says_which_entry_of_which_layer_decided() {
    let env = Env::new().catalog(
        "[server.winrm]\nmutating = [{ tool = 'copy_file', vm = 'to.hosts', action = 'copy {source} to {to.hosts}' }]\n",
    );
    let input = json!({"source": "a.conf", "to": {"hosts": ["web01", "web02"]}}).to_string();
    let arguments = ["check", "--tool", "copy_file", "--server", "winrm", "--input", &input];
    let ran = env.run(&arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(
        ran.stdout,
        "mutating: [server.winrm] mutating copy_file says that it changes web01, web02\n  guests   web01, web02\n  \
         action   copy a.conf to web01,web02\n  decided  user catalog, [server.winrm] mutating copy_file\n"
    );
    let json = env.run(&[&arguments[..], &["--json"]].concat()).json();
    assert_eq!(json["verdict"], "mutating");
    assert_eq!(json["targets"], json!(["web01", "web02"]));
    assert_eq!(json["action"], "copy a.conf to web01,web02");
    assert_eq!(json["decided_by"], json!({"layer": "user", "entry": "[server.winrm] mutating copy_file"}));
    assert_eq!(json["commands"][0]["verdict"], "mutating");
}

#[test]
fn guests_that_cannot_be_named_make_a_change_unknown() {
    let env = Env::new().catalog("[server.x]\nmutating = [{ tool = 't', vm = 'host' }, 'no_vm']\n");
    for (tool, input, verdict) in [
        ("t", r#"{"host": "web01"}"#, "mutating"),
        ("t", r#"{"host": 101}"#, "mutating"),
        ("t", r#"{"host": ["a", "b"]}"#, "mutating"),
        ("t", r#"{"host": ["a", ""]}"#, "unknown"),
        ("t", r#"{"host": ["a", null]}"#, "unknown"),
        ("t", r#"{"host": []}"#, "unknown"),
        ("t", r#"{"host": " "}"#, "unknown"),
        ("t", r#"{"host": {"name": "a"}}"#, "unknown"),
        ("t", r#"{}"#, "unknown"),
        ("no_vm", r#"{"host": "web01"}"#, "unknown"),
        ("other", r#"{}"#, "unknown"),
    ] {
        let json = env.run(&["check", "--json", "--tool", tool, "--server", "x", "--input", input]).json();
        assert_eq!(json["verdict"], verdict, "{tool} {input}: {json}");
    }
}

#[test]
fn a_host_that_is_an_option_is_not_let_through() {
    let env = Env::new();
    for (input, verdict) in [
        (r#"{"host": "web01"}"#, "read_only"),
        (r#"{"host": "-oProxyCommand=touch x"}"#, "unknown"),
        (r#"{"service_name": "-x"}"#, "read_only"),
    ] {
        let arguments =
            ["check", "--json", "--server", "linux-mcp-server", "--tool", "get_service_logs", "--input", input];
        assert_eq!(env.run(&arguments).json()["verdict"], verdict, "{input}");
    }
}

#[test]
fn without_the_server_all_that_have_the_tool_must_agree() {
    let env = Env::new().catalog(
        "[server.a]\nread_only = ['same', 'differs']\n[server.b]\nread_only = ['same']\nmutating = ['differs']\n\
         [server.a__b]\nread_only = ['c']\n[server.one]\nmutating = ['two__x']\n[server.one__two]\nread_only = ['x']\n",
    );
    for (tool, verdict) in [
        ("same", "read_only"),
        ("differs", "unknown"),
        ("mcp__a__same", "read_only"),
        ("mcp__b__differs", "unknown"), // it changes a guest that it does not name
        ("mcp__a__b__c", "read_only"),
        ("mcp__one__two__x", "unknown"),
        ("mcp__plugin_my_plugin_a__same", "read_only"),
        ("mcp__none__same", "unknown"),
        ("Read", "read_only"),
        ("Workflow", "unknown"),
    ] {
        let json = env.run(&["check", "--json", "--tool", tool]).json();
        assert_eq!(json["verdict"], verdict, "{tool}: {json}");
    }
}

#[test]
fn a_stream_is_judged_line_by_line_in_its_order() {
    let env = Env::new();
    let lines = concat!(
        r#"{"tool_name":"Read","tool_input":{"file_path":"x"}}"#,
        "\n\n",
        "garbage\n",
        r#"{"tool_name":"run_ps","tool_input":{"host":"web01","script":"x"},"mcp_server":"winrm"}"#,
        "\n",
        r#"{"tool_name":"mcp__winrm__run_ps","tool_input":{"host":"web02"},"mcp_server":{"name":"winrm"}}"#,
    );
    let output = env.command(&["check", "--stdin"]).write_stdin(lines).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "one line could not be read");
    let text = String::from_utf8(output.stdout).unwrap();
    let objects: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let verdicts: Vec<_> = objects.iter().map(|object| object["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["read_only", "unknown", "unknown", "unknown"]);
    assert_eq!(objects[2]["targets"], json!(["web01"]));
    assert_eq!(objects[3]["targets"], json!(["web02"]));
}

#[test]
fn unguarded_machines_are_let_through_and_nothing_else() {
    let env = Env::new()
        .catalog("[server.x]\nmutating = [{ tool = 't', vm = 'host' }]\n")
        .config("[hosts]\nunguarded = ['ci.example', 'alias.example']\n'alias.example' = 'db01'\n");
    for (input, verdict, targets) in [
        (r#"{"host": "CI.example"}"#, "read_only", json!([])),
        (r#"{"host": "alias.example"}"#, "mutating", json!(["alias.example"])),
        (r#"{"host": ["ci.example", "web01"]}"#, "mutating", json!(["web01"])),
    ] {
        let json = env.run(&["check", "--json", "--tool", "t", "--server", "x", "--input", input]).json();
        assert_eq!((&json["verdict"], &json["targets"]), (&json!(verdict), &targets), "{input}");
    }
}

#[test]
fn usage_errors_are_64_and_never_2() {
    let env = Env::new();
    for arguments in [
        &["check"][..],
        &["check", "--tool"],
        &["check", "--tool", "x", "--input", "no json"],
        &["check", "--tool", "x", "--input", "[]"],
        &["check", "--stdin", "--", "x"],
        &["check", "--server", "x"],
        &["nonsense"],
        &[],
        &["--nonsense"],
    ] {
        env.command(arguments).assert().code(64).stderr(predicate::str::is_empty().not());
    }
    let ran = env.run(&["find", "--json"]);
    assert_eq!((ran.code, &ran.json()["exit_code"]), (Some(64), &json!(64)));
    assert!(ran.json()["error"].as_str().unwrap().contains("<VM>"), "{}", ran.stdout);
    let ran = env.run(&["catalog", "add", "--server", "x", "--tool", "t"]);
    assert!(ran.code == Some(64) && ran.stderr.contains("--mutating"), "{}", ran.stderr);
    assert_eq!(env.run(&["--help"]).code, Some(0));
    assert_eq!(env.run(&["help", "hook"]).code, Some(0));
    assert_eq!(env.run(&["--version"]).code, Some(0));
}

#[test]
fn an_error_is_json_too_where_that_was_asked() {
    let env = Env::new().config("x = 1\n");
    let ran = env.run(&["check", "--json", "--tool", "Read"]);
    assert_eq!(ran.code, Some(1));
    let json = ran.json();
    assert_eq!((&json["ok"], &json["exit_code"]), (&json!(false), &json!(1)));
    assert!(json["error"].as_str().unwrap().contains("config.toml, line 1"), "{json}");
}

#[test]
fn colours_only_on_a_terminal() {
    let env = Env::new();
    assert!(!env.run(&["check", "--tool", "Read"]).stdout.contains('\u{1b}'));
}

#[test]
fn shell_text_is_shown_as_a_tree_with_where_each_command_runs_and_which_entry_decided() {
    let env = Env::new();
    let text = "for h in web01 web02; do ssh $h 'df -h /; sudo systemctl restart nginx'; done";
    let ran = env.run(&["check", "--", text]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for line in [
        "  guests   web01, web02\n",
        "  decided  built-in catalog, [program.systemctl] mutating restart\n",
        "  commands  mutating   ssh $h 'df -h /; sudo systemctl restart nginx'  the rules for ssh\n",
        "              read_only  df -h /  on web01  [program.df] read_only *\n",
        "              mutating   systemctl restart nginx  on web02  [program.systemctl] mutating restart\n",
    ] {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.stdout);
    }
    let json = env.run(&["check", "--json", "--", text]).json();
    let restart = &json["commands"][2];
    assert_eq!(restart["text"], "systemctl restart nginx");
    assert_eq!((&restart["where"], &restart["verdict"]), (&"web01".into(), &"mutating".into()));
    assert_eq!(restart["decided_by"]["entry"], "[program.systemctl] mutating restart");
    // The words of a command are quoted again for what they are.
    let words = env.run(&["check", "--json", "--", "ssh", "web01", "cat /etc/hosts > /x"]).json();
    assert_eq!((&words["verdict"], &words["targets"][0]), (&"mutating".into(), &"web01".into()));
    // A part that is not known is said beside the change.
    let mixed = env.run(&["check", "--", "ssh web01 reboot; ssh web02 acmectl"]).stdout;
    assert!(mixed.contains("a part of it unknown: in `acmectl`, `acmectl` is in no catalog"), "{mixed}");
}

#[test]
fn what_is_not_understood_says_what_would_make_it_known() {
    let env = Env::new();
    let ran = env.run(&["check", "--", "ls && frobnicate x --y"]);
    let line = "to have it understood: zerto-guard catalog add --program frobnicate x --read-only, if it only reads";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    let ran = env.run(&["check", "--", "ssh $H reboot"]);
    assert!(ran.stdout.ends_with("\n  to have it understood: write out what `$H` stands for\n"), "{}", ran.stdout);
    let json = env.run(&["check", "--json", "--", "ls; ssh $H reboot"]).json();
    assert_eq!(json["understood_if"], "write out what `$H` stands for");
    assert_eq!(json["commands"][0]["understood_if"], json!(null));
    assert_eq!(json["commands"][1]["understood_if"], "write out what `$H` stands for");
}

#[test]
fn what_is_known_to_change_a_cloud_or_a_cluster_is_offered_no_entry_that_would_let_it_run() {
    let env = Env::new();
    for text in ["terraform apply", "tofu destroy", "kubectl delete pod x", "helm upgrade a b"] {
        let json = env.run(&["check", "--json", "--", text]).json();
        assert_eq!(
            (&json["verdict"], &json["commands"][0]["understood_if"]),
            (&json!("unknown"), &json!(null)),
            "{text}"
        );
        let asked = env.hook(env.call("Bash", json!({"command": text})));
        assert!(!asked.denied("answer zgq-").stderr.contains("catalog add"), "{}", asked.stderr);
    }
}
