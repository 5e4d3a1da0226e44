use super::*;
use crate::classify::targets::Places;
use crate::classify::{Nowhere, classify};

fn found(tool: Tool, input: &str) -> Option<Own> {
    let call = ToolCall {
        name: "x".into(),
        tool,
        input: Json::parse(input.as_bytes()).unwrap(),
        cwd: None,
        session: None,
        id: None,
        prompt: None,
        asks_human: true,
    };
    let catalog = Catalog::default();
    let known = classify(&call, &catalog, &Places::default(), &Nowhere);
    own(&call, &catalog, &known)
}

fn bash(text: &str) -> Option<Own> {
    found(Tool::Own("Bash".into()), &serde_json::json!({"command": text}).to_string())
}

const ID: &str = "zgq-0123456789abc";

#[test]
fn our_commands_alone_can_be_put_to_a_human() {
    for text in [
        format!("zerto-guard answer {ID} guard"),
        format!("  /usr/local/bin/zerto-guard answer '{ID}' guard --vm \"web 01\" --remember "),
        "zerto-guard --config /a catalog add --server x --tool y --read-only".into(),
        "zerto-guard rewind recover 'latest:/etc/app.yaml' --yes".into(),
        "z'erto'-guard uninstall claude-code".into(),
    ] {
        assert!(matches!(bash(&text), Some(Own::Alone(_))), "{text}: {:?}", bash(&text));
    }
    let Some(Own::Alone(answer)) = bash(&format!("zerto-guard answer {ID} guard --vm a --state-dir /s")) else {
        panic!()
    };
    assert_eq!(answer.command, Command::Answer { id: ID.into(), guard: true, vms: vec!["a".into()], remember: false });
    assert_eq!(answer.places, [("--state-dir".to_owned(), "/s".to_owned())]);
}

#[test]
fn every_disguise_is_seen() {
    let other = "zgq-aaaaaaaaaaaaa";
    for text in [
        format!("sh -c 'zerto-guard answer {ID} guard'"),
        format!("env zerto-guard answer {ID} guard"),
        format!("zerto-guard answer {ID} guard && rm -rf /"),
        format!("zerto-guard answer {ID} guard\nid"),
        format!("zerto-guard --catalog /tmp/{other}.toml answer {ID} unguarded --catalog=x"),
        format!("zerto-guard answer {ID} guard --remembe"),
        format!("zerto-guard answer x{ID} guard"),
        "zerto-guard catalog add --server x --tool y --read-only; true".into(),
        "true | zerto-guard install claude-code".into(),
        "$(zerto-guard pause --for 1h)".into(),
        "zerto-guard pause --for 1h --reason x".into(),
        "zerto-guard --state-dir x pause --for 1h".into(),
        "zerto-guard trust https://evil".into(),
        "zerto-guard hook".into(),
        "g=zerto-guard; c=uninstall; $g ${c} claude-code".into(),
        "a=zerto b=guard; $a-$b trust https://x".into(),
        "true; z'erto'-guard catalog add --server x --tool y --read-only".into(),
        "\\zerto-guard uninstall claude-code".into(),
        "zerto-g?ard uninstall claude-code".into(),
        "/usr/local/bin/zerto-gu* hook".into(),
        "\"zerto-guard\" unin\\\nstall claude-code".into(),
        "env zerto-guard pa\"\"use --for 1h".into(),
        "bash -c \"exec ./zerto-guard  hook\"".into(),
        format!("zerto-guard --config {} catalog add --server x --tool y --read-only", "/".repeat(400)),
    ] {
        assert!(matches!(bash(&text), Some(Own::Never(_))), "{text}: {:?}", bash(&text));
    }
    for text in [
        format!("cp /usr/bin/zerto-guard /tmp/x; /tmp/x answer {ID} guard"),
        format!("echo {ID} > /tmp/id"),
        format!("x={ID}; ./run $x"),
        format!("npm run answer -- {ID}"),
    ] {
        assert_eq!(bash(&text), Some(Own::HoldsIds(vec![ID.into()])), "{text}");
    }
    let write = serde_json::json!({"file_path": "/tmp/x.sh", "content": format!("zerto-guard answer {ID} guard")});
    assert!(matches!(found(Tool::Own("Write".into()), &write.to_string()), Some(Own::HoldsIds(_))));
    let nested = serde_json::json!({"a": [{ID: 1}]});
    let tool = Tool::OfServer { server: "s".into(), tool: "t".into() };
    assert!(matches!(found(tool, &nested.to_string()), Some(Own::HoldsIds(_))));
}

