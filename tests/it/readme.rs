//! The README's transcript of a recovery, run as it stands there: on a terminal, with the answers that are typed.
//!
//! Numbers may differ (times, checkpoints), and `…` stands for anything, alone on its line for any number of lines.

use crate::env::{Env, skip};
use crate::guard_story::home;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;
use zvm_sim::Sim;

const SECTION: &str = "## Your agent broke a file: get it back";

/// The commands of the section's transcripts, and what each prints.
fn transcript() -> Vec<(String, String)> {
    let readme = include_str!("../../README.md");
    let section = readme.split(SECTION).nth(1).unwrap().split("\n## ").next().unwrap();
    let mut steps: Vec<(String, String)> = Vec::new();
    for block in section.split("```console\n").skip(1) {
        for line in block.split("```").next().unwrap().lines() {
            match line.strip_prefix("$ ") {
                Some(command) => steps.push((command.to_owned(), String::new())),
                None => steps.last_mut().unwrap().1.push_str(&format!("{line}\n")),
            }
        }
    }
    steps
}

/// What the command prints on a terminal of 120 columns, each question answered with yes.
fn on_a_terminal(env: &Env, command: &str) -> Option<String> {
    let line =
        format!("stty cols 120 rows 50; {}", command.replacen("zerto-guard", &Env::binary().display().to_string(), 1));
    let mut child = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .env_clear()
        .env("HOME", env.home())
        .env("PATH", "/usr/bin:/bin")
        .env("NO_COLOR", "1")
        .current_dir(env.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let (mut typed, mut shown) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (mut text, mut answered, mut buffer) = (String::new(), 0, [0; 4096]);
    // Bytes come in pieces; a piece that ends within a character is completed by the next.
    let mut rest = Vec::new();
    loop {
        let read = shown.read(&mut buffer).unwrap_or(0);
        if read == 0 {
            break;
        }
        rest.extend_from_slice(&buffer[..read]);
        let whole = std::str::from_utf8(&rest).map_or_else(|error| error.valid_up_to(), str::len);
        text.push_str(std::str::from_utf8(&rest[..whole]).unwrap());
        rest.drain(..whole);
        // Typed once it is asked for, as a person does: before that, the terminal would show it elsewhere.
        let asked = text.matches("[y/N] ").count();
        while answered < asked {
            typed.write_all(b"y\n").unwrap();
            answered += 1;
        }
    }
    assert!(child.wait().unwrap().success(), "{command}: {text}");
    Some(text.replace('\r', ""))
}

/// Numbers as one sign, and what a terminal is told to take back away.
fn plain(text: &str) -> String {
    let shown: Vec<&str> = text.lines().map(|line| line.rsplit("\u{1b}[K").next().unwrap_or(line)).collect();
    let mut plain = String::new();
    for c in shown.join("\n").chars() {
        match c {
            '0'..='9' if plain.ends_with('#') => {}
            '0'..='9' => plain.push('#'),
            c => plain.push(c),
        }
    }
    plain.trim_end().to_owned()
}

fn fits(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    if parts.is_empty() {
        return rest.is_empty();
    }
    for (nr, part) in parts.iter().enumerate() {
        let found =
            if nr + 1 == parts.len() { rest.ends_with(part).then(|| rest.len() - part.len()) } else { rest.find(part) };
        match found {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

fn all_fit(pattern: &[&str], lines: &[&str]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((&"…", rest)) => (0..=lines.len()).any(|skipped| all_fit(rest, &lines[skipped..])),
        Some((first, rest)) => lines.split_first().is_some_and(|(line, more)| fits(first, line) && all_fit(rest, more)),
    }
}

#[test]
fn the_transcript_of_a_recovery_is_what_happens() {
    let sim = Sim::builder().demo_world().start();
    let tag = "ai:claude | edit /etc/app.yaml | vm=web01 | change=chg-412 | 20260921T150405Z";
    for vpg in ["web01-local", "web01-dr"] {
        sim.put_tag(vpg, Duration::from_secs(240), tag).unwrap();
    }
    sim.put_file("web01", "partition#1 Ext4/etc/app.yaml", "listen: 8080\nworkers: 4000\n");
    sim.automatic_checkpoint("web01-local").unwrap();
    let env = home(&sim);
    let steps = transcript();
    assert_eq!(steps.len(), 4, "{steps:?}");
    for (command, expected) in steps {
        let Some(shown) = on_a_terminal(&env, &command) else {
            skip("there is no `script` here to make a terminal with");
            return;
        };
        let (expected, shown) = (plain(&expected), plain(&shown));
        let (pattern, lines): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), shown.lines().collect());
        assert!(all_fit(&pattern, &lines), "$ {command}\n{shown}\n--- in the README:\n{expected}");
    }
    assert_eq!(std::fs::read_to_string(env.project().join("app.yaml")).unwrap(), "listen: 8080\nworkers: 4\n");
    assert!(sim.live_sessions().is_empty());
}

#[test]
fn a_pattern_fits_what_it_should_and_nothing_else() {
    for (pattern, text, fit) in [
        ("a\n…\nb", "a\nx\ny\nb", true),
        ("a\n…\nb", "a\nb", true),
        ("a\n…\nb", "a\nx", false),
        ("a … c", "a b c", true),
        ("a … c", "a b d", false),
        ("a", "ab", false),
        ("a…", "ab", true),
        ("…a", "ba", true),
        ("…a…a", "a", false),
        ("", "x", false),
    ] {
        let (pattern, lines): (Vec<&str>, Vec<&str>) = (pattern.lines().collect(), text.lines().collect());
        assert_eq!(all_fit(&pattern, &lines), fit, "{pattern:?} {text:?}");
    }
    assert_eq!(plain("12 a 3.45\r\n"), "# a #.#");
}
