//! How the human gets a file back: the commands of `zerto-guard rewind`, as they are typed.

use anyhow::{Context as _, ensure};
use serde_json::json;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use zvm_sim::Sim;

const FILE: &str = "partition#1 Ext4/etc/app.yaml";
const BROKEN: &str = "listen: 8080\nworkers: 4000\n";

pub fn broken(sim: &Sim, home: &Path) -> anyhow::Result<()> {
    super::title(6, "An edit that was guarded turns out to be a bad one");
    let command = "ssh web01 \"sudo sed -i 's/workers: .*/workers: 4000/' /etc/app.yaml\"";
    let output = super::shell(home, command);
    super::show(&output);
    ensure!(output.code == 0, "it should have passed");
    sim.put_file("web01", FILE, BROKEN);
    // Zerto itself makes a checkpoint every few seconds.
    sim.automatic_checkpoint("web01-local").context("the VPG is there")?;
    println!("   The agent has run it, and web01 no longer answers.");
    Ok(())
}

pub fn rewind(sim: &Sim, home: &Path) -> anyhow::Result<()> {
    super::title(7, "The human finds the tag, sees what has changed since, and gets the file back");
    let file = home.join("app.yaml");
    let output = file.display().to_string();
    for (words, what) in [
        (&["log", "web01", "--since", "1h"][..], "which tags there are"),
        (&["diff", "latest:/etc/app.yaml", "--vm", "web01", "--yes"], "what has changed since"),
        (&["recover", "latest:/etc/app.yaml", "--vm", "web01", "--output", &output, "--yes"], "the file as it was"),
        (&["sessions"], "and nothing stays mounted"),
    ] {
        println!("\n   $ zerto-guard rewind {}        # {what}", words.join(" "));
        let state = home.join(".local/state/zerto-guard");
        let places = [
            "--config".into(),
            home.join(".config/zerto-guard/config.toml").into_os_string(),
            "--state-dir".into(),
            state.into_os_string(),
        ];
        let words = std::iter::once("rewind").chain(words.iter().copied()).map(OsString::from);
        let code = zerto_guard::cli::run(words.chain(places).collect());
        ensure!(code == 0, "it should have ended with 0, not {code}");
    }
    let content = fs::read_to_string(&file)?;
    ensure!(content == "listen: 8080\nworkers: 4\n", "the file should be as it was, not {}", json!(content));
    ensure!(sim.live_sessions().is_empty(), "nothing should stay mounted");
    Ok(())
}
