//! Shell text through the real hook, against a ZVM over real TLS: what passes in silence, what is tagged first and where,
//! and what is asked.

use crate::env::{Env, Ran};
use crate::guard_story::{demo, home, home_with, told};
use serde_json::json;

fn bash(env: &Env, text: &str) -> Ran {
    env.hook(env.call("Bash", json!({"command": text})))
}

fn id(ran: &Ran) -> String {
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    let after = ran.stderr.split("zerto-guard answer ").nth(1).unwrap_or_else(|| panic!("no question: {}", ran.stderr));
    after.split_whitespace().next().unwrap().to_owned()
}

#[test]
fn what_only_reads_or_works_here_passes_in_silence_and_asks_no_zvm() {
    let sim = demo().start();
    let env = home(&sim);
    for text in [
        "ssh web01 uptime",
        "ssh web01 'journalctl -u nginx -n 50 | grep -i error' > errors.txt",
        "git status && cargo test 2>&1 | tail -5",
        "rm -rf target && mkdir -p build",
        "scp web01:/etc/nginx/nginx.conf .",
        "for h in web01 db01; do ssh $h 'df -h; free -m'; done",
        "echo 'ssh web01 rm -rf /' # ssh web01 reboot",
        "git commit -m 'reboot web01 with ssh web01 reboot'",
        "grep -r 'ssh db01' .",
        "man ssh",
    ] {
        bash(&env, text).passed_silently();
    }
    assert!(sim.requests().is_empty(), "{:?}", sim.requests());
}

#[test]
fn a_change_behind_ssh_is_tagged_first_with_the_command_as_its_action() {
    let sim = demo().start();
    let env = home(&sim);
    told(&bash(&env, "ssh root@web01 'sudo systemctl restart nginx'"));
    let tags = sim.tags("web01-local");
    let [tag] = tags.as_slice() else { panic!("{tags:?}") };
    assert!(tag.contains("| ssh root@web01 'sudo systemctl restart nginx' | vm=web01 |"), "{tag}");
    // The tool's own description says it better.
    let call =
        env.call("Bash", json!({"command": "scp nginx.conf web01:/etc/nginx/", "description": "Copy the config"}));
    told(&env.hook(call));
    let tags = sim.tags("web01-local");
    assert!(tags.iter().any(|tag| tag.contains("| Copy the config | vm=web01 |")), "{tags:?}");
    // No secret of the command gets into the tag.
    told(&bash(
        &env,
        "sshpass -p hunter2 ssh web01 \"PGPASSWORD=geheim systemctl stop x; curl -H 'Authorization: Bearer abcdef' -o /x http://u:pw@h/\"",
    ));
    let tags = sim.tags("web01-local").join("\n");
    for secret in ["hunter2", "geheim", "abcdef", "u:pw"] {
        assert!(!tags.contains(secret), "{secret}: {tags}");
    }
}

#[test]
fn every_guest_of_a_text_gets_the_one_tag() {
    let sim = demo().start();
    let env = home(&sim);
    told(&bash(&env, "for h in web01 db01; do ssh \"$h\" 'rm -f /var/run/app.pid'; done"));
    let tags = sim.tags("web01-local");
    assert_eq!(sim.tags("db01-dr"), tags);
    assert!(tags.len() == 1 && tags[0].contains("vm=web01,db01"), "{tags:?}");
}

#[test]
fn an_unknown_text_is_asked_about_with_the_entry_that_would_answer_it() {
    let sim = demo().start();
    let env = home(&sim);
    let ran = bash(&env, "ssh web01 acmectl rotate");
    let id = id(&ran);
    assert!(ran.stderr.contains("catalog add --program acmectl rotate --read-only"), "{}", ran.stderr);
    assert!(ran.stderr.contains("`acmectl` is in no catalog") && ran.stderr.contains("on web01"), "{}", ran.stderr);
    assert!(sim.tags("web01-local").is_empty());
    // An entry that says that acmectl changes its machine would let it run on the agent's own without a word.
    assert!(!ran.stderr.contains("--remember"), "{}", ran.stderr);
    let answer = env.run(&["answer", &id, "guard", "--remember"]);
    assert_eq!(answer.code, Some(5), "{}", answer.stdout);
    // The entry that the question spells out is the human's to add.
    assert_eq!(env.run(&["catalog", "add", "--program", "acmectl", "rotate", "--mutating"]).code, Some(0));
    told(&bash(&env, "ssh web01 acmectl rotate --all"));
    assert_eq!(sim.tags("web01-local").len(), 1);
    bash(&env, "ssh web01 acmectl purge").denied("answer zgq-");
}

