//! Every real capture, and every input written after a host's documents: the file on stdin; exit code, stdout and stderr out, byte for byte.
//!
//! Beside `X.json` lies `X.golden` (written anew with `ZERTO_GUARD_UPDATE_GOLDEN=1`), and `X.expected.json`, through
//! which the same captures are run as a team's CI would run its own: by `catalog test`.

use crate::env::{Env, Ran};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hook-stdin")
}

/// One folder a host and version; what was written after documents is marked so by its name.
fn hosts() -> Vec<PathBuf> {
    fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect()
}

fn captures() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for host in hosts() {
        for file in fs::read_dir(host).unwrap() {
            let path = file.unwrap().path();
            let name = path.to_string_lossy().into_owned();
            if name.ends_with(".json") && !name.ends_with(".expected.json") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The one thing that differs from run to run is the question's id.
fn render(ran: &Ran) -> String {
    let mut stderr = String::new();
    for (at, part) in ran.stderr.split("zgq-").enumerate() {
        if at == 0 {
            stderr.push_str(part);
        } else {
            let (id, rest) = part.split_at(13);
            assert!(id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()), "{id}");
            stderr.push_str("zgq-ID");
            stderr.push_str(rest);
        }
    }
    format!("exit {}\n--- stdout\n{}--- stderr\n{stderr}", ran.code.unwrap(), ran.stdout)
}

#[test]
fn every_capture_is_answered_byte_for_byte() {
    let captures = captures();
    assert!(captures.len() >= 90, "{} captures", captures.len());
    let update = std::env::var_os("ZERTO_GUARD_UPDATE_GOLDEN").is_some();
    let env = Env::new();
    let mut wrong = Vec::new();
    for capture in captures {
        let rendered = render(&env.hook(fs::read(&capture).unwrap()));
        let golden = capture.with_extension("golden");
        if update {
            fs::write(&golden, &rendered).unwrap();
        } else if fs::read_to_string(&golden).unwrap_or_default() != rendered {
            wrong.push(format!("{}\n{rendered}", golden.display()));
        }
    }
    assert!(wrong.is_empty(), "not as recorded:\n{}", wrong.join("\n"));
}

#[test]
fn the_captures_pass_the_catalog_test_of_a_teams_ci() {
    let env = Env::new();
    for host in hosts() {
        let mut arguments = vec!["catalog", "test", host.to_str().unwrap()];
        if std::env::var_os("ZERTO_GUARD_UPDATE_GOLDEN").is_some() {
            arguments.push("--update");
        }
        let ran = env.run(&arguments);
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("passed, 0 failed"), "{}", ran.stdout);
    }
}
