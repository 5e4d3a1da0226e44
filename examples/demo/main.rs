//! The whole loop in one process: real hook JSON, the real library, and a simulated Zerto Virtual Manager over real TLS.
//!
//! `cargo run --example demo`. Its exit code is 0 only if every step went as it should.

mod rewind;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::ExitCode;
use zerto_guard::hook;
use zerto_guard::hosts::Output;
use zvm_sim::{InsertOutcome, Sim, Step};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nThe demo did NOT go as it should: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let sim = Sim::builder().demo_world().start();
    let home = tempfile::tempdir()?;
    let config = home.path().join(".config/zerto-guard/config.toml");
    let folder = config.parent().context("the config is in a folder")?;
    fs::create_dir_all(folder)?;
    for folder in [home.path(), &home.path().join(".config"), folder] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    fs::write(&config, sim.config_toml())?;
    fs::set_permissions(&config, fs::Permissions::from_mode(0o600))?;

    println!("zerto-guard, shown against a simulated Zerto Virtual Manager (ZVM) at {}.", sim.url());
    println!("Steps 1 to 6 are tool calls of an AI agent, as its host hands them to the hook before they run:");
    println!("exit 0 lets the call run, exit 2 stops it.");

    read_only(&sim, home.path()).context("step 1")?;
    guarded(&sim, home.path()).context("step 2")?;
    unprotected(&sim, home.path()).context("step 3")?;
    unknown(&sim, home.path()).context("step 4")?;
    failed(&sim, home.path()).context("step 5")?;

    rewind::broken(&sim, home.path()).context("step 6")?;
    rewind::rewind(&sim, home.path()).context("step 7")?;

    println!("\nAll seven steps went as they should.");
    Ok(())
}

fn read_only(sim: &Sim, home: &Path) -> anyhow::Result<()> {
    title(1, "A call that only reads passes at once, and nobody is asked");
    let input = json!({"host": "web01", "service_name": "nginx"});
    let output = call(home, "linux-mcp-server", "get_service_logs", &input);
    show(&output);
    ensure!(output.code == 0 && output.stdout.is_empty() && output.stderr.is_empty(), "it should have passed silently");
    ensure!(sim.requests().is_empty(), "the ZVM should not have been asked");
    println!("   The ZVM was not even asked.");
    Ok(())
}

fn guarded(sim: &Sim, home: &Path) -> anyhow::Result<()> {
    title(2, "A call that changes web01 runs only after a tagged checkpoint stands in each of its VPGs");
    let input = json!({"host": "web01", "source": "web.config", "destination": "C:/inetpub/wwwroot/web.config"});
    let output = call(home, "winrm", "copy_file", &input);
    show(&output);
    ensure!(output.code == 0, "it should have passed");
    let told: Value = serde_json::from_str(&output.stdout)?;
    let told = told.pointer("/hookSpecificOutput/additionalContext").and_then(Value::as_str).unwrap_or_default();
    println!("   The journals of its two virtual protection groups (VPGs) now hold:");
    let mut tags = Vec::new();
    for vpg in ["web01-local", "web01-dr"] {
        for checkpoint in sim.journal(vpg).into_iter().filter(|checkpoint| checkpoint.tag.is_some()) {
            let tag = checkpoint.tag.unwrap_or_default();
            println!("     {vpg:<12} checkpoint {}  {tag}", checkpoint.id);
            tags.push(tag);
        }
    }
    let [first, second] = tags.as_slice() else { anyhow::bail!("two tags should stand, not {}", tags.len()) };
    ensure!(first == second, "both VPGs should have the same tag");
    ensure!(told.contains(first.as_str()), "the agent should have been told the tag");
    Ok(())
}

fn unprotected(sim: &Sim, home: &Path) -> anyhow::Result<()> {
    title(3, "A change of scratch01, which no VPG protects, is refused: Zerto could not rewind it");
    let before = sim.requests_of(Step::Insert).len();
    let input = json!({"host": "scratch01", "source": "web.config", "destination": "C:/web.config"});
    let output = call(home, "winrm", "copy_file", &input);
    show(&output);
    ensure!(output.code == 2 && output.stdout.is_empty(), "it should have been stopped");
    ensure!(output.stderr.contains("scratch01"), "it should have said for which VM");
    ensure!(sim.requests_of(Step::Insert).len() == before, "nothing should have been inserted");
    Ok(())
}

fn unknown(sim: &Sim, home: &Path) -> anyhow::Result<()> {
    title(4, "A tool that nobody has classified is stopped with a question for the human");
    let before = sim.requests().len();
    let output = call(home, "acme-ops", "rotate_logs", &json!({"host": "web01"}));
    show(&output);
    ensure!(output.code == 2 && output.stdout.is_empty(), "it should have been stopped");
    ensure!(output.stderr.contains("zerto-guard answer zgq-"), "it should have been a question");
    ensure!(sim.requests().len() == before, "the ZVM should not have been asked");
    Ok(())
}

fn failed(sim: &Sim, home: &Path) -> anyhow::Result<()> {
    title(5, "Where one VPG's checkpoint fails, the change does not run");
    sim.next_inserts_at("web01-dr", 1, &InsertOutcome::failed("The journal volume is full"));
    let input = json!({"host": "web01", "source": "web.config", "destination": "C:/web.config"});
    let output = call(home, "winrm", "copy_file", &input);
    show(&output);
    ensure!(output.code == 2 && output.stdout.is_empty(), "it should have been stopped");
    ensure!(output.stderr.contains("The journal volume is full"), "it should have said why");
    Ok(())
}

fn title(number: usize, text: &str) {
    println!("\n{number}. {text}");
}

/// Hands the call of an MCP server's tool to the hook as Claude Code does.
fn call(home: &Path, server: &str, tool: &str, input: &Value) -> Output {
    println!("   The agent wants:  {server} {tool} {input}");
    let mut hook_input = hook_input(home, &format!("mcp__{server}__{tool}"), input);
    if let Some(fields) = hook_input.as_object_mut() {
        fields.insert("mcp_server".into(), json!({"name": server, "source": "user"}));
    }
    hook::run(&["hook".into()], hook_input.to_string().as_bytes(), None, Some(home.into()))
}

/// The same with a command for the agent's own shell.
fn shell(home: &Path, command: &str) -> Output {
    println!("   The agent wants:  {command}");
    let hook_input = hook_input(home, "Bash", &json!({"command": command}));
    hook::run(&["hook".into()], hook_input.to_string().as_bytes(), None, Some(home.into()))
}

fn hook_input(home: &Path, tool: &str, input: &Value) -> Value {
    json!({
        "session_id": "8f1e4c6f-77a8-4677-8024-9178e8df6a60",
        "cwd": home,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": input,
        "tool_use_id": format!("toolu_{tool}"),
    })
}

/// Shows what the hook answered.
fn show(output: &Output) {
    let meaning = if output.code == 0 { "it runs" } else { "it does not run" };
    println!("   The hook ends with exit {}: {meaning}.", output.code);
    let told = serde_json::from_str::<Value>(&output.stdout).ok();
    let user = told.as_ref().and_then(|told| told.get("systemMessage")).and_then(Value::as_str).unwrap_or_default();
    for line in output.stderr.lines().chain(user.lines()) {
        println!("   | {line}");
    }
}