#[test]
fn a_change_beside_something_unknown_is_guarded_whatever_the_answer_is() {
    let sim = demo().start();
    let env = home(&sim);
    let text = "ssh web01 'systemctl restart nginx'; ssh db01 acmectl rotate";
    let ran = bash(&env, text);
    assert!(ran.stderr.contains("it changes a guest, and a part of it is not understood"), "{}", ran.stderr);
    assert!(sim.tags("web01-local").is_empty(), "nothing before the answer");
    // Unguarded: what is known to be a change is tagged all the same.
    assert_eq!(env.run(&["answer", &id(&ran), "unguarded"]).code, Some(0));
    let (model, user) = told(&bash(&env, text));
    assert!(model.contains("runs unguarded") && user.contains("runs unguarded"), "{model}\n{user}");
    assert_eq!((sim.tags("web01-local").len(), sim.tags("db01-dr").len()), (1, 0));
    // Guarded: both.
    let again = id(&bash(&env, text));
    assert_eq!(env.run(&["answer", &again, "guard"]).code, Some(0));
    told(&bash(&env, text));
    assert_eq!((sim.tags("web01-local").len(), sim.tags("db01-dr").len()), (2, 1));
}

#[test]
fn an_answer_is_bound_to_the_bytes_of_every_script() {
    let sim = demo().start();
    let env = home(&sim);
    let script = env.project().join("deploy.sh");
    env.write(&script, "#!/bin/sh\nssh web01 acmectl one\n");
    let text = "bash deploy.sh";
    let first = id(&bash(&env, text));
    assert_eq!(env.run(&["answer", &first, "unguarded"]).code, Some(0));
    env.write(&script, "#!/bin/sh\nssh web01 acmectl two\n");
    bash(&env, text).denied("answer zgq-");
    env.write(&script, "#!/bin/sh\nssh web01 acmectl one\n");
    assert_eq!(bash(&env, text).code, Some(0), "the bytes for which it was answered");
}

#[test]
fn the_ssh_config_says_which_machine_an_alias_is() {
    let sim = demo().start();
    let env = home(&sim);
    env.write(&env.home().join(".ssh/config"), "Host prod\n  HostName web01\n  User deploy\n");
    told(&bash(&env, "ssh prod sudo reboot"));
    assert!(sim.tags("web01-local")[0].contains("vm=web01"), "{:?}", sim.tags("web01-local"));
}

#[test]
fn shell_text_of_other_tools_is_judged_alike() {
    let sim = demo().start();
    let env = home(&sim);
    env.hook(env.call("Monitor", json!({"command": "tail -f build.log"}))).passed_silently();
    told(&env.hook(env.call("Monitor", json!({"command": "ssh web01 'while true; do date > /tmp/x; done'"}))));
    let env = Env::new()
        .config(&sim.config_toml())
        .catalog("[server.remote]\nscript = [{ tool = 'run', vm = 'host', script = 'command', language = 'sh' }]\n");
    let run = |text: &str| env.hook(env.mcp("remote", "run", json!({"host": "web01", "command": text})));
    run("cat /etc/hosts; uptime").passed_silently();
    let before = sim.tags("web01-local").len();
    told(&run("apt-get install -y nginx"));
    assert_eq!(sim.tags("web01-local").len(), before + 1);
    run("ssh db01 acmectl").denied("on web01, db01");
}

#[test]
fn unknown_texts_are_guarded_unasked_only_if_every_guest_is_named() {
    let sim = demo().start();
    let env = home_with(&sim, "[guard]\nunknown = 'guard'\n");
    told(&bash(&env, "ssh web01 acmectl rotate"));
    told(&bash(&env, "ssh web01 reboot; ssh db01 acmectl rotate"));
    assert_eq!((sim.tags("web01-local").len(), sim.tags("db01-dr").len()), (2, 1));
    for text in [
        "acmectl rotate",
        "ssh web01 acmectl rotate; acmectl rotate",
        "ssh web01 reboot; acmectl rotate",
        "ssh web01 reboot; ssh \"$HOST\" reboot",
    ] {
        let ran = bash(&env, text);
        assert!(ran.stderr.contains("--vm VM"), "{text}: {}", ran.stderr);
        assert_eq!(ran.code, Some(2), "{text}");
    }
    assert_eq!((sim.tags("web01-local").len(), sim.tags("db01-dr").len()), (2, 1), "nothing for those");
}
