//! `trust`: the fingerprint is shown, and pinned after a yes on a terminal and only then.

use crate::env::{Env, Ran};
use crate::guard_story::{change, demo};
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use zvm_sim::Sim;

/// Runs the command on a terminal of its own (util-linux `script`), the answer typed in.
pub fn on_a_terminal(env: &Env, arguments: &str, typed: &str) -> Option<Ran> {
    let line = format!("'{}' {arguments}", Env::binary().display());
    let mut child = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .env_clear()
        .env("HOME", env.home())
        .env("PATH", "/usr/bin:/bin")
        .current_dir(env.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    Some(output.into())
}

fn unpinned(sim: &Sim) -> String {
    let config = sim.config_toml();
    config.lines().filter(|line| !line.starts_with("tls_pin")).collect::<Vec<_>>().join("\n") + "\n# the end\n"
}

#[test]
fn a_yes_pins_the_certificate_and_the_next_call_is_guarded() {
    let sim = demo().start();
    let env = Env::new().config(&unpinned(&sim));
    let config = env.config_dir().join("config.toml");
    env.hook(change(&env, "web01")).denied("zerto-guard trust");
    assert!(sim.requests().is_empty());
    let Some(ran) = on_a_terminal(&env, &format!("trust {}", sim.url()), "n\n") else {
        crate::env::skip("there is no `script` here to make a terminal with");
        return;
    };
    assert_eq!(ran.code, Some(5), "{}", ran.stdout);
    assert!(ran.stdout.contains(&sim.pin()), "{}", ran.stdout);
    assert_eq!(fs::read_to_string(&config).unwrap(), unpinned(&sim), "a no changes nothing");
    let ran = on_a_terminal(&env, &format!("trust {}", sim.url()), "y\n").unwrap();
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    let text = fs::read_to_string(&config).unwrap();
    assert!(text.contains(&format!("tls_pin = \"{}\"", sim.pin())) && text.contains("# the end"), "{text}");
    assert_eq!(env.hook(change(&env, "web01")).code, Some(0));
    let ran = env.run(&["trust", sim.url(), "--json"]);
    assert_eq!((ran.code, ran.json()["pinned"].as_bool()), (Some(0), Some(true)));
    // Another certificate at the same address: the old pin is shown, and the warning.
    let other = Sim::builder().cert(zvm_sim::CertKind::SelfSignedCaTrue).start();
    env.write(&config, &text.replace(sim.url(), other.url()));
    let ran = on_a_terminal(&env, &format!("trust {}", other.url()), "y\n").unwrap();
    assert!(ran.stdout.contains("WARNING") && ran.stdout.contains(&sim.pin()), "{}", ran.stdout);
    assert!(ran.stdout.contains("subject \"CN=") && ran.stdout.contains("valid from "), "{}", ran.stdout);
    assert!(fs::read_to_string(&config).unwrap().contains(&other.pin()));
}

#[test]
fn without_a_terminal_nothing_is_pinned() {
    let sim = demo().start();
    let env = Env::new().config(&unpinned(&sim));
    let mut command = Command::new("setsid");
    command.arg("--wait").arg(Env::binary()).args(["trust", sim.url(), "--json"]);
    command.env_clear().env("HOME", env.home()).current_dir(env.project()).stdin(Stdio::null());
    let Ok(output) = command.output() else {
        crate::env::skip("there is no `setsid` here to be without a terminal");
        return;
    };
    let ran: Ran = output.into();
    assert_eq!(ran.code, Some(5), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.json()["error"].as_str().unwrap().contains(&sim.pin()), "{}", ran.stdout);
    assert_eq!(fs::read_to_string(env.config_dir().join("config.toml")).unwrap(), unpinned(&sim));
    assert!(sim.requests().is_empty(), "no HTTP is spoken to show a certificate");
}

#[test]
fn an_url_without_an_entry_gets_the_block_to_add() {
    let sim = demo().start();
    let env = Env::new();
    let ran = env.run(&["trust", sim.url()]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.contains(&format!("tls_pin = \"{}\"", sim.pin())) && ran.stdout.contains("[[zvm]]"),
        "{}",
        ran.stdout
    );
    assert_eq!(env.run(&["trust", "https://127.0.0.1:9"]).code, Some(6));
    assert_eq!(env.run(&["trust", "http://127.0.0.1:9"]).code, Some(64));
    let old = Sim::builder().cert(zvm_sim::CertKind::Expired).start();
    let ran = env.run(&["trust", old.url()]);
    assert!(ran.stdout.contains("which is NOT now"), "{}", ran.stdout);
    let json = env.run(&["trust", old.url(), "--json"]).json();
    assert!(json["valid_until"].as_str().unwrap() < "2026", "{json}");
}
