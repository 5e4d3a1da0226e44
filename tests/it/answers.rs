//! A question, its answer by a human, and the one retry that the answer serves.

use crate::env::{Env, Ran};
use crate::guard_story::{demo, home};
use serde_json::{Value, json};
use std::fs;

/// The question's id in a deny.
fn id(ran: &Ran) -> String {
    ran.denied("zerto-guard answer zgq-");
    let (_, rest) = ran.stderr.split_once("zerto-guard answer ").unwrap();
    rest.split_whitespace().next().unwrap().to_owned()
}

fn run_ps(env: &Env) -> String {
    env.mcp("winrm", "run_ps", json!({"host": "web01", "script": "& $upkeep"}))
}

/// The call with one top-level field replaced.
fn with(call: &str, field: &str, value: Value) -> String {
    let mut call: Value = serde_json::from_str(call).unwrap();
    call[field] = value;
    call.to_string()
}

fn told(ran: &Ran) -> String {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.json()["systemMessage"].as_str().unwrap().to_owned()
}

#[test]
fn guard_tags_the_retry_and_serves_once() {
    let sim = demo().start();
    let env = home(&sim);
    let question = id(&env.hook(run_ps(&env)));
    let ran = env.run(&["answer", &question, "guard"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("mcp__winrm__run_ps") && ran.stdout.contains("web01"), "{}", ran.stdout);
    assert!(sim.all_tags().is_empty(), "the answer itself tags nothing");
    assert!(told(&env.hook(run_ps(&env))).contains("a tagged checkpoint stands for web01"));
    assert_eq!((sim.tags("web01-dr").len(), sim.tags("web01-local").len()), (1, 1));
    let again = id(&env.hook(run_ps(&env)));
    assert_ne!(again, question);
    assert_eq!(env.run(&["answer", &question, "guard"]).code, Some(3), "it is answered");
    assert_eq!(env.run(&["answer", "zgq-0000000000000", "guard"]).code, Some(3));
}

#[test]
fn unguarded_lets_it_run_and_says_so_to_both() {
    let env = Env::new();
    let call = env.call("Workflow", json!({"name": "x"}));
    let question = id(&env.hook(call.clone()));
    assert_eq!(env.run(&["answer", &question, "unguarded", "--remember"]).code, Some(5));
    let ran = env.run(&["answer", &question, "unguarded"]);
    assert!(ran.stdout.contains("WITHOUT a checkpoint"), "{}", ran.stdout);
    let ran = env.hook(call.clone());
    assert!(told(&ran).contains("Zerto cannot rewind"));
    assert!(ran.json()["hookSpecificOutput"]["additionalContext"].as_str().unwrap().contains("Zerto cannot rewind"));
    id(&env.hook(call));
}

#[test]
fn an_answer_is_bound_to_session_tool_folder_and_input() {
    let env = Env::new();
    let call = env.call("Bash", json!({"command": "make x", "description": "one", "timeout": 5}));
    let answered = || {
        let question = id(&env.hook(call.clone()));
        assert_eq!(env.run(&["answer", &question, "unguarded"]).code, Some(0));
    };
    answered();
    for (field, value) in [
        ("session_id", json!("another")),
        ("tool_name", json!("Monitor")),
        ("cwd", json!(env.home())),
        ("tool_input", json!({"command": "make y"})),
        ("tool_input", json!({"command": "make x", "run_in_background": true})),
    ] {
        id(&env.hook(with(&call, field, value)));
    }
    // Another order of the keys, and fields without effect, are the same call.
    let same = with(&call, "tool_input", json!({"timeout": 900, "command": "make x"}));
    told(&env.hook(with(&same, "tool_use_id", json!("toolu_other"))));
    // Numbers that a careless reader takes for one are two.
    let big = |number: &str| env.mcp("acme", "t", json!({"n": "N"})).replace("\"N\"", number);
    let question = id(&env.hook(big("123456789012345678901234567890")));
    assert_eq!(env.run(&["answer", &question, "unguarded"]).code, Some(0));
    id(&env.hook(big("123456789012345678901234567891")));
    told(&env.hook(big("123456789012345678901234567890")));
}

#[test]
fn an_answer_lives_ten_minutes() {
    let env = Env::new();
    let call = env.call("Workflow", json!({}));
    let question = id(&env.hook(call.clone()));
    assert_eq!(env.run(&["answer", &question, "unguarded"]).code, Some(0));
    let file = fs::read_dir(env.state_dir().join("answers")).unwrap().next().unwrap().unwrap().path();
    let mut answer: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let given: jiff::Timestamp = answer["given"].as_str().unwrap().parse().unwrap();
    answer["given"] = json!((given - jiff::SignedDuration::from_secs(601)).to_string());
    fs::write(&file, answer.to_string()).unwrap();
    id(&env.hook(call));
}

#[test]
fn of_a_hundred_processes_that_race_for_one_answer_one_wins() {
    let env = Env::new();
    let call = env.call("Workflow", json!({}));
    let question = id(&env.hook(call.clone()));
    assert_eq!(env.run(&["answer", &question, "unguarded"]).code, Some(0));
    let codes: Vec<Option<i32>> = std::thread::scope(|scope| {
        let racing: Vec<_> = (0..100).map(|_| scope.spawn(|| env.hook(call.clone()).code)).collect();
        racing.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(codes.iter().filter(|code| **code == Some(0)).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == Some(2)).count(), 99);
}

#[test]
fn what_names_no_guest_needs_the_vm_and_is_remembered_by_the_argument_that_has_it() {
    let sim = demo().start();
    let env = home(&sim).catalog("# mine\n[server.other] # kept\nread_only = ['x']\n");
    let call = env.mcp("acme", "rotate", json!({"target": "DB01", "note": "x"}));
    let question = id(&env.hook(call.clone()));
    assert_eq!(env.run(&["answer", &question, "guard"]).code, Some(5), "--vm is missing");
    assert_eq!(
        env.run(&["answer", &question, "guard", "--vm", "web01", "--remember"]).code,
        Some(5),
        "no argument has it"
    );
    let ran = env.run(&["answer", &question, "guard", "--vm", "db01", "--remember"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("[server.acme]\nmutating = [{ tool = \"rotate\", vm = \"target\" }]"),
        "{}",
        ran.stdout
    );
    let catalog = fs::read_to_string(env.config_dir().join("catalog.toml")).unwrap();
    assert!(catalog.contains("# mine") && catalog.contains("[server.other] # kept"), "{catalog}");
    assert!(told(&env.hook(call.clone())).contains("for db01"));
    assert!(told(&env.hook(call)).contains("for db01"), "from now on without a question");
    assert_eq!(sim.tags("db01-dr").len(), 2);
    // A script entry is remembered by the argument that the catalog knows.
    let question = id(&env.hook(run_ps(&env)));
    assert_eq!(env.run(&["answer", &question, "guard", "--remember"]).code, Some(0));
    told(&env.hook(run_ps(&env)));
    told(&env.hook(env.mcp("winrm", "run_ps", json!({"host": "db01", "script": "anything"}))));
}

#[test]
fn a_guard_that_fails_gives_the_answer_back_and_the_calls_own_guest_is_never_left_out() {
    let sim = demo().start();
    let env = home(&sim);
    let question = id(&env.hook(run_ps(&env)));
    assert_eq!(env.run(&["answer", &question, "guard", "--vm", ""]).code, Some(64));
    assert_eq!(env.run(&["answer", &question, "guard", "--vm", "db01"]).code, Some(0));
    sim.next_inserts_at("db01-dr", 1, &zvm_sim::InsertOutcome::failed("full"));
    env.hook(run_ps(&env)).denied("full");
    told(&env.hook(run_ps(&env)));
    assert!(sim.tags("db01-dr").iter().all(|tag| tag.contains("vm=web01,db01")), "{:?}", sim.all_tags());
    assert!(!sim.tags("web01-dr").is_empty(), "the guest that the call names is tagged too");
    id(&env.hook(run_ps(&env)));
}

#[test]
fn what_is_remembered_is_what_names_the_guest_and_stands_for_no_other_server() {
    let env = Env::new();
    let question = id(&env.hook(env.mcp("acme", "rotate", json!({"comment": "web01", "host": "db01"}))));
    assert_eq!(env.run(&["answer", &question, "guard", "--vm", "web01", "--remember"]).code, Some(5));
    let glob =
        env.call("mcp_____tool", json!({})).replace("\"tool_name\"", "\"mcp_server\":{\"name\":\"*\"},\"tool_name\"");
    let ran = env.hook(glob);
    assert!(!ran.denied("answer zgq-").stderr.contains("catalog add"), "{}", ran.stderr);
    assert_eq!(env.run(&["answer", &id(&ran), "guard", "--vm", "x", "--remember"]).code, Some(5));
}

#[test]
fn a_question_and_its_answer_show_what_would_run_and_no_secret() {
    let env = Env::new();
    let call = env.call(
        "Bash",
        json!({"command": "mysql -pS3cret -h db01 -e 'select drop_table(x)'", "description": "list files"}),
    );
    let ran = env.hook(call);
    ran.denied("It would run: mysql -p*** -h db01 -e 'select drop_table(x)'");
    let answered = env.run(&["answer", &id(&ran), "unguarded"]);
    assert!(answered.stdout.contains("select drop_table(x)"), "{}", answered.stdout);
    let other = env.hook(env.call("Bash", json!({"command": "make other"})));
    let listed = env.run(&["questions"]);
    assert!(listed.stdout.contains("make other"), "{}", listed.stdout);
    for text in [&ran.stderr, &answered.stdout, &other.stderr, &listed.stdout] {
        assert!(!text.contains("S3cret"), "{text}");
    }
}

#[test]
fn no_argument_that_is_a_secret_is_kept_with_a_question() {
    let env = Env::new();
    let input = json!({"target": "web01", "password": "S3cret", "apiKey": "S3cret-key", "auth_token": "S3cret.tok"});
    env.hook(env.mcp("acme", "rotate", input)).denied("--remember");
    let folder = env.state_dir().join("questions");
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1);
    let kept = std::fs::read_to_string(&files[0]).unwrap();
    assert!(kept.contains("web01") && !kept.contains("S3cret"), "{kept}");
}

#[test]
fn going_through_the_questions_on_a_terminal() {
    let sim = demo().start();
    let env = home(&sim);
    let (first, second) = (env.call("Workflow", json!({"n": 1})), run_ps(&env));
    id(&env.hook(first.clone()));
    id(&env.hook(second.clone()));
    id(&env.hook(env.call("Workflow", json!({"n": 3}))));
    let Some(ran) = crate::trust_command::on_a_terminal(&env, "answer", "u\ng\ns\n") else {
        crate::env::skip("there is no `script` here to make a terminal with");
        return;
    };
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    assert!(ran.stdout.contains("& $upkeep") && ran.stdout.contains("[g]uard"), "{}", ran.stdout);
    assert!(told(&env.hook(first)).contains("Zerto cannot rewind"));
    assert!(told(&env.hook(second)).contains("a tagged checkpoint stands"));
    assert_eq!(env.run(&["questions", "--json"]).json().as_array().unwrap().len(), 1);
}

#[test]
fn questions_are_listed_without_their_ids() {
    let env = Env::new();
    assert_eq!(env.run(&["questions"]).stdout, "No open questions.\n");
    let question = id(&env.hook(run_ps(&env)));
    let ran = env.run(&["questions"]);
    assert!(ran.stdout.contains("mcp__winrm__run_ps") && ran.stdout.contains("web01"), "{}", ran.stdout);
    let json = env.run(&["questions", "--json"]).json();
    assert_eq!(json[0]["guests"], json!(["web01"]));
    let hidden = question.trim_start_matches("zgq-");
    assert!(!ran.stdout.contains(hidden) && !json.to_string().contains(hidden));
    for folder in ["questions", "answers"] {
        for file in fs::read_dir(env.state_dir().join(folder)).unwrap() {
            let path = file.unwrap().path();
            assert!(!path.to_string_lossy().contains(hidden) && !fs::read_to_string(path).unwrap().contains(hidden));
        }
    }
    let ran = env.run(&["answer"]);
    assert!(matches!(ran.code, Some(0 | 5)), "with or without a terminal: {}", ran.stderr);
}

#[test]
fn an_agent_cannot_answer_for_the_human() {
    let env = Env::new();
    let question = id(&env.hook(run_ps(&env)));
    let bash = |command: &str, mode: &str| {
        env.hook(with(&env.call("Bash", json!({"command": command})), "permission_mode", json!(mode)))
    };
    let answer = format!("zerto-guard answer {question} guard");
    for mode in ["default", "acceptEdits", "plan"] {
        let ran = bash(&answer, mode);
        assert_eq!(ran.code, Some(0), "{mode}: {}", ran.stderr);
        let output = &ran.json()["hookSpecificOutput"];
        assert_eq!(output["permissionDecision"], "ask");
        let reason = output["permissionDecisionReason"].as_str().unwrap();
        assert!(reason.contains("mcp__winrm__run_ps may run once, after a tagged checkpoint of web01"), "{reason}");
    }
    // By its path it is the guard too, but not a program of the agent's that only has its name.
    let path = Env::binary();
    assert_eq!(bash(&answer.replace("zerto-guard", path.to_str().unwrap()), "default").code, Some(0));
    env.write(&env.project().join("zerto-guard"), "#!/bin/sh\nrm -rf /\n");
    bash(&format!("./{answer}"), "default").denied("another program than this one");
    bash(&format!("/nowhere/{answer}"), "default").denied("a human must run this");
    let reason = bash(&answer.replace("guard\"", "").replace(" guard", " unguarded"), "default").stdout;
    assert!(reason.contains("WITHOUT a checkpoint"), "{reason}");
    for mode in ["bypassPermissions", "dontAsk", "auto", "anything"] {
        bash(&answer, mode).denied("a human must run this");
    }
    let disguises = [
        format!("sh -c '{answer}'"),
        format!("env X=1 {answer}"),
        format!("nohup {answer} &"),
        format!("{answer}; true"),
        format!("true && {answer}"),
        format!("echo {question} | xargs -I% zerto-guard answer % guard"),
        format!("cp $(command -v zerto-guard) /tmp/other; /tmp/other answer {question} guard"),
        format!("echo '{answer}' > /tmp/x.sh; sh /tmp/x.sh"),
        format!("npm run answer -- {question}"),
        format!("python3 -c \"import os; os.system('{answer}')\""),
        "zerto-guard catalog add --server winrm --tool run_ps --read-only && true".to_owned(),
        "zerto-guard pause --for 1h --reason x".to_owned(),
        "zerto-guard trust https://zvm".to_owned(),
        "zerto-guard hook".to_owned(),
    ];
    for command in &disguises {
        bash(command, "default").denied("a human must run this");
    }
    for (tool, input) in [
        ("Write", json!({"file_path": "x.sh", "content": answer})),
        ("Edit", json!({"file_path": "package.json", "old_string": "a", "new_string": format!("\"x\": \"{answer}\"")})),
        ("NotebookEdit", json!({"notebook_path": "x.ipynb", "new_source": answer})),
        ("Agent", json!({"prompt": format!("run {answer}")})),
    ] {
        env.hook(env.call(tool, input)).denied("a human must run this");
    }
    env.hook(env.mcp("winrm", "list_files", json!({"x": [{"y": answer}]}))).denied("a human must run this");
    // Put to the human it may be, and none of all this has answered it.
    env.hook(env.call("AskUserQuestion", json!({"questions": [{"question": answer}]}))).passed_silently();
    assert_eq!(env.run(&["questions", "--json"]).json().as_array().unwrap().len(), 1);
}

#[test]
fn a_state_folder_that_cannot_be_written_stops_the_call_and_says_so() {
    let env = Env::new();
    env.write(&env.home().join(".local/state"), "a file in its place");
    env.hook(run_ps(&env)).denied("the question can't be put");
}
