//! Skills and slash commands: their files' inline commands run without a hook of their own, so they are the call.

use crate::env::{Env, Ran};
use serde_json::json;

fn skill(env: &Env, name: &str) -> Ran {
    env.hook(env.call("Skill", json!({"skill": name, "args": "x"})))
}

#[test]
fn a_file_that_runs_nothing_passes_and_one_that_does_is_asked_about() {
    let env = Env::new();
    let project = env.project().join(".claude");
    let user = env.home().join(".claude");
    env.write(&user.join("skills/plain/SKILL.md"), "---\nname: plain\n---\nRead the docs.\n");
    env.write(&user.join("skills/runs/SKILL.md"), "Status: !`ssh web01 reboot`\n");
    env.write(&project.join("commands/ops/check.md"), "Look around.\n");
    env.write(&project.join("commands/deploy.md"), "!`./deploy.sh`\n");
    skill(&env, "plain").passed_silently();
    skill(&env, "ops:check").passed_silently();
    skill(&env, "runs").denied("stopped Skill, which changes web01");
    skill(&env, "deploy").denied("./deploy.sh");
    for name in ["nowhere", "", "../../x", "some-plugin:thing"] {
        skill(&env, name).denied("stopped Skill");
    }
    let command = |text: &str| env.hook(env.call("SlashCommand", json!({"command": text})));
    command("/ops:check all of it").passed_silently();
    command("/deploy now").denied("./deploy.sh");
    // Which of several files of one name the host takes differs: all count.
    env.write(&project.join("skills/plain/SKILL.md"), "!`acmectl`\n");
    skill(&env, "plain").denied("`acmectl` is in no catalog");
    env.write(&project.join("skills/plain/SKILL.md"), "harmless\n");
    skill(&env, "plain").passed_silently();
    env.write(&user.join("skills/plain/SKILL.md"), "!`ssh web01 reboot`\n");
    skill(&env, "plain").denied("which changes web01");
    env.write(&user.join("skills/plain/SKILL.md"), "!`git status` and !`ssh web01 uptime`\n");
    skill(&env, "plain").passed_silently();
    env.hook(env.call("Skill", json!({"skill": "ops:check", "args": "!`ssh web01 reboot`"})))
        .denied("its own arguments");
}

#[test]
fn an_answer_is_bound_to_the_bytes_of_the_file() {
    let env = Env::new();
    let file = env.home().join(".claude/skills/s/SKILL.md");
    env.write(&file, "!`acmectl`\n");
    let ran = skill(&env, "s");
    let id = ran.stderr.split("zerto-guard answer ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    assert_eq!(env.run(&["answer", &id, "unguarded"]).code, Some(0));
    env.write(&file, "!`acmectl`; !`rm -rf /`\n");
    skill(&env, "s").denied("answer zgq-");
    env.write(&file, "!`acmectl`\n");
    assert_eq!(skill(&env, "s").code, Some(0));
}