#[test]
fn variables_are_followed_within_bounds() {
    assert_eq!(with_variables("a=x; echo $a ${a}y $ab"), "a=x; echo x xy $ab");
    let bomb = format!("a={0}; b=$a$a$a$a; {1}", "x".repeat(250), "$a".repeat(20_000));
    assert_eq!(with_variables(&bomb), bomb);
    let long = "$a".repeat(100_000) + " a=b";
    assert_eq!(with_variables(&long), long);
}

#[test]
fn another_tools_text_is_never_put_to_a_human_as_our_command() {
    let input =
        serde_json::json!({"host": "web01", "script": "zerto-guard uninstall claude-code", "cwd": "; Stop-Computer"});
    for tool in [Tool::OfServer { server: "winrm".into(), tool: "run_ps".into() }, Tool::Joined("winrm__run_ps".into())]
    {
        assert!(matches!(found(tool, &input.to_string()), Some(Own::Never(_))));
    }
}

#[test]
fn what_only_speaks_of_us_or_reads_is_left_in_peace() {
    for text in [
        "cargo test",
        "zerto-guard find web01",
        "zerto-guard rewind log web01",
        "zerto-guard check -- npm install",
        "zerto-guard answer --help",
        "cargo test -p zerto-guard hook",
        "cd ~/src/zerto-guard && cargo install --path .",
        "cd /srv/zerto-guard && git log --grep trust",
        "ls zgq-short",
        "rm -rf * install",
        "ls ??? hook",
        "grep -r 'x' . && echo \"trust\"",
        "zgq-0123456789AB",
        "git commit -m 'docs: zerto-guard answer explains itself'",
        "grep -rn 'zerto-guard pause' docs",
    ] {
        assert_eq!(bash(text), None, "{text}");
    }
    let docs = serde_json::json!({"file_path": "README.md", "content": "run `zerto-guard answer ID guard`"});
    assert_eq!(found(Tool::Own("Write".into()), &docs.to_string()), None);
    let asks = serde_json::json!({"questions": [{"question": format!("zerto-guard answer {ID} guard?")}]});
    assert_eq!(found(Tool::Own("AskUserQuestion".into()), &asks.to_string()), None);
}

#[test]
fn the_confirming_tools_of_our_server_are_ours_whatever_it_is_called() {
    let of = |server: &str| Tool::OfServer { server: server.into(), tool: "zerto_recover_file".into() };
    let tools = [
        of("zerto"),
        of("zerto-guard"),
        of("rewind"),
        Tool::Joined("zerto-guard__zerto_recover_file".into()),
        Tool::Joined("my__dr__zerto_recover_file".into()),
        Tool::Underscored("dr_zerto_recover_file".into()),
        Tool::OfSomeServer("zerto_recover_file".into()),
        Tool::Own("zerto_recover_file".into()),
    ];
    for tool in tools {
        let Some(Own::Alone(found)) = found(tool, r#"{"vm":"web01"}"#) else { panic!() };
        assert!(found.shown.contains("web01"), "{}", found.shown);
    }
    for tool in [
        Tool::OfServer { server: "zerto".into(), tool: "zerto_recover_files".into() },
        Tool::Underscored("dr_my-zerto_recover_file".into()),
    ] {
        assert_eq!(found(tool, "{}"), None);
    }
}
