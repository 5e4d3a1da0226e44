//! No tool call changes the guard's own files or the host's hook settings; reading them is fine.

use crate::env::Env;
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;

const WORDS: &str = "a human must do that";

#[test]
fn file_tools_write_none_of_the_guards_files() {
    let env = Env::new().config("").catalog("");
    fs::create_dir_all(env.state_dir()).unwrap();
    fs::set_permissions(env.state_dir(), std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    symlink(env.config_dir(), env.project().join("link")).unwrap();
    symlink(env.config_dir().join("catalog.toml"), env.project().join("c.toml")).unwrap();
    let home = env.home().display().to_string();
    for path in [
        format!("{home}/.config/zerto-guard/config.toml"),
        format!("{home}/.config/../.config/zerto-guard/./catalog.toml"),
        format!("{home}/.local/state/zerto-guard/questions/x"),
        format!("{home}/.claude/settings.json"),
        format!("{home}/.claude/settings.local.json"),
        "~/.config/zerto-guard/config.toml".into(),
        "../home/.config/zerto-guard/config.toml".into(),
        "link/config.toml".into(),
        "link/../zerto-guard/config.toml".into(),
        "c.toml".into(),
        ".claude/settings.json".into(),
        "/etc/zerto-guard/catalog.toml".into(),
        "/etc/claude-code/managed-settings.json".into(),
        Env::binary().display().to_string(),
    ] {
        for (tool, argument) in [("Write", "file_path"), ("Edit", "file_path"), ("NotebookEdit", "notebook_path")] {
            env.hook(env.call(tool, json!({argument: path, "content": "x"}))).denied(WORDS);
        }
        env.hook(env.call("Read", json!({"file_path": path}))).passed_silently();
    }
    env.hook(env.mcp(
        "filesystem",
        "write_file",
        json!({"path": format!("{home}/.claude/settings.json"), "content": ""}),
    ))
    .denied(WORDS);
    for path in ["notes.md", ".claude/commands/x.md", ".zerto-guard/catalog.toml"] {
        env.hook(env.call("Write", json!({"file_path": path, "content": "x"}))).passed_silently();
    }
    // Of whatever project, and where `install` wrote.
    let elsewhere = env.path("elsewhere/.claude/settings.json");
    env.write(&elsewhere, "{}\n");
    let call = env.call("Write", json!({"file_path": elsewhere, "content": "x"}));
    env.hook(call.clone()).denied(WORDS);
    let mut install = env.command(&["install", "claude-code", "--scope", "project"]);
    let output = install.current_dir(env.path("elsewhere")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    env.hook(call).denied(WORDS);
    // Where --config says the config is, it is protected too; and observing changes nothing about it.
    let other = env.path("other.toml");
    env.write(&other, "[guard]\nmode = 'observe'\n");
    let call = env.call("Write", json!({"file_path": other, "content": "x"}));
    env.hook_with(&["--config", other.to_str().unwrap()], call).denied(WORDS);
}

#[test]
fn neither_dead_links_nor_joined_names_nor_folders_lead_round_it() {
    let env = Env::new().config("").catalog("");
    let claude = env.home().join(".claude");
    fs::create_dir_all(&claude).unwrap();
    symlink(claude.join("settings.local.json"), env.project().join("d")).unwrap();
    symlink(env.state_dir(), env.project().join("s")).unwrap();
    symlink(env.home(), env.project().join("h")).unwrap();
    for path in [
        "d",
        "s/pause.json",
        "h/.claude/settings.json",
        "h/.local/state/zerto-guard/pause.json",
        "pkg/.claude/Settings.json",
    ] {
        env.hook(env.call("Write", json!({"file_path": path, "content": "{}"}))).denied(WORDS);
    }
    let joined = json!({
        "session_id": "s", "cwd": env.project(), "hook_event_name": "PreToolUse", "tool_name": "mcp__filesystem__write_file",
        "tool_input": {"path": claude.join("settings.json"), "content": "{}"},
    });
    env.hook(joined.to_string()).denied(WORDS);
    // A tool that nobody knows, and one that loads a file into a folder.
    env.hook(env.mcp("acme", "save", json!({"to": [{"file": claude.join("settings.json")}]}))).denied(WORDS);
    env.hook(env.mcp("filesystem", "move_file", json!({"source": claude, "destination": "/tmp/x"}))).denied(WORDS);
    let env = env.config("[guard]\nmode = 'observe'\n");
    env.hook(env.mcp("acme", "save", json!({"file": claude.join("settings.json")}))).denied(WORDS);
}

#[test]
fn shell_text_touches_none_of_them() {
    let env = Env::new().config("").catalog("");
    let home = env.home().display().to_string();
    for command in [
        "rm ~/.config/zerto-guard/config.toml",
        "echo x > $HOME/.config/zerto-guard/catalog.toml",
        "sed -i s/a/b/ \"${HOME}/.claude/settings.json\"",
        "rm -rf ~/.config",
        "mv .. /tmp/elsewhere",
        "chmod 777 ~/.config/zerto-guard",
        "cd / && cat x >.claude/settings.json; tee ~/.claude/settings.json",
        "cat ~/.config/zerto-guard/config.toml > /tmp/x",
        "ln -sf /tmp/evil ~/.local/state/zerto-guard/x",
        "cp evil /etc/zerto-guard/",
        "rm ~/.claude/setting?.json",
        "rm -rf ~/.c*",
        "rm ~/.con'fi'g/zerto-guard/config.toml",
        "D=~/.config; rm $D/zerto-guard/config.toml",
        "a=.claude; b=settings.json; rm ~/$a/${b}",
        "x=zerto-guard; echo y > ~/.config/$x/config.toml",
        "cd ~/.config && rm -rf zerto-guard",
    ] {
        let command =
            if command.starts_with("mv ..") { format!("mv {home} /tmp/elsewhere") } else { command.to_owned() };
        env.hook(env.call("Bash", json!({"command": command}))).denied(WORDS);
    }
    // These read, or change something else.
    for command in [
        "cat ~/.config/zerto-guard/config.toml",
        "rm -rf target",
        "cargo test",
        "cd .. && make",
        "find . -name x",
        "mv a.txt .",
        "rm *.o",
        "rm -rf build/*",
        "ls ~/*",
        "grep -rn 'pause' src && rm -f x",
        "cat ~/.claude/settings.json | jq .",
        "ls -la ~/.config/zerto-guard && git status",
        "grep -rn catalog.toml ~/.config/zerto-guard | head; sha256sum ~/.claude/settings.json > /dev/null",
    ] {
        let ran = env.hook(env.call("Bash", json!({"command": command})));
        assert!(!ran.stderr.contains(WORDS), "{command}: {}", ran.stderr);
    }
    // A name that only the shell makes.
    for command in [
        "cd; cd .config; rm -rf zerto-guard",
        "cd ~ && cd .claude && echo x > settings.json",
        "f() { rm -rf \"$1\"; }; f ~/.config/zerto-guard",
        "for d in .config .local; do rm -rf ~/$d; done",
        "p=.config/zerto; p=$p-guard; mv ~/$p /tmp/x",
        "bash -c 'cd ~/.config; rm -rf \"$1\"' _ zerto-guard",
    ] {
        env.hook(env.call("Bash", json!({"command": command}))).denied(WORDS);
    }
}
